"""The doors of the table: what the edges may call, and what the table asks of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from companion.boards.profile import BoardProfile
from companion.ledger.store import Records
from companion.rules.game import GameInfo
from companion.rules.layout import Die, Layout
from companion.table.commands import Command
from companion.table.setting_up import SetUp
from companion.table.snapshot import LogEntry, Offer, Snapshot

Listener = Callable[[Snapshot], None]
"""Called with every new snapshot, after its events are durable. Must return at once."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """A command was carried out; `version` is the number of the last event since."""

    version: int


@dataclass(frozen=True, slots=True)
class Alternatives:
    """What may have happened instead of a line of the log."""

    layout: Layout
    """The table as it stood before."""
    offers: tuple[Offer, ...]
    """What was possible then; empty where there would be more than 400."""
    dice: tuple[Die, ...] = ()
    """What a roll shows as it stands; empty for anything else."""


class Table(Protocol):
    """A game in play. The only writer; every method may be called from any thread."""

    @property
    def profile(self) -> BoardProfile:
        """The board it is played on."""
        ...

    def snapshot(self) -> Snapshot:
        """Return the table as it stands."""
        ...

    def seat_of(self, phone: str) -> int | None:
        """Return the seat on which the phone with this secret token sits.

        What is private to a seat (`Snapshot.private`) may be sent to this phone and no other.
        """
        ...

    def offers(self, seat: int | None) -> tuple[Offer, ...]:
        """Return what a seat may tell the table now; rolls and draws to the one whose hand it is.

        Empty where there would be more than 400: then `shown` tells.
        """
        ...

    def shown(
        self, seat: int | None, seen: Layout, instead_of: int | None = None
    ) -> tuple[Offer, ...]:
        """Return what may have been done for the table to lie as a seat's phone shows it.

        `seen` holds the pieces of an open table that stand elsewhere now, or the dice of the roll
        that is awaited; with `instead_of` what was done in the place of this line of the log.
        Raises `IllegalAction` with the rule in the way if no legal action fits.
        """
        ...

    def alternatives(self, seq: int, seat: int | None) -> Alternatives:
        """Return what a seat may say happened instead of a line of the log, for `Correct`.

        Raises `MalformedAction` when no standing action has this number.
        """
        ...

    def log(self, before: int | None = None) -> tuple[LogEntry, ...]:
        """Return the latest lines of the log before number `before`, latest last, 50 at most.

        ``None``: the latest of all, which `Snapshot.log` has as well.
        """
        ...

    def command(self, command: Command) -> Receipt:
        """Carry out a command. Raises a `CompanionError`; then nothing has changed."""
        ...

    def command_json(self, data: Mapping[str, Any]) -> Receipt:
        """Read a command from JSON (``{"type": "act", ...}``) and carry it out."""
        ...

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Be told of every new snapshot; returns how to end it."""
        ...

    def evidence(self, name: str) -> bytes | None:
        """Return an evidence picture (JPEG), or ``None`` if none is kept under this name."""
        ...


class House(Protocol):
    """Where games are opened; the service is one."""

    @property
    def games(self) -> Sequence[GameInfo]:
        """The games that can be opened."""
        ...

    def table(self) -> Table | None:
        """Return the game in play, or ``None`` before the first is opened."""
        ...

    @property
    def records(self) -> Records:
        """The ledger of all games at this table, to read in."""
        ...

    @property
    def reader_checks(self) -> Mapping[str, Mapping[tuple[int, int], int]]:
        """How often the camera took a face (first) for a face (second), by kind of dice.

        Measured by people who looked; empty where nobody has.
        """
        ...

    @property
    def ill(self) -> Mapping[str, str]:
        """What is amiss with the house itself, by part, each with what to do.

        Shown where no game is open; a game in play has its own `Snapshot.health`.
        """
        ...

    @property
    def set_up(self) -> SetUp:
        """What the set-up page asks and changes."""
        ...

    def check(self, game: str, options: Mapping[str, object]) -> Sequence[int]:
        """Return how many can play a game with these options. Raises `BadOptions` if nobody can."""
        ...

    def open(self, game: str, players: Sequence[str], options: Mapping[str, object]) -> Table:
        """Open a game; the one in play is kept in the ledger. Raises `BadOptions`."""
        ...
