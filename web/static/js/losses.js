// What this page has seen in the log and the table no longer knows: cards may lose what was written last.

import { listed } from "./dom.js";

const MOST_NAMED = 3;

/** Which run of the server a moment is of. */
export const runOf = ({ id }) => id.split("-")[0];

const quoted = (lines) => {
  const named = lines.slice(-MOST_NAMED).map(({ text }) => `“${text}”`);
  const more = lines.length - named.length;
  return listed(more ? [`${more} more`, ...named] : named);
};

export class Losses {
  constructor() {
    this.moment = null;
    this.lines = []; // what is missing of the log
    this.undone = []; // what stands in it again, though it had been taken back
    this.kept = 0; // the last line that is not
    this.version = 0; // how far the table had been
  }

  /** Take the next moment; return it with what is lost among the parts that are ill, until that is in the
   *  log again, or the table has gone on beyond where it had been. */
  told(next) {
    const before = this.moment;
    if (!next.table) return next;
    this.moment = next;
    const { game, log, version, health } = next.table;
    if (before?.table.game !== game) this.lines = this.undone = [];
    else if (runOf(before) !== runOf(next)) this.#compare(before.table, log);
    const again = new Set(log.filter(({ seq }) => seq > this.kept).map(({ text }) => text));
    const standing = new Set(log.filter(({ retracted }) => !retracted).map(({ seq }) => seq));
    const isPast = version > this.version;
    const lost = isPast ? [] : this.lines.filter(({ text }) => !again.has(text));
    const undone = isPast ? [] : this.undone.filter(({ seq }) => standing.has(seq));
    const told = [
      undone.length && `${quoted(undone)} had been taken back, and the table no longer knows of that: take it back again.`,
      lost.length && `${quoted(lost)} had been noted, and the table no longer knows of it. Tell it again unless the camera sees it.`,
    ].filter(Boolean);
    return told.length ? { ...next, table: { ...next.table, health: { lost: told.join(" "), ...health } } } : next;
  }

  /** Only what a table had on its card before it stopped can be missing once it is there again. A log that
   *  has no line of the old one is of another battle. */
  #compare({ log: old, version }, log) {
    const now = new Map(log.map(({ seq, text }) => [seq, text]));
    const kept = old.filter(({ seq, text }) => now.get(seq) === text);
    const gone = old.filter((entry) => !kept.includes(entry) && !entry.retracted && entry.seq >= log[0]?.seq);
    const undone = kept.filter(({ retracted }) => retracted);
    if (!kept.length || !(gone.length || undone.length)) return;
    Object.assign(this, { lines: gone, undone, kept: kept.at(-1).seq, version });
  }
}
