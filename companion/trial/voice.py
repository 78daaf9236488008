"""How people hear of a trial, and what they are told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from companion.audit.rolls import DieRoll

if TYPE_CHECKING:
    from companion.trial.kept import KeptTrial

ALARM = "ALARM: of fair dice one in twenty, at most, ever looks as bad as this."
"""Told once, when the evidence comes to be one."""

TORN = "The last roll was broken off while it was written down, and is left out."


class Voice(Protocol):
    """What tells people how a trial goes; it must return at once."""

    def say(self, text: str) -> None:
        """Tell something, in plain words."""
        ...

    def alarm(self, text: str) -> None:
        """Tell the same aloud: the evidence is an alarm."""
        ...

    def count(self, trial: KeptTrial, dice: Sequence[DieRoll]) -> None:
        """Tell that dice were counted."""
        ...


class Silence:
    """Tells nobody: phones ask for what they show."""

    def say(self, text: str) -> None:
        """Tell nothing."""

    alarm = say

    def count(self, trial: KeptTrial, dice: Sequence[DieRoll]) -> None:
        """Tell nothing."""


SILENT = Silence()
