// A ship as its reference card: hull from above, damage chart with speeds, crew and weapons.

import { h, s } from "./dom.js";

const AHEAD = { port: [0, -1], starboard: [0, 1], stern: [-1, 0], bow: [1, 0] };
const LONGEST = 640; // mm: 80 dots, so that ships are drawn to one scale

/** The hull from above, bow to the right, cannons where they stand. */
function drawHull(outline, muzzles, title) {
  const xs = outline.map(([x]) => x);
  const middle = (Math.min(...xs) + Math.max(...xs)) / 2;
  const points = outline.map(([x, y]) => `${x - middle},${y}`).join(" ");
  return s("svg", { viewBox: `${-LONGEST / 2 - 15} -70 ${LONGEST + 30} 140`, class: "hull", role: "img", "aria-label": `${title} from above` },
    s("polygon", { points, class: "planks" }),
    ...muzzles.map(({ at: [x, y], side }) => {
      const [dx, dy] = AHEAD[side];
      return s("line", { x1: x - middle - 16 * dx, y1: y - 16 * dy, x2: x - middle + 12 * dx, y2: y + 12 * dy, class: "bore" });
    }));
}

/** The damage chart from the top. */
function drawChart(rows) {
  return h("ol", { class: "damage", "aria-label": "Damage chart, from the top" },
    ...rows.map(({ factor, speed }) => h("li", { class: factor === "S" ? "sail" : "plank" },
      h("span", { class: "speed" }, speed === null ? "" : String(speed)),
      h("span", { class: "slot" }, factor === "S" ? "sail" : "hull"))));
}

function fact([name, value]) {
  return h("div", {}, h("dt", {}, name), h("dd", {}, value));
}

function crew([title, count]) {
  return h("li", {}, h("span", {}, `${count} ${title}`), h("span", { class: "heads", "aria-hidden": "true" }, "○".repeat(count)));
}

function weapon({ title, dice, target, reach, is_default: ours }) {
  return h("tr", {}, h("th", { scope: "row" }, title), h("td", {}, String(dice)), h("td", {}, target), h("td", {}, ours ? `${reach} *` : reach));
}

/** The whole card, as children of the article that holds it. */
export function drawCard({ card, outline, muzzles }) {
  return [
    h("header", {}, h("h2", { class: "ship-title" }, card.title), h("p", { class: "small" }, card.subtitle)),
    drawHull(outline, muzzles, card.title),
    h("div", { class: "columns" },
      drawChart(card.rows),
      h("div", { class: "facts" },
        h("dl", {}, ...card.numbers.map(fact)),
        h("h3", {}, "Crew"),
        h("ul", { class: "crew" }, ...card.crew.map(crew)),
        h("h3", {}, "Masts"),
        h("ul", {}, ...card.masts.map((words) => h("li", {}, words))),
        card.cannons.length ? h("h3", {}, "Cannons") : null,
        card.cannons.length ? h("ol", { class: "cannons" }, ...card.cannons.map((words) => h("li", {}, words))) : null)),
    h("table", {},
      h("thead", {}, h("tr", {}, ...["Weapon", "dice", "hits at", "dots"].map((word) => h("th", { scope: "col" }, word)))),
      h("tbody", {}, ...card.weapons.map(weapon))),
    h("p", { class: "small" }, "Attack: of the figure that fires. B: also at 4 dots and less. * our range: the chart of the game was never found."),
  ];
}
