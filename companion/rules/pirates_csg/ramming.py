"""Ramming (CSG-21, CSG-22)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.rules.deeds import Roll
from companion.rules.game import ChanceRoll, Happening, Ruling, Step
from companion.rules.phases import no, stage_of
from companion.rules.pirates_csg.actions import (
    Ram,
)
from companion.rules.pirates_csg.dice import RollOneDie, ask_die, face_of
from companion.rules.pirates_csg.doing import Doing, own_ship, own_ships
from companion.rules.pirates_csg.hits import hit
from companion.rules.pirates_csg.sea import bow_tip, bow_touches, hull, if_nearly
from companion.rules.pirates_csg.stages import OnTurn, RollingRam
from companion.rules.pirates_csg.state import (
    BOARD,
    MOVE,
    RAM,
    State,
    did,
    find_ship,
    ship_of,
    with_ship,
)
from companion.rules.pirates_csg.words import (
    name_of,
    ship_name,
    who,
)


class RamShip(Doing[Ram]):
    """Ram the ship that the bow touches after a move (CSG-21)."""

    takes = Ram

    def candidates(self, state: State) -> Iterator[Ram]:
        """Every enemy, for every ship that has moved."""
        for ship in own_ships(state):
            if MOVE in ship.done:
                yield from (
                    Ram(state.player, ship.tag, s.tag) for s in state.ships if s.owner != ship.owner
                )

    def refuse(self, state: State, action: Ram) -> Ruling | None:
        """Refuse who has not moved, has rammed or boarded already, or does not touch."""
        ship = own_ship(state, action.ship, "CSG-21")
        if isinstance(ship, Ruling):
            return ship
        target = find_ship(state, action.target)
        name = ship_name(state, ship)
        if state.options.ramming == "off":
            return no("CSG-21", "This table plays without ramming.")
        if ship.is_derelict:
            return no("CSG-19", f"{name} cannot ram: a derelict fights nobody.")
        if RAM in ship.done:
            return no("CSG-21", f"{name} has rammed this turn; once a turn is allowed.")
        if BOARD in ship.done:
            return no("CSG-21", f"{name} has boarded this turn; she rams before she boards.")
        if MOVE not in ship.done:
            return no("CSG-21", f"{name} has not moved this turn; she rams after her move.")
        if target is None or target.owner == ship.owner or target.is_derelict:
            return no("CSG-21", "Ram an enemy's ship that has masts.")
        if not bow_touches(state, ship, target):
            close = if_nearly(state, bow_tip(state, ship), hull(state, target))
            other = ship_name(state, target)
            return no("CSG-21", f"The bow of {name} does not touch {other}{close}.")
        return None

    def play(self, state: State, action: Ram) -> Step[State]:
        """Roll for it."""
        state = with_ship(state, did(ship_of(state, action.ship), RAM))
        target = ship_of(state, action.target)
        if state.options.pinning:
            pins = tuple(sorted({*target.pinned_by, action.ship}))
            target = replace(target, pinned_by=pins)
        state = with_ship(state, target)._replace(stage=RollingRam(action.ship, action.target))
        text = f"{name_of(state, action.ship)} rams {ship_name(state, target)}"
        return Step(state, (Happening(text, "CSG-21"),))


class RollRam(RollOneDie):
    """The rammer must roll higher than the masts of the other (CSG-21)."""

    name, rule = "roll_ram", "CSG-21"

    def pending(self, state: State) -> ChanceRoll:
        """Ask the captain on turn."""
        stage = stage_of(state, RollingRam)
        masts = len(ship_of(state, stage.target).masts)
        text = f"{who(state, state.turn)}: roll for the ram, more than {masts} takes a mast"
        return ask_die(state.turn, self.name, text)

    def play(self, state: State, action: Roll) -> Step[State]:
        """Take a mast or not."""
        stage = stage_of(state, RollingRam)
        target = ship_of(state, stage.target)
        if face_of(action) > len(target.masts):
            return hit(state, target.tag, OnTurn(), self.rule)
        text = f"The ram does {ship_name(state, target)} no harm"
        return Step(state._replace(stage=OnTurn()), (Happening(text, self.rule),))
