"""Silver and gold: totals in silver, change made by itself (PRV-6)."""

from __future__ import annotations

from typing import NamedTuple

GOLD = 5
"""Silver for a gold doubloon."""


class Coins(NamedTuple):
    """Doubloons as they lie in a purse."""

    gold: int
    silver: int

    @property
    def total(self) -> int:
        """What they are worth, in silver."""
        return GOLD * self.gold + self.silver

    def __str__(self) -> str:
        return f"{self.gold} gold and {self.silver} silver"


class Payment(NamedTuple):
    """How to pay a price out of a purse."""

    given: Coins
    """What to put into the bank."""
    change: int
    """Silver to take back."""
    left: Coins
    """What is in the purse then."""


def in_coins(total: int) -> Coins:
    """Return a total in as few coins as can be.

    >>> str(in_coins(13))
    '2 gold and 3 silver'
    """
    return Coins(*divmod(total, GOLD))


def payment(purse: Coins, price: int) -> Payment:
    """Return how to pay a price: silver first, then gold, change in silver.

    Raises `ValueError` if the purse is too light.

    >>> payment(Coins(2, 0), 7)
    Payment(given=Coins(gold=2, silver=0), change=3, left=Coins(gold=0, silver=3))
    """
    if not 0 <= price <= purse.total:
        raise ValueError(f"{purse} cannot pay {price} silver")
    silver = min(purse.silver, price)
    gold = -((silver - price) // GOLD)
    change = GOLD * gold + silver - price
    # Silver that would come back as change is not handed over in the first place.
    spared = min(change, silver)
    given, change = Coins(gold, silver - spared), change - spared
    left = Coins(purse.gold - gold, purse.silver - given.silver + change)
    return Payment(given, change, left)
