"""The table knows no particular game: it follows a toy race by pictures alone."""

from __future__ import annotations

import ast
from pathlib import Path
from random import Random

import pytest

import companion.table
from companion.rules.game import ChanceRoll, GameOver
from companion.rules.layout import Die
from companion.table.commands import Undo
from tests.table.toy import ToyRace, open_race

GAME = ToyRace()


def test_a_whole_race_is_followed_by_pictures_alone() -> None:
    referee, hands = open_race(GAME)
    truth, rng = referee.state, Random(8)
    while not isinstance(pending := GAME.pending(truth), GameOver):
        if isinstance(pending, ChanceRoll):
            action = rng.choice(GAME.legal_actions(truth, -1))  # type: ignore[arg-type]
            truth = GAME.apply(truth, action).state
            hands.throw(GAME.rolled(action))
            hands.lay_pieces(GAME.layout(truth))
        else:
            truth = GAME.apply(truth, GAME.legal_actions(truth, pending.player)[0]).state
            hands.lay(GAME.layout(truth))
        referee.observe(hands.look())
        assert referee.state == truth
    shown = referee.snapshot()
    assert shown.over
    assert "First at the goal (TOY-4)" in shown.result
    assert shown.log[-1].consequences == ("A step nearer (TOY-3)",)


def test_the_rules_of_any_game_speak_to_the_phone() -> None:
    referee, hands = open_race(GAME)
    hands.throw([Die("coin", 1)])
    referee.observe(hands.look())
    far = GAME.layout(GAME.setup(["Ann", "Bob"], {})).cells
    moved = {(2, 0): far[-3, 0], (-3, 1): far[-3, 1]}
    hands.lay_pieces(type(hands.layout)(moved, (Die("coin", 1),)))
    referee.observe(hands.look())
    notice = referee.snapshot().notice
    assert notice is not None
    assert (notice.rule, notice.seat) == ("TOY-2", 0)


def test_no_module_of_the_table_imports_a_game() -> None:
    folder = Path(companion.table.__file__).parent
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            module = node.module if isinstance(node, ast.ImportFrom) else None
            assert not (module or "").startswith("companion.rules.articles"), path.name
            assert module != "companion.rules.catalogue", path.name


@pytest.mark.parametrize("coin", [1, 2])
def test_a_roll_that_was_taken_back_may_show_the_same_when_it_is_thrown_again(coin: int) -> None:
    referee, hands = open_race(ToyRace())
    hands.throw([Die("coin", 1)])
    referee.observe(hands.look(has_tumbled=True))
    assert referee.state.coin == 1
    referee.command(Undo())
    assert referee.state.coin is None
    hands.sweep()
    hands.throw([Die("coin", coin)])
    referee.observe(hands.look(has_tumbled=True))
    assert referee.state.coin == coin


def test_what_was_thrown_after_the_end_is_no_roll_once_that_is_taken_back() -> None:
    referee, hands = open_race(ToyRace())

    def throw(coin: int) -> None:
        hands.sweep()
        hands.throw([Die("coin", coin)])
        referee.observe(hands.look(has_tumbled=True))

    while not referee.snapshot().over:
        throw(2)
        (run,) = GAME.open_actions(referee.state)
        hands.lay(GAME.layout(GAME.apply(referee.state, run).state))
        referee.observe(hands.look(has_tumbled=False))
    throw(1)
    for _ in range(2):  # the run over the line, and the throw before it
        referee.command(Undo())
    hands.lay_pieces(GAME.layout(referee.state))
    for _ in range(3):
        referee.observe(hands.look(has_tumbled=False))
    assert referee.state.coin is None
    throw(1)
    assert referee.state.coin == 1
