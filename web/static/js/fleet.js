// Fleets: each has a colour, a pattern and a letter, so that colour is never the only sign.

import { s } from "./dom.js";

export const FLEETS = {
  red: { name: "Red", letter: "R", fill: "#d33a36", line: "#ffd9d2", pattern: "bars" },
  blue: { name: "Blue", letter: "B", fill: "#2f74d0", line: "#cfe4ff", pattern: "waves" },
  yellow: { name: "Yellow", letter: "Y", fill: "#f0bf3a", line: "#6b4a00", pattern: "dots", dark: true },
  green: { name: "Green", letter: "G", fill: "#1f8450", line: "#d4ffe4", pattern: "slants" },
  gray: { name: "Gray", letter: "A", fill: "#9aa8b1", line: "#33424c", pattern: "grid", dark: true },
  black: { name: "Black", letter: "K", fill: "#23282d", line: "#8fa0ab", pattern: "chevrons" },
  white: { name: "Merchant", letter: "M", fill: "#f4efe2", line: "#c9bd9d", pattern: "plain", dark: true },
  suns: { name: "Suns", letter: "S", fill: "#cf3a34", line: "#ffd9d2", pattern: "slants", symbol: "sun" },
  crowns: { name: "Crowns", letter: "C", fill: "#e3b52b", line: "#6b4a00", pattern: "dots", symbol: "crown", dark: true },
  moons: { name: "Moons", letter: "M", fill: "#262b33", line: "#9fb0c0", pattern: "chevrons", symbol: "moon" },
  arms: { name: "Arms", letter: "A", fill: "#2c66bd", line: "#cfe4ff", pattern: "waves", symbol: "lily" },
  suns2: { name: "Suns II", letter: "S2", fill: "#e8724f", line: "#5a1405", pattern: "grid", symbol: "sun", dark: true },
  crowns2: { name: "Crowns II", letter: "C2", fill: "#b9c64a", line: "#3d4700", pattern: "bars", symbol: "crown", dark: true },
  moons2: { name: "Moons II", letter: "M2", fill: "#6d5b93", line: "#e2d6ff", pattern: "dots", symbol: "moon" },
  arms2: { name: "Arms II", letter: "A2", fill: "#5fa6dd", line: "#0b3355", pattern: "bars", symbol: "lily", dark: true },
};

const UNKNOWN = { name: "Unknown", letter: "?", fill: "#5b6b75", line: "#dfe7ea", pattern: "plain" };

/** What is known of a colour; a colour of a game to come is shown plainly. */
export function fleet(colour) {
  return FLEETS[colour] ?? { ...UNKNOWN, name: colour };
}

const STROKES = {
  bars: "M2 0V8M6 0V8",
  waves: "M0 3Q2 0 4 3T8 3M0 7Q2 4 4 7T8 7",
  slants: "M-2 6L6 -2M2 10L10 2",
  grid: "M0 2H8M0 6H8M2 0V8M6 0V8",
  chevrons: "M0 4L4 0L8 4M0 8L4 4L8 8",
  plain: "",
};

function pattern(colour) {
  const { fill, line, pattern: kind } = fleet(colour);
  const mark =
    kind === "dots"
      ? [s("circle", { cx: 2, cy: 2, r: 1.2, fill: line }), s("circle", { cx: 6, cy: 6, r: 1.2, fill: line })]
      : [s("path", { d: STROKES[kind], fill: "none", stroke: line, "stroke-width": 1.1, opacity: 0.75 })];
  return s(
    "pattern",
    { id: `fleet-${colour}`, width: 8, height: 8, patternUnits: "userSpaceOnUse" },
    s("rect", { width: 8, height: 8, fill }),
    ...mark,
  );
}

/** Put the patterns into the page once; every drawing refers to them. */
export function installPatterns() {
  const defs = s("defs", {}, ...Object.keys(FLEETS).map(pattern));
  defs.append(
    s(
      "marker",
      { id: "arrow-head", viewBox: "0 0 10 10", refX: 6, refY: 5, markerWidth: 4, markerHeight: 4, orient: "auto" },
      s("path", { d: "M0 0L10 5L0 10L3 5Z", fill: "#ffd76a" }),
    ),
  );
  document.body.append(s("svg", { class: "defs", "aria-hidden": "true", width: 0, height: 0 }, defs));
}

const HULL = "M0 -19C8 -13 12 -3 11 9Q9 17 0 17Q-9 17 -11 9C-12 -3 -8 -13 0 -19Z";

/** Symbols on the coins of a piecepack, small, around (0, 0). */
const SYMBOLS = {
  sun: "M0 -5L1.4 -2.2L4.3 -2.5L2.7 0L4.3 2.5L1.4 2.2L0 5L-1.4 2.2L-4.3 2.5L-2.7 0L-4.3 -2.5L-1.4 -2.2Z",
  crown: "M-5 -3L-2.5 0L0 -4.6L2.5 0L5 -3L3.8 4H-3.8Z",
  moon: "M2 -4.8A5 5 0 1 0 2 4.8A6 6 0 0 1 2 -4.8Z",
  lily: "M0 -5Q2 -2 1 .4Q4 -2.4 4.6 .6Q4.4 3 2 1.8L1 5H-1L-2 1.8Q-4.4 3 -4.6 .6Q-4 -2.4 -1 .4Q-2 -2 0 -5Z",
};

/** How many lie in a stack, at its lower right. */
function countOf(count) {
  return s("g", { class: "stack-count", transform: "translate(11 12)" },
    s("circle", { r: 7.6 }),
    s("text", { y: 4 }, `×${count}`));
}

function hull(colour, { fill, letter, dark }) {
  return [
    s("path", { d: HULL, class: "ship-shadow", transform: "translate(1.5 2.5)" }),
    s("path", { d: HULL, fill: FLEETS[colour] ? `url(#fleet-${colour})` : fill, class: "hull" }),
    s("circle", { r: 9, cy: 1, fill: dark ? "#fffaf0" : fill, class: "ship-disc" }),
    s("text", { y: 6, class: dark ? "ship-letter dark" : "ship-letter" }, letter),
  ];
}

function coin(colour, { fill, letter, dark, symbol }, count) {
  const under = Array.from({ length: Math.min(count, 3) - 1 }, (_, k) =>
    s("circle", { r: 16, cx: -2.2 * (k + 1), cy: 2.4 * (k + 1), fill, class: "coin under" })).reverse();
  return [
    s("circle", { r: 16, cx: 1.5, cy: 2.5, class: "ship-shadow" }),
    ...under,
    s("circle", { r: 16, fill: `url(#fleet-${colour})`, class: "coin" }),
    s("circle", { r: 12.2, fill: dark ? "#fffaf0" : fill, class: "ship-disc" }),
    s("path", { d: SYMBOLS[symbol], class: dark ? "coin-symbol dark" : "coin-symbol", transform: "translate(0 -6.4) scale(.84)" }),
    s("text", { y: 8.6, class: dark ? "coin-letter dark" : "coin-letter" }, letter),
  ];
}

/** A ship seen from above around (0, 0), about 24 wide and 36 high, or the coin that stands for one. */
export function ship(colour, count = 1) {
  const look = fleet(colour);
  const body = look.symbol ? coin(colour, look, count) : hull(colour, look);
  return s("g", { class: "ship" }, ...body, count > 1 ? countOf(count) : null);
}

/** A fleet's badge beside a name: one flag for each colour they sail under. */
export function badge(colours) {
  const shown = colours.length ? colours : [""];
  return s(
    "svg",
    { class: "badge", viewBox: `0 0 ${shown.length * 26} 34`, "aria-hidden": "true" },
    ...shown.map((colour, k) =>
      colour
        ? s("g", { transform: `translate(${13 + k * 26} 18) scale(0.86)` }, ship(colour))
        : s("circle", { cx: 13, cy: 17, r: 10, class: "badge-none" }),
    ),
  );
}

/** The colours of a captain in words: "Red" or "Red and Gray". */
export function fleetNames(colours) {
  return colours.map((colour) => fleet(colour).name).join(" and ");
}
