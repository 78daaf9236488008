// The last moves in words, with what followed and the picture that shows it. A captain may point at
// any line, look at its picture and say what it was really.

import { h } from "./dom.js";
import { badge } from "./fleet.js";
import { cited } from "./rules.js";
import { picture, sheet } from "./sheet.js";

const SOURCES = { camera: "seen by the camera", phone: "told by phone", button: "by button", table: "by the table" };

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
  return consequences.map((told) => cited(told.startsWith(`${text}: `) ? told.slice(text.length + 2) : told));
}

/** A line of the log pointed at: its picture, and a way to put it right for those who sit. */
export function pointAt(entry, canCorrect, onCorrect) {
  const open = sheet("What the table noted", [
    entry.evidence
      ? h("img", { class: "evidence", src: `/evidence/${encodeURIComponent(entry.evidence)}`, alt: `What the table saw: ${entry.text}` })
      : h("p", { class: "small" }, entry.source === "camera" ? "No picture was kept of this." : "This was told, not seen: there is no picture."),
    h("p", { class: "big" }, entry.text),
    ...followed(entry).map((words) => h("p", { class: "consequence" }, ...words)),
    h("p", { class: "small" }, origin(entry)),
    entry.retracted ? h("p", { class: "note" }, "It has been taken back.") : null,
    canCorrect && !entry.retracted
      ? h("button", { type: "button", class: "strong", on: { click: () => { open.close(); onCorrect(entry); } } }, "It was something else")
      : null,
  ].filter(Boolean), { wide: true });
}

/** One line of the log. */
function line(entry, seats, onPoint) {
  const seat = seats.find((one) => one.seat === entry.seat);
  const look = entry.evidence
    ? h("button", { class: "quiet", type: "button", "aria-label": `Picture of: ${entry.text}`, on: { click: () => picture(entry.evidence, `${entry.text} (${origin(entry)})`) } }, "◉ picture")
    : null;
  return h(
    "li",
    { class: entry.retracted ? "retracted" : "" },
    h("span", { class: "flag" }, seat ? badge(seat.colours.slice(0, 1)) : null),
    h("div", {},
      entry.retracted ? h("span", { class: "sr" }, "Taken back: ") : null,
      onPoint
        ? h("button", { type: "button", class: "deed", on: { click: () => onPoint(entry) } }, entry.text)
        : h("span", { class: "deed" }, entry.text),
      ...followed(entry).map((words) => h("span", { class: "consequence" }, ...words)),
      h("span", { class: "origin" }, origin(entry), look)),
  );
}

/** Latest first; `most` lines. `onPoint(entry)` runs when one is tapped. */
export function logLines(table, most, onPoint = null) {
  const entries = table.log.slice(-most).reverse();
  if (!entries.length) return h("li", { class: "empty" }, "Nothing has happened yet.");
  return entries.map((entry) => line(entry, table.seats, onPoint));
}
