"""A die on trial, as the pages see it: rolled again and again, counted and judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from companion.audit.fair import ReaderChecks
from companion.audit.rolls import DieRoll
from companion.rules.dice import DieKind


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
    def kind(self) -> DieKind:
        """The die."""
        ...

    @property
    def wanted(self) -> int:
        """How many dice are to be counted."""
        ...

    @property
    def version(self) -> int:
        """Grows with every change."""
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

    def answer(self, roll: int, faces: Sequence[int]) -> None:
        """Take somebody's word for the dice of a throw that is asked about, in their order.

        Raises `AuditError` if it is not asked about any more, or no die shows that.
        """
        ...

    def dismiss(self, roll: int) -> None:
        """Take somebody's word that it was no roll. Raises `AuditError` likewise."""
        ...

    def take_back(self) -> None:
        """Take back what was entered last."""
        ...
