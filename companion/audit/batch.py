"""The evidence for many simulated dice at once, with numpy; for power and for the benchmarks."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.audit.evidence import DIRICHLET_WEIGHT, ODDS, ODDS_WEIGHT, ROLLS_PER_FACE
from companion.audit.fair import ALPHA, Fair
from companion.audit.misreads import Misreads

Floats = NDArray[np.float64]

SIMULATED = 1000
"""Dice thrown to find a power."""
LOOKS = 80
"""Moments at which simulated dice are looked at; looking more often would find a little more."""
CUTS = 16
"""Rounds in which the best excuse is looked for, at most."""
NEAR = 0.001
"""The best excuse may be better than the one found by so much, as a log."""


def log_evidence(counts: NDArray[Any], fair: Fair, unread: NDArray[Any] | int = 0) -> Floats:
    """Return the logarithm of `Evidence` for counts of shape (..., K), whole numbers: shape (...).

    With unread dice, shape (...), it may be a little less: they are dealt out in fractions.
    """
    counts = np.asarray(counts, np.float64)
    unread = np.broadcast_to(np.asarray(unread, np.float64), counts.shape[:-1])
    return np.asarray(_log_mixture(counts, unread, fair) - _log_excess(counts, unread, fair))


def _log_mixture(counts: Floats, unread: Floats, fair: Fair) -> Floats:
    """Return by how much likelier the loaded dice make these counts, were nothing misread."""
    # Faces come first: numpy is much slower along a short last axis.
    counts = np.ascontiguousarray(np.moveaxis(counts, -1, 0))
    shares = np.array(fair.shares).reshape(-1, *[1] * unread.ndim)
    rolls = counts.sum(0) + unread
    mixture = np.log(DIRICHLET_WEIGHT) + _log_dirichlet(counts, unread, shares)
    for odds in ODDS:
        per_face = counts * np.log(odds) - rolls * np.log1p((odds - 1) * shares)
        term = np.log(ODDS_WEIGHT / len(shares)) + _log_sum(per_face)
        mixture = np.logaddexp(mixture, term + unread * min(np.log(odds), 0.0))
    return np.asarray(mixture)


def _log_sum(terms: Floats) -> Floats:
    """Return `companion.audit.evidence.log_sum` of the first axis."""
    most = terms.max(0)
    return np.asarray(most + np.log(np.exp(terms - most).sum(0)))


def _log_dirichlet(counts: Floats, unread: Floats, shares: Floats) -> Floats:
    """Return the Dirichlet part for counts of shape (K, ...), shares (K, 1, ...)."""
    from scipy.special import gammaln  # takes a while to load

    total = ROLLS_PER_FACE * len(shares)

    def each(counts: NDArray[Any], shares: Floats) -> Floats:
        prior = total * shares
        terms = gammaln(prior + counts) - gammaln(prior) - counts * np.log(shares)
        return np.asarray(terms)

    if unread.any():
        counts = _filled(counts, unread, shares)
        seen = each(counts, shares)
    else:  # whole numbers, and few of them: each is worked out once
        whole = counts.reshape(len(shares), -1).astype(np.intp)
        every = each(np.arange(whole.max(initial=0) + 1), shares.reshape(-1, 1))
        seen = np.take_along_axis(every, whole, 1).reshape(counts.shape)
    return np.asarray(seen.sum(0) + gammaln(total) - gammaln(total + counts.sum(0)))


def _filled(counts: Floats, unread: Floats, shares: Floats) -> Floats:
    """Give unread dice to the faces that came least, as multiples of their shares, to one level."""
    order = np.argsort(counts / shares, axis=0)
    behind = np.take_along_axis(counts, order, 0).cumsum(0)
    level = ((unread + behind) / np.take_along_axis(shares, order, 0).cumsum(0)).min(0)
    return np.maximum(counts, np.where(unread > 0, level * shares, 0.0))


def _log_excess(counts: Floats, unread: Floats, fair: Fair) -> Floats:
    """Return `Fair.log_excess`: the same tangents, for all at once."""
    if fair.misreads is None:
        return np.zeros(counts.shape[:-1])
    excuses = _Excuses(counts, unread, np.array(fair.shares), fair.misreads)
    x0, x1 = np.zeros(unread.shape), np.ones(unread.shape)
    (y0, s0), (y1, s1) = excuses.at(x0), excuses.at(x1)
    at_zero, at_one, first, last = s0 <= 0, s1 >= 0, y0, y1
    for _ in range(CUTS):
        meet = (y1 - s1 * x1 - y0 + s0 * x0) / np.where(s0 > s1, s0 - s1, 1.0)
        meet = np.clip(np.where(s0 > s1, meet, x0), x0, x1)
        is_near = y0 + s0 * (meet - x0) - np.maximum(y0, y1) <= NEAR
        if np.all(is_near | at_zero | at_one):
            break
        y, s = excuses.at(meet)
        is_left = s > 0
        x0, y0, s0 = (np.where(is_left, a, b) for a, b in ((meet, x0), (y, y0), (s, s0)))
        x1, y1, s1 = (np.where(is_left, b, a) for a, b in ((meet, x1), (y, y1), (s, s1)))
    return np.where(at_zero, first, np.where(at_one, last, np.maximum(y0, y1)))


class _Excuses:
    """`companion.audit.excuses.Excuses` for many counts."""

    def __init__(self, counts: Floats, unread: Floats, shares: Floats, reader: Misreads) -> None:
        rolls = np.maximum(counts.sum(-1, keepdims=True), 1.0)
        self._most = np.maximum(counts / rolls - shares, 0.0).sum(-1)
        self._unread, self._reader, self._rarest = unread, reader, shares.min()
        order = np.argsort(counts / shares, axis=-1)
        self._rising = self._sums(counts, shares, order)
        self._falling = self._sums(counts, shares, order[..., ::-1])

    @staticmethod
    def _sums(counts: Floats, shares: Floats, order: NDArray[Any]) -> tuple[Floats, ...]:
        count, share = np.take_along_axis(counts, order, -1), shares[order]
        logs = count * np.log(np.where(count > 0, count / share, 1.0))
        return count.cumsum(-1), share.cumsum(-1), logs.cumsum(-1)

    def at(self, share: Floats) -> tuple[Floats, Floats]:
        """Return gain less price of each share, and the slope there."""
        logs = np.stack([start + growth * share for start, growth in self._reader.bets])
        price = np.logaddexp.reduce(logs, axis=0)
        growth = np.array([growth for _, growth in self._reader.bets])
        dearness = np.tensordot(growth, np.exp(logs - price), 1)
        inner = np.minimum(share, self._most)[..., None]
        high, gained = self._picked(self._falling, inner, 1.0)
        low, lost = self._picked(self._rising, -inner, -1.0)
        slope = np.where(share < self._most, high - low, 0.0) + self._unread / (
            share + self._rarest
        )
        gain = gained + lost + self._unread * np.log1p(share / self._rarest)
        return np.asarray(gain - price), np.asarray(slope - dearness)

    def _picked(
        self, sums: tuple[Floats, ...], share: Floats, sign: float
    ) -> tuple[Floats, Floats]:
        """Return the level of the top (sign 1) or the bottom (-1), and what it gains."""
        count, own, likelihood = sums
        room = own + share
        levels = np.where(room > 0, count / np.where(room > 0, room, 1.0), np.inf)
        k = (-sign * levels).argmin(-1)
        k += np.arange(k.size).reshape(k.shape) * levels.shape[-1]
        level, n, logs = (a.take(k) for a in (levels, count, likelihood))
        gain = np.where(n > 0, logs - n * np.log(np.where(n > 0, level, 1.0)), 0.0)
        return level, gain


def favoured(shares: Floats, face: int, ratio: float) -> Floats:
    """Return the shares of a die one face of which comes `ratio` times as often.

    >>> favoured(np.full(6, 1 / 6), 0, 1.5).round(3).tolist()
    [0.25, 0.15, 0.15, 0.15, 0.15, 0.15]
    """
    loaded = shares.copy()
    loaded[face] = min(shares[face] * ratio, 0.95)
    rest = np.arange(len(shares)) != face
    loaded[rest] *= (1 - loaded[face]) / (1 - shares[face])
    return loaded


@lru_cache(maxsize=256)
def power(fair: Fair, rolls: int, ratio: float, unread: int = 0) -> float:
    """Return how likely an alarm had come by now, were one face favoured `ratio` times.

    Simulated, seeded; the mean over the faces that may be the favoured one. Unread dice are thought
    to have come evenly among the others. A die with one face alone cannot favour it.
    """
    if len(fair.values) < 2:
        return 0.0
    shares = np.array(fair.shares)
    found = 0.0
    for share in set(fair.shares):
        weight = fair.shares.count(share) / len(shares)
        loaded = favoured(shares, fair.shares.index(share), ratio)
        found += weight * _found(fair, loaded, rolls, unread, ceil(SIMULATED * weight))
    return found


def _found(fair: Fair, loaded: Floats, rolls: int, unread: int, dice: int) -> float:
    """Return which share of some loaded dice raises an alarm; those are thrown no more."""
    rng = np.random.default_rng(rolls)
    looks = np.unique(np.linspace(0, rolls, LOOKS + 1).astype(int))
    counts = np.zeros((dice, len(loaded)))
    for before, now in pairwise(looks):
        counts += rng.multinomial(now - before, loaded, size=len(counts))
        counts = counts[~_is_alarm(counts, fair, ceil(now * unread / rolls))]
    return 1 - len(counts) / dice


def _is_alarm(counts: Floats, fair: Fair, unread: int) -> NDArray[np.bool_]:
    """Say of which counts the evidence is an alarm."""
    unread_each = np.full(len(counts), float(unread))
    worth = _log_mixture(counts, unread_each, fair)
    alarm = np.asarray(worth >= -np.log(ALPHA))
    if alarm.any():  # looking for an excuse takes long
        worth = worth[alarm] - _log_excess(counts[alarm], unread_each[alarm], fair)
        alarm[alarm] = worth >= -np.log(ALPHA)
    return alarm
