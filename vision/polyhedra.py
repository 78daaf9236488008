"""The solids that dice are: corners, and which of them are around each side."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations

import numpy as np

from vision.frame import Array

_GOLDEN = (1 + np.sqrt(5)) / 2

Sides = tuple[tuple[int, ...], ...]
"""Corners of each side, anticlockwise as seen from outside."""


def normals(corners: Array, sides: Sequence[tuple[int, ...]]) -> Array:
    """Return the outward unit normals (S, 3) of the sides of a solid turned to `corners` (C, 3)."""
    a, b, c = (corners[[side[k] for side in sides]] for k in range(3))
    cross = np.cross(b - a, c - a)
    return np.asarray(cross / np.linalg.norm(cross, axis=1, keepdims=True))


def scaled(count: int, height_mm: float) -> tuple[Array, Sides]:
    """Return the corners (C, 3) mm and sides of `regular`, so high between opposite sides.

    There are such for all counts but 4.
    """
    corners, sides = regular(count)
    inner = float(normals(corners, sides)[0] @ corners[sides[0][0]])
    return corners * (height_mm / 2 / inner), sides


def laid(count: int) -> Array:
    """Return the corners (C, 3) of the same solid, 1 high, on its first side: heights upward."""
    corners, sides = regular(count)
    down = normals(corners, sides)[0]
    across = np.cross(down, corners[sides[0][0]])
    across /= np.linalg.norm(across)
    lying = corners @ np.stack([np.cross(across, down), across, -down], axis=1)
    lying[:, 2] -= lying[:, 2].min()
    return np.asarray(lying / lying[:, 2].max())


@cache
def regular(count: int) -> tuple[Array, Sides]:
    """Return corners (C, 3), around the origin, and sides of a regular solid.

    It has 4, 6, 8, 12 or 20 sides; with 10 it is the trapezohedron.
    """
    signs = [(a, b, c) for a in (-1.0, 1.0) for b in (-1.0, 1.0) for c in (-1.0, 1.0)]
    if count == 4:
        corners = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], float)
    elif count == 6:
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
