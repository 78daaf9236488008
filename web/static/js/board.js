// The board as SVG: sea, terrain, ships, the last change. Drawn from /api/board and a layout.

import { calm, s } from "./dom.js";
import { fleet, ship } from "./fleet.js";
import { coordinates, portNames, printedOn } from "./printed.js";
import { look, rove } from "./roving.js";
import { cellWords, chest, layoutWords, stacks, terrainGlyph } from "./terrain.js";
import { stormOver, windOver } from "./weather.js";

const path = (points) => `M${points.map((p) => p.join(" ")).join("L")}Z`;

const LAYERS = ["ground", "storm", "terrain", "wind", "marks", "ships", "cargo", "words", "arrows", "targets", "pointed"];
const MERCHANT = "white"; // it belongs to nobody, and anchors anew before every battle
const LEAST_UNITS = 9; // letters on a board that is drawn large
const LEAST_PX = 11; // and what they never fall below on a page
const LEAST_LETTERED = 1.2; // breadth of a cell in heights of a letter

/** The box that holds all cells and `edge` around them: [x, y, width, height]. */
function frame(cells, edge) {
  const corners = cells.flatMap((cell) => cell.outline);
  const [xs, ys] = [corners.map((c) => c[0]), corners.map((c) => c[1])];
  const [x, y] = [Math.min(...xs) - edge, Math.min(...ys) - edge];
  return [x, y, Math.max(...xs) + edge - x, Math.max(...ys) + edge - y];
}

/** One drawing of a board. `onCell(id)` is called when a cell is tapped; with `byKeys` those on which something
 *  lies are tapped by keyboard, too. */
export class Board {
  constructor(geometry, { onCell = null, byKeys = false, label = "The board" } = {}) {
    this.cells = new Map(geometry.cells.map((cell) => [cell.id, cell]));
    this.shown = "";
    this.onCell = onCell;
    this.byKeys = byKeys;
    this.label = label;
    this.pitch = geometry.pitch_mm;
    this.isNamed = geometry.cells.some(({ name }) => /^[A-Z]\d+$/.test(name)); // letters and numbers can stand around
    this.busy = new Set(); // cells with ships
    this.perPx = 1; // units that a pixel shows, until the drawing is on the page
    this.layers = Object.fromEntries(LAYERS.map((name) => [name, s("g", { class: `layer-${name}`, "aria-hidden": String(name !== "targets") })]));
    this.svg = s("svg", { class: "board", role: byKeys ? "group" : "img" }, ...Object.values(this.layers));
    this.layers.ground.append(
      ...geometry.cells.map((cell) => this.#water(cell)),
      ...geometry.cells.flatMap((cell) => printedOn(cell, this.pitch)),
    );
    this.#write();
    new ResizeObserver(() => this.#fit()).observe(this.svg);
  }

  /** Words keep a size that can be read whatever the drawing is scaled to. */
  #fit() {
    const scale = this.svg.getScreenCTM()?.a;
    if (!scale || Math.abs(1 / scale - this.perPx) < 0.02 * this.perPx) return;
    this.perPx = 1 / scale;
    this.#write();
    const { blown } = this;
    this.blown = null; // the rose stands beside the letters
    if (blown) this.#blow(...JSON.parse(blown));
  }

  /** Letters and numbers around the board, and the names of ports. */
  #write() {
    const cells = [...this.cells.values()];
    const size = Math.max(LEAST_UNITS, LEAST_PX * this.perPx);
    const cellPx = (this.pitch * this.svg.clientWidth) / frame(cells, 4)[2];
    this.isLettered = this.isNamed && !(cellPx && cellPx < LEAST_LETTERED * LEAST_PX); // too small, they would cover each other
    this.box = frame(cells, this.isLettered ? size * 1.6 : 4);
    this.svg.setAttribute("viewBox", this.box.join(" "));
    const letters = this.isLettered ? coordinates(cells, this.pitch, size) : [];
    this.layers.words.replaceChildren(...letters, ...portNames(cells, this.pitch, size, frame(cells, 0), this.busy));
  }

  /** Ships have moved: names make room for them. */
  #makeRoom(there) {
    const busy = there.filter(({ ships }) => ships.length).map(({ cell }) => cell);
    if (busy.length === this.busy.size && busy.every((id) => this.busy.has(id))) return;
    this.busy = new Set(busy);
    this.#write();
  }

  /** Draw a layout; `change` (see web/changes.py) is shown as arrows and rings. */
  show(layout, change = null, { animate = false, weather = null } = {}) {
    const now = JSON.stringify([layout.cells, change, weather]);
    if (now === this.now) return; // most moments change nothing on the board
    this.now = now;
    this.layout = layout;
    change = change && this.#onBoard(change, layout);
    const there = layout.cells.filter((content) => this.cells.has(content.cell));
    this.#makeRoom(there);
    const { terrain, ships, cargo, marks, arrows } = this.layers;
    terrain.replaceChildren(...there.filter((c) => c.terrain).map((c) => this.#tile(c)));
    ships.replaceChildren(...there.flatMap((c) => this.#fleetOn(c)));
    cargo.replaceChildren(...there.filter((c) => c.cargo).map((c) => this.#cargoOn(c)));
    marks.replaceChildren(...this.#marksFor(change));
    arrows.replaceChildren(...this.#arrowsFor(change));
    const words = [`${this.label}. ${layoutWords(layout, (id) => this.nameOf(id))}`, weather?.text].filter(Boolean);
    this.svg.setAttribute("aria-label", words.join(". "));
    this.#blow(weather?.wind_from_deg ?? null, weather?.storm_ring ?? null);
    if (this.byKeys) look(this.layers.targets, there.map(({ cell }) => this.#looked(cell)), this.onCell);
    const news = JSON.stringify(change);
    if (animate && change && news !== this.shown && !calm()) this.#glide(change);
    this.shown = news;
  }

  /** The name people say for a cell: "C6", "the north harbour". */
  nameOf(id) {
    return this.cells.get(id)?.name ?? id;
  }

  /** What lies on a cell, in words. */
  wordsAt(id) {
    const content = this.layout.cells.find((one) => one.cell === id) ?? { ships: [], terrain: null, cargo: null };
    return `${this.nameOf(id)}: ${cellWords(content)}`;
  }

  /** Offer these cells to be tapped, `chosen` being one that was; an empty list ends the offer. */
  aim(ids, chosen = null) {
    const offered = ids.filter((id) => this.cells.has(id));
    const places = offered.map((id) => ({ node: this.#target(id, id === chosen), centre: this.#at(id) }));
    this.layers.targets.replaceChildren(...places.map(({ node }) => node));
    this.svg.setAttribute("role", places.length ? "group" : "img"); // nothing within a picture can be pressed
    rove(places, places[offered.indexOf(chosen)]?.node);
  }

  #looked(id) {
    return { key: id, words: this.wordsAt(id), centre: this.#at(id), node: s("path", { d: path(this.cells.get(id).outline) }) };
  }

  #target(id, isChosen) {
    const words = { role: "button", "aria-label": this.wordsAt(id), "aria-pressed": String(isChosen) };
    return s("path", { d: path(this.cells.get(id).outline), class: "target", ...words, on: { click: () => this.onCell?.(id) } });
  }

  /** Ring the cells somebody has pointed at. */
  point(ids) {
    this.layers.pointed.replaceChildren(
      ...ids.filter((id) => this.cells.has(id)).map((id) => s("path", { d: path(this.cells.get(id).outline), class: "pointed" })),
    );
  }

  /** Leave out what happened on cells this board does not have. Where no captain's ship stayed the sea
   *  was cleared for the next battle, and none was lost. */
  #onBoard({ moved, came, gone }, layout) {
    const known = (id) => this.cells.has(id);
    const stayed = layout.cells.some(({ cell, ships }) => !came.includes(cell) && ships.some((colour) => colour !== MERCHANT));
    return {
      moved: moved.filter(([, from, to]) => known(from) && known(to)),
      came: came.filter(known),
      gone: stayed ? gone.filter(([, id]) => known(id)) : [],
    };
  }

  #at(id) {
    return this.cells.get(id).centre;
  }

  #water(cell) {
    const water = s("path", { d: path(cell.outline), class: cell.land ? "land" : "water" });
    if (this.onCell) water.addEventListener("click", () => this.onCell(cell.id));
    return water;
  }

  #blow(from, ring) {
    const key = JSON.stringify([from, ring]);
    if (key === this.blown) return; // a new drawing would begin the gusts anew
    this.blown = key;
    const cells = [...this.cells.values()];
    this.layers.storm.replaceChildren(...stormOver(cells, ring));
    const cornerIsSea = cells[0].outline.length === 4; // around hexes the corners are free
    const inset = this.isLettered && cornerIsSea ? Math.min(...cells.map(({ centre }) => centre[0])) + this.pitch / 2 - this.box[0] : 0;
    this.layers.wind.replaceChildren(...windOver(this.box, from, inset, cells));
  }

  #tile({ cell, terrain, ships }) {
    const [x, y] = this.#at(cell);
    const size = this.pitch / 42;
    const place = ships.length ? `translate(${x} ${y + 13 * size}) scale(${0.68 * size})` : `translate(${x} ${y}) scale(${size})`;
    return s(
      "g",
      { class: `tile ${terrain}` },
      s("path", { d: path(this.cells.get(cell).outline), class: "tile-ground" }),
      s("g", { transform: place }, ...terrainGlyph(terrain)),
    );
  }

  #fleetOn({ cell, ships, terrain }) {
    const [x, middle] = this.#at(cell);
    const fleets = stacks(ships);
    const fight = fleets.length > 1;
    const unit = this.pitch / 42;
    const y = terrain ? middle - 6 * unit : middle; // what lies under a ship stays in sight
    const size = (fight ? 0.84 : terrain ? 0.9 : 1.12) * unit;
    const drawn = fleets.map(([colour, count], k) => {
      const dx = fight ? (k - (fleets.length - 1) / 2) * 20 * unit : 0;
      const place = `translate(${x + dx} ${y}) scale(${size})`;
      return s("g", { transform: place, "data-ship": `${colour} ${cell}`, "data-size": size }, ship(colour, count));
    });
    for (const { kind, text } of this.cells.get(cell).marks) {
      // Both ends of a strait are one square; the piece lies on one of them.
      const other = kind === "strait" && [...this.cells.values()].find(({ name }) => name === text);
      if (other) drawn.push(...fleets.map(([colour]) => s("g", { transform: `translate(${other.centre.join(" ")}) scale(${size})`, class: "ghost" }, ship(colour))));
    }
    if (fight) drawn.push(s("path", { d: `M${x - 5 * unit} ${y - 19 * unit}l${10 * unit} ${10 * unit}m0 ${-10 * unit}l${-10 * unit} ${10 * unit}`, class: "swords" }));
    return drawn;
  }

  #cargoOn({ cell, ships }) {
    const [x, y] = this.#at(cell);
    const unit = this.pitch / 42;
    const place = ships.length ? `translate(${x + 11 * unit} ${y - 11 * unit})` : `translate(${x} ${y})`;
    return s("g", { transform: `${place} scale(${(ships.length ? 0.95 : 1.3) * unit})`, class: "cargo" }, chest());
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
    const crosses = change.gone.map(([colour, id]) => this.#lost(colour, id));
    return [...arrows, ...crosses];
  }

  /** A cross where a ship was lost. Over one that is still there the lost one is drawn, small, under the cross:
   *  that nobody takes away the wrong ship. */
  #lost(colour, id) {
    const [x, y] = this.#at(id);
    const unit = this.pitch / 42;
    const isHeld = this.busy.has(id);
    return s(
      "g",
      { class: "lost", transform: isHeld ? `translate(${x + 13 * unit} ${y - 13 * unit}) scale(${0.62 * unit})` : `translate(${x} ${y})` },
      s("title", {}, `${fleet(colour).name} ship lost`),
      ...(isHeld ? [ship(colour, 1)] : []),
      s("path", { d: "M-9 -9l18 18m0 -18l-18 18" }),
    );
  }

  #glide(change) {
    for (const [colour, from, to] of change.moved) {
      const node = this.layers.ships.querySelector(`[data-ship="${colour} ${to}"]`);
      const [[x1, y1], [x2, y2]] = [this.#at(from), this.#at(to)];
      const size = Number(node?.dataset.size);
      node?.firstChild.animate(
        [{ transform: `translate(${(x1 - x2) / size}px, ${(y1 - y2) / size}px)` }, { transform: "none" }],
        { duration: 700, easing: "cubic-bezier(.3,.1,.2,1)" },
      );
    }
  }
}
