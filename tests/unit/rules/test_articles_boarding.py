"""Boarding and prizes: AOW-51 to AOW-57, vectors T10, T11, T13."""

import pytest

from companion.rules.articles_of_war.actions import Press, Scuttle
from companion.rules.deeds import roll
from companion.rules.game import PlayerId
from companion.rules.hexes import neighbours
from companion.rules.layout import Die

P0, P1 = PlayerId(0), PlayerId(1)


@pytest.fixture
def boarding(battle):
    """Red, two ships, boards one of Blue's two at G9."""

    def begin(red=((0, 0), (0, 5)), blue=((2, 0), (-4, 0)), terrain=None, dice=4):
        ships = {"red": list(red), "blue": list(blue)}
        return battle(ships, terrain, sails=(4,) * dice).sail((0, 0), 4, "E")

    return begin


def test_entering_an_enemy_hex_boards(boarding):
    """AOW-51."""
    fight = boarding()
    assert (fight.asked(), fight.rules()) == ("boarding", ["AOW-51"])
    assert fight.game.layout(fight.state).at((2, 0)).ships == ("blue", "red")
    assert fight.state.count("red") == 2


def test_attacker_then_defender_roll_and_ties_repeat(boarding):
    """AOW-52."""
    fight = boarding()
    pending = fight.game.pending(fight.state)
    assert (pending.player, pending.dice) == (P0, ("cannon",))
    fight.roll(3)
    assert fight.game.pending(fight.state).player == P1
    fight.roll(3)
    assert fight.rules() == ["AOW-52"]
    assert fight.game.pending(fight.state).player == P0
    fight.roll(1, 1).roll(4, 2)
    assert (fight.asked(), fight.player) == ("prize", P0)
    assert fight.refusal(roll(Die("cannon", 4))) == "AOW-53"


def test_boarding_odds(boarding):
    """AOW-52: each roll is one fair cannonball die, so a bout is won with 2/5 and tied with 1/5."""
    fight = boarding()
    wins = ties = 0
    for attack, p in fight.game.chance_outcomes(fight.state):
        second = fight.game.apply(fight.state, attack).state
        for defence, q in fight.game.chance_outcomes(second):
            after = fight.game.apply(second, defence).state
            asked = fight.game.pending(after)
            wins += p * q * (asked.phase == "prize" and asked.player == P0)
            ties += p * q * (asked.phase == "boarding")
    assert (wins * 5, ties * 5) == (2, 1)


def test_vector_t10_attacker_wins(boarding):
    """AOW-51, AOW-52, AOW-53, T10."""
    fight = boarding()
    fight.roll(3, 3, 5, 2).scuttle()
    assert (fight.cells("red"), fight.cells("blue")) == ([(0, 5), (2, 0)], [(-4, 0)])
    assert (fight.state.gold, fight.state.lost) == ((3, 2), (0, 1))
    fight = boarding().roll(5, 2)
    assert len(fight.legal()) == 1 + 6
    fight.press((3, 0))
    assert fight.cells("red") == [(0, 5), (2, 0), (3, 0)]
    assert (fight.state.gold, fight.state.lost) == ((2, 2), (0, 1))
    assert fight.why_not_sail((3, 0), 4, "W") == "AOW-31"
    full = boarding(red=[(0, 0), (0, 5), (-5, 5)], dice=6).roll(5, 2)
    assert full.legal() == (Scuttle(P0),)
    assert full.refusal(Press(P0, (3, 0))) == "AOW-53"


def test_a_prize_needs_an_empty_hex_beside_the_winner(boarding):
    """AOW-54."""
    fight = boarding(terrain={(3, 0): "reef", (3, -1): "desert"}, blue=[(2, 0), (2, 1)]).roll(5, 2)
    assert [a.cell for a in fight.legal() if isinstance(a, Press)] == [(1, 0), (1, 1), (2, -1)]
    for cell in ((3, 0), (3, -1), (2, 1), (2, 0), (4, 0)):
        assert fight.refusal(Press(P0, cell)) == "AOW-54"
    walled = dict.fromkeys(neighbours((2, 0), 5), "reef")
    del walled[(1, 0)]
    fight = boarding(red=[(0, 0), (1, 0)], terrain=walled).roll(5, 2)
    assert fight.legal() == (Scuttle(P0),)
    assert fight.refusal(Press(P0, (3, 0))) == "AOW-54"


def test_a_prize_stays_on_the_map(battle):
    """AOW-54."""
    ships = {"red": [(3, 0), (0, 5)], "blue": [(5, 0), (-4, 0)]}
    fight = battle(ships, sails=(2,) * 4).sail((3, 0), 2, "E").roll(5, 1)
    assert [a.cell for a in fight.legal() if isinstance(a, Press)] == [(4, 0), (4, 1), (5, -1)]


def test_the_defender_may_win_on_the_attackers_turn(boarding):
    """AOW-55."""
    fight = boarding().roll(2, 4)
    assert fight.rules() == ["AOW-55"]
    assert (fight.asked(), fight.player) == ("prize", P1)
    assert fight.refusal(Scuttle(P0)) == "AOW-53"
    fight.press((3, 0))
    assert fight.cells("blue") == [(-4, 0), (2, 0), (3, 0)]
    assert fight.cells("red") == [(0, 5)]
    assert fight.player == P0  # it is still Red's turn
    assert {ship.duty for ship in fight.state.ships if ship.colour == "blue"} == {-1}


def test_vector_t11_lost_boarding(boarding):
    """AOW-55, T11."""
    fight = boarding().roll(1, 4).scuttle()
    assert (fight.cells("red"), fight.state.gold) == ([(0, 5)], (2, 3))
    assert fight.state.lost == (1, 0)
    assert fight.asked() == "spend"


def test_a_boarder_may_spend_its_second_die(boarding):
    """AOW-56."""
    fight = boarding().roll(5, 1).scuttle()
    assert (2, 0) in {action.ship for action in fight.legal()}


def test_a_boarder_with_two_dice_is_done(battle):
    """AOW-56, AOW-27."""
    ships = {"red": [((0, 0), 0), (0, 5)], "blue": [(2, 0), (-4, 0)]}
    fight = battle(ships, sails=(2, 3, 4)).sail((0, 0), 2, "E").roll(5, 1).scuttle()
    assert {action.ship for action in fight.legal()} == {(0, 5)}


@pytest.mark.parametrize("pressed", [False, True])
def test_vector_t13_merchant(pressed, battle):
    """AOW-57, AOW-58, T13: no roll; scuttled +1, pressed 0 and a ship."""
    ships = {"red": [(0, 0)], "blue": [(-4, 0)], "white": [(2, 0)]}
    fight = battle(ships, sails=(2, 3)).sail((0, 0), 3, "E")
    assert (fight.asked(), fight.player, fight.rules()) == ("prize", P0, ["AOW-57"])
    if pressed:
        fight.press((3, 0))
        assert (fight.cells("red"), fight.state.gold) == ([(2, 0), (3, 0)], (2, 2))
    else:
        fight.scuttle()
        assert (fight.cells("red"), fight.state.gold) == ([(2, 0)], (3, 2))
    assert fight.cells("white") == []
    assert fight.state.lost == (0, 0)


def test_a_pressed_merchant_counts_as_a_ship(battle):
    """AOW-57, AOW-53."""
    ships = {"red": [(0, 0), (0, 5), (-5, 5)], "blue": [(-4, 0)], "white": [(2, 0)]}
    fight = battle(ships, sails=(2,) * 6).sail((0, 0), 2, "E")
    assert fight.legal() == (Scuttle(P0),)
