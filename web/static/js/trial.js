// A die on trial: the page is asked for anew after every roll, and tells what the camera could not read.

import { Refusal, answerThrow, beginTrial, dismissThrow, endTrial, getMoment, goOnWithTrial, takeBack, tellThrow } from "./api.js";
import { byId } from "./dom.js";
import { keepAwake, lamp } from "./live.js";
import { ring, switchSound } from "./sound.js";

const POLL_MS = 500;

/** Where a choice is on the page, also on a newer one. */
const placeOf = (input) => `form[data-roll="${input.form.dataset.roll}"] input[name="${input.name}"][value="${input.value}"]`;

const moment = () => byId("trial").dataset.moment;

/** Put the newest page in the place of this one; what was chosen or unfolded by now stays so. */
async function refresh() {
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("trial");
  const old = byId("trial");
  if ("read" in fresh.dataset !== "read" in old.dataset) { // begun or ended: another page altogether
    location.reload();
    return;
  }
  for (const input of old.querySelectorAll("form[data-roll] input:checked")) {
    const now = fresh.querySelector(placeOf(input));
    if (now) now.checked = true;
  }
  const open = old.querySelector("article details")?.open ?? false;
  for (const details of fresh.querySelectorAll("article details")) details.open = open;
  for (const details of old.querySelectorAll("details[data-keep]")) fresh.querySelector(`details[data-keep="${details.dataset.keep}"]`).open = details.open;
  const held = focused(old);
  old.replaceWith(fresh);
  if (held) fresh.querySelector(held)?.focus({ preventScroll: true });
  ring(Number(fresh.dataset.read) > Number(old.dataset.read), Number(fresh.dataset.asked) > Number(old.dataset.asked));
}

/** Where the focus is, also on a newer page; null if that is nowhere. */
function focused(page) {
  const held = document.activeElement;
  if (!page.contains(held)) return null;
  if (held.form?.dataset.roll && held.name) return placeOf(held);
  if (held.classList.contains("face")) return `.face[value="${held.value}"]`;
  return held.id ? `#${held.id}` : null;
}

async function look() {
  try {
    if ((await getMoment()).moment !== moment()) await refresh();
    lamp(true);
  } catch {
    lamp(false);
  }
}

/** Tell the table something; what it says to that stands in `place`, unless it is well. */
async function tell(place, say) {
  place.textContent = "";
  try {
    await say();
    await look();
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    place.textContent = refusal.message;
  }
}

const chosen = (form) => [...form.querySelectorAll("input:checked")].map(({ value }) => Number(value));

function begin(form) {
  const { kind, look: one, wanted, at_once, captain } = form.elements;
  return beginTrial({ kind: kind.value, look: one.value, wanted: wanted.valueAsNumber, at_once: at_once.valueAsNumber, captain: captain.value });
}

document.addEventListener("submit", (event) => {
  event.preventDefault();
  const form = event.target;
  const place = form.querySelector(".said-no");
  if (form.id === "begin") tell(place, () => begin(form));
  else if (form.dataset.roll === "told") tell(place, () => tellThrow(moment(), chosen(form)).then(() => form.reset()));
  else tell(place, () => answerThrow(Number(form.dataset.roll), chosen(form)));
});

document.addEventListener("click", ({ target }) => {
  if (target.id === "sound") switchSound(target);
  if (target.id === "back") tell(byId("back-answer"), () => takeBack(moment()));
  if (target.id === "end") tell(byId("end-answer"), () => endTrial());
  if (target.classList.contains("go-on")) tell(target.closest("li").querySelector(".said-no"), () => goOnWithTrial(target.value));
  if (target.classList.contains("face")) tell(target.closest("details").querySelector(".said-no"), () => tellThrow(moment(), [Number(target.value)]));
  if (target.classList.contains("dismiss")) {
    const form = target.closest("form");
    tell(form.querySelector(".said-no"), () => dismissThrow(Number(form.dataset.roll)));
  }
});
// Small pictures of dice that nobody has kept.
document.addEventListener("error", ({ target }) => target instanceof HTMLImageElement && target.remove(), true);

document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && look());
keepAwake();
(async function follow() {
  for (;;) {
    await look();
    await new Promise((go) => setTimeout(go, POLL_MS));
  }
})();
