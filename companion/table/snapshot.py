"""The table as it is shown: one value that phones, the ring and the big screen are fed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

from companion.rules.layout import Layout
from companion.rules.sheets import Sheet
from companion.rules.views import CALM, Weather


@dataclass(frozen=True, slots=True)
class Seat:
    """One captain."""

    seat: int
    name: str
    colours: tuple[str, ...]
    """Colours of their ships; empty before they are drawn."""
    scores: Mapping[str, int]
    ships: int
    taken: bool
    """A phone sits here."""
    asked: bool
    """It is on this captain to do something now."""
    side_deg: float = 0.0
    """Where they sit, clockwise from the top of the board."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer to a question, or one thing a captain may tell the table."""

    id: str
    text: str
    layout: Layout | None = None
    """The board as it would stand, for a small picture; ``None`` where that says nothing."""
    is_one_of_many: bool = False
    """Other ways, a shot into nothing in another direction, would come to the very same."""


@dataclass(frozen=True, slots=True)
class Question:
    """What the table asks because it will not guess."""

    id: int
    text: str
    rule: str
    """Rule that stands in the way of the nearest reading; empty if none does."""
    seats: tuple[int, ...]
    """Who is asked."""
    choices: tuple[Choice, ...]
    evidence: str | None
    """Evidence picture (`LogEntry.evidence`)."""
    tray: str | None = None
    """The same of the tray alone, if it is about dice that lie there (`LogEntry.tray`)."""


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence for the table that wants no answer."""

    kind: str
    """``"refusal"`` (a rule stands in the way), ``"hint"`` (something is awaited), ``"ill"``."""
    text: str
    rule: str = ""
    seat: int | None = None
    """Whose phone shows it large; ``None`` for all."""


@dataclass(frozen=True, slots=True)
class Offer:
    """Something that may be told the table now."""

    text: str
    """The action in plain words (`Game.describe`)."""
    action: Mapping[str, Any]
    """The action as JSON (`Game.action_to_json`)."""
    pieces: Mapping[str, int] = field(default_factory=dict)
    """Tags of the pieces that the action's fields name (`Game.pieces_of`)."""
    to: str = ""
    """On a board of cells the one to which ships go by it, or where one is sunk; empty where the
    action names it."""
    printed: str = ""
    """What is printed on the card that it takes (`Game.printed`)."""
    loss: str = ""
    """What it costs for good (`Game.loss`); asked about first."""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One line of the game's log."""

    seq: int
    """Number of its event in the ledger."""
    text: str
    """What happened, in words: ``"Red: sail 3 NE, 1,0 to 4,-3"``."""
    seat: int | None
    consequences: tuple[str, ...] = ()
    """What followed by the rules: ``"+1 doubloon, sank Blue (AOW-46)"``."""
    source: str = "camera"
    """``"camera"``, ``"phone"``, ``"button"`` or ``"table"``."""
    p: float | None = None
    """How sure the camera was; ``None`` when people said it."""
    evidence: str | None = None
    """Name of the picture kept with it, served at ``/evidence/<name>``."""
    tray: str | None = None
    """Name of the picture of the tray alone, likewise; ``None``: the camera has read no dice."""
    retracted: bool = False
    """Taken back; shown struck through."""
    house_ruling: bool = False
    asked: bool = False
    """The camera was not sure; people settled it."""
    is_one_of_many: bool = False
    """As `Choice.is_one_of_many`: the camera cannot tell which of them it was."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything the table shows at one moment."""

    version: int
    """Number of the last event; commands name it to say what they were looking at."""
    game: str
    title: str
    profile: str
    phase: str
    round: int
    pending: str
    """What is awaited now, in plain words."""
    awaits_roll: tuple[str, ...]
    """Kinds of the dice that must be rolled now; empty if none."""
    over: bool
    result: str
    """Who won and why, once `over`."""
    seats: tuple[Seat, ...]
    layout: Layout
    log: tuple[LogEntry, ...]
    """Latest last, at most 50; retracted ones included. `Table.log` has those before."""
    question: Question | None
    notice: Notice | None
    notes: tuple[str, ...] = ()
    """Further facts worth a line: who has the treasure, what is in reserve."""
    winners: tuple[int, ...] = ()
    """Seats that share the first place, once `over`."""
    weather: Weather = CALM
    """Wind and storm, for the ring, the phones and the big screen."""
    sheets: tuple[Sheet, ...] = ()
    """What is kept of each ship on an open table."""
    measured: bool = False
    """What is to be done is measured on an open table: a phone may show where a piece stands."""
    total: int = 0
    """So many are to be named in all by choices that count (`Decision.total`)."""
    asides: tuple[Offer, ...] = ()
    """What the table may decide besides what is asked (a penalty); the host's phone tells it."""
    health: Mapping[str, str] = field(default_factory=dict)
    """Parts that are ill and what to do about it: ``{"camera": "..."}``."""
    details: Mapping[str, Any] = field(default_factory=dict)
    """Open facts of this game as JSON values, for pages that know it (`View.details`)."""
    private: Mapping[int, Mapping[str, Any]] = field(default_factory=dict, repr=False)
    """What only the phone on a seat may be shown, as JSON values (`View.own`)."""

    def to_json(self) -> dict[str, Any]:
        """Return what everybody may see as JSON values (layouts by `Layout.to_json`)."""
        shown = (f.name for f in fields(self) if f.name != "private")
        return {name: _plain(getattr(self, name)) for name in shown}


def _plain(value: Any) -> Any:
    if isinstance(value, Layout):
        return value.to_json()
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: _plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value
