// Ships that were built on this device, by name. The shipyard keeps them, the start page offers them.

import { keep, recall } from "./memory.js";

const KEPT = "quarterdeck-ships";

export const keptShips = () => recall(KEPT, {});

/** Keep a ship; returns whether she will be there another time. */
export const keepShip = (ship) => keep(KEPT, { ...keptShips(), [ship.title]: ship });

export function forgetShip(title) {
  const { [title]: gone, ...others } = keptShips();
  keep(KEPT, others);
}
