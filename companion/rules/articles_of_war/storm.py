"""The storm ring of the player-submitted rules: what it has caught is lost (AOW-85, AOW-86)."""

from __future__ import annotations

from dataclasses import replace

from companion.rules.articles_of_war.actions import YieldToStorm
from companion.rules.articles_of_war.flow import caught, settle
from companion.rules.articles_of_war.state import ChoosingDice, State, lose
from companion.rules.articles_of_war.words import colour_name, ship_of, ships_on
from companion.rules.game import Decision, Happening, Ruling, Step
from companion.rules.hexes import hex_name
from companion.rules.phases import Choice


class TakeOutCaught(Choice[State, YieldToStorm]):
    """The ships outside the storm's ring are lost (AOW-85)."""

    name, rule, takes = "storm", "AOW-85", (YieldToStorm,)

    def pending(self, state: State) -> Decision:
        """Ask the fleet that opens the round to take them out."""
        lost = ships_on([ship.cell for ship in caught(state)])
        text = f"{colour_name(state.fleet.colour)}: take {lost} out of the ocean, lost to the storm"
        return Decision(state.fleet.player, self.name, text)

    def actions(self, state: State) -> tuple[YieldToStorm, ...]:
        """Nothing is left to choose."""
        return (YieldToStorm(state.fleet.player),)

    def refuse(self, state: State, action: YieldToStorm) -> Ruling | None:
        """Nothing stands against it."""
        return None

    def play(self, state: State, action: YieldToStorm) -> Step[State]:
        """Take them out, for no doubloon."""
        lost = caught(state)
        told = tuple(
            Happening(f"The storm takes {ship_of(s.colour)} on {hex_name(s.cell)}", "AOW-85")
            for s in lost
        )
        state = replace(state, ships=tuple(s for s in state.ships if s not in lost))
        for ship in lost:
            state = lose(state, ship.colour)
        return settle(state, tuple(s.colour for s in lost), ChoosingDice(), told)
