"""The parser of every command: what it refuses is told in plain words, with the way to help."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any, NoReturn


class Parser(argparse.ArgumentParser):
    """Says in two lines what was expected, what came and where to read more."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.register("type", int, _whole_number)
        self.register("type", float, _number)

    def error(self, message: str) -> NoReturn:
        """End with status 2."""
        self.refuse(self.prog, message)

    def refuse(self, command: str, message: str) -> NoReturn:
        """End with status 2, leading to the help of this command."""
        self.exit(2, f"{command}: {message}\n`{command} --help` says what can be given.\n")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            raise argparse.ArgumentError(action, _unknown(value, [str(c) for c in action.choices]))


def _unknown(value: object, known: Sequence[str]) -> str:
    """Say that it is none of these, and which was meant.

    >>> _unknown("bord", ["board", "dice"])
    "there is no 'bord'; did you mean 'board'? There are: board, dice"
    """
    near = get_close_matches(str(value), known, n=1)
    hint = f"did you mean {near[0]!r}? There are" if near else "there are"
    return f"there is no {value!r}; {hint}: {', '.join(known)}"


def _whole_number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"a whole number is wanted, not {text!r}") from None


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"a number is wanted, not {text!r}") from None
