"""One table at a time plays on with the games of a folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from companion.cli import main
from companion.errors import LedgerError
from companion.ledger.folder import sole_table


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
