// The rules of one game: what is typed into the search leaves the rules that have it.

import { byId } from "./dom.js";

/** However people type an apostrophe. */
const plain = (text) => text.toLowerCase().replaceAll("’", "'");

const entries = [...document.querySelectorAll(".entry")].map((node) => ({ node, words: plain(node.textContent) }));
const chapters = [...document.querySelectorAll(".chapter")];

/** Every word typed must be in a rule, in any order. */
function seek(typed) {
  const wanted = plain(typed).split(/\s+/).filter(Boolean);
  for (const { node, words } of entries) node.hidden = !wanted.every((word) => words.includes(word));
  for (const chapter of chapters) chapter.hidden = !chapter.querySelector(".entry:not([hidden])");
  document.querySelector(".chapters").hidden = wanted.length > 0;
  const count = entries.filter(({ node }) => !node.hidden).length;
  byId("found").textContent = !wanted.length ? "" : count === 1 ? "1 rule has this." : `${count || "No"} rules have this.`;
}

byId("seek").addEventListener("input", (event) => seek(event.target.value));

// A number that is followed must be seen, whatever was sought before.
for (const link of document.querySelectorAll(".entry a[href^='#']")) {
  link.addEventListener("click", () => {
    byId("seek").value = "";
    seek("");
  });
}
