// The shipyard: every change is judged by the table at once; the card beside it is what is printed.

import { checkShip, getShipParts, readShip, rigShip } from "./api.js";
import { byId, h } from "./dom.js";
import { forgetShip, keepShip, keptShips } from "./kept_ships.js";
import { ruleSign } from "./rules.js";
import { drawCard } from "./ship_drawing.js";

const ROLES_EXTRA = ["lieutenant", "marine", "pirate", "sailor"];
const MOUNT_WORDS = { fixed: "fixed", slide: "on a slide", wheels: "on wheels", turntable: "on a turntable", chaser: "stern chaser" };

let parts = null;
let ship = null;
let optional = { oversailing: false, overloading: false, stern_chasers: false };
let asked = 0;

const copy = (value) => JSON.parse(JSON.stringify(value));

function words(sail) {
  return parts.sail_names[sail] ?? sail;
}

/** A field with its words; `change(value)` is called with what was chosen. */
function select(title, choices, value, change, attributes = {}) {
  const shown = choices.some(([key]) => key === value) ? choices : [...choices, [value, value]];
  return h("label", { class: "part", ...attributes }, h("span", {}, title),
    h("select", { on: { change: (event) => change(shown[event.target.selectedIndex][0]) } },
      ...shown.map(([key, text]) => h("option", { selected: key === value }, String(text)))));
}

function number(title, value, change, { least = 0, most = 60, step = 1 } = {}) {
  const told = (event) => { if (event.target.value !== "" && event.target.checkValidity()) change(Number(event.target.value)); };
  return h("label", { class: "part" }, h("span", {}, title),
    h("input", { type: "number", inputmode: step < 1 ? "decimal" : "numeric", min: least, max: most, step, value, on: { input: told } }));
}

function flag(title, value, change) {
  return h("label", { class: "switch" }, h("input", { type: "checkbox", checked: value, on: { change: (event) => change(event.target.checked) } }), h("span", { class: "words" }, title));
}

function away(title, click) {
  return h("button", { type: "button", class: "quiet", "aria-label": title, on: { click } }, "✕");
}

function group(title, ...children) {
  return h("fieldset", {}, h("legend", {}, title), ...children);
}

function set(name, value) {
  ship[name] = value;
  judge();
}

/** What changes which fields there are: they are drawn again. */
function reset(name, value) {
  ship[name] = value;
  draw();
}

function begin() {
  const models = parts.models.map((model) => [model.id, model.title]);
  const kept = Object.keys(keptShips()).map((name) => [name, name]);
  return group("Begin with",
    h("div", { class: "pair" },
      select("A model", [["", "choose"], ...models], "", (id) => load(parts.models.find((model) => model.id === id))),
      kept.length ? select("One of yours", [["", "choose"], ...kept], "", (name) => load(keptShips()[name])) : null),
    h("label", { class: "part" }, h("span", {}, "Or a file"), h("input", { type: "file", accept: ".toml", on: { change: open } })));
}

function hull() {
  return group("Hull",
    h("label", { class: "part" }, h("span", {}, "Name"), h("input", { type: "text", maxlength: 40, value: ship.title, on: { input: rename } })),
    h("div", { class: "pair" },
      select("Sails for", [["pirate", "the pirates"], ["imperial", "the Imperials"]], ship.side, takeSide),
      select("Width", parts.hulls.map((dots) => [dots, `${dots} dots, ${dots === 8 ? "narrow" : "wide"}`]), ship.hull, (value) => set("hull", value))),
    select("Length", parts.lengths.map((dots) => [dots, `${dots} dots`]), ship.length, (value) => set("length", value)));
}

function masts() {
  let speed = 60;
  let gaff = false;
  return group("Masts and sails",
    ...ship.mast.map(mast),
    h("div", { class: "row" },
      h("button", { type: "button", on: { click: () => reset("mast", [...ship.mast, { kind: "single", sails: ["lateen"], mizzen: true }]) } }, "Add a mast")),
    h("details", { class: "fold" }, h("summary", {}, "Rig her for a speed"),
      h("div", { class: "inside" },
        number("Speed wished for, dots", speed, (value) => { speed = value; }, { most: 160 }),
        flag("Gaff sails on the main masts", gaff, (value) => { gaff = value; }),
        h("button", { type: "button", on: { click: () => rigFor(speed, gaff) } }, "Rig her"))));
}

function mast(one, k) {
  const kinds = Object.keys(parts.masts).map((kind) => [kind, kind === "launch" ? "launch's mast" : `${kind} mast`]);
  const sets = parts.masts[one.kind].map((sails) => [sails.join("+"), sails.map(words).join(", ")]);
  const sails = one.sails.filter((sail) => sail !== "jib");
  const jib = one.sails.includes("jib");
  const change = (fields) => reset("mast", ship.mast.map((other, n) => (n === k ? { ...other, ...fields } : other)));
  const withJib = (list, has) => [...list, ...(has ? ["jib"] : [])];
  return h("div", { class: "item" },
    h("div", { class: "pair" },
      select(`Mast ${k + 1}`, kinds, one.kind, (kind) => change({ kind, sails: withJib(parts.masts[kind][0], jib) })),
      select("Sails", sets, sails.join("+"), (key) => change({ sails: withJib(key.split("+"), jib) }))),
    h("div", { class: "toggles" },
      flag("jib", jib, (has) => change({ sails: withJib(sails, has) })),
      flag("on the rear deck", one.mizzen, (mizzen) => change({ mizzen })),
      away(`Take mast ${k + 1} away`, () => reset("mast", ship.mast.filter((_, n) => n !== k)))));
}

function cannons() {
  const next = () => ({ mount: ship.cannon.at(-1)?.mount ?? "slide", side: ship.cannon.at(-1)?.side ?? "port", at: freePlace() });
  return group("Cannons",
    ...ship.cannon.map(cannon),
    h("button", { type: "button", on: { click: () => reset("cannon", [...ship.cannon, next()]) } }, "Add a cannon"),
    number("Deck guns at the bow", ship.deck_guns, (value) => set("deck_guns", value), { most: 20 }));
}

/** The first place along the keel, from the middle outward, where no cannon stands. */
function freePlace() {
  const taken = new Set(ship.cannon.map(({ at }) => at));
  const places = Array.from({ length: 14 }, (_, k) => (k % 2 ? -1 : 1) * 6 * Math.ceil(k / 2));
  return places.find((place) => !taken.has(place)) ?? 0;
}

function cannon(one, k) {
  const change = (fields, again) => {
    ship.cannon[k] = { ...one, ...ship.cannon[k], ...fields };
    if (again) draw(); else judge();
  };
  const mounts = Object.keys(parts.mounts).map((mount) => [mount, MOUNT_WORDS[mount]]);
  const sides = parts.mounts[one.mount].map((side) => [side, side]);
  return h("div", { class: "item cannon" },
    select(`Cannon ${k + 1}`, mounts, one.mount, (mount) => change({ mount, side: parts.mounts[mount].includes(one.side) ? one.side : parts.mounts[mount][0] }, true)),
    select("Side", sides, one.side, (side) => change({ side })),
    number("Dots fore", one.at, (at) => change({ at }), { least: -40, most: 40, step: 0.5 }),
    away(`Take cannon ${k + 1} away`, () => reset("cannon", ship.cannon.filter((_, n) => n !== k))));
}

function crew() {
  const figures = parts.figures[ship.side].filter(({ role }) => ROLES_EXTRA.includes(role));
  const officer = (role) => parts.figures[ship.side].filter((figure) => figure.role === role).map(({ id, one }) => [id, one]);
  const captain = ship.captain || officer("captain")[0][0];
  return group("Crew and cargo",
    h("p", { class: "small" }, "Sailors and cannon crews come with sails and cannons. Extra figures:"),
    h("div", { class: "pair" }, ...figures.map(({ id, title }) => number(title, ship.extras[id] ?? 0, (count) => muster(id, count)))),
    h("div", { class: "pair" },
      select("Captain", officer("captain"), captain, (id) => set("captain", id)),
      select("First Mate", officer("mate"), ship.mate, (id) => set("mate", id))),
    number("Chests and barrels", ship.cargo, (value) => set("cargo", value)),
    flag("A crow's nest, with a figure to man it", ship.crows_nest, (value) => set("crows_nest", value)));
}

function choices() {
  const tick = (name, value) => { optional[name] = value; judge(); };
  return group("Optional rules of building",
    flag("Oversailing: more sails for less cargo", optional.oversailing, (value) => tick("oversailing", value)),
    flag("Overloading: more cargo for less speed", optional.overloading, (value) => tick("overloading", value)),
    flag("Stern chasers: cannons that point astern", optional.stern_chasers, (value) => tick("stern_chasers", value)),
    number("Sail factors held back", ship.withheld, (value) => set("withheld", value), { most: 20 }));
}

function draw() {
  byId("parts").replaceChildren(begin(), hull(), masts(), cannons(), crew(), choices());
  judge();
}

function load(one) {
  if (!one) return;
  ship = copy(one);
  byId("problem").replaceChildren();
  draw();
}

function rename(event) {
  const title = event.target.value.trim();
  ship.title = title || "Unnamed";
  ship.id = ship.title.toLowerCase().normalize("NFD").replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-|-$/g, "") || "ship";
  judge();
}

/** Pirates do not sail with the Imperials: extras of the other side leave, and so do officers. */
function takeSide(side) {
  const known = new Set(parts.figures[side].map(({ id }) => id));
  ship.extras = Object.fromEntries(Object.entries(ship.extras).filter(([id]) => known.has(id)));
  ship.captain = "";
  reset("side", side);
}

function muster(id, count) {
  const extras = { ...ship.extras, [id]: count };
  set("extras", Object.fromEntries(Object.entries(extras).filter(([, many]) => many > 0)));
}

async function rigFor(speed, gaff) {
  await told(async () => {
    const { mast } = await rigShip({ hull: ship.hull, length: ship.length, speed, gaff });
    reset("mast", mast);
  });
}

async function open(event) {
  const [file] = event.target.files;
  if (!file) return;
  const text = await file.text();
  await told(async () => load((await readShip(text)).ship));
  byId("problem").firstChild?.scrollIntoView({ block: "center" }); // on a phone it stands far below
}

/** Do something at the table; what it objects to is shown. */
async function told(deed) {
  try {
    await deed();
    byId("problem").replaceChildren();
  } catch (refusal) {
    byId("problem").replaceChildren(h("div", { class: "card refusal" }, h("p", { class: "big" }, refusal.message), h("p", { class: "small" }, refusal.hint)));
  }
}

/** Have the table judge the ship; only the answer to the newest question is shown. */
async function judge() {
  asked += 1;
  const mine = asked;
  await told(async () => {
    const answer = await checkShip({ ship, ...optional });
    if (mine === asked) show(answer);
  });
}

function show(answer) {
  const faults = answer.violations.map(({ rule, reason }) => h("li", {}, ruleSign(rule), " ", reason));
  byId("faults").replaceChildren(faults.length
    ? h("div", { class: "card refusal" }, h("h2", {}, faults.length === 1 ? "One thing is against the rules" : `${faults.length} things are against the rules`), h("ul", { class: "faults" }, ...faults))
    : h("p", { class: "note fine" }, "She may be built."));
  const verdict = byId("verdict");
  verdict.hidden = false;
  verdict.classList.toggle("wrong", faults.length > 0);
  verdict.textContent = faults.length ? `${faults.length} against the rules ▾` : "She may be built ▾";
  byId("card").replaceChildren(...(answer.card ? drawCard(answer) : []));
  const file = byId("file");
  URL.revokeObjectURL(file.href);
  file.href = URL.createObjectURL(new Blob([answer.toml], { type: "application/toml" }));
  file.download = `${ship.id}.toml`;
}

function keep() {
  const isNew = !(ship.title in keptShips());
  if (!keepShip(ship)) {
    byId("kept").textContent = "This browser keeps nothing: save her as a file, and bring the file along.";
    return;
  }
  const forget = h("button", { type: "button", class: "quiet", on: { click: () => { forgetShip(ship.title); byId("kept").replaceChildren(); draw(); } } }, "Forget her");
  byId("kept").replaceChildren(`${ship.title} is kept on this device${isNew ? "" : " as she is now"}: the start page offers her for PirateWars. `, forget);
  draw();
}

byId("keep").addEventListener("click", keep);
byId("print").addEventListener("click", () => window.print());
byId("parts").addEventListener("submit", (event) => event.preventDefault());

parts = await getShipParts();
load({ ...parts.models.find(({ id }) => id === "skulls-eye-schooner"), id: "black-swan", title: "Black Swan" });
