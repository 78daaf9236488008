"""A die that was rolled, with all that is known about it; and choosing among many."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import accumulate, groupby
from operator import itemgetter

from companion.errors import BadRolls, meant_of
from companion.rules.catalogue import GAMES
from companion.rules.dice import (
    KINDS_BY_NAME,
    STANDARD_DICE,
    DieKind,
    die_words,
    face_name,
    parse_kind,
)
from companion.rules.words import listed

STANDS, CORRECTED, TAKEN_BACK = "stands", "corrected", "taken back"
STATUSES = (STANDS, CORRECTED, TAKEN_BACK)
"""What has become of a roll; only what stands is counted."""

CAMERA = "camera"
"""The source of rolls that were read by it."""

_SEVERAL = re.compile(r"[0-9]+ *(d[0-9]+)")
"""What players call dice that are thrown together, e.g. ``2d6``."""

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
    """Who said what it shows; empty: nobody was asked, or told it at the keyboard."""
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
        return name_of(self.kind, self.look)

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
    def is_read(self) -> bool:
        """The camera had a part in it. Tables of one's own may tell that by their source alone."""
        return self.read is not None or self.source.lower() == CAMERA

    @property
    def is_read_only(self) -> bool:
        """Nobody but the camera says what it shows."""
        return self.face is not None and self.is_read and not self.confirmed_by


def name_of(kind: DieKind, look: str) -> str:
    """Return kind and look of a die, e.g. ``"green d20"``; a look may tell the kind itself."""
    return look if _tells(look, kind) else f"{look} {kind.id}".strip()


def _tells(words: str, kind: DieKind) -> bool:
    """Say whether words tell a kind, as files or as people call it."""
    said = f" {words.lower()} "
    for called, known in KINDS_BY_NAME.items():
        said = said.replace(f" {called} ", f" {known} ")
    return kind.id in said.split()


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
        """Say whether a roll is asked about.

        A die that could not be read may be any of its kind, whatever it looked like: which ones are
        refused may hang on the face, and without them the rest would be no fair sample.
        """
        return (
            (not self.die or self._names(roll))
            and self.captain in ("", roll.captain)
            and (not self.evening or self.evening == roll.evening)
            and self.game in ("", roll.game)
            and self.table in ("", roll.table)
        )

    def _names(self, roll: DieRoll) -> bool:
        names = (roll.kind.id, roll.die)
        called = tuple(map(die_words, names))
        named = (*names, *called, *(name.removesuffix(" die") for name in called))
        return self.die in named or (roll.face is None and _tells(self.die, roll.kind))


def said_by(dice: Iterable[DieRoll]) -> str:
    """Say what people did who said what dice of a throw show, and who; empty: nobody did."""
    told = [die for die in dice if die.confirmed_by]
    if not told:
        return ""
    is_read = any(die.read is not None for die in told)
    done = "put right" if any(die.misread for die in told) else "confirmed" if is_read else "told"
    return f"{done} by {listed(dict.fromkeys(die.confirmed_by for die in told))}"


def together(rolls: Iterable[DieRoll]) -> Iterator[list[DieRoll]]:
    """Yield the dice that were rolled together, in order; nobody rolls together with another."""
    for _, dice in groupby(rolls, key=lambda r: (r.table, r.game, r.roll, r.captain)):
        yield list(dice)


def in_order(rolls: Sequence[DieRoll]) -> list[DieRoll]:
    """Return rolls in the order of their times, or as they stand if any has none.

    Verdicts follow the rolls one by one, and a table may have been sorted by face. What was rolled
    together stays together, what has the same time stays in its order.
    """
    timed = _timed(rolls)
    if timed is None:
        return list(rolls)
    return [roll for _, dice in sorted(timed, key=itemgetter(0)) for roll in dice]


def merged(*tables: Sequence[DieRoll]) -> list[DieRoll]:
    """Return the rolls of tables by their times, or one table behind the other if any has none.

    Each table keeps its own order: a clock may have stepped back in it.
    """
    all_timed: list[tuple[float, list[DieRoll]]] = []
    for timed in map(_timed, tables):
        if timed is None:
            return [roll for rolls in tables for roll in rolls]
        latest = accumulate((at for at, _ in timed), max)
        all_timed += zip(latest, (dice for _, dice in timed), strict=True)
    return [roll for _, dice in sorted(all_timed, key=itemgetter(0)) for roll in dice]


def _timed(rolls: Iterable[DieRoll]) -> list[tuple[float, list[DieRoll]]] | None:
    """Return throws, each with the time of its first die; ``None`` if any die has none."""
    timed = []
    for dice in together(rolls):
        times = [roll.time_s for roll in dice if roll.time_s is not None]
        if len(times) < len(dice):
            return None
        timed.append((times[0], dice))
    return timed


KNOWN_DICE: Mapping[str, DieKind] = {
    kind.id: kind for kind in (*STANDARD_DICE, *(kind for game in GAMES for kind in game.info.dice))
}
"""Dice whose faces need not be told."""


MOST_FACES = 200
"""Of a die of one's own; the largest that is made has 120."""


def usual_kind(name: str) -> DieKind | None:
    """Return a kind of die by name with its usual faces; ``None`` if nobody knows them."""
    return KNOWN_DICE.get(name.lower())


def find_kind(name: str, faces: Sequence[int] = (), line: int = 0) -> DieKind:
    """Return a kind of die by name, with other faces than usual if they are given.

    The name is that of a kind, or what people call it (``"cannonball"``).

    Raises `BadRolls` (with the number of a line, where it was read there) for a kind whose faces
    nobody knows, and for more than `MOST_FACES`.
    """
    name = parse_kind(name)
    kind = usual_kind(name)
    if len(faces) > MOST_FACES:
        raise BadRolls(
            line, f"nobody rolls a die with {len(faces)} faces: tell up to {MOST_FACES} faces"
        )
    if faces:
        return DieKind(name if kind is None else kind.id, tuple(sorted(faces)))
    if kind is None:
        raise BadRolls(line, _unknown(name))
    return kind


def _unknown(name: str) -> str:
    """Say why a name is that of no die, and what to do; a sum of dice is no die with even odds."""
    one = _SEVERAL.fullmatch(name.lower())
    if one is not None and one[1] in KNOWN_DICE:
        return f"{name!r} is no single die: tell what each die shows by itself, as a {one[1]}"
    known = meant_of(name, sorted(KNOWN_DICE), "known are")
    return f"there is no die {name!r}; {known}; for another one tell its faces"
