"""Whether the same dice roll differently for one captain than for the others.

The rolls are taken in blocks: one die of the captain, and as many of the rest as there are other
captains. Before each block the earlier ones tell what either side may be expected to show; the
evidence grows with how much better these two expectations do than their mean. If both sides roll
the same die, fair or not, it reaches ``1 / alpha`` with probability `alpha` at most (Turner and
Grünwald, "Safe sequential testing and effect estimation in stratified count data", 2023). Where
several captains are compared, Holm's correction keeps that for all of them together.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from math import exp, log
from random import Random
from typing import TypeVar

from companion.audit.evidence import ROLLS_PER_FACE, log_sum
from companion.audit.fair import Fair

Key = TypeVar("Key", bound=Hashable)

FIRMNESS = (5.0, 16.0, 50.0)
"""Rolls per face after which a side is believed rather than both sides together; mixed evenly."""


class Comparison:
    """Evidence that the dice of one group differ from those of the rest, roll by roll.

    Parameters
    ----------
    fair : Fair
        Tells the values of the dice and their shares in a fair die.
    others : int
        How many dice of the rest make a block with one of the group.
    """

    def __init__(self, fair: Fair, others: int) -> None:
        self.log_now = 0.0
        """Natural logarithm of the evidence after the last whole block."""
        self.log_most = 0.0
        self._place = {value: k for k, value in enumerate(fair.values)}
        self._prior = [ROLLS_PER_FACE * len(fair.values) * share for share in fair.shares]
        self._sizes = (1, others)
        self._counts = tuple([0] * len(fair.values) for _ in self._sizes)
        self._waiting: tuple[list[int], list[int]] = ([], [])
        self._logs = [0.0] * len(FIRMNESS)
        # Dice of one roll come sorted; a block must not get the lowest of them first.
        self._order = Random(0)

    @property
    def p_value(self) -> float:
        """Probability of evidence like this, at any time, were there no difference; at most."""
        return exp(-self.log_most)

    def update(self, faces: Iterable[int], *, in_group: bool) -> float:
        """Take in all dice of one roll; return the logarithm of the evidence now."""
        rolled = [self._place[face] for face in faces]
        self._order.shuffle(rolled)
        self._waiting[0 if in_group else 1].extend(rolled)
        while all(len(w) >= size for w, size in zip(self._waiting, self._sizes, strict=True)):
            self._take_block()
        return self.log_now

    def _take_block(self) -> None:
        block = [w[:size] for w, size in zip(self._waiting, self._sizes, strict=True)]
        for waiting, size in zip(self._waiting, self._sizes, strict=True):
            del waiting[:size]
        both = self._mean_shares()
        for n, per_face in enumerate(FIRMNESS):
            firm = per_face * len(both)
            self._logs[n] += self._log_gain(block, both, firm)
        for counts, rolled in zip(self._counts, block, strict=True):
            for k in rolled:
                counts[k] += 1
        self.log_now = log_sum(self._logs) - log(len(FIRMNESS))
        self.log_most = max(self.log_most, self.log_now)

    def _mean_shares(self) -> list[float]:
        """Return what either side is expected to show as long as little is known of it."""
        came = [sum(k) for k in zip(self._prior, *self._counts, strict=True)]
        total = sum(came)
        return [count / total for count in came]

    def _log_gain(
        self, block: Sequence[Sequence[int]], both: Sequence[float], firm: float
    ) -> float:
        """Return how much better two expectations, one a side, do on a block than their mean."""
        (own, rest), (few, many) = self._counts, self._sizes
        own_total, rest_total = sum(own) + firm, sum(rest) + firm
        gain = 0.0
        for side, rolled in enumerate(block):
            for k in rolled:
                doubt = firm * both[k]
                told = (own[k] + doubt) / own_total, (rest[k] + doubt) / rest_total
                mean = (few * told[0] + many * told[1]) / (few + many)
                gain += log(told[side] / mean)
        return gain


def holm(p_values: Mapping[Key, float]) -> dict[Key, float]:
    """Return p-values corrected for their number by Holm's step-down method.

    Whatever is at most `ALPHA` afterwards may be called a finding; the chance that any of them is
    false is `ALPHA` at most, however the tests hang together.

    >>> holm({"Ann": 0.01, "Bob": 0.04, "Cid": 0.03})
    {'Ann': 0.03, 'Bob': 0.06, 'Cid': 0.06}
    """
    corrected: dict[Key, float] = {}
    most = 0.0
    for k, key in enumerate(sorted(p_values, key=lambda name: p_values[name])):
        most = max(most, min(1.0, (len(p_values) - k) * p_values[key]))
        corrected[key] = most
    return {key: corrected[key] for key in p_values}
