"""The set-up before the Infamy set-up: captains, colours, start player (PRV-10 to PRV-16)."""

from __future__ import annotations

from companion.rules.deeds import Roll
from companion.rules.game import ChanceRoll, Decision, Happening, PlayerId, Ruling, Step
from companion.rules.phases import Choice, no, stage_of
from companion.rules.privateer.actions import ChooseColour, KeepCaptain
from companion.rules.privateer.deck import COLOURS
from companion.rules.privateer.dice import PIPS, RollOneDie
from companion.rules.privateer.state import (
    DrawingPortCards,
    Outfitting,
    RollingFirst,
    State,
    with_seat,
)
from companion.rules.privateer.turns import Told, crowned
from companion.rules.privateer.words import ask, ask_roll, who
from companion.rules.words import listed

TO_ROLL, OUT = 0, -1
"""In `RollingFirst.rolls`: still to roll; lower than the highest."""


def _next_seat(state: State, field: str) -> PlayerId:
    """Return the first seat whose field is empty."""
    return PlayerId([bool(getattr(seat, field)) for seat in state.seats].index(False))


class KeepCaptains(Choice[State, KeepCaptain]):
    """Each player draws two captain cards and keeps one (PRV-10).

    The two lie face down for everybody else, this program included: it only asks which one is kept
    and shown. The other goes back into the box unseen.
    """

    name, rule, takes = "keep_captain", "PRV-10", (KeepCaptain,)

    def pending(self, state: State) -> Decision:
        """Ask the seats in turn."""
        player = _next_seat(state, "captain")
        what = "draw two captain cards, keep one and show it"
        return ask(player, self.name, state.names[player], what)

    def actions(self, state: State) -> tuple[KeepCaptain, ...]:
        """Every captain nobody has kept."""
        player, kept = _next_seat(state, "captain"), {seat.captain for seat in state.seats}
        return tuple(KeepCaptain(player, c) for c in sorted(state.deck.captain) if c not in kept)

    def refuse(self, state: State, action: KeepCaptain) -> Ruling | None:
        """Refuse a captain who is kept already, and one there is not."""
        card = state.deck.captain.get(action.captain)
        if card is None:
            return no(self.rule, f"There is no captain {action.captain!r} in this deck.")
        for player, seat in enumerate(state.seats):
            if seat.captain == action.captain:
                name = who(state, player)
                return no(self.rule, f"{name} sails as {card.title}; keep a card you have drawn.")
        return None

    def play(self, state: State, action: KeepCaptain) -> Step[State]:
        """Show the captain; the ship board starts with its steps (PRV-19)."""
        card, player = state.deck.captain[action.captain], action.player
        seat = state.seats[player]._replace(captain=card.id, ranks=card.steps)
        state = with_seat(state, player, seat)
        told: Told = (Happening(f"{state.names[player]} sails as {card.title}", "PRV-10"),)
        if over := crowned(state, told):
            return over
        if player == len(state.seats) - 1:
            state = state._replace(stage=DrawingPortCards())
        return Step(state, told)


class ChooseColours(Choice[State, ChooseColour]):
    """Each player chooses a ship, which starts in the port of its colour (PRV-13)."""

    name, rule, takes = "choose_colour", "PRV-13", (ChooseColour,)

    def pending(self, state: State) -> Decision:
        """Ask the seats in turn."""
        player = _next_seat(state, "colour")
        what = "choose a ship and put it on the port of its colour"
        return ask(player, self.name, state.names[player], what)

    def actions(self, state: State) -> tuple[ChooseColour, ...]:
        """Every colour nobody has."""
        player = _next_seat(state, "colour")
        return tuple(ChooseColour(player, colour) for colour in sorted(_free(state)))

    def refuse(self, state: State, action: ChooseColour) -> Ruling | None:
        """Refuse a colour that is taken."""
        if action.colour in _free(state):
            return None
        return no(self.rule, f"That ship is not free: choose {listed(_free(state), 'or')}.")

    def play(self, state: State, action: ChooseColour) -> Step[State]:
        """Put the ship on its port; after the last everybody takes the first silver."""
        player, deck = action.player, state.deck
        number = deck.port_of_colour[action.colour]
        port = deck.ports[number]
        seat = state.seats[player]._replace(colour=action.colour, cell=port.cell, last=number)
        state = with_seat(state, player, seat)
        text = f"{state.names[player]} sails {action.colour} from {port.title}"
        told: Told = (Happening(text, "PRV-13"),)
        if player < len(state.seats) - 1:
            return Step(state, told)
        silver = deck.start_silver
        seats = tuple(seat._replace(silver=silver) for seat in state.seats)
        coins = tuple((PlayerId(player), silver) for player in range(len(seats)))
        told = (*told, Happening(f"Everyone takes {silver} silver", "PRV-15", coins))
        stage = RollingFirst((TO_ROLL,) * len(seats))
        return Step(state._replace(stage=stage, seats=seats), told)


def _free(state: State) -> list[str]:
    taken = {seat.colour for seat in state.seats}
    return [colour for colour in COLOURS if colour not in taken]


class RollForFirst(RollOneDie[State]):
    """Everybody rolls the white die; the highest goes first, ties roll again (PRV-16)."""

    name, rule, kind = "roll_first", "PRV-16", PIPS

    def pending(self, state: State) -> ChanceRoll:
        """Ask the next who may still go first."""
        player = PlayerId(stage_of(state, RollingFirst).rolls.index(TO_ROLL))
        what = "roll the white die to go first"
        return ask_roll(player, self.name, who(state, player), what, ("d6",))

    def play(self, state: State, action: Roll) -> Step[State]:
        """Note the roll; after the last either somebody goes first or the tied roll again."""
        rolls = list(stage_of(state, RollingFirst).rolls)
        rolls[rolls.index(TO_ROLL)] = action.dice[0].face
        if TO_ROLL in rolls:
            return Step(state._replace(stage=RollingFirst(tuple(rolls))))
        high = max(rolls)
        best = [player for player, rolled in enumerate(rolls) if rolled == high]
        if len(best) > 1:
            again = tuple(TO_ROLL if rolled == high else OUT for rolled in rolls)
            names = listed(who(state, player) for player in best)
            told = (Happening(f"{names} roll again: {high} each", self.rule),)
            return Step(state._replace(stage=RollingFirst(again)), told)
        told = (Happening(f"{who(state, best[0])} goes first", self.rule),)
        return Step(state._replace(stage=Outfitting(), first=best[0], turn=best[0]), told)
