// Whether the table's clock is right: a Pi without a network does not know the time.

import { getHealth } from "./api.js";

const AGAIN_MS = 10_000;

/** Looks at the clock whenever it is told to `look`, and while it is wrong again and again; `onNews()` runs
 *  when that has changed. */
export class ClockWatch {
  constructor(onNews) {
    this.onNews = onNews;
    this.words = ""; // what is amiss with it
    this.timer = 0;
  }

  async look() {
    clearTimeout(this.timer);
    const { ill } = await getHealth().catch(() => ({ ill: {} }));
    const before = this.words;
    this.words = ill.clock ?? "";
    if (this.words) this.timer = setTimeout(() => this.look(), AGAIN_MS);
    if (this.words !== before) this.onNews();
  }

  /** A moment, with the clock among the parts that are ill if it is wrong. */
  told(moment) {
    const { table } = moment;
    return this.words && table ? { ...moment, table: { ...table, health: { ...table.health, clock: this.words } } } : moment;
  }
}
