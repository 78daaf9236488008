// Lines of the log that are older than what a moment holds, fetched page by page when asked for.

import { getLog } from "./api.js";

const HELD = 50; // so many lines a moment holds at most

/** Whether a line stands in both moments: what is taken back goes on to the last line, so of those before
 *  this one none was struck out between them. */
const standsStill = (before, log) =>
  log.some(({ seq, retracted }) => !retracted && before.some((line) => line.seq === seq && !line.retracted));

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
    this.isAsked = false; // somebody wants to see older ones
    this.isOld = false; // something may have been struck out since they were fetched
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
    this.isAsked = true;
    await this.#fetch(game, log, this.#first(log) - 1);
  }

  /** The game went on: lines have left the moment, and a correction may have struck out some far back. */
  async follow({ log: before }, { game, log }) {
    if (!this.isAsked) return;
    this.isOld ||= !standsStill(before, log);
    if (this.isOld) await this.#fetch(game, log, this.#first(log));
    else this.lines = this.before(before).filter(({ seq }) => seq < log[0].seq);
  }

  #first = (log) => (this.lines[0] ?? log[0]).seq;

  /** Fetch what lies before the lines that are known, page by page, as far as `first`; all, if they are old. */
  async #fetch(game, log, first) {
    const run = ++this.run;
    const end = this.isOld ? log[0].seq : this.#first(log);
    let [lines, more] = [[], true];
    do {
      const page = await getLog(lines[0]?.seq ?? end);
      if (run !== this.run || page.game !== game) return; // what came in between counts
      lines = [...page.lines, ...lines];
      more = page.more;
    } while (more && lines[0].seq > first);
    this.lines = this.isOld ? lines : [...lines, ...this.lines];
    this.isOld = false;
    this.more = more;
    this.onChange();
  }
}
