"""Card files on the command line and as an option; records of games in play."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from companion.boards.profile import load_profile
from companion.cards.files import builtin_text
from companion.cli import main
from companion.errors import BadOptions
from companion.ledger.sqlite_store import SqliteStore
from companion.rules.record import header_line, replay
from companion.table.referee import Referee
from tests.unit.rules.privateer.voyage import GAME

HOUSE = builtin_text("privateer-house")


def test_a_good_card_file_is_summed_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "deck.toml"
    file.write_text(HOUSE, "utf-8")
    assert main(["cards", str(file)]) == 0
    told = capsys.readouterr().out
    assert "House deck: Privateer can be played with it." in told
    assert "captain 12, port card 18, bounty 24" in told


def test_a_bad_card_file_is_shown_by_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "deck.toml"
    file.write_text(HOUSE.replace("crew = 2 }", "crew = 9 }", 1), "utf-8")
    assert main(["cards", str(file)]) == 1
    told = capsys.readouterr().out.splitlines()
    number = HOUSE.splitlines().index("steps = { crew = 2 }") + 1
    assert f"line {number}: captain[4].steps" in told[0]
    assert told[1] == f"{number:>6} | steps = {{ crew = 9 }}"


@pytest.mark.parametrize(
    ("deck", "game", "says"),
    [
        ("csg-house", "privateer", "of Pirates CSG, not of Privateer"),
        ("privateer-house", "pirates-csg", "of Privateer, not of Pirates CSG"),
    ],
)
def test_a_card_file_of_another_game_is_told_as_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], deck: str, game: str, says: str
) -> None:
    """It read "'nation' is not known here; did you mean 'captain'?"."""
    file = tmp_path / "deck.toml"
    file.write_text(builtin_text(deck), "utf-8")
    assert main(["cards", "--game", game, str(file)]) == 1
    told = capsys.readouterr().out.strip()
    assert told == f"{file}: the deck cannot be played: this is a card file {says}"


def test_files_that_cannot_be_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["cards", str(tmp_path / "none.toml")]) == 2
    assert "cannot be read" in capsys.readouterr().err
    file = tmp_path / "deck.toml"
    file.write_text("title =", "utf-8")
    assert main(["cards", str(file)]) == 1
    assert "no TOML" in capsys.readouterr().out
    assert main(["cards", str(file), "--game", "ahoy-matey"]) == 2
    assert "played without card files" in capsys.readouterr().err


def test_a_game_is_played_with_the_text_of_a_card_file() -> None:
    """The text is the option; it goes along in states and records."""
    text = HOUSE.replace("start_silver = 10", "start_silver = 33", 1)
    state = GAME.setup(("Ann", "Ben"), {"deck": text})
    assert state.deck.start_silver == 33
    assert GAME.from_json(json.loads(json.dumps(GAME.to_json(state)))) == state
    again = replay([header_line("privateer", ("Ann", "Ben"), {"deck": text})])
    assert again.state == state
    with pytest.raises(BadOptions, match=r"line 6: start_silver") as refused:
        GAME.setup(("Ann", "Ben"), {"deck": text.replace("= 33", "= 333", 1)})
    assert refused.value.option == "deck"


def test_the_record_of_a_game_in_play_is_kept_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """PRV-7: purses can be worked out from it; after the game it is for everybody."""
    store = SqliteStore(tmp_path / "ledger.sqlite3")
    options, rng = {"round_cap": 1}, Random(1)
    table = Referee.open(
        GAME, ("Ann", "Ben"), options, load_profile("sea-grid"), store, lambda: 0.0, "game-0001"
    )
    assert main(["record", "--data", str(tmp_path)]) == 2
    assert "still in play" in capsys.readouterr().err
    assert main(["record", "--unfinished", "--data", str(tmp_path)]) == 0
    while not table.snapshot().over:
        offers = table.offers(None)
        leaving = [o for o in offers if o.action["type"] == "leave"]
        action = dict(rng.choice(leaving or offers).action)
        table.command_json({"type": "act", "action": action, "seat": None})
    store.close()
    capsys.readouterr()
    assert main(["record", "--data", str(tmp_path)]) == 0
    again = replay(capsys.readouterr().out.splitlines())
    assert again.is_over
    assert again.state == table.state
