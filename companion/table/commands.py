"""What people ask of the table. Buttons, phones and the host's page all send these; imperative."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class TakeSeat:
    """A phone sits down on a seat (or stands up, with `seat` ``None``)."""

    phone: str
    """Secret token of the phone."""
    seat: int | None


@dataclass(frozen=True, slots=True)
class FreeSeat:
    """Make a seat free whose phone is gone (a flat battery), so that another can sit there."""

    taken: int
    """The seat to be freed."""
    seat: int | None = None
    """Who says so; only the phone that speaks for the whole table may."""


@dataclass(frozen=True, slots=True)
class Act:
    """Do an action of the game: a choice, or a roll or draw that somebody tells."""

    action: Any
    """A game's action value (`Game.action_from_json`)."""
    seat: int | None = None
    """Who says so; ``None`` for the host and the buttons."""
    version: int | None = None
    """Version of the table the person was looking at; refused when it has passed."""


@dataclass(frozen=True, slots=True)
class AnswerQuestion:
    """Answer the open question with one of its choices."""

    question: int
    """`Question.id`."""
    choice: str
    """`Choice.id`."""
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class PressTurn:
    """The big button: the captain whose turn it is has finished what they were doing."""

    seat: int | None = None
    version: int | None = None
    """As for `Act`: a second tap on a phone must not end the next captain's turn, too."""


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back the last thing that happened."""

    seat: int | None = None
    reason: str = ""
    seq: int | None = None
    """What the person was shown as the last thing (`LogEntry.seq`); refused when it is another
    now. ``None``: whatever was the last at `version` (the button)."""
    version: int | None = None
    """As for `Act`: what is counted while the button is held is not what is to go."""


@dataclass(frozen=True, slots=True)
class Correct:
    """Say that event `seq` was misread: take back to before it, put `action` in its place."""

    seq: int
    action: Any
    seat: int | None = None
    reason: str = ""


Command = TakeSeat | FreeSeat | Act | AnswerQuestion | PressTurn | Undo | Correct
