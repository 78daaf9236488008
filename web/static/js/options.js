// The options of a game as fields: what each draws follows from its kind. Every field knows its
// value, whether it was changed, and how to show the sentence that refuses it.

import { h } from "./dom.js";
import { keptShips } from "./kept_ships.js";
import { records } from "./records.js";
import { cited } from "./rules.js";

const WORDS = { null: "As usual", true: "Yes", false: "No" };

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** A value in words, where the rules gave none. */
export function plain(value) {
  if (Array.isArray(value)) return value.join(", ");
  const words = WORDS[String(value)] ?? String(value).replaceAll(/[-_]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const numbersIn = (text) => (text.match(/-?\d+/g) ?? []).map(Number);

function heading(option) {
  return [h("strong", {}, option.title), option.text ? h("small", {}, ...cited(option.text)) : null];
}

function flag(option, id) {
  const input = h("input", { type: "checkbox", id, checked: option.default });
  return {
    input,
    value: () => input.checked,
    parts: [h("label", { class: "switch", for: id }, input, h("span", { class: "words" }, ...heading(option)))],
  };
}

function labelled(option, id, input) {
  return [h("label", { class: "words", for: id }, ...heading(option)), input];
}

function choice(option, id) {
  const input = h("select", { id }, ...option.choices.map(({ value, label }, k) =>
    h("option", { value: String(k), selected: same(value, option.default) }, label ?? plain(value))));
  return { input, value: () => option.choices[Number(input.value)].value, parts: labelled(option, id, input) };
}

function number(option, id) {
  const input = h("input", { type: "number", inputmode: "numeric", step: 1, id, value: option.default });
  return {
    input,
    // What is no whole number goes to the rules as it is; they say what would be right.
    value: () => (/^-?\d+$/.test(input.value) ? Number(input.value) : input.value),
    parts: labelled(option, id, input),
  };
}

function numbers(option, id) {
  const many = option.default.length > 8;
  const text = option.default.join(", ");
  const input = many
    ? h("textarea", { id, rows: 2, inputmode: "numeric", autocomplete: "off" }, text)
    : h("input", { type: "text", inputmode: "numeric", autocomplete: "off", id, value: text });
  return { input, value: () => numbersIn(input.value), parts: labelled(option, id, input) };
}

function text(option, id) {
  // What a card says is longer than its name.
  const input = option.id === "text"
    ? h("textarea", { id, rows: 2 }, option.default)
    : h("input", { type: "text", id, autocomplete: "off", value: option.default });
  return { input, value: () => input.value.trim(), parts: labelled(option, id, input) };
}

const WORKSHOPS = { ships: keptShips };

/** What was made on a page of its own and kept on this device: some of it may come along. */
function made(option, id) {
  const things = Object.entries(WORKSHOPS[option.workshop]());
  const boxes = things.map(([title], k) => ({
    title,
    box: h("input", { type: "checkbox", id: k ? `${id}-${k}` : id }),
  }));
  const kept = Object.fromEntries(things);
  return {
    input: boxes[0]?.box ?? h("span", {}),
    value: () => boxes.filter(({ box }) => box.checked).map(({ title }) => kept[title]),
    parts: [
      h("span", { class: "words" }, ...heading(option)),
      ...boxes.map(({ title, box }) => h("label", { class: "switch" }, box, h("span", { class: "words" }, title))),
      h("a", { class: "workshop", href: `/${option.workshop}` }, things.length ? "Make another" : "Make one"),
    ],
  };
}

/** The sentence of a refusal with the line of the file it speaks of. */
function withLine(sentence, content) {
  const number = Number(/\bline (\d+)/.exec(sentence)?.[1] ?? 0);
  const line = number ? content.split("\n")[number - 1]?.trim() : "";
  return line ? `${sentence}\n${number} │ ${line}` : sentence;
}

/** A text file of the host's own in place of what comes with the game; it is checked at once. */
function file(option, id, check) {
  let content = null;
  const input = h("input", { type: "file", id, accept: `${option.file},text/plain` });
  const good = h("p", { class: "small good", role: "status" });
  const back = h("button", { type: "button", hidden: true }, "Back to the one that comes with it");
  function watch(complain) {
    input.addEventListener("change", async () => {
      content = (await input.files[0]?.text()) ?? null;
      back.hidden = content === null;
      good.textContent = "";
      complain("");
      if (content === null) return;
      const fault = await check(option.id, content);
      if (fault) complain(fault);
      else good.textContent = "This can be played with.";
      input.closest(".option").scrollIntoView({ block: "nearest" }); // the verdict stands below
    });
    back.addEventListener("click", () => {
      input.value = "";
      input.dispatchEvent(new Event("change", { bubbles: true }));
    });
  }
  return { input, watch, value: () => content ?? option.default, explain: (sentence) => withLine(sentence, content ?? ""), parts: [...labelled(option, id, input), good, back] };
}

const KINDS = { flag, choice, number, numbers, text, made, file, records: (option, id) => records(option, id, optionField) };

/** One option as a field: {node, fault, value(), isChanged(), complain(sentence)}.
 *  `check(id, value)` returns, for a file, the sentence that refuses it. */
function optionField(option, prefix = "option", check = null) {
  const id = `${prefix}-${option.id}`;
  const { input, value, parts, watch = null, explain = (sentence) => sentence } = KINDS[option.kind](option, id, check);
  const fault = h("p", { class: "fault", id: `${id}-fault`, role: "alert", hidden: true });
  input.setAttribute("aria-describedby", fault.id);
  const node = h("div", { class: `option ${option.kind}`, "data-option": option.id }, ...parts, fault);
  function complain(sentence) {
    fault.textContent = sentence && explain(sentence);
    fault.hidden = !sentence;
    node.classList.toggle("wrong", Boolean(sentence));
    if (sentence) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
    return input;
  }
  node.addEventListener("input", () => complain(""));
  watch?.(complain);
  return { node, fault, value, complain, title: option.title, isChanged: () => !same(value(), option.default) };
}

/** All options of a game, folded under their headings: {node, chosen(), complain(id, sentence)}. */
export function optionGroups(options, lastHeading, check) {
  const fields = new Map(options.map((option) => [option.id, optionField(option, "option", check)]));
  const headings = [...new Set(options.map(({ group }) => group || lastHeading))];
  const folds = headings.map((heading) => {
    const inside = options.filter(({ group }) => (group || lastHeading) === heading).map(({ id }) => fields.get(id));
    const changed = h("small", { class: "changed" });
    const fold = h("details", { class: "fold" }, h("summary", {}, h("span", {}, heading), changed), ...inside.map(({ node }) => node));
    const tell = () => { changed.textContent = inside.filter((field) => field.isChanged()).map(({ title }) => title).join(", "); };
    for (const event of ["input", "change"]) fold.addEventListener(event, tell);
    return fold;
  });
  return {
    node: h("div", { class: "folds" }, ...folds),
    chosen: () => Object.fromEntries([...fields].filter(([, field]) => field.isChanged()).map(([id, field]) => [id, field.value()])),
    complain(id, sentence) {
      const field = fields.get(id);
      if (!field) return false;
      field.node.closest("details").open = true;
      field.complain(sentence).focus();
      field.fault.scrollIntoView({ block: "center" }); // below what may be longer than the screen
      return true;
    },
  };
}
