"""Grudge ships of the player-submitted rules (AOW-83, AOW-84)."""

from __future__ import annotations

from dataclasses import replace

from companion.rules.articles_of_war.actions import Pass, PlaceGrudge
from companion.rules.articles_of_war.flow import pass_turn
from companion.rules.articles_of_war.state import (
    ChoosingDice,
    Ship,
    State,
    remember,
    with_ship,
)
from companion.rules.articles_of_war.words import colour_name, hexes_listed
from companion.rules.game import Decision, Happening, Ruling, Step
from companion.rules.hexes import hex_name
from companion.rules.phases import Choice, no


class PlaceGrudgeShip(Choice[State, Pass | PlaceGrudge]):
    """Who has lost every ship comes back once with one ship, or lets it be (AOW-83)."""

    name, rule, takes = "grudge", "AOW-83", (Pass, PlaceGrudge)

    def pending(self, state: State) -> Decision:
        """Ask the fleet on turn."""
        text = f"{colour_name(state.fleet.colour)}: bring a grudge ship to the edge or let it be"
        player = state.fleet.player
        return Decision(player, self.name, text, passing=Pass(player))

    def actions(self, state: State) -> tuple[Pass | PlaceGrudge, ...]:
        """Let it be, or every empty hex at the edge."""
        player = state.fleet.player
        return (Pass(player), *(PlaceGrudge(player, cell) for cell in state.edge_cells()))

    def refuse(self, state: State, action: Pass | PlaceGrudge) -> Ruling | None:
        """Refuse a hex that is taken or not at the edge."""
        if isinstance(action, Pass) or action.cell in state.edge_cells():
            return None
        free = hexes_listed(state.edge_cells()) or "none is left"
        return no(self.rule, f"A grudge ship comes in on an empty hex at the edge: {free}.")

    def play(self, state: State, action: Pass | PlaceGrudge) -> Step[State]:
        """Place the ship and take the turn with it, or be out of this battle for good."""
        colour = state.fleet.colour
        state = remember(state, grudges=tuple(sorted((*state.memory.grudges, colour))))
        if isinstance(action, Pass):
            return pass_turn(state)
        text = f"{colour_name(colour)} bears a grudge and comes back on {hex_name(action.cell)}"
        ships = with_ship(state.ships, Ship(action.cell, colour))
        state = replace(state, ships=ships, stage=ChoosingDice())
        return Step(state, (Happening(text, "AOW-83"),))
