"""The Duel: each captain gives one of two fleets a third ship (AOW-71)."""

from __future__ import annotations

from dataclasses import replace

from companion.rules.articles_of_war.actions import AddThird
from companion.rules.articles_of_war.setup import third_places
from companion.rules.articles_of_war.state import ChoosingDensity, Ship, State, with_ship
from companion.rules.articles_of_war.words import colour_name, hexes_listed
from companion.rules.game import Decision, Happening, Ruling, Step
from companion.rules.hexes import hex_name
from companion.rules.phases import Choice, no
from companion.rules.words import listed


class AddThirds(Choice[State, AddThird]):
    """Free of charge, and not to be declined; the other fleet stays at two ships."""

    name, rule, takes = "add_third", "AOW-71", (AddThird,)

    def pending(self, state: State) -> Decision:
        """Ask the captain of the fleet on turn: in turn order the first two are one of each."""
        player = state.fleet.player
        fleets = listed((colour_name(c) for c in state.colours_of(player)), "or")
        text = f"{state.names[player]}: place a third ship for {fleets}"
        return Decision(player, self.name, text)

    def actions(self, state: State) -> tuple[AddThird, ...]:
        """Every empty hex beside the starting hex of either fleet."""
        player = state.fleet.player
        return tuple(
            AddThird(player, colour, cell)
            for colour in sorted(state.colours_of(player))
            for cell in third_places(state, colour)
        )

    def refuse(self, state: State, action: AddThird) -> Ruling | None:
        """Refuse a fleet that is not the captain's and a hex not beside its starting hex."""
        own = state.colours_of(state.fleet.player)
        if action.colour not in own:
            fleets = listed((colour_name(colour) for colour in own), "or")
            return no(self.rule, f"The third ship is for one of your own fleets: {fleets}.")
        places = third_places(state, action.colour)
        if action.cell in places:
            return None
        return no(
            self.rule,
            f"{colour_name(action.colour)}'s third ship goes on an empty hex beside her starting"
            f" hex: {hexes_listed(places)}.",
        )

    def play(self, state: State, action: AddThird) -> Step[State]:
        """Place it; the other captain, or on to the terrain."""
        ships = with_ship(state.ships, Ship(action.cell, action.colour))
        text = f"{colour_name(action.colour)} has a third ship on {hex_name(action.cell)}"
        told = (Happening(text, self.rule),)
        if state.turn == 0:
            return Step(replace(state, ships=ships, turn=1), told)
        # AOW-18: the last fleet in turn order chooses the density.
        last = len(state.fleets) - 1
        return Step(replace(state, ships=ships, turn=last, stage=ChoosingDensity()), told)
