// The doubter's page, kept up to date: after every roll it is asked for again and its parts changed.

import { byId } from "./dom.js";
import { follow, lamp } from "./live.js";

const MARGIN = 1.25; // a little of the tray around the die

/** Show only the die of the tray's picture. */
function place(img) {
  const [x, y, w, h] = img.dataset.box.split(" ").map(Number);
  const side = Math.max(w, h) * MARGIN;
  const share = (length) => `${(100 * length) / side}%`; // of what is shown, however large that is
  img.classList.add("placed");
  img.style.width = share(img.naturalWidth);
  img.style.height = share(img.naturalHeight);
  img.style.left = share(side / 2 - (x + w / 2));
  img.style.top = share(side / 2 - (y + h / 2));
}

function placeAll() {
  for (const img of document.querySelectorAll("img[data-box]")) {
    if (img.complete && img.naturalWidth) place(img);
    else img.addEventListener("load", () => place(img), { once: true });
  }
}

const name = (details) => details.dataset.keep ?? details.closest("article")?.querySelector("h2")?.textContent;

/** Ask for the page again and put what is new in the place of what was. */
async function refresh() {
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } }).catch(() => null);
  if (!answer?.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("dice-main");
  const open = new Set([...document.querySelectorAll("details[open]")].map(name));
  for (const details of fresh.querySelectorAll("details")) details.open = open.has(name(details));
  byId("dice-main").replaceChildren(...fresh.childNodes);
  placeAll();
}

let version = byId("dice-main").dataset.moment; // what was rolled since the page was sent is missing on it
let isAsking = false;
let isBehind = false;

/** Ask until nothing is new any more: what comes while it is being asked for is asked for once, however much. */
async function catchUp() {
  isBehind = true;
  if (isAsking) return;
  isAsking = true;
  try {
    while (isBehind) {
      isBehind = false;
      await refresh();
    }
  } finally {
    isAsking = false; // also after an answer that broke off
  }
}

follow(
  (moment) => {
    const now = moment.table ? `${moment.table.game} ${moment.table.version}` : "";
    if (now !== version) catchUp();
    version = now;
  },
  lamp,
);
placeAll();
