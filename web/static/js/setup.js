// Setting up the table: what the camera sees now, pictures that it keeps, buttons, the ring.

import { forgetShips, getSetUp, pointNorth, readDice, takePicture, teachShips } from "./api.js";
import { byId, h, listed, s, section } from "./dom.js";
import { badge, fleet, installPatterns } from "./fleet.js";
import { refusalCard } from "./question.js";
import { showZone } from "./zone.js";

const LOOK_MS = 1000;
const KEPT = {
  board: { "": "There is none yet.", taken: "There is one. Take it anew when camera or light have changed.", given: "One was given when the table was started." },
  tray: { "": "There is none yet.", taken: "There is one of the empty tray.", given: "One was given when the table was started." },
};

const which = byId("which");
const board = () => which.value;
let shown = ""; // the picture that is drawn

/** Show the newest picture of a part; its lines are drawn once it is there. */
function show(part, frame, draw) {
  const image = byId(`${part}-picture`);
  const next = new Image();
  next.addEventListener("load", () => {
    image.src = next.src;
    image.hidden = false;
    draw?.();
  });
  next.src = `/setup/${part}.jpg?frame=${encodeURIComponent(frame)}`;
}

function drawOutlines(outlines) {
  byId("board-lines").replaceChildren(...outlines.map((corners) =>
    s("polygon", { points: corners.map((corner) => corner.join(",")).join(" ") })));
}

function drawBoard({ board: sight, trouble }) {
  const says = byId("board-says");
  says.textContent = sight ? sight.says : trouble;
  says.className = `says ${sight?.is_found ? "fits" : "amiss"}`;
  if (!sight || sight.frame === shown) return;
  shown = sight.frame;
  show("board", sight.frame, () => drawOutlines(sight.outlines));
}

function drawKept(kept, hasPicture) {
  const isOpen = which.selectedOptions[0]?.dataset.open === "1";
  byId("bare-board").hidden = isOpen || !hasPicture;
  for (const part of ["board", "tray"]) {
    const note = byId(`${part}-kept`);
    note.textContent = KEPT[part][kept[part]];
    note.classList.toggle("has", kept[part] !== "");
    byId(`take-${part}`).hidden = kept[part] === "given";
  }
}

const drawLesson = section(byId("lesson"), (lesson) =>
  lesson.map(([ship, cell]) => h("li", {}, badge([ship]), h("span", {}, `${fleet(ship).name} on ${cell}`))));

const drawTaught = section(byId("taught"), (taught) =>
  taught.length ? `Known by now: ${listed(taught.map((ship) => fleet(ship).name))}.` : "None is known by its paint yet.");

function drawShips({ lesson, taught, board: sight }) {
  byId("ships").hidden = !lesson.length || !sight;
  drawLesson(lesson);
  drawTaught(taught);
  byId("taught").classList.toggle("has", taught.length > 0);
  byId("forget").hidden = !taught.length;
}

function drawPresses(presses) {
  for (const [button, count] of Object.entries(presses)) {
    const line = byId(`press-${button}`);
    line.classList.toggle("pressed", count > 0);
    const words = count === 0 ? "not pressed yet" : count === 1 ? "pressed once" : `pressed ${count} times`;
    if (line.querySelector(".count").textContent !== words) line.querySelector(".count").textContent = words;
  }
}

function draw(state) {
  drawBoard(state);
  drawKept(state.kept, state.board !== null);
  drawShips(state);
  showZone(state.zone);
  byId("tray-tools").hidden = !state.has_tray;
  byId("no-tray").hidden = state.has_tray;
  if (state.has_tray && state.board) show("tray", state.board.frame);
  drawPresses(state.presses);
  byId("ring-step").hidden = !state.has_ring;
}

/** Look again and again, as long as somebody looks at the page. */
async function look() {
  if (document.visibilityState === "visible") {
    try {
      draw(await getSetUp(board()));
    } catch (refusal) {
      byId("board-says").textContent = refusal.message;
      byId("board-says").className = "says amiss";
    }
  }
  setTimeout(look, LOOK_MS);
}

/** Do what a button asks, once at a time, and say below it how it went. */
function button(id, answerId, act) {
  let isBusy = false;
  const answer = byId(answerId);
  byId(id).addEventListener("click", async () => {
    if (isBusy) return;
    isBusy = true;
    byId(id).setAttribute("aria-disabled", "true");
    answer.replaceChildren();
    try {
      await act(answer);
    } catch (refusal) {
      answer.replaceChildren(refusalCard(refusal, null));
    }
    byId(id).removeAttribute("aria-disabled");
    isBusy = false;
  });
}

const done = (answer, words) => answer.replaceChildren(h("p", { class: "note fine" }, words));

/** Do something with a picture; where that seems to show something else, ask whether it is right all the same. */
async function unlessDoubtful(answer, act, isSure = false) {
  try {
    await act(isSure);
  } catch (refusal) {
    if (refusal.code !== "doubtful") throw refusal;
    const insist = () => unlessDoubtful(answer, act, true).catch((next) => answer.replaceChildren(refusalCard(next, null)));
    answer.replaceChildren(refusalCard(refusal, null), h("div", { class: "row" },
      h("button", { type: "button", on: { click: insist } }, "Take it all the same")));
  }
}

const take = (part) => (answer) => unlessDoubtful(answer, async (isSure) => {
  const { kept } = await takePicture(board(), part, isSure);
  drawKept(kept, true);
  done(answer, "It is kept, and used from now on.");
});

const teach = (answer) => unlessDoubtful(answer, async (isSure) => {
  const { taught } = await teachShips(board(), isSure);
  drawTaught(taught);
  done(answer, "They are known from now on.");
});

async function tryDice(answer) {
  byId("tray-lines").replaceChildren();
  byId("dice-read").replaceChildren();
  const { dice, advice } = await readDice(board());
  byId("tray-lines").replaceChildren(...dice.map(({ box: [x, y, width, height], is_told }) =>
    s("rect", { x, y, width, height, class: is_told ? null : "doubtful" })));
  byId("dice-read").replaceChildren(...dice.map(({ words, is_told }) => h("li", {}, `${is_told ? "✓" : "?"} ${words}`)));
  if (advice) answer.replaceChildren(h("p", { class: "note" }, advice));
  else if (!dice.length) done(answer, "I see no dice.");
}

button("take-board", "board-answer", take("board"));
button("take-tray", "tray-answer", take("tray"));
button("teach", "teach-answer", teach);
button("forget", "teach-answer", async (answer) => {
  drawTaught((await forgetShips(board())).taught);
  done(answer, "They are read as on any table again.");
});
button("read-dice", "tray-answer", tryDice);
button("north", "ring-answer", async (answer) => {
  await pointNorth();
  done(answer, "It does for a few seconds.");
});
/** The board that is chosen is the one that is printed. */
function linkPrints() {
  for (const link of document.querySelectorAll("[data-print]")) link.href = `/setup/${encodeURIComponent(board())}/${link.dataset.print}`;
}

which.addEventListener("change", () => {
  shown = "";
  drawOutlines([]);
  byId("board-answer").replaceChildren();
  linkPrints();
});
installPatterns();
linkPrints();
look();
