"""The event store on SQLite: the one place that imports `sqlite3`.

Write-ahead log with ``synchronous=FULL``: when `append` returns, the batch and its pictures have
reached the card, and a power cut or a kill cannot take them back.
"""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Lock

from companion.errors import CorruptLedger, DamagedLedger, LedgerError, SequenceConflict
from companion.ledger.events import GENESIS, Event, StoredEvent, canonical_json
from companion.ledger.store import NO_PICTURES, chain_up

_LOG = logging.getLogger(__name__)

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

PRIMARY = 0xFF
"""What of an error's code tells its kind."""
NO_LOG = (
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
)
"""Errors of a log that is missing and cannot be made: the card is full, or can only be read."""
NO_ROOM = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE)
"""Errors of a card that is full; SQLite's words for the second one do not say so."""
DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
"""Errors of a file whose pages are not what SQLite has written."""

COLUMNS = "game, seq, name, schema_version, data, time_s, prev, hash"


class SqliteRecords:
    """Reads the events of one SQLite file and writes nothing into it; see `Records`.

    A table may be writing into the file meanwhile.

    Parameters
    ----------
    path : Path
        The file.

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
            self._db = self._opened()
        except sqlite3.Error as error:
            raise _told(error, f"the ledger {path} cannot be opened") from error

    def _opened(self) -> sqlite3.Connection:
        """Return the connection, for reading alone."""
        try:
            return self._connection("mode=ro")
        except sqlite3.OperationalError as error:
            # SQLite shares a log with whoever writes, and makes what that takes where it is not.
            # Where it cannot be made nobody writes: a log that is there (after a power cut the last
            # events may be in it alone) is read by oneself, without locks; else the file as it is.
            if _kind(error) not in NO_LOG:
                raise
            if self._path.with_name(self._path.name + "-wal").exists():
                return self._connection("mode=ro&vfs=unix-none", "EXCLUSIVE")
            return self._connection("mode=ro&immutable=1")

    def _connection(self, how: str, locking: str = "NORMAL") -> sqlite3.Connection:
        uri = f"{self._path.absolute().as_uri()}?{how}"
        # One connection for all threads; `_lock` lets one at a time use it.
        db = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
        db.text_factory = _text
        try:
            db.execute(f"PRAGMA locking_mode = {locking}")
            self._check(db)
        except (sqlite3.Error, LedgerError):
            db.close()
            raise
        return db

    def _check(self, db: sqlite3.Connection) -> None:
        """Raise `LedgerError` for a file with other tables than ours."""
        if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'event'").fetchone():
            raise LedgerError(f"{self._path} is no ledger: there are no events in it")
        _check_version(db, self._path)

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
            # By `+id` the index of (game, seq) is gone through, not every event with its data.
            rows = db.execute("SELECT game FROM event WHERE seq = 1 ORDER BY +id").fetchall()
        return tuple(row[0] for row in rows)

    def picture(self, game: str, name: str) -> bytes | None:
        """Return an evidence picture, or ``None``."""
        with self._reading() as db:
            row = db.execute(
                "SELECT jpeg FROM picture WHERE game = ? AND name = ?", (game, name)
            ).fetchone()
        return None if row is None else bytes(row[0])

    def copy_to(self, path: Path) -> None:
        """Copy all of it into a new file, as it is at one moment; whoever writes goes on writing.

        The copy is one file, without a log beside it. Raises `LedgerError`.
        """
        with self._reading() as db:
            try:
                with closing(sqlite3.connect(path, isolation_level=None)) as copy:
                    db.backup(copy)
                    copy.execute("PRAGMA journal_mode = DELETE")
            except sqlite3.Error as error:
                raise LedgerError(f"the copy {path} cannot be written: {error}") from error

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
                raise _told(error, f"the ledger {self._path} failed") from error


class SqliteStore(SqliteRecords):
    """Keeps events in one SQLite file; see `companion.ledger.store.Store`.

    A ledger on a card that is full, or can only be read, is read; every append tries anew to write.

    Parameters
    ----------
    path : Path
        The file; made if it is missing. Its folder must exist.

    Raises
    ------
    LedgerError
        When the file cannot be opened or is not a ledger.
    """

    def _opened(self) -> sqlite3.Connection:
        self._is_only_read = False
        try:
            return self._for_writing()
        except sqlite3.OperationalError as error:
            is_there = self._path.exists() and self._path.stat().st_size > 0
            if _kind(error) not in NO_LOG or not is_there:
                raise
            _LOG.warning("%s", _told(error, f"the ledger {self._path} is only read"))
            self._is_only_read = True
            return super()._opened()

    def _for_writing(self) -> sqlite3.Connection:
        db = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False)
        db.text_factory = _text
        try:
            self._prepare(db)
        except (sqlite3.Error, LedgerError):
            db.close()
            raise
        return db

    def _prepare(self, db: sqlite3.Connection) -> None:
        # First: tables that only a newer SQLite can read would be taken for damage.
        version = _check_version(db, self._path)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        if version < SCHEMA_VERSION:  # else a full card is not written on
            db.executescript(SCHEMA)
            db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")

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

    def settle(self) -> None:
        """Write into the file itself what only the log beside it holds; to be called now and then.

        Then nothing is missing from a copy of the file alone, nor where the log is lost. What
        cannot be written now stays in the log; where there is nothing to write nothing is done.
        """
        with suppress(LedgerError), self._reading() as db:
            db.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def _write_again(self) -> None:
        try:
            self._for_writing().close()
        except sqlite3.Error as error:
            raise _told(error, f"the ledger {self._path} can only be read") from error
        # Opened once more when nothing is open: whoever closes a file that was read without locks
        # takes all locks of this process off it, and then others throw away a log that is in use.
        self._db.close()
        self._db, self._is_only_read = self._for_writing(), False

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._reading():
            if self._is_only_read:
                self._write_again()
            db = self._db
            # IMMEDIATE takes the write lock before reading the head, so a second process waits.
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
                db.execute("COMMIT")
            finally:
                if db.in_transaction:
                    db.execute("ROLLBACK")


def _told(error: sqlite3.Error, what: str) -> LedgerError:
    """Return the error of this house for one of SQLite's."""
    code = getattr(error, "sqlite_errorcode", 0)
    if code in NO_ROOM:
        return LedgerError(f"{what}: its card is full. Delete there what nobody needs")
    return (DamagedLedger if _kind(error) in DAMAGED else LedgerError)(f"{what}: {error}")


def _kind(error: sqlite3.Error) -> int:
    code: int = getattr(error, "sqlite_errorcode", 0)
    return code & PRIMARY


def _text(data: bytes) -> str:
    """Read also what a card has lost a bit of: the chain of its game tells that it was changed."""
    return data.decode(errors="replace")


def _check_version(db: sqlite3.Connection, path: Path) -> int:
    version: int = db.execute("PRAGMA user_version").fetchone()[0]
    if version > SCHEMA_VERSION:
        raise LedgerError(
            f"the ledger {path} was written by a newer Quarterdeck "
            f"(tables {version}, known {SCHEMA_VERSION}); update this one"
        )
    return version


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
