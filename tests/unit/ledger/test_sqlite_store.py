"""What only the SQLite store promises: it survives its process, even one that is killed."""

from __future__ import annotations

import random
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from companion.errors import CorruptLedger, LedgerError, SequenceConflict
from companion.ledger.events import Retracted
from companion.ledger.sqlite_store import SqliteStore
from companion.ledger.store import verify_chain

ONE = Retracted(1, "one", 0)


def test_another_process_goes_on_where_the_first_stopped(tmp_path: Path) -> None:
    first = SqliteStore(tmp_path / "ledger.db")
    written = first.append("g", 0, [ONE, ONE], 1.0, {"p": b"picture"})
    first.close()
    second = SqliteStore(tmp_path / "ledger.db")
    assert second.read("g") == written
    assert second.picture("g", "p") == b"picture"
    second.append("g", 2, [ONE], 2.0)
    assert verify_chain("g", second.read("g")) == 3
    second.close()


def test_two_open_ledgers_on_one_file_respect_the_sequence(tmp_path: Path) -> None:
    mine, other = SqliteStore(tmp_path / "l.db"), SqliteStore(tmp_path / "l.db")
    mine.append("g", 0, [ONE], 1.0)
    with pytest.raises(SequenceConflict):
        other.append("g", 0, [ONE], 1.0)
    other.append("g", 1, [ONE], 1.0)
    assert len(mine.read("g")) == 2
    mine.close()
    other.close()


def test_the_file_is_safe_against_power_cuts(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "l.db")
    assert store._db.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    assert store._db.execute("PRAGMA synchronous").fetchone()[0] == 2  # FULL
    store.close()


def test_a_file_that_is_no_ledger_is_named(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("these are only notes, and quite a few of them " * 20)
    with pytest.raises(LedgerError, match=r"notes\.txt cannot be opened"):
        SqliteStore(path)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match="cannot be opened"):
        SqliteStore(tmp_path / "nowhere" / "l.db")


def _meddle(path: Path, statement: str) -> None:
    db = sqlite3.connect(path)
    with db:
        db.execute(statement)
    db.close()


def test_tables_of_a_newer_version_are_left_alone(tmp_path: Path) -> None:
    SqliteStore(tmp_path / "l.db").close()
    _meddle(tmp_path / "l.db", "PRAGMA user_version = 99")
    with pytest.raises(LedgerError, match="newer Quarterdeck"):
        SqliteStore(tmp_path / "l.db")


@pytest.mark.parametrize(
    ("statement", "complaint"),
    [
        ("UPDATE event SET data = replace(data, 'one', 'two') WHERE seq = 2", "event 2: it was ch"),
        ("UPDATE event SET time_s = 9 WHERE seq = 3", "event 3: it was changed"),
        ("DELETE FROM event WHERE seq = 2", "event 3: event 2 was expected"),
        ("UPDATE event SET data = '{' WHERE seq = 2", "event 2: its data is not JSON"),
    ],
)
def test_meddling_with_the_file_is_found(tmp_path: Path, statement: str, complaint: str) -> None:
    store = SqliteStore(tmp_path / "l.db")
    store.append("g", 0, [ONE, ONE, ONE], 1.0)
    store.close()
    _meddle(tmp_path / "l.db", statement)
    store = SqliteStore(tmp_path / "l.db")
    with pytest.raises(CorruptLedger, match=complaint):
        verify_chain("g", store.read("g"))
    store.close()


def test_a_full_card_is_our_error_and_leaves_the_ledger_sound(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "l.db")
    store.append("g", 0, [ONE], 1.0)
    pages = store._db.execute("PRAGMA page_count").fetchone()[0]
    store._db.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(LedgerError, match="full"):
        store.append("g", 1, [ONE], 2.0, {"p": b"x" * 1_000_000})
    assert verify_chain("g", store.read("g")) == 1
    assert store.picture("g", "p") is None
    store._db.execute("PRAGMA max_page_count = 100000")
    store.append("g", 1, [ONE], 3.0)
    assert verify_chain("g", store.read("g")) == 2
    store.close()


WRITER = """
import sys
from pathlib import Path
from companion.ledger.events import Retracted
from companion.ledger.sqlite_store import SqliteStore
store = SqliteStore(Path(sys.argv[1]))
seq = len(store.read("g"))
while True:
    batch = [Retracted(seq + 1, "x" * 200, None), Retracted(seq + 2, "y", None)]
    stored = store.append("g", seq, batch, 1.0, {f"p{seq + 2}": b"z" * 3000})
    seq = stored[-1].seq
    print(seq, flush=True)
"""


def test_what_was_acknowledged_survives_a_kill(tmp_path: Path) -> None:
    path, dice = tmp_path / "l.db", random.Random(7)
    for _ in range(4):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True
        )
        assert writer.stdout is not None
        acknowledged = 0
        for _ in range(dice.randrange(1, 40)):
            acknowledged = int(writer.stdout.readline())
        writer.send_signal(signal.SIGKILL)
        rest, _ = writer.communicate(timeout=30)
        # A line cut short by the kill was never read as an acknowledgement.
        for line in rest.splitlines(keepends=True):
            acknowledged = int(line) if line.endswith("\n") else acknowledged
        store = SqliteStore(path)
        events = store.read("g")
        assert verify_chain("g", events) >= acknowledged > 0
        assert len(events) % 2 == 0, "half a batch was kept"
        assert store.picture("g", f"p{acknowledged}") == b"z" * 3000
        store.close()
