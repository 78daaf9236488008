"""Running aground on reefs and near islands (PWR-55)."""

from __future__ import annotations

from itertools import pairwise

from companion.rules.layout import Pose
from companion.rules.outlines import depth as inside
from companion.rules.outlines import gap, is_near, nearest_point, overlap, swept
from companion.rules.paths import crossing
from companion.rules.pirate_wars.ashore.ground import Ground
from companion.rules.pirate_wars.options import FULL
from companion.rules.pirate_wars.sailing.groundings import (
    AHEAD_DEG,
    crossing_damage,
    head_on_damage,
    passing_damage,
)
from companion.rules.pirate_wars.sailing.seamanship import dots, mm
from companion.rules.pirate_wars.state import State, design_of, hull_of
from companion.rules.plane import XY, Outline, bearing_deg, between, on_board, place, turn_deg

SHOAL_STEP = 4
"""Dots of water missing for one hull factor more."""


def grounding(state: State, number: int, before: Pose, after: Pose, is_leap: bool) -> int:
    """Return the hull factors a ship loses by moving straight from one pose to another.

    Once when it comes into shallow water, and again for every full length in it: a leap that begins
    and ends in shallow water costs again, a shorter way and one that leads out of it do not.
    """
    if not state.options.terrain or design_of(state, number).kind != "ship":
        return 0  # launches take no damage from the ground (PWR-113)
    if state.options.grounding == FULL:
        return full_grounding(state, number, before, after)
    if not near_grounds(state, number, before, after):
        return 0
    here, there = hull_of(state, number, before), hull_of(state, number, after)
    if shortage(state, number, here) > 0 and not (is_leap and shortage(state, number, there) > 0):
        return 0
    return grounding_damage(shortage(state, number, swept(here, there)))


def near_grounds(
    state: State, number: int, before: Pose, after: Pose
) -> list[tuple[Ground, Outline]]:
    """Return the islands and reefs that a ship may come so near to that it lacks water."""
    design = design_of(state, number)
    within, ends = design.reach_mm + mm(design.draft), (place(before), place(after))
    return [item for item in state.options.grounds if item[0].is_near(*ends, within)]


def full_grounding(
    state: State, number: int, before: Pose, after: Pose, struck: Outline | None = None
) -> int:
    """Return the hull factors of a straight way by the optional rules (PWR-108, PWR-110).

    Islands and reefs cost what they cost where the ship came nearest, less what they had cost where
    it began: who is in shallow water already pays for shallower water only. `struck`: an island
    that is left out.
    """
    design, total = design_of(state, number), 0
    near_by = near_grounds(state, number, before, after)
    if not near_by:
        return 0
    here, there = hull_of(state, number, before), hull_of(state, number, after)
    way = swept(here, there)
    for ground, island in near_by:
        if ground.kind == "island" and island != struck:
            passing = [_passing(design.draft, water, island) for water in (way, here)]
            total += max(passing[0] - passing[1], 0)
    bows = [on_board(pose, design.bow_mm) for pose in (before, after)]
    depths = depths_along(state, bows[0], bows[1])
    return total + crossing_damage(design.draft, depths) - crossing_damage(design.draft, depths[:1])


def _passing(draft: int, water: Outline, island: Outline) -> int:
    """Return what an island costs whoever is anywhere in an area of the sea (PWR-108)."""
    return passing_damage(draft, max(dots(gap(water, island)), 0.0))


def depths_along(state: State, start: XY, end: XY) -> list[float | None]:
    """Return the depths of the reefs that a bow comes over in turn; ``None``: open water."""
    reefs = [
        (ground.depth_dots, shore)
        for ground, shore in state.options.grounds
        if ground.kind == "reef" and ground.is_near(start, end, 0.0)
    ]
    crossed = (crossing(start, end, shore) for _, shore in reefs)
    marks = sorted({0.0, 1.0, *(mark for found in crossed if found for mark in found)})
    middles = [between(start, end, (a + b) / 2) for a, b in pairwise(marks)]
    return [
        min((depth for depth, shore in reefs if inside(point, shore) > 0), default=None)
        for point in (start, *middles)
    ]


def stranding(
    state: State, number: int, before: Pose, pose: Pose, left_dots: float, *, has_moved: bool
) -> int:
    """Return the hull factors of a last leap that ends at an island (PWR-108 to PWR-110).

    Reefs and other islands cost as on any way. The island itself is run upon head on where it lies
    within 45 degrees of the heading, else it is one that is passed. What has been paid for being
    near it where the leap began is not paid again; head on only if it was paid in the same move.

    Parameters
    ----------
    before, pose : Pose
        Where the leap began and where it ends, at the shore.
    left_dots : float
        Movement left there.
    has_moved : bool
        The ship has made a leap in this move before.
    """
    design, hull = design_of(state, number), hull_of(state, number, pose)
    if design.kind != "ship":
        return 0
    island = min(state.options.islands, key=lambda shore: gap(hull, shore))
    others = full_grounding(state, number, before, pose, island)
    middle = between(on_board(pose, design.bow_mm), on_board(pose, design.rudder_mm), 0.5)
    paid = _passing(design.draft, hull_of(state, number, before), island)
    near = passing_damage(design.draft, 0) - paid
    shore = bearing_deg(middle, nearest_point(middle, island))
    if abs(turn_deg(pose.heading_deg, shore)) > AHEAD_DEG:
        return others + near
    if state.options.head_on_proximity:
        return others + head_on_damage(left_dots, near)
    return others + max(head_on_damage(left_dots) - paid * has_moved, 0)


def grounding_damage(missing_dots: float) -> int:
    """Return the damage for so many dots of water missing: one, and one more for every four.

    >>> grounding_damage(6), grounding_damage(4), grounding_damage(3), grounding_damage(0)
    (2, 2, 1, 0)
    """
    missing = round(missing_dots, 3)
    return 1 + int(missing // SHOAL_STEP) if missing > 0 else 0


def shortage(state: State, number: int, water: Outline) -> float:
    """Return how many dots of water a ship lacks somewhere in an area, at worst."""
    draft = design_of(state, number).draft
    worst = 0.0
    for ground, shore in state.options.grounds:
        if not is_near(water, shore, mm(draft)):
            continue
        if ground.kind == "island":
            worst = max(worst, draft - max(dots(gap(water, shore)), 0.0))
        elif overlap(water, shore) > 0:
            worst = max(worst, draft - ground.depth_dots)
    return worst
