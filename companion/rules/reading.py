"""Reading JSON values strictly: each function returns what it promises or names the field."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isfinite
from typing import Any

from companion.errors import MalformedAction, meant
from companion.rules.layout import Cell, parse_cell


def read_mapping(value: Any, what: str) -> Mapping[str, Any]:
    """Return a JSON object, whatever its fields."""
    if not isinstance(value, Mapping):
        raise MalformedAction(f"{what} must be a JSON object, not {value!r}")
    return value


def read_object(value: Any, what: str, fields: Iterable[str]) -> Mapping[str, Any]:
    """Return a JSON object with exactly these fields."""
    data, wanted = read_mapping(value, what), list(fields)
    for name in wanted:
        if name not in data:
            raise MalformedAction(f"{what} lacks the field {name!r}")
    for name in data:
        if name not in wanted:
            raise MalformedAction(f"{what} has no field {name!r}{_hint(name, wanted)}")
    return data


def read_whole(value: Any, what: str) -> int:
    """Return a whole number."""
    if type(value) is not int:
        raise MalformedAction(f"{what} must be a whole number, not {value!r}")
    return value


def read_number(value: Any, what: str) -> float:
    """Return a finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise MalformedAction(f"{what} must be a number, not {value!r}")
    return float(value)


def read_text(value: Any, what: str) -> str:
    """Return a text."""
    if not isinstance(value, str):
        raise MalformedAction(f"{what} must be a text, not {value!r}")
    return value


def read_flag(value: Any, what: str) -> bool:
    """Return true or false."""
    if not isinstance(value, bool):
        raise MalformedAction(f"{what} must be true or false, not {value!r}")
    return value


def read_list(value: Any, what: str) -> list[Any]:
    """Return a list."""
    if not isinstance(value, list):
        raise MalformedAction(f"{what} must be a list, not {value!r}")
    return value


def read_choice(value: Any, what: str, choices: Iterable[str]) -> str:
    """Return one of some words; the message suggests the nearest."""
    known = list(choices)
    if value not in known:
        raise MalformedAction(f"{what} cannot be {value!r}{_hint(value, known)}")
    return str(value)


def read_cell(value: Any, what: str) -> Cell:
    """Return a cell written ``"q,r"``."""
    try:
        cell = parse_cell(read_text(value, what))
    except ValueError:
        raise MalformedAction(
            f"{what} must be two whole numbers like '1,-3', not {value!r}"
        ) from None
    return cell


def _hint(value: Any, known: list[str]) -> str:
    hint = meant(value, known) or f"it can be {', '.join(known)}"
    return f"; {hint}"
