// Goods, doubloons and tracks of Privateer, drawn small. Colour is never the only sign.

import { h, s } from "./dom.js";

const GOODS = {
  rum: { fill: "#7a4a21", ink: "#fff", sign: "Ru" },
  paprika: { fill: "#c8402f", ink: "#fff", sign: "Pa" },
  cinnamon: { fill: "#efe8d6", ink: "#3b2a05", sign: "Ci" },
  tobacco: { fill: "#d9822b", ink: "#241304", sign: "To" },
  sugar: { fill: "#27814f", ink: "#fff", sign: "Su" },
  fruit: { fill: "#edc53f", ink: "#3b2a05", sign: "Fr" },
};

/** A good as a little sack with two letters. */
export function goodSign(good) {
  const { fill, ink, sign } = GOODS[good] ?? { fill: "#5b6b75", ink: "#fff", sign: "?" };
  return s("svg", { class: "good", viewBox: "0 0 30 32", "aria-hidden": "true" },
    s("path", { d: "M10 6Q15 9 20 6L19 10Q27 15 26 24Q25 30 15 30Q5 30 4 24Q3 15 11 10Z", fill, class: "sack" }),
    s("text", { x: 15, y: 25, fill: ink, class: "good-letters" }, sign));
}

/** Doubloons as coins: so many gold, so many silver. */
export function coins({ gold, silver }) {
  const coin = (kind, count) => h("span", { class: "coin-count" },
    h("span", { class: `doubloon ${kind}`, "aria-hidden": "true" }), h("strong", {}, String(count)), h("small", {}, kind));
  return [coin("gold", gold), coin("silver", silver)];
}

/** The goods in a hold as chips; free space as empty ones. */
export function hold(cargo, goods, space) {
  const count = cargo.reduce((sum, n) => sum + n, 0);
  const full = cargo.flatMap((n, k) => Array.from({ length: n }, () => goodSign(goods[k])));
  const empty = Array.from({ length: Math.max(space - count, 0) }, () => h("span", { class: "good-space", "aria-hidden": "true" }));
  const words = goods.map((good, k) => cargo[k] && `${cargo[k]} ${good}`).filter(Boolean).join(", ") || "empty";
  return h("div", { class: count > space ? "hold over" : "hold", role: "img", "aria-label": `Hold: ${words}; ${count} of ${space} spaces` }, ...full, ...empty);
}

/** A track of the ship board: a box for each step, Infamy so far, the value of the rank. */
export function track({ title, prices, infamy }, rank, value) {
  const steps = prices.map((price, k) =>
    h("span", { class: k < rank ? "step done" : k === rank ? "step next" : "step" }, k < rank ? "" : String(price)));
  return h("div", { class: "track-row", role: "img", "aria-label": `${title}: step ${rank} of ${prices.length}, worth ${value}, ${infamy[rank]} Infamy` },
    h("span", { class: "track-title" }, title), h("strong", { class: "track-value" }, String(value)),
    h("span", { class: "steps" }, ...steps), h("span", { class: "track-infamy" }, `${infamy[rank]} ☠`));
}
