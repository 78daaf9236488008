"""Tables that people, spreadsheets and other programs write: their lines and their cells."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from companion.audit.rolls import find_kind
from companion.errors import BadRolls
from companion.rules.dice import FACE_NAMES, DieKind, die_words, parse_face, values_words

Row = TypeVar("Row")

SEPARATORS = ",;\t"
"""What may stand between the cells of a table of one's own."""
LISTS = {"faces": "2 3 3 4", "box": "310 200 36 35"}
"""Columns of several numbers, and what may stand there."""
MOST_TOLD = 5
"""So many wrong lines are told one by one."""
MOST_SAID = 300
"""So many characters are said of each; what is wrong may be a cell of thousands."""

COMMENT = "#"
_ABOVE = re.compile(
    r'[ \t]*(?:"?#(?!"?[,;\t])[^\r\n]*|"?sep=[^\r\n]*|)(?:\r\n|\r|\n)', re.IGNORECASE
)
"""A line that may stand above the names of the columns: a comment, ``sep=;``, or nothing.

Excel writes the second. A column may be called "#", so this followed by a separator is no comment.
"""
_WHOLE = re.compile(r"([+-]?\d+)(?:[.,]0+)?")
"""A whole number, perhaps as pandas writes one where a cell of its column is empty: ``4.0``."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a table."""

    number: int
    """From 1."""
    cells: Mapping[str, str]
    """What stands in it, by the name of the column in small letters."""

    def text(self, name: str) -> str:
        """Return a cell; empty if there is none."""
        return self.cells.get(name, "")

    def whole(self, name: str) -> int | None:
        """Return a cell as a whole number; ``None`` if it is empty."""
        numbers = self.numbers(name)
        if len(numbers) > 1:
            raise BadRolls(self.number, f"{name!r} must be one whole number")
        return numbers[0] if numbers else None

    def numbers(self, name: str) -> tuple[int, ...]:
        """Return a cell as whole numbers."""
        try:
            return tuple(map(_whole, self.text(name).split()))
        except ValueError:  # no number, or one of thousands of digits
            wanted = "a whole number"
            if name in LISTS:
                wanted = f"whole numbers with blanks between them, e.g. {LISTS[name]}"
            raise BadRolls(
                self.number, f"{name!r} must be {wanted}, not {self.text(name)!r}"
            ) from None

    def die(self, usual: str = "") -> DieKind:
        """Return the kind of die, with the faces it tells; where it tells no kind, the usual."""
        name = self.text("kind") or usual
        if not name:
            told = "in a column 'kind', or for all rolls of a table with --kind"
            raise BadRolls(self.number, f"which kind of die is it? Tell it {told}")
        return find_kind(name, self.numbers("faces"), self.number)

    def face(self, name: str, die: DieKind) -> int | None:
        """Return a cell as a face of a die, told by its name or number; ``None`` if it is empty."""
        if (known := parse_face(die, self.text(name))) is not None:
            return known
        shown = f"a {die_words(die.id)} shows {values_words(die)}, not"
        word = self.text(name)
        if word and die.id in FACE_NAMES and not any(map(str.isdigit, word)):
            raise BadRolls(self.number, f"{shown} {word!r}")
        face = self.whole(name)
        if face is not None and face not in die.values:
            raise BadRolls(self.number, f"{shown} {face}; tell other faces in a column 'faces'")
        return face


def _whole(word: str) -> int:
    found = _WHOLE.fullmatch(word)
    return int(found[1] if found else word)


def read_lines(
    text: str,
    columns: Collection[str],
    needed: Collection[str],
    example: str,
    read: Callable[[Line], Row],
) -> list[Row]:
    """Return what `read` makes of each line below the names of the columns; comments are left out.

    Parameters
    ----------
    text : str
        The table, separated by commas, semicolons or tabs. Its first line names the columns.
    columns : collection of str
        Names that mean something; others are left alone.
    needed : collection of str
        Those of them that must be there.
    example : str
        What a first line may be like.
    read : callable
        Makes something of a line, or raises `BadRolls`.

    Raises
    ------
    BadRolls
        Naming the first wrong line, from 1, and what would have been right; more of them follow.
    """
    lines = table_lines(text)
    number, header = next(lines, (0, []))
    names = [name.strip().lower() for name in header]
    if not set(needed) <= set(names):
        found = f"not {', '.join(header)!r}" if header else "and this file is empty"
        raise BadRolls(number, f"the first line must name the columns, e.g. {example}; {found}")
    for name in columns:
        if names.count(name) > 1:
            raise BadRolls(number, f"the first line names the column {name!r} more than once")
    rows, wrong = list[Row](), list[BadRolls]()
    for number, row in lines:
        if row[0].startswith(COMMENT):
            continue
        try:
            rows.append(read(_line(number, names, row)))
        except BadRolls as error:
            wrong.append(error)
    if wrong:
        raise _all_of(wrong)
    return rows


def table_lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines that are not empty, with their numbers from 1; the names of columns first.

    Comments above these are left out, those below are not: the seal of an export looks like one.
    Raises `BadRolls` for what is no CSV.
    """
    text = text.removeprefix("\ufeff")
    above, at = 0, 0
    while line := _ABOVE.match(text, at):
        above, at = above + 1, line.end()
    text = text[at:]
    first = text.partition("\n")[0]
    # Spreadsheets write semicolons where a comma divides decimals; at a tie it is the comma.
    delimiter = max(SEPARATORS, key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True, delimiter=delimiter)
    while True:
        number = above + reader.line_num + 1
        try:
            row = next(reader, None)
        except csv.Error as error:
            raise BadRolls(number, f"this is no CSV: {error}") from error
        if row is None:
            return
        if any(row):
            yield number, row


def _line(number: int, names: Sequence[str], row: Sequence[str]) -> Line:
    if len(row) != len(names):
        cells = f"{len(row)} cell{'' if len(row) == 1 else 's'}"
        raise BadRolls(number, f"it has {cells}, the first line names {len(names)}")
    return Line(number, {name: cell.strip() for name, cell in zip(names, row, strict=True)})


def _all_of(wrong: Sequence[BadRolls]) -> BadRolls:
    """Return one error for all: who typed hundreds of lines wants to know all that is wrong."""
    first, *others = wrong
    told = [first.reason, *(f"line {error.line}: {error.reason}" for error in others)][:MOST_TOLD]
    told = [f"{text[:MOST_SAID]} ..." if len(text) > MOST_SAID else text for text in told]
    left = len(wrong) - len(told)
    more = [f"and {left} more line{'' if left == 1 else 's'}"] if left else []
    return BadRolls(first.line, "\n  ".join([*told, *more]))
