"""The event store on SQLite: the one place that imports `sqlite3`.

Write-ahead log with ``synchronous=FULL``: when `append` returns, the batch and its pictures have
reached the card, and a power cut or a kill cannot take them back.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

from companion.errors import CorruptLedger, LedgerError, SequenceConflict
from companion.ledger.events import GENESIS, Event, StoredEvent, canonical_json
from companion.ledger.store import NO_PICTURES, chain_up

SCHEMA_VERSION = 1
"""Of the tables; the events carry versions of their own."""

SCHEMA = """
CREATE TABLE IF NOT EXISTS event (
    id INTEGER PRIMARY KEY,
    game TEXT NOT NULL,
    seq INTEGER NOT NULL,
    name TEXT NOT NULL,
    schema_version INTEGER NOT NULL,
    data TEXT NOT NULL,
    time_s REAL NOT NULL,
    prev TEXT NOT NULL,
    hash TEXT NOT NULL,
    UNIQUE (game, seq)
);
CREATE TABLE IF NOT EXISTS picture (
    game TEXT NOT NULL,
    name TEXT NOT NULL,
    jpeg BLOB NOT NULL,
    PRIMARY KEY (game, name)
);
"""

COLUMNS = "game, seq, name, schema_version, data, time_s, prev, hash"


class SqliteStore:
    """Keeps events in one SQLite file; see `companion.ledger.store.Store`.

    Parameters
    ----------
    path : Path
        The file; made if it is missing. Its folder must exist.

    Raises
    ------
    LedgerError
        When the file cannot be opened or is not a ledger.
    """

    def __init__(self, path: Path) -> None:
        self._lock = Lock()
        self._path = path
        self._is_closed = False
        try:
            # One connection for all threads; `_lock` lets one at a time use it.
            self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        except sqlite3.Error as error:
            raise LedgerError(f"the ledger {path} cannot be opened: {error}") from error
        try:
            self._prepare()
        except sqlite3.Error as error:
            self._db.close()
            raise LedgerError(f"the ledger {path} cannot be opened: {error}") from error
        except LedgerError:
            self._db.close()
            raise

    def _prepare(self) -> None:
        self._db.execute("PRAGMA busy_timeout = 5000")
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        version = self._db.execute("PRAGMA user_version").fetchone()[0]
        if version > SCHEMA_VERSION:
            raise LedgerError(
                f"the ledger {self._path} was written by a newer Quarterdeck "
                f"(tables {version}, known {SCHEMA_VERSION}); update this one"
            )
        self._db.executescript(SCHEMA)
        self._db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")

    def append(
        self,
        game: str,
        after: int,
        events: Sequence[Event],
        time_s: float,
        pictures: Mapping[str, bytes] = NO_PICTURES,
    ) -> tuple[StoredEvent, ...]:
        """Append a batch, all or nothing, durable when this returns."""
        with self._transaction() as db:
            last = db.execute(
                "SELECT seq, hash FROM event WHERE game = ? ORDER BY seq DESC LIMIT 1", (game,)
            ).fetchone()
            seq, prev = last or (0, GENESIS)
            if seq != after:
                raise SequenceConflict(
                    f"game {game!r} has {seq} events; the writer knew of {after}"
                )
            sealed = chain_up(game, after, prev, events, time_s)
            db.executemany(
                "INSERT OR REPLACE INTO picture VALUES (?, ?, ?)",
                [(game, name, data) for name, data in pictures.items()],
            )
            db.executemany(
                f"INSERT INTO event ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [_row(event) for event in sealed],
            )
            return sealed

    def read(self, game: str, after: int = 0) -> tuple[StoredEvent, ...]:
        """Return the events of a game behind number `after`, in order."""
        with self._reading() as db:
            rows = db.execute(
                f"SELECT {COLUMNS} FROM event WHERE game = ? AND seq > ? ORDER BY seq",
                (game, after),
            ).fetchall()
        return tuple(_event(row) for row in rows)

    def games(self) -> tuple[str, ...]:
        """Return the ids of all games, in the order they were opened."""
        with self._reading() as db:
            rows = db.execute("SELECT game FROM event WHERE seq = 1 ORDER BY id").fetchall()
        return tuple(row[0] for row in rows)

    def picture(self, game: str, name: str) -> bytes | None:
        """Return an evidence picture, or ``None``."""
        with self._reading() as db:
            row = db.execute(
                "SELECT jpeg FROM picture WHERE game = ? AND name = ?", (game, name)
            ).fetchone()
        return None if row is None else bytes(row[0])

    def close(self) -> None:
        """Close the file; may be called twice."""
        with self._lock:
            self._is_closed = True
            self._db.close()

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            if self._is_closed:
                raise LedgerError(f"the ledger {self._path} is closed")
            try:
                yield self._db
            except sqlite3.Error as error:
                raise LedgerError(f"the ledger {self._path} failed: {error}") from error

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._reading() as db:
            # IMMEDIATE takes the write lock before reading the head, so a second process waits.
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
                db.execute("COMMIT")
            finally:
                if db.in_transaction:
                    db.execute("ROLLBACK")


def _row(event: StoredEvent) -> tuple[object, ...]:
    return (
        event.game,
        event.seq,
        event.name,
        event.schema_version,
        canonical_json(event.data),
        event.time_s,
        event.prev,
        event.hash,
    )


def _event(row: tuple[str, int, str, int, str, float, str, str]) -> StoredEvent:
    game, seq, name, version, data, time_s, prev, digest = row
    try:
        values = json.loads(data)
    except ValueError as error:
        raise CorruptLedger(f"game {game!r}, event {seq}: its data is not JSON") from error
    return StoredEvent(game, seq, name, version, values, time_s, prev, digest)
