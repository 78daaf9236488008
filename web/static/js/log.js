// The last moves in words, with what followed and the picture that shows it.

import { cited, h } from "./dom.js";
import { badge } from "./fleet.js";
import { picture } from "./sheet.js";

const SOURCES = { camera: "seen by the camera", phone: "told by phone", button: "by button", table: "by the table" };

function origin(entry) {
  const words = [SOURCES[entry.source] ?? entry.source];
  if (entry.p !== null) words.push(`${Math.round(entry.p * 1000) / 10} % sure`);
  if (entry.house_ruling) words.push("house ruling");
  return words.join(", ");
}

/** One line of the log. */
function line(entry, seats) {
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
      h("span", { class: "deed" }, entry.text),
      ...entry.consequences.map((text) => h("span", { class: "consequence" }, ...cited(text))),
      h("span", { class: "origin" }, origin(entry), look)),
  );
}

/** Latest first; `most` lines. */
export function logLines(table, most) {
  const entries = table.log.slice(-most).reverse();
  if (!entries.length) return h("li", { class: "empty" }, "Nothing has happened yet.");
  return entries.map((entry) => line(entry, table.seats));
}
