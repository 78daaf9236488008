// What an open table shows besides its pieces: lines to judge distances by, and how pieces came along.

import { s } from "./dom.js";

/** The way that a piece came: [tag, from, to]. */
export function trail([, from, to]) {
  return s("path", { d: `M${from.x_mm} ${from.y_mm}L${to.x_mm} ${to.y_mm}`, class: "wake" });
}

/** Lines ten centimetres apart. */
export function graticule([x, y, width, height]) {
  const every = 100;
  const lines = [];
  for (let at = Math.ceil(x / every) * every; at < x + width; at += every) lines.push(`M${at} ${y}v${height}`);
  for (let at = Math.ceil(y / every) * every; at < y + height; at += every) lines.push(`M${x} ${at}h${width}`);
  return [s("path", { d: lines.join(""), class: "graticule" })];
}

/** Ten centimetres, drawn true, so that distances on the picture can be judged. */
export function scaleBar([x, y, width, height], size) {
  const [left, bottom] = [x + width - 130, y + height - 22];
  return {
    box: { left: left + 100 - 3 * size, right: left + 120, top: bottom - 12 - size, bottom: bottom + 10 },
    drawn: [
      s("path", { d: `M${left} ${bottom - 10}v10h100v-10`, class: "scale-bar" }),
      s("text", { x: left + 100, y: bottom - 18, "font-size": size, class: "scale-text" }, "10 cm"),
    ],
  };
}

/** Where the rose of the wind stands (see weather.js). */
export function roseBox([x, y, width]) {
  const size = 54 * Math.max(1, width / 560);
  return { left: x, right: x + size, top: y, bottom: y + size };
}
