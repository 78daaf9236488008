"""What a fair die shows, as it is read: one distribution, or a box of them if the reader errs.

A reader that takes some sixes for fives makes a fair die look loaded. How often it errs is known
only from checks, so the share of every face is known within limits. A die is called loaded when
even the kindest distribution within the limits cannot explain its rolls.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, log

from companion.rules.dice import DieKind

ALPHA = 0.05
"""How often a fair die may be called loaded, at any time, ever."""
DELTA = 0.01
"""The part of `ALPHA` that is spent on the limits of a measured reader."""
CLOSE = 1e-12
"""Scales that differ by less than this part are the same."""
LEAST_SHARE = 1e-9
"""Nothing is quite impossible once a reader is involved."""

Checks = Mapping[tuple[int, int], int]
"""How often a face (first) was read as a face (second) when somebody looked."""
ReaderChecks = Mapping[str, Checks]
"""Checked readings by kind of die."""


@dataclass(frozen=True, slots=True)
class Fair:
    """The shares that the faces of a fair die may have in what is read."""

    values: tuple[int, ...]
    """The different values of the die, ascending."""
    low: tuple[float, ...]
    """Least share of each value."""
    high: tuple[float, ...]
    """Greatest share of each value; the same as `low` where reading is exact."""
    centre: tuple[float, ...]
    """The likeliest shares; sum 1."""
    alpha: float
    """What is left for false alarms: an alarm needs evidence of ``1 / alpha``."""
    checks: int = 0
    """On how many checked readings the limits rest."""

    @property
    def is_exact(self) -> bool:
        """Every share is known exactly."""
        return self.low == self.high

    def limits_of(self, k: int) -> tuple[float, float, float]:
        """Return least, greatest and likeliest share of the value number `k`."""
        return self.low[k], self.high[k], self.centre[k]

    def kindest(self, counts: Sequence[int]) -> tuple[float, ...]:
        """Return the shares within the limits which make `counts` most likely.

        The likelihood is greatest at ``counts / scale``, cut to the limits, for the one scale at
        which the shares sum to 1. Where even the greatest shares of all faces seen leave something
        over (scale 0), the faces that were not seen may have it.
        """
        if self.is_exact:
            return self.centre
        scale = self._scale(counts)
        shares = [
            low if count <= low * scale else high if count >= high * scale else count / scale
            for count, low, high in zip(counts, self.low, self.high, strict=True)
        ]
        if scale == 0:
            unseen = [k for k, count in enumerate(counts) if not count]
            room = sum([self.high[k] - self.low[k] for k in unseen]) or 1.0
            part = (1 - sum(shares)) / room
            for k in unseen:
                shares[k] += part * (self.high[k] - self.low[k])
        return tuple(shares)

    def _scale(self, counts: Sequence[int]) -> float:
        """Find the scale. The sum of the shares falls as it grows, so close in on it.

        While the same limits bind, the sum is ``free / scale + bound``: the next guess solves that
        for 1, and is the answer once it does not change any more.
        """
        limits = tuple(zip(counts, self.low, self.high, strict=True))
        if sum([high if count else low for count, low, high in limits]) <= 1:
            return 0.0
        scale, least, most = float(sum(counts)), 0.0, inf
        while True:
            free, bound = 0, 0.0
            for count, low, high in limits:
                if count <= low * scale:
                    bound += low
                elif count >= high * scale:
                    bound += high
                else:
                    free += count
            if free + bound * scale > scale:
                least = scale
            else:
                most = scale
            guess = free / (1 - bound) if free and bound < 1 else 0.0
            if abs(guess - scale) <= CLOSE * scale or most - least <= CLOSE * least:
                return scale
            if not least < guess < most:
                guess = 2 * least if most == inf else (least + most) / 2
            scale = guess

    def log_excess(self, counts: Sequence[int]) -> float:
        """Return how much likelier the kindest shares make `counts` than the centre, as a log."""
        if self.is_exact:
            return 0.0
        shares = zip(counts, self.kindest(counts), self.centre, strict=True)
        return sum([count * log(kind / centre) for count, kind, centre in shares if count])


def exactly_read(kind: DieKind) -> Fair:
    """Return what a fair die shows when every face is told as it lies.

    >>> exactly_read(DieKind("sail", (2, 3, 3, 4))).centre
    (0.25, 0.5, 0.25)
    """
    shares = tuple(float(p) for _, p in kind.distribution())
    return Fair(kind.values, shares, shares, shares, ALPHA)


def read_with_errors(kind: DieKind, checks: Checks) -> Fair:
    """Return what a fair die shows through a reader that was checked.

    A face loses what the reader takes for another face, and gains what it takes for this one.
    Upper limits for both hold all together with probability ``1 - DELTA`` (Clopper and Pearson for
    the losses of a face; for the gains the same bound on the pooled count, which Hoeffding (1956)
    shows to be on the safe side for unequal rates, weighted by the face that was checked least).
    That a reader may be better than it was measured is always allowed.

    Parameters
    ----------
    kind : DieKind
        The die.
    checks : Checks
        Readings that somebody checked. A face that was never checked may be read as anything.
    """
    values = kind.values
    share = {value: float(p) for value, p in kind.distribution()}
    looked = {v: sum(checks.get((v, r), 0) for r in values) for v in values}
    level = DELTA / (2 * len(values))
    low, high, centre = [], [], []
    for value in values:
        others = [v for v in values if v != value]
        right, wrong = checks.get((value, value), 0), 0
        wrong = looked[value] - right
        loss = upper_limit(wrong, looked[value], level)
        came = sum(checks.get((v, value), 0) for v in others)
        pooled = sum(looked[v] for v in others)
        weight = max((share[v] / looked[v] if looked[v] else 1.0) for v in others)
        unchecked = any(looked[v] == 0 for v in others)
        gain = 1.0 if unchecked else weight * pooled * upper_limit(came, pooled, level)
        low.append(share[value] * (1 - loss))
        high.append(min(1.0, share[value] + gain))
        rate = right / looked[value] if looked[value] else 1.0
        gained = sum(share[v] * checks.get((v, value), 0) / max(looked[v], 1) for v in others)
        centre.append(max(share[value] * rate + gained, LEAST_SHARE))
    total = sum(centre)
    return Fair(
        values,
        tuple(low),
        tuple(max(h, LEAST_SHARE) for h in high),
        tuple(c / total for c in centre),
        ALPHA - DELTA,
        sum(looked.values()),
    )


def upper_limit(hits: int, trials: int, level: float) -> float:
    """Return the greatest rate that would show so few hits with probability `level` or more.

    >>> round(upper_limit(0, 300, 0.05), 4)
    0.0099
    """
    if hits >= trials:
        return 1.0
    from scipy.special import betaincinv  # takes a while to load

    return float(betaincinv(hits + 1, trials - hits, 1 - level))
