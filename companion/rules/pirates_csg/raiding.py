"""Raiders at an enemy's home, who must leave it on their next turn (CSG-84)."""

from __future__ import annotations

from companion.rules.game import Ruling
from companion.rules.phases import no
from companion.rules.pirates_csg import doing
from companion.rules.pirates_csg.abilities import may_act
from companion.rules.pirates_csg.sailing import can_leave
from companion.rules.pirates_csg.state import (
    LEAVING,
    MOVE,
    Ship,
    State,
    did,
    fleet_of,
)
from companion.rules.pirates_csg.words import name_of, ship_name


def must_leave(state: State) -> Ship | None:
    """Return a raider who must leave an enemy's home this turn and is able to."""
    for ship in fleet_of(state, state.turn):
        if ship.leave == LEAVING and can_leave(state, ship):
            return ship
    return None


def refuse_action(state: State, ship: Ship, what: str) -> Ruling | None:
    """Refuse an action to a ship that has none left, or that needs it to leave (CSG-9, CSG-84)."""
    refusal = doing.refuse_action(state, ship, what)
    if refusal is not None or ship.leave != LEAVING or may_act(state, did(ship, what), MOVE):
        return refusal
    if not can_leave(state, ship):
        return None
    name, where = ship_name(state, ship), name_of(state, ship.docked)
    return no("CSG-84", f"{name} must leave {where} this turn and has one action only.")
