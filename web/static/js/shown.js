// Showing the table instead of telling it: where a piece stands now, or what many dice show.
// The rules say what that makes; the phone only draws.

import { getShown } from "./api.js";
import { die, dieWords } from "./dice.js";
import { h, isOff, switchOff } from "./dom.js";
import { drawBoard } from "./drawing.js";
import { pieceName } from "./groups.js";
import { fieldName, isCell } from "./offers.js";
import { isPiece } from "./open_pieces.js";

/** The open table with pieces to be dragged, or placed in numbers. `found({version, offers})` or
 *  `failed(refusal)` tell what that makes, `tapped(tag)` that a piece was taken hold of. Those in `acting`
 *  are ringed; if one in `placed` stands nowhere yet it is put down in the middle first. Returns {node, board}. */
export function movedPieces(geometry, table, acting, placed, { found, failed, tapped }) {
  const { layout, sheets } = table;
  const moved = (tag, pose) => getShown({ pieces: [{ tag, ...pose }] }).then(found, failed);
  const board = drawBoard(geometry, {
    label: "Where do the pieces stand now?",
    onCell: (tag) => {
      board.hold(tag);
      numbers.show(tag, board.poseOf(tag));
      tapped(tag);
    },
    onMoved: (tag, pose) => {
      numbers.show(tag, pose);
      moved(tag, pose);
    },
  });
  board.show(layout);
  board.aim(acting);
  const waiting = sheets.filter(({ tag }) => placed.includes(tag) && !board.poseOf(tag));
  const putDown = (ship) => {
    board.putDown(ship);
    numbers.show(ship.tag, board.poseOf(ship.tag));
  };
  const meant = acting.length ? acting : layout.pieces.filter(isPiece).map(({ tag }) => tag);
  const movable = meant.filter((tag) => board.poseOf(tag) || waiting.some((ship) => ship.tag === tag));
  const numbers = inNumbers(movable.map((tag) => ({ tag, title: pieceName(tag, sheets, layout), pose: board.poseOf(tag) })), (tag, pose) => {
    const ship = waiting.find((one) => one.tag === tag);
    if (ship && !board.poseOf(tag)) board.putDown(ship);
    board.hold(tag, pose);
    moved(tag, pose);
  });
  const node = h("div", { class: "shown-table" },
    h("p", { class: "small" }, "Tap a ship, drag it to where it stands now, and turn it by its golden handle. Or tap one of the usual places."),
    waiting.length ? h("div", { class: "row" }, ...waiting.map((ship) =>
      h("button", { type: "button", on: { click: () => putDown(ship) } }, `Put down: ${ship.title}`))) : null,
    board.svg,
    movable.length ? numbers.node : null);
  return { node, board };
}

/** Where a piece stands, in numbers: for who cannot drag, or will not. `pieces` are {tag, title, pose}, a
 *  pose of null: nowhere yet. `onPut(tag, pose)` is called with what was typed; `show(tag, pose)` writes
 *  where a piece was dragged to. */
function inNumbers(pieces, onPut) {
  const which = h("select", { on: { change: () => write(pieces.find(({ tag }) => tag === Number(which.value)).pose) } },
    ...pieces.map(({ tag, title }) => h("option", { value: tag }, title)));
  const field = (words, control) => h("label", {}, h("span", {}, words), control);
  const number = () => h("input", { type: "number", step: "any", required: true });
  const inputs = { x_mm: number(), y_mm: number(), heading_deg: number() };

  function write(pose) {
    for (const [name, input] of Object.entries(inputs)) input.value = pose ? Math.round(pose[name] * 10) / 10 : "";
  }

  function show(tag, pose) {
    const piece = pieces.find((one) => one.tag === Number(tag));
    if (!piece) return;
    piece.pose = pose;
    which.value = piece.tag;
    write(pose);
  }

  function put(event) {
    event.preventDefault();
    const pose = Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, input.valueAsNumber]));
    const tag = Number(which.value);
    show(tag, pose);
    onPut(tag, pose);
  }

  if (pieces.length) write(pieces[0].pose);
  const node = h("details", { class: "in-numbers" }, h("summary", {}, "Or in numbers"),
    h("form", { on: { submit: put } },
      field("Which piece", which),
      field("From the left, mm", inputs.x_mm),
      field("From the top, mm", inputs.y_mm),
      field("Heading: 0 is east, 90 south", inputs.heading_deg),
      h("button", { type: "submit" }, "There it stands")));
  return { node, show };
}

/** A board on which some of its places or pieces are tapped. */
export function tappedBoard({ geometry, layout }, { label, aim, chosen, point, tapped }) {
  const board = drawBoard(geometry, { label, onCell: tapped });
  board.show(layout);
  board.aim(aim, chosen);
  board.point(point);
  return board;
}

/** The board to tap what still tells moves apart, place after place: a ship, then where she goes. What was
 *  tapped is changed by tapping another one. `onPick(field, value)` hears of it. */
export function placesBoard(teller, places, onPick) {
  const { picked, type } = teller;
  const next = places.find(({ field }) => !(field in picked)) ?? places.at(-1);
  const point = places.map(({ field }) => picked[field]).filter((value) => value && isCell(value));
  const tapped = (id) => {
    const meant = [next, ...places].find(({ values }) => values.includes(id));
    if (meant) onPick(meant.field, id);
  };
  const { svg } = tappedBoard(teller, { aim: next.values, chosen: picked[next.field], point, tapped });
  return [h("p", { class: "small" }, `${fieldName(next.field, type)} Tap the board or choose below.`), svg];
}

/** A row of counters, one for each face, for a roll of more dice than any list holds; `dice` are counted
 *  already. `ask(dice)` finds what makes that roll; `counting()` runs with every step: what was found before
 *  holds no longer. */
export function manyDice(kinds, faces, dice, { ask, found, failed, counting }) {
  const counters = faces.map(counter);
  const total = () => counters.reduce((sum, { count }) => sum + count, 0);
  const rolled = () => counters.flatMap(({ kind, face, count }) => Array.from({ length: count }, () => ({ kind, face })));
  const left = h("p", { class: "small", "aria-live": "polite" });
  let asked = 0; // an answer to what was counted before comes too late

  function counter({ kind, face }) {
    const words = dieWords(kind, face);
    const one = { kind, face, count: dice.filter((other) => other.kind === kind && other.face === face).length };
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
    if (total() === kinds.length) ask(rolled()).then(ifNow(found), ifNow(failed));
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
