// Fleets: each has a colour, a pattern and a letter, so that colour is never the only sign.

import { s } from "./dom.js";

export const FLEETS = {
  red: { name: "Red", letter: "R", fill: "#d8433f", line: "#ffd9d2", pattern: "bars" },
  blue: { name: "Blue", letter: "B", fill: "#2f74d0", line: "#cfe4ff", pattern: "waves" },
  yellow: { name: "Yellow", letter: "Y", fill: "#f0bf3a", line: "#6b4a00", pattern: "dots" },
  green: { name: "Green", letter: "G", fill: "#2c9b62", line: "#d4ffe4", pattern: "slants" },
  gray: { name: "Gray", letter: "A", fill: "#9aa8b1", line: "#33424c", pattern: "grid" },
  black: { name: "Black", letter: "K", fill: "#23282d", line: "#8fa0ab", pattern: "chevrons" },
  white: { name: "Merchant", letter: "M", fill: "#f4efe2", line: "#c9bd9d", pattern: "plain" },
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

/** A ship seen from above, about 24 wide and 36 high around (0, 0). */
export function ship(colour) {
  const { fill, letter } = fleet(colour);
  const dark = colour === "white" || colour === "yellow" || colour === "gray";
  return s(
    "g",
    { class: "ship" },
    s("path", { d: HULL, class: "ship-shadow", transform: "translate(1.5 2.5)" }),
    s("path", { d: HULL, fill: FLEETS[colour] ? `url(#fleet-${colour})` : fill, class: "hull" }),
    s("circle", { r: 9, cy: 1, fill: dark ? "#fffaf0" : fill, class: "ship-disc" }),
    s("text", { y: 6, class: dark ? "ship-letter dark" : "ship-letter" }, letter),
  );
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
