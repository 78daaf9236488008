// "Tell the table": all a captain may say now, so that a game can be played without any camera.
// The same sheet picks what really happened when a line of the log is put right (sources.js).

import { h } from "./dom.js";
import { actorOf, actorsOf, groupList, groupsOf, leadTo, namedValue } from "./groups.js";
import { diceRows, focusOn, keepFocus, kindsOf, matterOf, stageOf, tabs, tally, valueRow, whoseTurn } from "./narrowing.js";
import { asRead, facets, fieldsOf, narrow, poseOf } from "./offers.js";
import { refusalCard } from "./question.js";
import { focusOnBoard } from "./roving.js";
import { confirm, sheet } from "./sheet.js";
import { manyDice, movedPieces, placesBoard, tappedBoard } from "./shown.js";
import { shares } from "./steppers.js";

const FEW = 6; // so many answers need no narrowing
const CHANCE = -1; // the player of rolls and draws
const MOST_SHOWN = 12; // more answers than this are narrowed down first

/** The sheet with the offers of a source. `piece` is the one to begin with, where choices are told
 *  ship by ship; `speaks()` says whether this phone speaks for whoever is asked, `onRefusal(refusal)` shows
 *  what the rules object to. */
export class Teller {
  constructor({ source, geometry, table, piece = null, speaks, onRefusal }) {
    this.source = source;
    this.speaks = speaks;
    this.geometry = geometry;
    const names = new Map((geometry?.cells ?? []).map(({ id, name }) => [id, name]));
    this.cellName = (id) => names.get(id) ?? id;
    this.table = table;
    this.layout = table.layout;
    this.onRefusal = onRefusal;
    this.open = null;
    this.version = null;
    this.drawn = ""; // what the sheet shows
    this.whose = null; // who is asked by what it shows
    this.asked = 0; // counts questions: an answer to one before the last comes too late
    this.offers = [];
    this.faces = [];
    this.dice = []; // as they were read, of a roll that is put right
    this.total = 0;
    this.groups = [];
    this.piece = piece;
    this.stays = null; // what was told and the stage it was told at: the sheet stays open until that is past
    this.told = 0; // the version that came of what was told last
    this.type = null;
    this.picked = {};
  }

  /** Open the sheet and ask for the offers. */
  async show() {
    this.said = h("p", { class: "said", role: "status", hidden: true });
    this.results = h("div", { class: "results" });
    this.heard = h("p", { class: "sr", "aria-live": "polite" });
    this.filters = h("div", { class: "filters" });
    this.asks = h("p", { class: "small asks" }); // the page that says it lies below
    this.chart = h("div", { class: "told-board" });
    this.head = h("div", { class: "told-head" });
    this.list = h("div", { class: "told-list" });
    this.search = h("input", { type: "search", placeholder: "Search", "aria-label": "Search", on: { input: () => (this.groups.length ? this.#draw() : this.#drawResults(this.#pool())) } });
    this.open = sheet(this.source.title, [this.source.seen, this.said, this.heard, this.asks, this.chart, this.head, this.search, this.list], { wide: true, onClose: () => { this.open = null; } });
    this.open.body.addEventListener("click", () => { this.said.hidden = true; }, true); // whatever is chosen next
    this.list.replaceChildren(h("p", { class: "note", role: "status" }, "Asking the table …"));
    await this.#load();
  }

  /** A new moment came: ask again if the game went on. One of the version that was asked about, or of
   *  an older one than the answer, is no reason to: the list would be drawn anew under a finger. */
  async follow(table) {
    if (table.version > this.told) this.said.hidden = true;
    if (!this.open || table.version <= (this.version ?? this.table.version)) return;
    Object.assign(this, { table, layout: table.layout });
    await this.#load();
  }

  async #load() {
    const mine = ++this.asked;
    try {
      const { version = null, offers, faces = [], dice = [], total = 0, layout = this.layout } = await this.source.load();
      if (mine !== this.asked || !this.open) return; // somebody closed it meanwhile
      Object.assign(this, { version, layout, offers, faces, dice, total });
    } catch (refusal) {
      if (mine !== this.asked) return;
      this.open?.close();
      this.onRefusal(refusal);
      return;
    }
    this.groups = this.source.isNow && (this.offers.length > FEW || this.table.measured) ? groupsOf(this.offers, this.table) : [];
    if (this.stays && (this.stays.stage !== stageOf(this.stays.offer, this.table) || !this.offers.length)) {
      this.open?.close(); // nothing more is to be done
      return;
    }
    this.asks.textContent = this.source.isNow ? this.table.pending : "";
    const matter = matterOf(this);
    if (this.drawn === matter) return;
    this.drawn = matter;
    const whose = whoseTurn(this.table);
    // Another captain's choices begin at the top, and so does what is chosen on a board of cells.
    if (whose !== this.whose || (this.stays && actorOf(this.stays.offer) === null)) this.open.node.scrollTop = 0;
    this.whose = whose;
    if (!this.groups.some(({ piece }) => piece === this.piece)) this.piece = null;
    this.picked = this.offers.length > FEW ? asRead(this.offers, this.dice) : {}; // fewer are a list
    this.#drawChart();
    this.#draw();
    keepFocus(this.open.node, this.piece);
  }

  /** The offers that are looked through: of the open group, of none, or all. */
  #pool() {
    if (!this.groups.length) return this.offers;
    if (this.piece === null) return [];
    return this.groups.find(({ piece }) => piece === this.piece).offers;
  }

  /** Open a group, or none; `leads`: the page goes there. It does not while a ship is dragged. */
  #openGroup(piece, leads = true) {
    this.piece = piece;
    this.picked = {};
    this.search.value = "";
    this.board?.point(piece === null ? [] : [piece]);
    this.#draw();
    if (leads) leadTo(this.list, piece);
  }

  #choose(type) {
    this.type = type;
    this.picked = {};
    this.search.value = "";
    this.#draw();
    this.filters.querySelector(".tabs [aria-pressed=true]")?.focus();
  }

  #pick(field, value, isOnBoard = false) {
    if (this.picked[field] === value || value === "") delete this.picked[field];
    else this.picked[field] = value;
    this.#draw();
    if (isOnBoard) focusOnBoard(this.filters);
    else focusOn(this.filters, field, value);
  }

  #draw() {
    const pool = this.#pool();
    this.types = kindsOf(pool, FEW);
    // What was typed while the answer was on its way still counts.
    if (!this.types.includes(this.type)) this.type = this.types[0] ?? null;
    const mine = narrow(pool, this.type, {}, "");
    const found = mine.length > FEW ? facets(mine.map(fieldsOf), this.picked) : [];
    // Cards differ in their names alone, moves in their places: they are listed and searched for, or
    // tapped on the board, not narrowed down.
    this.isList = !found.length || (found.length === 1 && found[0].kind === "value");
    const shown = this.isList ? [] : found;
    // Dice are tapped one by one, and nobody searches for a roll. Before the first a list says nothing.
    this.rolled = found.length === 1 && found[0].kind === "dice" ? found[0].field : null;
    if (this.rolled) this.search.value = "";
    this.search.hidden = (this.groups.length ? this.offers : mine).length <= FEW || this.#isShared() || this.rolled !== null;
    this.filters.replaceChildren(
      ...this.#dice(),
      ...(this.types.length > 1 ? [this.#tabs(pool)] : []),
      ...this.#boardFor(shown),
      ...shown.filter(({ field }) => field !== "to").map((facet) => this.#filter(facet, mine)), // tapped on the board alone
    );
    this.#drawList();
    this.#drawResults(pool);
    if (this.isDragged) this.#drawGoals(mine);
  }

  /** Choices that count until a number is named in all are asked with steppers. */
  #isShared() {
    return this.total > 0 && this.offers.length > 0;
  }

  /** The filters stand before the search, or within the ship that is open. */
  #drawList() {
    this.head.replaceChildren(...(this.groups.length || this.#isShared() ? [] : [this.filters]));
    if (this.#isShared()) {
      const failed = (refusal) => { this.open?.close(); this.onRefusal(refusal); };
      this.list.replaceChildren(shares(this.offers, this.total, () => this.open?.close(), failed));
      return;
    }
    if (!this.groups.length || this.search.value.trim()) {
      this.list.replaceChildren(this.results);
      return;
    }
    const loose = this.offers.filter((offer) => actorOf(offer) === null);
    this.list.replaceChildren(
      groupList(this.groups, this.piece, [this.filters, this.results], (piece) => this.#openGroup(piece)),
      h("div", { class: "results" }, ...loose.map((offer) => this.#button(offer, "offer"))));
  }

  /** Where pieces stand: to be dragged while a move is measured, else to be tapped. */
  #drawChart() {
    const found = ({ offers }) => this.dropped.replaceChildren(...offers.map((offer) => this.#button(offer, offers.length === 1 ? "offer strong" : "offer")));
    const failed = (refusal) => this.dropped.replaceChildren(refusalCard(refusal, null));
    this.isDragged = this.source.isNow && this.table.measured && this.geometry !== null && this.speaks();
    const tapped = (tag) => this.groups.some(({ piece }) => piece === Number(tag)) && this.#openGroup(Number(tag), !this.isDragged);
    this.dropped = h("div", { class: "results dropped", "aria-live": "polite" });
    this.board = null;
    if (this.isDragged) {
      // Where there are more places than a list holds, any ship of whoever is asked may be meant.
      const asked = this.table.sheets.filter(({ seat }) => this.table.seats[seat]?.asked).map(({ tag }) => tag);
      const acting = this.offers.length ? actorsOf(this.offers) : asked;
      // A ship that is lost in fog acts, but is not put down: the dice say where.
      const placed = this.offers.length ? actorsOf(this.offers.filter(({ action }) => poseOf(action))) : asked;
      const shown = movedPieces(this.geometry, this.table, acting, placed, { found, failed, tapped });
      this.board = shown.board;
      this.chart.replaceChildren(shown.node, this.dropped);
      return;
    }
    if (!this.groups.length || !this.geometry) {
      this.chart.replaceChildren();
      return;
    }
    const point = this.piece === null ? [] : [this.piece];
    this.board = tappedBoard(this, { label: "Tap a ship to see what she can do", aim: this.groups.map(({ piece }) => piece), point, tapped });
    this.chart.replaceChildren(this.board.svg);
  }

  /** Where the ship that is open, or the only one, usually goes. */
  #drawGoals(offers) {
    const goals = offers.map((offer) => ({ offer, tag: actorOf(offer), pose: poseOf(offer.action) })).filter(({ tag, pose }) => tag !== null && pose);
    this.board.ghosts(goals, ({ offer }) => this.dropped.replaceChildren(this.#button(offer, "offer strong")));
    this.dropped.replaceChildren();
  }

  /** A roll of more dice than any list holds is counted. */
  #dice() {
    if (this.offers.length || !this.faces.length) return [];
    return [manyDice(this.source.isNow ? this.table.awaits_roll : this.dice.map(({ kind }) => kind), this.faces, this.dice, {
      ask: this.source.shown, found: ({ offers }) => this.#offer(offers),
      failed: (refusal) => this.results.replaceChildren(refusalCard(refusal, null)),
      counting: () => this.#drawResults(this.#pool()),
    })];
  }

  #tabs(pool) {
    const count = (type) => pool.filter(({ action }) => action.type === type).length;
    const isCounted = pool.length > FEW && !this.isList;
    const kinds = this.types.map((type) => ({ type, action: pool.find(({ action }) => action.type === type).action, count: isCounted ? count(type) : null }));
    return tabs(kinds, this.type, (type) => this.#choose(type));
  }

  #filter(facet, offers) {
    const { field, kind } = facet;
    if (kind !== "dice") {
      return valueRow(facet, this.type, this.picked[field] ?? "", (value) => namedValue(field, value, this), (value) => this.#pick(field, value));
    }
    const possible = (dice) => narrow(offers, this.type, { ...this.picked, [field]: dice }, "").length > 0;
    const shown = { picked: this.picked[field] ?? [], size: offers[0].action[field].length, possible };
    return diceRows(facet, this.type, shown, this.source.isNow, (dice, tapped) => {
      if (dice.length) this.picked[field] = dice;
      else delete this.picked[field];
      this.#draw();
      focusOn(this.filters, field, tapped);
    });
  }

  #boardFor(shown) {
    const places = shown.filter(({ kind }) => kind === "cell");
    return places.length && this.geometry ? placesBoard(this, places, (field, value) => this.#pick(field, value, true)) : [];
  }

  #drawResults(pool) {
    // What is searched for may be of any ship.
    const query = this.search.value;
    const everywhere = this.groups.length > 0 && query.trim() !== "";
    const found = narrow(everywhere ? this.offers : pool, everywhere ? null : this.type, everywhere ? {} : this.picked, query);
    this.heard.textContent = this.results.isConnected ? tally(found, this) : "";
    if (!found.length || (found.length > MOST_SHOWN && !this.isList)) {
      this.results.replaceChildren(h("p", { class: found.length ? "small" : "note" }, tally(found, this), found.length && !this.rolled ? " Choose above, or search." : null));
      return;
    }
    if (this.rolled && !(this.rolled in this.picked)) this.results.replaceChildren();
    else this.#offer(found);
  }

  #offer(found) {
    const single = found.length === 1;
    this.results.replaceChildren(...found.map((offer) => this.#button(offer, single ? "offer strong" : "offer")));
    if (single) this.results.scrollIntoView({ block: "nearest" });
  }

  #button(offer, look) {
    return h("button", { type: "button", class: look, on: { click: () => this.#tell(offer) } }, offer.text, offer.printed ? h("small", {}, offer.printed) : null);
  }

  /** Tell it. While ships have more to do, or dice are left, the sheet stays and says what was told, until
   *  that is past; a roll ends what was waited for. */
  async #tell(offer) {
    if (this.source.isNow && offer.loss && !(await confirm("Is that meant?", `${offer.text}: ${offer.loss}.`, "So be it"))) return;
    this.stays = this.source.isNow && offer.action.player !== CHANCE ? { offer, stage: stageOf(offer, this.table) } : null;
    if (!this.stays) this.open?.close();
    try {
      this.told = await this.source.send(offer);
      this.said.textContent = `Told: ${offer.text}`;
      this.said.hidden = this.table.version > this.told;
    } catch (refusal) {
      this.open?.close();
      this.onRefusal(refusal);
    }
  }
}
