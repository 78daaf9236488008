// An open table as SVG: sea, islands, ships where they stand, the last change. Millimetres.

import { calm, s } from "./dom.js";
import { fleet } from "./fleet.js";
import { labels, letterSize } from "./labels.js";
import { body, farFrom, isPiece, reach } from "./open_pieces.js";
import { graticule, roseBox, scaleBar, trail } from "./open_sea.js";
import { look } from "./roving.js";
import { windOver } from "./weather.js";

const LAYERS = ["ground", "land", "trails", "ships", "wind", "names", "targets", "pointed", "ghosts", "grips"];
const FINGER_PX = 22; // what a finger hits, from the middle
const SOME_HULL = [[-60, -20], [30, -20], [70, 0], [30, 20], [-60, 20]]; // until the table knows better
const LETTER_PX = 10; // the letter of a fleet is as large at least
const GRIP_PX = 12; // the handle that turns a ship

const place = ({ x_mm: x, y_mm: y, heading_deg: turn }) => `translate(${x} ${y}) rotate(${turn})`;

/** One drawing of an open table, with the same doors as `Board`.
 *  `onCell(tag)` is called when a piece is tapped, `onMoved(tag, pose)` when one was dragged; with `byKeys`
 *  pieces are tapped by keyboard, too. */
export class OpenBoard {
  constructor(geometry, { onCell = null, onMoved = null, byKeys = false, label = "The table" } = {}) {
    this.onCell = onCell;
    this.onMoved = onMoved;
    this.byKeys = byKeys;
    this.label = label;
    this.box = geometry.sheet;
    this.pieces = new Map();
    this.goals = { list: [], onPick: null };
    this.aims = []; // tags of the pieces that are offered to be tapped
    this.shown = "";
    this.perPx = 2; // millimetres that a pixel shows, until the drawing is on the page
    this.layers = Object.fromEntries(LAYERS.map((name) => [name, s("g", { class: `layer-${name}`, "aria-hidden": String(name !== "targets") })]));
    this.svg = s("svg", { class: "board open", viewBox: this.box.join(" "), role: byKeys ? "group" : "img" }, ...Object.values(this.layers));
    const [x, y, width, height] = this.box;
    this.layers.ground.append(
      s("rect", { x, y, width, height, rx: 18, class: "open-sea" }),
      ...graticule(this.box),
    );
    new ResizeObserver(() => this.#fit()).observe(this.svg);
  }

  /** Names and what fingers hit keep their size whatever the drawing is scaled to. */
  #fit() {
    const { width, height } = this.svg.getBoundingClientRect();
    if (!width || !height) return;
    const perPx = Math.max(this.box[2] / width, this.box[3] / height); // it may be as low as a turned phone
    if (Math.abs(perPx - this.perPx) < 0.02 * this.perPx) return;
    this.perPx = perPx;
    this.#write();
    this.#draw();
    this.#drawGhosts();
  }

  #write() {
    const size = letterSize(this.perPx);
    const bar = scaleBar(this.box, size);
    const rose = this.windy ? roseBox(this.box) : null;
    const set = labels([...this.pieces.values()], this.box, this.perPx, [bar.box, rose].filter(Boolean));
    this.layers.names.replaceChildren(...bar.drawn, ...set.map(({ words, x, y, isOn }) =>
      s("text", { x, y: y + size * 0.35, "font-size": size, "stroke-width": size * 0.24, class: isOn ? "open-name on-land" : "open-name" }, words)));
  }

  #draw() {
    const all = [...this.pieces.values()];
    const forts = (piece) => piece.kind === "fort"; // they stand on islands
    const land = all.filter((piece) => !isPiece(piece));
    const upwards = [...land.filter((piece) => !forts(piece)), ...land.filter(forts)];
    this.layers.land.replaceChildren(...upwards.map((piece) => this.#land(piece)));
    this.layers.ships.replaceChildren(...all.filter(isPiece).map((piece) => this.#hull(piece)));
  }

  /** Draw a layout; pieces that moved (`change.pieces`) leave a wake behind them. */
  show(layout, change = null, { animate = false, weather = null } = {}) {
    const now = JSON.stringify([layout.pieces, change, weather]);
    if (now === this.now) return; // a new drawing would take away what a finger is on
    this.now = now;
    this.pieces = new Map(layout.pieces.map((piece) => [piece.tag, piece]));
    this.windy = (weather?.wind_from_deg ?? null) !== null;
    this.#draw();
    this.#write();
    const moved = change?.pieces ?? [];
    this.layers.trails.replaceChildren(...moved.map(trail));
    this.layers.wind.replaceChildren(...windOver(this.box, weather?.wind_from_deg ?? null));
    this.svg.setAttribute("aria-label", [`${this.label}. ${this.#words()}`, weather?.text].filter(Boolean).join(". "));
    if (this.byKeys) look(this.layers.targets, [...this.pieces.values()].map((piece) => this.#looked(piece)), this.onCell);
    const news = JSON.stringify(moved);
    if (animate && moved.length && news !== this.shown && !calm()) moved.forEach((one) => this.#glide(one));
    this.shown = news;
  }

  #looked(piece) {
    const { x_mm: x, y_mm: y } = piece.pose;
    return { key: String(piece.tag), words: this.wordsAt(piece.tag), centre: [x, y], node: s("circle", { cx: x, cy: y, r: reach(piece) + 12 }) };
  }

  /** The name people say for a piece. */
  nameOf(tag) {
    return this.pieces.get(Number(tag))?.name ?? `piece ${tag}`;
  }

  /** Where a piece stands; nothing if it stands nowhere. */
  poseOf(tag) {
    return this.pieces.get(Number(tag))?.pose ?? null;
  }

  /** What stands there, in words. */
  wordsAt(tag) {
    const piece = this.pieces.get(Number(tag));
    return piece ? `${piece.name}, ${piece.kind}${piece.colour ? ` of ${fleet(piece.colour).name}` : ""}` : "nothing";
  }

  /** Offer these pieces to be tapped; an empty list ends the offer. */
  aim(tags) {
    this.aims = tags.map(Number);
    this.layers.targets.replaceChildren(...this.#rings(tags, "target", (event) => this.onCell?.(String(this.#nearest(event, this.#aimed())))));
  }

  /** Ring the pieces somebody has pointed at. */
  point(tags) {
    this.layers.pointed.replaceChildren(...this.#rings(tags, "pointed", null));
  }

  /** Draw where pieces could go: [{tag, pose}]. `onPick(one)` is called for the one that is tapped. */
  ghosts(list, onPick) {
    this.goals = { list, onPick };
    this.#drawGhosts();
  }

  #drawGhosts() {
    const { list, onPick } = this.goals;
    const drawn = list.map((one) => {
      const { outline_mm: outline = SOME_HULL, pose: start } = this.pieces.get(one.tag) ?? {};
      const ghost = s("g", { class: "goal" },
        start ? s("path", { d: `M${start.x_mm} ${start.y_mm}L${one.pose.x_mm} ${one.pose.y_mm}`, class: "goal-way" }) : null,
        s("g", { transform: place(one.pose) },
          s("path", { d: `M${outline.map((point) => point.join(" ")).join("L")}Z`, class: "goal-hull" }),
          // At the bow: ways of lying at the same place are told apart.
          s("circle", { cx: bowOf(outline), r: GRIP_PX * this.perPx, class: "touch" }),
          s("circle", { cx: bowOf(outline), r: 3.5 * this.perPx, class: "goal-dot" })));
      ghost.addEventListener("click", (event) => {
        const at = this.#point(event);
        const far = list.map((goal) => this.#fromBow(at, goal));
        const nearest = far.indexOf(Math.min(...far));
        drawn.forEach((other, k) => other.classList.toggle("picked", k === nearest));
        onPick(list[nearest]);
      });
      return ghost;
    });
    this.layers.ghosts.replaceChildren(...drawn);
  }

  /** How far a point is from the dot at the bow of a goal. */
  #fromBow({ x, y }, { tag, pose }) {
    const bow = bowOf(this.pieces.get(tag)?.outline_mm ?? SOME_HULL);
    const turn = (pose.heading_deg * Math.PI) / 180;
    return Math.hypot(pose.x_mm + bow * Math.cos(turn) - x, pose.y_mm + bow * Math.sin(turn) - y);
  }

  /** Put a ship of a sheet, which stands nowhere yet, down in the middle of the sea. */
  putDown({ tag, title, colour }) {
    const [x, y, width, height] = this.box;
    const pose = { x_mm: x + width / 2, y_mm: y + height / 2, heading_deg: 0 };
    this.pieces.set(tag, { tag, kind: "ship", name: title, colour, outline_mm: SOME_HULL, pose });
    this.hold(tag);
  }

  /** Take hold of a piece: it can be dragged and turned; `onMoved` is told. `at`: shown there at once. */
  hold(tag, at = null) {
    const piece = this.pieces.get(Number(tag));
    this.layers.grips.replaceChildren();
    if (!piece) return;
    const pose = { ...(at ?? piece.pose) };
    const [grip, far] = [Math.max(17, GRIP_PX * this.perPx), Math.max(70, reach(piece) + 20 * this.perPx)];
    const ghost = s("g", { class: "held" }, this.#touch(piece), ...body(piece, LETTER_PX * this.perPx), s("path", { d: `M0 0H${far}`, class: "grip-line" }), s("circle", { cx: far, r: grip, class: "grip" }));
    const settle = () => ghost.setAttribute("transform", place(pose));
    const drag = (event) => {
      const at = this.#point(event);
      if (this.dragging === "turn") pose.heading_deg = (Math.atan2(at.y - pose.y_mm, at.x - pose.x_mm) * 180) / Math.PI;
      else [pose.x_mm, pose.y_mm] = [at.x - this.dragging.dx, at.y - this.dragging.dy];
      settle();
    };
    const drop = () => {
      ghost.removeEventListener("pointermove", drag);
      pose.heading_deg = (pose.heading_deg + 360) % 360;
      this.onMoved?.(piece.tag, pose);
    };
    // What a finger can hit of a held ship reaches over her neighbours: a tap on them is theirs.
    const meant = (event) => (event.target.classList.contains("touch") ? this.#nearest(event, [...this.#aimed(), { ...piece, pose }]) : piece.tag);
    ghost.addEventListener("click", (event) => {
      const tag = meant(event);
      if (tag !== piece.tag) this.onCell?.(String(tag));
    });
    ghost.addEventListener("pointerdown", (event) => {
      if (meant(event) !== piece.tag) return;
      event.preventDefault();
      const at = this.#point(event);
      this.dragging = event.target.classList.contains("grip") ? "turn" : { dx: at.x - pose.x_mm, dy: at.y - pose.y_mm };
      ghost.setPointerCapture(event.pointerId); // let go beside the board, it is put down all the same
      ghost.addEventListener("pointermove", drag);
      ghost.addEventListener("lostpointercapture", drop, { once: true }); // let go, or taken from the finger
    });
    ghost.addEventListener("touchmove", (event) => event.preventDefault()); // some browsers heed no touch-action within a drawing
    settle();
    this.layers.grips.append(ghost);
  }

  #point(event) {
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
  }

  #rings(tags, kind, tapped) {
    const pieces = tags.map((tag) => this.pieces.get(Number(tag))).filter(Boolean);
    return pieces.map((piece) => {
      const ring = s("circle", { cx: piece.pose.x_mm, cy: piece.pose.y_mm, r: reach(piece) + 12, class: kind });
      if (tapped) ring.addEventListener("click", tapped);
      return ring;
    });
  }

  /** The pieces that are offered to be tapped; else all. */
  #aimed() {
    const all = [...this.pieces.values()];
    const aimed = all.filter(({ tag }) => this.aims.includes(tag));
    return aimed.length ? aimed : all;
  }

  /** The tag of the piece that a tap means. What a finger can hit of ships that lie side by side
   *  overlaps; the ground counts as farther off, for a ship before it. */
  #nearest(event, pieces) {
    const at = this.#point(event);
    const far = (piece) => {
      const { edge, middle } = farFrom(at, piece);
      return [edge + (isPiece(piece) ? 0 : 0.5 * FINGER_PX * this.perPx), middle];
    };
    const ranked = pieces.map((piece) => ({ tag: piece.tag, far: far(piece) }));
    return ranked.reduce((best, one) => (one.far[0] - best.far[0] || one.far[1] - best.far[1]) < 0 ? one : best).tag;
  }

  #tappable(group) {
    if (this.onCell) group.addEventListener("click", (event) => this.onCell(String(this.#nearest(event, [...this.pieces.values()]))));
    return group;
  }

  #land(piece) {
    return this.#tappable(s("g", { class: `land-piece of-${piece.kind}`, transform: place(piece.pose) }, ...body(piece, LETTER_PX * this.perPx)));
  }

  #hull(piece) {
    const turned = s("g", { class: `open-ship of-${piece.kind}`, transform: place(piece.pose), "data-tag": piece.tag }, this.#touch(piece), s("g", {}, ...body(piece, LETTER_PX * this.perPx)));
    for (const upright of turned.querySelectorAll(".open-letter")) upright.setAttribute("transform", `rotate(${-piece.pose.heading_deg})`);
    return this.#tappable(turned);
  }

  /** What a finger can hit: more than the hull of a small ship. */
  #touch(piece) {
    return s("circle", { r: Math.max(55, reach(piece), FINGER_PX * this.perPx), class: "touch" });
  }

  #glide([tag, from, to]) {
    const node = this.layers.ships.querySelector(`[data-tag="${tag}"] > g`);
    if (!node) return;
    const turn = ((from.heading_deg - to.heading_deg + 540) % 360) - 180;
    const [dx, dy] = [from.x_mm - to.x_mm, from.y_mm - to.y_mm];
    const angle = (-to.heading_deg * Math.PI) / 180;
    const back = [dx * Math.cos(angle) - dy * Math.sin(angle), dx * Math.sin(angle) + dy * Math.cos(angle)];
    node.animate(
      [{ transform: `translate(${back[0]}px, ${back[1]}px) rotate(${turn}deg)` }, { transform: "none" }],
      { duration: 900, easing: "cubic-bezier(.3,.1,.2,1)" },
    );
  }

  #words() {
    const words = [...this.pieces.values()].map((piece) => this.wordsAt(piece.tag));
    return words.join("; ") || "an empty sea";
  }
}

const bowOf = (outline) => Math.max(...outline.map(([x]) => x)) * 0.8;
