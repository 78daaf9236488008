"""Pieces that have nowhere to go, and those that need not go (PWR-39, PWR-48).

What moves nothing cannot be measured: a ship that lies against a hull has moved already, and a way
of a few millimetres need not be made. How far a ship can go hangs on measurements itself, so there
is room between what is not offered and what must be made.
"""

from __future__ import annotations

from companion.rules.game import Happening
from companion.rules.layout import Pose
from companion.rules.pirate_wars.pieces import ADRIFT
from companion.rules.pirate_wars.sailing.drifting import due_drift, in_her_lee
from companion.rules.pirate_wars.sailing.seamanship import mm, needs_wind
from companion.rules.pirate_wars.sailing.waters import clear_mm
from companion.rules.pirate_wars.state import State, tied_to
from companion.rules.pirate_wars.words import ship_name, verb_of
from companion.rules.plane import distance, place, turn_deg
from companion.rules.words import capital

LITTLE = 2.0
"""A way of no more than so many tolerances is not offered."""
NEEDLESS = 3.0
"""Nor need one of so many be made. It is more, so that what was not offered need not be made where
it measures a little longer."""
TURN_DEG = 5.0
"""As many degrees of a turn as go with a tolerance."""


def has_stayed(state: State, number: int, pose: Pose, tolerances: float = 1.0) -> bool:
    """Tell whether a piece lies where it lay: a way that no measurement tells from none."""
    before = state.ships[number].pose
    turn = abs(turn_deg(before.heading_deg, pose.heading_deg))
    moved = distance(place(before), place(pose))
    return moved <= tolerances * state.options.tolerance_mm and turn <= tolerances * TURN_DEG


def is_held(state: State, number: int) -> bool:
    """Tell whether a ship cannot move: something lies right ahead of it, or to leeward."""
    if state.ships[number].way == ADRIFT:
        return has_stayed(state, number, due_drift(state, number))
    return needs_wind(state, number) and _room(state, number)[0] <= state.options.tolerance_mm


def may_stay(state: State, number: int, tolerances: float = NEEDLESS) -> bool:
    """Tell whether a piece need not move: it rows or walks, or has next to no way to go."""
    if state.ships[number].way == ADRIFT:
        return has_stayed(state, number, due_drift(state, number), tolerances)
    mm_ahead = _room(state, number)[0]
    return not needs_wind(state, number) or mm_ahead <= tolerances * state.options.tolerance_mm


def _room(state: State, number: int) -> tuple[float, int | None]:
    """Return how far ahead a ship can go, looking no farther than matters, and what stops it."""
    ship = state.ships[number]
    most = min(mm(ship.left), NEEDLESS * state.options.tolerance_mm + 1)
    return clear_mm(state, number, ship.pose, ship.pose.heading_deg, most)


def stay(state: State, numbers: list[int]) -> State:
    """Let ships lie where they are: what is left of their movement is lost."""
    ships = list(state.ships)
    for number in numbers:
        ships[number] = ships[number]._replace(left=0, steering=True)
    return state._replace(ships=tuple(ships))


def why_held(state: State, number: int) -> Happening:
    """Say what a ship that cannot move lies against, or who ashore holds her."""
    name, adrift = capital(ship_name(state, number)), state.ships[number].way == ADRIFT
    struck = in_her_lee(state, number)[1] if adrift else _room(state, number)[1]
    if struck is None:
        return Happening(f"{name} has no way left that could be measured", "PWR-39")
    what = "the shore" if struck == -1 else ship_name(state, struck)
    where = "to leeward" if adrift else "right ahead"
    if adrift and struck == tied_to(state, number):
        lies = f"{verb_of(state, struck, 'holds')} her"
    else:
        lies = f"{verb_of(state, struck, 'lies')} {where}"
    how, rule = ("drift", "PWR-42") if adrift else ("move", "PWR-48")
    return Happening(f"{name} cannot {how}: {what} {lies}", rule)
