"""The evidence against a die: a number that may be looked at after every roll.

It is the likelihood ratio of a mixture of loaded dice to the fair one (Lindon and Malek,
"Anytime-valid inference for multinomial count data", NeurIPS 2022, for the Dirichlet part). If the
die is fair, it ever reaches ``1 / alpha`` with probability `alpha` at most (Ville's inequality), so
nobody needs to decide beforehand how many rolls to make or when to look.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import exp, inf, log, log1p

from companion.audit.fair import ALPHA, Fair

DIRICHLET_WEIGHT = 0.2
"""Share of the dice in the mixture that are loaded in any way at all; the others favour or shun
one face."""
ROLLS_PER_FACE = 10.0
"""How firmly such a die sticks to fair shares: faces vary by about three tenths of their share."""
ODDS = (0.5, 1.4, 1.8, 3.0)
"""What the odds of one face, any of them, are multiplied by; each is as likely as the others.

On a d6 the face comes 0.55, 1.31, 1.59 and 2.25 times as often as it should.
"""
ODDS_WEIGHT = (1 - DIRICHLET_WEIGHT) / len(ODDS)


class Evidence:
    """Evidence of one die or one kind of dice, roll by roll.

    Parameters
    ----------
    fair : Fair
        What is to be refuted.
    """

    def __init__(self, fair: Fair) -> None:
        self.fair = fair
        self.counts = [0] * len(fair.values)
        """How often each of `fair.values` came."""
        self.rolls = 0
        """Dice rolled."""
        self.log_now = 0.0
        """Natural logarithm of the evidence after the last roll."""
        self.log_most = 0.0
        """The greatest it has ever been; what counts for an alarm."""
        self.counts_then = tuple(self.counts)
        """How often each value had come when it was greatest."""
        self._place = {value: k for k, value in enumerate(fair.values)}
        self._log_dirichlet = 0.0
        self._prior = [ROLLS_PER_FACE * len(fair.values) * share for share in fair.centre]
        self._log_odds = [log(odds) for odds in ODDS]
        self._log_norms = [[log1p((odds - 1) * share) for share in fair.centre] for odds in ODDS]
        self._log_weight = log(ODDS_WEIGHT / len(fair.values))

    @property
    def p_value(self) -> float:
        """Probability of evidence like this, at any time, from a fair die; at most."""
        return min(1.0, exp(-self.log_most) + ALPHA - self.fair.alpha)

    def update(self, faces: Iterable[int]) -> float:
        """Take in all dice of one roll; return the logarithm of the evidence now.

        Dice that were rolled together are taken in together: they come sorted, and evidence that
        is looked at half-way through a sorted roll proves nothing.
        """
        counts, prior, centre = self.counts, self._prior, self.fair.centre
        total = ROLLS_PER_FACE * len(prior)
        for face in faces:
            k = self._place[face]
            chance = (prior[k] + counts[k]) / (total + self.rolls)
            self._log_dirichlet += log(chance / centre[k])
            counts[k] += 1
            self.rolls += 1
        self.log_now = self._log_mixture() - self.fair.log_excess(counts)
        if self.log_now > self.log_most:
            self.log_most, self.counts_then = self.log_now, tuple(counts)
        return self.log_now

    def _log_mixture(self) -> float:
        rolls, counts, weight = self.rolls, self.counts, self._log_weight
        terms = [log(DIRICHLET_WEIGHT) + self._log_dirichlet]
        for log_odds, norms in zip(self._log_odds, self._log_norms, strict=True):
            terms += [
                weight + count * log_odds - rolls * norm
                for count, norm in zip(counts, norms, strict=True)
            ]
        return log_sum(terms)


def log_sum(terms: Sequence[float]) -> float:
    """Return the logarithm of a sum from the logarithms of its terms.

    >>> round(log_sum([log(1), log(3)]), 12) == round(log(4), 12)
    True
    """
    most = max(terms, default=-inf)
    if most == -inf:
        return -inf
    return most + log(sum([exp(term - most) for term in terms]))
