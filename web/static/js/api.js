// The table's JSON API. Every failure becomes one `Refusal` with a plain sentence.

export class Refusal extends Error {
  constructor(body, status) {
    super(body.message);
    this.status = status;
    this.code = body.code;
    this.hint = body.hint ?? "";
    this.rule = body.rule ?? "";
    this.option = body.option ?? ""; // of the start page: which one is at fault
  }
}

const AT_HAND_MS = 5000; // what is always at hand, as the state is: a table that does not send it by then is gone
const ANSWER_MS = 20000; // rules of open tables may think for a while on a small computer

const LOST = { code: "lost", message: "The table cannot be reached.", hint: "Nothing was changed. Try again in a moment." };

/** Said when a change was sent and no answer came in time: it may have been heard. */
const SILENT = { ...LOST, message: "The table gives no answer.", hint: "It may have heard it all the same. Look before you tell it again." };

/** Said of what is so long that the table cuts it off without a word (`TAKEN_BYTES`). */
const TOO_LONG = { code: "http_413", message: "That is far too much for the table to read.", hint: "If it is a file: perhaps it is another one than you meant." };

async function ask(path, { patience = ANSWER_MS, read = (answer) => answer.json(), ...options } = {}) {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), patience);
  let answer, body;
  try {
    answer = await fetch(path, { ...options, signal: stop.signal });
    body = await read(answer).catch(() => null);
  } catch {
    throw new Refusal(stop.signal.aborted && options.method ? SILENT : LOST, 0);
  } finally {
    clearTimeout(timer);
  }
  if (body === null && answer.status === 413) throw new Refusal(TOO_LONG, answer.status);
  if (body === null) throw new Refusal({ ...LOST, message: "The table gave no answer." }, answer.status);
  if (!answer.ok) throw new Refusal(body, answer.status);
  return body;
}

const CLOCK_MS = 3_600_000; // by less no roll comes into another evening

/** What is amiss with the clock that dates an answer, by this phone's: {clock: words}, or nothing. */
function clockAmiss(answer) {
  const there = Date.parse(answer.headers.get("Date"));
  if (!(Math.abs(there - Date.now()) > CLOCK_MS)) return {};
  const words = new Date(there).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
  const now = new Date().toISOString().slice(0, 16).replace("T", " ");
  return { clock: `The table says that it is ${words}, this phone says otherwise. Rolls are kept under the table’s date. A network puts it right; else type on its computer: sudo date -s "${now} UTC"` };
}

const send = (path, body) =>
  ask(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

export const getState = () => ask("/api/state", { patience: AT_HAND_MS });
export const getBoard = () => ask("/api/board", { patience: AT_HAND_MS });
export const getGames = () => ask("/api/games", { patience: AT_HAND_MS });
/** What is amiss; its clock is, if this phone's is right. */
export const getHealth = () => ask("/health", { patience: AT_HAND_MS, read: async (answer) => {
  const health = await answer.json();
  return { ...health, ill: { ...health.ill, ...clockAmiss(answer) } };
} });
export const getMe = () => ask("/api/me", { patience: AT_HAND_MS });
export const getOffers = () => ask("/api/offers");
export const getShown = (shown) => send("/api/shown", shown);
export const getRule = (number) => ask(`/api/rules/${encodeURIComponent(number)}`, { patience: AT_HAND_MS });
export const getAlternatives = (seq) => ask(`/api/alternatives?seq=${seq}`);
export const getLog = (before) => ask(`/api/log?before=${before}`);
export const checkOptions = (game, options) => send("/api/options", { game, options });
export const openGame = (game, players, options) => send("/api/games", { game, players, options });
export const command = (type, fields = {}) => send("/api/command", { type, ...fields });
export const getShipParts = () => ask("/api/ships");
export const checkShip = (design) => send("/api/ships/check", design);
export const rigShip = (wish) => send("/api/ships/rig", wish);
export const readShip = (text) => send("/api/ships/read", { text });
export const getPage = (path) => ask(path, { read: (answer) => (answer.ok ? answer.text() : Promise.reject(answer)), headers: { Accept: "text/html" } });
export const getMoment = () => ask("/api/trial/moment", { patience: AT_HAND_MS });
export const beginTrial = (plan) => send("/api/trial/begin", plan);
export const goOnWithTrial = (name) => send("/api/trial/go-on", { name });
export const endTrial = (moment) => send("/api/trial/end", { moment });
export const answerThrow = (moment, roll, faces) => send("/api/trial/answer", { moment, roll, faces });
export const putThrowRight = (moment, roll, faces) => send("/api/trial/put-right", { moment, roll, faces });
export const dismissThrow = (moment, roll) => send("/api/trial/dismiss", { moment, roll });
export const tellThrow = (moment, faces) => send("/api/trial/tell", { moment, faces });
export const takeBack = (moment) => send("/api/trial/back", { moment });
export const getSetUp = (board) => ask(`/api/setup/${encodeURIComponent(board)}`, { patience: AT_HAND_MS });
export const takePicture = (board, part, isSure) => send(`/api/setup/${encodeURIComponent(board)}/take`, { part, is_sure: isSure });
export const readDice = (board) => send(`/api/setup/${encodeURIComponent(board)}/dice`, {});
export const pointNorth = () => send("/api/setup/north", {});
export const moveZone = (zone) => send("/api/setup/zone", { zone });
export const dropPicture = (board, part) => send(`/api/setup/${encodeURIComponent(board)}/drop`, { part });
export const teachShips = (board, isSure) => send(`/api/setup/${encodeURIComponent(board)}/teach`, { is_sure: isSure });
export const forgetShips = (board) => send(`/api/setup/${encodeURIComponent(board)}/forget`, {});
