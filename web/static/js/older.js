// Lines of the log that are older than what a moment holds, fetched page by page when asked for.

import { getLog } from "./api.js";

const HELD = 50; // so many lines a moment holds at most

export class OlderLines {
  /** `onChange()` is called whenever there are other lines to be shown. */
  constructor(onChange) {
    this.onChange = onChange;
    this.forget();
  }

  /** Another battle: its log begins anew. */
  forget() {
    this.lines = [];
    this.more = null; // whether there are older ones still; not known before the first page
    this.run = (this.run ?? 0) + 1;
  }

  /** All lines that are known, latest last. */
  before(log) {
    return [...this.lines.filter(({ seq }) => seq < (log[0]?.seq ?? 0)), ...log];
  }

  /** Whether there is more to be fetched. */
  hasMore(log) {
    return this.more ?? log.length >= HELD;
  }

  /** Fetch one page more. */
  async next({ game, log }) {
    await this.#fetch(game, log, (this.lines[0] ?? log[0]).seq - 1);
  }

  /** The game went on: a correction may have struck out lines far back. */
  async follow({ game, log }) {
    if (this.lines.length) await this.#fetch(game, log, this.lines[0].seq);
  }

  /** Fetch what lies before the lines of a moment, page by page, as far as `first`. */
  async #fetch(game, log, first) {
    const run = ++this.run;
    let [lines, more] = [[], true];
    do {
      const page = await getLog((lines[0] ?? log[0]).seq);
      if (run !== this.run || page.game !== game) return; // what came in between counts
      lines = [...page.lines, ...lines];
      more = page.more;
    } while (more && lines[0].seq > first);
    this.lines = lines;
    this.more = more;
    this.onChange();
  }
}
