"""What a fair die shows, as it is read: one distribution, or many of them if the reader errs.

A reader that takes some sixes for fives makes a fair die look loaded. A die is called loaded when
no share of misread dice that the checks of the reader allow can explain its rolls.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from companion.audit.excuses import Excuses
from companion.audit.misreads import Misreads, misreads
from companion.rules.dice import DieKind

ALPHA = 0.05
"""How often a fair die may be called loaded, at any time, ever."""

Checks = Mapping[tuple[int, int], int]
"""How often a face (first) was read as a face (second) when somebody looked."""
ReaderChecks = Mapping[str, Checks]
"""Checked readings by kind of die."""


@dataclass(frozen=True, slots=True)
class Fair:
    """The shares that the faces of a fair die may have in what is read."""

    values: tuple[int, ...]
    """The different values of the die, ascending."""
    shares: tuple[float, ...]
    """Their shares where nothing is misread; sum 1."""
    misreads: Misreads | None = None
    """What is known of the reader; ``None``: every face is told as it lies."""

    @property
    def misread_limit(self) -> float:
        """A greater share of misread dice would be as surprising as an alarm."""
        return 0.0 if self.misreads is None else self.misreads.dearer_than(1 / ALPHA)

    def limits(self) -> tuple[tuple[float, float], ...]:
        """Return for each value the shares that it may well have in what is read."""
        off = self.misread_limit
        return tuple((max(share - off, 0.0), min(share + off, 1.0)) for share in self.shares)

    def log_excess(
        self, counts: Sequence[int], unread: int = 0, near: float = 0.0
    ) -> tuple[float, float]:
        """Return how much a defender gains by misread dice, as a log, and the share of them.

        It is how much likelier the kindest shares make `counts` than those of a fair die, less the
        price of the misread dice that lead to them (`companion.audit.misreads`), for the share at
        which that is most; more by `companion.audit.excuses.CLOSE` at most.

        Parameters
        ----------
        counts : sequence of int
            How often each value was read.
        unread : int
            Dice that could not be read: each may be of the face that gains most.
        near : float
            A share to begin the search at: the last one.
        """
        if self.misreads is None:
            return 0.0, 0.0
        return Excuses(self.shares, self.misreads, counts, unread).best(near)

    def kindest(self, counts: Sequence[int]) -> tuple[float, ...]:
        """Return the shares that a defender of the die claims: near `counts`, but not too dear."""
        if self.misreads is None:
            return self.shares
        excuses = Excuses(self.shares, self.misreads, counts)
        return excuses.shares(excuses.best(0.0)[1])


def exactly_read(kind: DieKind) -> Fair:
    """Return what a fair die shows when every face is told as it lies.

    >>> exactly_read(DieKind("sail", (2, 3, 3, 4))).shares
    (0.25, 0.5, 0.25)
    """
    return Fair(kind.values, tuple(float(p) for _, p in kind.distribution()))


def read_with_errors(kind: DieKind, checks: Checks) -> Fair:
    """Return what a fair die shows through a reader that was checked.

    That a reader may be better than it was measured is always allowed.

    Parameters
    ----------
    kind : DieKind
        The die.
    checks : Checks
        Readings that somebody checked. A face that was never checked may be read as anything.
    """
    looked = {v: sum(checks.get((v, r), 0) for r in kind.values) for v in kind.values}
    wrong = sum(looked.values()) - sum(checks.get((v, v), 0) for v in kind.values)
    fair = exactly_read(kind)
    faces = zip(fair.shares, looked.values(), strict=True)
    return replace(fair, misreads=misreads(wrong, faces))
