// Showing the table instead of telling it: where a piece stands now, or what many dice show.
// The rules say what that makes; the phone only draws.

import { getShown } from "./api.js";
import { die, dieWords } from "./dice.js";
import { h } from "./dom.js";
import { drawBoard } from "./drawing.js";

/** The open table with pieces to be dragged. `found({version, offers})` or `failed(refusal)` tell
 *  what that makes, `tapped(tag)` that a piece was taken hold of. Those in `acting` are ringed; if
 *  one of them stands nowhere yet it is put down in the middle first. Returns {node, board}. */
export function movedPieces(geometry, table, acting, { found, failed, tapped }) {
  const { layout, sheets } = table;
  const board = drawBoard(geometry, {
    label: "Where do the pieces stand now?",
    onCell: (tag) => {
      board.hold(tag);
      tapped(tag);
    },
    onMoved: (tag, pose) => getShown({ pieces: [{ tag, ...pose }] }).then(found, failed),
  });
  board.show(layout);
  board.aim(acting);
  const waiting = sheets.filter(({ tag }) => acting.includes(tag) && !layout.pieces.some((piece) => piece.tag === tag));
  const node = h("div", { class: "shown-table" },
    h("p", { class: "small" }, "Tap a ship, drag it to where it stands now, and turn it by its golden handle. Or tap one of the usual places."),
    waiting.length ? h("div", { class: "row" }, ...waiting.map((ship) =>
      h("button", { type: "button", on: { click: () => board.putDown(ship) } }, `Put down: ${ship.title}`))) : null,
    board.svg);
  return { node, board };
}

/** A row of counters, one for each face, for a roll of more dice than any list holds. */
export function manyDice(kinds, faces, found, failed) {
  const counts = new Map();
  const total = () => [...counts.values()].reduce((sum, n) => sum + n, 0);
  const left = h("p", { class: "small", "aria-live": "polite" });
  const row = h("div", { class: "row dice" });
  const draw = () => {
    left.textContent = `${total()} of ${kinds.length} dice. Tap a face for each die that shows it.`;
    row.replaceChildren(...faces.map(counter));
  };
  const counter = ({ kind, face }) => {
    const key = `${kind} ${face}`;
    const words = dieWords(kind, face);
    const step = (by) => {
      counts.set(key, (counts.get(key) ?? 0) + by);
      draw();
      if (total() === kinds.length) getShown({ dice: rolled() }).then(found, failed);
    };
    const count = counts.get(key) ?? 0;
    return h("div", { class: "counter" },
      h("button", { type: "button", class: "die-button", disabled: total() >= kinds.length, "aria-label": `One more ${words}`, on: { click: () => step(1) } }, die(kind, face)),
      h("span", { class: "count" }, `×${count}`),
      h("button", { type: "button", class: "fewer", disabled: count === 0, "aria-label": `One ${words} fewer`, on: { click: () => step(-1) } }, "−"));
  };
  const rolled = () => faces.flatMap(({ kind, face }) => Array.from({ length: counts.get(`${kind} ${face}`) ?? 0 }, () => ({ kind, face })));
  draw();
  return h("div", { class: "facet", role: "group", "aria-label": "What was rolled?" }, h("h3", {}, "What was rolled?"), row, left);
}
