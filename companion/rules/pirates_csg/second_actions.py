"""Abilities that give a ship a second action in a turn (CSG-6, CSG-9)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.rules.deeds import Roll
from companion.rules.game import (
    ChanceRoll,
    Happening,
    Ruling,
    Step,
)
from companion.rules.phases import no, stage_of
from companion.rules.pirates_csg.abilities import has, slots_used
from companion.rules.pirates_csg.actions import TryExtra
from companion.rules.pirates_csg.dice import RollOneDie, ask_die, face_of
from companion.rules.pirates_csg.doing import Doing, own_ship, own_ships, refuse_barred
from companion.rules.pirates_csg.stages import OnTurn, RollingExtra
from companion.rules.pirates_csg.state import (
    ACTIONS,
    State,
    did,
    ship_of,
    with_ship,
)
from companion.rules.pirates_csg.words import name_of, ship_name, who
from companion.rules.words import listed

EXTRA = "extra"
AGAIN_NEEDS = 1
"""Actions that a ship has done which may do the same again (CSG-6)."""
LEAST_EXTRA = 5
"""Dice that give a second action (CSG-6)."""


class TryIt(Doing[TryExtra]):
    """Roll for a second action (CSG-6, CSG-9)."""

    takes = TryExtra

    def candidates(self, state: State) -> Iterator[TryExtra]:
        """Every ship."""
        return (TryExtra(state.player, ship.tag) for ship in own_ships(state))

    def refuse(self, state: State, action: TryExtra) -> Ruling | None:
        """Refuse who has no such ability, has rolled, or has done nothing to repeat."""
        ship = own_ship(state, action.ship, "CSG-6")
        if isinstance(ship, Ruling):
            return ship
        name = ship_name(state, ship)
        refusal = refuse_barred(state, ship)
        if refusal is not None:
            return refusal
        if EXTRA in ship.done:
            return no("CSG-6", f"{name} rolls once a turn for a second action.")
        if has(state, ship, "extra_action"):
            return None
        if not has(state, ship, "same_again"):
            return no("CSG-6", f"{name} has no ability that gives a second action.")
        if slots_used(state, ship) != AGAIN_NEEDS:
            return no("CSG-6", f"{name} must have done one action, to do the same again.")
        return None

    def play(self, state: State, action: TryExtra) -> Step[State]:
        """Roll."""
        state = with_ship(state, did(ship_of(state, action.ship), EXTRA))
        return Step(state._replace(stage=RollingExtra(action.ship)))


class RollExtra(RollOneDie):
    """A 5 or 6 gives a second action (CSG-6)."""

    name, rule = "roll_extra", "CSG-6"

    def pending(self, state: State) -> ChanceRoll:
        """Ask the captain on turn."""
        name = name_of(state, stage_of(state, RollingExtra).ship)
        text = f"{who(state, state.turn)}: roll 5 or 6 for a second action of {name}"
        return ask_die(state.turn, self.name, text)

    def play(self, state: State, action: Roll) -> Step[State]:
        """Give it or not."""
        ship = ship_of(state, stage_of(state, RollingExtra).ship)
        state = state._replace(stage=OnTurn())
        name = ship_name(state, ship)
        if face_of(action) < LEAST_EXTRA:
            return Step(state, (Happening(f"{name} gets no second action", self.rule),))
        done = [what for what in ship.done if what in ACTIONS]
        extra = "any" if has(state, ship, "extra_action") else done[0]
        # A captain's move and shot were one action, and both are done again (CSG-5).
        text = f"{name} gets a second action" + ("" if extra == "any" else f": {listed(done)}")
        return Step(with_ship(state, replace(ship, extra=extra)), (Happening(text, self.rule),))
