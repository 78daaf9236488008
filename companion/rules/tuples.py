"""Tuples with one thing changed: states are frozen, so what changes is made anew."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


def less(things: tuple[T, ...], thing: T) -> tuple[T, ...]:
    """Return things with one of a kind less, the first; there must be one.

    >>> less((2, 3, 3, 4), 3)
    (2, 3, 4)
    """
    at = things.index(thing)
    return (*things[:at], *things[at + 1 :])


def shifted(counts: tuple[int, ...], at: int, by: int) -> tuple[int, ...]:
    """Return counts with so many more (or fewer) in one place.

    >>> shifted((0, 2, 5), 1, -2)
    (0, 0, 5)
    """
    return (*counts[:at], counts[at] + by, *counts[at + 1 :])
