// "Tell the table": all a captain may say now, so that a game can be played without any camera.
// The same sheet picks what really happened when a line of the log is put right.

import { command, getAlternatives, getOffers } from "./api.js";
import { die } from "./dice.js";
import { h } from "./dom.js";
import { drawBoard } from "./drawing.js";
import { facets, fieldName, isCell, narrow, typeName, valueName } from "./offers.js";
import { refusalCard } from "./question.js";
import { sheet } from "./sheet.js";
import { manyDice, movedPieces } from "./shown.js";

const FEW = 6; // so many answers need no narrowing
const MOST_BUTTONS = 12; // more values than this make a drop-down list
const MOST_SHOWN = 12; // more answers than this are narrowed down first

/** What may be told now: {load(), send(offer)}. */
export function nowOffers() {
  let version = null;
  return {
    title: "Tell the table",
    shows: true,
    load: async () => {
      const found = await getOffers();
      version = found.version;
      return found;
    },
    send: ({ action }) => command("act", { action, version }),
  };
}

/** What may have happened instead of a line of the log. */
export function insteadOf(entry) {
  return {
    title: "What was it really?",
    load: () => getAlternatives(entry.seq),
    send: ({ action }) => command("correct", { seq: entry.seq, action }),
  };
}

/** The sheet with the offers of a source. `onRefusal(refusal)` shows what the rules object to. */
export class Teller {
  constructor({ source, geometry, table, onRefusal }) {
    this.source = source;
    this.geometry = geometry;
    const names = new Map((geometry?.cells ?? []).map(({ id, name }) => [id, name]));
    this.cellName = (id) => names.get(id) ?? id;
    this.table = table;
    this.layout = table.layout;
    this.onRefusal = onRefusal;
    this.open = null;
    this.version = null;
    this.asked = false;
    this.offers = [];
    this.type = null;
    this.picked = {};
  }

  /** Open the sheet and ask for the offers. */
  async show() {
    this.results = h("div", { class: "results", "aria-live": "polite" });
    this.filters = h("div", { class: "filters" });
    this.search = h("input", { type: "search", placeholder: "Search", "aria-label": "Search", on: { input: () => this.#drawResults() } });
    this.open = sheet(this.source.title, [this.filters, this.search, this.results], {
      wide: true,
      onClose: () => { this.open = null; },
    });
    await this.#load();
  }

  /** A new moment came: ask again if the game went on. */
  async follow(table) {
    if (!this.open || table.version === this.version) return;
    this.table = table;
    this.layout = table.layout;
    await this.#load();
  }

  async #load() {
    try {
      const { version = null, offers, faces = [], layout = this.layout } = await this.source.load();
      this.version = version;
      this.layout = layout;
      this.offers = offers;
      this.faces = faces;
      this.asked = true;
    } catch (refusal) {
      this.open?.close();
      this.onRefusal(refusal);
      return;
    }
    this.types = [...new Set(this.offers.map(({ action }) => action.type))];
    // What was typed while the answer was on its way still counts.
    this.#choose(this.types[0] ?? null, this.search.value);
  }

  #choose(type, query = "") {
    this.type = type;
    this.picked = {};
    this.search.value = query;
    this.#draw();
  }

  #pick(field, value) {
    if (this.picked[field] === value || value === "") delete this.picked[field];
    else this.picked[field] = value;
    this.#draw(field);
  }

  #draw(focusField = null) {
    const mine = this.offers.filter(({ action }) => action.type === this.type);
    const found = mine.length > FEW ? facets(mine.map(({ action }) => action), this.picked) : [];
    // Cards differ in their names alone: they are listed and searched for, not narrowed down.
    this.isList = found.length === 1 && found[0].kind === "value";
    const shown = this.isList ? [] : found;
    this.search.hidden = mine.length <= FEW;
    this.filters.replaceChildren(
      ...this.#showing(),
      ...(this.types.length > 1 ? [this.#tabs()] : []),
      ...this.#boardFor(shown),
      ...shown.map((facet) => (facet.kind === "dice" ? this.#composer(facet, mine) : this.#row(facet))),
    );
    if (focusField) this.filters.querySelector(`[data-field="${focusField}"] [aria-pressed=true], [data-field="${focusField}"] button, [data-field="${focusField}"] select`)?.focus();
    this.#drawResults();
  }

  /** Instead of choosing: show where a piece stands now, or count a roll of many dice. */
  #showing() {
    const found = ({ offers }) => this.#offer(offers);
    const failed = (refusal) => this.results.replaceChildren(refusalCard(refusal, null));
    if (this.source.shows && this.table.measured) return [movedPieces(this.geometry, this.layout, found, failed)];
    if (this.source.shows && !this.offers.length && this.faces.length) {
      return [manyDice(this.table.awaits_roll, this.faces, found, failed)];
    }
    return [];
  }

  #tabs() {
    return h("div", { class: "row tabs", role: "group", "aria-label": "What kind of thing?" },
      ...this.types.map((type) =>
        h("button", { type: "button", "aria-pressed": String(type === this.type), on: { click: () => this.#choose(type) } }, typeName(type))));
  }

  #row({ field, kind, values }) {
    const name = fieldName(field, this.type);
    const chosen = this.picked[field] ?? "";
    const control = values.length > MOST_BUTTONS
      ? h("select", { "aria-label": name, on: { change: (event) => this.#pick(field, event.target.value) } },
          h("option", { value: "" }, kind === "cell" ? "tap the board, or choose" : "choose"),
          ...values.map((value) => h("option", { value, selected: value === chosen }, valueName(field, value, this.cellName))))
      : h("div", { class: "row" },
          ...values.map((value) =>
            h("button", { type: "button", "aria-pressed": String(value === chosen), on: { click: () => this.#pick(field, value) } }, valueName(field, value, this.cellName))));
    return h("div", { class: "facet", role: "group", "aria-label": name, "data-field": field }, h("h3", {}, name), control);
  }

  #composer({ field, values }, offers) {
    const picked = this.picked[field] ?? [];
    const set = (dice) => {
      if (dice.length) this.picked[field] = dice;
      else delete this.picked[field];
      this.#draw(field);
    };
    const drawn = (text) => die(...text.split(" "));
    const possible = (text) => narrow(offers, this.type, { ...this.picked, [field]: [...picked, text] }, "").length > 0;
    return h("div", { class: "facet", role: "group", "aria-label": fieldName(field, this.type), "data-field": field },
      h("h3", {}, fieldName(field, this.type)),
      h("div", { class: "row dice" },
        ...values.map((text) => h("button", { type: "button", class: "die-button", disabled: !possible(text), on: { click: () => set([...picked, text]) } }, drawn(text)))),
      h("p", { class: "small" }, picked.length ? "Tap a die below to take it away again." : "Tap the dice that lie in the tray."),
      h("div", { class: "row dice chosen" },
        ...picked.map((text, k) => h("button", { type: "button", class: "die-button", "aria-label": `Take away ${text}`, on: { click: () => set(picked.filter((_, at) => at !== k)) } }, drawn(text)))));
  }

  #boardFor(shown) {
    const places = shown.filter(({ kind }) => kind === "cell");
    if (!places.length || !this.geometry) return [];
    const next = places.find(({ field }) => !(field in this.picked)) ?? places[0];
    const board = drawBoard(this.geometry, { onCell: (id) => next.values.includes(id) && this.#pick(next.field, id) });
    board.show(this.layout);
    board.aim(next.values);
    const picked = places.map(({ field }) => this.picked[field]).filter((value) => value && isCell(value));
    board.point(picked);
    return [h("p", { class: "small" }, `${fieldName(next.field, this.type)} Tap the board or choose below.`), board.svg];
  }

  #drawResults() {
    const found = this.type === null ? [] : narrow(this.offers, this.type, this.picked, this.search.value);
    if (!found.length) {
      this.results.replaceChildren(h("p", { class: "note" }, this.#silence()));
      return;
    }
    if (found.length > MOST_SHOWN && !this.isList) {
      this.results.replaceChildren(h("p", { class: "small" }, `${found.length} answers are possible. Choose above, or search.`));
      return;
    }
    this.#offer(found);
  }

  #offer(found) {
    const single = found.length === 1;
    this.results.replaceChildren(
      ...found.map((offer) =>
        h("button", { type: "button", class: single ? "offer strong" : "offer", on: { click: () => this.#tell(offer) } }, offer.text)),
    );
    if (single) this.results.scrollIntoView({ block: "nearest" });
  }

  #silence() {
    if (!this.asked) return "Asking the table …";
    if (this.faces.length) return "Count the dice above.";
    return this.offers.length ? "Nothing fits. Take a choice back." : "There is nothing to tell the table now.";
  }

  async #tell(offer) {
    this.open?.close();
    try {
      await this.source.send(offer);
    } catch (refusal) {
      this.onRefusal(refusal);
    }
  }
}
