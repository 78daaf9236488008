"""What can happen at a table: frozen facts in the past tense, and how they are written down.

A stored event carries a stable name, a schema version and JSON values, never a Python path, so that
a ledger outlives the code that wrote it. Old versions are brought up to date while reading, by one
small named step per version (`companion.ledger.upcasts`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from companion.errors import CorruptLedger, UnknownEventVersion
from companion.ledger.upcasts import UPCASTS

Json = Mapping[str, Any]

GENESIS = "0" * 64
"""What stands for the hash before the first event of a game."""

DIGEST_CHARS = 12
"""Characters of the SHA-256 in the name of a picture."""

TRAY_PICTURE = ".tray"
"""Behind the name of an evidence picture: the picture of the dice tray taken with it."""


@dataclass(frozen=True, slots=True)
class GameOpened:
    """People sat down to a game."""

    rules: str
    """Which game (`GameInfo.id`)."""
    players: tuple[str, ...]
    options: Json
    profile: str
    """Board it is played on (`BoardProfile.id`)."""
    software: str = ""
    """Version of Quarterdeck that opened it."""


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """A phone sat down on a seat, or stood up."""

    seat: int | None
    """``None``: stood up from wherever it sat."""
    phone: str
    """SHA-256 of the phone's token; the token itself is nobody's business but the phone's."""


@dataclass(frozen=True, slots=True)
class ActionApplied:
    """A captain acted, or a roll or draw came out."""

    action: Json
    """`Game.action_to_json`."""
    text: str
    """In plain words, as `Game.describe` named it at the time."""
    seat: int | None
    """Whose doing; for a roll the captain whose hand rolled."""
    source: str
    """``"camera"``, ``"phone"``, ``"button"`` or ``"table"``."""
    is_chance: bool
    """A roll or a draw."""
    p: float | None = None
    """How sure the camera was; ``None`` when people said it."""
    evidence: str | None = None
    """Name of the picture kept with it."""
    confirmed_by: int | None = None
    """Seat that answered the question about it; ``None`` if nobody was asked, or `by_host`."""
    equivalent: int = 1
    """How many different readings lead to the very same state."""
    house_ruling: bool = False
    """The table decided it, outside what the rules ask: a penalty."""
    phase: str = ""
    """What it was done for, as the rules name it (`Decision.phase`, `ChanceRoll.phase`)."""
    dice: tuple[Json, ...] = ()
    """What the camera read of a roll, die by die: ``{"kind", "face", "p", "box", "look"}``.

    ``box`` is x, y, width, height in pixels of the tray's picture, which is kept under the name
    `evidence` with `TRAY_PICTURE` behind it; ``look`` tells dice of one kind apart (empty: it
    cannot). One that the camera was not sure of has ``"seems"`` besides, what it seemed
    (`companion.table.unsure_dice`). The roll that counts is in `action`; after a correction the two
    differ.
    """
    by_host: bool = False
    """The phone that speaks for the whole table, which has no seat, answered or corrected."""
    happened_s: float | None = None
    """Wall clock when it happened, where that was before it was written down: what a correction
    writes anew was rolled when it was rolled. ``None``: it is the event's own time."""


@dataclass(frozen=True, slots=True)
class QuestionAsked:
    """The table would not guess."""

    text: str
    rule: str
    seats: tuple[int, ...]
    choices: tuple[Json, ...]
    """Each ``{"id", "text", "line": [action, ...], "does": what the referee does}``."""
    topic: str
    """What it is about: ``"reading"``, ``"undo"`` or ``"correction"``."""
    evidence: str | None = None
    data: Json = field(default_factory=dict)
    """What the referee needs to act on the answer, also after a restart.

    About a picture: ``"readings"``, by choice, for each action of its line ``{"p", "equivalent",
    "evidence", "dice"}`` as in `ActionApplied`. About taking back or putting right: ``"of"``,
    ``"reason"``, ``"by"``, ``"action"``, and in ``"named"`` the actions it was said would go.
    """


@dataclass(frozen=True, slots=True)
class QuestionAnswered:
    """Somebody answered."""

    question: int
    """Number of its `QuestionAsked`."""
    choice: str
    by: int | None
    settles: bool | None = None
    """Whether the question was closed by it: not while others must still agree. ``None``: it was
    written before this was; then a yes closed it once every seat asked had said so."""


@dataclass(frozen=True, slots=True)
class QuestionWithdrawn:
    """The answer did not matter any more."""

    question: int
    reason: str


@dataclass(frozen=True, slots=True)
class Retracted:
    """All actions from number `of` on were taken back. They stay in the log, struck through."""

    of: int
    reason: str
    by: int | None


@dataclass(frozen=True, slots=True)
class CorrectionMade:
    """Action number `of` was misread: it and all after it are struck through.

    What is right follows as new actions in the same batch.
    """

    of: int
    reason: str
    by: int | None


Event = (
    GameOpened
    | SeatTaken
    | ActionApplied
    | QuestionAsked
    | QuestionAnswered
    | QuestionWithdrawn
    | Retracted
    | CorrectionMade
)

KINDS: Mapping[str, tuple[type[Event], int]] = {
    "game_opened": (GameOpened, 1),
    "seat_taken": (SeatTaken, 1),
    "action_applied": (ActionApplied, 4),
    "question_asked": (QuestionAsked, 1),
    "question_answered": (QuestionAnswered, 2),
    "question_withdrawn": (QuestionWithdrawn, 1),
    "retracted": (Retracted, 1),
    "correction_made": (CorrectionMade, 1),
}
"""Stable name of each kind, its class and the version written today."""

NAMES: Mapping[type[Event], str] = {kind: name for name, (kind, _) in KINDS.items()}


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event as it lies in the ledger."""

    game: str
    """Which game at this table (the ledger's own id, not the rules')."""
    seq: int
    """1-based, without gaps."""
    name: str
    schema_version: int
    data: Json
    time_s: float
    """Wall clock when it was appended, seconds since 1970; told, never read here."""
    prev: str
    """Hash of the event before; `GENESIS` for the first."""
    hash: str
    """SHA-256 over everything above as canonical JSON."""


def picture_name(frame: str, jpeg: bytes, tray: bytes | None) -> str:
    """Return the name under which evidence is kept: of its frame and of its content.

    Frames are numbered anew at every start, and what is kept must never be another one's; and
    since events name their pictures, the chain vouches for these, too.
    """
    return f"{frame}-{picture_digest(jpeg + (tray or b''))}"


def picture_digest(content: bytes) -> str:
    """Return what stands in a picture's name of its hash.

    >>> picture_digest(b"")
    'e3b0c44298fc'
    """
    return hashlib.sha256(content).hexdigest()[:DIGEST_CHARS]


def canonical_json(value: Any) -> str:
    """Write JSON values in the one way that is hashed.

    >>> canonical_json({"b": 1, "a": [True, None, "é"]})
    '{"a":[true,null,"é"],"b":1}'
    """
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )


def hash_event(event: StoredEvent) -> str:
    """Return the hash which `event` should carry."""
    content = {f.name: getattr(event, f.name) for f in fields(event) if f.name != "hash"}
    return hashlib.sha256(canonical_json(content).encode()).hexdigest()


def seal(game: str, seq: int, prev: str, event: Event, time_s: float) -> StoredEvent:
    """Return `event` as it is stored: named, numbered and chained to the one before."""
    name = NAMES[type(event)]
    # Through JSON and back: what is hashed now must be what is read later (tuples become lists).
    data = json.loads(canonical_json(asdict(event)))
    bare = StoredEvent(game, seq, name, KINDS[name][1], data, float(time_s), prev, "")
    return replace(bare, hash=hash_event(bare))


def unseal(stored: StoredEvent) -> Event:
    """Return the event, brought up to today's version.

    Raises
    ------
    UnknownEventVersion
        When a newer Quarterdeck wrote it, or a kind that this one does not know.
    CorruptLedger
        When its data does not fit its kind.
    """
    where = f"event {stored.seq} of game {stored.game!r}"
    if stored.name not in KINDS:
        raise UnknownEventVersion(f"{where} is a {stored.name!r}, which this version cannot read")
    kind, current = KINDS[stored.name]
    version, data = stored.schema_version, dict(stored.data)
    while version < current:
        data = UPCASTS[stored.name, version](data)
        version += 1
    if version > current:
        raise UnknownEventVersion(
            f"{where} is {stored.name!r} version {version}, known up to {current}: "
            "update Quarterdeck to go on with this game"
        )
    try:
        return kind(**{key: _tupled(value) for key, value in data.items()})
    except TypeError as error:
        raise CorruptLedger(f"{where} cannot be read: {error}") from error


def _tupled(value: Any) -> Any:
    """Turn the outermost list, which only JSON made one, back into a tuple."""
    return tuple(value) if isinstance(value, list) else value
