"""A table of rolls on the card that grows with every roll, and is sealed at the end."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path

from companion.audit.rolls import STANDS, TAKEN_BACK, DieRoll
from companion.audit.rolls_csv import (
    COLUMNS,
    csv_line,
    first_altered,
    read_rolls,
    roll_lines,
    seal,
    unknown_columns,
    write_rolls,
)
from companion.errors import AuditError, BadRolls, TakenOver
from companion.files import write_file
from companion.ledger.events import GENESIS


class RollsFile:
    """Rolls of one trial. What was added is on the card when `add` returns.

    What cannot be written is not taken in; the same may be tried again.

    Parameters
    ----------
    path : Path
        The CSV file; a trial that was broken off goes on behind its last roll.
    check : callable
        Is given its rolls before anything is written, and may raise what is wrong with them.

    Raises
    ------
    AuditError
        When there is a file that cannot be read; later on, when somebody else writes into it.
    """

    def __init__(
        self, path: Path, check: Callable[[Sequence[DieRoll]], None] = lambda _: None
    ) -> None:
        self.path = path
        self.rolls: list[DieRoll] = []
        self.is_torn = False
        """The last line was broken off, by a power cut say; it is left out."""
        self._has_ended = False
        self._last = GENESIS
        self._size: int | None = None
        """Bytes of the file as it was written last."""
        self._may_grow = False
        """No seal ends the file, nor half a line of a card that has failed."""
        try:
            if path.exists():
                self.rolls, self.is_torn = rolls_in(path.read_bytes(), path)
        except OSError as error:
            raise AuditError(f"{path} cannot be read: {error.strerror}") from error
        except (BadRolls, UnicodeDecodeError) as error:
            raise AuditError(
                f"{path}: {error}; put it right, or begin in another folder"
            ) from error
        check(self.rolls)
        self._rewrite(self.rolls)

    @property
    def standing(self) -> list[DieRoll]:
        """The rolls that were not taken back."""
        return [roll for roll in self.rolls if roll.status == STANDS]

    @property
    def next_roll(self) -> int:
        """Number for the dice that are rolled next."""
        return 1 + max((roll.roll for roll in self.rolls), default=0)

    def add(self, dice: Iterable[DieRoll]) -> None:
        """Add dice that were rolled together."""
        if not self._may_grow:
            self._rewrite(self.rolls)
        added = list(dice)
        lines, last = roll_lines(added, self._last)
        with self._writing(), self.path.open("a", encoding="utf-8", newline="") as file:
            file.writelines(lines)
            file.flush()
            os.fsync(file.fileno())
        self.rolls += added
        self._last = last

    def take_back(self) -> list[DieRoll]:
        """Strike through the last roll that stands; return its dice, empty if there is none."""
        last = max((roll.roll for roll in self.standing), default=None)
        struck = [roll for roll in self.standing if roll.roll == last]
        self._rewrite(
            [replace(roll, status=TAKEN_BACK) if roll in struck else roll for roll in self.rolls]
        )
        return struck

    def put_right(self, dice: Sequence[DieRoll], told: Iterable[DieRoll]) -> None:
        """Put other words for some dice in their places, what is more behind them."""
        rolls, place = list(self.rolls), 0
        for old, new in zip_longest(dice, told):
            place = place if old is None else rolls.index(old)
            rolls[place : place + (old is not None)] = [] if new is None else [new]
            place += 1
        self._rewrite(rolls)

    def seal(self) -> str:
        """End the file with its seal, for good; return what it begins with."""
        sealed = seal(self._rewrite(self.rolls, sealed=True))
        self._has_ended = True
        return sealed

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Let the file be written, if no other trial has: nobody's rolls may be lost by ours.

        What the card says to that becomes an `AuditError`.
        """
        if self._has_ended:
            raise AuditError("this trial has ended")
        try:
            if self._size is not None and self.path.stat().st_size != self._size:
                raise TakenOver(
                    f"{self.path} was changed by somebody else, another trial perhaps: end that, "
                    "and begin this one again"
                )
            yield
            self._size = self.path.stat().st_size
        except OSError as error:
            self._size, self._may_grow = None, False  # nobody knows how much of it was written
            raise AuditError(f"{self.path} cannot be written: {error.strerror}") from error

    def _rewrite(self, rolls: list[DieRoll], *, sealed: bool = False) -> str:
        """Write other rolls; they are those of the table once they are on the card."""
        lines, last = roll_lines(rolls)
        text = write_rolls(rolls) if sealed else "".join([csv_line(COLUMNS), *lines])
        with self._writing():
            write_file(self.path, text)
        self.rolls, self._last, self._may_grow = rolls, last, not sealed
        return text


def rolls_in(content: bytes, path: Path) -> tuple[list[DieRoll], bool]:
    """Return the rolls of a trial's table, and whether its last line was broken off (left out).

    `path` names it. Raises `AuditError` where it cannot be read or was changed since: see
    `first_altered`.
    """
    text, is_torn = _decoded(content)
    whole = text[: text.rfind("\n") + 1]
    if text != whole and not _is_good(text):
        is_torn, text = True, whole
    if not text:
        return [], is_torn
    if unknown := ", ".join(unknown_columns(text)):
        raise AuditError(
            f"{path} has columns that would be lost, {unknown}: take them out, or begin in another"
            " folder"
        )
    rolls = read_rolls(text)
    if (number := first_altered(text)) is not None:
        raise AuditError(
            f"{path}, line {number}: it was changed since it was written, so nobody could trust"
            " what follows. Put it back as it was, or begin in another folder; what a die shows is"
            " put right with --by-hand"
        )
    return list(rolls), is_torn


def _decoded(content: bytes) -> tuple[str, bool]:
    """Return the text of a table without a last line that ends within a letter, and if one does."""
    try:
        text, is_torn = content.decode("utf-8"), False
    except UnicodeDecodeError:
        text, is_torn = content[: content.rfind(b"\n") + 1].decode("utf-8"), True
    return text.replace("\r\n", "\n"), is_torn


def _is_good(text: str) -> bool:
    """Say whether a table that ends without the end of a line is whole."""
    try:
        read_rolls(text)
    except BadRolls:
        return False
    return first_altered(text) is None
