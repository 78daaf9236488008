"""What happens when a ship runs into another (PWR-48 to PWR-52)."""

from __future__ import annotations

from math import ceil

from companion.rules.game import Happening
from companion.rules.pirate_wars.fighting.losses import strike
from companion.rules.pirate_wars.pieces import ADRIFT, AFLOAT
from companion.rules.pirate_wars.sailing.courses import Course, impact_deg
from companion.rules.pirate_wars.sailing.seamanship import ANGLE_TOLERANCE, DRIFT_DOTS
from companion.rules.pirate_wars.state import State, design_of, tied_to, with_ship
from companion.rules.pirate_wars.words import Told, ship_name
from companion.rules.words import capital

RAM_ANGLE = 45.0


def met(state: State, number: int, course: Course) -> tuple[State, Told]:
    """Carry out that a ship has run into a hull or a shore at the end of its way."""
    struck = course.struck
    if struck is None:
        return state, ()
    name = capital(ship_name(state, number))
    if struck < 0:
        return state, (Happening(f"{name} lies against the shore", "PWR-55"),)
    other = ship_name(state, struck)
    if {design_of(state, n).kind for n in (number, struck)} != {"ship"}:
        return state, (Happening(f"{name} lies against {other}", "PWR-51"),)
    if not state.ships[number].hf:
        # The ground has broken her hull on the way.
        return state, (Happening(f"{name} lies against {other}: no damage", "PWR-51"),)
    angle = impact_deg(state, number, struck)
    if not course.has_run or angle + ANGLE_TOLERANCE < RAM_ANGLE:
        text = f"{name} touches {other} at {angle:.0f} degrees: no damage"
        return state, (Happening(text, "PWR-51"),)
    return _rammed(state, number, struck, angle)


def ram_damage(own_hf: int, own_sails: int, target_hf: int) -> tuple[int, int]:
    """Return the hull factors that the ramming ship and its target lose (PWR-49).

    >>> ram_damage(6, 7, 4)
    (1, 4)
    """
    return 2 if target_hf > own_hf else 1, ceil(own_sails / 2)


def _rammed(state: State, number: int, struck: int, angle: float) -> tuple[State, Told]:
    mine, theirs = design_of(state, number), design_of(state, struck)
    # Those she carries, but for those that the ground has cost her in this move.
    sails = min(state.ships[number].used, state.ships[number].sf)
    own, hurt = ram_damage(mine.hull_factor, sails, theirs.hull_factor)
    name, other = ship_name(state, number), ship_name(state, struck)
    own, hurt = min(own, state.ships[number].hf), min(hurt, state.ships[struck].hf)
    text = f"{capital(name)} rams {other} at {angle:.0f} degrees: {own} HF for her, {hurt} for it"
    told: Told = (Happening(text, "PWR-49"),)
    for hit, count in ((number, own), (struck, hurt)):
        state, more = strike(state, hit, "hull", count, "PWR-49")
        told = (*told, *more)
    return stunned(stunned(_caught(state, number, struck), number), struck), told


def _caught(state: State, number: int, struck: int) -> State:
    """Let ships hang together after a ramming, unless one is held already or has broken up.

    The lower number first: so a new pair is told from one that comes apart after this movement.
    """
    floats = [ship.fate == AFLOAT for ship in state.ships]
    pairs = tuple(pair for pair in state.rammed if all(floats[n] for n in pair))
    if all(floats[n] and tied_to(state, n) is None for n in (number, struck)):
        pairs = (*pairs, (min(number, struck), max(number, struck)))
    return state._replace(rammed=pairs)


def stunned(state: State, number: int) -> State:
    """Set a ship adrift: no tasks this round; if it has not moved yet, it drifts (PWR-50)."""
    ship = state.ships[number]
    left = DRIFT_DOTS if ship.left else 0
    return with_ship(state, number, ship._replace(stunned=True, way=ADRIFT, used=0, left=left))
