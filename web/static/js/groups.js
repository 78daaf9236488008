// What a captain may tell, ship by ship: whose it is, what she can still do, how much of each.

import { h } from "./dom.js";
import { badge } from "./fleet.js";
import { typeName, valueName } from "./offers.js";

/** The tag of the piece that acts, or null. */
export const actorOf = ({ pieces }) => pieces?.ship ?? null;

/** The tags of all pieces that act in some offer. */
export const actorsOf = (offers) => [...new Set(offers.map(actorOf))].filter((tag) => tag !== null);

/** What may be told of each piece: [{piece, title, colour, offers}], in the order of their sheets.
 *  Empty unless several pieces have something to tell: one alone needs no heading. */
export function groupsOf(offers, { sheets, layout }) {
  const found = new Map();
  for (const offer of offers) {
    const piece = actorOf(offer);
    if (piece !== null) found.set(piece, [...(found.get(piece) ?? []), offer]);
  }
  if (found.size < 2) return [];
  const rank = (tag) => (sheets.findIndex((sheet) => sheet.tag === tag) + 1 || sheets.length + 1) * 1000 + tag;
  return [...found.keys()].sort((one, other) => rank(one) - rank(other)).map((tag) => {
    const colour = layout.pieces.find((piece) => piece.tag === tag)?.colour ?? "";
    return { piece: tag, title: pieceName(tag, sheets, layout), colour, offers: found.get(tag) };
  });
}

/** What people call a piece: "The Red Beard's Runner". */
export function pieceName(tag, sheets, layout) {
  const name = sheets.find((sheet) => sheet.tag === tag)?.title ?? layout.pieces.find((piece) => piece.tag === tag)?.name ?? `piece ${tag}`;
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** The page goes to a group that was opened. */
export function leadTo(list, piece) {
  const heading = list.querySelector(`[data-piece="${piece}"] button`);
  heading?.focus({ preventScroll: true });
  heading?.closest("section").scrollIntoView({ block: "start" });
}

/** The value of a field of some offers, in words: pieces by their names. */
export function namedValue(field, value, { offers, table, layout, cellName }) {
  const named = offers.find(({ action, pieces }) => pieces?.[field] !== undefined && String(action[field]) === value);
  return named ? pieceName(named.pieces[field], table.sheets, layout) : valueName(field, value, cellName, table.seats);
}

/** "fire gun 6, load gun 2, post 39": the kinds of things among offers, with how many of each. */
function kindsIn(offers) {
  const counts = new Map();
  for (const { action } of offers) counts.set(action.type, (counts.get(action.type) ?? 0) + 1);
  return [...counts].map(([type, count]) => `${typeName(type)} ${count}`).join(" · ");
}

/** The list of groups; the open one holds `body`. `onOpen(piece)` with null closes. */
export function groupList(groups, open, body, onOpen) {
  return h("div", { class: "groups" }, ...groups.map(({ piece, title, colour, offers }) => {
    const isOpen = piece === open;
    const id = `group-${piece}`;
    return h("section", { class: isOpen ? "group open" : "group", "data-piece": piece },
      h("h3", {},
        h("button", { type: "button", "aria-expanded": String(isOpen), "aria-controls": id, on: { click: () => onOpen(isOpen ? null : piece) } },
          badge(colour ? [colour] : []),
          h("span", { class: "group-title" }, title, isOpen ? null : h("small", {}, kindsIn(offers))),
          h("span", { class: "todo-count", "aria-label": `${offers.length} things to tell` }, String(offers.length)))),
      h("div", { id, class: "group-body", hidden: !isOpen }, ...(isOpen ? body : [])));
  }));
}
