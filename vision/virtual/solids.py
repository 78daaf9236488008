"""Dice as solids: corners, sides, and what is printed on each side.

Everything in millimetres in the die's own frame, centre at the origin, z down as on the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

import numpy as np

from vision.frame import Array

TETRAHEDRON_EDGE_MM = 20.0
CANNON_HEIGHT_MM = 22.0
"""Between opposite sides."""
CUBE_MM = 16.0
TETRAHEDRA = {"sail": (2, 3, 3, 4), "d4": (1, 2, 3, 4)}
"""The value of each corner; the corner on top counts."""
_SIDED = {"d8": (8, 15.0), "d10": (10, 16.0), "d12": (12, 18.0), "d20": (20, 20.0)}
"""Ordinary numbered dice: sides, and millimetres between opposite ones."""
CUBES = ("d6", "d6_numeral", "piecepack", "colour")
SOLID_KINDS = (*TETRAHEDRA, "cannon", *CUBES, *_SIDED)
"""Kinds of dice that can be thrown on the virtual table."""

_GOLDEN = (1 + np.sqrt(5)) / 2

Sides = tuple[tuple[int, ...], ...]
"""Corners of each side, anticlockwise as seen from outside."""


@dataclass(frozen=True, eq=False)
class Solid:
    """A convex solid with flat sides."""

    corners_mm: Array
    """Shape (C, 3)."""
    sides: Sides
    prints: tuple[tuple[int, ...], ...]
    """Per side one value (in its middle) or three (one next to each corner)."""
    ups: tuple[tuple[int, Array], ...]
    """The ways it can lie: the value it shows and the direction (3,) that then points up."""

    def ways(self, face: int) -> tuple[Array, ...]:
        """Return the directions that point up when it shows `face`; `ValueError` if none does."""
        found = tuple(up for value, up in self.ups if value == face)
        if not found:
            known = sorted({value for value, _ in self.ups})
            raise ValueError(f"this die shows {known}, never {face!r}")
        return found


@cache
def solid_of(kind: str) -> Solid:
    """Return the solid of a kind of die, one of `SOLID_KINDS`; `ValueError` otherwise."""
    if kind in TETRAHEDRA:
        return _tetrahedron(TETRAHEDRA[kind])
    if kind == "cannon":
        corners, sides = scaled(20, CANNON_HEIGHT_MM)
        return _sided(corners, sides, _spread_values(sides))
    if kind in CUBES:
        corners, sides = scaled(6, CUBE_MM)
        first = 1 if kind in ("d6", "d6_numeral") else 0
        return _sided(corners, sides, _paired_values(corners, sides, first))
    if kind in _SIDED:
        corners, sides = scaled(*_SIDED[kind])
        return _sided(corners, sides, _paired_values(corners, sides, 0 if kind == "d10" else 1))
    raise ValueError(f"no die of the kind {kind!r}: there are {', '.join(SOLID_KINDS)}")


def normals(corners: Array, sides: Sequence[tuple[int, ...]]) -> Array:
    """Return the outward unit normals (S, 3) of the sides of a solid turned to `corners`."""
    a, b, c = (corners[[side[k] for side in sides]] for k in range(3))
    cross = np.cross(b - a, c - a)
    return np.asarray(cross / np.linalg.norm(cross, axis=1, keepdims=True))


def scaled(count: int, height_mm: float) -> tuple[Array, Sides]:
    """Return the regular solid (10: the trapezohedron) of 6 to 20 sides so high between sides."""
    corners, sides = _regular(count)
    inner = float(normals(corners, sides)[0] @ corners[sides[0][0]])
    return corners * (height_mm / 2 / inner), sides


@cache
def _regular(count: int) -> tuple[Array, Sides]:
    signs = [(a, b, c) for a in (-1.0, 1.0) for b in (-1.0, 1.0) for c in (-1.0, 1.0)]
    if count == 6:
        corners = np.array(signs)
    elif count == 8:
        corners = np.concatenate([np.eye(3), -np.eye(3)])
    elif count == 10:
        corners = _trapezohedron()
    elif count == 12:
        corners = np.array([*signs, *_turned_thrice(1 / _GOLDEN, _GOLDEN)])
    else:
        corners = np.array(_turned_thrice(1.0, _GOLDEN))
    return corners, _hull_sides(corners)


def _turned_thrice(short: float, long: float) -> list[tuple[float, ...]]:
    """Return the corners of three crossed rectangles."""
    half = [(0.0, s * short, t * long) for s in (-1, 1) for t in (-1, 1)]
    return [p[k:] + p[:k] for k in range(3) for p in half]


def _trapezohedron() -> Array:
    angles = np.arange(10) * np.pi / 5
    rise = 0.105
    ring = np.stack([np.cos(angles), np.sin(angles), rise * (-1.0) ** np.arange(10)], axis=1)
    # The height of the two tips that makes the ten kites flat.
    tip = rise * (1 + np.cos(np.pi / 5)) / (1 - np.cos(np.pi / 5))
    return np.concatenate([ring, [[0, 0, tip], [0, 0, -tip]]])


def _hull_sides(corners: Array) -> Sides:
    """Return the sides of a convex solid around the origin; brute force, for small solids."""
    found: set[frozenset[int]] = set()
    for triple in combinations(range(len(corners)), 3):
        a, b, c = corners[list(triple)]
        normal = np.cross(b - a, c - a)
        size = float(np.linalg.norm(normal))
        if size < 1e-9:
            continue
        away = (corners - a) @ normal / size
        if away.max() < 1e-6 or away.min() > -1e-6:
            found.add(frozenset(np.flatnonzero(np.abs(away) < 1e-6).tolist()))
    return tuple(_in_order(corners, sorted(side)) for side in sorted(found, key=sorted))


def _in_order(corners: Array, side: list[int]) -> tuple[int, ...]:
    """Order a side's corners so that its normal by `normals` points outward."""
    points = corners[side]
    middle = points.mean(axis=0)
    outward = middle / np.linalg.norm(middle)
    first = points[0] - middle
    second = np.cross(outward, first)
    angles = np.arctan2((points - middle) @ second, (points - middle) @ first)
    return tuple(np.array(side)[np.argsort(angles)].tolist())


def _sided(corners: Array, sides: Sides, values: tuple[int, ...]) -> Solid:
    """Return a die that is read on its top side."""
    outward = normals(corners, sides)
    ups = tuple(zip(values, outward, strict=True))
    return Solid(corners, sides, tuple((value,) for value in values), ups)


def _tetrahedron(values: tuple[int, ...]) -> Solid:
    unit = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], float)
    corners = unit * TETRAHEDRON_EDGE_MM / np.sqrt(8)
    sides = tuple(_in_order(corners, list(side)) for side in combinations(range(4), 3))
    prints = tuple(tuple(values[k] for k in side) for side in sides)
    ups = tuple((value, corners[k]) for k, value in enumerate(values))
    return Solid(corners, sides, prints, ups)


def _paired_values(corners: Array, sides: Sides, first: int) -> tuple[int, ...]:
    """Return numbers from `first` on, opposite ones adding up to the same."""
    outward = normals(corners, sides)
    last = first + len(sides) - 1
    values: dict[int, int] = {}
    for index in range(len(sides)):
        if index not in values:
            low = first + len(values) // 2
            opposite = int(np.argmin(outward @ outward[index]))
            # Every other pair the other way round, or all low numbers were on one half.
            values[index], values[opposite] = (
                (low, first + last - low) if low % 2 else (first + last - low, low)
            )
    return tuple(values[index] for index in range(len(sides)))


def _spread_values(sides: Sides) -> tuple[int, ...]:
    """Return a number 1-5 for each of twenty sides, each four times, none twice at a corner."""
    values: list[int] = []

    def place(index: int) -> bool:
        if index == len(sides):
            return True
        touching = {values[k] for k in range(index) if set(sides[k]) & set(sides[index])}
        for value in range(1, 6):
            if value not in touching and values.count(value) < 4:
                values.append(value)
                if place(index + 1):
                    return True
                values.pop()
        return False

    if not place(0):
        raise AssertionError("an icosahedron can be numbered so")
    return tuple(values)
