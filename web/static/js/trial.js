// A die that is rolled again and again: the page is asked for anew after every roll, and tells what
// the camera could not read.

import { Refusal, answerThrow, getVersion, dismissThrow, takeBack } from "./api.js";
import { byId } from "./dom.js";
import { keepAwake, lamp } from "./live.js";

const POLL_MS = 1000;

/** Where a choice is on the page, also on a newer one. */
const placeOf = (input) => `form[data-roll="${input.form.dataset.roll}"] input[name="${input.name}"][value="${input.value}"]`;

/** Put the newest page in the place of this one; what was chosen by now stays chosen. */
async function refresh() {
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("trial");
  for (const input of document.querySelectorAll("form input:checked")) {
    const now = fresh.querySelector(placeOf(input));
    if (now) now.checked = true;
  }
  const open = document.querySelector("article details")?.open ?? false;
  for (const details of fresh.querySelectorAll("article details")) details.open = open;
  const held = document.activeElement?.form ? placeOf(document.activeElement) : null;
  byId("trial").replaceWith(fresh);
  if (held) fresh.querySelector(held)?.focus({ preventScroll: true });
}

async function look() {
  try {
    const { version } = await getVersion();
    if (String(version) !== byId("trial").dataset.version) await refresh();
    lamp(true);
  } catch {
    lamp(false);
  }
}

/** Tell the table something; what it says to that stands in `place`, unless it is well. */
async function tell(place, say) {
  try {
    await say();
    await look();
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    place.textContent = refusal.message;
  }
}

document.addEventListener("submit", (event) => {
  event.preventDefault();
  const form = event.target;
  const faces = [...form.querySelectorAll("input:checked")].map(({ value }) => Number(value));
  tell(form.querySelector(".said-no"), () => answerThrow(Number(form.dataset.roll), faces));
});
document.addEventListener("click", ({ target }) => {
  if (target.id === "back") tell(byId("back-answer"), () => takeBack(Number(target.dataset.version)));
  if (!target.classList.contains("dismiss")) return;
  const form = target.closest("form");
  tell(form.querySelector(".said-no"), () => dismissThrow(Number(form.dataset.roll)));
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
