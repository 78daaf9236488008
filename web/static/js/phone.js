// The phone: puts the parts together and redraws what a new moment changes.

import { command, getBoard, getMe } from "./api.js";
import { Scores, turnCard } from "./captains.js";
import { tray } from "./dice.js";
import { byId, h, section } from "./dom.js";
import { drawBoard, whenTurned } from "./drawing.js";
import { installPatterns } from "./fleet.js";
import { follow, keepAwake, lamp } from "./live.js";
import { News, logLines, pointAt } from "./log.js";
import { runOf } from "./losses.js";
import { menu, newBattle } from "./menu.js";
import { Objections } from "./objections.js";
import { OlderLines } from "./older.js";
import { panelOf } from "./panels.js";
import { healthNotes } from "./question.js";
import { chooseSeat, findPlace, standUp } from "./seats.js";
import { closeSheets, confirm, sheet } from "./sheet.js";
import { sheetsSection } from "./sheets.js";
import { startForm } from "./start.js";
import { insteadOf, nowOffers } from "./sources.js";
import { Teller } from "./tell.js";
import { installStorm, weatherLine } from "./weather.js";

const SHOWN_LINES = 12;
const SHOWN_NOTES = 3; // more of them are folded away
const DOUBLE_TAP_MS = 600; // taps that follow so fast are meant as one

let table = null;
let moment = null;
let me = "watch";
let geometry = null;
let board = null;
let teller = null;
let joined = null; // the game this phone has found its place at
let taken = ""; // which seats had phones when it did
let choosing = null; // the sheet where people choose who holds this phone
let isAskedAnew = false; // it was open when another battle was opened
let isEnding = false; // the turn is being ended: another tap is the same tap
let allLines = false; // those that the moment holds; older ones are asked for
let deck = null; // the page of the captain's own ship, in games that have one

const scores = new Scores(byId("captains"));
const older = new OlderLines(() => drawLines());
const news = new News(byId("news"));
const drawTurn = section(byId("turn"), turnCard);
const drawHealth = section(byId("health"), healthNotes);
const drawDice = section(byId("dice"), tray);
const drawLog = section(byId("log"), (value, most) => logLines(value, most, point));
const drawWeather = section(byId("weather"), weatherLine);
const drawNotes = section(byId("notes"), (notes) => {
  const items = notes.map((note) => h("li", {}, note));
  if (notes.length <= SHOWN_NOTES + 1) return items;
  const rest = items.splice(SHOWN_NOTES);
  return [...items, h("li", { class: "folded" }, h("details", {}, h("summary", {}, `${rest.length} more`), h("ul", { class: "notes" }, ...rest)))];
});
const drawSheets = sheetsSection(byId("sheets"), (tag) => openTeller(nowOffers(), tag));
const drawOpen = section(byId("open-table"), (view) => {
  const panel = panelOf(view);
  return panel ? [panel.latest(view), ...panel.openPanel(view)] : [];
});
const objections = new Objections((question, choice) => tell("answer", { question, choice }));

/** What the table answers stands on top. */
const scrollUp = () => window.scrollTo({ top: 0 });

function refused(refusal) {
  objections.meet(refusal);
  scrollUp();
  if (refusal.code === "watching") checkPlace().catch(() => null); // it thought that it sits
}

async function tell(type, fields) {
  try {
    await command(type, fields);
    objections.forget(true);
  } catch (refusal) {
    refused(refusal);
  }
}

/** A line of the log was tapped: show it, and let those who sit put it right. */
const point = (entry) => pointAt(entry, me !== "watch", (wrong) => openTeller(insteadOf(wrong, scrollUp)));

function openTeller(source, piece = null) {
  teller = new Teller({ source, geometry, table, piece, speaks: () => table.seats.some(speaksFor), onRefusal: refused });
  teller.show();
}

async function undo() {
  const last = table.log.filter((entry) => !entry.retracted).at(-1);
  if (!last) return refused({ message: "There is nothing to take back yet." });
  if (!(await confirm("Take back the last thing?", last.text, "Take it back"))) return;
  scrollUp();
  await tell("undo", { seq: last.seq });
}

/** The big button: told once, however often it is tapped before the next turn can be seen. */
async function endTurn() {
  if (isEnding) return;
  isEnding = true;
  byId("done").setAttribute("aria-disabled", "true");
  await Promise.all([tell("turn", { version: table.version }), new Promise((go) => setTimeout(go, DOUBLE_TAP_MS))]);
  byId("done").removeAttribute("aria-disabled");
  isEnding = false;
}

async function learnBoard() {
  geometry = board = null;
  byId("board").replaceChildren();
  geometry = await getBoard();
  layOutBoard();
}

function layOutBoard() {
  const caption = byId("cell");
  board = drawBoard(geometry, {
    byKeys: true,
    onCell: (id) => {
      caption.replaceChildren(board.wordsAt(id), ...orders(Number(id)));
      board.point([id]);
      caption.scrollIntoView({ block: "nearest" });
    },
  });
  byId("board").replaceChildren(board.svg);
}

const seatsTaken = () => JSON.stringify(table.seats.map((seat) => seat.taken));

async function findSeat() {
  const { game } = table;
  taken = seatsTaken();
  const { place, chosen } = await findPlace(table);
  joined = game;
  seated(place);
  if ((!chosen || isAskedAnew) && !document.querySelector("dialog[open]")) pickSeat();
  isAskedAnew = false;
}

/** Another phone sat down or stood up: perhaps this one was put off its seat, or sits elsewhere by what
 *  was tapped in another window. */
async function checkPlace() {
  const before = me;
  const now = seatsTaken();
  const { place } = await getMe();
  taken = now;
  if (me !== before || place === me) return; // it may have sat down meanwhile
  if (place === "watch") standUp(table);
  seated(place);
}

/** Another battle has been opened: what the sheets say is of the one before. */
function turnPage() {
  isAskedAnew = choosing !== null;
  closeSheets();
  objections.turnPage();
  allLines = false;
  older.forget();
}

function seated(place) {
  me = place;
  draw(false);
}

/** A captain was tapped: show the ship board, in games that have one. */
function lookAt(seat) {
  sheet(table.seats[seat].name, panelOf(table).shipSheet(table, seat));
}

/** Whether this phone may speak for a captain who must do something now. */
const speaksFor = (seat) => seat.asked && (me === "host" || seat.seat === me || (me !== "watch" && !seat.taken));

/** A way to the orders of a ship that can still do something. */
function orders(tag) {
  const can = table.sheets.some((ship) => ship.tag === tag && ship.todo.length && speaksFor(table.seats[ship.seat]));
  return can ? [h("button", { type: "button", on: { click: () => openTeller(nowOffers(), tag) } }, "Give orders")] : [];
}

function pickSeat() {
  const mine = chooseSeat(table, me, seated, refused, () => { if (choosing === mine) choosing = null; });
  choosing = mine;
}

function draw(animate) {
  drawTurn(table, me, moment.ring);
  drawHealth(table.health);
  objections.show(table, me, geometry);
  drawDice(table.layout.dice, table.awaits_roll);
  scores.show(table, me, panelOf(table) && lookAt);
  drawNotes(panelOf(table) ? [] : table.notes);
  drawPanel();
  drawSheets(table.sheets, me, table.seats.filter(speaksFor).map(({ seat }) => seat));
  board?.show(table.layout, moment.change, { animate, weather: table.weather });
  drawWeather(table.weather);
  drawLines();
  byId("round").textContent = table.round ? `Round ${table.round}` : "Setting up";
  byId("how").hidden = table.round > 0;
  document.title = `${table.seats.find((seat) => seat.asked)?.name ?? table.title} · Quarterdeck`;
  const watching = me === "watch";
  for (const id of ["tell", "done"]) byId(id).hidden = watching || table.over;
  byId("undo").hidden = watching;
  byId("again").hidden = !table.over;
  byId("sit").hidden = !watching || table.over;
  byId("tell").classList.toggle("strong", table.seats.some(speaksFor));
}

function drawLines() {
  const { log, seats } = table;
  drawLog({ log: allLines ? older.before(log) : log, seats }, allLines ? Infinity : SHOWN_LINES);
  byId("more").hidden = allLines ? !older.hasMore(log) : log.length <= SHOWN_LINES;
}

/** Further back in the log: the rest of what the moment holds, then page by page. */
async function goBack() {
  if (allLines) await older.next(table).catch(refused);
  allLines = true;
  drawLines();
}

/** What this game has to show beyond board and scores. */
function drawPanel() {
  const panel = panelOf(table);
  const { details, log, seats } = table;
  drawOpen(panel && { details, log, seats });
  if (!panel) {
    deck?.hide();
    deck = null;
    byId("done").textContent = "Turn done";
    return;
  }
  deck ??= new panel.Deck(byId("deck"), (action, version) => tell("act", { action, version }));
  deck.show(table, me, moment.own ?? null).catch(refused);
  byId("done").textContent = deck.ending;
}

async function take(next) {
  const newer = moment !== null && moment.table !== null;
  if (table && (table.game !== next.table?.game || isSetBack(table, next.table))) turnPage();
  else if (table && table.version !== next.table.version) {
    objections.forget(false);
    older.follow(table, next.table).catch(() => null); // the next moment asks again
  }
  if (moment && runOf(moment) !== runOf(next)) joined = null; // a table that restarted knows no seats
  if (table && !table.over && next.table?.over) scrollUp(); // who has won stands there
  moment = next;
  table = next.table;
  byId("play").hidden = table === null;
  byId("bar").hidden = table === null;
  byId("start").hidden = table !== null;
  if (table === null) {
    joined = null;
    if (!byId("start").firstChild) {
      byId("waiting").hidden = false;
      await startForm(byId("start"), () => {});
    }
    byId("waiting").hidden = true;
    return;
  }
  byId("waiting").hidden = true;
  byId("start").replaceChildren();
  // What needs no board is shown without it, too.
  const lost = geometry?.profile === table.profile ? null : await learnBoard().catch((refusal) => refusal);
  draw(newer);
  news.follow(table);
  if (teller?.open) teller.follow(table);
  if (joined === table.game) choosing?.follow(table);
  if (joined !== table.game) await findSeat();
  else if (taken !== seatsTaken()) await checkPlace();
  if (lost) throw lost;
}

/** Whether the table is back where it was before: what the sheets say is of what it has lost. */
const isSetBack = (now, next) => next.version < now.version || Boolean(next.health.lost && !now.health.lost);

function link(alive) {
  lamp(alive);
  byId("lost").hidden = alive;
  // After a loss the table may have restarted and forgotten who sits where.
  if (!alive) joined = null;
  else objections.linkIsBack();
}

installPatterns();
installStorm();
keepAwake();
byId("menu").addEventListener("click", () => menu({ table, me, pickSeat, tell, refused }));
byId("sit").addEventListener("click", () => pickSeat());
byId("again").addEventListener("click", () => newBattle(table, refused));
byId("undo").addEventListener("click", undo);
byId("done").addEventListener("click", endTurn);
byId("tell").addEventListener("click", () => openTeller(nowOffers()));
byId("more").addEventListener("click", goBack);
whenTurned(() => {
  if (!geometry || !table) return;
  layOutBoard();
  draw(false);
});
follow(take, link);
