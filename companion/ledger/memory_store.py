"""An event store in memory: for tests, which need no disk to hold a table to its promises."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from threading import Lock

from companion.errors import LedgerError, SequenceConflict
from companion.ledger.events import GENESIS, Event, StoredEvent
from companion.ledger.store import NO_PICTURES, chain_up


class MemoryStore:
    """Keeps events in lists; see `companion.ledger.store.Store`."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._games: dict[str, list[StoredEvent]] = {}
        self._pictures: dict[tuple[str, str], bytes] = {}
        self._is_closed = False

    def append(
        self,
        game: str,
        after: int,
        events: Sequence[Event],
        time_s: float,
        pictures: Mapping[str, bytes] = NO_PICTURES,
    ) -> tuple[StoredEvent, ...]:
        """Append a batch, all or nothing."""
        with self._lock:
            self._check_open()
            known = self._games.get(game, [])
            if len(known) != after:
                raise SequenceConflict(
                    f"game {game!r} has {len(known)} events; the writer knew of {after}"
                )
            prev = known[-1].hash if known else GENESIS
            sealed = chain_up(game, after, prev, events, time_s)
            if sealed:
                self._games.setdefault(game, []).extend(sealed)
            self._pictures.update({(game, name): data for name, data in pictures.items()})
            return sealed

    def read(self, game: str, after: int = 0) -> tuple[StoredEvent, ...]:
        """Return the events of a game behind number `after`."""
        with self._lock:
            self._check_open()
            return tuple(self._games.get(game, ())[after:])

    def games(self) -> tuple[str, ...]:
        """Return the ids of all games, in the order they were opened."""
        with self._lock:
            self._check_open()
            return tuple(self._games)

    def picture(self, game: str, name: str) -> bytes | None:
        """Return an evidence picture, or ``None``."""
        with self._lock:
            self._check_open()
            return self._pictures.get((game, name))

    def close(self) -> None:
        """Refuse everything from now on; may be called twice."""
        with self._lock:
            self._is_closed = True

    def _check_open(self) -> None:
        if self._is_closed:
            raise LedgerError("the ledger is closed")
