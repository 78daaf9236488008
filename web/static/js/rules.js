// Numbers of rules, wherever they are named: a tap tells what the rule says.

import { getRule } from "./api.js";
import { h } from "./dom.js";
import { sheet } from "./sheet.js";

const CITED = /(\(?[A-Z]{3}-V?\d+\)?)/;
const NUMBER = /[A-Z]{3}-V?\d+/;

/** Tell what a rule says, in a sheet over the page, which is there at once. */
async function tellRule(number) {
  if (document.querySelector(`dialog[aria-label="Rule ${number}"]`)) return;
  const words = h("p", { "aria-live": "polite" }, "One moment …");
  const more = h("a", { href: `/rules/${number}` }, "All the rules");
  sheet(`Rule ${number}`, [words, h("p", {}, more)]);
  try {
    const rule = await getRule(number);
    words.replaceChildren(...cited(rule.text), ...(rule.is_ours ? [" ", h("span", { class: "ours" }, "our reading")] : []));
    more.textContent = `All the rules of ${rule.title}`;
  } catch (refusal) {
    words.textContent = `${refusal.message} ${refusal.hint}`;
  }
}

/** A number that can be tapped. Without this script it leads to the page of the rules. */
function link(number, look) {
  const click = (event) => {
    event.preventDefault();
    tellRule(number);
  };
  return h("a", { class: look, href: `/rules/${number}`, "aria-label": `${number}: what this rule says`, on: { click } }, number);
}

/** The rule's number as a small sign; what the table itself objects to ("table") has none. */
export function ruleSign(rule) {
  return rule && rule !== "table" ? link(rule, "rule") : null;
}

/** Words with their rule's number kept on one line: "+1 doubloon: Red sinks Blue (AOW-46)". */
export function cited(text) {
  return text.split(CITED).map((part, k) => (k % 2 ? citation(part) : part));
}

function citation(part) {
  const [number] = part.match(NUMBER);
  const [before, after] = part.split(number);
  return h("span", { class: "cite" }, before, link(number, "cite"), after);
}
