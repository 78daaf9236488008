// The start page: choose a game, name the captains, open the table.

import { getGames, openGame } from "./api.js";
import { h } from "./dom.js";
import { ruleSign } from "./question.js";

const WORDS = {
  null: "as usual",
  true: "yes",
  false: "no",
};

const plain = (value) => {
  if (Array.isArray(value)) return value.join(", ");
  return WORDS[String(value)] ?? String(value).replaceAll("-", " ");
};

function optionField(option) {
  const id = `option-${option.id}`;
  const initial = JSON.stringify(option.default);
  return h(
    "label",
    { class: "option", for: id },
    h("span", {}, option.text),
    h("select", { id, "data-option": option.id },
      ...option.choices.map((choice) => {
        const value = JSON.stringify(choice);
        return h("option", { value, selected: value === initial }, plain(choice) + (value === initial ? " (usual)" : ""));
      })),
  );
}

function captainFields(count, names) {
  return Array.from({ length: count }, (_, k) =>
    h("label", { class: "captain-field" },
      h("span", {}, `Captain ${k + 1}`),
      h("input", { type: "text", name: "captain", maxlength: 24, required: true, autocomplete: "off", value: names[k] ?? "", placeholder: "Name" })));
}

/** Fill `node` with the form; `onOpened()` runs when the table is open. */
export async function startForm(node, onOpened) {
  const games = await getGames();
  let game = games[0];
  const captains = h("div", { class: "captain-fields" });
  const options = h("div", { class: "options" });
  const complaint = h("div", { role: "alert" });
  const typed = () => [...captains.querySelectorAll("input")].map((input) => input.value);

  const crowd = h("div", { class: "row counts", role: "group", "aria-label": "How many captains?" });
  function seat(count) {
    captains.replaceChildren(...captainFields(count, typed()));
    const [fewest, most] = game.players;
    crowd.replaceChildren(...Array.from({ length: most - fewest + 1 }, (_, k) => {
      const number = fewest + k;
      return h("button", { type: "button", "aria-pressed": String(number === count), on: { click: () => seat(number) } }, String(number));
    }));
  }

  function choose(id) {
    game = games.find((one) => one.id === id);
    seat(game.players[0]);
    options.replaceChildren(...game.options.filter((option) => option.choices.length > 1).map(optionField));
  }

  async function submit(event) {
    event.preventDefault();
    const chosen = {};
    for (const field of options.querySelectorAll("select")) {
      const option = game.options.find((one) => one.id === field.dataset.option);
      if (field.value !== JSON.stringify(option.default)) chosen[option.id] = JSON.parse(field.value);
    }
    try {
      await openGame(game.id, typed(), chosen);
      onOpened();
    } catch (refusal) {
      complaint.replaceChildren(h("div", { class: "card refusal" }, ruleSign(refusal.rule), h("p", { class: "big" }, refusal.message), h("p", { class: "small" }, refusal.hint)));
    }
  }

  const form = h(
    "form",
    { on: { submit } },
    h("fieldset", {}, h("legend", {}, "Which game?"),
      ...games.map((one) =>
        h("label", { class: "game" },
          h("input", { type: "radio", name: "game", value: one.id, checked: one === game, on: { change: () => choose(one.id) } }),
          h("span", {}, one.title)))),
    h("fieldset", {}, h("legend", {}, "How many captains?"), crowd),
    h("fieldset", {}, h("legend", {}, "Their names, clockwise around the table"), captains),
    h("details", {}, h("summary", {}, "House rules (the usual ones are set)"), options),
    complaint,
    h("button", { class: "strong launch", type: "submit" }, "Set sail"),
  );
  choose(game.id);
  node.replaceChildren(h("h1", {}, "A new battle"), form);
}
