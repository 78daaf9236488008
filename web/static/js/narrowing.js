// What narrows a long list of offers down, drawn: kinds, values, dice.

import { die, dieWords, kindName } from "./dice.js";
import { h } from "./dom.js";
import { actorOf } from "./groups.js";
import { dieKey, fieldName, typeName, withDie } from "./offers.js";

const MOST_BUTTONS = 12; // more values than this make a drop-down list

const pressed = (isOn) => String(isOn);

/** The kinds among offers, to choose one of. None where there are `few` offers or less: all are listed
 *  then, and a kind would only hide the others. */
export const kindsOf = (offers, few) => (offers.length <= few ? [] : [...new Set(offers.map(({ action }) => action.type))]);

/** The kinds of things, one of them chosen: [{type, action, count}] with one of its actions; a
 *  count of null is not shown. */
export function tabs(kinds, chosen, onChoose) {
  return h("div", { class: "row tabs", role: "group", "aria-label": "What kind of thing?" },
    ...kinds.map(({ type, action, count }) =>
      h("button", { type: "button", "aria-pressed": pressed(type === chosen), on: { click: () => onChoose(type) } },
        typeName(type, action), count === null ? null : h("small", {}, String(count)))));
}

/** The values of a field; `nameOf(value)` says what people call one. */
export function valueRow({ field, kind, values }, type, chosen, nameOf, onPick) {
  const name = fieldName(field, type);
  const control = values.length > MOST_BUTTONS
    ? h("select", { "aria-label": name, on: { change: (event) => onPick(event.target.value) } },
        h("option", { value: "" }, kind === "cell" ? "tap the board, or choose" : "choose"),
        ...values.map((value) => h("option", { value, selected: value === chosen }, nameOf(value))))
    : h("div", { class: "row" },
        ...values.map((value) =>
          h("button", { type: "button", "data-value": value, "aria-pressed": pressed(value === chosen), on: { click: () => onPick(value) } }, nameOf(value))));
  return h("div", { class: "facet", role: "group", "aria-label": name, "data-field": field }, h("h3", {}, name), control);
}

/** Dice that are tapped as they lie in the tray, a row for each kind: {picked, size, possible}, those that
 *  were, how many were rolled, and whether some roll has them; `onSet(dice, tapped)` hears which die was
 *  tapped. Told anew (`isNow`), they are taken away by another tap; else those are there that were read. */
export function diceRows({ field, values }, type, { picked, size, possible }, isNow, onSet) {
  const name = fieldName(field, type);
  const parts = (text) => text.split(" ");
  const hint = isNow ? "Tap a die below to take it away again." : "Tap the die below that was misread, then what it shows.";
  const kinds = [...new Set(values.map((text) => parts(text)[0]))];
  const face = (text) => {
    const dice = withDie(picked, text, size, possible);
    return h("button", { type: "button", class: "die-button", "data-value": text, disabled: dice === null, on: { click: () => onSet(dice, text) } }, die(...parts(text)));
  };
  const rows = kinds.map((kind) => h("div", { class: "kind", role: "group", "aria-label": kindName(kind) },
    kinds.length > 1 ? h("h4", {}, `The ${kindName(kind)}`) : null,
    h("div", { class: "row dice" }, ...values.filter((text) => parts(text)[0] === kind).map(face))));
  return h("div", { class: "facet", role: "group", "aria-label": name, "data-field": field },
    h("h3", {}, name),
    ...rows,
    h("p", { class: "small" }, picked.length ? hint : "Tap the dice that lie in the tray."),
    h("div", { class: "row dice chosen" },
      ...picked.map((text, k) => h("button", { type: "button", class: "die-button", "aria-label": `Take away ${dieWords(...parts(text))}`, on: { click: () => onSet(picked.filter((_, at) => at !== k), text) } }, die(...parts(text))))));
}

/** All was drawn anew: the focus goes to where it was, the value that was pressed. */
export function focusOn(filters, field, value) {
  const controls = [...filters.querySelectorAll(`[data-field="${field}"] :is(button, select):enabled`)];
  (controls.find((control) => control.dataset.value === value) ?? controls[0])?.focus();
}

/** The answer that was chosen is gone from a sheet that stays: the focus goes to the ship it was of, else to
 *  the head of the sheet. */
export function keepFocus(node, piece) {
  if (node.contains(document.activeElement)) return;
  const place = node.querySelector(`[data-piece="${piece}"] h3 button`) ?? node.querySelector("h2");
  place.focus({ preventScroll: true });
}

/** What is said of the answers that are left. They are counted, not read out one by one; of a roll the
 *  dice that were tapped are. */
export function tally(found, teller) {
  if (found.length < 2) return found[0]?.text ?? silence(teller);
  const { rolled, picked } = teller;
  return rolled ? `${picked[rolled]?.length ?? 0} of ${found[0].action[rolled].length} dice.` : `${found.length} answers are possible.`;
}

const isSame = (some, others) => String([...some].sort()) === String([...others].sort());

/** What is said where no offer is left. */
function silence({ dice, faces, offers, picked, rolled, source, table }) {
  if (dice.length && (!offers.length || isSame(picked[rolled] ?? [], dice.map(dieKey)))) return "That is how it stands.";
  if (faces.length) return "Count the dice above.";
  if (!offers.length) {
    const asked = source.isNow ? table.seats.filter((seat) => seat.asked) : [];
    return `There is nothing to tell the table now${asked.length === 1 ? `: it is ${asked[0].name}’s turn` : ""}.`;
  }
  return Object.keys(picked).length ? "Nothing fits. Take a choice back." : "Nothing fits. Search for other words.";
}

/** Who is asked, to be compared. */
export const whoseTurn = ({ seats }) => String(seats.map(({ asked }) => asked));

/** Until when a sheet in which an offer was told has more to be told: its phase, where ships have orders;
 *  on a board of cells the captain's part of it. */
export const stageOf = (offer, table) => (actorOf(offer) === null ? `${table.phase} ${whoseTurn(table)}` : table.phase);

/** What a sheet of offers hangs on, to be compared. While it is the same, as when another captain sits
 *  down, what was chosen and counted so far stays. What is put right does not hang on how the game goes on. */
export function matterOf({ offers, faces, dice, total, layout, source, table }) {
  if (!source.isNow) return JSON.stringify([offers, faces, dice, layout]);
  const { phase, measured, sheets, seats, awaits_roll: rolls } = table;
  const asked = seats.map(({ name, asked: isAsked }) => [name, isAsked]);
  return JSON.stringify([offers, faces, total, layout, phase, measured, sheets, asked, rolls]);
}
