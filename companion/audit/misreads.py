"""What checks say about a reader that errs: the price of claiming that dice were misread.

Let `share` be the part of a fair die's rolls that the reader takes for another face. Whoever
excuses the rolls of a die by so many misread dice must explain why they did not show in the checks.
The price is a bet against that, made before the checks: of `drop` in ``(0, 1]`` it pays
``(1 - drop) ** wrong * exp(drop * least * share)``, where `wrong` checked readings were wrong and
``least * share`` is the least number to be expected. If that share is true, a bet pays 1 on the
average, at most: each check multiplies it by 1 with probability ``1 - q`` and by ``1 - drop`` with
probability ``q``, which is ``1 - drop * q <= exp(-drop * q)`` on the average, and all ``q`` sum up
to ``least * share`` or more. So do all bets together, each with its part of the stake.

The evidence against a die may therefore be multiplied by the price of the share that its defender
claims, and the defender chooses the share at which the product is least (`Fair.log_excess`). For
the share that is true it is a fair bet on checks and rolls together; so the least product is 20 or
more, ever, with probability 1/20 at most, without any limits that must hold beforehand.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import exp, log

BETS = ((1.0, 0.3), (0.5, 0.2), (0.25, 0.2), (0.0, 0.3))
"""`drop` and part of the stake. The first wins most where no check was wrong, and then only; the
last is the money that is kept."""


@dataclass(frozen=True, slots=True)
class Misreads:
    """What checks say about the share of misread dice."""

    checks: int
    """Checked readings."""
    wrong: int
    """How many of them were wrong."""
    bets: tuple[tuple[float, float], ...]
    """Of each bet that still pays: logarithm of what it pays for a share of 0, and its growth."""

    def price(self, share: float) -> tuple[float, float]:
        """Return the logarithm of the price of a share of misread dice, and its slope; convex."""
        logs = [start + growth * share for start, growth in self.bets]
        most = max(logs)
        parts = [exp(one - most) for one in logs]
        total = sum(parts)
        slope = sum([growth * part for (_, growth), part in zip(self.bets, parts, strict=True)])
        return most + log(total), slope / total

    def dearer_than(self, factor: float) -> float:
        """Return the least share that costs more than a factor; 1 if none does."""
        low, high = 0.0, 1.0
        if self.price(1.0)[0] <= log(factor):
            return 1.0
        for _ in range(40):
            middle = (low + high) / 2
            low, high = (low, middle) if self.price(middle)[0] > log(factor) else (middle, high)
        return high


def misreads(wrong: int, faces: Iterable[tuple[float, int]]) -> Misreads:
    """Return what checks say.

    Parameters
    ----------
    wrong : int
        How many checked readings were wrong.
    faces : iterable of (float, int)
        Of each face its share of a fair die's rolls, and how many readings of it were checked. A
        face that was never checked may always be misread: then no share has a price.
    """
    looked = list(faces)
    least = min(checks / share for share, checks in looked)
    bets = tuple(
        (log(stake) + (wrong * log(1 - drop) if wrong else 0.0), drop * least)
        for drop, stake in BETS
        if drop < 1 or not wrong
    )
    return Misreads(sum(checks for _, checks in looked), wrong, bets)
