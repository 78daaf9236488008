"""One ship's way through a turn: leap after leap, measured and judged (PWR-39 to PWR-51)."""

from __future__ import annotations

from math import inf
from typing import NamedTuple

from companion.rules.game import Ruling
from companion.rules.layout import Pose
from companion.rules.outlines import gap, is_within, nearest_points
from companion.rules.phases import no
from companion.rules.pirate_wars.options import FULL
from companion.rules.pirate_wars.pieces import TACK
from companion.rules.pirate_wars.sailing.aground import grounding, stranding
from companion.rules.pirate_wars.sailing.seamanship import (
    ANGLE_TOLERANCE,
    BEAM,
    dots,
    mm,
    off_wind,
    tacks,
)
from companion.rules.pirate_wars.sailing.waters import (
    ahead,
    around,
    clear_mm,
    crowded,
    is_off_table,
)
from companion.rules.pirate_wars.state import State, design_of, hull_of
from companion.rules.pirate_wars.words import ship_name
from companion.rules.plane import XY, on_board, on_piece, turn_deg
from companion.rules.words import capital

MOST_TURN, SHORT_TURN = 90.0, 45.0
MOST_LEGS = 12
TOUCH = 2
"""Hulls this many tolerances apart are taken to touch: a degree of heading moves the point of
contact by that much."""


class Course(NamedTuple):
    """Where a legal path has brought a ship."""

    pose: Pose
    left: int
    """Dots still to be moved."""
    aground: tuple[int, ...] = ()
    """Hull factors lost to the ground, leap by leap."""
    struck: int | None = None
    """The ship it has run into, -1 for a shore; then the move is over."""
    has_run: bool = False
    """It moved in the leg that ended so."""
    is_gone: bool = False
    """It has left the sea."""


def whole_move(state: State, number: int) -> int:
    """Return the dots a ship under way moves in this turn."""
    ship = state.ships[number]
    speed = design_of(state, number).speed_at(ship.used)
    return speed // 2 if ship.way == TACK else speed


def leaps(left: int, length: int) -> list[int]:
    """Return what a movement falls into: leaps of one length, then what remains (PWR-43).

    >>> leaps(64, 24)
    [24, 24, 16]
    """
    whole, rest = divmod(left, length)
    return [length] * whole + [rest] * (rest > 0)


def turn_allowed(state: State, number: int, leap: int) -> float:
    """Return how far a ship may turn after a leap (PWR-44)."""
    length = design_of(state, number).length
    if not state.ships[number].steering:
        return 0.0
    if 2 * leap > length:
        return MOST_TURN
    return SHORT_TURN if 2 * whole_move(state, number) < length else 0.0


def judged(state: State, number: int, path: tuple[Pose, ...]) -> Course | Ruling:
    """Return where a path brings a ship, or why it may not go so."""
    if not 1 <= len(path) <= MOST_LEGS:
        return no("PWR-43", "A path has a pose for every leap after which the ship turned.")
    ship = state.ships[number]
    course = Course(ship.pose, ship.left)
    for pose in path:
        if course.struck is not None or course.is_gone or not course.left:
            return no(
                "PWR-39", f"{capital(ship_name(state, number))} has no movement left after that."
            )
        result = _leg(state, number, course, pose)
        if isinstance(result, Ruling):
            return result
        course = result
    return course


def _leg(state: State, number: int, course: Course, pose: Pose) -> Course | Ruling:
    """Judge one straight way and the turn at its end."""
    start, slack = course.pose, state.options.tolerance_mm
    along, across = keel_way(state, number, start, pose)
    if abs(across) > slack:
        excess = round(abs(across) - slack)
        name = ship_name(state, number)
        return no(
            "PWR-43",
            f"A leap is straight ahead: {name} is {excess} mm too far to the side. Move her"
            " forward along her keel, then turn her on the rudder.",
        )
    leap = _leap_of(state, number, course.left, along)
    turn = turn_deg(start.heading_deg, pose.heading_deg)
    stop = ahead(start, dots(along) if leap is None else leap)
    free, struck = clear_mm(state, number, start, start.heading_deg, mm(course.left))
    if struck is not None and along >= free - slack:
        return _collision(state, number, course, pose, along, struck, free)
    if leap is None:
        beside = touched(state, number, stop)
        if beside is not None and along >= 0:
            return _collision(state, number, course, pose, along, beside, along)
        return _wrong_distance(state, number, course.left, along)
    refusal = _refuse_turn(state, number, pose, turn, leap)
    if refusal is not None:
        return refusal
    ground = course.aground + _groundings(state, number, start, leap)
    end = Course(pose.rounded(), course.left - leap, ground)
    return end._replace(left=0, is_gone=True) if is_off_table(state, pose) else end


def keel_way(state: State, number: int, start: Pose, pose: Pose) -> tuple[float, float]:
    """Return how far the rudder went along the keel and across it, millimetres."""
    rudder = design_of(state, number).rudder_mm
    return on_piece(Pose(*on_board(start, rudder), start.heading_deg), on_board(pose, rudder))


def _leap_of(state: State, number: int, left: int, along: float) -> int | None:
    """Return the dots of the leaps that a measured way is taken for, ``None`` if for none."""
    length = design_of(state, number).length
    ends = {*range(length, left + 1, length), left}
    nearest = min(ends, key=lambda end: abs(mm(end) - along))
    return nearest if abs(mm(nearest) - along) <= state.options.tolerance_mm else None


def _wrong_distance(state: State, number: int, left: int, along: float) -> Ruling:
    name, slack = ship_name(state, number), state.options.tolerance_mm
    length = design_of(state, number).length
    far = round(along - mm(left) - slack)
    if far > 0:
        return no("PWR-39", f"{far} mm too far: {name} has {left} dots ({mm(left):.0f} mm) left.")
    stops = " or ".join(str(stop) for stop in sorted({min(length, left), left}))
    return no(
        "PWR-43",
        f"{capital(name)} moves in leaps of {length} dots and then what remains: {stops} dots"
        f" straight ahead, not {dots(along):.1f}.",
    )


def _refuse_turn(state: State, number: int, pose: Pose, turn: float, leap: int) -> Ruling | None:
    name, length = ship_name(state, number), design_of(state, number).length
    last = leap % length or length
    allowed = turn_allowed(state, number, last)
    if abs(turn) > allowed + ANGLE_TOLERANCE:
        if not state.ships[number].steering:
            return no("PWR-77", f"The rudder of {name} is hit: she cannot turn in this move.")
        if not allowed:
            return no(
                "PWR-44",
                f"{capital(name)} turns only after a leap longer than half her length,"
                f" {length / 2:g} dots: not after {last}.",
            )
        over = round(abs(turn) - allowed)
        return no("PWR-44", f"{over} degrees too much: {name} may turn up to {allowed:g}.")
    if abs(turn) <= ANGLE_TOLERANCE:
        return None
    refusal = _refuse_heading(state, number, pose, turn)
    return refuse_crowding(state, number, pose) if refusal is None else refusal


def _refuse_heading(state: State, number: int, pose: Pose, turn: float) -> Ruling | None:
    """Refuse a turn toward the wind by which square sails would stand above the beam (PWR-117)."""
    assert state.wind is not None
    now = off_wind(pose.heading_deg, state.wind)
    nearer = now < off_wind(pose.heading_deg - turn, state.wind)
    if tacks(state, number) or not nearer or now + ANGLE_TOLERANCE >= BEAM:
        return None
    return no(
        "PWR-117",
        f"{round(BEAM - now)} degrees too near to the wind: {ship_name(state, number)} carries"
        " square sails and heads no nearer than straight across it.",
    )


def refuse_crowding(state: State, number: int, pose: Pose) -> Ruling | None:
    """Refuse a turn that would lay a hull upon another or upon the shore (PWR-51)."""
    lies_on = crowded(state, number, pose, state.options.tolerance_mm)
    if lies_on is None:
        return None
    what = "the shore" if lies_on < 0 else ship_name(state, lies_on)
    name = capital(ship_name(state, number))
    return no("PWR-51", f"{name} cannot turn so far: {what} is in the way.")


def _collision(
    state: State,
    number: int,
    course: Course,
    pose: Pose,
    along: float,
    struck: int,
    free: float,
) -> Course | Ruling:
    """Judge a way that ends against a hull or a shore."""
    name, slack = ship_name(state, number), state.options.tolerance_mm
    what = "the shore" if struck < 0 else ship_name(state, struck)
    if along > free + slack:
        over = round(along - free - slack)
        return no("PWR-48", f"{over} mm too far: {name} stops where she touches {what}.")
    if along <= slack:
        return no("PWR-48", f"{capital(name)} lies against {what}: her move is over.")
    if abs(turn_deg(course.pose.heading_deg, pose.heading_deg)) > ANGLE_TOLERANCE:
        return no("PWR-48", f"{capital(name)} has run into {what}: she does not turn any more.")
    if is_off_table(state, pose):
        return course._replace(pose=pose.rounded(), left=0, is_gone=True)
    if struck < 0 and state.options.grounding == FULL:
        ground = _strandings(state, number, course, dots(along))
    else:
        ground = _groundings(state, number, course.pose, dots(along))
    return Course(pose.rounded(), 0, course.aground + ground, struck, free > slack)


def _strandings(state: State, number: int, course: Course, run: float) -> tuple[int, ...]:
    """Return the damage of a straight way that ends at a shore, leap by leap (PWR-107 to PWR-110).

    The leaps before the last cost what they would if the ship rested after each of them.
    """
    length, slack = design_of(state, number).length, dots(state.options.tolerance_mm)
    start, last = course.pose, 0
    while last + length < run - slack:
        last += length
    before, stop = ahead(start, last), ahead(start, run)
    began = course.left - last < whole_move(state, number)
    damage = stranding(state, number, before, stop, course.left - run, has_moved=began)
    return (*_groundings(state, number, start, last), *[damage] * (damage > 0))


def _groundings(state: State, number: int, start: Pose, run: float) -> tuple[int, ...]:
    """Return the damage of each leap of a straight way through shallow water, nothings left out."""
    if not state.options.terrain:
        return ()
    length = design_of(state, number).length
    found, gone = [], 0.0
    while run - gone > 0.5:
        leap = min(length, run - gone)
        before, after = ahead(start, gone), ahead(start, gone + leap)
        found.append(grounding(state, number, before, after, leap >= length))
        gone += leap
    return tuple([damage for damage in found if damage])


def is_touching(state: State, one: int, other: int) -> bool:
    """Tell whether two ships are in contact, hull to hull (PWR-52)."""
    return is_within(hull_of(state, one), hull_of(state, other), TOUCH * state.options.tolerance_mm)


def touched(state: State, number: int, pose: Pose) -> int | None:
    """Return what a ship that stopped in mid-leap lies against: a ship, -1 for a shore."""
    hull, slack = hull_of(state, number, pose), TOUCH * state.options.tolerance_mm
    reach = design_of(state, number).reach_mm + slack
    apart = [(gap(hull, o), key) for key, o in around(state, pose, reach, number)]
    near, what = min(apart, default=(inf, None))
    return what if near <= slack else None


def impact_deg(state: State, mover: int, struck: int) -> float:
    """Return the angle between a ship's course and the side of the hull it meets, 0 to 90.

    A bow that meets the bow or the stern of another ship meets it across. Where it is not the bow
    that touches, nothing is rammed: 0.
    """
    mine, theirs = state.ships[mover].pose, state.ships[struck].pose
    own, other = nearest_points(hull_of(state, mover), hull_of(state, struck))
    if _from_bow(state, mover, own) > mm(design_of(state, mover).hull):
        return 0.0
    cross = abs(turn_deg(theirs.heading_deg, mine.heading_deg)) % 180
    side = min(cross, 180 - cross)
    length = design_of(state, struck).length_mm
    end_on = not mm(2) < _from_bow(state, struck, other) < length - mm(1)
    return 90 - side if end_on else side


def _from_bow(state: State, number: int, point: XY) -> float:
    """Return how far aft of a ship's bow a point lies along her keel, millimetres."""
    x = on_piece(state.ships[number].pose, point)[0]
    return design_of(state, number).bow_mm[0] - x
