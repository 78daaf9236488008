// The menu of a phone, and what hangs on it: other pages, what the table decides, a new battle.

import { getMe } from "./api.js";
import { h } from "./dom.js";
import { confirm, sheet } from "./sheet.js";
import { startForm } from "./start.js";

/** Open the menu. `table` may be null; `pickSeat()` asks who holds the phone, `tell(type, fields)` tells
 *  the table, `refused(refusal)` shows what went wrong. */
export function menu({ table, me, pickSeat, tell, refused }) {
  const item = (words, click) => h("button", { type: "button", on: { click: () => { open.close(); click(); } } }, words);
  const page = (words, href) => h("a", { href, on: { click: () => open.close() } }, words); // who comes back sees the table
  const group = (...items) => h("div", { class: "menu" }, ...items.filter(Boolean));
  const another = table && item("A new battle", () => newBattle(table, refused));
  const open = sheet("Quarterdeck", [
    group(
      table && item("Who holds this phone?", pickSeat),
      page("Show the code to join", "/join"),
      page("Big screen", "/screen")),
    group(
      page("The rules by their numbers", "/rules"),
      page("Are the dice fair?", "/dice"),
      page("Build a ship", "/ships")),
    group(
      page("Set up camera, tray and buttons", "/setup"),
      table?.asides.length && me === "host" && item("The table decides …", () => decide(table, tell)),
      another),
  ]);
  if (!another || me !== "watch") return;
  another.hidden = true; // who only watches leaves the battle to those who fight it
  getMe().then(({ opens }) => { another.hidden = !opens; }, () => null);
}

/** What the table may decide besides what is asked: the penalty for a cheat. */
function decide({ asides }, tell) {
  const open = sheet("The table decides", [
    h("p", { class: "small" }, "Somebody cheated? What all agree on is done at once and noted in the log."),
    ...asides.map((offer) => h("button", { type: "button", class: "offer", on: { click: () => { open.close(); sentence(offer, tell); } } }, offer.text)),
  ]);
}

async function sentence({ text, action }, tell) {
  if (await confirm("Do all agree?", text, "So be it", "No, mercy")) await tell("act", { action });
}

/** Open another battle with those who are at the table. */
export async function newBattle(table, refused) {
  if (!table.over && !(await confirm("Leave this battle?", "It stays in the record as it stands; a new one is opened for everybody.", "Open a new one"))) return;
  const form = h("div", { class: "start" });
  const open = sheet("A new battle", [form], { wide: true });
  const failed = (refusal) => {
    open.close();
    refused(refusal);
  };
  await startForm(form, () => open.close(), table.seats.map(({ name }) => name)).catch(failed);
}
