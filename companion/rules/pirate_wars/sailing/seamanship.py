"""What a ship can make of the wind: speed classes, sails carried, running (PWR-38 to PWR-47)."""

from __future__ import annotations

from companion.rules.layout import Pose
from companion.rules.pirate_wars.ashore.islanders import FIGHTING
from companion.rules.pirate_wars.built.ships import DOT_MM
from companion.rules.pirate_wars.built.vessels import NativeBoat
from companion.rules.pirate_wars.crew import FALLEN, SAILING, Crew, crew_size, footloose, of
from companion.rules.pirate_wars.options import WINDS
from companion.rules.pirate_wars.pieces import ADRIFT, AFLOAT, FULL, TACK, Ship
from companion.rules.pirate_wars.state import State, design_of, mate_of, tied_to
from companion.rules.plane import normal_deg, on_board, pose_at, turn_deg, turned

DRIFT_DOTS = 8
"""A ship adrift moves so far (PWR-42)."""
DRIFT_TURN = 45.0
FALL_OFF = 45.0
ANGLE_TOLERANCE = 3.0
"""Degrees a measured heading may be out before a turn is refused or a speed class is lost."""
BEAM, CLOSE = 90.0, 45.0
SQUARE_SF = 2
"""Sail factors of the square sail that is struck to tack (PWR-117)."""
SPEED_STEP = 2
"""Sail factors a speed may change by from turn to turn (PWR-32)."""


def wind_from(name: str) -> float:
    """Return where a wind comes from in the board frame.

    >>> wind_from("N"), wind_from("E")
    (270.0, 0.0)
    """
    return normal_deg(270 + 45 * WINDS.index(name))


def off_wind(heading: float, wind: float) -> float:
    """Return the angle between a heading and where the wind comes from, 0 to 180 (PWR-40)."""
    return abs(turn_deg(heading, wind))


def is_in_irons(heading: float, wind: float) -> bool:
    """Tell whether a bow points where the wind comes from: she may turn with it to either side."""
    return off_wind(heading, wind) <= ANGLE_TOLERANCE


def way_at(heading: float, wind: float) -> str:
    """Return the speed class of a heading; a measured one gets the benefit of the doubt (PWR-40).

    >>> way_at(90, 0), way_at(45, 0), way_at(30, 0)
    ('full', 'tack', 'adrift')
    """
    angle = off_wind(heading, wind) + ANGLE_TOLERANCE
    return FULL if angle >= BEAM else TACK if angle >= CLOSE else ADRIFT


def carried(ship: Ship) -> int:
    """Return the sail factors a ship carries in this turn (PWR-31, PWR-32).

    No more than are open, as many as are wanted, and at most two more or fewer than in its last
    move, unless it was adrift or goes adrift: all sails may be let go at once. A struck square sail
    is two fewer (PWR-117).
    """
    can = spread(ship)
    wish = min(can, ship.wanted)
    if ship.used and wish:
        wish = max(min(wish, ship.used + SPEED_STEP), min(can, ship.used - SPEED_STEP))
    return wish


def spread(ship: Ship) -> int:
    """Return the sail factors that are open and not struck (PWR-117)."""
    return max(ship.sf - SQUARE_SF * ship.struck, 0)


def under_way(state: State, number: int) -> Ship:
    """Return a ship at the start of its movement: speed class and dots to move (PWR-39 to 42)."""
    ship = state.ships[number]
    assert state.wind is not None
    if ship.fate != AFLOAT:
        return ship._replace(left=0)
    if not needs_wind(state, number):
        dots = own_dots(state, number)
        ship = ship._replace(crew=footloose(ship.crew))
        return ship._replace(way=FULL, left=dots, moved=False, stunned=False, raked=False)
    sails = carried(ship)
    way = way_at(ship.pose.heading_deg, state.wind)
    if way == TACK and not tacks(state, number):
        way = ADRIFT
    idle = ship.stunned or not _is_worked(state, number) or not sails
    idle = idle or mate_of(state, number) is not None
    dots = design_of(state, number).speed_at(sails)
    if idle or way == ADRIFT:
        way, sails, dots = ADRIFT, 0, DRIFT_DOTS
    elif way == TACK:
        dots //= 2
    ship = ship._replace(way=way, used=sails, left=dots)
    return ship._replace(stunned=False, raked=False, fell_off=False, moved=False)


def _is_worked(state: State, number: int) -> bool:
    """Tell whether there is a crew that sails; of marines a prize has one (PWR-97), no launch."""
    crew = state.ships[number].crew
    if design_of(state, number).kind != "launch":
        return bool(crew)
    return any(hand.figure.can_sail for hand, _ in crew)


def needs_wind(state: State, number: int) -> bool:
    """Tell whether a piece sails; launches under oars, landing parties and fortresses do not."""
    return bool(design_of(state, number).masts)


def own_dots(state: State, number: int) -> int:
    """Return how far figures row or walk in a turn; a peg leg slows all of them (PWR-123).

    A party waits for those who have fallen, and for those who hang in snares (PWR-137).
    """
    crew, design = state.ships[number].crew, design_of(state, number)
    dots = design.speed_at(0) if crew else 0
    if design.kind == "fort":
        return dots
    waits = state.ships[number].snared or any(hand.hampered == FALLEN for hand, _ in crew)
    if not crew or waits or mate_of(state, number) is not None:
        return 0
    if design.kind == "tribe" and state.ships[number].temper != FIGHTING:
        return 0
    if isinstance(design, NativeBoat) and crew_size(crew) < design.boat.paddlers:
        return 0
    if design.kind in ("party", "tribe"):
        return min(dots, *(hand.figure.shore_dots for hand, _ in crew))
    return dots


def tacks(state: State, number: int) -> bool:
    """Tell whether a ship's sails let it head above the beam (PWR-117)."""
    squares = design_of(state, number).is_square_rigged and not state.ships[number].struck
    return not (state.options.sail_types and squares)


def shorteners(ship: Ship) -> int:
    """Return the sailors it takes to carry no more than is wanted: one a sail factor (PWR-31).

    A square sail that is struck needs none any more (PWR-117).
    """
    return max(spread(ship) - ship.wanted, 0)


def sailing_crew(ship: Ship) -> Crew:
    """Return who is free to sail: at the helm, on deck or in a castle, without a task (PWR-81)."""
    return of(
        ship.crew,
        lambda hand: not hand.busy and hand.figure.can_sail and hand.station in SAILING,
    )


def sailing_hands(ship: Ship) -> int:
    """Return how many are free to sail (PWR-56, PWR-81)."""
    return crew_size(sailing_crew(ship))


def running(wind: float) -> float:
    """Return the heading of a ship that runs before the wind."""
    return normal_deg(wind + 180)


def turned_with_wind(state: State, number: int, pose: Pose, most: float) -> Pose:
    """Return a pose turned on the rudder toward running, by so much at most, never past it."""
    assert state.wind is not None
    turn = turn_deg(pose.heading_deg, running(state.wind))
    turn = max(-most, min(most, turn))
    return turned(pose, turn, design_of(state, number).rudder_mm).rounded()


def before_falling_off(state: State, number: int, seen: Pose, heading: float) -> list[Pose]:
    """Return how a ship lay with a heading before it fell off to where it is seen, if it can."""
    assert state.wind is not None
    turn, wanted = turn_deg(heading, seen.heading_deg), turn_deg(heading, running(state.wind))
    falls = turn * wanted > 0 or (turn and is_in_irons(heading, state.wind))
    too_far = abs(turn) > min(FALL_OFF, abs(wanted)) + ANGLE_TOLERANCE
    if not falls or too_far or tied_to(state, number) is not None:
        return []
    rudder = design_of(state, number).rudder_mm
    return [pose_at(on_board(seen, rudder), heading, rudder).rounded()]


def mm(dots: float) -> float:
    """Return dots in millimetres."""
    return dots * DOT_MM


def dots(millimetres: float) -> float:
    """Return millimetres in dots."""
    return millimetres / DOT_MM
