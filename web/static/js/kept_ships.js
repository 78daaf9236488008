// Ships that were built on this device, by name. The shipyard keeps them, the start page offers them.

const KEPT = "quarterdeck-ships";

export function keptShips() {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "{}");
  } catch {
    return {};
  }
}

function write(ships) {
  localStorage.setItem(KEPT, JSON.stringify(ships));
}

export function keepShip(ship) {
  write({ ...keptShips(), [ship.title]: ship });
}

export function forgetShip(title) {
  const { [title]: gone, ...others } = keptShips();
  write(others);
}
