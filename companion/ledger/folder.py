"""The folder of a ledger: made if it is missing, opened, and held by one open table at a time."""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import TextIO

from companion.errors import LedgerError
from companion.ledger.sqlite_store import SqliteStore
from companion.ledger.store import LEDGER

LOCK = "open.lock"
"""Beside the ledger, for as long as a table is open; what holds it is gone with its process."""


def _make_folder(folder: Path) -> None:
    """Make the folder of a ledger. Raises `LedgerError`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LedgerError(
            f"{folder} cannot be the folder of the games ({error.strerror}); name another with "
            "--data"
        ) from error


def open_store(folder: Path) -> SqliteStore:
    """Open the ledger in a folder, which is made if it is missing. Raises `LedgerError`."""
    _make_folder(folder)
    return SqliteStore(folder / LEDGER)


def put_aside(ledger: Path) -> Path:
    """Give a damaged ledger another name, so that a new one can be begun; return that.

    Nothing in it is thrown away. Raises `LedgerError`.
    """
    names = (ledger.with_name(f"damaged-{number}.sqlite3") for number in count(1))
    kept = next(name for name in names if not name.exists())
    try:
        for end in ("-wal", "-shm", ""):
            part = ledger.with_name(ledger.name + end)
            if part.exists():
                part.rename(kept.with_name(kept.name + end))
    except OSError as error:
        raise LedgerError(f"{ledger} is damaged and cannot be renamed: {error.strerror}") from error
    return kept


@contextmanager
def sole_table(folder: Path) -> Iterator[None]:
    """Hold a folder for a table that is open: of two, each would go on with a game of its own.

    Raises `LedgerError` if another process holds it, or the folder cannot be used.
    """
    _make_folder(folder)
    with _lock_file(folder) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            raise LedgerError(
                f"a table is open already with the games of {folder} (process {file.read()}): end "
                "it first, or name another folder with --data"
            ) from None
        with suppress(OSError):  # where nothing can be written the lock holds all the same
            os.truncate(file.fileno(), 0)
            os.write(file.fileno(), str(os.getpid()).encode())
        yield


def _lock_file(folder: Path) -> TextIO:
    path = folder / LOCK
    try:
        return path.open("a+", encoding="ascii")
    except OSError as error:
        if error.errno == errno.EROFS and path.exists():
            return path.open(encoding="ascii")
        raise LedgerError(f"{folder} cannot be written: {error.strerror}") from error
