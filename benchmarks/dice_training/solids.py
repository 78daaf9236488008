"""Dice as convex solids with prints, for the training pictures. Millimetres, z up, floor at 0."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np

from vision.frame import Array
from vision.polyhedra import scaled

SUITS = ("spiral", "sun", "moon", "crown", "arms", "other")
"""What may stand on the ace of a piecepack die."""


@dataclass(frozen=True, eq=False)
class Print:
    """A glyph on a side."""

    text: str
    middle: Array
    """Shape (3,)."""
    up: Array
    """Unit vector (3,) in the side, the glyph's upward direction."""
    height_mm: float


@dataclass(frozen=True, eq=False)
class Side:
    """A flat side: its corners (N, 3), outward unit normal (3,) and prints."""

    corners: Array
    normal: Array
    prints: tuple[Print, ...] = ()
    paint: int | None = None
    """Face of a colour die; ``None`` where the side has the colour of the body."""


@dataclass(frozen=True, eq=False)
class Solid:
    """A die as it lies on the floor, its middle about (0, 0)."""

    sides: tuple[Side, ...]
    kind: str
    face: int
    up: Array = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))
    """Unit vector (3,) that would point up if it lay flat."""
    is_told: bool = True
    """It can be told what it shows: it lies flat, alone and still."""

    @property
    def corners(self) -> Array:
        """All corners, (N, 3), repeated where sides meet."""
        return np.concatenate([side.corners for side in self.sides])


def make_solid(kind: str, rng: np.random.Generator, *, tilt_deg: float = 0.0) -> Solid:
    """Return a rolled die of a kind of `vision.dice.kinds.FACES`, turned at random.

    With a tilt it is cocked and cannot be told.
    """
    solid = _MAKERS[kind](kind, rng)
    turn = _about((0, 0, 1), rng.uniform(0, 2 * np.pi))
    tilt, up = _tilted(rng, tilt_deg)
    sides = _laid(solid.sides, tilt @ turn * rng.uniform(0.9, 1.12))
    return Solid(sides, solid.kind, solid.face, up, not tilt_deg)


def rolled_again(solid: Solid, rng: np.random.Generator, *, tilt_deg: float = 0.0) -> Solid:
    """Return a die of some numerals (d8 to d20) as it lies after another roll.

    With a tilt it is cocked and cannot be told.
    """
    top = solid.sides[int(rng.integers(len(solid.sides)))]
    turn = _about((0, 0, 1), rng.uniform(0, 2 * np.pi))
    tilt, up = _tilted(rng, tilt_deg)
    face = int(top.prints[0].text.rstrip("._"))
    sides = _laid(solid.sides, tilt @ turn @ _to_top(top.normal))
    return Solid(sides, solid.kind, face, up, not tilt_deg)


def tumbled(solid: Solid, way: float, angle: float) -> Solid:
    """Return a die that has rolled on by an angle in a direction, all in radians."""
    how = _about((-np.sin(way), np.cos(way), 0.0), angle)
    middle = np.array([0.0, 0.0, solid.corners[:, 2].max() / 2])
    return Solid(_laid(solid.sides, how, middle - how @ middle), solid.kind, solid.face)


def _tilted(rng: np.random.Generator, tilt_deg: float) -> tuple[Array, Array]:
    """Return a rotation (3, 3) by an angle to any side, and where it brings what points up (3,)."""
    up = np.array([0.0, 0.0, 1.0])
    if not tilt_deg:
        return np.eye(3), up
    way = rng.uniform(0, 2 * np.pi)
    tilt = _about((np.cos(way), np.sin(way), 0), np.radians(tilt_deg))
    return tilt, tilt @ up


def _laid(sides: Sequence[Side], how: Array, shift: Array | None = None) -> tuple[Side, ...]:
    """Return sides turned (and scaled) and shifted, the lowest corner on the floor."""
    turned = [moved(side, how, np.zeros(3) if shift is None else shift) for side in sides]
    lift = np.array([0.0, 0.0, -min(side.corners[:, 2].min() for side in turned)])
    return tuple(moved(side, np.eye(3), lift) for side in turned)


def reprinted(solid: Solid, texts: Mapping[str, str]) -> Solid:
    """Return a die with other prints in the place of some."""
    sides = tuple(
        replace(side, prints=tuple(replace(p, text=texts.get(p.text, p.text)) for p in side.prints))
        for side in solid.sides
    )
    return replace(solid, sides=sides)


def moved(side: Side, how: Array, shift: Array) -> Side:
    """Turn (and scale, by a multiple of a rotation) and shift a side."""
    scale = float(np.linalg.norm(how[0]))
    prints = tuple(
        Print(p.text, how @ p.middle + shift, how @ p.up / scale, p.height_mm * scale)
        for p in side.prints
    )
    return Side(side.corners @ how.T + shift, how @ side.normal / scale, prints, side.paint)


# -- cubes ------------------------------------------------------------------------------------

_PIPS = {
    1: [(0, 0)], 2: [(-1, -1), (1, 1)], 3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    5: [(-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}  # fmt: skip


def _cube(kind: str, rng: np.random.Generator) -> Solid:
    """Return a cube of 16 mm: pips, printed signs or a plain colour a side."""
    axes = np.concatenate([np.eye(3), -np.eye(3)])
    faces = _opposite_sevens(rng) if kind in ("d6", "d6_numeral") else rng.permutation(6)
    style = _PrintStyle.random(rng, 7.0, 11.5)
    spreads, radius = _pip_places(rng)
    ace = str(rng.choice(SUITS, p=[0.3, 0.12, 0.1, 0.18, 0.2, 0.1]))
    sides = []
    for normal, face in zip(axes, faces, strict=True):
        right = np.roll(normal, 1)
        down = np.cross(normal, right)
        if rng.random() < 0.5:
            right, down = down, -right
        corners = np.array([8 * (normal + a * right + b * down) for a, b in _SQUARE])
        prints: tuple[Print, ...] = ()
        if kind == "d6":
            # A single pip is larger on many dice.
            pip = 2 * radius * (rng.choice([1.0, 1.5]) if face == 1 else 1.0)
            prints = tuple(
                Print("o", 8 * normal + a * right + b * down, down, pip)
                for a, b in np.array(_PIPS[int(face)]) * spreads[int(face)]
            )
        elif kind == "d6_numeral":
            prints = (style.number(int(face), 8 * normal, down, marked=rng.random() < 0.4),)
        elif kind == "piecepack" and face > 0:
            text = ace if face == 1 else str(face)
            prints = (Print(text, 8 * normal, down, style.height_mm),)
        sides.append(Side(corners, normal, prints, int(face) if kind == "colour" else None))
    return _rolled(sides, kind, [int(f) for f in faces], rng)


def _pip_places(rng: np.random.Generator) -> tuple[dict[int, Array], float]:
    """Return how far from the middle of each side its outer pips are (across, along), and a radius.

    Where edges are round, pips lie close; those of 2 and 3 on some dice closer than those of 4.
    """
    spread = rng.uniform(2.6, 4.8)
    radius = spread * rng.uniform(0.28, 0.52)
    spreads = dict.fromkeys(range(1, 7), np.array([spread, spread]))
    least = 1.06 * radius
    for face, touching in ((2, 0.71 * least), (3, 1.42 * least)):
        spreads[face] = np.maximum(spread * rng.uniform(0.75, 1.1), touching) * np.ones(2)
    across, along = spread * rng.uniform(0.85, 1.15, 2)
    spreads[6] = np.array([across, max(along, 2 * least)])  # three pips in a row, two rows
    return spreads, float(radius)


_SQUARE = ((-1, -1), (1, -1), (1, 1), (-1, 1))


def _opposite_sevens(rng: np.random.Generator) -> Array:
    values = np.empty(6, int)
    for k, value in zip(rng.permutation(3), rng.permutation([1, 2, 3]), strict=True):
        values[k], values[k + 3] = (value, 7 - value)[:: int(rng.choice([1, -1]))]
    return values


def _barrel(kind: str, rng: np.random.Generator) -> Solid:
    """Return a rolling log: four long sides with a numeral each, blunt ends."""
    half, long = 6.0, rng.uniform(8.5, 11.0)
    ring = np.array([(half * a, half * b) for a, b in _SQUARE])
    tips = [np.array([s * (long + rng.uniform(0.5, 3.5)), 0, 0]) for s in (-1.0, 1.0)]
    style = _PrintStyle.random(rng, 6.0, 10.0)
    order = rng.permutation(4) + 1
    along = 1.0 if rng.random() < 0.5 else -1.0
    sides, values = [], []
    for k in range(4):
        a, b = ring[k], ring[(k + 1) % 4]
        corners = np.array([[-long, *a], [long, *a], [long, *b], [-long, *b]])
        normal = np.array([0.0, *_unit(a + b)])
        up = np.array([along, 0, 0]) if rng.random() < 0.7 else np.cross(normal, [1.0, 0, 0])
        sides.append(Side(corners, normal, (style.number(int(order[k]), half * normal, up),)))
        values.append(int(order[k]))
        for tip in tips:
            x = np.copysign(long, tip[0])
            triangle = np.array([[x, *a], [x, *b], tip])
            outward = np.cross(triangle[1] - triangle[0], triangle[2] - triangle[0])
            outward *= np.sign(outward @ (triangle.mean(axis=0)))
            sides.append(Side(triangle, _unit(outward)))
            values.append(0)
    return _rolled(sides, kind, values, rng)


# -- tetrahedra -------------------------------------------------------------------------------


def _tetra(kind: str, rng: np.random.Generator) -> Solid:
    """Return a tetrahedron of 20 mm edge that is read at the top corner."""
    unit = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], float)
    corners = unit * 20.0 / 8**0.5
    numbers = [1, 2, 3, 4]
    if kind == "sail":
        numbers = [[2, 3, 3, 4], [2, 2, 3, 4], [2, 3, 4, 4]][rng.choice(3, p=[0.8, 0.1, 0.1])]
    face = int(rng.choice(sorted(set(numbers))))
    rest = list(numbers)
    rest.remove(face)
    values = [face, *rng.permutation(rest)]
    height, reach = rng.uniform(3.6, 5.6), rng.uniform(0.42, 0.58)
    sides = []
    for triple in combinations(range(4), 3):
        points = corners[list(triple)]
        middle = points.mean(axis=0)
        prints = tuple(
            Print(str(values[k]), middle + reach * (corners[k] - middle),
                  _unit(corners[k] - middle), height)
            for k in triple
        )  # fmt: skip
        sides.append(Side(points, _unit(middle), prints))
    up = _to_top(_unit(corners[0]))
    return Solid(tuple(moved(s, up, np.zeros(3)) for s in sides), kind, face)


# -- the other numbered solids ----------------------------------------------------------------


@dataclass(frozen=True)
class _PrintStyle:
    """How the numerals of one die are printed."""

    height_mm: float
    mark: str
    """What tells 6 from 9: ``_`` below or ``.`` behind."""

    @staticmethod
    def random(rng: np.random.Generator, low: float, high: float) -> _PrintStyle:
        return _PrintStyle(rng.uniform(low, high), str(rng.choice(["_", "."])))

    def number(self, value: int, middle: Array, up: Array, *, marked: bool = False) -> Print:
        text = str(value) + (self.mark if marked and value in (6, 9) else "")
        return Print(text, middle, up, self.height_mm)


def _numbered(kind: str, rng: np.random.Generator) -> Solid:
    sides, size_mm, low, high = _SHAPES[kind]
    corners, polygons = scaled(sides, size_mm)
    values = _numbers(kind, rng)
    style = _PrintStyle.random(rng, low, high)
    marked = kind in ("d10", "d12", "d20") or rng.random() < 0.4
    loose, corner = rng.random() < 0.3, int(rng.integers(5))
    quarter = int(rng.choice(4, p=[0.4, 0.15, 0.3, 0.15]))
    found = []
    for value, polygon in zip(values, polygons, strict=True):
        points = corners[list(polygon)]
        middle = points.mean(axis=0)
        normal = _normal(points)
        up = _unit(points[corner % len(points)] - middle)
        if kind in ("d10", "d100"):  # along the kite, or across
            tip = points[np.argmax(np.abs(points[:, 2]))]
            up = _about(normal, quarter * np.pi / 2) @ _unit(middle - tip)
        if loose:
            up = _about(normal, rng.uniform(0, 2 * np.pi)) @ up
        text = f"{value:02d}" if kind == "d100" else str(value)
        if marked and text in ("6", "9", "60", "90"):
            text += style.mark
        shift = rng.normal(0, 0.2, 3)
        shift -= (shift @ normal) * normal
        height = style.height_mm * (0.8 if len(text.rstrip("._")) > 1 else 1.0)
        found.append(Side(points, normal, (Print(text, middle + shift, up, height),)))
    return _rolled(found, kind, values, rng)


def _numbers(kind: str, rng: np.random.Generator) -> list[int]:
    if kind == "cannon":
        return [int(v) for v in rng.permutation(np.repeat(np.arange(1, 6), 4))]
    first, count, step = {
        "d8": (1, 8, 1), "d10": (0, 10, 1), "d100": (0, 10, 10), "d12": (1, 12, 1),
        "d20": (1, 20, 1),
    }[kind]  # fmt: skip
    return [first + step * int(k) for k in rng.permutation(count)]


_SHAPES = {
    "d8": (8, 15.0, 5.0, 8.0),
    "d10": (10, 16.0, 5.0, 8.5),
    "d100": (10, 16.0, 5.0, 8.0),
    "d12": (12, 18.0, 4.5, 7.8),
    "cannon": (20, 22.0, 5.0, 8.5),
    "d20": (20, 20.0, 3.8, 6.5),
}
"""Sides, height between opposite sides, least and largest height of a numeral, mm."""


_MAKERS = {
    "d6": _cube,
    "d6_numeral": _cube,
    "piecepack": _cube,
    "colour": _cube,
    "d4_barrel": _barrel,
    "sail": _tetra,
    "d4": _tetra,
    **dict.fromkeys(_SHAPES, _numbered),
}


def _rolled(sides: list[Side], kind: str, values: list[int], rng: np.random.Generator) -> Solid:
    """Turn a side with a value to the top."""
    tops = [k for k, side in enumerate(sides) if counts(kind, side)]
    top = int(rng.choice(tops))
    up = _to_top(sides[top].normal)
    return Solid(tuple(moved(s, up, np.zeros(3)) for s in sides), kind, values[top])


def counts(kind: str, side: Side) -> bool:
    """Tell whether a die can show a side: a log does not stand on its end."""
    return bool(side.prints) or kind in ("piecepack", "colour")


def _unit(vector: Array) -> Array:
    return np.asarray(vector / np.linalg.norm(vector))


def _normal(points: Array) -> Array:
    """Return the outward unit normal (3,) of a side of a solid around the origin."""
    normal = _unit(np.cross(points[1] - points[0], points[2] - points[0]))
    return normal if normal @ points.mean(axis=0) > 0 else -normal


def _about(axis: Array | tuple[float, float, float], angle: float) -> Array:
    """Return the rotation (3, 3) about a unit axis (Rodrigues)."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross)


def _to_top(normal: Array) -> Array:
    """Return a rotation that turns a unit vector upward."""
    axis = np.cross(normal, [0.0, 0.0, 1.0])
    size = float(np.linalg.norm(axis))
    if size < 1e-9:
        return np.eye(3) if normal[2] > 0 else np.diag([1.0, -1.0, -1.0])
    return _about(axis / size, float(np.arctan2(size, normal[2])))
