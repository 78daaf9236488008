"""From where pieces were to where they are seen: which legal move lies between."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from companion.rules.game import PlayerId, Ruling
from companion.rules.layout import Pose
from companion.rules.outlines import is_near
from companion.rules.paths import ways
from companion.rules.pirates_csg.actions import Move
from companion.rules.pirates_csg.sea import beam_mm, hull, near_obstacles, patch, touches, weeds
from companion.rules.pirates_csg.state import Ship, State, card_of
from companion.rules.pirates_csg.terrain import first_met
from companion.rules.pirates_csg.terrain_data import SARGASSO
from companion.rules.plane import XY, Outline, distance, place, toward, turn_deg

STILL_MM, STILL_DEG = 4.0, 5.0
"""A piece that is seen this near to where it was has not been moved."""
MOST_CORNERS = 2
CORNER_STEPS = 5
"""Places along the last leg that are tried for a corner."""
MOST_TRIED = 60
"""Ways that are held against the rules before a move is given up."""

Refuse = Callable[[State, Move], Ruling | None]


def was_moved(before: Pose, after: Pose) -> bool:
    """Say whether a piece has been moved between two poses."""
    away = distance(place(before), place(after))
    return away > STILL_MM or abs(turn_deg(before.heading_deg, after.heading_deg)) > STILL_DEG


def found_moves(
    state: State, ship: Ship, seen: Mapping[int, Pose], sides: Sequence[str], refuse: Refuse
) -> tuple[Move, ...]:
    """Return the first legal move of a ship that ends where she is seen; empty if none does.

    One on which she meets no terrain is taken before any other (CSG-27).
    """
    found: tuple[Move, ...] = ()
    pose = seen.get(ship.tag)
    if pose is None or not was_moved(ship.pose, pose):
        return ()
    pose = pose.rounded()
    tow = seen.get(ship.towing) if ship.towing else None
    for tried, corners in enumerate(_corners(state, ship, pose, sides)):
        if tried >= MOST_TRIED:
            break
        move = Move(PlayerId(ship.owner), ship.tag, corners, pose, tow.rounded() if tow else None)
        if refuse(state, move) is None:
            if not _meets_terrain(state, ship, move):
                return (move,)
            found = found or (move,)
    return found


def _meets_terrain(state: State, ship: Ship, move: Move) -> bool:
    path = [place(ship.pose), *move.corners, place(move.pose)]
    there = replace(ship, pose=move.pose)
    return first_met(state, there, path, hull(state, ship)) is not None


def _corners(
    state: State, ship: Ship, pose: Pose, sides: Sequence[str]
) -> Iterator[tuple[XY, ...]]:
    """Yield where she may have turned: nowhere, behind where she points, around what is near."""
    yield ()
    if len(sides) < 2:
        return
    start, end = place(ship.pose), place(pose)
    for side in sorted({state.options.side_mm(side) for side in sides}):
        for k in range(CORNER_STEPS, 0, -1):
            back = toward(end, pose.heading_deg, -side * k / CORNER_STEPS)
            yield (_tenths(back),)
    reach = sum(state.options.side_mm(side) for side in sides) + state.options.tolerance_mm
    width = beam_mm(card_of(state, ship)) / 2
    deeper, clear = state.options.tolerance_mm - width, 1.2 * width + 1
    near = list(near_obstacles(state, [start, end], reach / 2, ship.tag, ship.towing).values())
    near += weeds(state, ship).values()
    most = min(len(sides) - 1, MOST_CORNERS)
    clear_of = [*near, *_new_terrain(state, ship, (start, end), reach / 2)]
    if len(clear_of) > len(near):
        for path in ways(start, end, clear_of, most, reach, -width, clear):
            yield tuple(_tenths(p) for p in path[1:-1])
    for path in ways(start, end, near, most, reach, deeper, clear):
        yield tuple(_tenths(p) for p in path[1:-1])


def _new_terrain(
    state: State, ship: Ship, ends: tuple[XY, XY], within_mm: float
) -> Iterator[Outline]:
    """Yield the terrain near a way that the ship does not lie at yet, but for sargasso."""
    before = hull(state, ship)
    for terrain in state.terrain:
        outline = patch(terrain)
        if terrain.kind != SARGASSO and is_near(outline, ends, within_mm):
            if not touches(state, outline, before):
                yield outline


def _tenths(point: XY) -> XY:
    return round(point[0], 1), round(point[1], 1)
