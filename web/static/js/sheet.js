// Sheets that slide over the page: a native dialog, so focus and the Escape key just work.

import { h } from "./dom.js";

/** Open a sheet with a title; returns {node, close}. `onClose` runs however it is closed. */
export function sheet(title, children, { onClose = null, wide = false } = {}) {
  const body = h("div", { class: "sheet-body" }, ...children);
  const node = h(
    "dialog",
    { class: wide ? "sheet wide" : "sheet", "aria-label": title },
    h(
      "div",
      { class: "head" },
      h("h2", { tabindex: -1, autofocus: true }, title),
      h("button", { class: "quiet", type: "button", "aria-label": "Close", on: { click: () => node.close() } }, "✕"),
    ),
    body,
  );
  node.addEventListener("close", () => {
    node.remove();
    onClose?.();
  });
  node.addEventListener("click", (event) => event.target === node && node.close());
  document.body.append(node);
  node.showModal();
  return { node, body, close: () => node.close() };
}

/** Close every sheet: what they are about is over. */
export function closeSheets() {
  for (const node of document.querySelectorAll("dialog[open]")) node.close();
}

/** Ask before something that others will notice; resolves to true or false. */
export function confirm(title, text, yes, no = "Keep it") {
  return new Promise((resolve) => {
    let answer = false;
    const say = (value) => () => {
      answer = value;
      asked.close();
    };
    const asked = sheet(
      title,
      [
        h("p", {}, text),
        h(
          "div",
          { class: "row" },
          h("button", { type: "button", on: { click: say(false) } }, no),
          h("button", { type: "button", class: "strong", on: { click: say(true) } }, yes),
        ),
      ],
      { onClose: () => resolve(answer) },
    );
  });
}

/** An evidence picture, as wide as there is room. */
export const shot = (name, words) => h("img", { class: "evidence", src: `/evidence/${encodeURIComponent(name)}`, alt: words });

/** Show an evidence picture in full. */
export function picture(name, words) {
  sheet("What the table saw", [
    shot(name, words),
    h("p", {}, words),
  ], { wide: true });
}
