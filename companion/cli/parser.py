"""The parser of every command: what it refuses is told in plain words, with the way to help."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import takewhile
from math import isfinite
from shlex import quote
from typing import Any, NoReturn

from companion.errors import meant, meant_of


class Parser(argparse.ArgumentParser):
    """Says in two lines what was expected, what came and where to read more.

    Parameters
    ----------
    alone : str
        What to say of a word that stands there without an option, with ``{}`` for the word.
    """

    def __init__(self, *args: Any, alone: str = "", **kwargs: Any) -> None:
        if kwargs.get("epilog"):  # notes, whose lines are to stand as they are written
            kwargs["formatter_class"] = argparse.RawDescriptionHelpFormatter
        super().__init__(*args, **kwargs)
        self._alone = alone
        self.register("type", int, partial(_number, int, "a whole number"))
        self.register("type", float, partial(_number, finite, "a number"))

    def error(self, message: str) -> NoReturn:
        """End with status 2, leading to the help of this command."""
        self.exit(2, f"{self.prog}: {message}\n`{self.prog} --help` says what can be given.\n")

    # Without types of its own: typeshed knows this method by three of them.
    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Read a line as argparse does, but refuse what this very command does not know."""
        typed = sys.argv[1:] if args is None else list(args)
        # Before anything that may be missing for the same mistake: `dice --dei d6` has no --die.
        for word in self._options_in(typed):
            self._refuse_unless_known(word)
        parsed, rest = super().parse_known_args(typed, namespace)
        if rest:
            self._refuse(rest)
        return parsed, rest

    def _options_in(self, typed: Sequence[str]) -> Iterator[str]:
        """Yield the long options of this command, as they were typed; of its commands none."""
        for word in takewhile(lambda word: word != "--", typed):
            if word.startswith("--") and " " not in word.partition("=")[0]:
                yield word
            elif self._subparsers is not None and not word.startswith("-"):
                return

    def _refuse_unless_known(self, word: str) -> None:
        name = word.partition("=")[0]
        # The beginning of an option will do, as argparse has it.
        if not any(option.startswith(name) for option in self._option_string_actions):
            self._refuse([word])

    def _refuse(self, rest: Sequence[str]) -> NoReturn:
        """Say that these words mean nothing here; of the first, which option may be meant."""
        first, known = rest[0], self._option_string_actions
        near = meant(first.partition("=")[0], known)
        if self._alone and not first.startswith("-") and f"--{first}" not in known:
            near = self._alone.format(quote(first))
        self.error("; ".join(filter(None, [f"it does not take: {' '.join(rest)}", near])))

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            known = meant_of(value, map(str, action.choices), "there are")
            raise argparse.ArgumentError(action, f"there is no {value!r}; {known}")


def finite(text: str) -> float:
    """Read a number. Raises `ValueError` for what is none, ``nan`` and ``inf`` among it."""
    number = float(text)
    if not isfinite(number):
        raise ValueError(f"{text!r} is no number to measure with")
    return number


def _number(read: Callable[[str], float], wanted: str, text: str) -> float:
    try:
        return read(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{wanted} is wanted, not {text!r}") from None
