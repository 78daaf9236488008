"""The demo: a whole game read from rendered pictures, in truth and on the phones."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random
from threading import Event
from unittest.mock import Mock

import numpy as np
import pytest

from companion.boards.profile import load_profile
from companion.cli import demo, main
from companion.demo.evening import Hands
from companion.demo.headless import is_ahead, play_headless
from companion.demo.live import LiveCaptains
from companion.rules.catalogue import find_game
from companion.rules.game import ChanceRoll, Decision
from companion.rules.layout import Placed, Pose, make_layout
from vision.virtual.scene import Scene
from vision.virtual.table import VirtualTable


def test_a_whole_game_is_read_from_pictures_without_a_silent_error() -> None:
    report = play_headless(seed=72)
    assert report.silent_errors == 0
    assert report.tally.moves > 20
    assert report.tally.recognised >= 0.7 * report.tally.moves
    assert "AOW-59" in report.result


def test_coins_and_their_dice_are_read_from_pictures_without_a_silent_error() -> None:
    options = {"isla_diablo": True, "turn_cap": 10}
    report = play_headless(seed=5, game="ahoy-matey", players=2, options=options)
    assert report.silent_errors == 0
    assert report.tally.moves > 10
    assert report.tally.recognised >= 0.6 * report.tally.moves


def test_ships_on_squares_and_what_is_told_make_a_game_without_a_silent_error() -> None:
    report = play_headless(seed=3, game="privateer", players=2, options={"round_cap": 4})
    assert report.silent_errors == 0
    assert report.tally.moves > 10
    assert report.tally.recognised >= 0.7 * report.tally.moves
    assert "PRV-68" in report.result


@pytest.mark.parametrize(("game", "least"), [("pirates-csg", 4), ("pirate-wars", 4)])
def test_an_open_table_is_followed_by_its_tags(game: str, least: int) -> None:
    report = play_headless(seed=5, game=game, players=2, options={"rounds": 1})
    assert report.silent_errors == 0
    assert report.tally.moves >= least
    assert report.tally.recognised >= 0.6 * report.tally.moves


def test_a_record_is_ahead_only_by_what_could_not_be_done_otherwise() -> None:
    game, dice, free, forced = find_game("ahoy-matey"), Random(1), 0, 0
    state = game.setup(("Ann", "Ben", "Cid"), {})
    while free < 20 or not forced:
        pending = game.pending(state)
        if isinstance(pending, ChanceRoll):
            action = dice.choice(game.chance_outcomes(state))[0]
        else:
            assert isinstance(pending, Decision)
            actions = game.legal_actions(state, pending.player)
            action = dice.choice(actions)
            after = game.apply(state, action).state
            passes = not game.layout(state).changed(game.layout(after))
            is_forced = len(actions) == 1 and passes
            assert is_ahead(game, after, state) is is_forced
            assert not is_ahead(game, state, after), "the record is behind"
            forced, free = forced + is_forced, free + (not is_forced)
        state = game.apply(state, action).state


REPLAY = """
import itertools
from companion.demo.evening import Evening
from companion.demo.phone import FlaskPhone
from companion.ledger.memory_store import MemoryStore
from web.app import create_app

ticks = itertools.count()
evening = Evening("pirates-csg", 5, MemoryStore(), lambda: next(ticks) / 4, 3, {"rounds": 2})
app = create_app(evening.service)
captains = evening.captains(lambda: FlaskPhone(app), evening.service.look)
for _ in range(7):
    captains.step()
print(next(ticks), *(entry.text for entry in evening.service.table().snapshot().log), sep="\\n")
evening.close()
"""
"""Plays a while and prints how many pictures were taken, and the log."""


def test_a_seeded_demo_replays_exactly_whatever_python_s_hashes_are() -> None:
    said = [
        subprocess.run(
            [sys.executable, "-c", REPLAY],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert said[0] == said[1]
    assert said[0].count("sail") > 1


def test_pieces_held_to_stand_where_they_were_measured_are_not_touched() -> None:
    profile = load_profile("open-table")
    table = VirtualTable(profile, Scene(), np.random.default_rng(1), lambda: 0.0)
    hands = Hands(table, profile, seats=2)
    ships = {n: Placed(Pose(200.0 * n, 300.0, 0.0), "ship", f"ship {n}") for n in (1, 2)}
    hands.lay(make_layout({}, pieces=ships))
    before = dict(table.tagged)
    measured = {n: replace(s, pose=Pose(200.0 * n + 2, 299.0, 0.5)) for n, s in ships.items()}
    hands.accept(make_layout({}, pieces=measured))
    moved = measured | {2: replace(ships[2], pose=Pose(600.0, 500.0, 90.0))}
    hands.lay(make_layout({}, pieces=moved))
    assert table.tagged[1] == before[1]
    assert abs(table.tagged[2].pose.x_mm - 600.0) < 10


def test_the_headless_demo_prints_one_json_object(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["demo", "--headless", "--game", "privateer", "--option", "round_cap=1"]
    assert main([*words, "--seed", "1", "--players", "2", "--json"]) == 0
    counted = json.loads(capsys.readouterr().out)
    assert counted["games"] == 1
    assert counted["silent_errors"] == 0
    assert counted["moves"] == counted["each"][0]["moves"]
    assert {"recognised", "asked"} <= counted.keys()


def test_the_ledger_of_a_demo_is_settled_while_it_plays_and_while_it_stays_open() -> None:
    """A copy of the file alone lacks half a second at most, as that of a table does."""
    captains, evening, store, done = Mock(failure=None), Mock(), Mock(), Mock()
    captains.over.wait.side_effect = [False, False, True]
    done.is_set.return_value, done.wait.side_effect = False, [False, True]
    assert demo._until_over(captains, evening, store, done, False) == 0
    assert store.settle.call_count == 3


def test_captains_who_give_up_have_not_ended_their_game() -> None:
    evening = Mock()
    evening.captains.side_effect = TimeoutError("the scoreboard does not answer")
    captains = LiveCaptains(evening, "http://127.0.0.1:1", 0.0)
    captains.start()
    with pytest.raises(TimeoutError, match="does not answer"):
        demo._until_over(captains, evening, Mock(), Event(), True)
    captains.stop()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["demo", "--headless", "--games", "0"], "at least 1"),
        (["demo", "--headless", "--data", "mine"], "keeps no ledger: leave out --data"),
        (["demo", "--headless", "--game", "article-of-war"], "did you mean 'articles-of-war'?"),
        (["demo", "--headless", "--players", "9"], "2 to 6"),
        (["demo", "--headless", "--option", "radius"], "NAME=VALUE"),
        (["demo", "--headless", "--option", "radios=4"], "did you mean 'radius'"),
        (["demo", "--headless", "--option", "duel=true", "--players", "3"], "two"),
        (["serve", "--camera", "v4l3:0"], "v4l2"),
        (["serve", "--empty", "nowhere.jpg"], "there is no picture 'nowhere.jpg'"),
        (["serve", "--tray-at", "here"], "two numbers of mm, e.g. 505,250"),
        (["serve", "--tray-at", "nan,250"], "two numbers of mm, e.g. 505,250"),
        (["serve", "--host", "no such host"], "or with --host another address"),
    ],
)
def test_a_typing_mistake_gets_a_plain_sentence(
    words: list[str], says: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    if words[0] == "serve":
        words = [*words, "--data", str(tmp_path), "--port", "0"]
    assert main(words) == 2
    printed = capsys.readouterr()
    assert says in printed.err
    assert not printed.out


@pytest.mark.parametrize("port", ["-1", "65536"])
def test_a_port_that_is_none_is_named(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["serve", "--port", port])
    assert f"a port is a number up to 65535, not {port}" in capsys.readouterr().err
