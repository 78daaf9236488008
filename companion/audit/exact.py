"""Tests for a number of rolls that was fixed beforehand, as textbooks have them.

They find a little more than `companion.audit.evidence`, and raise false alarms all over the place
when they are looked at after every roll. So they are shown, and decide nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.audit.fair import Fair

MOST_RESULTS = 20_000
"""Multinomial results that are summed up one by one."""
LEAST_EXPECTED = 5.0
"""Chi-squared wants each face to be expected so often."""
SIMULATED = 9_999
"""Rolls of the die that stand in where neither will do."""
_TIE = 1e-9
"""Results as likely as this part are the same as likely: sums differ in the last digits."""


@dataclass(frozen=True, slots=True)
class FixedTest:
    """What a test says for this very number of rolls."""

    method: str
    """``"exact multinomial"``, ``"chi-squared"`` or ``"simulated chi-squared"``."""
    p_value: float
    least_expected: float
    """How often the rarest face was to be expected; chi-squared wants 5."""


def fixed_test(counts: Sequence[int], fair: Fair, unread: int = 0) -> FixedTest:
    """Test counts against a fair die, the kindest one that the reader's errors allow.

    Exact where the possible results can be summed up, chi-squared where every face is expected
    five times or more, simulated (seeded) otherwise. Dice that could not be read show what makes
    the p-value greatest.

    >>> from companion.audit.fair import exactly_read
    >>> from companion.rules.dice import DieKind
    >>> coin = exactly_read(DieKind("coin", (0, 1)))
    >>> round(fixed_test((1, 4), coin).p_value, 4)  # 12 of 32 results
    0.375
    """
    shares = fair.kindest(counts)
    rolls = sum(counts) + unread
    least = rolls * min(shares)
    if not any(counts):
        return FixedTest("exact multinomial", 1.0, 0.0)
    if comb(rolls + len(shares) - 1, len(shares) - 1) <= MOST_RESULTS:
        likeliest = _filled(counts, shares, unread, 1.0)
        return FixedTest("exact multinomial", _multinomial(likeliest, shares), least)
    counts = _filled(counts, shares, unread, 0.5)
    if least >= LEAST_EXPECTED:
        return FixedTest("chi-squared", _chi_squared(counts, shares), least)
    return FixedTest("simulated chi-squared", _simulated(counts, shares), least)


def _filled(counts: Sequence[int], shares: Sequence[float], unread: int, ahead: float) -> list[int]:
    """Give each unread die to the face that is farthest behind its share, `ahead` dice from now.

    One die ahead, that makes the result likeliest: a die of face k multiplies its probability by
    ``share / (count + 1)``, but for what is the same for all faces. Half a die ahead, it makes
    chi-squared least: a die adds ``(2 count + 1) / share``. Both only get worse for a face the more
    dice it is given, so to take the best one each time is best.
    """
    filled = list(counts)
    for _ in range(unread):
        behind = [(count + ahead) / share for count, share in zip(filled, shares, strict=True)]
        filled[behind.index(min(behind))] += 1
    return filled


def _multinomial(counts: Sequence[int], shares: Sequence[float]) -> float:
    """Sum the probabilities of all results that are no likelier than this one."""
    from scipy.special import gammaln

    results = np.array(list(_results(sum(counts), len(counts))), float)
    logs = gammaln(sum(counts) + 1) - gammaln(results + 1).sum(1) + results @ np.log(shares)
    seen = gammaln(sum(counts) + 1) - gammaln(np.array(counts) + 1.0).sum()
    seen += np.array(counts) @ np.log(shares)
    return min(1.0, float(np.exp(logs[logs <= seen + _TIE]).sum()))


def _results(rolls: int, faces: int) -> Iterator[tuple[int, ...]]:
    if faces == 1:
        yield (rolls,)
        return
    for first in range(rolls + 1):
        for rest in _results(rolls - first, faces - 1):
            yield (first, *rest)


def _statistic(counts: NDArray[Any], shares: Sequence[float]) -> NDArray[Any]:
    expected = counts.sum(-1, keepdims=True) * np.array(shares)
    return np.asarray(((counts - expected) ** 2 / expected).sum(-1))


def _chi_squared(counts: Sequence[int], shares: Sequence[float]) -> float:
    from scipy.special import chdtrc

    return float(chdtrc(len(shares) - 1, float(_statistic(np.array(counts), shares))))


def _simulated(counts: Sequence[int], shares: Sequence[float]) -> float:
    rng = np.random.default_rng(sum(counts))
    thrown = rng.multinomial(sum(counts), np.array(shares) / sum(shares), size=SIMULATED)
    as_far = _statistic(thrown, shares) >= float(_statistic(np.array(counts), shares)) * (1 - _TIE)
    return float((1 + as_far.sum()) / (1 + SIMULATED))
