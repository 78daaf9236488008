"""What misread dice can explain of some rolls, at which price: the best excuse for a die."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf, log, log1p

from companion.audit.misreads import Misreads

CLOSE = 0.005
"""The best excuse is told by so much too great, at most: the evidence is never too great."""
LEAST_SHARE = 1e-9
"""Nothing is quite impossible once a reader is involved."""
NEAR = 0.15
"""The best excuse is looked for within this part of the last one first."""


class Excuses:
    """What misread dice can explain of some counts, and what they cost.

    A share of misread dice may be taken from any faces and given to any others: the shares of the
    faces in what is read are then at most so far from their own, all that are raised together.
    The counts are likeliest where the faces that came most often, for what is claimed of them, are
    raised until all of them come alike often (the higher level), and those that came least often
    are lowered alike (the lower level). With the share the higher level falls and the lower one
    rises; their difference is the slope of the gain, which so is concave.

    An unread die of face k gains ``claimed / own`` of it, at most ``1 + share / rarest``.

    Parameters
    ----------
    shares : tuple of float
        Of the faces of a fair die.
    reader : Misreads
        What is known of the reader.
    counts : sequence of int
        How often each face was read.
    unread : int
        Dice that could not be read.
    """

    def __init__(
        self,
        shares: tuple[float, ...],
        reader: Misreads,
        counts: Sequence[int],
        unread: int = 0,
    ) -> None:
        self._shares, self._reader, self._counts, self._unread = shares, reader, counts, unread
        self._rarest = min(shares)
        self._ratios = [n / share for n, share in zip(counts, shares, strict=True)]
        self._most = 1.0
        """The share that explains everything."""
        self._falling: list[tuple[float, float, float]] = []
        self._rising: list[tuple[float, float, float]] = []

    def best(self, near: float) -> tuple[float, float]:
        """Return the greatest gain less its price, or up to `CLOSE` more, and its share.

        Gain less price is concave. So tangents bound it from above, and the search is over when
        the place where those of both sides meet is hardly higher than what was found.
        """
        price, dearness = self._reader.price(0.0)
        slope = max(self._ratios) - min(self._ratios) + self._unread / self._rarest - dearness
        if slope <= 0:
            return -price, 0.0
        self._sum_up()
        left = (0.0, -price, slope)
        for share in (min(near * (1 + NEAR), 1.0), 1.0):
            right = (share, *self._at(share))
            if right[2] <= 0:
                break
            left = right
        else:
            return left[1], 1.0
        guesses = [near * (1 - NEAR)]
        while True:
            (x0, y0, s0), (x1, y1, s1) = left, right
            meet = (y1 - s1 * x1 - y0 + s0 * x0) / (s0 - s1)
            top = y0 + s0 * (meet - x0)
            if top - max(y0, y1) <= CLOSE:
                return top, x1 if y1 > y0 else x0
            share = guesses.pop() if guesses else meet
            if x0 < share < x1:
                one = (share, *self._at(share))
                left, right = (one, right) if one[2] > 0 else (left, one)

    def shares(self, share: float) -> tuple[float, ...]:
        """Return the kindest shares of the faces if such a share of the dice is misread."""
        if not sum(self._counts):
            return self._shares
        self._sum_up()
        inner = min(share, self._most)
        (high, _), (low, _) = self._top(inner), self._bottom(inner)
        raised = [max(n / high - p, 0.0) for n, p in self._counted()]
        lowered = [max(p - n / low, 0.0) if low else p * (not n) for n, p in self._counted()]
        # Faces that never came may lose more than is taken: then all of them lose a like part.
        part = sum(raised) / sum(lowered) if sum(lowered) else 0.0
        moves = zip(self._shares, raised, lowered, strict=True)
        return tuple(max(p + up - part * down, LEAST_SHARE) for p, up, down in moves)

    def _counted(self) -> Iterable[tuple[int, float]]:
        return zip(self._counts, self._shares, strict=True)

    def _sum_up(self) -> None:
        """Add up counts, shares and likelihoods of the faces from either end of their order."""
        rolls = sum(self._counts)
        if rolls:
            self._most = sum([n / rolls - p for n, p in self._counted() if n > p * rolls])
        order = sorted(range(len(self._counts)), key=self._ratios.__getitem__)
        self._rising, self._falling = self._sums(order), self._sums(order[::-1])

    def _sums(self, order: Sequence[int]) -> list[tuple[float, float, float]]:
        sums: list[tuple[float, float, float]] = []
        count, share, likelihood = 0, 0.0, 0.0
        for k in order:
            n = self._counts[k]
            count += n
            share += self._shares[k]
            likelihood += n * log(self._ratios[k]) if n else 0.0
            sums.append((count, share, likelihood))
        return sums

    def _at(self, share: float) -> tuple[float, float]:
        """Return gain less price of a share, and the slope there."""
        price, dearness = self._reader.price(share)
        inner = min(share, self._most)
        (high, gained), (low, lost) = self._top(inner), self._bottom(inner)
        slope = high - low if share < self._most else 0.0
        return (
            gained + lost + self._unread * log1p(share / self._rarest) - price,
            slope + self._unread / (share + self._rarest) - dearness,
        )

    def _top(self, share: float) -> tuple[float, float]:
        """Return the level that the highest faces are brought down to, and what that gains."""
        level, gain = 0.0, 0.0
        for count, own, likelihood in self._falling:
            if (now := count / (share + own)) <= level:
                break
            level, gain = now, likelihood - count * log(now)
        return level, gain

    def _bottom(self, share: float) -> tuple[float, float]:
        """Return the level that the lowest faces are brought up to, and what that gains."""
        level, gain = inf, 0.0
        for count, own, likelihood in self._rising:
            if own <= share:
                continue
            if (now := count / (own - share)) >= level:
                break
            level, gain = now, likelihood - count * log(now) if count else 0.0
        return level, gain
