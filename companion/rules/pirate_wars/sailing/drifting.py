"""Ships adrift: where the wind takes them, and what of that is seen (PWR-42, PWR-53)."""

from __future__ import annotations

from math import copysign

from companion.rules.game import Ruling
from companion.rules.layout import Pose
from companion.rules.outlines import is_within
from companion.rules.phases import no
from companion.rules.pirate_wars.pieces import FLOATS
from companion.rules.pirate_wars.sailing.seamanship import (
    ANGLE_TOLERANCE,
    DRIFT_DOTS,
    DRIFT_TURN,
    before_falling_off,
    dots,
    is_in_irons,
    mm,
    running,
    turned_with_wind,
)
from companion.rules.pirate_wars.sailing.waters import (
    around,
    clear_mm,
    crowded,
    is_off_table,
    swung,
)
from companion.rules.pirate_wars.state import State, design_of, hull_of, tied_to
from companion.rules.pirate_wars.words import ship_name
from companion.rules.plane import on_board, on_piece, place, toward, turn_deg
from companion.rules.words import capital

BESIDE_MM = 20.0
"""So near to another hull nobody can say to the millimetre what stops a drifting ship."""


def due_drift(state: State, number: int) -> Pose:
    """Return where a ship adrift goes.

    Eight dots with the wind, less where something is in the way, then 45 degrees with it. Ships
    that are lashed together or have just rammed keep their headings, or they would not hold.
    """
    return _ends(state, number, _free(state, number))[0]


def drifts_offered(state: State, number: int) -> list[Pose]:
    """Return where a ship adrift goes; dead in the wind's eye, where she swings the other way, too.

    Not where she leaves the sea either way.
    """
    ends = _ends(state, number, _free(state, number))
    return ends[:1] if all(is_off_table(state, end) for end in ends) else ends


def _ends(state: State, number: int, free: float) -> list[Pose]:
    """Return how a ship adrift may come to lie, on the nearer side first.

    Dead in the wind's eye she swings to either side, but for one that something lies in the way of;
    where nothing else is left she keeps her heading.
    """
    before = state.ships[number].pose
    x, y = toward(place(before), _running(state), free)
    pose = Pose(x, y, before.heading_deg).rounded()
    if tied_to(state, number) is not None:
        return [pose]
    swings = [turned_with_wind(state, number, pose, DRIFT_TURN)]
    assert state.wind is not None
    if is_in_irons(before.heading_deg, state.wind):
        wanted = turn_deg(before.heading_deg, _running(state))
        swings.append(swung(state, number, pose, copysign(DRIFT_TURN, -wanted)).rounded())
    slack = _slack(state)
    return [end for end in swings if crowded(state, number, end, slack) is None] or [pose]


def drifted(state: State, number: int, pose: Pose) -> dict[int, Pose]:
    """Return where a ship has drifted, and where the one tied to it has gone along."""
    mate, before = tied_to(state, number), state.ships[number].pose
    poses = {number: pose.rounded()}
    if mate is not None:
        other = state.ships[mate].pose
        x, y = other.x_mm + pose.x_mm - before.x_mm, other.y_mm + pose.y_mm - before.y_mm
        poses[mate] = Pose(x, y, other.heading_deg).rounded()
    return poses


def _slack(state: State) -> float:
    """Return the millimetres a drift may be off: twice as many as a move.

    Nobody chooses where a ship drifts, and it is measured anew wherever it is put.
    """
    return 2.0 * state.options.tolerance_mm


def _free(state: State, number: int, give: float = 0.0) -> float:
    """Return how far the ship, and what is tied to it, can drift."""
    return in_her_lee(state, number, give)[0]


def in_her_lee(state: State, number: int, give: float = 0.0) -> tuple[float, int | None]:
    """Return how far the ship, and what is tied to it, can drift, and what stops them.

    That is the number of a ship, -1 for a shore, ``None`` for nothing. Figures ashore hold the ship
    that they fight with: they are not dragged into the sea.
    """
    mate = tied_to(state, number)
    if mate is not None and design_of(state, mate).kind not in FLOATS:
        return 0.0, mate
    pair = (number,) if mate is None else (number, mate)
    ways = [
        clear_mm(state, n, state.ships[n].pose, _running(state), mm(DRIFT_DOTS), pair, give)
        for n in pair
    ]
    return min(ways, key=lambda way: way[0])


def refuse_drift(state: State, number: int, pose: Pose) -> Ruling | None:
    """Refuse a drift against the wind's course, too short or too far, or turned wrongly."""
    free, slack = _free(state, number), _slack(state)
    due = _ends(state, number, free)[0]
    if pose == due:
        return None
    name = ship_name(state, number)
    along, across = _went(state, number, pose)
    if abs(across) > slack:
        aside = f"{round(abs(across) - slack)} mm too far aside"
        return no("PWR-42", f"{capital(name)} drifts straight with the wind: {aside}.")
    way = f"{dots(free):.0f} dots with the wind"
    if along > free + slack:
        # Hulls that slide along each other may overlap a little as they are measured.
        past = along - _free(state, number, slack) - slack
        if past > 0:
            way += ", to what lies in her way" if free < mm(DRIFT_DOTS) else ""
            return no("PWR-42", f"{round(past)} mm too far: {name} drifts {way}.")
    if along < free - slack and not _is_beside(state, number, pose):
        short = round(free - along - slack)
        return no("PWR-42", f"{short} mm too short: {name} drifts {way}.")
    return _refuse_turn(state, number, pose, due, capital(name))


def drifts_to(state: State, number: int, seen: Pose) -> list[Pose]:
    """Return where a ship has drifted that is seen somewhere.

    There; or, if it has fallen off the wind since, where it must have drifted before.
    """
    here = seen.rounded()
    if refuse_drift(state, number, here) is None:
        return [here]
    ends = drifts_offered(state, number)
    before = [p for e in ends for p in before_falling_off(state, number, seen, e.heading_deg)]
    return [p for p in before if refuse_drift(state, number, p) is None]


def _went(state: State, number: int, pose: Pose) -> tuple[float, float]:
    """Return how far the rudder went with the wind and across it, millimetres."""
    rudder = design_of(state, number).rudder_mm
    start = Pose(*on_board(state.ships[number].pose, rudder), _running(state))
    return on_piece(start, on_board(pose, rudder))


def _refuse_turn(state: State, number: int, pose: Pose, due: Pose, name: str) -> Ruling | None:
    """Refuse a turn that is not 45 degrees with the wind, unless a hull beside is in the way."""
    before = state.ships[number].pose.heading_deg
    off = turn_deg(due.heading_deg, pose.heading_deg)
    if abs(off) <= 2 * ANGLE_TOLERANCE:
        return None
    turn, wanted = turn_deg(before, pose.heading_deg), turn_deg(before, _running(state))
    tied = tied_to(state, number) is not None
    assert state.wind is not None
    if (
        is_in_irons(before, state.wind)
        and not tied
        and abs(abs(turn) - DRIFT_TURN) <= 2 * ANGLE_TOLERANCE
    ):
        return None  # dead in the wind's eye she swings to either side
    within = turn * wanted >= 0 and abs(turn) <= min(DRIFT_TURN, abs(wanted)) + ANGLE_TOLERANCE
    if within and not tied and _is_beside(state, number, due, pose):
        return None
    how = "keeps her heading, fast as she is" if tied else "turns 45 degrees with the wind"
    return no("PWR-42", f"{name} {how} until she runs: {round(abs(off))} degrees off.")


def _running(state: State) -> float:
    assert state.wind is not None
    return running(state.wind)


def _is_beside(state: State, number: int, *poses: Pose) -> bool:
    """Tell whether a ship would lie close to another hull or a shore in one of some poses."""
    mate = tied_to(state, number)
    skip, reach = (number, -1 if mate is None else mate), design_of(state, number).reach_mm
    return any(
        is_within(hull_of(state, number, pose), outline, BESIDE_MM)
        for pose in poses
        for _, outline in around(state, pose, reach + BESIDE_MM, *skip)
    )
