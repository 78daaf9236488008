"""The port of the ledger: what every event store promises, and the check of a chain."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from companion.errors import CorruptLedger
from companion.ledger.events import GENESIS, Event, StoredEvent, hash_event, seal

LEDGER = "ledger.sqlite3"
"""The file of a table's folder that keeps its games."""

NO_PICTURES: Mapping[str, bytes] = {}


class Records(Protocol):
    """A ledger to read in. Every method may be called from any thread."""

    def read(self, game: str, after: int = 0) -> tuple[StoredEvent, ...]:
        """Return the events of a game behind number `after`, in order; empty if there are none."""
        ...

    def games(self) -> tuple[str, ...]:
        """Return the ids of all games, in the order they were opened."""
        ...

    def picture(self, game: str, name: str) -> bytes | None:
        """Return an evidence picture, or ``None`` if none is kept under this name."""
        ...


class Store(Records, Protocol):
    """An append-only event store."""

    def append(
        self,
        game: str,
        after: int,
        events: Sequence[Event],
        time_s: float,
        pictures: Mapping[str, bytes] = NO_PICTURES,
    ) -> tuple[StoredEvent, ...]:
        """Append a batch, all or nothing, durable when this returns.

        Parameters
        ----------
        game : str
            The ledger's id of the game.
        after : int
            Number of the last event the writer knows; 0 for a new game. The optimistic lock.
        events : sequence of Event
            What happened, in order.
        time_s : float
            Wall clock, seconds since 1970.
        pictures : mapping of str to bytes
            Evidence named by these events, kept in the same transaction.

        Raises
        ------
        SequenceConflict
            When the ledger does not end at `after`: another writer was faster.
        LedgerError
            When it cannot be written, e.g. because the card is full. Nothing was appended.
        """
        ...

    def close(self) -> None:
        """Let the store go; may be called twice."""
        ...


def chain_up(
    game: str, after: int, prev: str, events: Iterable[Event], time_s: float
) -> tuple[StoredEvent, ...]:
    """Return a batch as it is stored behind event `after`, whose hash is `prev`."""
    sealed: list[StoredEvent] = []
    for seq, event in enumerate(events, start=after + 1):
        sealed.append(seal(game, seq, prev, event, time_s))
        prev = sealed[-1].hash
    return tuple(sealed)


def verify_chain(game: str, events: Iterable[StoredEvent]) -> int:
    """Check a whole game from its first event on; return the number of events.

    Raises
    ------
    CorruptLedger
        Naming the first bad event and what is wrong with it: of another game, out of sequence, not
        chained to the one before, or changed after it was written.
    """
    prev, seq = GENESIS, 0
    for event in events:
        seq += 1
        where = f"game {game!r}, event {event.seq}"
        if event.game != game:
            raise CorruptLedger(f"{where}: it belongs to game {event.game!r}")
        if event.seq != seq:
            raise CorruptLedger(f"{where}: event {seq} was expected here")
        if event.prev != prev:
            raise CorruptLedger(f"{where}: it is not chained to the event before it")
        if event.hash != hash_event(event):
            raise CorruptLedger(f"{where}: it was changed after it was written")
        prev = event.hash
    return seq
