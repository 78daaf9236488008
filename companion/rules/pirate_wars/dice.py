"""Throws of dice: what a throw is, what it can show, and what counts in it (PWR-1).

Three dice of one cannon are a throw of their own, because each face matters. Many dice at one
target number are one throw as well: only how many of them succeed matters, so of more than six the
odds list one throw for each number of successes, and any other with the same number is as good.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb

from companion.rules.deeds import Odds, Roll, roll, rolls_of
from companion.rules.dice import D6, D8, DieKind
from companion.rules.game import Ruling
from companion.rules.layout import Die
from companion.rules.phases import OneDie, S, no
from companion.rules.pirate_wars.built.weapons import FACES
from companion.rules.words import counted

DICE = (D6, D8)
MOST_DICE = 30
"""Dice of one throw; more are thrown in several."""
MOST_LISTED = 6
"""Dice whose throws are all listed."""


@cache
def successes_only(count: int, good: tuple[int, ...]) -> Odds:
    """Return a throw for each number of dice that show one of the good faces, with its odds.

    >>> [str(p) for _, p in successes_only(2, (1, 2, 3))]
    ['1/4', '1/2', '1/4']
    """
    bad = tuple(face for face in D6.faces if face not in good)
    p = Fraction(len(good), FACES)
    rolls = {
        roll(*_faces(good, hits), *_faces(bad, count - hits)): comb(count, hits)
        * p**hits
        * (1 - p) ** (count - hits)
        for hits in range(count + 1)
    }
    return tuple((result, rolls[result]) for result in sorted(rolls))


def pool(count: int, good: tuple[int, ...]) -> Odds:
    """Return the odds of dice of which only the number of successes matters.

    Every throw of a few dice, since nobody minds that list; of many one for each number.
    """
    return rolls_of(D6, count) if count <= MOST_LISTED else successes_only(count, good)


def _faces(among: tuple[int, ...], count: int) -> list[Die]:
    return [Die(D6.id, among[n % len(among)]) for n in range(count)]


def good_faces(target: int) -> tuple[int, ...]:
    """Return the faces that meet a target number: a six never does (PWR-1)."""
    return tuple(range(1, min(target, FACES - 1) + 1))


def kinds(count: int) -> tuple[str, ...]:
    """Return the kinds of so many six-sided dice."""
    return (D6.id,) * count


def faces_of(action: Roll) -> tuple[int, ...]:
    """Return what the dice show, sorted."""
    return tuple([die.face for die in action.dice])


def refuse_dice(action: Roll, count: int, rule: str, kind: DieKind = D6) -> Ruling | None:
    """Refuse anything but so many dice of a kind, told in order."""
    if len(action.dice) != count or any(die.kind != kind.id for die in action.dice):
        return no(rule, f"Throw {counted(count, f'{kind.id}', f'{kind.id} dice')}.")
    if list(action.dice) != sorted(action.dice):
        return no("PWR-1", "The dice of a throw are told in order, lowest first.")
    for die in action.dice:
        if die.face not in kind.faces:
            return no("PWR-1", f"A {kind.id} shows 1 to {kind.faces[-1]}, not {die.face}.")
    return None


class RollOneDie(OneDie[S]):
    """A part in which one die decides, a d6 in most."""

    kind = D6

    def refuse(self, state: S, action: Roll) -> Ruling | None:
        """Refuse anything but that die."""
        return refuse_dice(action, 1, self.rule, self.kind)


def batches(count: int) -> list[int]:
    """Return the sizes of the throws that so many dice fall into.

    >>> batches(65)
    [30, 30, 5]
    """
    whole, rest = divmod(count, MOST_DICE)
    return [MOST_DICE] * whole + [rest] * (rest > 0)
