"""Ways and lines of sight on the open table: what they cross, and how they lead round."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import hypot
from typing import TypeVar

from companion.rules.outlines import centre, depth, point_to_line, winding
from companion.rules.plane import XY, Outline, bearing_deg, distance, toward

K = TypeVar("K")

CLEAR_MM = 1.0
"""How far round a corner `ways` passes."""


def crossing(a: XY, b: XY, outline: Outline, deeper_mm: float = 0.0) -> tuple[float, float] | None:
    """Return the part of the way from `a` to `b` that lies deeper than so much in an outline.

    As fractions of the way, first and last; ``None`` if it only touches. With a negative
    `deeper_mm` passing nearer than that counts as well (corners stay square).
    """
    first, last = 0.0, 1.0
    ax, ay = a
    dx, dy = b[0] - ax, b[1] - ay
    sign = winding(outline)
    x0, y0 = outline[-1]
    for x1, y1 in outline:
        ex, ey = x1 - x0, y1 - y0
        length = hypot(ex, ey) * sign
        # How deep the way begins behind this side, and how that grows along it.
        begin = (ex * (ay - y0) - ey * (ax - x0)) / length - deeper_mm
        grow = (ex * dy - ey * dx) / length
        if grow > 0:
            first = max(first, -begin / grow)
        elif grow < 0:
            last = min(last, -begin / grow)
        elif begin <= 0:
            return None
        if first >= last:
            return None
        x0, y0 = x1, y1
    return first, last


def way_gap(a: XY, b: XY, outline: Outline) -> float:
    """Return how near a straight way passes by an outline; 0 if it runs through."""
    if crossing(a, b, outline):
        return 0.0
    ends = max(0.0, -max(depth(a, outline), depth(b, outline)))
    return min(ends, *(point_to_line(corner, a, b) for corner in outline))


def first_struck(a: XY, b: XY, obstacles: Mapping[K, Outline]) -> tuple[K, float] | None:
    """Return what a straight way strikes first and at which part of it, ``None`` if nothing.

    A line of fire is such a way; the shooter and the target are not among its obstacles.
    """
    found: tuple[K, float] | None = None
    for key, outline in obstacles.items():
        hit = crossing(a, b, outline)
        if hit and (found is None or hit[0] < found[1]):
            found = key, hit[0]
    return found


def is_free(path: Sequence[XY], obstacles: Iterable[Outline], deeper_mm: float = 0.0) -> bool:
    """Say whether no leg of a path runs deeper than so much into any obstacle."""
    legs = list(pairwise(path))
    return not any(crossing(a, b, outline, deeper_mm) for outline in obstacles for a, b in legs)


def length_mm(path: Sequence[XY]) -> float:
    """Return the length of a path."""
    return sum(distance(a, b) for a, b in pairwise(path))


def ways(
    start: XY,
    end: XY,
    obstacles: Sequence[Outline],
    most_corners: int,
    reach_mm: float,
    deeper_mm: float = 0.0,
    clear_mm: float = CLEAR_MM,
) -> Iterator[list[XY]]:
    """Yield free paths that turn at corners of obstacles only: fewest turns first, then shortest.

    None is longer than `reach_mm`. Corners are passed `clear_mm` away. The shortest way round
    convex obstacles runs along their corners, so where none of these is short enough, none is.
    """
    corners = [c for outline in obstacles for c in _passed_corners(outline, clear_mm)]
    begun: list[list[XY]] = [[start]]
    for turns in range(most_corners + 1):
        done = [[*path, end] for path in begun]
        short = [path for path in done if length_mm(path) <= reach_mm]
        yield from sorted(
            (p for p in short if _last_is_free(p, obstacles, deeper_mm)), key=length_mm
        )
        if turns < most_corners:
            longer = [[*p, c] for p in begun for c in corners if c not in p]
            within = [p for p in longer if length_mm([*p, end]) <= reach_mm]
            begun = [p for p in within if _last_is_free(p, obstacles, deeper_mm)]


def _last_is_free(path: Sequence[XY], obstacles: Iterable[Outline], deeper_mm: float) -> bool:
    return is_free(path[-2:], obstacles, deeper_mm)


def _passed_corners(outline: Outline, clear_mm: float) -> list[XY]:
    """Return the corners of an outline, moved away from its middle."""
    middle = centre(outline)
    return [toward(c, bearing_deg(middle, c), clear_mm) for c in outline]
