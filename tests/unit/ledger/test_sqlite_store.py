"""What only the SQLite store promises: it survives its process, even one that is killed."""

from __future__ import annotations

import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.errors import CorruptLedger, DamagedLedger, LedgerError, SequenceConflict
from companion.ledger.events import Retracted
from companion.ledger.sqlite_store import SqliteRecords, SqliteStore
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


def test_between_looking_and_writing_nobody_else_writes(tmp_path: Path) -> None:
    """Else the first would be told that the database is locked, for what it knew is old."""
    mine, other = SqliteStore(tmp_path / "l.db"), SqliteStore(tmp_path / "l.db")
    mine.append("g", 0, [ONE], 1.0)
    other._db.execute("PRAGMA busy_timeout = 0")
    refused: list[str] = []

    def intrude(statement: str) -> None:
        if statement.startswith("INSERT INTO event"):
            try:
                other.append("g", 1, [ONE], 2.0)
            except LedgerError as error:
                refused.append(str(error))

    mine._db.set_trace_callback(intrude)
    mine.append("g", 1, [ONE], 3.0)
    mine._db.set_trace_callback(None)
    assert refused == [f"the ledger {tmp_path / 'l.db'} failed: database is locked"]
    other.append("g", 2, [ONE], 4.0)
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


def _meddle(path: Path, *statements: str) -> None:
    db = sqlite3.connect(path)
    with db:
        for statement in statements:
            db.execute(statement)
    db.close()


def test_tables_of_a_newer_version_are_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as newer:
        newer.setattr("companion.ledger.sqlite_store.SCHEMA_VERSION", 99)
        SqliteStore(tmp_path / "l.db").close()
    with pytest.raises(LedgerError, match=r"newer Quarterdeck \(tables 99, known 1\)"):
        SqliteStore(tmp_path / "l.db")


def test_a_newer_ledger_that_this_sqlite_cannot_read_is_not_called_damaged(tmp_path: Path) -> None:
    """It was put aside, and new games were begun."""
    SqliteStore(tmp_path / "l.db").close()
    _meddle(
        tmp_path / "l.db",
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET sql = 'CREATE TABLE picture (game) NEWER' WHERE name = 'picture'",
        "PRAGMA user_version = 2",
    )
    with pytest.raises(LedgerError, match="newer Quarterdeck"):
        SqliteStore(tmp_path / "l.db")


@pytest.mark.parametrize(
    ("statement", "complaint"),
    [
        ("UPDATE event SET data = replace(data, 'one', 'two') WHERE seq = 2", "event 2: it was ch"),
        ("UPDATE event SET time_s = 9 WHERE seq = 3", "event 3: it was changed"),
        ("DELETE FROM event WHERE seq = 2", "event 3: event 2 was expected"),
        ("UPDATE event SET data = '{' WHERE seq = 2", "event 2: its data is not JSON"),
        ("UPDATE event SET data = CAST(x'2280ff22' AS TEXT) WHERE seq = 2", "event 2: it was ch"),
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


@contextmanager
def card_without_room() -> Iterator[None]:
    """Let no file grow, nor be made anew with anything in it."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_ledger_on_a_card_that_was_full_before_is_read_until_there_is_room(
    tmp_path: Path,
) -> None:
    path = tmp_path / "l.db"
    _written(path)
    with card_without_room():
        store = SqliteStore(path)
        with pytest.raises(LedgerError, match=r"l\.db can only be read"):
            store.append("g", 2, [ONE], 2.0)
        assert verify_chain("g", store.read("g")) == 2
        with ThreadPoolExecutor() as phones:
            assert phones.submit(store.picture, "g", "p").result() == b"picture"
        assert _read(path) == 2  # as `quarterdeck backup` does, to a stick that has room
    store.append("g", 2, [ONE], 3.0)
    store.close()
    store = SqliteStore(path)
    assert verify_chain("g", store.read("g")) == 3
    store.close()


def test_a_new_ledger_on_a_full_card_is_not_called_something_else(tmp_path: Path) -> None:
    with card_without_room(), pytest.raises(LedgerError, match=r"l\.db cannot be opened"):
        SqliteStore(tmp_path / "l.db")


def test_to_open_a_ledger_writes_nothing_into_it(tmp_path: Path) -> None:
    _written(tmp_path / "l.db")
    store = SqliteStore(tmp_path / "l.db")
    assert (tmp_path / "l.db-wal").stat().st_size == 0
    store.close()


def test_a_settled_ledger_is_whole_without_its_log(tmp_path: Path) -> None:
    """Whoever copies the file alone to a stick, after a kill too, has the games."""
    path = tmp_path / "l.db"
    store = SqliteStore(path)
    store.append("g", 0, [ONE, ONE], 1.0, {"p": b"picture"})
    store.settle()
    assert path.with_name("l.db-wal").stat().st_size > 0
    shutil.copy(path, tmp_path / "copy.db")
    store.close()
    assert _read(tmp_path / "copy.db") == 2
    store.settle()  # a table that is being closed is not disturbed


def test_what_cannot_be_settled_stays_in_the_log(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "l.db")
    store.append("g", 0, [ONE] * 99, 1.0, {"p": b"picture"})
    with card_without_room():
        store.settle()
        assert _read(tmp_path / "l.db") == 99
    store.settle()
    shutil.copy(tmp_path / "l.db", tmp_path / "copy.db")
    assert _read(tmp_path / "copy.db") == 99
    store.close()


def test_games_are_listed_without_reading_what_happened_in_them(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "l.db")
    asked: list[str] = []
    store._db.set_trace_callback(asked.append)
    store.append("late", 0, [ONE], 1.0)
    store.append("early", 0, [ONE, ONE], 1.0)
    assert store.games() == ("late", "early")
    store._db.set_trace_callback(None)
    plan = store._db.execute(f"EXPLAIN QUERY PLAN {asked[-1]}").fetchall()
    assert "COVERING INDEX" in plan[0][3]
    store.close()


def test_a_damaged_file_is_told_as_such(tmp_path: Path) -> None:
    path = tmp_path / "l.db"
    _written(path)
    os.truncate(path, path.stat().st_size // 2)
    with pytest.raises(DamagedLedger, match=r"l\.db"):
        _read(path)


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


# -- reading alone ----

NOBODY = 65534


def _written(path: Path) -> bytes:
    store = SqliteStore(path)
    store.append("g", 0, [ONE, ONE], 1.0, {"p": b"picture"})
    store.close()
    return path.read_bytes()


def _read(path: Path) -> int:
    records = SqliteRecords(path)
    try:
        assert records.games() == ("g",)
        assert records.picture("g", "p") == b"picture"
        return verify_chain("g", records.read("g"))
    finally:
        records.close()


def test_who_reads_changes_no_byte_of_the_ledger(tmp_path: Path) -> None:
    path = tmp_path / "a ledger? 100 %.db"
    before = _written(path)
    assert _read(path) == 2
    assert path.read_bytes() == before
    _meddle(path, "PRAGMA user_version = 0")
    before = path.read_bytes()
    assert _read(path) == 2
    assert path.read_bytes() == before


def test_a_ledger_is_read_while_a_table_writes_into_it(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "l.db")
    store.append("g", 0, [ONE], 1.0, {"p": b"picture"})
    records = SqliteRecords(tmp_path / "l.db")
    assert len(records.read("g")) == 1
    store.append("g", 1, [ONE], 2.0)
    assert len(records.read("g")) == 2
    assert _read(tmp_path / "l.db") == 2
    records.close()
    store.append("g", 2, [ONE], 3.0)
    store.close()
    assert _read(tmp_path / "l.db") == 3


@pytest.mark.parametrize(
    "statements", [(), ("CREATE TABLE game (id)",), ("CREATE TABLE game (id)", "DROP TABLE game")]
)
def test_a_file_without_events_is_no_ledger_and_is_left_as_it_was(
    tmp_path: Path, statements: tuple[str, ...]
) -> None:
    path = tmp_path / "l.db"
    path.write_bytes(b"")
    for statement in statements:
        _meddle(path, statement)
    before = path.read_bytes()
    with pytest.raises(LedgerError, match=r"l\.db is no ledger: there are no events in it"):
        SqliteRecords(path)
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["l.db"]


def test_what_can_not_be_read_is_said(tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match="cannot be opened"):
        SqliteRecords(tmp_path / "l.db")
    assert not list(tmp_path.iterdir())
    _written(tmp_path / "l.db")
    _meddle(tmp_path / "l.db", "PRAGMA user_version = 99")
    with pytest.raises(LedgerError, match="newer Quarterdeck"):
        SqliteRecords(tmp_path / "l.db")


@pytest.fixture
def sealed_off() -> Iterator[Path]:
    """Return a folder that other folders can be made in, but none of them be written in later."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    user = os.geteuid()
    yield folder
    if user == 0:
        os.seteuid(user)
    for inner in folder.iterdir():
        inner.chmod(0o755)
    shutil.rmtree(folder)


def _seal_off(folder: Path) -> None:
    folder.chmod(0o555)
    if os.geteuid() == 0:
        os.seteuid(NOBODY)  # root may write everywhere


def test_a_ledger_on_a_card_that_cannot_be_written_is_read(sealed_off: Path) -> None:
    (sealed_off / "card").mkdir()
    path = sealed_off / "card" / "l.db"
    _written(path)
    _seal_off(path.parent)
    assert _read(path) == 2


def test_who_may_not_write_reads_while_a_table_writes(sealed_off: Path) -> None:
    (sealed_off / "table").mkdir()
    path = sealed_off / "table" / "l.db"
    _written(path)
    store = SqliteStore(path)
    store.append("g", 2, [ONE], 2.0)
    _seal_off(path.parent)
    assert _read(path) == 3
    store.append("g", 3, [ONE], 3.0)
    assert _read(path) == 4
    if os.geteuid() == NOBODY:
        os.seteuid(0)
    path.parent.chmod(0o755)
    store.close()


@pytest.fixture
def cut_off(sealed_off: Path) -> Path:
    """Return a ledger of 3 events as a power cut leaves it: the last one is in its log alone."""
    for name in ("table", "card"):
        (sealed_off / name).mkdir()
    path = sealed_off / "table" / "l.db"
    _written(path)
    store = SqliteStore(path)
    store.append("g", 2, [ONE], 2.0)
    for one in (path, path.with_name("l.db-wal")):
        shutil.copy(one, sealed_off / "card")
    store.close()
    return sealed_off / "card" / "l.db"


def _bytes(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_after_a_power_cut_a_card_that_cannot_be_written_is_read_to_the_last_event(
    cut_off: Path, caplog: pytest.LogCaptureFixture
) -> None:
    before = _bytes(cut_off.parent)
    _seal_off(cut_off.parent)
    assert _read(cut_off) == 3
    store = SqliteStore(cut_off)
    assert "l.db is only read: unable to open" in caplog.text
    with pytest.raises(LedgerError, match=r"l\.db can only be read"):
        store.append("g", 3, [ONE], 3.0)
    store.settle()
    assert verify_chain("g", store.read("g")) == 3
    store.close()
    assert _bytes(cut_off.parent) == before


def test_after_a_power_cut_a_full_card_is_read_to_the_last_event(cut_off: Path) -> None:
    with card_without_room():
        store = SqliteStore(cut_off)
        assert verify_chain("g", store.read("g")) == 3
        assert _read(cut_off) == 3
    store.append("g", 3, [ONE], 3.0)
    store.close()
    assert _read(cut_off) == 4


def test_once_there_is_room_again_nobody_takes_the_log_from_a_table(cut_off: Path) -> None:
    """Whoever closed the ledger after a look took its log away, and what came later was in none."""
    with card_without_room():
        store = SqliteStore(cut_off)
    store.append("g", 3, [ONE], 3.0)
    look = "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.execute('SELECT 1 FROM event')"
    subprocess.run([sys.executable, "-c", f"{look}; d.close()", cut_off], check=True)
    store.append("g", 4, [ONE], 4.0)
    assert _read(cut_off) == 5
    store.close()
