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

const LOST = { code: "lost", message: "The table cannot be reached.", hint: "Nothing was changed. Try again in a moment." };

async function ask(path, options = {}) {
  let answer;
  try {
    answer = await fetch(path, options);
  } catch {
    throw new Refusal(LOST, 0);
  }
  const body = await answer.json().catch(() => null);
  if (body === null) throw new Refusal({ ...LOST, message: "The table gave no answer." }, answer.status);
  if (!answer.ok) throw new Refusal(body, answer.status);
  return body;
}

const send = (path, body) =>
  ask(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

export const getState = () => ask("/api/state");
export const getBoard = () => ask("/api/board");
export const getGames = () => ask("/api/games");
export const getMe = () => ask("/api/me");
export const getOffers = () => ask("/api/offers");
export const getShown = (shown) => send("/api/shown", shown);
export const getAlternatives = (seq) => ask(`/api/alternatives?seq=${seq}`);
export const checkOptions = (game, options) => send("/api/options", { game, options });
export const openGame = (game, players, options) => send("/api/games", { game, players, options });
export const command = (type, fields = {}) => send("/api/command", { type, ...fields });
export const getShipParts = () => ask("/api/ships");
export const checkShip = (design) => send("/api/ships/check", design);
export const rigShip = (wish) => send("/api/ships/rig", wish);
export const readShip = (text) => send("/api/ships/read", { text });
