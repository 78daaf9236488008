// Taking a seat: the phone remembers it and takes it again after a restart of the table.

import { command, getMe } from "./api.js";
import { h } from "./dom.js";
import { badge } from "./fleet.js";
import { keep, recall } from "./memory.js";
import { sheet } from "./sheet.js";

const KEY = "quarterdeck-seat";

/** Sit down (a seat's number, "host" or null for watching) and remember it. */
export async function sit(place, table) {
  const answer = await command("take_seat", { seat: place });
  remember(place, table);
  return answer.place;
}

function remember(place, table) {
  const name = table.seats.find((seat) => seat.seat === place)?.name ?? null;
  keep(KEY, { place, name, game: table.game });
}

/** This phone was put off its seat: it does not sit down there again by itself. */
export const standUp = (table) => remember(null, table);

/** Where this phone sits. Sits down again where it remembers to have sat, if that seat still is.
 *  Returns {place, chosen}: `chosen` is false for a phone that has never said what it wants. */
export async function findPlace(table) {
  const { place } = await getMe();
  const memory = recall(KEY, null);
  if (place !== "watch") return { place, chosen: true };
  if (memory === null) return { place, chosen: false };
  if (memory.place === null) return { place, chosen: memory.game === table.game };
  // In a new game the same captain may sit elsewhere.
  const seat = memory.place === "host" ? "host" : table.seats.find(({ name }) => name === memory.name)?.seat;
  const taken = seat === undefined ? "watch" : await sit(seat, table).catch(() => "watch");
  return { place: taken, chosen: taken !== "watch" };
}

/** Let people choose who holds this phone; returns the sheet, whose `follow(table)` hears who sits down
 *  meanwhile. `onSit(place)` is called when they have chosen. */
export function chooseSeat(table, me, onSit, onRefusal, onClose) {
  const take = (place) => async () => {
    open.close();
    try {
      onSit(await sit(place, table));
    } catch (refusal) {
      onRefusal(refusal);
    }
  };
  /** For the host: a phone is gone, another shall sit there. */
  const free = ({ seat, name }) => h("button", { type: "button", class: "seat other", on: { click: async () => {
    open.close();
    await command("free_seat", { taken: seat }).catch(onRefusal);
  } } }, h("span", {}, `Free the seat of ${name}`), h("small", {}, "its phone is gone; everybody is told"));
  const who = (seat) => seat.seat === me ? "this phone" : seat.taken ? "has a phone already" : "";
  const holders = table.seats.map((seat) => h("small", {}, who(seat)));
  const open = sheet("Who holds this phone?", [
    h("div", { class: "seats" },
      ...table.seats.map((seat, k) =>
        h("button", { type: "button", class: "seat", on: { click: take(seat.seat) } },
          badge(seat.colours),
          h("span", { dir: "auto" }, seat.name),
          holders[k]))),
    h("button", { type: "button", class: "seat other", on: { click: take(null) } },
      h("span", {}, "I only watch")),
    h("button", { type: "button", class: "seat other", on: { click: take("host") } },
      h("span", {}, "One phone for the whole table"),
      h("small", {}, "speaks for every captain")),
    ...(me === "host" ? table.seats.filter(({ taken }) => taken).map(free) : []),
  ], { onClose });
  const follow = ({ seats }) => seats.forEach((seat, k) => { holders[k].textContent = who(seat); });
  return { ...open, follow };
}
