"""Golden playthroughs of Privateer, whose captains look for ports, merchants and each other.

``python -m tests.playthroughs.test_privateer_playthroughs`` writes them anew. Quite at random a
captain hardly ever meets a port, so these choose as `lively` does. Every action is listed, states
are shown now and then.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.playthroughs.transcripts import (
    Play,
    check_playthrough,
    transcript,
    write_playthrough,
)
from tests.unit.rules.privateer.voyage import GAME, lively

HERE = Path(__file__).parent / "privateer"
SHOWN_FIRST, SHOWN_EVERY = 8, 40

PLAYS = {
    "two": Play("privateer", ("Ann", "Ben"), 3),
    "four": Play(
        "privateer", ("Ann", "Ben", "Cat", "Dan"), 11, {"replace_on_upgrade": True, "round_cap": 12}
    ),
    "six-rounds": Play(
        "privateer",
        ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay"),
        5,
        {"round_cap": 6, "battle_needs_move": True},
    ),
}


def told(play: Play) -> Iterator[str]:
    return transcript(GAME, play, lively, SHOWN_FIRST, SHOWN_EVERY)


@pytest.mark.parametrize("name", PLAYS)
def test_playthrough_is_as_it_was(name):
    check_playthrough(HERE / f"{name}.txt", told(PLAYS[name]))


def test_every_file_is_of_a_playthrough():
    assert {path.stem for path in HERE.glob("*.txt")} == set(PLAYS)


def test_the_playthroughs_show_every_part_of_the_game():
    lines = [line for play in PLAYS.values() for line in told(play)]
    actions = " ".join(line for line in lines if line.startswith("> "))
    for words in ("buy", "sell", "upgrade", "plunder the merchant", "take", "offer", "go to"):
        assert words in actions, words
    happened = " ".join(line for line in lines if line.startswith("    "))
    for number in (10, 11, 13, 16, 21, 25, 35, 41, 42, 44, 48, 52, 54, 57, 62, 63, 65, 68):
        assert f"[PRV-{number}]" in happened, number


def test_nobody_else_is_shown_a_purse():
    """PRV-7: the onlooker's view has no silver; the first captain's has the own one only."""
    for play in PLAYS.values():
        for line in told(play):
            if line.startswith("view None"):
                assert "silver'" not in line
                assert "purse" not in line
            if line.startswith("view 0"):
                assert line.count("'silver'") == 1


if __name__ == "__main__":
    for name, play in PLAYS.items():
        write_playthrough(HERE / f"{name}.txt", told(play))
