"""Whether the last face of a die predicts the next.

The evidence compares dice with a memory to the best memoryless die there can be, fair or not
(Ramdas, Ruf, Larsson and Koolen, "Testing exchangeability", 2022, do so for coins). A loaded die
without a memory reaches ``1 / alpha`` with probability `alpha` at most, whenever one looks.
"""

from __future__ import annotations

from math import log

from companion.audit.evidence import ROLLS_PER_FACE, log_sum
from companion.audit.fair import Fair

REPEAT_ODDS = (0.4, 1.6, 2.5)
"""What the odds of the same face again are multiplied by."""
TABLE_WEIGHT = 0.4
"""Share of the dice whose next face depends on the last in any way at all."""
REPEAT_WEIGHT = (1 - TABLE_WEIGHT) / len(REPEAT_ODDS)


class Dependence:
    """Evidence that one die has a memory, roll by roll.

    Parameters
    ----------
    fair : Fair
        Tells the values of the die and its shares if it is fair.
    """

    def __init__(self, fair: Fair) -> None:
        faces = len(fair.values)
        self.rolls = 0
        """Rolls that had one before them."""
        self.repeats = 0
        """How many of them showed the same face as the one before."""
        self.log_now = 0.0
        """Natural logarithm of the evidence after the last roll."""
        self.log_most = 0.0
        self._place = {value: k for k, value in enumerate(fair.values)}
        self._firm = ROLLS_PER_FACE * faces
        self._prior = [self._firm * share for share in fair.shares]
        self._counts = [0] * faces
        self._after = [[0] * faces for _ in range(faces)]
        self._first = 0
        """Place of the face of the first roll, which none came before."""
        self._last: int | None = None
        self._log_repeat = [0.0] * len(REPEAT_ODDS)
        self._log_table = 0.0
        self._count_logs = 0.0
        """Sum of ``count * log(count)``: the likelihood of the best memoryless die."""

    def update(self, face: int) -> float:
        """Take in the next roll of the die; return the logarithm of the evidence now."""
        k, last = self._place[face], self._last
        seen = sum(self._counts)
        if last is not None:
            chance = (self._prior[k] + self._counts[k]) / (self._firm + seen)
            again = (self._prior[last] + self._counts[last]) / (self._firm + seen)
            for n, odds in enumerate(REPEAT_ODDS):
                tilted = chance * (odds if k == last else 1.0) / (1 + (odds - 1) * again)
                self._log_repeat[n] += log(tilted)
            row = self._after[last]
            tabled = (self._firm * chance + row[k]) / (self._firm + sum(row))
            self._log_table += log(tabled)
            row[k] += 1
            self._count(k)
            self.rolls += 1
            self.repeats += k == last
            self.log_now = self._log_memory() - self._log_memoryless()
            self.log_most = max(self.log_most, self.log_now)
        else:
            self._first = k
        self._last = k
        return self.log_now

    def expected_repeats(self) -> float:
        """Return how many repeats these faces show in any order, on the average."""
        if not self.rolls:
            return 0.0
        counts = list(self._counts)
        counts[self._first] += 1
        return sum(count * (count - 1) for count in counts) / sum(counts)

    def _count(self, k: int) -> None:
        count = self._counts[k]
        self._count_logs += (count + 1) * log(count + 1) - (count * log(count) if count else 0.0)
        self._counts[k] += 1

    def _log_memory(self) -> float:
        terms = [log(TABLE_WEIGHT) + self._log_table]
        return log_sum([*terms, *(log(REPEAT_WEIGHT) + value for value in self._log_repeat)])

    def _log_memoryless(self) -> float:
        return self._count_logs - self.rolls * log(self.rolls)
