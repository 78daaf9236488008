// An open table as SVG: sea, islands, ships where they stand, the last change. Millimetres.

import { calm, s } from "./dom.js";
import { FLEETS, fleet } from "./fleet.js";
import { windOver } from "./weather.js";

const LAYERS = ["ground", "land", "trails", "ships", "wind", "names", "targets", "grips"];
const GRIP_MM = 70; // from the middle of a ship to the handle that turns it

const path = (points) => (points.length ? `M${points.map((p) => p.join(" ")).join("L")}Z` : "");
const place = ({ x_mm: x, y_mm: y, heading_deg: turn }) => `translate(${x} ${y}) rotate(${turn})`;

const isAfloat = ({ kind }) => kind === "ship" || kind === "launch" || kind === "derelict";

/** One drawing of an open table, with the same doors as `Board`.
 *  `onCell(tag)` is called when a piece is tapped, `onMoved(tag, pose)` when one was dragged. */
export class OpenBoard {
  constructor(geometry, { onCell = null, onMoved = null, label = "The table" } = {}) {
    this.onCell = onCell;
    this.onMoved = onMoved;
    this.label = label;
    this.box = geometry.sheet;
    this.pieces = new Map();
    this.shown = "";
    this.layers = Object.fromEntries(LAYERS.map((name) => [name, s("g", { class: `layer-${name}` })]));
    this.svg = s("svg", { class: "board open", viewBox: this.box.join(" "), role: "img" }, ...Object.values(this.layers));
    const [x, y, width, height] = this.box;
    this.layers.ground.append(
      s("rect", { x, y, width, height, rx: 18, class: "open-sea" }),
      ...graticule(this.box),
      ...scaleBar(this.box),
    );
  }

  /** Draw a layout; pieces that moved (`change.pieces`) leave a wake behind them. */
  show(layout, change = null, { animate = false, weather = null } = {}) {
    this.pieces = new Map(layout.pieces.map((piece) => [piece.tag, piece]));
    const afloat = layout.pieces.filter(isAfloat);
    const land = layout.pieces.filter((piece) => !isAfloat(piece));
    this.layers.land.replaceChildren(...land.map((piece) => this.#land(piece)));
    this.layers.ships.replaceChildren(...afloat.map((piece) => this.#hull(piece)));
    this.layers.names.replaceChildren(...names(layout.pieces, this.box));
    const moved = change?.pieces ?? [];
    this.layers.trails.replaceChildren(...moved.map(trail));
    this.layers.wind.replaceChildren(...windOver(this.box, weather?.wind_from_deg ?? null));
    this.svg.setAttribute("aria-label", [`${this.label}. ${this.#words()}`, weather?.text].filter(Boolean).join(". "));
    const news = JSON.stringify(moved);
    if (animate && moved.length && news !== this.shown && !calm()) moved.forEach((one) => this.#glide(one));
    this.shown = news;
  }

  /** The name people say for a piece. */
  nameOf(tag) {
    return this.pieces.get(Number(tag))?.name ?? `piece ${tag}`;
  }

  /** What stands there, in words. */
  wordsAt(tag) {
    const piece = this.pieces.get(Number(tag));
    return piece ? `${piece.name}, ${piece.kind}${piece.colour ? ` of ${fleet(piece.colour).name}` : ""}` : "nothing";
  }

  /** Offer these pieces to be tapped; an empty list ends the offer. */
  aim(tags) {
    this.layers.targets.replaceChildren(...this.#rings(tags, "target", (tag) => this.onCell?.(tag)));
  }

  /** Ring the pieces somebody has pointed at. */
  point(tags) {
    this.layers.targets.replaceChildren(...this.#rings(tags, "pointed", null));
  }

  /** Take hold of a piece: it can be dragged and turned; `onMoved` is told. */
  hold(tag) {
    const piece = this.pieces.get(Number(tag));
    this.layers.grips.replaceChildren();
    if (!piece) return;
    const pose = { ...piece.pose };
    const ghost = s("g", { class: "held" }, touch(piece), ...body(piece), s("path", { d: `M0 0H${GRIP_MM}`, class: "grip-line" }), s("circle", { cx: GRIP_MM, r: 17, class: "grip" }));
    const settle = () => ghost.setAttribute("transform", place(pose));
    const drag = (event) => {
      const at = this.#point(event);
      if (this.dragging === "turn") pose.heading_deg = (Math.atan2(at.y - pose.y_mm, at.x - pose.x_mm) * 180) / Math.PI;
      else [pose.x_mm, pose.y_mm] = [at.x - this.dragging.dx, at.y - this.dragging.dy];
      settle();
    };
    const drop = () => {
      this.svg.removeEventListener("pointermove", drag);
      pose.heading_deg = (pose.heading_deg + 360) % 360;
      this.onMoved?.(piece.tag, pose);
    };
    ghost.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      const at = this.#point(event);
      this.dragging = event.target.classList.contains("grip") ? "turn" : { dx: at.x - pose.x_mm, dy: at.y - pose.y_mm };
      this.svg.addEventListener("pointermove", drag);
      this.svg.addEventListener("pointerup", drop, { once: true });
    });
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
      if (tapped) ring.addEventListener("click", () => tapped(String(piece.tag)));
      return ring;
    });
  }

  #tappable(group, piece) {
    if (this.onCell) group.addEventListener("click", () => this.onCell(String(piece.tag)));
    return group;
  }

  #land(piece) {
    const d = path(piece.outline_mm);
    return this.#tappable(
      s("g", { class: `land-piece ${piece.kind}`, transform: place(piece.pose) },
        s("path", { d, class: "shallows" }),
        s("path", { d, class: "shore", ...(piece.colour ? { stroke: fleet(piece.colour).fill } : {}) })),
      piece,
    );
  }

  #hull(piece) {
    return this.#tappable(s("g", { class: `open-ship ${piece.kind}`, transform: place(piece.pose), "data-tag": piece.tag }, touch(piece), s("g", {}, ...body(piece))), piece);
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

/** How far a piece reaches from the middle of its tag. */
function reach({ outline_mm: outline }) {
  return Math.max(20, ...outline.map(([x, y]) => Math.hypot(x, y)));
}

/** What a finger can hit: more than the hull of a small ship. */
function touch(piece) {
  return s("circle", { r: Math.max(55, reach(piece)), class: "touch" });
}

/** A ship from above, bow to the right, in its own frame. */
function body({ outline_mm: outline, colour }) {
  const look = fleet(colour);
  const [bow, stern] = [Math.max(20, ...outline.map(([x]) => x)), Math.min(-20, ...outline.map(([x]) => x))];
  const width = Math.max(8, ...outline.map(([, y]) => y));
  const masts = [0.55, 0.05, -0.5].map((at) => at * (at > 0 ? bow : -stern));
  return [
    s("path", { d: path(outline), class: "open-shadow", transform: "translate(4 5)" }),
    s("path", { d: path(outline), class: "open-hull", fill: colour in FLEETS ? `url(#fleet-${colour})` : look.fill }),
    ...masts.map((x) => s("path", { d: `M${x} ${-width * 1.05}Q${x + width * 0.55} 0 ${x} ${width * 1.05}Q${x + width * 0.18} 0 ${x} ${-width * 1.05}Z`, class: "open-sail" })),
  ];
}

/** Names of all pieces, below them; one that would cover another moves down, none leaves the sea. */
function names(pieces, [left, , width]) {
  const size = pieces.length > 8 ? 24 : 30;
  const taken = [];
  const southward = [...pieces].sort((one, other) => one.pose.y_mm - other.pose.y_mm);
  return southward.map((piece) => {
    const half = piece.name.length * size * 0.29;
    const x = Math.min(Math.max(piece.pose.x_mm, left + half + 8), left + width - half - 8);
    let y = piece.pose.y_mm + (isAfloat(piece) ? southernmost(piece) + size : size / 3);
    const covers = (other) => Math.abs(other.x - x) < other.half + half && Math.abs(other.y - y) < size;
    while (taken.some(covers)) y += size / 2;
    taken.push({ x, y, half });
    return s("text", { x, y, "font-size": size, class: `open-name ${piece.kind}` }, piece.name);
  });
}

/** How far a piece reaches down the table from its tag, turned as it is. */
function southernmost({ outline_mm: outline, pose }) {
  const turn = (pose.heading_deg * Math.PI) / 180;
  return Math.max(20, ...outline.map(([x, y]) => x * Math.sin(turn) + y * Math.cos(turn)));
}

function trail([, from, to]) {
  return s("path", { d: `M${from.x_mm} ${from.y_mm}L${to.x_mm} ${to.y_mm}`, class: "wake" });
}

function graticule([x, y, width, height]) {
  const every = 100;
  const lines = [];
  for (let at = Math.ceil(x / every) * every; at < x + width; at += every) lines.push(`M${at} ${y}v${height}`);
  for (let at = Math.ceil(y / every) * every; at < y + height; at += every) lines.push(`M${x} ${at}h${width}`);
  return [s("path", { d: lines.join(""), class: "graticule" })];
}

/** Ten centimetres, drawn true, so that distances on the picture can be judged. */
function scaleBar([x, y, width, height]) {
  const [left, bottom] = [x + width - 130, y + height - 26];
  return [
    s("path", { d: `M${left} ${bottom - 10}v10h100v-10`, class: "scale-bar" }),
    s("text", { x: left + 50, y: bottom - 14, class: "scale-text" }, "10 cm"),
  ];
}
