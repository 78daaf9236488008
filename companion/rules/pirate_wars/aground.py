"""Running aground on reefs and near islands (PWR-55)."""

from __future__ import annotations

from math import ceil

from companion.rules.layout import Pose
from companion.rules.pirate_wars.seamanship import dots
from companion.rules.pirate_wars.state import State, design_of, hull_of
from companion.rules.plane import Outline, gap, overlap, swept

SHOAL_STEP = 4
"""Dots of water missing for one hull factor."""


def grounding(state: State, number: int, before: Pose, after: Pose, is_leap: bool) -> int:
    """Return the hull factors a ship loses by moving straight from one pose to another.

    Once when it comes into shallow water, and again for every full length in it: a leap that
    begins in shallow water costs again, a shorter way does not.
    """
    if not state.options.terrain:
        return 0
    here, there = hull_of(state, number, before), hull_of(state, number, after)
    if shortage(state, number, here) > 0 and not is_leap:
        return 0
    return grounding_damage(shortage(state, number, swept(here, there)))


def grounding_damage(missing_dots: float) -> int:
    """Return the damage for so many dots of water missing.

    >>> grounding_damage(6), grounding_damage(4), grounding_damage(0)
    (2, 1, 0)
    """
    return max(ceil(round(missing_dots, 3) / SHOAL_STEP), 0)


def shortage(state: State, number: int, water: Outline) -> float:
    """Return how many dots of water a ship lacks somewhere in an area, at worst."""
    draft = design_of(state, number).draft
    worst = 0.0
    for ground, shore in zip(state.options.terrain, state.options.shores, strict=True):
        if ground.kind == "island":
            worst = max(worst, draft - max(dots(gap(water, shore)), 0.0))
        elif overlap(water, shore) > 0:
            worst = max(worst, draft - ground.depth_dots)
    return worst
