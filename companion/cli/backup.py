"""``quarterdeck backup``: a checked copy of the ledger, to be kept elsewhere."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from zipfile import ZipFile

from companion.cli.files import check_spared, open_ledger
from companion.cli.play import DATA, NAME_FOLDER
from companion.errors import LedgerError
from companion.ledger.store import LEDGER
from companion.rules.words import counted
from companion.trial.names import CHECKS, PICTURES, PLAN, REPORT, ROLLS, TRIALS

NAME = "quarterdeck.sqlite3"
SQLITE, ZIP = "SQLite format 3", "PK"
"""What copies begin with: nothing else is written over."""

NOTES = """\
It may be done while a table is open. An earlier copy is replaced only once the new one is whole and
every game in it has been proven unaltered.

To play on from a copy, put it into an empty folder under the name ledger.sqlite3 and open that:
  quarterdeck serve --data FOLDER
Dice that were put on trial there go into a file of their own beside it: unpack it in that folder.
"""


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``backup``."""
    parser = commands.add_parser(
        "backup",
        help="copy all games, with their pictures, into one file",
        description="Copy the ledger, all games with their pictures, into one file: to a stick, or "
        "to another machine's folder.",
        epilog=NOTES,
    )
    parser.add_argument("file", metavar="FILE", type=Path, help=f"the copy; in a folder, {NAME}")
    parser.add_argument(
        "--data", type=Path, default=DATA, help=f"folder of the ledger (default: {DATA})"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Copy, check, and put in place. An earlier copy is left where it fails.

    Raises `LedgerError`, or `AuditError` where the file is there and is no copy.
    """
    target = arguments.file / NAME if arguments.file.is_dir() else arguments.file
    unchecked = target.with_name(target.name + ".part")
    ledger_file = arguments.data.expanduser() / LEDGER
    is_ledger = target.exists() and ledger_file.exists() and target.samefile(ledger_file)
    if is_ledger or target.with_name(f"{target.name}-wal").exists():
        raise LedgerError(f"{target} is a ledger that is played on: name another file for the copy")
    if not target.parent.is_dir():
        raise LedgerError(f"there is no folder {target.parent} to write {target.name} into")
    packed = target.with_name(f"{target.stem}-trials.zip")
    for path, begins in ((target, SQLITE), (packed, ZIP)):
        if path.exists() and not path.is_file():
            raise LedgerError(f"{path} is no file: name another one for the copy")
        check_spared(path, begins, ())
    try:
        unchecked.unlink(missing_ok=True)
        try:
            with closing(open_ledger(arguments.data, NAME_FOLDER)) as ledger:
                ledger.copy_to(unchecked)
            games, events = _checked(unchecked)
            unchecked.replace(target)
        finally:
            unchecked.unlink(missing_ok=True)
    except OSError as error:
        raise LedgerError(f"{target} cannot be written: {error.strerror}") from error
    size_mb = target.stat().st_size / 1e6
    held = f"{counted(games, 'game', 'games')}, {counted(events, 'event', 'events')}"
    print(f"{target}: {held}, {size_mb:.1f} MB, proven unaltered.")
    if trials := _pack_trials(arguments.data.expanduser(), packed):
        print(f"{packed}: {counted(trials, 'die', 'dice')} on trial, with the pictures.")
    return 0


def _pack_trials(data: Path, target: Path) -> int:
    """Pack the trials of a table, also while one is held; return how many there are."""
    from companion.trial.earlier import trial_folders

    trials = trial_folders(data / TRIALS)
    unfinished = target.with_name(target.name + ".part")
    try:
        if trials:
            # Not strict: a Pi that began without its clock has files of 1970, before any ZIP's.
            with ZipFile(unfinished, "w", strict_timestamps=False) as packed:
                for trial in trials:
                    for path in _files(trial):
                        packed.write(path, path.relative_to(data))
            unfinished.replace(target)
    except OSError as error:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
        raise LedgerError(f"{target} cannot be written: {error.strerror}") from error
    return len(trials)


def _files(trial: Path) -> Iterator[Path]:
    """Yield what a trial has; the rolls first: the pictures of all of them are there by then."""
    yield from filter(Path.exists, (trial / name for name in (PLAN, ROLLS, CHECKS, REPORT)))
    yield from (trial / PICTURES).glob("*.jpg")


def _checked(path: Path) -> tuple[int, int]:
    """Return how many games and events a copy holds. Raises `CorruptLedger`."""
    from companion.ledger.sqlite_store import SqliteRecords
    from companion.ledger.store import verify_chain

    with closing(SqliteRecords(path)) as copy:
        games = copy.games()
        return len(games), sum(verify_chain(game, copy.read(game)) for game in games)
