"""A die on trial, as the pages see it: rolled again and again, counted and judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from companion.audit.fair import ReaderChecks
from companion.audit.rolls import STANDS, DieRoll, name_of
from companion.rules.dice import DieKind

MOST_DICE = 30
"""Thrown at once; no tray holds more."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be rolled, and how often."""

    kind: DieKind
    wanted: int
    """How many dice are to be counted."""
    at_once: int = 1
    """How many are thrown at once."""
    captain: str = ""
    """Who rolls."""
    look: str = ""
    """Tells the die from others of its kind (``"green"``)."""

    @property
    def die(self) -> str:
        """What the die is called, e.g. ``"green d20"``."""
        return name_of(self.kind, self.look)


@dataclass(frozen=True, slots=True)
class AskedDie:
    """A die of a throw that is asked about."""

    number: int
    """Which die of the throw it is, counted from 1."""
    guess: int | None
    """What it was taken for; ``None``: for nothing."""
    is_seen: bool
    """Whether there is a picture of it (`Trial.crop`)."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A throw with dice that could not be read."""

    roll: int
    """Its number; of one that may still be put right the one it would get."""
    dice: tuple[AskedDie, ...]
    why: str = ""
    """Why it may be no roll, or cannot be read; empty: nothing more is known."""


class Trial(Protocol):
    """What phones see of a trial, and what they may say. From any thread."""

    @property
    def plan(self) -> Plan:
        """What is rolled."""
        ...

    @property
    def version(self) -> int:
        """Grows with every change."""
        ...

    @property
    def notice(self) -> str:
        """What was said last, unless something was counted since: why a throw does not count."""
        ...

    @property
    def rolls(self) -> Sequence[DieRoll]:
        """All rolls in order, struck ones included."""
        ...

    @property
    def asked(self) -> Sequence[Asked]:
        """Throws with dice that could not be read, the newest first."""
        ...

    @property
    def checks(self) -> ReaderChecks:
        """How well the camera was found to read."""
        ...

    def picture(self, roll: int) -> bytes | None:
        """Return the picture of a throw, JPEG; ``None`` if none was kept."""
        ...

    def crop(self, roll: int, number: int) -> bytes | None:
        """Return the picture of one of its dice, JPEG; `number` counts them from 1."""
        ...

    def answer(self, roll: int, faces: Sequence[int], by: str) -> None:
        """Take the word of who is named for the dice of a throw that is asked about, in order.

        Raises `AuditError` if it is not asked about any more, or no die shows that.
        """
        ...

    def put_right(self, roll: int, faces: Sequence[int], by: str) -> None:
        """Take the word of who is named for all dice of a throw that was read, in order.

        Raises `AuditError` if they do not stand, or no die shows that.
        """
        ...

    def dismiss(self, roll: int) -> None:
        """Take somebody's word that it was no roll. Raises `AuditError` likewise."""
        ...

    def tell(self, faces: Sequence[int], version: int | None = None, by: str = "") -> None:
        """Count a throw that somebody tells who has seen this version (if it matters).

        `by` is who does, if that is on a phone.

        Raises `AuditError` if no such dice are thrown, `StaleVersion` if something is newer.
        """
        ...

    def take_back(self, version: int | None = None) -> None:
        """Take back what was entered last. Raises `StaleVersion` likewise."""
        ...


MORE = 100
"""So many more are wanted of a trial that was complete and is gone on with."""


@dataclass(frozen=True, slots=True)
class Earlier:
    """A trial that has ended, or was broken off, and may be gone on with."""

    name: str
    """What it is asked for by."""
    plan: Plan
    rolls: Sequence[DieRoll]
    trouble: str = ""
    """Why its rolls cannot be read; then there are none."""

    @property
    def read(self) -> int:
        """How many dice were counted."""
        return sum(1 for roll in self.rolls if roll.status == STANDS and roll.face is not None)


@dataclass(frozen=True, slots=True)
class Spoilt:
    """A folder of a trial of which nobody knows any more what was rolled."""

    name: str
    """What its folder is called."""
    why: str
    """Why that cannot be read."""


@dataclass(frozen=True, slots=True)
class Kept:
    """The trials that are not held now, the newest first."""

    earlier: Sequence[Earlier] = ()
    """Those that may be gone on with."""
    spoilt: Sequence[Spoilt] = ()
    """Those of which nobody can read what was rolled."""


class Trials(Protocol):
    """The trials of a table, one after the other. From any thread."""

    @property
    def now(self) -> Trial | None:
        """The trial under way, if there is one."""
        ...

    @property
    def kept(self) -> Kept:
        """The other trials that are kept, read anew each time."""
        ...

    def begin(self, plan: Plan) -> None:
        """Put a die on trial. Raises `AuditError` while another one is, or if nothing is kept."""
        ...

    def go_on(self, name: str) -> None:
        """Go on with an earlier one, for more rolls if it was complete. Raises `AuditError`."""
        ...

    def end(self, meant: Trial | None = None) -> None:
        """Seal the rolls, leave the tray to the game again, and write the report.

        If one is `meant`, no other is ended in its place: somebody else has ended it. Raises
        `AuditError` for what cannot be written.
        """
        ...
