"""The evidence against a die: a number that may be looked at after every roll.

It is the likelihood ratio of a mixture of loaded dice to the fair one (Lindon and Malek,
"Anytime-valid inference for multinomial count data", NeurIPS 2022, for the Dirichlet part). If the
die is fair, it ever reaches ``1 / alpha`` with probability `alpha` at most (Ville's inequality), so
nobody needs to decide beforehand how many rolls to make or when to look.

A die that could not be read may show any face, and which ones are refused may hang on the face. So
the evidence is the least that any faces of the unread dice can make it, or somewhat less. It is
then never more than that of all the rolls as they truly fell, whatever the reader refuses and why.
A die that was no roll at all is allowed for as well: at least one face of one more roll does not
raise the evidence, since with the chances of a fair die it stays the same on the average.

The least is taken of each loaded die of the mixture by itself, which together is no more than the
least of their sum. One with a favoured or shunned face loses most by the face that it expects
least. The Dirichlet part is a product over the faces of terms that are log-convex in their counts,
so giving the dice one by one to the face that makes it least there and then is the best of all
ways; and a face that is read later fills the place of an unread die, if one was given to it.
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
        """Dice rolled and read."""
        self.unread = 0
        """Dice rolled that could not be read."""
        self.log_now = 0.0
        """Natural logarithm of the evidence after the last roll."""
        self.log_most = 0.0
        """The greatest it has ever been; what counts for an alarm."""
        self.counts_then = tuple(self.counts)
        """How often each value had come when it was greatest."""
        self._place = {value: k for k, value in enumerate(fair.values)}
        self._misread = 0.0
        """Share of misread dice that explained most."""
        self._log_dirichlet = 0.0
        self._filled = list(self.counts)
        """The counts with every unread die on the face that makes the Dirichlet part least."""
        self._prior = [ROLLS_PER_FACE * len(fair.values) * share for share in fair.shares]
        self._log_odds = [log(odds) for odds in ODDS]
        self._log_norms = [[log1p((odds - 1) * share) for share in fair.shares] for odds in ODDS]
        self._log_weight = log(ODDS_WEIGHT / len(fair.values))

    @property
    def p_value(self) -> float:
        """Probability of evidence like this, at any time, from a fair die; at most."""
        return exp(-self.log_most)

    @property
    def is_alarm(self) -> bool:
        """The evidence has been an alarm: it stays one, whatever comes after."""
        return self.log_most >= -log(ALPHA)

    def update(self, faces: Iterable[int | None]) -> float:
        """Take in all dice of one roll, ``None``: unread; return the logarithm of the evidence now.

        Dice that were rolled together are taken in together: they come sorted, and evidence that
        is looked at half-way through a sorted roll proves nothing.
        """
        counts = self.counts
        for face in faces:
            if face is None:
                self._fill(self._kindest())
                self.unread += 1
                continue
            k = self._place[face]
            self._fill(k if self._filled[k] == counts[k] else self._kindest())
            counts[k] += 1
            self.rolls += 1
        excess, self._misread = self.fair.log_excess(counts, self.unread, self._misread)
        self.log_now = self._log_mixture() - excess
        if self.log_now > self.log_most:
            self.log_most, self.counts_then = self.log_now, tuple(counts)
        return self.log_now

    def _kindest(self) -> int:
        """Return the place of the face by which the Dirichlet part gains least."""
        chances = zip(self._prior, self._filled, self.fair.shares, strict=True)
        gains = [(prior + filled) / share for prior, filled, share in chances]
        return gains.index(min(gains))

    def _fill(self, k: int) -> None:
        """Add a die to the filled counts."""
        seen = ROLLS_PER_FACE * len(self._prior) + self.rolls + self.unread
        chance = (self._prior[k] + self._filled[k]) / seen
        self._log_dirichlet += log(chance / self.fair.shares[k])
        self._filled[k] += 1

    def _log_mixture(self) -> float:
        rolls, counts, weight = self.rolls + self.unread, self.counts, self._log_weight
        terms = [log(DIRICHLET_WEIGHT) + self._log_dirichlet]
        for log_odds, norms in zip(self._log_odds, self._log_norms, strict=True):
            # An unread die shows the shunned face, or none that is favoured.
            start = weight + self.unread * min(log_odds, 0.0)
            terms += [
                start + count * log_odds - rolls * norm
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
