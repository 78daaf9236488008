"""The folder of a ledger: made if it is missing, and held by one open table at a time."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.errors import LedgerError

LOCK = "open.lock"
"""Beside the ledger, for as long as a table is open; what holds it is gone with its process."""


def make_folder(folder: Path) -> None:
    """Make the folder of a ledger. Raises `LedgerError`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LedgerError(
            f"{folder} cannot be the folder of the games ({error.strerror}); name another with "
            "--data"
        ) from error


@contextmanager
def sole_table(folder: Path) -> Iterator[None]:
    """Hold a folder for a table that is open: of two, each would go on with a game of its own.

    Raises `LedgerError` if another process holds it, or the folder cannot be used.
    """
    make_folder(folder)
    try:
        file = (folder / LOCK).open("a+", encoding="ascii")
    except OSError as error:
        raise LedgerError(f"{folder} cannot be written: {error.strerror}") from error
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            raise LedgerError(
                f"a table is open already with the games of {folder} (process {file.read()}): end "
                "it first, or name another folder with --data"
            ) from None
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield
