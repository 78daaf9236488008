// A list of things the host types in, such as the gambit cards of the box: one panel for each.

import { h } from "./dom.js";
import { keep, recall } from "./memory.js";
import { cited } from "./rules.js";

const kept = (id) => `quarterdeck-${id}`;

/** The editor of an option of kind "records"; what was typed in before is offered again.
 *  `makeField(option, prefix)` draws one field of a panel. */
export function records(option, id, makeField) {
  const cards = h("ol", { class: "records" });
  const panels = [];
  let made = 0;
  const told = () => cards.dispatchEvent(new Event("input", { bubbles: true }));

  function add(values = {}) {
    made += 1;
    const taken = panels.map((panel) => panel.value());
    const fields = option.fields.map((field, k) => makeField(fresh(field, k === 0, values, taken), `${id}-${made}`));
    const panel = {
      value: () => Object.fromEntries(option.fields.map((field, k) => [field.id, fields[k].value()])),
    };
    const away = h("button", { type: "button", class: "quiet", on: { click: remove } }, "Take away");
    const node = h("li", { class: "record" }, ...fields.map((field) => field.node), away);
    function remove() {
      panels.splice(panels.indexOf(panel), 1);
      node.remove();
      told();
    }
    panels.push(panel);
    cards.append(node);
    told();
    return fields[0];
  }

  const more = h("button", { type: "button", on: { click: () => add().node.scrollIntoView({ block: "center" }) } }, "Add one");
  const before = recall(kept(id), []);
  const again = h("button", { type: "button", class: "quiet", hidden: !before.length, on: { click: useAgain } }, `Use the ${before.length} typed in before`);
  function useAgain() {
    again.hidden = true;
    for (const values of before) add(values);
  }

  const value = () => panels.map((panel) => panel.value());
  cards.addEventListener("input", () => panels.length && keep(kept(id), value()));
  return {
    input: more,
    value,
    parts: [
      h("span", { class: "words" }, h("strong", {}, option.title), option.text ? h("small", {}, ...cited(option.text)) : null),
      cards,
      h("div", { class: "row" }, more, again),
    ],
  };
}

/** A field of a new panel: as typed in before; its key is one that no other panel has yet. */
function fresh(field, isKey, values, taken) {
  if (field.id in values) return { ...field, default: values[field.id] };
  const isFree = ({ value }) => !taken.some((one) => one[field.id] === value);
  const key = (isKey && field.choices.find(isFree)?.value) || field.default;
  return { ...field, default: key };
}
