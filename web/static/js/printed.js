// What is printed on a board's cells: starting places, winds, anchors, harbours, straits, islands.

import { s } from "./dom.js";
import { fleet } from "./fleet.js";
import { widthOf } from "./labels.js";

const MARKS = {
  circle: (pitch) => [s("circle", { r: pitch * 0.31, class: "printed" })],
  diamond: () => [s("path", { d: "M0 -14l11 14l-11 14l-11 -14Z", class: "printed" })],
  wind: (pitch) => {
    const head = (way, at) => `M${way * (at - 2.4)} ${-way * at}l${way * 3.4} ${-way * 1}l${-way * 1} ${way * 3.4}`;
    const half = pitch / 2;
    return [
      s("path", { d: `M${-half} ${-half}H${half}V${half}H${-half}Z`, class: "wind-square" }),
      s("path", { d: `M${-half} ${half}L${half} ${-half}${head(1, half * 0.66)}${head(-1, half * 0.66)}`, class: "wind-line" }),
    ];
  },
  anchor: () => [s("path", { d: "M0 -6V9M-4 -2H4M-8 3Q-7 9 0 10Q7 9 8 3M0 -6A2.4 2.4 0 1 1 .1 -6", class: "anchor" })],
  harbour: (pitch, text) => {
    const [a, b] = [pitch * 0.46, pitch * 0.27];
    return [
      s("path", { d: `M${-a} ${-b}L${-b} ${-a}H${b}L${a} ${-b}V${b}L${b} ${a}H${-b}L${-a} ${b}Z`, class: "harbour" }),
      s("text", { y: pitch * 0.13, class: "harbour-letter" }, text),
    ];
  },
  strait: (pitch) => [
    s("path", { d: [-6, 0, 6].map((y) => `M-10 ${y}q2.5 -3 5 0t5 0t5 0t5 0`).join(""), class: "strait" }),
    s("path", { d: `M${-pitch / 2 + 1} ${-pitch / 2 + 1}h${pitch - 2}v${pitch - 2}h${2 - pitch}Z`, class: "strait-edge" }),
  ],
  treasure: () => [s("path", { d: "M-7 -7L7 7M7 -7L-7 7", class: "treasure-mark" })],
  skull: () => [
    s("path", { d: "M-11 9L11 -1M11 9L-11 -1", class: "bones" }),
    s("path", { d: "M-8 -3A8 8 0 1 1 8 -3Q8 2 4 3V7H-4V3Q-8 2 -8 -3Z", class: "skull" }),
    s("circle", { cx: -3, cy: -3, r: 2, class: "skull-eye" }),
    s("circle", { cx: 3, cy: -3, r: 2, class: "skull-eye" }),
  ],
  port: (pitch, _text, paint) => [s("circle", { r: pitch * 0.4, class: "port", fill: paint ? fleet(paint).fill : "none" })],
  merchant: (pitch) => [s("path", { d: "M-11 4H11L8 9H-8ZM-8 2V-6L-1 0V2ZM0 2V-10L8 -1V2Z", transform: `scale(${pitch / 36})`, class: "merchant" })],
};

/** The marks of a cell, drawn around its middle. */
export function printedOn(cell, pitch) {
  const [x, y] = cell.centre;
  return cell.marks.map(({ kind, text, paint }) => s("g", { transform: `translate(${x} ${y})`, class: "mark" }, ...(MARKS[kind]?.(pitch, text, paint) ?? [])));
}

/** Names of the ports in letters of this size, whole within the sea's box: on the side of the sea, or
 *  beside the port where a ship lies in the way; `busy` are the ids of cells with ships. */
export function portNames(cells, pitch, size, [left, top, width, height], busy) {
  const ships = cells.filter(({ id }) => busy.has(id));
  const inBox = (x, half) => Math.min(Math.max(x, left + half), left + width - half);
  return cells.flatMap(({ id, centre: [x, y], marks }) => marks.filter(({ kind, text }) => kind === "port" && text).map(({ text }) => {
    const half = (widthOf(text) * size) / 2 + 2;
    const below = y < top + height / 2;
    const row = cells.filter(({ centre }) => Math.abs(centre[1] - y) < 1).map(({ centre }) => centre[0]);
    const beside = (way) => [x + way * (pitch * 0.42 + half), y + size * 0.35];
    const isOnRow = ([atX]) => atX - half > Math.min(...row) - pitch / 2 && atX + half < Math.max(...row) + pitch / 2;
    const usual = [inBox(x, half), y + (below ? pitch * 0.4 + size * 0.95 : -pitch * 0.4 - size * 0.3)];
    const spots = [usual, ...[beside(1), beside(-1)].filter(isOnRow)];
    const covers = ([atX, atY]) => ships.some(({ id: other, centre: [sx, sy] }) =>
      other !== id && Math.abs(sx - atX) < half + pitch * 0.35 && Math.abs(sy - atY + size * 0.35) < pitch * 0.45 + size * 0.35);
    const [atX, atY] = spots.find((spot) => !covers(spot)) ?? usual;
    return s("text", { x: atX, y: atY, "font-size": size, class: "port-text" }, text);
  }));
}

const CROWDED = 0.25; // letters that are taller than this part of a hex want more room than two at its edge have

/** Letters and numbers around a board whose cells are named like "C6": at both ends of each column and row, or of each line of hexes. */
export function coordinates(cells, pitch, size) {
  const isHex = cells.some(({ outline }) => outline.length === 6);
  const ends = isHex && size > CROWDED * pitch ? withRoom(endsOfLines(cells, isHex)) : endsOfLines(cells, isHex);
  /** So far from the middle of its cell that a label stands clear of it: "10" is wider than "9". */
  const off = (label, isBeside) => pitch / 2 + size * (isBeside ? Math.max(0.65, 0.15 + widthOf(label) / 2) : 0.65);
  const shown = [...ends.values()].filter(({ free }) => free);
  const besides = ({ centre, toward }) => String(centre.map((at, axis) => Math.round(at + toward[axis] * pitch)));
  return shown.map((end) => {
    const { label, centre, toward } = end;
    // Where a corner of squares is cut off, two of them share a corner: they stand apart in it.
    const other = isHex ? null : shown.find((one) => one !== end && besides(one) === besides(end));
    const far = off(label, !toward[1]);
    const [x, y] = centre.map((at, axis) => at + toward[axis] * far + (other ? other.toward[axis] * size * 0.62 : 0));
    return s("text", { x, y: y + size * 0.35, "font-size": size, class: "coordinate" }, label);
  });
}

/** The two ends of each line of cells, by its label and which end it is (-1 or 1). */
function endsOfLines(cells, isHex) {
  const taken = new Set(cells.map(({ id }) => id));
  const [lettered, numbered] = isHex ? [[1, 0], [0, 1]] : [[0, 1], [1, 0]];
  const ends = new Map();
  for (const { id, name, centre } of cells) {
    const parts = /^([A-Z])(\d+)$/.exec(name);
    if (!parts) continue;
    const [column, row] = id.split(",").map(Number);
    const isFree = ([dx, dy], way) => !taken.has(`${column + way * dx},${row + way * dy}`);
    for (const [label, [dx, dy]] of [[parts[1], lettered], [parts[2], numbered]]) {
      for (const way of [-1, 1]) {
        const far = way * (dx * column + dy * row);
        if (far <= (ends.get(`${label} ${way}`)?.far ?? -Infinity)) continue;
        const toward = isHex && dy ? [way / 2, (way * Math.sqrt(3)) / 2] : [way * dx, way * dy];
        const isCrowded = isFree(lettered, way) && isFree(numbered, way);
        ends.set(`${label} ${way}`, { label, way, far, centre, toward, free: isFree([dx, dy], way), isCrowded });
      }
    }
  }
  return ends;
}

/** Those ends without the ones beside which a letter and a number would stand, where the other end is free of that. */
function withRoom(ends) {
  return new Map([...ends].filter(([, { label, way, isCrowded }]) => !isCrowded || ends.get(`${label} ${-way}`).isCrowded));
}
