// The pieces of an open table as they look from above, each in its own frame: bow to the right,
// millimetres, the tag in the middle.

import { s } from "./dom.js";
import { FLEETS, fleet } from "./fleet.js";

const PATTERN_SCALE = 3; // fleets' patterns are drawn for small coins; hulls are larger

const path = (points) => (points.length ? `M${points.map((p) => p.join(" ")).join("L")}Z` : "");
const most = (points, of, least) => Math.max(least, ...points.map(of));

/** Kinds that lie on the ground or the water and are never sailed. */
const GROUND = ["island", "fort", "reef", "fog", "sargasso", "iceberg", "whirlpool"];

/** Whether people move this piece: a ship, a launch, figures ashore. */
export const isPiece = ({ kind }) => !GROUND.includes(kind);

/** How far a piece reaches from the middle of its tag. */
export const reach = ({ outline_mm: outline }) => most(outline, ([x, y]) => Math.hypot(x, y), 20);

/** The box of a piece as it stands: {left, right, top, bottom}. */
export function boxOf({ outline_mm: outline, pose }) {
  const turn = (pose.heading_deg * Math.PI) / 180;
  const corners = outline.length ? outline : [[-20, -20], [20, 20]];
  const xs = corners.map(([x, y]) => pose.x_mm + x * Math.cos(turn) - y * Math.sin(turn));
  const ys = corners.map(([x, y]) => pose.y_mm + x * Math.sin(turn) + y * Math.cos(turn));
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}

/** How far a point is from the stretch between two others. */
function fromEdge([x, y], [ax, ay], [bx, by]) {
  const [dx, dy] = [bx - ax, by - ay];
  const share = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(x - ax - share * dx, y - ay - share * dy);
}

/** Whether a point lies within an outline: a ray from it crosses an odd number of edges. */
const isWithin = ([x, y], outline) => outline.reduce((inside, [ax, ay], k) => {
  const [bx, by] = outline.at(k - 1);
  return ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax ? !inside : inside;
}, false);

/** How far a point of the table is from a piece as it stands: {edge, middle}; `edge` is 0 within it. */
export function farFrom({ x, y }, piece) {
  const { outline_mm: outline, pose } = piece;
  const turn = (-pose.heading_deg * Math.PI) / 180;
  const [dx, dy] = [x - pose.x_mm, y - pose.y_mm];
  const at = [dx * Math.cos(turn) - dy * Math.sin(turn), dx * Math.sin(turn) + dy * Math.cos(turn)];
  const middle = Math.hypot(dx, dy);
  if (outline.length < 3) return { edge: Math.max(0, middle - reach(piece)), middle };
  const edge = isWithin(at, outline) ? 0 : Math.min(...outline.map((one, k) => fromEdge(at, one, outline.at(k - 1))));
  return { edge, middle };
}

/** A hull in the colour and pattern of its fleet. */
function hull(outline, colour) {
  const small = outline.map(([x, y]) => [x / PATTERN_SCALE, y / PATTERN_SCALE]);
  return [
    s("path", { d: path(outline), class: "open-shadow", transform: "translate(4 5)" }),
    s("g", { transform: `scale(${PATTERN_SCALE})` },
      s("path", { d: path(small), class: "open-hull", fill: colour in FLEETS ? `url(#fleet-${colour})` : fleet(colour).fill })),
  ];
}

/** The letter of a fleet on a disc that is made for one of a `size`; on a small drawing it is larger than
 *  that, `least`, for it must be read. It stands upright however the piece is turned. */
function letter({ letter: sign, dark, fill }, size, least) {
  const [ground, written] = [dark ? "#fffaf0" : fill, Math.max(size, least)];
  return s("g", { class: "open-letter" },
    s("circle", { r: size * 0.72, fill: ground }),
    s("text", { y: written * 0.36, "font-size": written, stroke: ground, class: dark ? "dark" : null }, sign));
}

function ship({ outline_mm: outline, colour }, least) {
  const [bow, stern] = [most(outline, ([x]) => x, 20), -most(outline, ([x]) => -x, 20)];
  const width = most(outline, ([, y]) => y, 8);
  const masts = [0.55, -0.5].map((at) => at * (at > 0 ? bow : -stern));
  return [
    ...hull(outline, colour),
    ...masts.map((x) => s("path", { d: `M${x} ${-width * 1.05}Q${x + width * 0.55} 0 ${x} ${width * 1.05}Q${x + width * 0.18} 0 ${x} ${-width * 1.05}Z`, class: "open-sail" })),
    letter(fleet(colour), Math.min(width * 1.2, 34), least),
  ];
}

/** A rowing boat: oars over both sides. */
function launch({ outline_mm: outline, colour }, least) {
  const width = most(outline, ([, y]) => y, 8);
  const oars = [-0.9, 0.9].map((at) => `M${at * width} ${-width * 1.9}L${at * width * 0.6} 0L${at * width} ${width * 1.9}`);
  return [s("path", { d: oars.join(""), class: "oars" }), ...hull(outline, colour), letter(fleet(colour), width * 1.1, least)];
}

/** Figures ashore: a group of people, not land. */
function party({ outline_mm: outline, colour }, least) {
  const size = Math.max(14, reach({ outline_mm: outline }) * 0.5);
  const look = fleet(colour);
  const spots = [[-0.8, -0.5], [0.8, -0.5], [0, 0.75]];
  return [
    s("circle", { r: size * 1.75, class: "camp", stroke: look.fill }),
    ...spots.map(([x, y]) => s("g", { transform: `translate(${x * size} ${y * size})`, class: "figure" },
      s("circle", { r: size * 0.62, fill: colour in FLEETS ? `url(#fleet-${colour})` : look.fill }),
      s("circle", { r: size * 0.34, class: "figure-head" }))),
    letter(look, size * 0.8, least),
  ];
}

function fort({ outline_mm: outline, colour }, least) {
  const size = most(outline, ([, y]) => y, 20) * 0.62;
  return [
    s("path", { d: path(outline), class: "walls" }),
    s("path", { d: path(outline.map(([x, y]) => [x * 0.72, y * 0.72])), class: "court" }),
    ...(colour ? [letter(fleet(colour), Math.max(16, Math.min(size, 34)), least)] : []),
  ];
}

function island({ outline_mm: outline, colour }) {
  const d = path(outline);
  return [
    s("path", { d, class: "shallows" }),
    s("path", { d, class: "shore", ...(colour ? { stroke: fleet(colour).fill } : {}) }),
  ];
}

/** What a patch of terrain is known by, drawn for a reach of about 26 mm. */
const SIGNS = {
  reef: "M-14 8Q-14 -4 -6 -6M-8 8Q-6 0 0 2M2 8Q2 -8 10 -10M6 2Q12 2 14 -2",
  fog: "M-16 -6H4M-8 0H16M-14 6H8",
  sargasso: "M-14 8Q-8 0 -14 -8M-5 9Q1 0 -5 -9M4 8Q10 0 4 -8M13 7Q17 0 13 -6",
  iceberg: "M-16 9L-6 -10L0 0L7 -7L16 9Z",
  whirlpool: "M0 0a4 4 0 0 1 8 0a8 8 0 0 1 -16 0a12 12 0 0 1 24 0a16 16 0 0 1 -28 10",
};

function terrain(piece) {
  const size = reach(piece) / 26;
  const sign = SIGNS[piece.kind];
  return [
    s("path", { d: path(piece.outline_mm), class: "patch" }),
    sign ? s("path", { d: sign, class: "terrain-sign", transform: `scale(${size * 0.85})` }) : null,
  ].filter(Boolean);
}

const BODIES = { ship, launch, party, fort, island };

/** What a piece looks like, in its own frame; letters of fleets are of the `least` size or larger. */
export function body(piece, least) {
  if (piece.kind in BODIES) return BODIES[piece.kind](piece, least);
  return isPiece(piece) ? ship(piece, least) : terrain(piece);
}
