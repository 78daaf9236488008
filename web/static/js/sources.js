// Where offers come from and where the chosen one goes: what may be told now, what may have happened.

import { command, getAlternatives, getOffers, getShown } from "./api.js";
import { shot } from "./sheet.js";

/** What may be told now: {load(), shown(dice), send(offer)}; `shown` finds a roll that no list holds,
 *  `send` returns the version that comes of it. `seen` is a picture of what is told, if there is one. */
export function nowOffers() {
  let version = null;
  return {
    title: "Tell the table",
    isNow: true,
    load: async () => {
      const found = await getOffers();
      version = found.version;
      return found;
    },
    shown: (dice) => getShown({ dice }),
    send: async ({ action }) => (await command("act", { action, version })).version,
  };
}

/** What may have happened instead of a line of the log; `onSent()` runs when it was told. */
export function insteadOf(entry, onSent) {
  return {
    title: "What was it really?",
    seen: entry.tray ? shot(entry.tray, "The dice in the tray") : null,
    load: () => getAlternatives(entry.seq),
    shown: (dice) => getShown({ dice, seq: entry.seq }),
    send: async ({ action }) => {
      const answer = await command("correct", { seq: entry.seq, action });
      onSent();
      return answer.version;
    },
  };
}
