// Which drawing a board gets: cells, or an open table whose pieces stand anywhere.

import { Board } from "./board.js";
import { OpenBoard } from "./open_board.js";

const NARROW = window.matchMedia("(max-width: 600px)");

/** Draw a board; on narrow pages two seas that lie side by side are drawn one below the other. */
export function drawBoard(geometry, options = {}) {
  if (!geometry.cells.length) return new OpenBoard(geometry, options);
  return new Board(NARROW.matches ? { ...geometry, cells: stacked(geometry) } : geometry, options);
}

/** Call `redraw` when a page has become narrow or wide. */
export function whenTurned(redraw) {
  NARROW.addEventListener("change", redraw);
}

/** The seas of a board: cells that hang together, each sea a list, from the left. */
function seas({ cells, pitch_mm: pitch }) {
  const left = new Set(cells);
  const found = [];
  while (left.size) {
    const sea = [left.values().next().value];
    left.delete(sea[0]);
    for (const { centre: [x, y] } of sea) {
      for (const other of left) {
        if (Math.hypot(other.centre[0] - x, other.centre[1] - y) > 1.5 * pitch) continue;
        left.delete(other);
        sea.push(other);
      }
    }
    found.push(sea);
  }
  const start = (sea) => Math.min(...sea.map(({ centre }) => centre[0]));
  return found.sort((one, other) => start(one) - start(other));
}

/** The cells, in their order, with each sea moved below the one to its left. */
function stacked(geometry) {
  const corner = (sea, axis) => Math.min(...sea.flatMap(({ outline }) => outline.map((point) => point[axis])));
  const [first, ...others] = seas(geometry);
  const shifts = new Map();
  let below = bottomOf(first);
  for (const sea of others) {
    const shift = [corner(first, 0) - corner(sea, 0), below + geometry.pitch_mm - corner(sea, 1)];
    for (const { id } of sea) shifts.set(id, shift);
    below = bottomOf(sea) + shift[1];
  }
  return geometry.cells.map((cell) => {
    const [dx, dy] = shifts.get(cell.id) ?? [0, 0];
    const moved = ([x, y]) => [x + dx, y + dy];
    return { ...cell, centre: moved(cell.centre), outline: cell.outline.map(moved) };
  });
}

const bottomOf = (sea) => Math.max(...sea.flatMap(({ outline }) => outline.map(([, y]) => y)));
