// Small helpers to build elements. No innerHTML anywhere: text from the table stays text.

const SVG = "http://www.w3.org/2000/svg";

function furnish(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) node.addEventListener(event, listener);
    } else if (value === true) {
      node.setAttribute(name, "");
    } else {
      node.setAttribute(name, value);
    }
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** Build an HTML element: h("button", {class: "big", on: {click}}, "Go"). */
export function h(tag, attributes = {}, ...children) {
  return furnish(document.createElement(tag), attributes, children);
}

/** Build an SVG element. */
export function s(tag, attributes = {}, ...children) {
  return furnish(document.createElementNS(SVG, tag), attributes, children);
}

/** Return a function that redraws `node` only when what it is given has changed.
 *  Keeps the focus and saves work: most moments change little. */
export function section(node, draw) {
  let last;
  return (...given) => {
    const now = JSON.stringify(given);
    if (now === last) return;
    last = now;
    const drawn = draw(...given);
    const children = (Array.isArray(drawn) ? drawn : [drawn]).filter(Boolean);
    node.replaceChildren(...children);
    node.hidden = children.length === 0;
  };
}

/** Switch a button off or on. Unlike one that is `disabled` it keeps the focus, and so must ask
 *  `isOff` before it does anything. */
export function switchOff(button, off) {
  if (off) button.setAttribute("aria-disabled", "true");
  else button.removeAttribute("aria-disabled");
}

export const isOff = (button) => button.getAttribute("aria-disabled") === "true";

/** True where people asked their phone for calm. */
export function calm() {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}

export const byId = (id) => document.getElementById(id);

/** "Ann", "Ann and Bob", "Ann, Bob and Cid". */
export function listed(words) {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;
}
