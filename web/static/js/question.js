// What the table asks, what stands in the way, and which of its parts are ill.

import { h, listed } from "./dom.js";
import { drawBoard } from "./drawing.js";
import { ruleSign } from "./rules.js";
import { picture } from "./sheet.js";

const PARTS = { camera: "Camera", ring: "Ring of light", ledger: "Record", board: "Board", dice: "Dice",
  reading: "Reading", buttons: "Buttons", display: "A display", tray: "Tray", rules: "Rules", lost: "Lost", clock: "Clock" };

/** The open question; answers are buttons for those who are asked. `objects` says that it is
 *  about something the rules refuse. */
export function questionCard(question, seats, me, geometry, objects, answer) {
  const asked = question.seats.length ? question.seats : seats.map((seat) => seat.seat);
  const sitting = seats.filter((seat) => asked.includes(seat.seat) && seat.taken);
  // Who has no phone is spoken for by anybody who sits.
  const mine = me === "host" || (sitting.length ? asked.includes(me) : seats.some((seat) => seat.seat === me));
  const names = seats.filter((seat) => asked.includes(seat.seat)).map((seat) => seat.name);
  if (!mine) {
    return h("p", { class: "note" }, `The table asks ${listed(names)}: ${question.text} `, ruleSign(question.rule));
  }
  const shown = question.tray ?? question.evidence; // in the other one dice are a few pixels wide
  return h(
    "div",
    { class: objects ? "card question refusal" : "card question", role: "group", "aria-label": "The table asks" },
    h("h2", {}, objects ? "The rules object" : "The table asks"),
    ruleSign(question.rule),
    h("p", { class: "big" }, question.text),
    shown
      ? h("button", { class: "evidence-button", type: "button", on: { click: () => picture(shown, question.text) } },
          h("img", { src: `/evidence/${encodeURIComponent(shown)}`, alt: "What the table saw; tap to enlarge" }))
      : null,
    h("div", { class: "choices" },
      ...question.choices.map((choice) =>
        h("button", { type: "button", class: choice.layout ? "choice pictured" : "choice", on: { click: () => answer(question.id, choice.id) } },
          choice.layout && geometry ? smallBoard(geometry, choice) : null,
          h("span", {}, choice.text),
          choice.is_one_of_many ? h("span", { class: "small" }, "or another way that comes to the same") : null))),
  );
}

function smallBoard(geometry, choice) {
  const board = drawBoard(geometry, { label: choice.text });
  board.show(choice.layout);
  board.svg.setAttribute("aria-hidden", "true");
  return board.svg;
}

/** A notice: a refusal is large for the captain concerned and small for the others. */
export function noticeCard(notice, me, dismiss) {
  const large = notice.seat === null || notice.seat === me || me === "host";
  if (notice.kind !== "refusal" || !large) {
    return h("p", { class: `note ${notice.kind}` }, ruleSign(notice.rule), ` ${notice.text}`);
  }
  return h(
    "div",
    { class: "card refusal", role: "alert" },
    ruleSign(notice.rule),
    h("p", { class: "big" }, notice.text),
    dismiss ? h("button", { type: "button", on: { click: dismiss } }, "I see") : null,
  );
}

/** A command of this phone that was refused. */
export function refusalCard(refusal, dismiss) {
  return h(
    "div",
    { class: "card refusal", role: "alert" },
    ruleSign(refusal.rule),
    h("p", { class: "big" }, refusal.message),
    refusal.hint ? h("p", { class: "small" }, refusal.hint) : null,
    dismiss ? h("button", { type: "button", on: { click: dismiss } }, "I see") : null,
  );
}

/** Parts that are ill and what to do; pages of the table that are named there are a tap away. */
export function healthNotes(health) {
  return Object.entries(health).map(([part, text]) =>
    h("p", { class: "note ill" }, h("strong", {}, `${PARTS[part] ?? part}: `), ...linked(text)));
}

const linked = (text) => text.split(/(\/(?:trial|setup)\b)/).map((words, k) => (k % 2 ? h("a", { href: words }, words) : words));
