// A die on trial: the page is asked for anew after every roll, and tells what the camera could not read.

import { Refusal, answerThrow, beginTrial, dismissThrow, endTrial, getMoment, getPage, goOnWithTrial, putThrowRight, takeBack, tellThrow } from "./api.js";
import { byId, calm, h } from "./dom.js";
import { keepAwake, lamp } from "./live.js";
import { refusalCard } from "./question.js";
import { sheet } from "./sheet.js";
import { ring, switchSound } from "./sound.js";

const POLL_MS = 500;
const AFTER_MS = 50; // a finger that was lifted becomes a click within this time
const TWICE_MS = 350; // a tap so soon after another one, at the same place, is no second one
const FINGER_PX = 24;
const PRESS_MS = 1000; // nobody presses longer; it may have ended unseen
const BUSY_MS = 8000; // so long after a tap people are taken to be about something there

const pause = (ms) => new Promise((go) => setTimeout(go, ms));

let isPressed = false; // a finger is down
let used = { id: "", timeStamp: -Infinity }; // the part of the page that was used last

// -- the newest page in the place of this one ----

/** Which trial a page shows; none is one, too. */
const trialOf = (page) => page.dataset.moment.split(" ")[0];

/** Put the newest page in the place of this one. Of the same trial, what was chosen or unfolded by now
 *  stays so, the focus where it is, and what people look at under their eyes. */
async function refresh() {
  const sent = new DOMParser().parseFromString(await getPage(location.pathname), "text/html");
  for (let waited = 0; isPressed && waited < PRESS_MS; waited += AFTER_MS) await pause(AFTER_MS); // else the tap were lost
  const fresh = sent.getElementById("trial");
  const old = byId("trial");
  document.title = sent.title;
  byId("sound").hidden = sent.getElementById("sound").hidden;
  if (trialOf(fresh) !== trialOf(old)) {
    old.replaceWith(fresh);
    turnTo(fresh);
    return;
  }
  for (const input of old.querySelectorAll("form[data-roll] input:checked")) {
    const now = fresh.querySelector(placeOf(input));
    if (now && !input.defaultChecked) now.checked = true; // what nobody chose may be another by now
  }
  const open = old.querySelector("article details")?.open ?? false;
  for (const details of fresh.querySelectorAll("article details")) details.open = open;
  for (const details of old.querySelectorAll("details[data-keep]")) {
    const now = fresh.querySelector(`details[data-keep="${details.dataset.keep}"]`);
    if (now) now.open = details.open; // who stood up meanwhile is shown none
  }
  const held = old.contains(document.activeElement) ? document.activeElement : null;
  const seen = underTheEyes(old);
  const before = seen?.getBoundingClientRect().top;
  old.replaceWith(fresh);
  const now = seen && byId(seen.id);
  if (now) scrollBy({ top: now.getBoundingClientRect().top - before, behavior: "instant" });
  if (held) (counterpart(held, fresh) ?? fresh.querySelector("h1")).focus({ preventScroll: true });
  tellChange(old, fresh);
}

/** A trial has begun, or has ended: there its verdict stands first among the earlier ones. */
function turnTo(page) {
  const earlier = page.querySelector("#earlier");
  if (earlier) earlier.scrollIntoView({ behavior: calm() ? "instant" : "smooth", block: "center" });
  else scrollTo(0, 0);
  page.querySelector("h1").focus({ preventScroll: true });
}

/** The part of the page that must stay where it is: in which a finger was just now, else the first. */
function underTheEyes(page) {
  const parts = [...page.children].filter((part) => part.id && isSeen(part));
  const isBusy = performance.now() - used.timeStamp < BUSY_MS;
  return (isBusy && parts.find(({ id }) => id === used.id)) || parts[0];
}

/** Whether something of a part can be seen below the head of the page. */
function isSeen(part) {
  const { top, bottom } = part.getBoundingClientRect();
  return bottom > document.querySelector(".top").offsetHeight && top < innerHeight;
}

/** Where a choice is on the page, also on a newer one. */
const placeOf = (input) => `form[data-roll="${input.form.dataset.roll}"] input[name="${input.name}"][value="${input.value}"]`;

/** What has the focus, on a newer page; nothing if it is gone. */
function counterpart(held, fresh) {
  if (held.form?.dataset.roll && held.name) return fresh.querySelector(placeOf(held));
  const all = (part) => [...(part?.querySelectorAll("a, button, summary, [tabindex]") ?? [])];
  const part = held.closest("main > [id]");
  return part ? all(byId(part.id))[all(part).indexOf(held)] : null;
}

/** Ring, and say to who cannot see it what has changed. */
function tellChange(old, fresh) {
  const isCounted = Number(fresh.dataset.read) > Number(old.dataset.read);
  const isAsked = Number(fresh.dataset.asked) > Number(old.dataset.asked);
  const words = (page, query) => [...page.querySelectorAll(query)].map((found) => found.textContent.trim()).join(", ");
  const notice = words(fresh, "#how-far .note");
  ring(isCounted, isAsked);
  const said = [
    isCounted && `${words(fresh, "#last b")}. ${words(fresh, "h1")}.`,
    notice !== words(old, "#how-far .note") && notice,
    isAsked && `${fresh.querySelector(".asked-throw h2").textContent}.`,
  ].filter(Boolean);
  if (said.length) byId("heard").textContent = said.join(" ");
}

let asking = Promise.resolve();

/** Look whether there is anything new; one look after the other. */
function look() {
  asking = asking.then(async () => {
    let isAlive = true;
    try {
      if ((await getMoment()).moment !== byId("trial").dataset.moment) await refresh();
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      isAlive = false;
    }
    lamp(isAlive);
    byId("lost").hidden = isAlive;
  });
  const mine = asking;
  asking = asking.catch(() => null); // a fault of the page: the next look may go well
  return mine;
}

// -- what people say ----

let heard = ""; // the moment that the table has told last, newer perhaps than the page
let isTelling = false;
let tap = { timeStamp: -Infinity };
let toldBy = tap; // the tap that told something last

/** What is known here of the trial: what the page shows, or what was told since then from here. */
function moment() {
  const shown = byId("trial").dataset.moment;
  const [trial, version] = shown.split(" ");
  const [ours, newer] = heard.split(" ");
  return ours === trial && Number(newer) > Number(version) ? heard : shown;
}

/** Whether a finger trembled, or a key is held: that is no second tap. */
function isTwice() {
  const before = toldBy;
  toldBy = tap;
  if (tap.timeStamp - before.timeStamp > TWICE_MS) return false;
  if (tap.detail === 0) return tap.target.textContent === before.target.textContent; // keys have no place
  return Math.hypot(tap.clientX - before.clientX, tap.clientY - before.clientY) < FINGER_PX;
}

/** Tell the table something, unless it is still about the last; what it says against that stays until
 *  the next. */
async function tell(say) {
  if (isTwice() || isTelling) return;
  isTelling = true;
  byId("trial").classList.add("telling");
  byId("refused").replaceChildren();
  try {
    heard = (await say()).moment;
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    byId("refused").replaceChildren(refusalCard(refusal, () => byId("refused").replaceChildren()));
  } finally {
    byId("trial").classList.remove("telling");
    isTelling = false;
    look();
  }
}

const chosen = (form) => [...form.querySelectorAll("input:checked")].map(({ value }) => Number(value));

function begin(form) {
  const { kind, look: one, wanted, at_once, captain } = form.elements;
  return beginTrial({ kind: kind.value, look: one.value, wanted: wanted.valueAsNumber, at_once: at_once.valueAsNumber, captain: captain.value });
}

async function tellAll(form) {
  const answer = await tellThrow(moment(), chosen(form));
  document.querySelector(".tell")?.reset(); // a newer one, perhaps
  return answer;
}

async function putRight(form) {
  const answer = await putThrowRight(moment(), Number(form.dataset.roll), chosen(form));
  const folded = document.querySelector(`details[data-keep="misread-${form.dataset.roll}"]`); // a newer one, perhaps
  if (folded) {
    folded.open = false;
    folded.closest("section").scrollIntoView({ behavior: "instant", block: "nearest" });
  }
  return answer;
}

document.addEventListener("submit", (event) => {
  event.preventDefault();
  const form = event.target;
  if (form.id === "begin") tell(() => begin(form));
  else if (form.dataset.roll === "told") tell(() => tellAll(form));
  else if (form.classList.contains("put-right")) tell(() => putRight(form));
  else tell(() => answerThrow(moment(), Number(form.dataset.roll), chosen(form)));
});

document.addEventListener("click", (event) => {
  tap = event;
  const { target } = event;
  if (target.id === "sound") switchSound(target);
  if (target.id === "back") tell(() => takeBack(moment()));
  if (target.id === "end") tell(() => endTrial(moment()));
  if (target.classList.contains("go-on")) tell(() => goOnWithTrial(target.value));
  if (target.classList.contains("face")) tell(() => tellThrow(moment(), [Number(target.value)]));
  if (target.classList.contains("dismiss")) tell(() => dismissThrow(moment(), Number(target.form.dataset.roll)));
  const whole = target.closest("a.whole");
  if (whole) { // on another page what was chosen by now would be lost
    event.preventDefault();
    sheet("The whole throw", [h("img", { class: "evidence", src: whole.querySelector("img").src, alt: "The throw, as the camera saw it" })], { wide: true });
  }
});
document.addEventListener("pointerdown", () => { isPressed = true; });
for (const kind of ["pointerup", "pointercancel"]) {
  document.addEventListener(kind, () => pause(AFTER_MS).then(() => { isPressed = false; }));
}
for (const kind of ["click", "focusin"]) {
  document.addEventListener(kind, ({ target, timeStamp }) => {
    const part = target.closest("main > [id]");
    if (part) used = { id: part.id, timeStamp };
  });
}
// Small pictures of dice that nobody has kept.
document.addEventListener("error", ({ target }) => target instanceof HTMLImageElement && target.remove(), true);

document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && look());
keepAwake();
(async function follow() {
  for (;;) {
    await look().catch(console.error);
    await pause(POLL_MS);
  }
})();
