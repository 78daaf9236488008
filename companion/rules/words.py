"""Lists and numbers in plain words, as people at the table say them."""

from __future__ import annotations

from collections.abc import Iterable


def listed(items: Iterable[object], last: str = "and") -> str:
    """Join things as a sentence does.

    >>> listed([2, 3, 4])
    '2, 3 and 4'
    """
    words = [str(item) for item in items]
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def counted(count: int, one: str, many: str) -> str:
    """Say how many: ``"1 die"``, ``"2 dice"``."""
    return f"{count} {one if count == 1 else many}"
