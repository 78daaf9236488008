// The live stream: server-sent events, a watchdog for silent losses, polling when streams are full.

import { getState } from "./api.js";

const SILENT_MS = 12000; // two and a bit of the server's heartbeats
const FIRST_RETRY_MS = 400;
const LAST_RETRY_MS = 4000;
const POLL_MS = 2000;

/** Follow the table. `onMoment(moment)` gets each new moment, `onLink(alive)` each change of luck. */
export function follow(onMoment, onLink) {
  let source = null;
  let lastId = "";
  let alive = null;
  let wait = FIRST_RETRY_MS;
  let retry = 0;
  let watchdog = 0;
  let attempt = 0; // counts streams: what a silent one finds out too late is of no use any more

  function link(now) {
    if (now !== alive) onLink(now);
    alive = now;
  }

  function heard() {
    link(true);
    wait = FIRST_RETRY_MS;
    clearTimeout(watchdog);
    watchdog = setTimeout(lost, SILENT_MS);
  }

  function take(moment) {
    heard();
    if (moment.id === lastId) return;
    lastId = moment.id;
    onMoment(moment);
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
    if (moment) take(moment);
    else link(false);
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

/** Keep the screen awake where the browser allows it (only on secure addresses). */
export function keepAwake() {
  if (!("wakeLock" in navigator)) return;
  const ask = () => document.visibilityState === "visible" && navigator.wakeLock.request("screen").catch(() => null);
  document.addEventListener("visibilitychange", ask);
  ask();
}
