// What stands in the way: the table's question and notice, and what this phone's own command met with.

import { byId, section } from "./dom.js";
import { noticeCard, questionCard, refusalCard } from "./question.js";

const READ_MS = 4000; // so long at least it is told that the table had moved on

const same = (one, other) => Boolean(one && other) && one === other;

export class Objections {
  /** `answer(question, choice)` is called when somebody has chosen. */
  constructor(answer) {
    const away = () => this.#putAway();
    this.table = null;
    this.own = null; // what this phone's own command met with
    this.read = null; // the notice somebody here has read and put away
    this.drawRefusal = section(byId("refusal"), (refusal) => refusal && refusalCard(refusal, away));
    this.drawNotice = section(byId("notice"), (notice, place) => notice && noticeCard(notice, place, away));
    this.drawQuestion = section(byId("question"), (question, seats, place, profile, objects) =>
      question && questionCard(question, seats, place, profile ? this.geometry : null, objects, answer));
  }

  show(table, me, geometry) {
    Object.assign(this, { table, me, geometry });
    this.#draw();
  }

  /** A command of this phone was refused, or did not reach the table. */
  meet({ message, hint = "", rule = "", code = "" }) {
    this.own = { message, hint, rule, code, since: Date.now() };
    this.read = null;
    this.#draw();
  }

  /** What this phone met with is over once the game goes on. That it had gone on is told for a while:
   *  the answer may come before the moment itself. `isSettled`: its next command was carried out. */
  forget(isSettled) {
    if (this.own?.code === "stale" && !isSettled && Date.now() - this.own.since < READ_MS) return;
    this.own = null;
    this.#draw();
  }

  /** Another battle: what was refused or read is of the one before. */
  turnPage() {
    this.own = null;
    this.read = null;
  }

  linkIsBack() {
    if (this.own?.code === "lost") this.forget(true);
  }

  #putAway() {
    this.own = null;
    this.read = JSON.stringify(this.table?.notice ?? null);
    this.#draw();
  }

  /** Notice, question and refusal often say the same thing: say it once. */
  #draw() {
    const { question, seats } = this.table ?? {};
    const notice = this.table?.notice && JSON.stringify(this.table.notice) !== this.read ? this.table.notice : null;
    const asks = same(notice?.text, question?.text);
    this.drawQuestion(question, seats, this.me, this.geometry?.profile ?? "", asks && notice.kind === "refusal");
    this.drawNotice(asks ? null : notice, this.me);
    this.drawRefusal(same(notice?.text, this.own?.message) ? null : this.#told());
  }

  /** That the table had moved on says whither: the last thing that happened. */
  #told() {
    const last = this.own?.code === "stale" && this.table?.log.filter((entry) => !entry.retracted).at(-1);
    return last ? { ...this.own, hint: `${this.own.hint} The last thing now: ${last.text}`.trim() } : this.own;
  }
}
