// Narrowing a long list of offers by what tells them apart: ship, die, direction, place, dice.
// Pure functions over the actions' JSON, so any game's actions can be told.

import { faceName } from "./dice.js";

const ARROWS = { E: "→", NE: "↗", NW: "↖", W: "←", SW: "↙", SE: "↘" };
const COURSES = ["↑ north", "→ east", "↓ south", "← west", "↗ with the wind", "↙ with the wind"];

const TYPES = {
  draw_commodore: "Commodore drawn", place_fleet: "Place the fleet", buy_third: "Third ship", pass: "Pass",
  choose_density: "Islands and reefs", draw_tile: "Tile drawn", place_tile: "Place the tile", choose_dice: "Choose dice",
  roll: "Rolled", sail: "Sail", fire: "Fire", scuttle: "Scuttle", "press.cell": "Press into service",
  deploy: "Deploy a ship", lie_to: "Move no ship", run: "Run", take: "Take the treasure", set_pair: "Freak squall",
  fire_gun: "Fire a gun", shoot: "Shoot", load_gun: "Load a gun", load_arms: "Load muskets", shift_gun: "Move a gun", post: "Move figures",
  strike_sail: "Square sail", haul: "Carry loot", lower: "Lower a launch, get into a boat", disembark: "Go ashore", cross: "Cross over", raid: "Rob the idol",
  lose: "Figures lost", man_prize: "Prize crew", leave_prize: "Leave the prize", commit: "Begin the boarding", press: "Fight on",
  attack: "Whom to fight", "take.good": "Take a good", take_relic: "Take a relic", rob: "Take silver", gain: "From the bank",
  discard: "To the bank", set_wind: "Turn the wind", anchor: "Go to a port", offer: "Offer a trade", accept: "Accept the trade", decline: "No",
  add_third: "Third ship", place_grudge: "Grudge ship", relaunch: "New ship", pick_variant: "Play it", leave_variant: "Leave it out",
};

const FIELDS = {
  ship: "Which ship?", die: "Which die?", direction: "Which way?", course: "Which way?", cell: "Where?", start: "From where?",
  second: "Second ship where?", each: "Of each kind", sails: "Sail dice", cannons: "Cannonball dice", colour: "Colour", number: "Number",
  tile: "Tile", dice: "What was rolled?", ships: "How many ships?", treasure: "With the treasure?", fleet: "Which fleet?",
  gun: "Which gun?", cannon: "Which cannon?", mast: "Which mast?", target: "At whom?", figure: "Who?", station: "Where?", count: "How many?", hands: "How many hands?",
  foe: "Whom?", good: "Which good?", give: "Give what?", get: "For what?", port: "Which port?",
  low: "The lower face?", high: "The higher face?",
  "place_fleet.start": "First ship where?", to: "Where to?", "fire.to": "At whom?",
};

/** Numbered from 0 in actions, from 1 by people. */
const COUNTED = ["gun", "cannon", "mast", "shoal"];

/** Faces of a piecepack die, of which two have names. */
const FACED = ["low", "high"];

/** Seats of captains, or the merchant's. */
const SEATS = ["foe"];

/** Known to the rules by an id that says little: only the words of the offers have the name. */
const NAMELESS = ["relic", "upgrade", "resource"];

/** Figures and where they stand, which have other names among people than in actions. */
const CALLED = {
  "pirate-musket": "Pirate with a musket", "pirate-pistol": "Pirate with a pistol", "pirate-hook": "Pirate with a hook", "warrior-bow": "Warrior with a bow",
  castle: "Top castles", nest: "Crow’s nest", guns: "Gun deck", climbing: "Climbing the wall", cover: "Behind barrels",
  "floor-1": "Tower, floor 1", "floor-2": "Tower, floor 2", "floor-3": "Tower, floor 3", "floor-4": "Tower, floor 4",
};
const FEMALE = /-female$/;

/** A name in words: "lose_mast", "Imperial-captain"; a minus before a number stays. */
const sentence = (word) => word.charAt(0).toUpperCase() + word.slice(1).replaceAll("_", " ").replaceAll(/([a-z])-(?=[a-z])/gi, "$1 ");

/** What people call a figure, a station or anything else that actions name. */
const called = (word) => CALLED[word] ?? (FEMALE.test(word) ? `Female ${sentence(word.replace(FEMALE, "")).toLowerCase()}` : sentence(word));

/** Two games press: a prize into service, which takes a hex, and a boarding, which takes none. Two take: a
 *  good, and the treasure. */
export function typeName(type, action = {}) {
  const field = Object.keys(action).find((name) => `${type}.${name}` in TYPES);
  return TYPES[`${type}.${field}`] ?? TYPES[type] ?? sentence(type);
}
export const fieldName = (field, type = "") => FIELDS[`${type}.${field}`] ?? FIELDS[field] ?? sentence(field);

const isDice = (value) => Array.isArray(value) && value.some((die) => typeof die === "object" && die !== null && "face" in die);
const isPair = (value) => Array.isArray(value) && value.length === 2 && value.every(Number.isInteger);

const isPose = (value) => Array.isArray(value) && value.length === 3 && value.every((part) => typeof part === "number");

/** Where a piece ends by a move on an open table, or null: its pose or the last of its path. */
export function poseOf({ path, pose }) {
  const end = path?.at(-1) ?? pose;
  return isPose(end) ? { x_mm: end[0], y_mm: end[1], heading_deg: end[2] } : null;
}

/** Whether a value is a place, or several: chosen on the board, never by numbers. */
const isPlace = (value) => isPose(value) || (Array.isArray(value) && value.length > 0 && value.every((part) => isPose(part) || isPose([...[part].flat(), 0])));

/** A field's value as a comparable text: cells as "q,r", the rest as JSON. */
function key(value) {
  if (isPair(value)) return value.join(",");
  return typeof value === "string" ? value : JSON.stringify(value);
}

export const isCell = (text) => /^-?\d+,-?\d+$/.test(text);

/** A value in words for a button; `cellName(id)` says what people call a cell, `seats` who sits where. */
export function valueName(field, text, cellName = (id) => id, seats = []) {
  if (SEATS.includes(field)) return seats.find(({ seat }) => String(seat) === text)?.name ?? "The merchant";
  if (text in ARROWS) return `${ARROWS[text]} ${text}`;
  if (COUNTED.includes(field) && Number(text) >= 0) return `${sentence(field)} ${Number(text) + 1}`;
  if (FACED.includes(field)) return sentence(faceName("piecepack", text));
  if (field === "course") return COURSES[Number(text)] ?? text;
  if (isCell(text)) return cellName(text);
  if (text.startsWith("[[")) return JSON.parse(text).map(([what, count]) => `${count} ${called(what).toLowerCase()}`).join(", ");
  return { true: "Yes", false: "No", null: "None" }[text] ?? called(text);
}

export const dieKey = (die) => `${die.kind} ${die.face}`;

function includes(dice, picked) {
  const left = dice.map(dieKey);
  return picked.every((one) => {
    const at = left.indexOf(one);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

/** What a roll shows as it was read, picked among the offers of others; nothing, if none of them is one. */
export function asRead([offer], dice) {
  const field = Object.keys(offer?.action ?? {}).find((name) => isDice(offer.action[name]));
  return field && dice.length ? { [field]: dice.map(dieKey) } : {};
}

/** The dice that are picked once a face was tapped, or null: where all are, it takes the place of the only
 *  one of its kind. `size` is how many were rolled; `possible(dice)` says whether some roll has them. */
export function withDie(picked, text, size, possible) {
  const kindOf = (one) => one.split(" ")[0];
  const others = picked.filter((one) => kindOf(one) !== kindOf(text));
  const isFull = picked.length === size;
  if (isFull && others.length !== size - 1) return null;
  const more = [...(isFull ? others : picked), text];
  return possible(more) ? more : null;
}

/** What tells an offer from others: the fields of its action, and where it leads. */
export const fieldsOf = ({ action, to }) => (to ? { ...action, to } : action);

/** Whether an action agrees with what was picked; `except` leaves one field out of account. */
function agrees(action, picked, except = null) {
  return Object.entries(picked).every(([field, value]) => {
    if (field === except) return true;
    return isDice(action[field]) ? includes(action[field], value) : key(action[field]) === value;
  });
}

/** "d6 2" before "d6 10", and both before "d20 1". */
const byNumber = (one, other) => one.localeCompare(other, "en", { numeric: true });

/** Numbers by their size; anything else as it came. */
const inOrder = (values) => (values.every((value) => /^-?\d+$/.test(value)) ? values.sort((one, other) => one - other) : values);

/** What tells these actions apart: [{field, kind: "dice"|"cell"|"value", values}]. */
export function facets(actions, picked) {
  const fields = new Set(actions.flatMap(Object.keys));
  const found = [];
  for (const field of fields) {
    if (field === "type" || field === "player" || NAMELESS.includes(field)) continue;
    if (actions.some((action) => isPlace(action[field]))) continue;
    if (actions.some((action) => isDice(action[field]))) {
      found.push({ field, kind: "dice", values: [...new Set(actions.flatMap((action) => action[field].map(dieKey)))].sort(byNumber) });
      continue;
    }
    const having = actions.filter((action) => field in action);
    const open = having.filter((action) => agrees(action, picked, field));
    const values = inOrder([...new Set(open.map((action) => key(action[field])))]);
    const all = new Set(having.map((action) => key(action[field])));
    const differ = all.size > 1 || having.length < actions.length;
    if (differ && values.length) found.push({ field, kind: values.every(isCell) ? "cell" : "value", values });
  }
  return found;
}

/** Offers that agree with type (null: any) and picks and hold what is searched for: as it is, else
 *  word by word. */
export function narrow(offers, type, picked, query) {
  const open = offers.filter((offer) => (type === null || offer.action.type === type) && agrees(fieldsOf(offer), picked));
  const phrase = query.trim().toLowerCase();
  const said = ({ text, printed = "" }) => `${text} ${printed}`.toLowerCase();
  const exact = open.filter((offer) => said(offer).includes(phrase));
  if (exact.length) return exact;
  const words = phrase.split(/\s+/);
  return open.filter((offer) => words.every((word) => said(offer).includes(word)));
}
