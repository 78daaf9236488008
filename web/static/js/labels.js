// Names on an open table: large enough to be read on a phone, none over another where it can be
// helped. All lengths in millimetres of the table; `perPx` is how many of them a pixel shows.

import { boxOf, isPiece } from "./open_pieces.js";

const LEAST_PX = 11.5;
const LEAST_MM = 24;
const MOST_MM = 58;
const EDGE_MM = 8;
const CROWD = 40; // pieces times millimetres to a pixel: more than this and there is no room for every name

const FONT = '700 100px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';
let pen = null;

/** The width of words, as a part of the size of their letters. */
export function widthOf(words) {
  pen ??= document.createElement("canvas").getContext("2d");
  pen.font = FONT;
  return pen.measureText(words).width / 100;
}

/** The size of names on a drawing where a pixel shows so many millimetres. */
export const letterSize = (perPx) => Math.min(MOST_MM, Math.max(LEAST_MM, LEAST_PX * perPx));

/** A name as it may be written, best first. Islands go by their number or "Blue's home", a fortress by its name;
 *  on a crowded sea other terrain goes by its sign alone. A tap still tells it all. */
function formsOf(piece, isCrowded) {
  const full = piece.name.replace(/^the (?=.)/i, "");
  const name = full.charAt(0).toUpperCase() + full.slice(1);
  if (isPiece(piece) || piece.kind === "fort") return [name];
  const short = /\d+$/.exec(name)?.[0] ?? name.replace(/ island$/i, "");
  if (isLand(piece)) return [short];
  return isCrowded ? [] : [...new Set([name, short])];
}

/** What is named on its own ground; other terrain is known by its sign, a fortress bears a letter. */
const isLand = ({ kind }) => kind === "island";

/** Where a name may stand about its piece, best first: [x, y] of its middle, and whether it stands on it. */
function spotsOf(piece, width, size) {
  const { left, right, top, bottom } = boxOf(piece);
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  const around = [
    [x, bottom + size * 0.7], [x, top - size * 0.6],
    [right + width / 2 + size * 0.3, y], [left - width / 2 - size * 0.3, y],
    [right + width / 2, bottom + size * 0.3], [left - width / 2, bottom + size * 0.3],
    [right + width / 2, top - size * 0.3], [left - width / 2, top - size * 0.3],
    [x, bottom + size * 1.8], [x, top - size * 1.7],
  ];
  return isLand(piece) && width < right - left ? [[x, y, true], ...around] : around;
}

const overlap = (one, other) =>
  Math.max(0, Math.min(one.right, other.right) - Math.max(one.left, other.left)) *
  Math.max(0, Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top));

/** The box of a label, moved so that it stays on the sea. */
function boxAt([x, y, isOn = false], width, size, [left, top, across, down]) {
  const half = width / 2;
  const cx = Math.min(Math.max(x, left + half + EDGE_MM), left + across - half - EDGE_MM);
  const cy = Math.min(Math.max(y, top + size / 2 + EDGE_MM), top + down - size / 2 - EDGE_MM);
  return { x: cx, y: cy, isOn, left: cx - half, right: cx + half, top: cy - size * 0.6, bottom: cy + size * 0.6 };
}

/** Names of pieces with the places where they stand: [{piece, words, x, y, size, isOn}]; `isOn`: on its ground.
 *  `taken` are boxes that no name may cover. Where a name of the ground finds no room it is left
 *  out: it is still told when the place is tapped. */
export function labels(pieces, sea, perPx, taken = []) {
  const size = letterSize(perPx);
  const order = [...pieces].sort((one, other) => isPiece(other) - isPiece(one) || one.pose.y_mm - other.pose.y_mm);
  const shown = pieces.filter((piece) => isPiece(piece) || piece.kind === "fort").map((piece) => ({ tag: piece.tag, ...boxOf(piece) }));
  const isCrowded = pieces.length * perPx > CROWD;
  const set = [...taken];
  const found = [];
  for (const piece of order) {
    const best = place(piece, formsOf(piece, isCrowded), size, sea, set, shown);
    if (!best || (best.over > 0 && !isPiece(piece))) continue;
    set.push(best.box);
    found.push({ piece, words: best.words, x: best.box.x, y: best.box.y, size, isOn: best.box.isOn });
  }
  return found;
}

function place(piece, forms, size, sea, set, shown) {
  let best = null;
  for (const [shorter, words] of forms.entries()) {
    const width = widthOf(words) * size;
    for (const [farther, spot] of spotsOf(piece, width, size).entries()) {
      const box = boxAt(spot, width, size, sea);
      const over = set.reduce((sum, other) => sum + overlap(box, other), 0);
      const hidden = shown.reduce((sum, other) => sum + overlap(box, other), 0);
      const cost = over * 20 + hidden * (isPiece(piece) ? 2 : 6) + size * size * (farther * 0.05 + shorter * 0.4);
      if (best === null || cost < best.cost) best = { box, words, over, cost };
    }
  }
  return best;
}
