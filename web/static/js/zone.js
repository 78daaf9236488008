// Where the tray is in the camera's picture: a box dragged around it, or four numbers.

import { moveZone } from "./api.js";
import { byId, h, s } from "./dom.js";
import { refusalCard } from "./question.js";

const SIDES = ["left", "top", "right", "bottom"];
const SAYS = {
  none: "If the tray is in the camera’s picture, too, show where: dice are read there then.",
  some: "The tray is cut out of the camera’s picture, at full size. If it is elsewhere, say where.",
};
const SHOWN_AS = 100; // shares of the picture are asked for in percent

const seen = byId("board-seen");
const form = byId("zone");
const answer = byId("zone-answer");
let from = null; // where a drag began, as shares of the picture

const box = ([left, top, right, bottom]) => ({ x: left, y: top, width: right - left, height: bottom - top });
const drawn = s("rect", { class: "zone", x: 0, y: 0, width: 0, height: 0 });

function draw(zone) {
  if (!drawn.isConnected) byId("board-zone").append(drawn);
  for (const [name, value] of Object.entries(box(zone))) drawn.setAttribute(name, value);
}

const clipped = (share) => Math.min(Math.max(share, 0), 1);

/** Where on the picture a finger is, as shares of its width and height. */
function at(event) {
  const { left, top, width, height } = seen.getBoundingClientRect();
  return [clipped((event.clientX - left) / width), clipped((event.clientY - top) / height)];
}

const between = ([x0, y0], [x1, y1]) => [Math.min(x0, x1), Math.min(y0, y1), Math.max(x0, x1), Math.max(y0, y1)];

function setDragging(isOn) {
  seen.classList.toggle("dragging", isOn);
  byId("drag-hint").hidden = !isOn;
  from = null;
}

/** Say where the tray is, or that it is nowhere (`null`). */
async function send(zone, done) {
  answer.replaceChildren();
  try {
    await moveZone(zone);
    answer.replaceChildren(h("p", { class: "note fine", tabindex: -1 }, done));
  } catch (refusal) {
    answer.replaceChildren(refusalCard(refusal, null));
  }
  byId("zone-tools").scrollIntoView({ block: "nearest" });
}

const place = (zone) => send(zone.map((share) => Math.round(share * 1000) / 1000), "It is looked for there from now on.");

async function takeAway() {
  await send(null, "No tray is looked for from now on. Rolls are told by phone.");
  answer.firstElementChild.focus(); // the button that was pressed will be gone
}

/** Draw where the tray is taken to be: nowhere (`null`) until that is shown. */
export function showZone({ zone, can_cut_tray: canCut }) {
  byId("zone-tools").hidden = !canCut;
  byId("no-zone").hidden = zone === null;
  byId("zone-says").textContent = SAYS[zone === null ? "none" : "some"];
  if (from === null) {
    if (zone === null) drawn.remove();
    else draw(zone);
  }
  if (zone !== null && !form.contains(document.activeElement)) SIDES.forEach((side, k) => { form.elements[side].value = Math.round(zone[k] * SHOWN_AS); });
}

byId("drag").addEventListener("click", () => {
  setDragging(true);
  seen.scrollIntoView({ block: "center" });
});
byId("drag-no").addEventListener("click", () => {
  setDragging(false);
  byId("drag").focus();
});
document.addEventListener("keydown", (event) => event.key === "Escape" && setDragging(false));
seen.addEventListener("pointerdown", (event) => {
  if (!seen.classList.contains("dragging")) return;
  from = at(event);
  seen.setPointerCapture(event.pointerId);
});
seen.addEventListener("pointermove", (event) => from && draw(between(from, at(event))));
seen.addEventListener("pointercancel", () => setDragging(false));
seen.addEventListener("pointerup", (event) => {
  if (!from) return;
  const zone = between(from, at(event));
  setDragging(false);
  place(zone);
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  place(SIDES.map((side) => Number(form.elements[side].value) / SHOWN_AS));
});
byId("no-zone").addEventListener("click", takeAway);
