// The start page: choose a game, name the captains, open the table. What else may be chosen is
// folded away, so a usual game is three taps.

import { checkOptions, getGames, getHealth, openGame } from "./api.js";
import { h, isOff, section, switchOff } from "./dom.js";
import { keep, recall } from "./memory.js";
import { optionGroups } from "./options.js";
import { healthNotes } from "./question.js";
import { ruleSign } from "./rules.js";

const NAMES = ["Anne", "Bart", "Calico", "Drake", "Edward", "Ching", "Grace", "Henry"];
const KEPT = "quarterdeck-names";
const LAST_GAME = "quarterdeck-game"; // the one opened last from this phone is offered first
const HEALTH_MS = 3000;
const LAST_HEADING = "House rules";

/** Ask anew what is amiss for as long as the form is shown: a camera may be plugged in meanwhile. */
function watchHealth(node, draw) {
  setTimeout(async () => {
    if (!node.isConnected || !node.firstChild) return;
    const health = await getHealth().catch(() => null);
    if (health) draw(health.ill);
    watchHealth(node, draw);
  }, HEALTH_MS);
}

/** Names to offer: of those at the table, then those this phone remembers, then any. */
const offeredNames = (present) => [...new Set([...present, ...recall(KEPT, []), ...NAMES])];

function captainFields(count, names) {
  return Array.from({ length: count }, (_, k) => {
    const fault = h("span", { class: "fault", id: `captain-${k}-fault`, role: "alert", hidden: true }, `Captain ${k + 1} needs a name.`);
    const input = h("input", { type: "text", name: "captain", maxlength: 24, "aria-describedby": fault.id, autocomplete: "off", dir: "auto", value: names[k] ?? "", placeholder: "Name",
      on: { focus: (event) => event.target.select(), input: () => { fault.hidden = true; } } });
    return h("label", { class: "captain-field" }, h("span", {}, `Captain ${k + 1}`), input, fault);
  });
}

/** Tell at the first field that has no name that it lacks one; returns whether all have. */
function isNamed(captains) {
  const blank = [...captains.querySelectorAll("input")].find((input) => !input.value.trim());
  if (!blank) return true;
  blank.nextElementSibling.hidden = false;
  blank.focus();
  blank.parentNode.scrollIntoView({ block: "nearest" });
  return false;
}

/** Fill `node` with the form; `onOpened()` runs when the table is open. `present` are the names of the
 *  captains who are at the table by now. */
export async function startForm(node, onOpened, present = []) {
  const [games, health] = await Promise.all([getGames(), getHealth()]);
  let game = games.find(({ id }) => id === recall(LAST_GAME, null)) ?? games[0];
  let options = null;
  const names = offeredNames(present);
  const captains = h("div", { class: "captain-fields" });
  const choices = h("div", { class: "options" });
  const book = h("a", { class: "workshop", target: "_blank", rel: "noopener" }, "Read its rules"); // beside the form: what was typed stays
  const complaint = h("div", { class: "complaint", role: "alert" });
  const typed = () => [...captains.querySelectorAll("input")].map((input) => input.value);

  const crowd = h("div", { class: "row counts", role: "group", "aria-label": "How many captains?" });
  function seat(count) {
    const isChosen = crowd.contains(document.activeElement); // what is drawn anew keeps the focus
    typed().forEach((name, k) => { names[k] = name; });
    captains.replaceChildren(...captainFields(count, names));
    const [fewest, most] = game.players;
    crowd.replaceChildren(...Array.from({ length: most - fewest + 1 }, (_, k) => {
      const number = fewest + k;
      return h("button", { type: "button", "aria-pressed": String(number === count), on: { click: () => seat(number) } }, String(number));
    }));
    if (isChosen) crowd.querySelector("[aria-pressed=true]").focus();
  }

  /** What the rules object to in one value of an option, or "". */
  const refusalOf = (id, value) =>
    checkOptions(game.id, { [id]: value }).then(({ fault }) => fault, (refusal) => refusal.message);

  function choose(id) {
    game = games.find((one) => one.id === id);
    const [fewest, most] = game.players;
    seat(Math.min(Math.max(typed().length || present.length, fewest), most));
    book.href = `/rules/${id}`;
    options = optionGroups(game.options, LAST_HEADING, refusalOf);
    choices.replaceChildren(options.node);
    complaint.replaceChildren();
  }

  function object(refusal) {
    if (refusal.option && options.complain(refusal.option, refusal.message)) return;
    complaint.replaceChildren(h("div", { class: "card refusal" }, ruleSign(refusal.rule), h("p", { class: "big" }, refusal.message), h("p", { class: "small" }, refusal.hint)));
    complaint.scrollIntoView({ block: "nearest" });
  }

  async function submit(event) {
    event.preventDefault();
    complaint.replaceChildren();
    if (!isNamed(captains) || isOff(launch)) return;
    switchOff(launch, true); // a second tap would open a second game
    try {
      await openGame(game.id, typed(), options.chosen());
      keep(KEPT, typed());
      keep(LAST_GAME, game.id);
      onOpened();
    } catch (refusal) {
      object(refusal);
    } finally {
      switchOff(launch, false);
    }
  }

  const launch = h("button", { class: "strong launch", type: "submit" }, "Set sail");
  const form = h(
    "form",
    { on: { submit } },
    h("fieldset", {}, h("legend", {}, "Which game?"),
      ...games.map((one) =>
        h("label", { class: "game" },
          h("input", { type: "radio", name: "game", value: one.id, checked: one === game, on: { change: () => choose(one.id) } }),
          h("span", {}, one.title), h("small", { "aria-hidden": "true" }, `for ${one.players.join("–")}`))),
      h("p", { class: "small" }, "New to it? ", book)),
    h("fieldset", {}, h("legend", {}, "How many captains?"), crowd),
    h("fieldset", {}, h("legend", {}, "Their names, clockwise around the table"), captains),
    h("fieldset", {}, h("legend", {}, "How is it played?"), h("p", { class: "small" }, "As usual, unless you unfold and choose."), choices),
    complaint,
    h("div", { class: "launch-bar" }, launch),
  );
  choose(game.id);
  const amiss = h("div", { role: "status" });
  const drawAmiss = section(amiss, healthNotes);
  if (!health.game) { // a game in play shows its own
    drawAmiss(health.ill);
    watchHealth(node, drawAmiss);
  }
  const setUp = h("p", { class: "small" }, h("a", { class: "workshop", href: "/setup" }, "Set up camera, tray and buttons"));
  node.replaceChildren(amiss, h("h1", {}, "A new battle"), form, setUp);
}
