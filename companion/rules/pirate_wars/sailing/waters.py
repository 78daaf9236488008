"""What lies around a ship: other hulls, shores and the edge of the sea."""

from __future__ import annotations

from collections.abc import Sequence

from companion.rules.layout import Pose
from companion.rules.outlines import free_mm, overlap
from companion.rules.pirate_wars.sailing.seamanship import mm
from companion.rules.pirate_wars.state import State, afloat, design_of, hull_of
from companion.rules.plane import Outline, advance, distance, place, turned

TOUCHING_MM = 0.05
"""Hulls touch once they overlap by more: poses are kept to a tenth of a millimetre."""


def is_off_table(state: State, pose: Pose) -> bool:
    """Tell whether the middle of a ship lies beyond the edge of the sea."""
    width, height = state.options.sea_mm
    return not (0 <= pose.x_mm <= width and 0 <= pose.y_mm <= height)


def leaving_once(state: State, ways: Sequence[tuple[Pose, ...]]) -> list[tuple[Pose, ...]]:
    """Return ways without all but the first that leave the sea: how a ship leaves is all one."""
    leaving = [way for way in ways if is_off_table(state, way[-1])]
    return [way for way in ways if way not in leaving[1:]]


def around(state: State, pose: Pose, within_mm: float, *skip: int) -> list[tuple[int, Outline]]:
    """Return hulls and islands that may lie so near to a tag; -1 is the key of islands.

    All that do are among them: pieces are taken for circles about their tags. `skip` leaves ships
    out.
    """
    found, here = [], place(pose)
    for n in afloat(state):
        within = within_mm + design_of(state, n).reach_mm
        if n not in skip and distance(here, place(state.ships[n].pose)) <= within:
            found.append((n, hull_of(state, n)))
    for ground, shore in state.options.land:
        if ground.is_near(here, here, within_mm):
            found.append((-1, shore))
    return found


def clear_mm(
    state: State,
    number: int,
    pose: Pose,
    course: float,
    most: float,
    skip: tuple[int, ...] = (),
    give: float = 0.0,
) -> tuple[float, int | None]:
    """Return how far a ship can move before its hull touches something, and what it touches.

    Parameters
    ----------
    course : float
        Direction of the movement, degrees; the heading stays.
    most : float
        Millimetres it would move.
    skip : tuple of int
        Other ships that move along.
    give : float
        Millimetres that hulls may overlap before they count as touching.

    Returns
    -------
    tuple
        Millimetres, and the number of the ship it touches, -1 for a shore, ``None`` for nothing.
    """
    best, struck = most, None
    start = hull_of(state, number, pose)
    reach = design_of(state, number).reach_mm + most
    for key, outline in around(state, pose, reach, number, *skip):
        # Hulls that touch already are held apart no further than they are.
        free = free_mm(start, course, best, outline, TOUCHING_MM + give)
        if free < best:
            best, struck = free, key
    return best, struck


def crowded(state: State, number: int, pose: Pose, allowed_mm: float) -> int | None:
    """Return what a ship would lie upon, deeper than allowed: a ship's number, -1 for a shore."""
    hull = hull_of(state, number, pose)
    now = hull_of(state, number)
    reach = design_of(state, number).reach_mm
    for key, outline in around(state, pose, reach, number):
        depth = overlap(hull, outline)
        # Where hulls overlap already (a measurement), turning out of it is no offence.
        if depth > allowed_mm and depth > overlap(now, outline):
            return key
    return None


def ahead(pose: Pose, dots: float) -> Pose:
    """Return the pose so many dots straight ahead."""
    return advance(pose, mm(dots))


def swung(state: State, number: int, pose: Pose, deg: float) -> Pose:
    """Return a pose after a turn on the rudder (PWR-44)."""
    return turned(pose, deg, design_of(state, number).rudder_mm)
