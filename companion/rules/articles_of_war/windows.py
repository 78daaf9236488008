"""Gambits at moments that are not of the holder's choosing: reefs, boardings, losses (AOW-64)."""

from __future__ import annotations

from dataclasses import replace

from companion.rules.articles_of_war.actions import Pass, PlayGambit, Relaunch
from companion.rules.articles_of_war.boarding import with_more
from companion.rules.articles_of_war.cards import EFFECTS, ON_LOSS, Effect, Gambit
from companion.rules.articles_of_war.flow import Told, resume
from companion.rules.articles_of_war.gambits import gambit_of, softens_loss, turn_over
from companion.rules.articles_of_war.sailing import past_reef
from companion.rules.articles_of_war.state import (
    FRESH,
    TAKEN,
    Boarding,
    Drifted,
    OnReef,
    Ship,
    Spending,
    Stage,
    State,
    Window,
    earn,
    with_ship,
)
from companion.rules.articles_of_war.wind import past_drifted_reef
from companion.rules.articles_of_war.words import colour_name, hexes_listed
from companion.rules.game import Decision, Happening, PlayerId, Ruling, Step
from companion.rules.hexes import hex_name
from companion.rules.phases import Choice, no, stage_of


class OfferGambit(Choice[State, Pass | PlayGambit | Relaunch]):
    """A fleet plays its gambit now or lets the moment pass (AOW-64).

    To let it pass is to play on, so the people need not say so.
    """

    name, rule, takes = "gambit", "AOW-64", (Pass, PlayGambit, Relaunch)

    def pending(self, state: State) -> Decision:
        """Ask the holder."""
        player, card = _holder(state), _card(state)
        text = f"{colour_name(card.colour)}: play {card.name} or let it be"
        return Decision(player, self.name, text, passing=Pass(player))

    def actions(self, state: State) -> tuple[Pass | PlayGambit | Relaunch, ...]:
        """Let it be, or play it."""
        player = _holder(state)
        if _effect(state).new_ship:
            return (Pass(player), *(Relaunch(player, cell) for cell in state.edge_cells()))
        return (Pass(player), PlayGambit(player, _card(state).colour))

    def refuse(self, state: State, action: Pass | PlayGambit | Relaunch) -> Ruling | None:
        """Refuse another card than the one that fits, and a hex that is not at the edge."""
        if action in self.actions(state):
            return None
        card, new_ship = _card(state), _effect(state).new_ship
        if isinstance(action, Relaunch) and new_ship:
            free = hexes_listed(state.edge_cells())
            return no(self.rule, f"The new ship goes on an empty hex at the edge: {free}.")
        how = "put a ship on a hex at the edge" if new_ship else "play the card"
        return no(self.rule, f"{card.name} can be played now: {how}, or let it be.")

    def play(self, state: State, action: Pass | PlayGambit | Relaunch) -> Step[State]:
        """Play it or not, and go on."""
        stage, card, effect = stage_of(state, Window), _card(state), _effect(state)
        if isinstance(action, Pass):
            return _go_on(state, stage, ())
        state, told = turn_over(state, card.colour)
        if isinstance(action, Relaunch):
            # AOW-31: in mid-turn it gets no dice before the fleet's next turn.
            on_turn = stage.then == Spending() and card.colour == state.fleet.colour
            entering = Ship(action.cell, card.colour, TAKEN if on_turn else FRESH)
            ships = with_ship(state.ships, entering)
            text = f"{colour_name(card.colour)} has a new ship on {hex_name(action.cell)}"
            entered = Happening(text, self.rule)
            return _go_on(replace(state, ships=ships), stage, (told, entered))
        if effect.timing == ON_LOSS:
            state, coins = earn(state, card.colour, effect.doubloons)
            paid = Happening(f"{colour_name(card.colour)} is paid for the loss", self.rule, coins)
            dry = Happening("The bank has nothing left to pay for the loss", "AOW-63")
            return _go_on(state, stage, (told, paid if coins else dry))
        return _changed(state, stage.then, effect, (told,))


def _holder(state: State) -> PlayerId:
    player = state.owner(_card(state).colour)
    assert player is not None  # the merchant holds no card
    return player


def _card(state: State) -> Gambit:
    card = gambit_of(state, stage_of(state, Window).colours[0])
    assert card is not None  # a window opens only for a holder
    return card


def _effect(state: State) -> Effect:
    return EFFECTS[_card(state).effect]


def _go_on(state: State, stage: Window, told: Told) -> Step[State]:
    """Ask the next fleet, or go on with what the window interrupted."""
    if EFFECTS[_card(replace(state, stage=stage)).effect].timing != ON_LOSS:
        return Step(replace(state, stage=stage.then), told)
    rest = tuple(colour for colour in stage.colours[1:] if softens_loss(state, colour))
    if rest:
        return Step(replace(state, stage=Window(rest, stage.then)), told)
    return resume(state, stage.then, told)


def _changed(state: State, then: Stage, effect: Effect, told: Told) -> Step[State]:
    """Go on with a reef that needs no roll, or a boarding with more on one side."""
    if isinstance(then, OnReef):
        return past_reef(state, then, told)
    if isinstance(then, Boarding):
        return Step(replace(state, stage=with_more(then, effect.boarding)), told)
    assert isinstance(then, Drifted)  # nothing else is behind a window of this timing
    return past_drifted_reef(state, then, told)
