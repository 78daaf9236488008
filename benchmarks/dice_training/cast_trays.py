"""Dice thrown into a tray and photographed ray by ray, as the path-traced trays are.

``python -m benchmarks.dice_training.cast_trays FOLDER --count 100 --seed 1``. Needs what `cast`
needs. Writes NNN.jpg, NNN.empty.jpg (the same tray without dice) and NNN.json, labelled as
path-traced trays are (``frames/dev/README.md``, as far as that is read), and how each die lies.
Other dice, trays, lights, fonts and another renderer than theirs: what reads both reads trays.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import mitsuba as mi
import numpy as np

from benchmarks.dice_training.brush import draw_floor, noisy
from benchmarks.dice_training.cast import CONTRAST
from benchmarks.dice_training.colours import two_colours
from benchmarks.dice_training.eye import Eye
from benchmarks.dice_training.falling import Thing, Throw, apart, as_bought, piled
from benchmarks.dice_training.glyphs import Glyphs, fonts_under, load_glyphs
from benchmarks.dice_training.modelled import Models
from benchmarks.dice_training.pictures import TRACED_KINDS
from benchmarks.dice_training.rays import (
    Camera,
    Made,
    brightest,
    developed,
    dice_of,
    lights,
    mesh_of,
    outline_of,
    rendered,
    shapes_of,
    spared,
    surface,
    thing_surface,
)
from benchmarks.dice_training.shots import share_seen
from benchmarks.dice_training.solids import make_solid
from benchmarks.dice_training.themes import KINDS as MODELLED
from companion.rules.dice import face_name
from vision.dice.kinds import FACES
from vision.frame import Array

SIZE_PX = (960, 720)
TRAY_MM = (220.0, 160.0)
KINDS = ("d6", "cannon", "sail", "piecepack", "colour")
_AS_TEXT = ("piecepack", "d100")
"""Kinds whose faces are labelled as they are written."""
_FONTS_FOR = 10
"""Pictures after which other fonts are taken."""
_NOISE = 2.5
"""Grey levels at most: it is light enough for the camera."""
_FROM_WALL_MM = 14.0
_WALLS = 4
_THICK_MM = 3.0
"""Of the tray's bottom: the table is so much lower."""
_WITHIN_MM = np.array(TRAY_MM) / 2 - _FROM_WALL_MM
_CORNER = np.array([-TRAY_MM[0] / 2, TRAY_MM[1] / 2, 0.0])
_INTO_TABLE = np.diag([1.0, -1.0, -1.0])
"""The labels' frame: x right, y down, z into the table, from the floor's top-left corner."""


def main(argv: list[str] | None = None) -> int:
    """Throw, photograph and store."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--samples", type=int, default=16, help="rays a pixel")
    parser.add_argument("--kinds", nargs="+", choices=FACES)
    parser.add_argument("--awkward", action="store_true", help="onto each other, coins and sticks")
    parser.add_argument("--modelled", type=Path, help="themes whose dice are thrown (`modelled`)")
    parser.add_argument("--spared", action="store_true", help="by a camera that spares highlights")
    parser.add_argument("--fonts", type=Path, default=Path("/usr/share/fonts"))
    arguments = parser.parse_args(argv)
    arguments.out.mkdir(parents=True, exist_ok=True)
    dice: Drawn | Models
    if arguments.modelled:
        if arguments.awkward or set(arguments.kinds or ()).difference(MODELLED):
            parser.error(f"--modelled: {', '.join(MODELLED)} beside each other, nothing else")
        dice = Models(arguments.modelled, arguments.kinds or MODELLED, _WITHIN_MM)
    else:
        fonts = fonts_under(arguments.fonts)
        dice = Drawn(arguments.kinds or KINDS, arguments.awkward, fonts)
    for k in range(arguments.count):
        rng = np.random.default_rng((arguments.seed, k))
        if isinstance(dice, Drawn) and k % _FONTS_FOR == 0:
            dice.glyphs = load_glyphs(dice.fonts, rng)
        _store(arguments.out / f"{k:03d}", k, arguments, dice, rng)
    return 0


@dataclass
class Drawn:
    """Dice with letterings of fonts."""

    kinds: Sequence[str]
    is_awkward: bool
    """They fall onto each other, coins and sticks."""
    fonts: list[Path]
    glyphs: Glyphs = field(default_factory=dict)

    def thrown(self, rng: np.random.Generator, walls: tuple[Thing, ...]) -> tuple[Throw, Made]:
        """Return dice that fell into a tray."""
        throw = (piled_in_tray if self.is_awkward else thrown_into_tray)(rng, self.kinds, walls)
        glyphs = self.glyphs
        return throw, lambda rng: [mesh_of(die, glyphs, rng, CONTRAST) for die in throw.dice]


def _store(
    path: Path,
    index: int,
    arguments: argparse.Namespace,
    own: Drawn | Models,
    rng: np.random.Generator,
) -> None:
    """Throw dice into a tray and store it with them, without them, and what is to be seen."""
    high, thick = float(rng.uniform(12, 30)), float(rng.uniform(5, 12))
    throw, made_of = own.thrown(rng, walls := _walls(high, thick))
    lying = walls if rng.random() < 0.5 else throw.things
    camera = _camera(rng)
    made = made_of(rng)
    lamps, paint = lights(rng), int(rng.integers(1 << 30))
    outlines = [outline_of(points, camera) for _, points in made]
    how = arguments.samples, int(rng.integers(1 << 30))
    light, owner = rendered(camera, lamps | _tray(throw.things, paint) | dice_of(made), *how)
    empty, _ = rendered(camera, lamps | _tray(lying, paint), *how)
    exposed = rng.uniform(0.45, 0.85) / brightest(empty) * rng.uniform(0.93, 1.07, 3)
    soft_px, quality = rng.uniform(0.3, 1.1), int(rng.integers(70, 97))
    for seen, end in ((light * exposed, ".jpg"), (empty * exposed, ".empty.jpg")):
        shown = spared(seen) if arguments.spared else seen
        picture = cv2.GaussianBlur(developed(shown), (0, 0), soft_px)
        stored = str(path.with_suffix(end))
        cv2.imwrite(stored, noisy(picture, rng, _NOISE), [cv2.IMWRITE_JPEG_QUALITY, quality])
    dice = _labels(throw, camera, outlines, owner)
    label = {"index": index, "artwork": "cast", **_stands(camera, high), "dice": dice}
    path.with_suffix(".json").write_text(json.dumps(label), "utf-8")


# -- dice in a tray ---------------------------------------------------------------------------


def thrown_into_tray(
    rng: np.random.Generator, kinds: Sequence[str], walls: tuple[Thing, ...]
) -> Throw:
    """Return one to six dice of `kinds` that fell into a tray."""
    wanted = [str(kind) for kind in rng.choice(kinds, int(rng.integers(1, 7)))]
    return apart(wanted, _WITHIN_MM, rng, walls)


def piled_in_tray(
    rng: np.random.Generator, kinds: Sequence[str], walls: tuple[Thing, ...]
) -> Throw:
    """Return dice that fell on each other, on coins and sticks."""
    wanted = [str(kind) for kind in rng.choice(kinds, int(rng.integers(3, 8)))]
    solids = [as_bought(make_solid(kind, rng), kind) for kind in wanted]
    return piled(wanted, solids, rng, walls)


def _walls(high: float, thick: float) -> tuple[Thing, ...]:
    """Return the four walls around the floor."""
    wide, deep = np.array(TRAY_MM) / 2
    half, walls = (high + _THICK_MM) / 2, []
    for at, size in (
        ((wide + thick / 2, 0), (thick / 2, deep + thick)),
        ((0, deep + thick / 2), (wide, thick / 2)),
    ):
        for way in (1, -1):
            middle = np.array([way * at[0], way * at[1], half - _THICK_MM])
            walls.append(Thing("box", middle, np.array([*size, half]), 0.0))
    return tuple(walls)


# -- the picture ------------------------------------------------------------------------------


def _camera(rng: np.random.Generator) -> Camera:
    """Return a camera about over the tray, as those of the path-traced trays stand."""
    slope, way = np.radians(abs(rng.normal(0, 10))), rng.uniform(0, 2 * np.pi)
    aside = np.sin(slope) * np.array([np.cos(way), np.sin(way), 0.0])
    forward = -(aside + np.array([0.0, 0.0, np.cos(slope)]))
    roll = np.radians(rng.normal(0, 4)) + np.pi * float(rng.random() < 0.3)
    right = np.cross(forward, [-np.sin(roll), np.cos(roll), 0.0])
    right /= np.linalg.norm(right)
    far, focal = rng.uniform(350, 440), rng.uniform(833, 1026)
    target = np.array([*rng.normal(0, 12, 2), 0.0])
    turn = np.stack([right, np.cross(forward, right), forward])
    eye = Eye(target - far * forward, turn, focal, (SIZE_PX[0] - 1) / 2)
    return Camera(eye, SIZE_PX)


def _stands(camera: Camera, high: float) -> dict[str, dict]:
    """Return where camera and tray are, as path-traced pictures have it in their labels."""
    eye, (x, y) = camera.eye, camera.axis_px
    turn, shift = eye.turn @ _INTO_TABLE, eye.turn @ (_CORNER - eye.place)
    seen = {"fx": eye.focal, "fy": eye.focal, "cx": x, "cy": y, "dist": [0.0, 0.0, 0, 0],
            "R": np.round(turn, 6).tolist(), "t": np.round(shift, 4).tolist()}  # fmt: skip
    tray = {"width_mm": TRAY_MM[0], "height_mm": TRAY_MM[1], "wall_height_mm": round(high, 1),
            "corners_px": np.round(_corners_px(camera), 3).tolist()}  # fmt: skip
    return {"camera": seen, "tray": tray}


def _corners_px(camera: Camera) -> Array:
    wide, deep = TRAY_MM
    floor = np.array([[0, 0], [wide, 0], [wide, deep], [0, deep]])
    return camera.pixels(np.column_stack([floor, np.zeros(4)]) @ _INTO_TABLE + _CORNER)


def _tray(things: tuple[Thing, ...], seed: int) -> dict:
    """Return the walls, all of one colour, what else lies there, the floor and the table.

    Anew for each picture: Mitsuba takes what it is given.
    """
    rng = np.random.default_rng(seed)
    wood = mi.load_dict(surface(_muted(np.full((2, 2, 3), two_colours(rng)[0]), rng), rng, 0.3))
    scene = {f"wall{k}": shapes_of(wall, wood)[0] for k, wall in enumerate(things[:_WALLS])}
    move = mi.ScalarTransform4f()
    for name, half, low in (("floor", TRAY_MM[0] / 2, 0.0), ("table", 500.0, -_THICK_MM)):
        drawn = draw_floor(rng, 1400 if name == "table" else 700, sheets=False)
        painted = surface(_muted(drawn, rng), rng, 0.1)
        deep = TRAY_MM[1] / 2 if name == "floor" else half
        pose = move.translate([0, 0, low]).scale([half, deep, 1])
        scene[name] = {"type": "rectangle", "to_world": pose, "bsdf": painted}
    shapes = [s for thing in things[_WALLS:] for s in shapes_of(thing, thing_surface(rng))]
    return scene | {f"thing{k}": shape for k, shape in enumerate(shapes)}


def _muted(paint: Array, rng: np.random.Generator) -> Array:
    """Return a paint (H, W, 3), as a rule with little colour: wood, cloth, plastic."""
    grey = paint.mean(axis=2, keepdims=True)
    return np.asarray(grey + (paint - grey) * rng.choice([0.3, 0.6, 1.0]))


def _labels(throw: Throw, camera: Camera, outlines: list[Array], owner: Array) -> list[dict]:
    named = {kind: name for name, kind in TRACED_KINDS.items()}
    labels: list[dict] = []
    for k, (fallen, outline) in enumerate(zip(throw.dice, outlines, strict=True)):
        kind = fallen.solid.kind
        face = face_name(kind, fallen.solid.face)
        low, high = outline.min(0), outline.max(0)
        middle = fallen.solid.corners.mean(axis=0)
        place = _INTO_TABLE @ (middle - _CORNER)
        labels.append({
            "kind": named.get(kind, kind),
            "die": kind,
            "value": int(face) if face.isdecimal() and kind not in _AS_TEXT else face,
            "bbox_px": np.round([*low, *high], 2).tolist(),
            "centre_px": np.round(camera.pixels(middle[None])[0], 2).tolist(),
            "x_mm": round(float(place[0]), 2),
            "y_mm": round(float(place[1]), 2),
            "visible": round(share_seen(owner, k, outline), 3),
            "lies": fallen.lies,
        })  # fmt: skip
    return labels


if __name__ == "__main__":
    sys.exit(main())
