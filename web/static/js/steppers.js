// Naming many at one go: figures that fall, some of each kind, until the number is reached. The
// rules hear of them kind by kind; what is left over by itself is not told any more.

import { command, getOffers } from "./api.js";
import { h, isOff, switchOff } from "./dom.js";
import { valueName } from "./offers.js";

/** Offers that differ in how many they count, as rows: [{words, most, actions}], actions by count. */
function rowsOf(offers) {
  const rows = new Map();
  for (const { action } of offers) {
    const { count, type, player, ship, ...rest } = action;
    const key = JSON.stringify(rest);
    if (!rows.has(key)) rows.set(key, { words: Object.entries(rest).map(([field, value]) => valueName(field, String(value))).join(" · "), most: 0, actions: new Map() });
    const row = rows.get(key);
    row.most = Math.max(row.most, count);
    row.actions.set(count, action);
  }
  return [...rows.values()];
}

/** Tell actions one after the other, for as long as they are what the table asks for. */
async function tellAll(actions, total) {
  let left = total;
  for (const action of actions) {
    const { version, offers, total: asked } = await getOffers();
    const same = offers.some((offer) => JSON.stringify(offer.action) === JSON.stringify(action));
    if (asked !== left || !same) return;
    await command("act", { action, version });
    left -= action.count;
  }
}

/** Steppers for offers that count, until `total` are named; `done()` or `failed(refusal)`. */
export function shares(offers, total, done, failed) {
  const rows = rowsOf(offers);
  const chosen = rows.map(() => 0);
  const named = () => chosen.reduce((sum, count) => sum + count, 0);
  const needed = Math.min(total, rows.reduce((sum, { most }) => sum + most, 0));
  const left = h("p", { class: "small", role: "status" });
  const go = h("button", { type: "button", class: "offer strong", on: { click: () => isOff(go) || tell() } }, "So be it");
  const drawn = rows.map((row, k) => {
    const step = (by) => { chosen[k] += by; draw(); };
    const most = () => { chosen[k] = Math.min(row.most, chosen[k] + needed - named()); draw(); };
    const words = h("button", { type: "button", class: "quiet", "aria-label": `As many as may be: ${row.words}`, on: { click: most } }, row.words, h("small", {}, `up to ${row.most}`));
    const fewer = h("button", { type: "button", "aria-label": `One fewer: ${row.words}`, on: { click: () => isOff(fewer) || step(-1) } }, "−");
    const more = h("button", { type: "button", "aria-label": `One more: ${row.words}`, on: { click: () => isOff(more) || step(1) } }, "+");
    const count = h("output", {});
    return { row, fewer, more, count, node: h("div", { class: "share", role: "group", "aria-label": row.words }, words, fewer, count, more) };
  });

  function draw() {
    drawn.forEach(({ row, fewer, more, count }, k) => {
      count.textContent = String(chosen[k]);
      switchOff(fewer, chosen[k] === 0);
      switchOff(more, chosen[k] >= row.most || named() >= needed);
    });
    left.textContent = `${named()} of ${needed} named.`;
    switchOff(go, named() !== needed);
  }

  async function tell() {
    switchOff(go, true);
    const actions = rows.map((row, k) => row.actions.get(chosen[k])).filter(Boolean);
    done();
    await tellAll(actions, total).catch(failed);
  }

  draw();
  return h("div", { class: "shares" }, ...drawn.map(({ node }) => node), left, go);
}
