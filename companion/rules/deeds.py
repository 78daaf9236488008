"""Base of the actions of every game: frozen values in a fixed order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any, ClassVar, TypeVar

from companion.rules.dice import DieKind, pool_distribution
from companion.rules.game import CHANCE, PlayerId
from companion.rules.layout import Die


@dataclass(frozen=True, slots=True)
class Deed:
    """Base of all actions; sorted by kind, then field by field."""

    rank: ClassVar[int] = 0
    """Place of the kind among the kinds of its game."""
    name: ClassVar[str] = ""
    """Name of the kind in records."""
    by_chance: ClassVar[bool] = False
    """A roll or a draw; its player is `CHANCE`."""
    player: PlayerId

    def __lt__(self, other: Deed) -> bool:
        return self._key() < other._key()

    def _key(self) -> tuple[Any, ...]:
        # The names of the fields; `fields` would look them out anew for each of many deeds.
        return (self.rank, *[getattr(self, name) for name in self.__match_args__])


D = TypeVar("D", bound=Deed)


def in_order(deeds: Iterable[D]) -> tuple[D, ...]:
    """Return deeds sorted. Many sort faster so than by comparing them two by two."""
    return tuple(sorted(deeds, key=Deed._key))


@dataclass(frozen=True, slots=True)
class Roll(Deed):
    """Chance: what the rolled dice show, sorted."""

    rank, name, by_chance = -1, "roll", True
    dice: tuple[Die, ...]


Odds = tuple[tuple[Roll, Fraction], ...]
"""Rolls that can come, sorted, with their exact probability."""


def roll(*dice: Die) -> Roll:
    """Return the roll that shows these dice, in any order."""
    return Roll(CHANCE, tuple(sorted(dice)))


@cache
def rolls_of(kind: DieKind, count: int) -> Odds:
    """Return everything that so many like dice can show.

    >>> coins = rolls_of(DieKind("coin", (0, 1)), 2)
    >>> [(str(p), [die.face for die in shown.dice]) for shown, p in coins]
    [('1/4', [0, 0]), ('1/2', [0, 1]), ('1/4', [1, 1])]
    """
    return tuple(
        (roll(*(Die(kind.id, face) for face in faces)), p)
        for faces, p in pool_distribution(kind, count)
    )
