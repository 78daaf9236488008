"""From where pieces were to where they are seen: which legal move lies between."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from companion.rules.game import PlayerId, Ruling
from companion.rules.layout import Pose
from companion.rules.paths import ways
from companion.rules.pirates_csg.actions import Move
from companion.rules.pirates_csg.sea import beam_mm, near_obstacles
from companion.rules.pirates_csg.state import Ship, State, card_of
from companion.rules.plane import XY, distance, place, toward, turn_deg

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
    """Return the first legal move of a ship that ends where she is seen; empty if none does."""
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
            return (move,)
    return ()


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
    most = min(len(sides) - 1, MOST_CORNERS)
    for path in ways(start, end, near, most, reach, deeper, clear):
        yield tuple(_tenths(p) for p in path[1:-1])


def _tenths(point: XY) -> XY:
    return round(point[0], 1), round(point[1], 1)
