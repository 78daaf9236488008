"""Files and folders that people name on the command line."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from companion.errors import AuditError, BadRolls, LedgerError
from companion.files import why_unread
from companion.ledger.store import LEDGER

if TYPE_CHECKING:
    from companion.ledger.sqlite_store import SqliteRecords

Table = TypeVar("Table")

CSV_UTF8 = "; a spreadsheet saves such a one as 'CSV UTF-8'"


def read_file(
    path: Path, newline: str | None = None, errors: str = "strict", otherwise: str = ""
) -> str:
    """Return the text of a file; with `newline` empty, its lines end as they do in the file.

    Raises `AuditError` in plain words. For bytes that are no text it does so only if `errors` is
    ``"strict"``; what to do about them is said as `otherwise` has it.
    """
    try:
        with path.open(encoding="utf-8", newline=newline, errors=errors) as file:
            return file.read()
    except OSError as error:
        raise AuditError(f"{path} cannot be read: {why_unread(error)}") from error
    except UnicodeDecodeError as error:
        raise AuditError(f"{path} cannot be read: {why_unread(error)}{otherwise}") from error


def read_table(path: Path, read: Callable[[str], Table], errors: str = "strict") -> Table:
    """Return what `read` makes of a table's text. Raises `AuditError` naming the file, too."""
    try:
        return read(read_file(path, newline="", errors=errors, otherwise=CSV_UTF8))
    except BadRolls as error:
        raise AuditError(f"{path}: {error}") from error


def check_spared(path: Path, begins: str, read: Iterable[Path]) -> None:
    """Refuse to write over a file that is read, or that is none of ours.

    Parameters
    ----------
    path : Path
        What is to be written.
    begins : str
        What such a file of ours begins with, in any case of letters.
    read : iterable of Path
        Files that are read, or written beside it.

    Raises
    ------
    AuditError
        Naming the file; nothing has been written then.
    """
    if any(same_file(path, other) for other in read):
        raise AuditError(f"{path} is named twice: it would be written over; name another file")
    if path.is_file() and path.stat().st_size:
        with path.open("rb") as file:
            head = file.read(len(begins)).decode("utf-8", "replace")
        if head.lower() != begins.lower():
            raise AuditError(f"{path} is there and holds something else: name another file")


def same_file(one: Path, other: Path) -> bool:
    """Say whether two paths are one file, there or not."""
    return one.expanduser().resolve() == other.expanduser().resolve()


def open_ledger(path: Path, otherwise: str) -> SqliteRecords:
    """Open a ledger, or that of a folder, to read in.

    Raises `LedgerError` if there is none, saying what to do `otherwise`.
    """
    # Here and not above: other commands need not wait for SQLite.
    from companion.ledger.sqlite_store import SqliteRecords

    path = path.expanduser()
    path = path / LEDGER if path.is_dir() else path
    if not path.is_file():
        raise LedgerError(f"there is no ledger {path}; {otherwise}")
    return SqliteRecords(path)
