"""Dice as convex solids with prints, for the training pictures. Millimetres, z up, floor at 0."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from vision.dice.labels import NOTHING, OTHER
from vision.frame import Array


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


@dataclass(frozen=True, eq=False)
class Solid:
    """A die as it lies on the floor, middle of its outline about (0, 0)."""

    sides: tuple[Side, ...]
    label: int

    @property
    def corners(self) -> Array:
        """All corners, (N, 3), repeated where sides meet."""
        return np.concatenate([side.corners for side in self.sides])


def make_solid(kind: str, rng: np.random.Generator, *, tilt_deg: float = 0.0) -> Solid:
    """Return a die of a kind (``cannon``, ``sail``, ``d6``, ``print``, ``colour``), rolled.

    With a tilt it is cocked and its label is `NOTHING`.
    """
    makers = {"cannon": _cannon, "sail": _sail}
    solid = makers[kind](rng) if kind in makers else _cube(kind, rng)
    turn = _about((0, 0, 1), rng.uniform(0, 2 * np.pi))
    label = solid.label
    if tilt_deg:
        way = rng.uniform(0, 2 * np.pi)
        turn = _about((np.cos(way), np.sin(way), 0), np.radians(tilt_deg)) @ turn
        label = NOTHING
    return _grounded(_turned(solid, turn, rng.uniform(0.92, 1.1)), label)


def _cannon(rng: np.random.Generator) -> Solid:
    golden = (1 + 5**0.5) / 2
    half = [(0.0, s, t * golden) for s in (-1, 1) for t in (-1, 1)]
    corners = np.array([p[k:] + p[:k] for k in range(3) for p in half])
    inner = golden**2 / 3**0.5
    corners *= 11.0 / inner
    values = rng.permutation(np.repeat(np.arange(1, 6), 4))
    triples = [
        side
        for side in combinations(range(12), 3)
        if all(
            np.linalg.norm(corners[a] - corners[b]) < 2.1 * 11 / inner
            for a, b in combinations(side, 2)
        )
    ]
    height = rng.uniform(5.0, 8.5)
    loose = rng.random() < 0.5
    sides = []
    for value, triple in zip(values, triples, strict=True):
        points = corners[list(triple)]
        middle = points.mean(axis=0)
        normal = middle / np.linalg.norm(middle)
        up = _unit(points[rng.integers(3)] - middle)
        if loose:
            up = _about(normal, rng.uniform(0, 2 * np.pi)) @ up
        printed = Print(str(value), middle + rng.normal(0, 0.25, 3), up, height)
        sides.append(Side(points, normal, (printed,)))
    top = int(rng.integers(20))
    lifted = _turned(Solid(tuple(sides), int(values[top])), _to_top(sides[top].normal), 1.0)
    return lifted


def _sail(rng: np.random.Generator) -> Solid:
    unit = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], float)
    corners = unit * 20.0 / 8**0.5
    multiset = [[2, 3, 3, 4], [2, 2, 3, 4], [2, 3, 4, 4]][rng.choice(3, p=[0.6, 0.2, 0.2])]
    value = int(rng.integers(2, 5))
    rest = list(multiset)
    rest.remove(value)
    values = [value, *rng.permutation(rest)]
    height, reach = rng.uniform(3.4, 5.4), rng.uniform(0.42, 0.58)
    sides = []
    for triple in combinations(range(4), 3):
        points = corners[list(triple)]
        middle = points.mean(axis=0)
        prints = tuple(
            Print(
                str(values[k]),
                middle + reach * (corners[k] - middle),
                _unit(corners[k] - middle),
                height,
            )
            for k in triple
        )
        sides.append(Side(points, _unit(middle), prints))
    return _turned(Solid(tuple(sides), 4 + value), _to_top(_unit(corners[0])), 1.0)


_PIPS = {
    1: [(0, 0)], 2: [(-1, -1), (1, 1)], 3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    5: [(-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}  # fmt: skip


def _cube(kind: str, rng: np.random.Generator) -> Solid:
    """Return a cube of 16 mm: pips, printed signs or a plain colour a side."""
    axes = np.concatenate([np.eye(3), -np.eye(3)])
    order = rng.permutation(6)
    pips = np.empty(6, int)
    # Opposite sides of a d6 add up to seven.
    for k, value in zip(rng.permutation(3), rng.permutation([1, 2, 3]), strict=True):
        pips[k], pips[k + 3] = (value, 7 - value)[:: rng.choice([1, -1])]
    signs = ["", "@", "2", "3", "4", "5"]
    radius = rng.uniform(1.2, 2.0)
    sides = []
    for k, normal in enumerate(axes):
        right = np.roll(normal, 1)
        down = np.cross(normal, right)
        square = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
        corners = np.array([8 * (normal + a * right + b * down) for a, b in square])
        prints: tuple[Print, ...] = ()
        if kind == "d6":
            spots = _PIPS[int(pips[k])]
            prints = tuple(
                Print("o", 8 * normal + 4.1 * (a * right + b * down), down, 2 * radius)
                for a, b in spots
            )
        elif kind == "print" and signs[order[k]]:
            prints = (Print(signs[order[k]], 8 * normal, down, rng.uniform(7, 11)),)
        sides.append(Side(corners, normal, prints))
    top = int(rng.integers(6))
    label = 8 + int(pips[top]) if kind == "d6" else OTHER
    return _turned(Solid(tuple(sides), label), _to_top(axes[top]), 1.0)


def _turned(solid: Solid, turn: Array, scale: float) -> Solid:
    def moved(points: Array) -> Array:
        return np.asarray(points @ turn.T)

    sides = tuple(
        Side(
            moved(side.corners) * scale,
            moved(side.normal),
            tuple(
                Print(p.text, moved(p.middle) * scale, moved(p.up), p.height_mm * scale)
                for p in side.prints
            ),
        )
        for side in solid.sides
    )
    return Solid(sides, solid.label)


def _grounded(solid: Solid, label: int) -> Solid:
    lift = np.array([0.0, 0.0, -solid.corners[:, 2].min()])
    sides = tuple(
        Side(
            side.corners + lift,
            side.normal,
            tuple(Print(p.text, p.middle + lift, p.up, p.height_mm) for p in side.prints),
        )
        for side in solid.sides
    )
    return Solid(sides, label)


def _unit(vector: Array) -> Array:
    return np.asarray(vector / np.linalg.norm(vector))


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
