"""One table at a time plays on with the games of a folder."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.cli import main
from companion.cli.play import open_games
from companion.errors import LedgerError
from companion.ledger.events import Retracted
from companion.ledger.folder import sole_table
from companion.ledger.sqlite_store import SqliteRecords, SqliteStore
from companion.ledger.store import LEDGER
from companion.service import Service


def test_a_second_table_on_the_same_games_is_refused(tmp_path: Path) -> None:
    games = tmp_path / "new" / "games"
    with sole_table(games):
        with (
            pytest.raises(LedgerError, match=rf"open already .*\(process {os.getpid()}\): end it"),
            sole_table(games),
        ):
            pass
        with sole_table(tmp_path / "other"):
            pass
    with sole_table(games):
        pass


def test_serve_says_who_plays_there_already(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with sole_table(tmp_path):
        assert main(["serve", "--data", str(tmp_path), "--port", "0"]) == 2
    assert "a table is open already with the games of" in capsys.readouterr().err


def test_a_folder_that_is_none_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        assert main(["serve", "--data", str(folder), "--port", "0"]) == 2
        told = capsys.readouterr().err
        assert f"{folder} cannot be the folder of the games" in told
        assert "name another with --data" in told


def test_a_folder_on_a_full_card_is_held_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.write", full)
    with (
        sole_table(tmp_path),
        pytest.raises(LedgerError, match="open already"),
        sole_table(tmp_path),
    ):
        pass


def test_a_folder_on_a_card_that_can_only_be_read_is_held_by_its_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with sole_table(tmp_path):
        pass
    opened = Path.open

    def read_only(path: Path, mode: str = "r", **more: Any) -> Any:
        if mode != "r":
            raise OSError(errno.EROFS, "Read-only file system")
        return opened(path, mode, **more)

    monkeypatch.setattr(Path, "open", read_only)
    with (
        sole_table(tmp_path),
        pytest.raises(LedgerError, match="open already"),
        sole_table(tmp_path),
    ):
        pass
    (tmp_path / "open.lock").unlink()
    with pytest.raises(LedgerError, match="Read-only file system"), sole_table(tmp_path):
        pass


def test_serve_writes_games_into_the_file_itself_as_the_evening_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They were in its log alone until the end; a file copied without it had lost them."""

    def until_the_end() -> Iterator[bool]:
        with closing(SqliteStore(tmp_path / LEDGER)) as store:
            store.append("g", 0, [Retracted(1, "why", 0)], 1.0)
        yield False
        shutil.copy(tmp_path / LEDGER, tmp_path / "copy")
        yield True

    evening = until_the_end()
    done = SimpleNamespace(wait=lambda _: next(evening))
    monkeypatch.setattr("companion.cli.play.on_end", lambda: done)
    assert main(["serve", "--data", str(tmp_path), "--host", "127.0.0.1", "--port", "0"]) == 0
    with closing(SqliteRecords(tmp_path / "copy")) as copy:
        assert copy.games() == ("g",)


@pytest.mark.parametrize("pages", [0, 2], ids=["all of it", "the last game"])
def test_a_damaged_ledger_is_put_aside_and_the_table_opens(tmp_path: Path, pages: int) -> None:
    ledger = tmp_path / LEDGER
    for number in (1, 2):
        with closing(SqliteStore(ledger)) as store:
            store.append("g", 0, [Retracted(1, "x" * 3000, 0)] * 9, 1.0)
        with ledger.open("r+b") as file:
            file.seek(pages * 4096)
            file.write(b"?" * (ledger.stat().st_size - pages * 4096))
        before = ledger.read_bytes()
        store, amiss = open_games(tmp_path)
        store.close()
        aside = tmp_path / f"damaged-{number}.sqlite3"
        assert aside.read_bytes() == before
        assert f"They are kept as they are in {aside}" in amiss
        store, amiss = open_games(tmp_path)
        assert (store.games(), amiss) == ((), "")
        store.close()


def test_a_ledger_in_which_nothing_is_left_is_told(tmp_path: Path) -> None:
    """A new one was begun without a word; of one that was never there nothing is said."""
    for was_there in (True, False, False):
        if was_there:
            (tmp_path / LEDGER).touch()
        store, amiss = open_games(tmp_path)
        store.close()
        assert ("they are lost" in amiss) == was_there
    (tmp_path / LEDGER).unlink()
    store, amiss = open_games(tmp_path)
    store.close()
    assert amiss == ""


@pytest.mark.parametrize(
    ("was", "now"), [(b'{"by"', b'?"by"'), (b"why", b"\xffhy")], ids=["no JSON", "no text"]
)
def test_a_last_game_that_was_changed_puts_no_ledger_aside(
    tmp_path: Path, was: bytes, now: bytes
) -> None:
    """`serve` ended; the pages say what is amiss with that game, and begin another."""
    ledger = tmp_path / LEDGER
    with closing(SqliteStore(ledger)) as store:
        store.append("g", 0, [Retracted(1, "why", 0)], 1.0)
    ledger.write_bytes(ledger.read_bytes().replace(was, now))
    store, amiss = open_games(tmp_path)
    assert (store.games(), amiss) == (("g",), "")
    with Service(store) as service:
        assert "The last game cannot be gone on with" in service.ill["ledger"]
