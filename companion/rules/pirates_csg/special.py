"""Abilities that take marks from islands and give second actions (CSG-6, CSG-9, CSG-54)."""

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
from companion.rules.pirates_csg.actions import TryExtra, Unmark
from companion.rules.pirates_csg.deck import NOBODY, SHORT
from companion.rules.pirates_csg.dice import OneDie, ask_die, face_of
from companion.rules.pirates_csg.doing import Doing, own_ships, refuse_barred, refuse_ship
from companion.rules.pirates_csg.sea import range_mm
from companion.rules.pirates_csg.stages import OnTurn, RollingExtra
from companion.rules.pirates_csg.state import (
    ACTIONS,
    State,
    did,
    find_island,
    island_of,
    ship_of,
    with_island,
    with_ship,
)
from companion.rules.pirates_csg.words import island_name, name_of, ship_name, who
from companion.rules.words import if_close, listed

EXTRA, UNMARK = "extra", "unmark"
AGAIN_NEEDS = 1
"""Actions that a ship has done which may do the same again (CSG-6)."""
LEAST_EXTRA = 5
"""Dice that give a second action (CSG-6)."""


class UnmarkIt(Doing[Unmark]):
    """Take others' marks from an island within S, once a turn (CSG-6, CSG-54)."""

    takes = Unmark

    def candidates(self, state: State) -> Iterator[Unmark]:
        """Every wild island, with and without its resource."""
        for ship in own_ships(state):
            if UNMARK not in ship.done and has(state, ship, "unexplore"):
                for island in state.islands:
                    yield from (
                        Unmark(state.player, ship.tag, island.tag, clears)
                        for clears in (False, True)
                    )

    def refuse(self, state: State, action: Unmark) -> Ruling | None:
        """Refuse who cannot, what is too far, and where there is nothing to remove."""
        refusal = refuse_ship(state, action.ship, "CSG-54")
        if refusal is not None:
            return refusal
        ship, island = ship_of(state, action.ship), find_island(state, action.island)
        name = ship_name(state, ship)
        if ship.lost_in:
            return no("CSG-27", f"{name} is lost in the fog.")
        if not has(state, ship, "unexplore"):
            return no("CSG-54", f"Nobody aboard {name} can take marks from islands.")
        if UNMARK in ship.done:
            return no("CSG-54", f"{name} has done so this turn.")
        if island is None or island.home != NOBODY or island.building:
            return no("CSG-54", "Marks are taken from wild islands without a building.")
        apart = range_mm(state, ship.tag, island.tag)
        reach = state.options.side_mm(SHORT)
        most = reach + state.options.tolerance_mm
        if apart is None or apart > most:
            close = if_close(apart - most) if apart is not None else ""
            far = f", {most} with the tolerance: too far{close}" if close else ""
            return no("CSG-54", f"{island_name(state, island)} is not within S, {reach} mm{far}.")
        others = [seat for seat in island.camps if seat != ship.owner]
        if not others and not (action.clears and island.resource != NOBODY):
            return no("CSG-54", f"There is nothing to remove from {island_name(state, island)}.")
        if action.clears and island.resource == NOBODY:
            return no("CSG-54", f"What {island_name(state, island)} produces is not known yet.")
        return None

    def play(self, state: State, action: Unmark) -> Step[State]:
        """Remove encampments of others, and the resource if so chosen.

        Upgrades of theirs that wait here find no encampment when they are to be built (CSG-60).
        """
        island = island_of(state, action.island)
        own = tuple(seat for seat in island.camps if seat == state.turn)
        gone = ["the marks of others"] if own != island.camps else []
        gone += ["what it produced"] if action.clears else []
        resource = NOBODY if action.clears else island.resource
        island = replace(island, camps=own, resource=resource)
        text = f"{name_of(state, action.ship)} takes {listed(gone)} from "
        text += island_name(state, island)
        state = with_ship(state, did(ship_of(state, action.ship), UNMARK))
        return Step(with_island(state, island), (Happening(text, "CSG-54"),))


class TryIt(Doing[TryExtra]):
    """Roll for a second action (CSG-6, CSG-9)."""

    takes = TryExtra

    def candidates(self, state: State) -> Iterator[TryExtra]:
        """Every ship."""
        return (TryExtra(state.player, ship.tag) for ship in own_ships(state))

    def refuse(self, state: State, action: TryExtra) -> Ruling | None:
        """Refuse who has no such ability, has rolled, or has done nothing to repeat."""
        refusal = refuse_ship(state, action.ship, "CSG-6")
        if refusal is not None:
            return refusal
        ship = ship_of(state, action.ship)
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


class RollExtra(OneDie):
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
