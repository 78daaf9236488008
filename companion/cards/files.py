"""Reading card files, and finding the line a fault is on."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pkgutil import get_data
from typing import Any, TypeVar

from companion.errors import CardError

T = TypeVar("T")

_KEY = re.compile(r"([^.\[\]]+)|\[(\d+)\]")


@cache
def builtin_text(name: str) -> str:
    """Return the text of a deck that comes with Quarterdeck, e.g. ``"privateer-house"``."""
    # Not importlib.resources: it brings tempfile and random along, and the rules load this.
    content = get_data("companion.cards", f"decks/{name}.toml")
    assert content is not None  # regular packages have a loader that can read them
    return content.decode("utf-8")


def read_cards(text: str, reader: Callable[[Mapping[str, Any]], T]) -> T:
    """Return what a game makes of a card file.

    Parameters
    ----------
    text : str
        The file, TOML.
    reader : callable
        The game's own reader of the parsed file; it raises `CardError` with the key at fault.

    Raises
    ------
    CardError
        With the line of the fault.
    """
    data = parse_cards(text)
    try:
        return reader(data)
    except CardError as error:
        raise CardError(error.path, error.reason, line_of(text, error.path)) from error


def parse_cards(text: str) -> dict[str, Any]:
    """Return a card file as plain values. Raises `CardError` where it is no TOML."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"line (\d+)", str(error))
        reason = re.sub(r"\s*\(at .*\)$", "", str(error))
        raise CardError("", f"this is no TOML: {reason}", int(found[1]) if found else 0) from error


def line_of(text: str, path: str) -> int:
    """Return the line a key stands on, from 1; the nearest thing around it, else 0.

    >>> text = chr(10).join(["[[captain]]", 'id = "a"', "[[captain]]", 'id = "b"'])
    >>> line_of(text, "captain[1].id")
    4
    """
    lines = text.splitlines()
    keys = [name or int(index) for name, index in _KEY.findall(path)]
    begin, end, found = 0, len(lines), 0
    header = ""
    while keys and isinstance(keys[0], str):
        header = f"{header}.{keys[0]}" if header else keys[0]
        heads = _headers(lines, begin, end, header)
        if not heads:
            break
        keys.pop(0)
        count = keys.pop(0) if keys and isinstance(keys[0], int) else 0
        if not isinstance(count, int) or count >= len(heads):
            break
        begin = heads[count]
        end = heads[count + 1] if count + 1 < len(heads) else _next_table(lines, begin + 1, header)
        found = begin + 1
    return _line_of_key(lines, keys, found, begin, end)


def _headers(lines: list[str], begin: int, end: int, name: str) -> list[int]:
    wanted = {f"[[{name}]]", f"[{name}]"}
    return [i for i in range(begin, end) if lines[i].split("#")[0].strip() in wanted]


def _next_table(lines: list[str], begin: int, header: str) -> int:
    """Return where the next table begins that is no part of this one."""
    for i in range(begin, len(lines)):
        stripped = lines[i].strip()
        if stripped.startswith("[") and not stripped.lstrip("[").startswith(f"{header}."):
            return i
    return len(lines)


def _line_of_key(lines: list[str], keys: list[str | int], found: int, begin: int, end: int) -> int:
    """Return the line where the first of the keys left over is set, else `found`."""
    if not keys or not isinstance(keys[0], str):
        return found
    setting = re.compile(rf"\s*\"?{re.escape(keys[0])}\"?\s*[=.]")
    for i in range(begin, end):
        if setting.match(lines[i]):
            return i + 1
    return found
