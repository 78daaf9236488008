// The last moves in words, with what followed and the picture that shows it. A captain may point at
// any line, look at its picture and say what it was really.

import { h, s } from "./dom.js";
import { badge } from "./fleet.js";
import { cited } from "./rules.js";
import { picture, sheet, shot } from "./sheet.js";

const MOST_NEWS = 3; // so many lines are told of what happened while nobody listened
const DOUBT = 0.95; // what the camera was less sure of is marked in the log; the rest is told when a line is tapped
const SOURCES = { camera: "seen by the camera", phone: "told by phone", button: "by button", table: "put right" };

function origin(entry) {
  const words = [SOURCES[entry.source] ?? entry.source];
  if (entry.asked) words.push("settled by a captain");
  else if (entry.p !== null) words.push(`${Math.round(entry.p * 1000) / 10} % sure`);
  if (entry.is_one_of_many) words.push("other ways come to the same");
  if (entry.house_ruling) words.push("house ruling");
  return words.join(", ");
}

/** What followed; what begins with the words of the line itself goes on from there. */
function followed({ text, consequences }) {
  return consequences.map((told) => (told.startsWith(`${text}: `) ? told.slice(text.length + 2) : told));
}

/** A line of the log pointed at: its picture, and a way to put it right for those who sit. */
export function pointAt(entry, canCorrect, onCorrect) {
  const open = sheet("What the table noted", [
    entry.tray ? shot(entry.tray, `The dice in the tray: ${entry.text}`) : null,
    entry.evidence
      ? shot(entry.evidence, `What the table saw: ${entry.text}`)
      : h("p", { class: "small" }, entry.source === "camera" ? "No picture was kept of this." : "This was told, not seen: there is no picture."),
    h("p", { class: "big" }, entry.text),
    ...followed(entry).map((words) => h("p", { class: "consequence" }, ...cited(words))),
    h("p", { class: "small" }, origin(entry)),
    entry.retracted ? h("p", { class: "note" }, "It has been taken back.") : null,
    canCorrect && !entry.retracted
      ? h("button", { type: "button", class: "strong", on: { click: () => { open.close(); onCorrect(entry); } } }, "It was something else")
      : null,
  ].filter(Boolean), { wide: true });
}

/** What is not as usual about a line, or "". */
function remark(entry) {
  const isDoubtful = entry.p !== null && entry.p < DOUBT;
  return entry.asked || entry.house_ruling || isDoubtful ? origin(entry) : "";
}

const camera = () => s("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" },
  s("path", { d: "M8.5 4.5H15.5L17 7H20Q22 7 22 9V18Q22 20 20 20H4Q2 20 2 18V9Q2 7 4 7H7ZM12 9A4.2 4.2 0 1 0 12 17.4A4.2 4.2 0 1 0 12 9Z" }));

/** One line of the log; `goesOn`: the line above it is of the same captain. */
function line(entry, seats, goesOn, onPoint) {
  const seat = seats.find((one) => one.seat === entry.seat);
  const look = entry.evidence && onPoint
    ? h("button", { class: "quiet look-at", type: "button", "aria-label": `Picture of: ${entry.text}`, on: { click: () => picture(entry.tray ?? entry.evidence, `${entry.text} (${origin(entry)})`) } }, camera())
    : null;
  const words = remark(entry);
  return h(
    "li",
    { class: entry.retracted ? "retracted" : "", "data-goes-on": goesOn },
    h("span", { class: "flag" }, seat ? badge(seat.colours.slice(0, 1)) : null),
    h("div", {},
      entry.retracted ? h("span", { class: "sr" }, "Taken back: ") : null,
      onPoint
        ? h("button", { type: "button", class: "deed", on: { click: () => onPoint(entry) } }, entry.text)
        : h("span", { class: "deed" }, entry.text),
      ...followed(entry).map((told) => h("span", { class: "consequence" }, ...cited(told))),
      words ? h("span", { class: "origin" }, words) : null),
    look,
  );
}

/** Says in `node`, which is heard and not seen, what a moment adds to the log or strikes out of it. */
export class News {
  constructor(node) {
    this.node = node;
    this.game = null;
    this.log = [];
  }

  /** The first moment of a game is no news. */
  follow({ game, log }) {
    const [isFirst, before] = [game !== this.game, this.log];
    Object.assign(this, { game, log });
    if (isFirst) {
      this.node.textContent = ""; // what was said of the game before is old
      return;
    }
    const last = before.at(-1)?.seq ?? -1;
    const struck = log.filter((entry) => entry.retracted && before.some(({ seq, retracted }) => seq === entry.seq && !retracted));
    const added = log.filter(({ seq }) => seq > last).slice(-MOST_NEWS);
    const words = [...struck.map(({ text }) => `Taken back: ${text}`), ...added.flatMap((entry) => [entry.text, ...followed(entry)])];
    if (words.length) this.node.textContent = words.join(". ");
  }
}

/** Latest first; `most` lines. `onPoint(entry)` runs when one is tapped. */
export function logLines(table, most, onPoint = null) {
  const entries = table.log.slice(-most).reverse();
  if (!entries.length) return h("li", { class: "empty" }, "Nothing has happened yet.");
  return entries.map((entry, k) => line(entry, table.seats, k > 0 && entries[k - 1].seat === entry.seat, onPoint));
}
