"""Doubts of how a die lies that people have answered: of its like they count less from then on.

A die of an odd make seems to lean, or to be no die, again and again. Whoever is asked about it and
says what it shows has vouched for it. After so many such answers the same doubt is as likely to be
wrong once more as the rule of succession has it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.dice.aspect import DOUBTS
from vision.dice.teller import Odds
from vision.dice.tones import Body, ByBody
from vision.frame import Array

_LEAST = np.array([0.01] * len(DOUBTS) + [0.1])
"""Doubts below are none that would be asked about."""


class Vouched:
    """The doubts that people have answered of the dice of one tray. From one thread only."""

    def __init__(self) -> None:
        self._answered = ByBody[Array]()

    def __bool__(self) -> bool:
        return bool(self._answered)

    def add(self, body: Body, odds: Odds) -> None:
        """Take in that somebody has said what a die shows that was seen like this."""
        self._answered.add(body, _doubted(odds))

    def lessened(self, body: Body, odds: Odds) -> Odds:
        """Return what a die may be, each doubt the less for every such die doubted as much."""
        answered = self._answered.of(body)
        if not answered:
            return odds
        as_much = (answered >= np.maximum(_doubted(odds), _LEAST)).sum(axis=0)
        *doubts, nothing = 1 / (1 + as_much)
        return replace(
            odds, doubts=odds.doubts * doubts, nothing_worth=odds.nothing_worth * float(nothing)
        )


def _doubted(odds: Odds) -> Array:
    """Return the doubts of how a die lies, and the odds that it is nothing that can be told."""
    return np.array([*odds.doubts, odds.nothing / max(1 - odds.nothing, 1e-6)])
