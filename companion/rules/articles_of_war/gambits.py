"""Who holds which gambit and whether it can be played now (AOW-64, AOW-65)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.rules.articles_of_war.actions import TurnCard
from companion.rules.articles_of_war.cards import EFFECTS, ON_LOSS, TABLE, Effect, Gambit
from companion.rules.articles_of_war.state import ClearingOcean, Finished, State, remember
from companion.rules.articles_of_war.words import colour_name
from companion.rules.game import Happening, Ruling, Step
from companion.rules.phases import Aside, no


def gambit_of(state: State, colour: str) -> Gambit | None:
    """Return the gambit on the card of a fleet that takes part, used or not."""
    if state.owner(colour) is None:
        return None
    return next((card for card in state.options.cards if card.colour == colour), None)


def ready(state: State, colour: str, timing: str) -> Effect | None:
    """Return what the unused gambit of a fleet does at this moment, if it does anything."""
    if not state.options.cards or colour in state.memory.played:
        return None
    card = gambit_of(state, colour)
    if card is None or card.timing != timing or card.effect == TABLE:
        return None
    return EFFECTS[card.effect]


def softens_loss(state: State, colour: str) -> bool:
    """Say whether a fleet that has just lost a ship holds a gambit for it.

    A grudge ship earns nothing and has no replacement (AOW-83).
    """
    effect = ready(state, colour, ON_LOSS)
    if effect is None or state.is_grudge(colour):
        return False
    return not effect.new_ship or bool(state.edge_cells())


def turn_over(state: State, colour: str) -> tuple[State, Happening]:
    """Return the state with the card of a fleet used, and what to tell of it."""
    card = gambit_of(state, colour)
    assert card is not None  # only offered to those who hold one
    played = tuple(sorted((*state.memory.played, colour)))
    told = Happening(f"{colour_name(colour)} plays {card.name}", "AOW-64")
    return remember(state, played=played), told


class TableGambits(Aside[State, TurnCard]):
    """Gambits that the people carry out themselves; the rules mark the card as used (AOW-64)."""

    takes = TurnCard

    def actions(self, state: State) -> tuple[TurnCard, ...]:
        """Return every unused card of this sort."""
        return tuple(sorted(self._cards(state)))

    def _cards(self, state: State) -> Iterator[TurnCard]:
        setting_up = state.round == 0
        if setting_up or isinstance(state.stage, ClearingOcean | Finished):
            return
        for card in state.options.cards:
            player = state.owner(card.colour)
            unused = card.colour not in state.memory.played
            if card.effect == TABLE and player is not None and unused:
                yield TurnCard(player, card.colour)

    def refuse(self, state: State, action: TurnCard) -> Ruling | None:
        """Refuse a card that is used, is carried out by the rules, or is not in play."""
        if action in self.actions(state):
            return None
        name = colour_name(action.colour)
        if action.colour in state.memory.played:
            return no("AOW-64", f"{name}'s gambit has been used already: once is all.")
        return no("AOW-64", f"{name} holds no gambit that the table carries out now.")

    def play(self, state: State, action: TurnCard) -> Step[State]:
        """Turn the card over."""
        state, told = turn_over(state, action.colour)
        return Step(state, (told,))
