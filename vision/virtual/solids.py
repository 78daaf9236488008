"""The two dice as solids: corners, sides, and what is printed on each side.

Everything in millimetres in the die's own frame, centre at the origin, z down as on the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations

import numpy as np

from vision.frame import Array

SAIL_EDGE_MM = 20.0
CANNON_HEIGHT_MM = 22.0
"""Between opposite sides."""
SAIL_CORNERS = (2, 3, 3, 4)
"""The value of each corner of the tetrahedron; the corner on top counts."""


@dataclass(frozen=True, eq=False)
class Solid:
    """A convex solid with triangular sides."""

    corners_mm: Array
    """Shape (C, 3)."""
    sides: tuple[tuple[int, int, int], ...]
    """Corners of each side, anticlockwise as seen from outside."""
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
    """Return the solid of a kind of die, ``"sail"`` or ``"cannon"``; `ValueError` otherwise."""
    if kind == "sail":
        return _tetrahedron()
    if kind == "cannon":
        return _icosahedron()
    raise ValueError(f"no die of the kind {kind!r}: there are 'sail' and 'cannon'")


def _outward(corners: Array, side: tuple[int, ...]) -> tuple[int, int, int]:
    """Order a side's corners so that its normal by `normals` points outward."""
    a, b, c = side
    normal = np.cross(corners[b] - corners[a], corners[c] - corners[a])
    return (a, b, c) if normal @ corners[[a, b, c]].mean(axis=0) > 0 else (a, c, b)


def normals(corners: Array, sides: tuple[tuple[int, int, int], ...]) -> Array:
    """Return the outward unit normals (S, 3) of the sides of a solid turned to `corners`."""
    a, b, c = (corners[[side[k] for side in sides]] for k in range(3))
    cross = np.cross(b - a, c - a)
    return np.asarray(cross / np.linalg.norm(cross, axis=1, keepdims=True))


def _tetrahedron() -> Solid:
    unit = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], float)
    corners = unit * SAIL_EDGE_MM / np.sqrt(8)
    sides = tuple(_outward(corners, side) for side in combinations(range(4), 3))
    prints = tuple(tuple(SAIL_CORNERS[k] for k in side) for side in sides)
    ups = tuple((value, corners[k]) for k, value in enumerate(SAIL_CORNERS))
    return Solid(corners, sides, prints, ups)


def _icosahedron() -> Solid:
    golden = (1 + np.sqrt(5)) / 2
    half = [(0.0, s, t * golden) for s in (-1, 1) for t in (-1, 1)]
    unit = np.array([p[k:] + p[:k] for k in range(3) for p in half])
    near = [
        side
        for side in combinations(range(12), 3)
        if all(np.linalg.norm(unit[a] - unit[b]) < 2.1 for a, b in combinations(side, 2))
    ]
    inner = float(np.linalg.norm(unit[list(near[0])].mean(axis=0)))
    corners = unit * (CANNON_HEIGHT_MM / 2 / inner)
    sides = tuple(_outward(corners, side) for side in near)
    values = _spread_values(sides)
    middles = [corners[list(side)].mean(axis=0) for side in sides]
    ups = tuple(zip(values, middles, strict=True))
    return Solid(corners, sides, tuple((value,) for value in values), ups)


def _spread_values(sides: tuple[tuple[int, int, int], ...]) -> tuple[int, ...]:
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
