// One sheet a ship: what is left of her, what she carries, what she can still do.

import { h, section } from "./dom.js";
import { badge } from "./fleet.js";

function gauge({ label, left, full }) {
  const pips = full <= 12
    ? h("span", { class: "pips", "aria-hidden": "true" }, ...Array.from({ length: full }, (_, k) => h("i", { class: k < left ? "pip" : "pip gone" })))
    : h("meter", { min: 0, max: full, value: left, "aria-hidden": "true" });
  return h("div", { class: "gauge", role: "img", "aria-label": `${label}: ${left} of ${full}` },
    h("span", { class: "gauge-label" }, label), pips, h("span", { class: "gauge-count" }, `${left}/${full}`));
}

/** The damage chart: topmost row first, lost rows crossed off. */
function chart(rows) {
  const said = `Damage chart: ${rows.filter((row) => !row.is_lost).length} of ${rows.length} rows left`;
  return h("div", { class: "chart", role: "img", "aria-label": said },
    ...rows.map(({ kind, label, is_lost: lost }) =>
      h("span", { class: `${kind}${lost ? " lost" : ""}`, title: `${kind}${lost ? ", lost" : ""}` },
        h("b", {}, kind === "sail" ? "S" : "H"), label ? h("small", {}, label) : null)));
}

function sheetCard(sheet, mine, open, folds, onOrders) {
  const { title, colour, tag, gauges, lines, chart: rows, todo } = sheet;
  return h("details", { class: mine ? "ship-sheet mine" : "ship-sheet", open },
    h("summary", { on: { click: (event) => folds(!event.currentTarget.parentNode.open) } }, badge(colour ? [colour] : []), h("span", { class: "sheet-title" }, title),
      todo.length ? h("span", { class: "todo-count", "aria-label": `${todo.length} things to do` }, String(todo.length)) : null),
    h("div", { class: "sheet-body" },
      ...gauges.map(gauge),
      rows.length ? chart(rows) : null,
      lines.length ? h("ul", { class: "facts" }, ...lines.map((line) => h("li", {}, line))) : null,
      todo.length ? h("ul", { class: "todo" }, ...todo.map((line) => h("li", {}, line))) : null,
      onOrders && todo.length && tag !== null ? h("button", { type: "button", on: { click: () => onOrders(tag) } }, "Give orders") : null));
}

/** Draws the sheets; one's own first and open, then those of whoever is
 *  on turn, the rest folded. What people unfold stays so.
 *  `onOrders(tag)` is offered on ships of the seats this phone speaks for now. */
export function sheetsSection(node, onOrders) {
  const unfolded = new Map();
  return section(node, (sheets, me, speaks) => {
    const isMine = ({ seat }) => seat === me;
    const first = (sheet) => 2 * isMine(sheet) + speaks.includes(sheet.seat);
    const sorted = [...sheets].sort((one, other) => first(other) - first(one));
    const few = sheets.filter(isMine).length <= 3;
    return sorted.map((sheet) => {
      const { title } = sheet;
      return sheetCard(sheet, isMine(sheet), unfolded.get(title) ?? (isMine(sheet) && few), (open) => unfolded.set(title, open), speaks.includes(sheet.seat) ? onOrders : null);
    });
  });
}
