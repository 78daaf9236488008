// Showing the table instead of telling it: where a piece stands now, or what many dice show.
// The rules say what that makes; the phone only draws.

import { getShown } from "./api.js";
import { die, dieWords } from "./dice.js";
import { h, isOff, switchOff } from "./dom.js";
import { drawBoard } from "./drawing.js";

/** The open table with pieces to be dragged. `found({version, offers})` or `failed(refusal)` tell
 *  what that makes, `tapped(tag)` that a piece was taken hold of. Those in `acting` are ringed; if
 *  one in `placed` stands nowhere yet it is put down in the middle first. Returns {node, board}. */
export function movedPieces(geometry, table, acting, placed, { found, failed, tapped }) {
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
  const waiting = sheets.filter(({ tag }) => placed.includes(tag) && !layout.pieces.some((piece) => piece.tag === tag));
  const node = h("div", { class: "shown-table" },
    h("p", { class: "small" }, "Tap a ship, drag it to where it stands now, and turn it by its golden handle. Or tap one of the usual places."),
    waiting.length ? h("div", { class: "row" }, ...waiting.map((ship) =>
      h("button", { type: "button", on: { click: () => board.putDown(ship) } }, `Put down: ${ship.title}`))) : null,
    board.svg);
  return { node, board };
}

/** A board on which some of its places or pieces are tapped. */
export function tappedBoard({ geometry, layout }, { label, aim, point, tapped }) {
  const board = drawBoard(geometry, { label, onCell: tapped });
  board.show(layout);
  board.aim(aim);
  board.point(point);
  return board;
}

/** A row of counters, one for each face, for a roll of more dice than any list holds. `counting()`
 *  runs with every step: what was found before holds no longer. */
export function manyDice(kinds, faces, { found, failed, counting }) {
  const counters = faces.map(counter);
  const total = () => counters.reduce((sum, { count }) => sum + count, 0);
  const rolled = () => counters.flatMap(({ kind, face, count }) => Array.from({ length: count }, () => ({ kind, face })));
  const left = h("p", { class: "small", "aria-live": "polite" });
  let asked = 0; // an answer to what was counted before comes too late

  function counter({ kind, face }) {
    const words = dieWords(kind, face);
    const one = { kind, face, count: 0 };
    const button = (look, label, by, ...inside) =>
      h("button", { type: "button", class: look, "aria-label": label, on: { click: (event) => isOff(event.currentTarget) || step(one, by) } }, ...inside);
    one.more = button("die-button", `One more ${words}`, 1, die(kind, face));
    one.fewer = button("fewer", `One ${words} fewer`, -1, "−");
    one.shown = h("span", { class: "count" });
    return one;
  }

  function step(one, by) {
    one.count += by;
    draw();
    counting();
    const mine = ++asked;
    const ifNow = (tell) => (answer) => mine === asked && tell(answer);
    if (total() === kinds.length) getShown({ dice: rolled() }).then(ifNow(found), ifNow(failed));
  }

  function draw() {
    left.textContent = `${total()} of ${kinds.length} dice. Tap a face for each die that shows it.`;
    for (const { count, more, fewer, shown } of counters) {
      shown.textContent = `×${count}`;
      switchOff(more, total() >= kinds.length);
      switchOff(fewer, count === 0);
    }
  }

  draw();
  const row = h("div", { class: "row dice" }, ...counters.map(({ more, shown, fewer }) => h("div", { class: "counter" }, more, shown, fewer)));
  return h("div", { class: "facet", role: "group", "aria-label": "What was rolled?" }, h("h3", {}, "What was rolled?"), row, left);
}
