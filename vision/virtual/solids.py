"""Dice as solids: corners, sides, and what is printed on each side.

Everything in millimetres in the die's own frame, centre at the origin, z down as on the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from vision.frame import Array
from vision.polyhedra import Sides, normals, regular, scaled

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


def _sided(corners: Array, sides: Sides, values: tuple[int, ...]) -> Solid:
    """Return a die that is read on its top side."""
    outward = normals(corners, sides)
    ups = tuple(zip(values, outward, strict=True))
    return Solid(corners, sides, tuple((value,) for value in values), ups)


def _tetrahedron(values: tuple[int, ...]) -> Solid:
    corners, sides = regular(4)
    corners = corners * TETRAHEDRON_EDGE_MM / np.sqrt(8)
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
