// Wind and storm over the board: streaks of wind and a rose, dark water beyond the storm ring.

import { h, s } from "./dom.js";

const STREAKS = 16;

/** Put the pattern of rough water into the page once. */
export function installStorm() {
  document.body.append(
    s("svg", { class: "defs", "aria-hidden": "true", width: 0, height: 0 },
      s("defs", {},
        s("pattern", { id: "storm", width: 12, height: 12, patternUnits: "userSpaceOnUse", patternTransform: "rotate(58)" },
          s("rect", { width: 12, height: 12, class: "storm-dark" }),
          s("path", { d: "M0 3H7M5 9H12", class: "storm-rain" })))),
  );
}

const path = (points) => `M${points.map((p) => p.join(" ")).join("L")}Z`;

/** The sea the storm has taken, and the ring on which it stands. */
export function stormOver(cells, ring) {
  if (ring === null) return [];
  const far = cells.filter((cell) => cell.ring > ring);
  const edge = cells.filter((cell) => cell.ring === ring);
  return [
    ...edge.map((cell) => s("path", { d: path(cell.outline), class: "storm-edge" })),
    ...far.map((cell) => s("path", { d: path(cell.outline), class: "stormy" })),
  ];
}

/** Streaks of wind over a sea of that size, blowing to `toDeg`. */
function streaks(width, height, toDeg) {
  const lines = Array.from({ length: STREAKS }, (_, k) => {
    // A fixed scatter: the same wind looks the same on every phone.
    const [u, v] = [(k * 0.7549 + 0.1) % 1, (k * 0.5698 + 0.3) % 1];
    const long = 26 + ((k * 7) % 5) * 7;
    const place = `translate(${u * width} ${v * height}) rotate(${toDeg - 90})`;
    return s("g", { transform: place }, s("path", { d: `M0 0h${long}q6 0 6 -4t-5 -3`, class: "streak", "data-k": k % 4 }));
  });
  // A drawing of its own, whose edge they do not cross: the board's may be higher than the sea.
  return s("svg", { width, height, class: "streaks", "aria-hidden": "true" }, ...lines);
}

let clips = 0;

/** What is drawn, as far as it is over these cells. */
function overSea(cells, drawn) {
  const id = `sea-${++clips}`;
  return s("g", { "clip-path": `url(#${id})` },
    s("clipPath", { id }, s("path", { d: cells.map(({ outline }) => path(outline)).join("") })), drawn);
}

/** The wind's rose, around (0, 0) with radius 24: an arrow blows the way ships drift. */
function rose(toDeg) {
  return s(
    "g",
    { class: "rose" },
    s("circle", { r: 24, class: "rose-disc" }),
    s("path", { d: "M0 -22V-17M0 22V17M-22 0H-17M22 0H17", class: "rose-ticks" }),
    s("g", { transform: `rotate(${toDeg})` },
      s("path", { d: "M0 -19L7 -6H2.6V17L0 13L-2.6 17V-6H-7Z", class: "rose-arrow" })),
  );
}

/** Wind over a board that fills `box`; the rose stands in its upper left corner, so far within that
 *  letters around the board stay free. It blows over the `cells` alone; on an open table there are none. */
export function windOver(box, fromDeg, within = 0, cells = []) {
  if (fromDeg === null) return [];
  const toDeg = (fromDeg + 180) % 360;
  // Drawn for a sea some 560 mm wide; on a larger one it is drawn larger, to look the same.
  const [x, y, width, height] = box;
  const size = Math.max(1, width / 560);
  const placed = (atX, atY, drawn) => s("g", { transform: `translate(${atX} ${atY}) scale(${size})` }, drawn);
  const middle = 28 * size + within;
  const blown = placed(x, y, streaks(width / size, height / size, toDeg));
  return [cells.length ? overSea(cells, blown) : blown, placed(x + middle, y + middle, rose(toDeg))];
}

/** Wind and storm in words, under the board. */
export function weatherLine(weather) {
  if (!weather?.text) return null;
  return h("p", { class: weather.storm_ring === null ? "weather" : "weather storm" }, weather.text);
}
