"""`quarterdeck backup`: one checked file of a ledger that may be written into meanwhile."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from zipfile import ZipFile

import pytest

from companion.audit.rolls import find_kind
from companion.audit.trial import Plan
from companion.cli import main
from companion.ledger.events import Retracted
from companion.ledger.sqlite_store import SqliteRecords, SqliteStore
from companion.ledger.store import verify_chain
from companion.trial.tray import Reader
from companion.trial.trials import TableTrials

ONE = Retracted(1, "one", 0)
EARLIER = "SQLite format 3, an earlier one"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """A ledger in the folder ``data`` that is open all the time."""
    (tmp_path / "data").mkdir()
    with closing(SqliteStore(tmp_path / "data" / "ledger.sqlite3")) as store:
        store.append("g", 0, [ONE, ONE], 1.0, {"p": b"picture"})
        store.append("h", 0, [ONE], 2.0)
        yield store


def backup(folder: Path, target: Path) -> int:
    return main(["backup", str(target), "--data", str(folder / "data")])


def test_a_table_that_is_open_is_copied_whole_and_goes_on(
    store: SqliteStore, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert backup(tmp_path, tmp_path / "copy.sqlite3") == 0
    assert "2 games, 3 events" in capsys.readouterr().out
    store.append("h", 1, [ONE], 3.0)
    with closing(SqliteRecords(tmp_path / "copy.sqlite3")) as copy:
        assert copy.games() == ("g", "h")
        assert copy.read("g") == store.read("g")
        assert copy.picture("g", "p") == b"picture"
        assert len(copy.read("h")) == 1
    assert sorted(p.name for p in tmp_path.iterdir()) == ["copy.sqlite3", "data"]


def test_one_plays_on_from_a_copy(store: SqliteStore, tmp_path: Path) -> None:
    (tmp_path / "again").mkdir()
    assert backup(tmp_path, tmp_path / "again" / "ledger.sqlite3") == 0
    with closing(SqliteStore(tmp_path / "again" / "ledger.sqlite3")) as again:
        again.append("g", 2, [ONE], 4.0)
        assert verify_chain("g", again.read("g")) == 3
    assert len(store.read("g")) == 2


@pytest.mark.usefixtures("store")
def test_into_a_folder_and_over_an_earlier_copy(tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    (stick / "quarterdeck.sqlite3").write_text(EARLIER)
    (stick / "quarterdeck.sqlite3.part").write_text("broken off")
    assert backup(tmp_path, stick) == 0
    assert [p.name for p in stick.iterdir()] == ["quarterdeck.sqlite3"]
    with closing(SqliteRecords(stick / "quarterdeck.sqlite3")) as copy:
        assert copy.games() == ("g", "h")


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize("name", ["album.txt", "album-trials.zip"])
def test_what_is_no_copy_is_not_written_over(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_text("holidays")
    assert backup(tmp_path, tmp_path / "album.txt") == 2
    assert f"{name} is there and holds something else" in capsys.readouterr().err
    assert (tmp_path / name).read_text() == "holidays"


@pytest.mark.usefixtures("store")
def test_a_device_is_not_replaced_by_the_copy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo(tmp_path / "pipe")  # as /dev/null is to root
    assert backup(tmp_path, tmp_path / "pipe") == 2
    assert "pipe is no file: name another one for the copy" in capsys.readouterr().err
    assert (tmp_path / "pipe").is_fifo()


def test_an_altered_ledger_replaces_no_earlier_copy(
    store: SqliteStore, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "copy").write_text(EARLIER)
    with closing(sqlite3.connect(tmp_path / "data" / "ledger.sqlite3")) as db, db:
        db.execute("UPDATE event SET time_s = 9 WHERE game = 'h'")
    assert backup(tmp_path, tmp_path / "copy") == 2
    assert "game 'h', event 1: it was changed" in capsys.readouterr().err
    assert (tmp_path / "copy").read_text() == EARLIER
    assert sorted(p.name for p in tmp_path.iterdir()) == ["copy", "data"]
    store.append("g", 2, [ONE], 3.0)


@pytest.mark.usefixtures("store")
def test_what_cannot_be_copied_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert backup(tmp_path, tmp_path / "nowhere" / "copy") == 2
    assert "there is no folder" in capsys.readouterr().err
    assert main(["backup", str(tmp_path), "--data", str(tmp_path / "empty")]) == 2
    told = capsys.readouterr().err  # true also of who has named one with --data
    assert f"{tmp_path / 'empty'}; --data names the folder in which a table keeps" in told


def test_a_ledger_that_is_played_on_is_never_written_over(
    store: SqliteStore, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path / "data" / "ledger.sqlite3"
    assert backup(tmp_path, own) == 2
    assert "is a ledger that is played on: name another file" in capsys.readouterr().err
    (tmp_path / "other").mkdir()
    with closing(SqliteStore(tmp_path / "other" / "ledger.sqlite3")) as other:
        other.append("o", 0, [ONE], 1.0)
        assert backup(tmp_path, tmp_path / "other" / "ledger.sqlite3") == 2
        assert other.games() == ("o",)
    store.append("h", 1, [ONE], 3.0)
    with closing(SqliteRecords(own)) as again:
        assert len(again.read("h")) == 2


@pytest.mark.usefixtures("store")
def test_dice_on_trial_are_packed_beside_the_games_while_one_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Unpacked beside a copy of the games the trial goes on."""
    data, again = tmp_path / "data", tmp_path / "again"
    trials = table_trials(data / "trials")
    trials.begin(Plan(find_kind("d20"), 300))
    assert trials.now is not None
    trials.now.tell([17])
    (data / "trials/001-d20/pictures/00001-1.jpg").write_bytes(b"a die")
    os.utime(data / "trials/001-d20/pictures/00001-1.jpg", (0, 0))  # its Pi knew no time
    (data / "trials/001-d20/rolls.csv.new").write_text("half of it")
    (data / "trials/002-d6").mkdir()
    (data / "trials/002-d6/rolls.csv").write_text("of a trial whose plan is lost")
    assert backup(tmp_path, tmp_path / "copy.sqlite3") == 0
    packed = tmp_path / "copy-trials.zip"
    assert f"{packed}: 2 dice on trial, with the pictures." in capsys.readouterr().out
    with ZipFile(packed) as copy:
        copy.extractall(again)
    assert sorted(p.name for p in (again / "trials/001-d20").rglob("*.*")) == [
        "00001-1.jpg",
        "rolls.csv",
        "trial.json",
    ]
    assert (again / "trials/002-d6/rolls.csv").is_file()
    (earlier,) = table_trials(again / "trials").kept.earlier
    assert [roll.face for roll in earlier.rolls] == [17]
    packed.unlink()
    packed.with_name(packed.name + ".part").mkdir()
    assert backup(tmp_path, tmp_path / "copy.sqlite3") == 2
    assert "copy-trials.zip cannot be written" in capsys.readouterr().err


def table_trials(folder: Path) -> TableTrials:
    reader = Reader(lambda _: (), lambda *_: True)
    return TableTrials(folder, lambda *_: reader, lambda _: None, {})
