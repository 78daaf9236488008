"""``quarterdeck record``: what the ledger kept is a record that ``replay`` accepts."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from companion.boards.choice import board_for
from companion.cli import main
from companion.ledger.events import ActionApplied
from companion.ledger.sqlite_store import SqliteStore
from companion.rules.catalogue import find_game
from companion.rules.record import replay
from companion.table.referee import Referee

VARIANTS: dict[str, dict[str, object]] = {
    "articles-of-war": {"wind": "NE", "gambits": "house"},
    "ahoy-matey": {"cursed_treasure": True, "freak_squall": True},
}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A ledger with the beginning of both games; something was taken back in each."""
    store = SqliteStore(tmp_path / "ledger.sqlite3")
    for number, (name, options) in enumerate(VARIANTS.items(), 1):
        rules, chance = find_game(name), random.Random(number)
        board = board_for(rules.info, options)
        referee = Referee.open(
            rules, ("Ann", "Bob"), options, board, store, lambda: 0.0, f"game-{number:04d}"
        )
        for step in range(40):
            action = dict(chance.choice(referee.offers(None)).action)
            referee.command_json({"type": "act", "action": action, "seat": None})
            if step == 20:
                referee.command_json({"type": "undo", "seat": None})
    store.close()
    return tmp_path


@pytest.mark.parametrize("number", [1, 2])
def test_a_game_of_the_ledger_is_replayed(
    data: Path, capsys: pytest.CaptureFixture[str], number: int
) -> None:
    assert main(["record", f"game-{number:04d}", "--data", str(data)]) == 0
    again = replay(capsys.readouterr().out.splitlines())
    assert again.refusal is None
    assert len(again.played) == 39


def test_without_a_name_it_is_the_last_game(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["record", "--data", str(data)])
    assert '"ahoy-matey"' in capsys.readouterr().out.splitlines()[0]


def test_a_game_that_is_not_there_is_refused(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["record", "game-7", "--data", str(data)]) == 2
    assert "there are game-0001 to game-0002" in capsys.readouterr().err
    assert main(["record", "--data", str(data / "elsewhere")]) == 2
    assert "--data" in capsys.readouterr().err


def test_what_the_rules_refuse_now_has_no_record(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = SqliteStore(data / "ledger.sqlite3")
    dance = ActionApplied({"type": "dance"}, "Ann dances", 0, "phone", is_chance=False)
    store.append("game-0001", len(store.read("game-0001")), [dance], 0.0)
    store.close()
    assert main(["record", "game-0001", "--data", str(data)]) == 2
    told = capsys.readouterr().err
    assert "game-0001 holds what the rules of this version refuse (Ann dances: This version" in told
