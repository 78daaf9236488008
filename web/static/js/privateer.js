// Privateer on a page: the captain's own ship and purse, dealing in a port, the Infamy ladder, prices.

import { getOffers } from "./api.js";
import { h, isOff, s, switchOff } from "./dom.js";
import { badge, fleet } from "./fleet.js";
import { coins, goodSign, hold, track } from "./goods.js";

const DEALS = ["trade", "outfit"]; // phases in which a captain deals in a port

function relics(list) {
  return list.map(({ title, text, infamy }) =>
    h("li", { class: "relic" }, h("strong", {}, title), infamy ? h("span", { class: "cite" }, ` ${infamy} ☠`) : null, h("small", {}, text)));
}

/** The ship board of one captain. `under(track)` may add a button below a track. */
function shipBoard(details, captain, under = () => null) {
  return [
    ...details.tracks.flatMap((one, k) => [track(one, captain.ranks[k], captain.values[k]), under(one)]).filter(Boolean),
    hold(captain.cargo, details.goods, captain.space),
    captain.relics.length ? h("ul", { class: "relics" }, ...relics(captain.relics)) : null,
  ].filter(Boolean);
}

/** What a captain's ship looks like to everybody, for a sheet. */
export function shipSheet(table, seat) {
  const captain = table.details.captains[seat];
  return [
    captain.title && h("p", {}, h("strong", {}, captain.title), h("br"), h("span", { class: "small" }, captain.text)),
    ...shipBoard(table.details, captain),
    captain.last && h("p", { class: "small" }, `Last port: ${captain.last}. There is no trade there before another port has been visited.`),
  ].filter(Boolean);
}

/** The bounty card drawn last, as the log tells it. */
function lastBounty(log) {
  for (const entry of [...log].reverse()) {
    if (entry.retracted) continue;
    const told = entry.consequences.map((line) => /^(.+) draws (.+?): (.+) \(PRV-21\)$/.exec(line)).find(Boolean);
    if (told) return { who: told[1], title: told[2], text: told[3] };
  }
  return null;
}

function bountyCard({ who, title, text }) {
  return h("div", { class: "bounty" }, h("p", { class: "small" }, `${who} drew`), h("h2", {}, title), h("p", {}, text));
}

/** Captains on the ladder of Infamy, from 0 to the goal. */
function ladder(table) {
  const { goal } = table.details;
  const x = (points) => 14 + (Math.max(0, Math.min(points, goal)) / goal) * 292;
  const stacks = new Map();
  const flags = table.seats.map((seat) => {
    const points = seat.scores.infamy ?? 0;
    const level = stacks.get(points) ?? 0;
    stacks.set(points, level + 1);
    return s("g", { transform: `translate(${x(points)} ${24 - level * 15})` },
      s("circle", { r: 8, fill: seat.colours.length ? fleet(seat.colours[0]).fill : "#5b6b75", class: "rung-flag" }),
      s("text", { y: 4, class: fleet(seat.colours[0] ?? "").dark ? "rung-letter dark" : "rung-letter" }, seat.colours.length ? fleet(seat.colours[0]).letter : seat.name[0]));
  });
  const high = Math.max(1, ...stacks.values()) - 1;
  const ticks = Array.from({ length: goal + 1 }, (_, k) => k);
  const words = table.seats.map((seat) => `${seat.name} ${seat.scores.infamy ?? 0}`).join(", ");
  return s("svg", { class: "ladder", viewBox: `0 ${14 - high * 15 - 2} 320 ${42 + high * 15}`, role: "img", "aria-label": `Infamy, first to ${goal}: ${words}` },
    s("path", { d: `M14 36H306`, class: "rung-line" }),
    ...ticks.map((k) => s("path", { d: `M${x(k)} ${k % 5 ? 34 : 31}V38`, class: "rung-tick" })),
    ...ticks.filter((k) => k % 5 === 0).map((k) => s("text", { x: x(k), y: 50, class: "rung-number" }, k === goal ? `${k} ☠` : String(k))),
    ...flags);
}

/** What every port sells and buys now. */
function priceTable(details, here) {
  const { ports, goods } = details;
  const head = ports.map(({ title, colour }, k) =>
    h("th", { scope: "col", class: k === here ? "here" : null, title }, h("span", { class: "port-name" }, title), h("span", { class: "port-flag" }, badge([colour]))));
  const cell = (card, k) => {
    if (!card) return h("td", {}, "");
    const [cost, gain] = [card.sells[k], card.buys[k]];
    if (cost !== null) return h("td", { class: "sells", "aria-label": `buy at ${cost}` }, `−${cost}`);
    if (gain !== null) return h("td", { class: "buys", "aria-label": `sell at ${gain}` }, `+${gain}`);
    return h("td", { class: "nothing" }, "·");
  };
  const rows = goods.map((good, k) =>
    h("tr", {}, h("th", { scope: "row" }, goodSign(good), h("span", {}, good)), ...ports.map(({ card }) => cell(card, k)), h("td", { class: "bank" }, String(details.bank[k]))));
  return h("div", { class: "price-scroll", tabindex: 0, role: "group", "aria-label": "Prices in every port" },
    h("table", { class: "prices" }, h("thead", {}, h("tr", {}, h("td"), ...head, h("th", { scope: "col", class: "bank" }, h("span", { class: "port-name" }, "bank")))), h("tbody", {}, ...rows)));
}

/** The card that was drawn last, if any. */
export function latest(table) {
  const bounty = lastBounty(table.log);
  return bounty && bountyCard(bounty);
}

/** What lies open on the table: ladder and prices. */
export function openPanel(table) {
  const { details } = table;
  return [
    ladder(table),
    priceTable(details, details.here),
    h("p", { class: "legend" }, h("span", { class: "sells" }, "−3: you buy for 3"), h("span", { class: "buys" }, "+7: you sell for 7"), h("span", {}, "in silver")),
  ];
}

/** A captain's own ship: purse, board, and dealing while it lies in a port. */
export class Deck {
  constructor(node, onDeal) {
    this.node = node;
    this.onDeal = onDeal;
    this.counts = new Map();
    this.offers = [];
    this.version = null;
    this.wanted = ""; // for whom and what moment offers were asked
    this.asking = null;
    this.table = null;
  }

  /** Show a new moment; `own` is what only this phone was sent. */
  async show(table, me, own) {
    const { details } = table;
    const asked = table.seats.find((seat) => seat.asked);
    const speaks = asked && (me === "host" || asked.seat === me || (me !== "watch" && !asked.taken));
    this.dealing = DEALS.includes(table.phase) && details.here !== null && Boolean(speaks);
    this.seat = this.dealing ? asked.seat : me;
    this.table = table;
    this.own = own && this.seat === me ? own : null;
    this.node.hidden = !details.captains[this.seat];
    if (this.dealing) await this.#ask(table.version, me);
    if (this.table === table) this.#draw();
  }

  /** What the button does that ends a turn. */
  get ending() {
    if (!this.dealing) return "Turn done";
    return this.table.phase === "outfit" ? "Outfit done" : "Leave port";
  }

  hide() {
    this.node.hidden = true;
    this.node.replaceChildren();
    this.drawn = "";
  }

  /** Ask once for each version. What was counted stays for as long as the same is on offer, as when
   *  another captain sits down. */
  #ask(version, me) {
    const wanted = `${version} ${me}`;
    if (this.wanted !== wanted) {
      this.wanted = wanted;
      this.asking = getOffers().catch(() => ({ offers: [] })).then(({ offers }) => {
        if (this.wanted !== wanted) return; // a newer one is on its way
        const actions = offers.map(({ action }) => action);
        if (JSON.stringify(actions) !== JSON.stringify(this.offers)) this.counts.clear();
        this.offers = actions;
        this.version = version;
      });
    }
    return this.asking;
  }

  #draw() {
    if (this.node.hidden) return;
    const { details, phase, seats } = this.table;
    const { name } = seats[this.seat]; // whoever sits down elsewhere changes nothing here
    const news = JSON.stringify([this.seat, name, this.dealing, this.own, details, phase, this.offers, [...this.counts]]);
    if (news === this.drawn) return;
    this.drawn = news;
    const focus = document.activeElement?.dataset?.deal;
    const captain = details.captains[this.seat];
    this.node.replaceChildren(...[
      h("div", { class: "deck-head" },
        h("div", {}, h("h2", {}, this.own ? "Your ship" : `${name}’s ship`), captain.title && h("p", { class: "small" }, captain.title)),
        this.own && h("div", { class: "purse", "aria-label": `Your purse: ${this.own.purse.gold} gold and ${this.own.purse.silver} silver; nobody else sees it` }, ...coins(this.own.purse))),
      this.dealing && this.#portCard(),
      ...shipBoard(details, captain, (one) => this.dealing && this.#upgrade(one)),
    ].filter(Boolean));
    if (focus) this.node.querySelector(`[data-deal="${focus}"]:not(:disabled)`)?.focus();
  }

  #portCard() {
    const { details } = this.table;
    const port = details.ports[details.here];
    const row = (type, good, price) => this.#dealRow(type, good, price);
    const sells = details.goods.map((good, k) => port.card.sells[k] !== null && row("buy", good, port.card.sells[k])).filter(Boolean);
    const outfit = this.table.phase === "outfit";
    const buys = outfit ? [] : details.goods.map((good, k) => port.card.buys[k] !== null && row("sell", good, port.card.buys[k])).filter(Boolean);
    const { name } = this.table.seats[this.seat];
    return h("div", { class: "port-card" },
      h("h3", {}, badge([port.colour]), port.title),
      this.own ? null : h("p", { class: "small" }, "What is in the purse of ", h("bdi", {}, name), " is not shown here: a deal that it cannot pay is refused."),
      h("h4", {}, "Sells"), ...sells,
      buys.length ? h("h4", {}, "Buys") : null, ...buys);
  }

  #most(type, good) {
    return Math.max(0, ...this.offers.filter((one) => one.type === type && one.good === good).map(({ count }) => count));
  }

  #dealRow(type, good, price) {
    const most = this.#most(type, good);
    const key = `${type}-${good}`;
    const count = Math.max(1, Math.min(this.counts.get(key) ?? 1, most));
    const action = this.offers.find((one) => one.type === type && one.good === good && one.count === count);
    const step = (by, sign) => {
      const button = h("button", {
        type: "button", class: "stepper", "data-deal": `${key}${sign}`, "aria-label": `${by > 0 ? "One more" : "One less"} ${good}`, disabled: !most,
        on: { click: () => { if (!isOff(button)) { this.counts.set(key, count + by); this.#draw(); } } },
      }, sign);
      switchOff(button, count + by < 1 || count + by > most);
      return button;
    };
    const total = count * price;
    const pay = type === "buy" ? this.own?.pay[total] : null;
    return h("div", { class: most ? "deal" : "deal none" },
      goodSign(good), h("span", { class: "deal-good" }, good, h("small", {}, `${price} silver`)),
      step(-1, "−"), h("strong", { class: "deal-count" }, String(most ? count : 0)), step(1, "+"),
      h("button", { type: "button", class: "deal-do", "data-deal": key, "aria-label": `${type === "buy" ? `Buy −${total}` : `Sell +${total}`}: ${count} ${good}`, disabled: !action, on: { click: () => this.onDeal(action, this.version) } },
        type === "buy" ? `Buy −${total}` : `Sell +${total}`),
      most && pay ? h("small", { class: "deal-pay" }, pay) : null);
  }

  #upgrade({ id, title, prices }) {
    const action = this.offers.find((one) => one.type === "upgrade" && one.track === id);
    if (!action) return null;
    const rank = this.table.details.captains[this.seat].ranks[this.table.details.tracks.findIndex((one) => one.id === id)];
    const price = prices[rank];
    const pay = this.own?.pay[price];
    return h("button", { type: "button", class: "upgrade", "data-deal": `up-${id}`, on: { click: () => this.onDeal(action, this.version) } },
      `Upgrade ${title} for ${price}`, pay ? h("small", {}, pay) : null);
  }
}
