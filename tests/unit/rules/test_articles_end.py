"""Scoring and end: AOW-58 to AOW-63, vector T15."""

import pytest

from companion.errors import GameIsOver
from companion.rules.articles_of_war.actions import Pass
from companion.rules.articles_of_war.options import Purse
from companion.rules.articles_of_war.state import Finished
from companion.rules.deeds import roll
from companion.rules.game import CHANCE, GameOver, PlayerId
from companion.rules.layout import Die

P0, P1 = PlayerId(0), PlayerId(1)


def test_what_the_rules_pay():
    """AOW-58: every amount, as data; each is also seen at work in the other tests."""
    purse = Purse()
    assert (purse.start, purse.third_ship) == (2, 2)
    assert (purse.sunk, purse.scuttled, purse.last_afloat) == (1, 1, 1)
    assert (purse.merchant_scuttled, purse.merchant_sunk) == (1, 0)


def test_the_battle_ends_at_once(battle):
    """AOW-59: unspent dice do not matter."""
    fight = battle({"red": [(0, 0), (0, 3)], "blue": [(4, 0)]}, sails=(2, 2, 3), cannons=(4,))
    fight.fire((0, 0), 4, "E")
    assert isinstance(fight.state.stage, Finished)
    assert (fight.state.sails, fight.rules()) == ((), ["AOW-46", "AOW-59"])
    assert fight.happenings[1].coins == ((P0, 1),)
    assert isinstance(fight.game.pending(fight.state), GameOver)
    for player in (P0, P1, CHANCE):
        assert fight.game.legal_actions(fight.state, player) == ()
    assert fight.refusal(Pass(P0)) == "AOW-59"
    with pytest.raises(GameIsOver):
        fight.game.apply(fight.state, roll(Die("sail", 2)))


def test_vector_t15_end(battle):
    """AOW-58, AOW-59, T15."""
    ships = {"red": [(0, 0)], "blue": [(4, 0)]}
    sunk = battle(ships, sails=(2,), cannons=(4,)).fire((0, 0), 4, "E")
    assert sunk.state.gold == (4, 2)
    fled = battle({"red": [(4, -4)], "blue": [(4, 0)]}, sails=(2, 2)).sail((4, -4), 2, "NE")
    assert fled.state.gold == (2, 3)
    outcome = fled.game.outcome(fled.state)
    assert (outcome.placing, outcome.rule) == (((P1,), (P0,)), "AOW-59")
    assert "Blue" in outcome.reason


def test_a_press_can_end_the_battle(battle):
    """AOW-59: the choice comes first."""
    fight = battle({"red": [(0, 0)], "blue": [(2, 0)]}, sails=(2, 2)).sail((0, 0), 2, "E")
    fight.roll(5, 1).press((3, 0))
    assert (fight.state.gold, fight.rules()) == ((3, 2), ["AOW-53", "AOW-59"])


def test_the_merchant_is_nobodys_ship(battle):
    """AOW-60."""
    ships = {"red": [(0, 0)], "blue": [(4, 0)], "white": [(0, 4)]}
    fight = battle(ships, sails=(2,), cannons=(4,)).fire((0, 0), 4, "E")
    assert isinstance(fight.state.stage, Finished)


def test_nobody_afloat_pays_no_bonus(battle):
    """AOW-61: cannot happen in the basic game, but the rules have an answer."""
    fight = battle({"red": [], "blue": []}, stage=Finished())
    outcome = fight.game.outcome(fight.state)
    assert (outcome.rule, outcome.placing) == ("AOW-61", ((P0, P1),))


def test_ties_share_the_place(battle):
    """AOW-62."""
    from dataclasses import replace

    fight = battle({"red": [(0, 0)], "blue": [], "green": []}, stage=Finished())
    fight.state = replace(fight.state, gold=(3, 3, 5))
    assert fight.game.outcome(fight.state).placing == ((2,), (0, 1))


def test_tie_break_by_last_afloat_then_losses(battle):
    """AOW-62."""
    from dataclasses import replace

    ships = {"red": [(0, 0)], "blue": [], "green": []}
    fight = battle(ships, stage=Finished(), options={"tie_break": "last-afloat"})
    fight.state = replace(fight.state, gold=(3, 3, 3), lost=(2, 3, 2))
    assert fight.game.outcome(fight.state).placing == ((0,), (2,), (1,))
    fight.state = replace(fight.state, gold=(2, 3, 3), lost=(2, 2, 2))
    assert fight.game.outcome(fight.state).placing == ((1, 2), (0,))


def test_the_bank_is_unlimited(battle):
    """AOW-63."""
    ships = {"red": [(0, 0)], "blue": [(4, 0), (0, 5)]}
    fight = battle(ships, sails=(2,), cannons=(4,), gold=30).fire((0, 0), 4, "E")
    assert fight.state.gold[0] == 31
