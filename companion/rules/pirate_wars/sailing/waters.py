"""What lies around a ship: other hulls, shores and the edge of the sea."""

from __future__ import annotations

from companion.rules.layout import Pose
from companion.rules.pirate_wars.sailing.seamanship import mm
from companion.rules.pirate_wars.state import State, afloat, design_of, hull_of
from companion.rules.plane import Outline, advance, distance, overlap, swept, toward, turned

STEPS = 12
"""Halvings that find how far a ship can go before it touches: to a tenth of a millimetre."""


def other_hulls(state: State, *numbers: int) -> dict[int, Outline]:
    """Return the hulls of all other ships on the table, by number."""
    return {n: hull_of(state, n) for n in afloat(state) if n not in numbers}


def is_off_table(state: State, pose: Pose) -> bool:
    """Tell whether the middle of a ship lies beyond the edge of the sea."""
    width, height = state.options.sea_mm
    return not (0 <= pose.x_mm <= width and 0 <= pose.y_mm <= height)


def reach_mm(state: State, number: int) -> float:
    """Return how far any part of a ship can be from its tag."""
    design = design_of(state, number)
    return design.length_mm / 2 + mm(abs(design.tag_x_dots) + design.hull / 2)


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
    for key, outline in _near(state, number, pose, most, skip):
        free = _free_mm(start, course, best, outline, give)
        if free < best:
            best, struck = free, key
    return best, struck


def _near(
    state: State, number: int, pose: Pose, most: float, skip: tuple[int, ...]
) -> list[tuple[int, Outline]]:
    """Return hulls and islands that lie within reach; -1 is the key of islands."""
    here, mine = (pose.x_mm, pose.y_mm), reach_mm(state, number) + most
    found = [
        (n, hull_of(state, n))
        for n in afloat(state)
        if n != number
        and n not in skip
        and distance(here, (state.ships[n].pose.x_mm, state.ships[n].pose.y_mm))
        < mine + reach_mm(state, n)
    ]
    return found + [(-1, island) for island in state.options.islands]


def _free_mm(start: Outline, course: float, most: float, other: Outline, give: float) -> float:
    def overlaps(millimetres: float) -> bool:
        dx, dy = toward((0.0, 0.0), course, millimetres)
        return overlap(swept(start, tuple([(x + dx, y + dy) for x, y in start])), other) > touch

    # Hulls that touch already are held apart no further than they are.
    touch = overlap(start, other) + 0.05 + give
    if not overlaps(most):
        return most
    low, high = 0.0, most
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if overlaps(middle) else (middle, high)
    return low


def crowded(state: State, number: int, pose: Pose, allowed_mm: float) -> int | None:
    """Return what a ship would lie upon, deeper than allowed: a ship's number, -1 for a shore."""
    hull = hull_of(state, number, pose)
    now = hull_of(state, number)
    for key, outline in _near(state, number, pose, 0.0, ()):
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
