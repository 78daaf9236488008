"""Reading the plain values of a card file strictly: every fault is told with the key it is at."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from companion.errors import CardError, meant

_PECULIAR = {
    "Privateer": {"captain", "port_card", "bounty"},
    "Pirates CSG": {"nation", "hull", "fleet"},
}
"""Tables that the card files of one game have and those of no other."""


def check_game(data: Mapping[str, Any], game: str) -> None:
    """Refuse a whole card file that is of another game: its keys would be told one by one.

    >>> check_game({"id": "mine", "fleet": []}, "Privateer")
    Traceback (most recent call last):
    companion.errors.CardError: this is a card file of Pirates CSG, not of Privateer
    """
    mine = _PECULIAR[game]
    for other, tables in _PECULIAR.items():
        if tables & data.keys() and not mine & data.keys():
            raise CardError("", f"this is a card file of {other}, not of {game}")


def read_table(value: Any, path: str) -> Mapping[str, Any]:
    """Return a table of keys."""
    if not isinstance(value, Mapping):
        raise CardError(path, f"must be a table of keys, not {value!r}")
    return value


def read_keys(
    value: Any, path: str, wanted: Iterable[str], extra: Iterable[str] = ()
) -> Mapping[str, Any]:
    """Return a table that has the wanted keys and no other but the extra ones."""
    data, wanted, extra = read_table(value, path), list(wanted), list(extra)
    for name in data:
        read_word(name, f"{path}.{name}" if path else str(name), [*wanted, *extra])
    for name in wanted:
        if name not in data:
            raise CardError(path, f"the key {name!r} is missing")
    return data


def read_items(value: Any, path: str) -> list[tuple[int, Any]]:
    """Return the tables ``[[path]]`` with their numbers from 0, at least one."""
    if not isinstance(value, list) or not value:
        raise CardError(path, f"must be written as tables [[{path}]], at least one")
    return list(enumerate(value))


def read_text(value: Any, path: str) -> str:
    """Return a text without the blanks around it; some of it must be left."""
    if not isinstance(value, str) or not value.strip():
        raise CardError(path, f"must be a text, not {value!r}")
    return value.strip()


def read_number(value: Any, path: str, allowed: range) -> int:
    """Return a whole number within a range."""
    if type(value) is not int or value not in allowed:
        low, high = allowed[0], allowed[-1]
        raise CardError(path, f"must be a whole number from {low} to {high}, not {value!r}")
    return value


def read_flag(value: Any, path: str) -> bool:
    """Return true or false."""
    if not isinstance(value, bool):
        raise CardError(path, f"must be true or false, not {value!r}")
    return value


def read_word(value: Any, path: str, known: Collection[str]) -> str:
    """Return one of some words; the message suggests the nearest."""
    if not isinstance(value, str) or value not in known:
        raise CardError(path, unknown(value, list(known)))
    return value


def unknown(value: Any, known: list[str]) -> str:
    """Say that a word is not known, with the nearest that is."""
    hint = meant(value, known) or f"it can be {', '.join(known)}"
    return f"{value!r} is not known here; {hint}"
