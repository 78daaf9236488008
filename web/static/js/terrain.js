// What lies on cells besides ships: terrain, wrecks, treasure; and all of it in words.

import { s } from "./dom.js";
import { fleet } from "./fleet.js";

const TERRAIN = {
  volcano: () => [
    s("path", { d: "M-13 11L-5 -8Q0 -4 5 -8L13 11Z", class: "t-rock" }),
    s("path", { d: "M-5 -8Q0 -4 5 -8L3 -1L1 -4L-1 4L-3 -2Z", class: "t-lava" }),
    s("circle", { cx: 1, cy: -13, r: 2.4, class: "t-smoke" }),
    s("circle", { cx: 5, cy: -16, r: 1.6, class: "t-smoke" }),
  ],
  desert: () => [
    s("ellipse", { cy: 7, rx: 14, ry: 7, class: "t-sand" }),
    s("path", { d: "M1 7Q-1 -1 2 -8", class: "t-trunk" }),
    s("path", { d: "M2 -8Q-5 -13 -9 -6M2 -8Q9 -14 12 -6M2 -8Q-1 -15 -5 -15M2 -8Q5 -15 9 -14", class: "t-leaf" }),
  ],
  reef: () => [
    s("path", { d: "M-12 9Q-9 3 -6 9M-4 9Q0 -1 4 9M6 9Q9 3 12 9", class: "t-coral" }),
    s("path", { d: "M-11 -5Q-8 -9 -5 -5T1 -5M1 -9Q4 -13 7 -9T13 -9", class: "t-foam" }),
  ],
  wreck: () => [
    s("path", { d: "M-11 3L10 -1L6 9Q-4 11 -9 8Z", class: "t-hulk" }),
    s("path", { d: "M-4 2L-7 -11M3 1L8 -9M-10 -7L-3 -9", class: "t-spar" }),
    s("path", { d: "M-12 12Q-9 9 -6 12T0 12T6 12T12 12", class: "t-foam" }),
  ],
};

const NAMES = { volcano: "volcano", desert: "desert island", reef: "reef", wreck: "wreck", treasure: "the treasure" };

/** The drawing of a terrain around (0, 0). */
export function terrainGlyph(terrain) {
  return TERRAIN[terrain]?.() ?? [s("text", { class: "ship-letter" }, "?")];
}

/** A chest of treasure around (0, 0), about 16 wide. */
export function chest() {
  return s(
    "g",
    { class: "chest" },
    s("path", { d: "M-8 -1Q-8 -7 0 -7Q8 -7 8 -1Z", class: "chest-lid" }),
    s("path", { d: "M-8 -1H8V7H-8Z", class: "chest-box" }),
    s("path", { d: "M-8 -1H8M-5 -6V7M5 -6V7", class: "chest-bands" }),
    s("circle", { cy: 1, r: 2, class: "chest-lock" }),
  );
}

/** Ships of one cell by fleet: [[colour, count], ...]. */
export function stacks(ships) {
  return [...new Set(ships)].map((colour) => [colour, ships.filter((one) => one === colour).length]);
}

/** Say in words what lies on a cell. */
export function cellWords({ ships, terrain, cargo }) {
  const words = stacks(ships).map(([colour, count]) => {
    const { name } = fleet(colour);
    return count > 1 ? `${count} ${name} ships` : `${name} ship`;
  });
  if (terrain) words.push(NAMES[terrain] ?? terrain);
  if (cargo) words.push(NAMES[cargo] ?? cargo);
  return words.length ? words.join(", ") : "open sea";
}

/** Say a whole layout in words, for people who do not see the drawing. */
export function layoutWords(layout, name = (id) => id) {
  return layout.cells.map((content) => `${name(content.cell)}: ${cellWords(content)}`).join("; ") || "an empty sea";
}
