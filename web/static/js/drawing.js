// Which drawing a board gets: cells, or an open table whose pieces stand anywhere.

import { Board } from "./board.js";
import { OpenBoard } from "./open_board.js";

export function drawBoard(geometry, options = {}) {
  return geometry.cells.length ? new Board(geometry, options) : new OpenBoard(geometry, options);
}
