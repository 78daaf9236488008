"""Lists and numbers in plain words, as people at the table say them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from companion.rules.plane import ERROR_MM


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


def only(count: int, whom: str) -> str:
    """Say that so few are: what they are follows.

    >>> only(2, "them"), only(1, "those on deck"), only(0, "them")
    ('Only 2 of them are', 'Only 1 of those on deck is', 'None of them is')
    """
    few = f"Only {count}" if count else "None"
    return f"{few} of {whom} {'are' if count > 1 else 'is'}"


def capital(text: str) -> str:
    """Begin a sentence with it.

    >>> capital("the iceberg")
    'The iceberg'
    """
    return text[:1].upper() + text[1:]


def ended(text: str) -> str:
    """End a sentence with a full stop, unless it has an end.

    >>> ended("the cable is out"), ended("is it plugged in?")
    ('the cable is out.', 'is it plugged in?')
    """
    return text if text.endswith((".", "?", "!")) else f"{text}."


def counting_order(name: str) -> list[tuple[str, int, str]]:
    """Return what to sort names by so that their numbers stand as people count.

    >>> sorted(["die 10", "die 2", "die"], key=counting_order)
    ['die', 'die 2', 'die 10']
    """
    # Of two numbers the longer one is greater; as an integer Python takes none of any length.
    parts = re.findall(r"([^0-9]*)0*([0-9]*)", name)
    return [*((word, len(number), number) for word, number in parts), (name, 0, "")]


def if_close(by_mm: float) -> str:
    """Invite people to measure for themselves where less has decided than a measurement is sure of.

    >>> if_close(-1.4), if_close(3)
    (' by 1 mm; measure it if you doubt', '')
    """
    if abs(by_mm) > ERROR_MM:
        return ""
    return f" by {max(1, round(abs(by_mm)))} mm; measure it if you doubt"
