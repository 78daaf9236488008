"""Running aground as the optional rules have it (PWR-107 to PWR-110)."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil

SHOAL_STEP = 4
"""Dots of water missing for one hull factor, past an island (PWR-108)."""
DOTS_A_POINT = 8
"""Movement left that costs a hull factor, head on against an island (PWR-109)."""
REEF_STEP = 4
"""Dots of water missing for one hull factor more, over a reef (PWR-110)."""
AHEAD_DEG = 45.0
"""An island is ahead when it lies within this angle of the heading (PWR-109)."""


def passing_damage(draft: int, gap_dots: float) -> int:
    """Return what it costs to pass an island so near (PWR-108).

    >>> passing_damage(12, 6), passing_damage(8, 8)
    (2, 0)
    """
    return max(0, ceil(round(draft - gap_dots, 3) / SHOAL_STEP))


def head_on_damage(left_dots: float, proximity: int = 0) -> int:
    """Return what it costs to run upon an island with so much movement left (PWR-109).

    `proximity` is what passing so near would cost; the table chooses whether it is added.

    >>> head_on_damage(44)
    6
    """
    return ceil(round(left_dots, 3) / DOTS_A_POINT) + proximity


def reef_damage(draft: int, depth: float) -> int:
    """Return what it costs to come upon a reef; deeper than 12 it does nothing (PWR-110).

    >>> [[reef_damage(draft, depth) for depth in (4, 8, 12)] for draft in (8, 12)]
    [[2, 1, 0], [3, 2, 1]]
    """
    return max(0, int(draft - depth) // REEF_STEP + 1)


def crossing_damage(draft: int, depths: Iterable[float | None]) -> int:
    """Return what a way costs that leads over these depths in turn (PWR-110).

    ``None`` is open water. Coming upon a reef costs its damage, going on into shallower water the
    difference, coming upon it again the damage again.

    >>> crossing_damage(8, (None, 8, 4)), crossing_damage(12, (None, 8, None, 8))
    (2, 4)
    """
    taken, now = 0, 0
    for depth in depths:
        here = 0 if depth is None else reef_damage(draft, depth)
        taken += max(0, here - now)
        now = here
    return taken
