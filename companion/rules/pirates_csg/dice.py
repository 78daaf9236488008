"""The dice of the game: a d6 for nearly everything, a d20 beside it for the market."""

from __future__ import annotations

from companion.rules.deeds import Deed, Roll, roll, rolls_of
from companion.rules.dice import D6, D20
from companion.rules.game import ChanceRoll, PlayerId, Ruling
from companion.rules.layout import Die
from companion.rules.phases import OneDie, TurnChoice, no
from companion.rules.pirates_csg.actions import Keep, RollAgain
from companion.rules.pirates_csg.state import State

MARKET_ODDS = tuple(
    sorted(
        (roll(Die("d6", row), Die("d20", rounds)), p * q)
        for row, p in D6.distribution()
        for rounds, q in D20.distribution()
    )
)
_D6_ROLLS = frozenset(action for action, _ in rolls_of(D6, 1))
_MARKET_ROLLS = frozenset(action for action, _ in MARKET_ODDS)


def ask_die(player: int, phase: str, text: str) -> ChanceRoll:
    """Ask for a roll of one die."""
    return ChanceRoll(PlayerId(player), phase, text, ("d6",))


class RollOneDie(OneDie[State]):
    """A part in which one d6 decides."""

    kind = D6

    def refuse(self, state: State, action: Roll) -> Ruling | None:
        """Refuse other dice than one d6."""
        return None if action in _D6_ROLLS else no(self.rule, "Roll one die, 1 to 6.")


class OnceMore(TurnChoice[State, Deed]):
    """A part in which the captain on turn keeps what a die has shown, or rolls it again."""

    takes = (RollAgain, Keep)

    def actions(self, state: State) -> tuple[Deed, ...]:
        """Return both."""
        return RollAgain(state.player), Keep(state.player)

    def refuse(self, state: State, action: Deed) -> Ruling | None:
        """Refuse nothing that is asked for."""
        return None


def face_of(action: Roll) -> int:
    """Return what the one die shows."""
    return action.dice[0].face


def refuse_market(action: Roll, rule: str) -> Ruling | None:
    """Refuse other dice than a d6 and a d20."""
    if action in _MARKET_ROLLS:
        return None
    return no(rule, "Roll a d6 for the prices and a d20 for how long they hold.")


def market_of(action: Roll) -> tuple[int, int]:
    """Return the row and the rounds that the dice of the market show."""
    faces = {die.kind: die.face for die in action.dice}
    return faces["d6"], faces["d20"]
