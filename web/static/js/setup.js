// Setting up the table: what the camera sees now, pictures that it keeps, ships, buttons, the ring.

import { dropPicture, forgetShips, getSetUp, pointNorth, readDice, takePicture, teachShips } from "./api.js";
import { byId, h, listed, s, section } from "./dom.js";
import { badge, fleet, installPatterns } from "./fleet.js";
import { keep, recall } from "./memory.js";
import { refusalCard } from "./question.js";
import { showZone } from "./zone.js";

const LOOK_MS = 1000;
const FRESH_MS = 6000; // so long the boxes around dice that were read stay: they may be moved
const CHOSEN = "quarterdeck-board";
const KEPT = {
  board: { "": "There is none yet.", taken: "There is one. Take it anew when camera or light have changed.", given: "One was given when the table was started." },
  tray: { "": "There is none yet.", taken: "There is one of the empty tray.", given: "One was given when the table was started." },
};

const CHANGED = ["bare-board", "ships", "zone-tools", "tray-tools", "ring-step"]; // parts that change something

const which = byId("which");
const board = () => which.value;
const shown = { board: "", tray: "" }; // the pictures that are drawn, or on their way
let taking = 0; // counts pictures taken and thrown away, so that the kept one is loaded anew

/** Words of a live region: written only when they change, or it would be read out each second. */
function write(node, words) {
  if (node.textContent !== words) node.textContent = words;
}

/** Show the newest picture of a part; its lines are drawn once it is there. */
function show(part, frame, draw) {
  if (shown[part] === frame) return;
  shown[part] = frame;
  const image = byId(`${part}-picture`);
  const next = new Image();
  next.addEventListener("load", () => {
    if (shown[part] !== frame) return; // a newer one is there, or none any more
    image.src = next.src;
    image.hidden = false;
    draw?.();
  });
  next.src = `/setup/${part}.jpg?frame=${encodeURIComponent(frame)}`;
}

const polygons = (outlines, look) => outlines.map((corners) =>
  s("polygon", { class: look, points: corners.map((corner) => corner.join(",")).join(" ") }));

function drawOutlines({ outlines, places }) {
  byId("board-lines").replaceChildren(...polygons(outlines, null));
  byId("board-places").replaceChildren(...polygons(places, "place"));
}

function drawBoard({ board: sight, trouble, has_camera: hasCamera }) {
  const says = byId("board-says");
  write(says, sight ? sight.says : trouble);
  byId("lines-say").hidden = !hasCamera;
  says.className = `says ${sight?.is_found ? "fits" : hasCamera ? "amiss" : "quiet"}`;
  if (sight) return show("board", sight.frame, () => drawOutlines(sight));
  drawOutlines({ outlines: [], places: [] });
  hide("board");
}

/** What was seen last is no longer so. */
function hide(part) {
  shown[part] = "";
  byId(`${part}-picture`).hidden = true;
}

function drawKept(kept, hasPicture) {
  const isOpen = which.selectedOptions[0]?.dataset.open === "1";
  byId("bare-board").hidden = isOpen || !hasPicture;
  for (const part of ["board", "tray"]) {
    const note = byId(`${part}-kept`);
    write(note, KEPT[part][kept[part]]);
    note.classList.toggle("has", kept[part] !== "");
    byId(`take-${part}`).hidden = kept[part] === "given";
    byId(`${part}-kept-tools`).hidden = kept[part] !== "taken";
    const source = `/setup/${encodeURIComponent(board())}/empty-${part}.jpg?${taking}`;
    const picture = byId(`${part}-kept-picture`);
    if (kept[part] === "taken" && picture.getAttribute("src") !== source) picture.src = source;
  }
}

const drawLesson = section(byId("lesson"), (lesson) =>
  lesson.map(([ship, place]) => h("li", {}, badge([ship]), h("span", {}, `${fleet(ship).name} on ${place}`))));

function drawTaught(taught) {
  write(byId("taught"), taught.length ? `Known by now: ${listed(taught.map((ship) => fleet(ship).name))}.` : "None is known by its paint yet.");
  byId("taught").classList.toggle("has", taught.length > 0);
  byId("forget").hidden = !taught.length;
}

function drawPresses(presses) {
  for (const [button, count] of Object.entries(presses)) {
    const line = byId(`press-${button}`);
    line.classList.toggle("pressed", count > 0);
    write(line.querySelector(".count"), count === 0 ? "not pressed yet" : count === 1 ? "pressed once" : `pressed ${count} times`);
  }
}

function draw(state) {
  drawBoard(state);
  drawKept(state.kept, state.board !== null);
  byId("ships").hidden = !state.lesson.length || !state.board;
  drawLesson(state.lesson);
  drawTaught(state.taught);
  showZone(state);
  byId("tray-step").hidden = !state.has_camera; // rolls are told by phone then, as everything is
  byId("tray-tools").hidden = !state.has_tray;
  byId("no-tray").hidden = state.has_tray || state.can_cut_tray;
  if (state.has_tray && state.board) show("tray", state.board.frame);
  else hide("tray");
  drawPresses(state.presses);
  byId("ring-step").hidden = !state.has_ring;
  // Who only watches while others fight is shown what is seen, and offered nothing that would be refused.
  byId("watching").hidden = !state.watches;
  if (state.watches) for (const id of CHANGED) byId(id).hidden = true;
}

/** Look again and again, as long as somebody looks at the page. */
async function look() {
  if (document.visibilityState === "visible") {
    const asked = board();
    const state = await getSetUp(asked).catch((refusal) => refusal);
    if (!(state instanceof Error)) {
      if (asked === board()) draw(state);
    } else {
      write(byId("board-says"), state.message);
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
    done(answer, "One moment …");
    try {
      await act(answer);
    } catch (refusal) {
      answer.replaceChildren(refusalCard(refusal, null));
    }
    byId(id).removeAttribute("aria-disabled");
    isBusy = false;
  });
}

const done = (answer, words) => answer.replaceChildren(h("p", { class: "note fine", tabindex: -1 }, words));

/** Do something with a picture; where that seems to show something else, ask whether it is right all the same. */
async function unlessDoubtful(answer, act, isSure = false) {
  try {
    await act(isSure);
    if (isSure) answer.firstElementChild?.focus(); // the button that was pressed is gone
  } catch (refusal) {
    if (refusal.code !== "doubtful") throw refusal;
    const insist = () => unlessDoubtful(answer, act, true).catch((next) => answer.replaceChildren(refusalCard(next, null)));
    answer.replaceChildren(refusalCard(refusal, null), h("div", { class: "row" },
      h("button", { type: "button", on: { click: insist } }, "Take it all the same")));
  }
}

const take = (part) => (answer) => unlessDoubtful(answer, async (isSure) => {
  const { kept } = await takePicture(board(), part, isSure);
  taking += 1;
  drawKept(kept, true);
  done(answer, "It is kept, and used from now on.");
});

const drop = (part) => async (answer) => {
  const { kept } = await dropPicture(board(), part);
  drawKept(kept, true);
  done(answer, "It is gone, and not used any more.");
  answer.firstElementChild.focus();
};

const teach = (answer) => unlessDoubtful(answer, async (isSure) => {
  const { taught } = await teachShips(board(), isSure);
  drawTaught(taught);
  done(answer, "They are known from now on.");
});

async function forget(answer) {
  drawTaught((await forgetShips(board())).taught);
  done(answer, "They are read as on any table again.");
  answer.firstElementChild.focus();
}

let fading = 0;

async function tryDice(answer) {
  clearTimeout(fading);
  byId("tray-lines").replaceChildren();
  byId("dice-read").replaceChildren();
  const { dice, advice } = await readDice(board());
  byId("tray-lines").replaceChildren(...dice.map(({ box: [x, y, width, height], is_told }) =>
    s("rect", { x, y, width, height, class: is_told ? null : "doubtful" })));
  fading = setTimeout(() => byId("tray-lines").replaceChildren(), FRESH_MS);
  byId("dice-read").replaceChildren(...dice.map(({ words, is_told }) => h("li", {}, `${is_told ? "✓" : "?"} ${words}`)));
  done(answer, advice ?? (dice.length ? "That is what I read." : "I see no dice."));
}

/** The board that is chosen is the one that is printed. */
function linkPrints() {
  for (const link of document.querySelectorAll("[data-print]")) link.href = `/setup/${encodeURIComponent(board())}/${link.dataset.print}`;
}

/** Another board: what was answered is of the one before. */
function turnTo() {
  shown.board = "";
  drawOutlines({ outlines: [], places: [] });
  for (const answer of document.querySelectorAll(".answer")) answer.replaceChildren();
  linkPrints();
  keep(CHOSEN, board());
}

/** The board in play is chosen; without one the board that this phone looked at last. */
function choose() {
  if (which.querySelector("option[selected]")) return;
  const last = recall(CHOSEN, "");
  if ([...which.options].some(({ value }) => value === last)) which.value = last;
}

button("take-board", "board-answer", take("board"));
button("take-tray", "tray-answer", take("tray"));
button("drop-board", "board-answer", drop("board"));
button("drop-tray", "tray-answer", drop("tray"));
button("teach", "teach-answer", teach);
button("forget", "teach-answer", forget);
button("read-dice", "tray-answer", tryDice);
button("north", "ring-answer", async (answer) => {
  await pointNorth();
  done(answer, "It does for a few seconds.");
});
which.addEventListener("change", turnTo);
installPatterns();
choose();
linkPrints();
look();
