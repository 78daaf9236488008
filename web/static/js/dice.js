// Dice as they lie: a sail die is a d4 (triangle), a cannonball die a d20 (hexagon), others by their kind.

import { h, s } from "./dom.js";

const CUBE = { outline: "M11 4H37Q44 4 44 11V37Q44 44 37 44H11Q4 44 4 37V11Q4 4 11 4Z", lines: "", y: 31 };

const SHAPES = {
  piecepack: { ...CUBE, name: "die" },
  colour: { ...CUBE, name: "colour die" },
  d6: { ...CUBE, name: "d6" },
  d8: { name: "d8", outline: "M24 2L44 34L24 46L4 34Z", lines: "M4 34H44", y: 29 },
  d20: { name: "d20", outline: "M24 2L44 13V35L24 46L4 35V13Z", lines: "M24 11L38 34H10ZM24 2V11M44 13L24 11L4 13L10 34L4 35M44 13L38 34L44 35M10 34L24 46L38 34", y: 31 },
  sail: { name: "sail", outline: "M24 4L45 42H3Z", lines: "", y: 36 },
  cannon: { name: "cannonball", outline: "M24 2L44 13V35L24 46L4 35V13Z", lines: "M24 12L36 33H12ZM24 2V12M44 13L24 12L4 13L12 33L4 35M44 13L36 33L44 35M12 33L24 46L36 33", y: 31 },
};

const OTHER = { name: "die", outline: "M6 6H42V42H6Z", lines: "", y: 32 };

/** Faces that people call otherwise than by their number (companion/rules/dice.py). */
const FACES = {
  piecepack: ["null", "ace"],
  colour: ["brown", "red", "orange", "green", "white", "yellow"],
  d100: ["00"],
};

export const faceName = (kind, face) => FACES[kind]?.[face] ?? String(face);

/** What people call a kind of die: "sail", "d20". */
export const kindName = (kind) => SHAPES[kind]?.name ?? kind;

/** Say a die in words: "sail 3", "die ace". */
export function dieWords(kind, face) {
  return `${kindName(kind)} ${face === null ? "to be rolled" : faceName(kind, face)}`;
}

/** Draw a die; without a face it still waits to be rolled. */
export function die(kind, face = null) {
  const shape = SHAPES[kind] ?? OTHER;
  const shown = face === null ? "?" : faceName(kind, face);
  return s(
    "svg",
    { class: `die ${kind}${face === null ? " waits" : ""}`, viewBox: "0 0 48 48", role: "img", "aria-label": dieWords(kind, face) },
    s("path", { d: shape.outline, class: "die-body" }),
    s("path", { d: shape.lines, class: "die-lines" }),
    s("text", { x: 24, y: shown.length > 2 ? 28.5 : shape.y, class: shown.length > 2 ? "die-face word" : "die-face" }, shown),
  );
}

/** The tray: dice that wait to be spent, else those that must be rolled. */
export function tray(dice, awaited) {
  if (dice.length) {
    return [h("h2", {}, "Dice to spend"), h("div", { class: "dice" }, ...dice.map((d) => die(d.kind, d.face)))];
  }
  if (awaited.length) {
    return [h("h2", {}, "Roll now"), h("div", { class: "dice" }, ...awaited.map((kind) => die(kind)))];
  }
  return null;
}
