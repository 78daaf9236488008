"""A die that was rolled, with all that is known about it; and choosing among many."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import groupby

from companion.errors import BadRolls
from companion.rules.catalogue import GAMES
from companion.rules.dice import STANDARD_DICE, DieKind, die_words, face_name

STANDS, CORRECTED, TAKEN_BACK = "stands", "corrected", "taken back"
STATUSES = (STANDS, CORRECTED, TAKEN_BACK)
"""What has become of a roll; only what stands is counted."""

NIGHT = timedelta(hours=6)
"""What is rolled before six in the morning belongs to the evening before."""


@dataclass(frozen=True, slots=True)
class DieRoll:
    """One die of one roll."""

    kind: DieKind
    face: int | None
    """What counts: as told, confirmed or corrected, else as read; ``None``: it could not be read,
    and nobody has told it."""
    look: str = ""
    """Tells dice of one kind apart (``"green"``); empty: it cannot be told."""
    captain: str = ""
    purpose: str = ""
    """What it was rolled for: the phase of the game."""
    table: str = ""
    game: str = ""
    """The ledger's id of the game."""
    roll: int = 0
    """Dice of a game with the same number were rolled together."""
    time_s: float | None = None
    """Wall clock, seconds since 1970; ``None``: not known."""
    source: str = ""
    """Who told it: ``"camera"``, ``"phone"``, ``"button"`` or ``"table"``."""
    read: int | None = None
    """What the camera took it for, or would have; ``None``: it was told by people."""
    p: float | None = None
    """How sure the camera was."""
    seems: str = ""
    """What it seemed to the camera (``"cocked"``), if that was not sure; empty: it was sure, or did
    not say."""
    confirmed_by: str = ""
    """Who said that it is right; empty: nobody was asked."""
    status: str = STANDS
    picture: str = ""
    """Name of the evidence picture."""
    box: tuple[int, int, int, int] | None = None
    """x, y, width, height in the picture of the tray, pixels."""
    event: str = ""
    """Hash of its event in the ledger."""

    @property
    def evening(self) -> str:
        """The date of the evening it was rolled on, e.g. ``"2026-11-21"``; empty if not known."""
        if self.time_s is None:
            return ""
        local = datetime.fromtimestamp(self.time_s, UTC).astimezone() - NIGHT
        return local.date().isoformat()

    @property
    def die(self) -> str:
        """Kind and look, e.g. ``"green d20"``."""
        named = self.kind.id in self.look.split()
        return self.look if named else f"{self.look} {self.kind.id}".strip()

    @property
    def shows(self) -> str:
        """What people call the face that counts."""
        return "?" if self.face is None else face_name(self.kind.id, self.face)

    @property
    def misread(self) -> str:
        """What the camera took it for, if that does not count; else empty."""
        if self.read is None or self.read == self.face:
            return ""
        return f"{'perhaps' if self.face is None else 'read as'} {self.read_as}"

    @property
    def read_as(self) -> str:
        """What people call the face that the camera took it for; empty if it read none."""
        return "" if self.read is None else face_name(self.kind.id, self.read)

    @property
    def is_read_only(self) -> bool:
        """Nobody but the camera says what it shows."""
        return None not in (self.face, self.read) and not self.confirmed_by


@dataclass(frozen=True, slots=True)
class Choice:
    """Which rolls are asked about; an empty field takes all."""

    die: str = ""
    """A kind, or a kind and a look (`DieRoll.die`)."""
    captain: str = ""
    evening: str = ""
    game: str = ""
    table: str = ""

    def takes(self, roll: DieRoll) -> bool:
        """Say whether a roll is asked about."""
        return (
            self.die in ("", roll.kind.id, roll.die, die_words(roll.kind.id), die_words(roll.die))
            and self.captain in ("", roll.captain)
            and self.evening in ("", roll.evening)
            and self.game in ("", roll.game)
            and self.table in ("", roll.table)
        )


def together(rolls: Iterable[DieRoll]) -> Iterator[list[DieRoll]]:
    """Yield the dice that were rolled together, in order."""
    for _, dice in groupby(rolls, key=lambda r: (r.table, r.game, r.roll)):
        yield list(dice)


KNOWN_DICE: Mapping[str, DieKind] = {
    kind.id: kind for kind in (*STANDARD_DICE, *(kind for game in GAMES for kind in game.info.dice))
}
"""Dice whose faces need not be told."""


def find_kind(name: str, faces: Sequence[int] = (), line: int = 0) -> DieKind:
    """Return a kind of die by name, with other faces than usual if they are given.

    Raises `BadRolls` (with the number of a line, where it was read there) for a kind whose faces
    nobody knows.
    """
    if faces:
        return DieKind(name, tuple(sorted(faces)))
    if name.lower() not in KNOWN_DICE:
        known = ", ".join(sorted(KNOWN_DICE))
        raise BadRolls(
            line, f"there is no die {name!r}: known are {known}; for another one tell its faces"
        )
    return KNOWN_DICE[name.lower()]
