// Whose turn it is, the doubloons and the ships left.

import { calm, h, s } from "./dom.js";
import { badge, fleetNames } from "./fleet.js";
import { cited } from "./rules.js";

/** The ring of light on the table, small: whose turn, how the storm has closed, where the wind blows. */
function ringOfLight(ring) {
  if (!ring) return null;
  const colour = `rgb(${ring.colour.join(" ")})`;
  const dark = ring.pattern === "off";
  const turn = ring.side_deg === null ? "" : `rotate(${ring.side_deg - 90} 20 20)`;
  const arc = ring.side_deg === null
    ? s("circle", { cx: 20, cy: 20, r: 15, stroke: colour, class: "ring-light" })
    : s("circle", { cx: 20, cy: 20, r: 15, stroke: colour, class: "ring-light", pathLength: 100, "stroke-dasharray": "36 64", "stroke-dashoffset": 18, transform: turn });
  const closed = Math.round((ring.storm ?? 0) * 100);
  return s(
    "svg",
    { class: `ring ${ring.pattern}`, viewBox: "0 0 40 40", "aria-hidden": "true" },
    s("circle", { cx: 20, cy: 20, r: 15, class: "ring-dark" }),
    dark ? null : arc,
    // The storm closes the ring from the south, dotted, so that the turn shows between its lamps.
    closed ? s("path", { d: stormArc(closed / 100), class: "ring-storm" }) : null,
    typeof ring.wind_to_deg === "number"
      ? s("g", { transform: `rotate(${ring.wind_to_deg} 20 20)` }, s("path", { d: "M20 9L24.5 16H21.4V29L20 27L18.6 29V16H15.5Z", class: "ring-wind" }))
      : null,
  );
}

/** So much of a circle, from the south to both sides. */
function stormArc(share) {
  const half = Math.min(share, 0.9999) * Math.PI;
  const at = (angle) => `${20 + 15 * Math.sin(angle)} ${20 + 15 * Math.cos(angle)}`;
  return `M${at(-half)}A15 15 0 ${half > Math.PI / 2 ? 1 : 0} 0 ${at(half)}`;
}

/** A name in a sentence: one from right to left does not turn what stands around it. */
const named = ({ name }) => h("bdi", {}, name);

/** "Ann, Bob and Cid", each name by itself. */
const listedNames = (seats) => seats.flatMap((seat, k) => [k === 0 ? "" : k < seats.length - 1 ? ", " : " and ", named(seat)]);

function headline(asked, mine) {
  if (!asked.length) return ["The table is at rest"];
  if (asked.length > 1) return listedNames(asked);
  return mine ? ["Your turn, ", named(asked[0])] : [named(asked[0]), "’s turn"];
}

/** Let the letters of a node shrink, within bounds, until its longest word fits its line (`--longest`), and
 *  where that is asked for all of its words do (`--letters`). */
function keepWordsWhole(node) {
  node.style.setProperty("--longest", Math.max(...node.textContent.split(/[\s-]+/).map((word) => word.length)));
  node.style.setProperty("--letters", node.textContent.length);
}

/** The moment of a win: who has won, with their flags, before rays of light. */
function wonCard(table, me) {
  const first = table.seats.filter(({ seat }) => table.winners.includes(seat));
  const [one, ...others] = first;
  const title = h("h1", {}, ...(others.length ? [...listedNames(first), " win"] : one.seat === me ? ["You win, ", named(one)] : [named(one), " wins"]));
  keepWordsWhole(title);
  return h("div", { class: "turn won-card" },
    h("div", { class: "turn-badge" }, badge(first.flatMap((seat) => seat.colours).slice(0, 3))),
    h("div", { class: "turn-words" },
      h("p", { class: "kicker" }, "The battle is over"),
      title),
    h("p", { class: "result" }, ...cited(table.result)));
}

/** The headline: whose turn, what is awaited. */
export function turnCard(table, me, ring) {
  const asked = table.seats.filter((seat) => seat.asked);
  const mine = asked.some((seat) => seat.seat === me);
  if (table.over && table.winners.length) return wonCard(table, me);
  const title = h("h1", {}, ...(table.over ? ["The battle is over"] : headline(asked, mine)));
  keepWordsWhole(title);
  const sign = ringOfLight(ring);
  return [
    h("div", { class: mine ? "turn mine" : "turn" },
      h("div", { class: "turn-badge" }, asked.length ? badge(asked.flatMap((seat) => seat.colours).slice(0, 2)) : null),
      h("div", { class: "turn-words" },
        title,
        h("p", {}, ...cited(table.over ? table.result : table.pending))),
      sign),
  ];
}

/** What so many are called: 1 "ship left", 2 "ships left". */
const calledSo = (count, unit) => (count === 1 ? unit.replace(/^(\w*[^\Ws])s\b/, "$1") : unit);

const counted = (count, unit) => `${count} ${calledSo(count, unit)}`;

/** The scores of a captain in words: "3 doubloons", "0 captured, 3 ships left". */
const scoreWords = (seat) => Object.entries(seat.scores).map(([unit, count]) => counted(count, unit)).join(", ");

/** Doubloons as coins; what else is counted in words. */
function score(seat) {
  if ("infamy" in seat.scores) return [String(seat.scores.infamy), h("span", { class: "skull-sign", "aria-hidden": "true" }, "☠")];
  if ("doubloons" in seat.scores) return [h("span", { class: "doubloon", "aria-hidden": "true" }), String(seat.scores.doubloons)];
  return [h("span", { class: "counted" }, ...Object.entries(seat.scores).map(([unit, count]) =>
    h("span", {}, h("b", {}, String(count)), ` ${calledSo(count, unit)}`)))];
}

const sail = () => s("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" }, s("path", { d: "M9 2V13H3L9 2ZM11 5L16 13H11ZM2 15H18L15 19H5Z" }));

/** The ships of a captain, small; that there is none is worth a word once all are placed. Where other things
 *  are counted as well they are a number among numbers. */
function ships(seat, isPlaced, isCounted) {
  if (!seat.ships && !isPlaced) return "";
  if (isCounted) return h("span", { class: "ships" }, sail(), String(seat.ships));
  return h("span", { class: seat.ships ? "ships" : "ships none" },
    ...Array.from({ length: Math.min(seat.ships, 6) }, sail),
    seat.ships ? null : "none at sea");
}

/** What a captain has won, once the battle is over, or "". */
const prize = ({ over, winners }, seat) => (!over || !winners.includes(seat.seat) ? "" : winners.length > 1 ? "first" : "winner");

/** Whether a captain has lost every ship. Nobody has while ships are placed, nor when all is over. */
function isOut({ over, round }, seat) {
  const afloat = seat.scores["ships left"] ?? seat.ships; // some may wait in the harbour
  return round > 0 && !over && seat.colours.length > 0 && afloat === 0;
}

/** What flags, small ships and coins show, for those who hear it. */
function spoken(seat, mine, won) {
  const facts = [scoreWords(seat), counted(seat.ships, "ships"), seat.asked && "on turn", won === "first" ? "first place" : won, mine && "you"];
  return `${fleetNames(seat.colours) || "no fleet yet"}: ${facts.filter(Boolean).join(", ")}`;
}

/** The list of captains; changes of their doubloons float up once. */
export class Scores {
  constructor(node) {
    this.node = node;
    this.rows = new Map();
    this.last = "";
  }

  /** Show the captains; `onLook(seat)` is called when one is tapped, where there is more to see. */
  show(table, me, onLook = null) {
    this.onLook = onLook;
    this.node.classList.toggle("many", table.seats.length > 4);
    const names = JSON.stringify([Boolean(onLook), ...table.seats.map((seat) => [seat.seat, seat.name])]);
    if (names !== this.last) {
      this.last = names;
      this.rows.clear();
      this.node.replaceChildren(...table.seats.map((seat) => this.#row(seat)));
    }
    for (const seat of table.seats) this.#update(seat, { mine: seat.seat === me, won: prize(table, seat), out: isOut(table, seat), isPlaced: table.round > 0 });
  }

  #row(seat) {
    // Cut short by itself if it must be; a name may be written from right to left.
    const called = h("span", { class: "called", dir: "auto" }, seat.name);
    keepWordsWhole(called);
    const row = {
      node: h("li", { class: "captain" }),
      flag: h("span", { class: "flag" }),
      name: h("span", { class: "name" }, this.onLook
        ? h("button", { type: "button", class: "look", on: { click: () => this.onLook?.(seat.seat) } }, called)
        : called, h("span", { class: "you", "aria-hidden": "true" }, "you")),
      words: h("span", { class: "sr" }),
      ships: h("span", { "aria-hidden": "true" }),
      coins: h("strong", { class: "coins", "aria-hidden": "true" }),
      key: "",
      count: null,
    };
    row.node.append(row.flag, row.name, row.words, row.ships, row.coins);
    this.rows.set(seat.seat, row);
    return row.node;
  }

  #update(seat, { mine, won, out, isPlaced }) {
    const row = this.rows.get(seat.seat);
    const key = JSON.stringify([seat, mine, won, out, isPlaced]);
    if (key === row.key) return;
    row.key = key;
    const [count = 0] = Object.values(seat.scores);
    row.flag.replaceChildren(badge(seat.colours));
    const ranked = "infamy" in seat.scores; // one ship each, and points that everybody counts
    row.node.classList.toggle("ranked", ranked);
    const wordy = !("doubloons" in seat.scores || ranked);
    row.ships.replaceChildren(
      won && h("span", { class: "won" }, won),
      ranked || (won && !seat.ships) ? "" : ships(seat, isPlaced, wordy));
    row.node.classList.toggle("asked", seat.asked);
    row.node.classList.toggle("mine", mine);
    row.node.classList.toggle("out", out);
    row.node.classList.toggle("first", won !== "");
    row.coins.replaceChildren(...score(seat));
    row.node.classList.toggle("wordy", wordy);
    row.words.textContent = spoken(seat, mine, won);
    if (row.count !== null && row.count !== count) this.#float(row, count - row.count);
    row.count = count;
  }

  #float(row, difference) {
    const sign = difference > 0 ? `+${difference}` : `−${-difference}`;
    const mark = h("span", { class: difference > 0 ? "gain" : "loss", "aria-hidden": "true" }, sign);
    row.coins.append(mark);
    const stay = calm() ? 2500 : 1800;
    setTimeout(() => mark.remove(), stay);
  }
}
