// Pages of their own for games that have more to show than a board and scores.

import * as privateer from "./privateer.js";

const PANELS = { privateer };

/** What knows how to draw the table's game, or null: {Deck, latest, openPanel, shipSheet}. */
export function panelOf(table) {
  return PANELS[table?.details?.page] ?? null;
}
