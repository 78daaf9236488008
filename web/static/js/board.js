// The board as SVG: sea, terrain, ships, the last change. Drawn from /api/board and a layout.

import { calm, s } from "./dom.js";
import { fleet, ship } from "./fleet.js";

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
};

const TERRAIN_NAMES = { volcano: "volcano", desert: "desert island", reef: "reef" };

/** Say in words what lies on a cell. */
export function cellWords(content) {
  const ships = content.ships.map((colour) => `${fleet(colour).name} ship`);
  const words = content.terrain ? [...ships, TERRAIN_NAMES[content.terrain] ?? content.terrain] : ships;
  return words.length ? words.join(", ") : "open sea";
}

/** Say a whole layout in words, for people who do not see the drawing. */
export function layoutWords(layout) {
  return layout.cells.map((content) => `${content.cell}: ${cellWords(content)}`).join("; ") || "an empty sea";
}

const path = (points) => `M${points.map((p) => p.join(" ")).join("L")}Z`;

/** One drawing of a board. `onCell(id)` is called when a cell is tapped. */
export class Board {
  constructor(geometry, { onCell = null, label = "The board" } = {}) {
    this.cells = new Map(geometry.cells.map((cell) => [cell.id, cell]));
    this.shown = "";
    this.onCell = onCell;
    this.label = label;
    this.ground = s("g");
    this.terrain = s("g");
    this.marks = s("g");
    this.ships = s("g");
    this.arrows = s("g");
    this.targets = s("g");
    this.pointed = s("g");
    const corners = geometry.cells.flatMap((cell) => cell.outline);
    const [xs, ys] = [corners.map((c) => c[0]), corners.map((c) => c[1])];
    const [x, y] = [Math.min(...xs) - 4, Math.min(...ys) - 4];
    const box = [x, y, Math.max(...xs) + 4 - x, Math.max(...ys) + 4 - y];
    this.svg = s(
      "svg",
      { class: "board", viewBox: box.join(" "), role: "img" },
      this.ground, this.terrain, this.marks, this.ships, this.arrows, this.targets, this.pointed,
    );
    this.ground.append(...geometry.cells.map((cell) => this.#sea(cell)));
  }

  /** Draw a layout; `change` (see web/changes.py) is shown as arrows and rings. */
  show(layout, change = null, { animate = false } = {}) {
    change = change && this.#onBoard(change);
    const there = layout.cells.filter((content) => this.cells.has(content.cell));
    this.terrain.replaceChildren(...there.filter((c) => c.terrain).map((c) => this.#tile(c)));
    this.ships.replaceChildren(...there.flatMap((c) => this.#fleetOn(c)));
    this.marks.replaceChildren(...this.#marksFor(change));
    this.arrows.replaceChildren(...this.#arrowsFor(change));
    this.svg.setAttribute("aria-label", `${this.label}. ${layoutWords(layout)}`);
    const news = JSON.stringify(change);
    if (animate && change && news !== this.shown && !calm()) this.#glide(change);
    this.shown = news;
  }

  /** Offer these cells to be tapped; an empty list ends the offer. */
  aim(ids) {
    this.targets.replaceChildren(
      ...ids.filter((id) => this.cells.has(id)).map((id) =>
        s("path", { d: path(this.cells.get(id).outline), class: "target", on: { click: () => this.onCell?.(id) } }),
      ),
    );
  }

  /** Ring the cells somebody has pointed at. */
  point(ids) {
    this.pointed.replaceChildren(
      ...ids.filter((id) => this.cells.has(id)).map((id) => s("path", { d: path(this.cells.get(id).outline), class: "pointed" })),
    );
  }

  /** Leave out what happened on cells this board does not have. */
  #onBoard({ moved, came, gone }) {
    const known = (id) => this.cells.has(id);
    return {
      moved: moved.filter(([, from, to]) => known(from) && known(to)),
      came: came.filter(known),
      gone: gone.filter(([, id]) => known(id)),
    };
  }

  #at(id) {
    return this.cells.get(id).centre;
  }

  #sea(cell) {
    const [x, y] = cell.centre;
    const printed = new Set(cell.marks.map((mark) => mark.kind));
    const marks = [];
    if (printed.has("circle")) marks.push(s("circle", { cx: x, cy: y, r: 13, class: "printed" }));
    if (printed.has("diamond")) marks.push(s("path", { d: `M${x} ${y - 14}l11 14l-11 14l-11 -14Z`, class: "printed" }));
    const hex = s("path", { d: path(cell.outline), class: "hex" });
    if (this.onCell) hex.addEventListener("click", () => this.onCell(cell.id));
    return s("g", {}, hex, ...marks);
  }

  #tile({ cell, terrain, ships }) {
    const [x, y] = this.#at(cell);
    const glyph = TERRAIN[terrain]?.() ?? [s("text", { class: "ship-letter" }, "?")];
    const place = ships.length ? `translate(${x} ${y + 13}) scale(0.68)` : `translate(${x} ${y})`;
    return s(
      "g",
      { class: `tile ${terrain}` },
      s("path", { d: path(this.cells.get(cell).outline), class: "tile-ground" }),
      s("g", { transform: place }, ...glyph),
    );
  }

  #fleetOn({ cell, ships, terrain }) {
    const [x, middle] = this.#at(cell);
    const fight = ships.length > 1;
    const y = terrain ? middle - 6 : middle; // what lies under a ship stays in sight
    const size = fight ? 0.84 : terrain ? 0.9 : 1.12;
    const drawn = ships.map((colour, k) => {
      const dx = fight ? (k - (ships.length - 1) / 2) * 20 : 0;
      const place = `translate(${x + dx} ${y}) scale(${size})`;
      return s("g", { transform: place, "data-ship": `${colour} ${cell}` }, ship(colour));
    });
    if (fight) drawn.push(s("path", { d: `M${x - 5} ${y - 19}l10 10m0 -10l-10 10`, class: "swords" }));
    return drawn;
  }

  #marksFor(change) {
    if (!change) return [];
    const ring = (id, kind) => s("path", { d: path(this.cells.get(id).outline), class: kind });
    return [
      ...change.moved.flatMap(([, from, to]) => [ring(from, "mark-from"), ring(to, "mark-to")]),
      ...change.came.map((id) => ring(id, "mark-to")),
      ...change.gone.map(([, id]) => ring(id, "mark-gone")),
    ];
  }

  #arrowsFor(change) {
    if (!change) return [];
    const arrows = change.moved.map(([, from, to]) => {
      const [[x1, y1], [x2, y2]] = [this.#at(from), this.#at(to)];
      const length = Math.hypot(x2 - x1, y2 - y1) || 1;
      const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
      const line = `M${x1 + ux * 6} ${y1 + uy * 6}L${x2 - ux * 21} ${y2 - uy * 21}`;
      return s("path", { d: line, class: "arrow", "marker-end": "url(#arrow-head)" });
    });
    const crosses = change.gone.map(([colour, id]) => {
      const [x, y] = this.#at(id);
      return s(
        "g",
        { class: "lost" },
        s("title", {}, `${fleet(colour).name} ship lost`),
        s("path", { d: `M${x - 9} ${y - 9}l18 18m0 -18l-18 18` }),
      );
    });
    return [...arrows, ...crosses];
  }

  #glide(change) {
    for (const [colour, from, to] of change.moved) {
      const node = this.ships.querySelector(`[data-ship="${colour} ${to}"]`);
      const [[x1, y1], [x2, y2]] = [this.#at(from), this.#at(to)];
      node?.firstChild.animate(
        [{ transform: `translate(${x1 - x2}px, ${y1 - y2}px)` }, { transform: "none" }],
        { duration: 700, easing: "cubic-bezier(.3,.1,.2,1)" },
      );
    }
  }
}
