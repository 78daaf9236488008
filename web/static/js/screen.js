// The big screen: the board large, the scores, the last moves. It only watches.

import { getBoard } from "./api.js";
import { Scores, turnCard } from "./captains.js";
import { tray } from "./dice.js";
import { byId, h, section } from "./dom.js";
import { drawBoard } from "./drawing.js";
import { installPatterns } from "./fleet.js";
import { follow, keepAwake, lamp } from "./live.js";
import { logLines } from "./log.js";
import { panelOf } from "./panels.js";
import { healthNotes, noticeCard } from "./question.js";
import { installStorm, weatherLine } from "./weather.js";

const SHOWN_LINES = 7;
const CROWD = 2; // with more captains than this what games have to show stands closer

let board = null;
let profile = null;
let drawn = false;

const scores = new Scores(byId("captains"));
const drawTurn = section(byId("turn"), turnCard);
const drawDice = section(byId("dice"), tray);
const drawLog = section(byId("log"), (value) => logLines(value, SHOWN_LINES));
const drawWeather = section(byId("weather"), weatherLine);
const drawNotes = section(byId("notes"), (notes) => notes.map((note) => h("li", {}, note)));
const drawOpen = section(byId("open-table"), (view) => panelOf(view)?.openPanel(view));
const drawLatest = section(byId("latest"), (view) => panelOf(view)?.latest(view));
const drawNotice = section(byId("notice"), (notice, question, health) => [
  ...healthNotes(health),
  notice && noticeCard(notice, "screen", null),
  question && h("p", { class: "note hint" }, `The table asks: ${question.text}`),
]);

/** Whether a board leaves its lower left corner free, so that the code may stand there. */
function hasFreeCorner({ cells }) {
  const [xs, ys] = [0, 1].map((axis) => cells.map(({ centre }) => centre[axis]));
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  return cells.length > 0 && cells.every(({ centre: [x, y] }) => x > left + 0.16 * (right - left) || y < bottom - 0.2 * (bottom - top));
}

/** Of the log as many lines as fit whole; none is cut through. */
function fitLog() {
  const { bottom } = document.querySelector(".beside").getBoundingClientRect();
  const lines = [...byId("log").children];
  for (const line of lines) line.hidden = false;
  const over = lines.map((line) => line.getBoundingClientRect().bottom > bottom + 1);
  lines.forEach((line, k) => { line.hidden = over[k]; });
}

/** Draw the board of a profile; until it is known there is none. */
async function learnBoard() {
  profile = null;
  byId("board").replaceChildren();
  const geometry = await getBoard();
  profile = geometry.profile;
  board = drawBoard(geometry);
  board.svg.setAttribute("preserveAspectRatio", "xMidYMin meet"); // the code stands below
  byId("board").replaceChildren(board.svg);
  document.body.classList.toggle("cornered", hasFreeCorner(geometry));
}

async function take(moment) {
  const { table } = moment;
  document.body.classList.toggle("empty", table === null);
  byId("play").hidden = table === null;
  byId("waiting").hidden = table !== null;
  if (table === null) {
    drawn = false;
    return;
  }
  // What needs no board is shown without it, too.
  const lost = profile === table.profile ? null : await learnBoard().catch((refusal) => refusal);
  draw(moment);
  if (lost) throw lost;
}

function draw({ table, change, ring }) {
  drawTurn(table, null, ring);
  drawDice(table.layout.dice, table.awaits_roll);
  drawNotice(table.notice, table.question, table.health);
  scores.show(table, null);
  const isKnown = profile === table.profile;
  if (isKnown) board.show(table.layout, change, { animate: drawn, weather: table.weather });
  drawWeather(table.weather);
  const panel = panelOf(table);
  document.body.classList.toggle("crowded", Boolean(panel) && table.seats.length > CROWD);
  drawNotes(panel ? [] : table.notes);
  drawLatest(panel && { details: table.details, log: table.log });
  drawOpen(panel && { details: table.details, log: table.log, seats: table.seats });
  drawLog({ log: table.log, seats: table.seats });
  byId("round").textContent = table.round ? `${table.title} · Round ${table.round}` : table.title;
  fitLog();
  drawn = isKnown;
}

installPatterns();
installStorm();
keepAwake();
window.addEventListener("resize", fitLog);
follow(take, (alive) => {
  lamp(alive);
  byId("lost").hidden = alive;
  fitLog();
});
