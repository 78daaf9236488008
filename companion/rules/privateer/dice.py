"""The dice of the box: white and red ones with pips, and the colour die (PRV-3)."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from companion.rules.deeds import Roll, rolls_of
from companion.rules.dice import COLOUR, D6, DieKind
from companion.rules.game import Ruling
from companion.rules.phases import OneDie, S, no

PIPS = D6
"""The white die and the two red ones. Which is rolled follows from the moment."""
KINDS = {PIPS.id: PIPS, COLOUR.id: COLOUR}


@cache
def one_in(count: int) -> Fraction:
    """Return the probability of one of so many like cards."""
    return Fraction(1, count)


@cache
def _known(kind: DieKind, count: int) -> frozenset[Roll]:
    return frozenset(result for result, _ in rolls_of(kind, count))


def refuse_roll(action: Roll, kind: DieKind, count: int, rule: str) -> Ruling | None:
    """Refuse other dice than those asked for."""
    if action in _known(kind, count):
        return None
    if count > 1:
        return no(rule, "Roll two dice, 1 to 6; they are told lowest first.")
    return no(rule, "Roll the colour die." if kind is COLOUR else "Roll one die, 1 to 6.")


class RollOneDie(OneDie[S]):
    """A single die decides."""

    def refuse(self, state: S, action: Roll) -> Ruling | None:
        """Refuse anything but that die."""
        return refuse_roll(action, self.kind, 1, self.rule)
