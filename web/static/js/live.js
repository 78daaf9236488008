// The live stream: server-sent events, a watchdog for silent losses, polling when streams are full.

import { Refusal, getState } from "./api.js";
import { ClockWatch } from "./clock.js";
import { byId } from "./dom.js";
import { Losses } from "./losses.js";

const SILENT_MS = 12000; // two and a bit of the server's heartbeats
const FIRST_RETRY_MS = 400;
const LAST_RETRY_MS = 4000;
const POLL_MS = 2000;
const AGAIN_MS = 1500; // what could not be shown, as a request got lost, is tried again after so long

/** Take moments one after the other with `take(moment)`, of those that wait the newest alone. One that
 *  is refused something it needs, the board for example, is taken again after a while.
 *  `onLuck(isTaken)` hears how it went. */
function inTurn(take, onLuck) {
  let waiting = null;
  let isBusy = false;
  let again = 0;

  async function takeNext() {
    if (isBusy || waiting === null) return;
    clearTimeout(again);
    const moment = waiting;
    waiting = null;
    isBusy = true;
    try {
      await take(moment);
      onLuck(true);
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal; // a fault of the page: another try will not mend it
      onLuck(false);
      if (waiting === null) again = setTimeout(() => offer(moment), AGAIN_MS);
    } finally {
      isBusy = false;
      takeNext();
    }
  }

  function offer(moment) {
    waiting = moment;
    takeNext();
  }
  return offer;
}

/** Follow the table. `onMoment(moment)` gets each new moment, `onLink(alive)` each change of luck: the
 *  table was lost or found, or what a moment needs could not be asked. */
export function follow(onMoment, onLink) {
  let source = null;
  let lastId = "";
  let alive = null;
  let isHeard = false;
  let isShown = true;
  let wait = FIRST_RETRY_MS;
  let retry = 0;
  let watchdog = 0;
  const losses = new Losses();
  let last = null; // the newest moment
  const clock = new ClockWatch(() => last && show(clock.told(last)));
  let attempt = 0; // counts streams: what a silent one finds out too late is of no use any more

  function link() {
    const now = isHeard && isShown;
    if (now !== alive) onLink(now);
    if (now && !alive) clock.look();
    alive = now;
  }

  const show = inTurn(onMoment, (isTaken) => {
    isShown = isTaken;
    link();
  });

  function heard() {
    isHeard = true;
    link();
    wait = FIRST_RETRY_MS;
    clearTimeout(watchdog);
    watchdog = setTimeout(lost, SILENT_MS);
  }

  function take(moment) {
    heard();
    if (moment.id === lastId) return;
    lastId = moment.id;
    last = losses.told(moment);
    show(clock.told(last));
  }

  function open() {
    attempt += 1;
    clearTimeout(retry);
    source?.close();
    source = new EventSource(`/api/stream?last=${encodeURIComponent(lastId)}`);
    source.addEventListener("message", (event) => take(JSON.parse(event.data)));
    source.addEventListener("open", heard);
    source.addEventListener("beat", heard);
    source.addEventListener("error", lost);
    clearTimeout(watchdog);
    watchdog = setTimeout(lost, SILENT_MS);
  }

  async function lost() {
    clearTimeout(watchdog);
    source?.close();
    // No stream to be had (too many phones)? Then ask now and then.
    const mine = attempt;
    const moment = await getState().catch(() => null);
    if (mine !== attempt) return;
    isHeard = moment !== null;
    if (moment) take(moment);
    else link();
    clearTimeout(watchdog);
    clearTimeout(retry);
    retry = setTimeout(open, moment ? POLL_MS : wait * (0.75 + Math.random() / 2));
    wait = Math.min(wait * 1.6, LAST_RETRY_MS);
  }

  // A phone that was asleep must not show an old table for a moment longer than needed.
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && open());
  window.addEventListener("online", open);
  open();
}

/** The lamp in the header: whether the page hears the table. */
export function lamp(alive) {
  byId("link").className = alive ? "link alive" : "link lost";
  byId("link-words").textContent = alive ? "live" : "lost";
}

/** Keep the screen awake where the browser allows it (only on secure addresses). */
export function keepAwake() {
  if (!("wakeLock" in navigator)) return;
  const ask = () => document.visibilityState === "visible" && navigator.wakeLock.request("screen").catch(() => null);
  document.addEventListener("visibilitychange", ask);
  ask();
}
