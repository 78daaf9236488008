"""The turn: AOW-23 to AOW-32, vectors T1 to T3."""

from fractions import Fraction

import pytest

from companion.rules.articles_of_war.actions import ChooseDice, Fire, Sail
from companion.rules.articles_of_war.state import DONE, FIRED, TAKEN, Rolling
from companion.rules.articles_of_war.turns import dice_sets
from companion.rules.deeds import roll
from companion.rules.game import Happening, PlayerId
from companion.rules.layout import Die

P0, P1 = PlayerId(0), PlayerId(1)
THREE = [(0, 0), (1, -3), (-2, 3)]


def test_two_dice_a_ship_before_rolling(battle):
    """AOW-23."""
    fight = battle({"red": [(0, 0), (0, 2)], "blue": [(4, 0)]})
    assert fight.legal() == (ChooseDice(P0, 2, 2), ChooseDice(P0, 3, 1), ChooseDice(P0, 4, 0))
    assert fight.refusal(ChooseDice(P0, 2, 0)) == "AOW-23"
    assert fight.refusal(ChooseDice(P0, -1, 5)) == "AOW-24"
    assert fight.refusal(roll(Die("sail", 2))) == "AOW-23"


@pytest.mark.parametrize(
    ("ships", "sets"),
    [
        (1, ((1, 1), (2, 0))),
        (2, ((2, 2), (3, 1), (4, 0))),
        (3, ((3, 3), (4, 2), (5, 1), (6, 0))),
    ],
)
def test_legal_sets_of_dice(ships, sets):
    """AOW-24."""
    assert dice_sets(ships) == sets


def test_vector_t1_dice_set(battle):
    """AOW-24, T1."""
    fight = battle({"green": THREE, "blue": [(4, 0)]}, turn="green")
    assert ChooseDice(P0, 4, 2) in fight.legal()
    assert fight.refusal(ChooseDice(P0, 2, 4)) == "AOW-24"
    assert fight.refusal(ChooseDice(P0, 5, 2)) == "AOW-23"


def test_all_dice_are_rolled_together_once(battle):
    """AOW-25."""
    fight = battle({"red": [(0, 0), (0, 2)], "blue": [(4, 0)]}).take(3, 1)
    assert fight.state.stage == Rolling(3, 1)
    pending = fight.game.pending(fight.state)
    assert pending.dice == ("cannon", "sail", "sail", "sail")
    outcomes = dict(fight.game.chance_outcomes(fight.state))
    assert len(outcomes) == 10 * 5
    assert sum(outcomes.values()) == 1
    # three sails showing 2, 3, 4: 3! orders x 1/4 x 1/2 x 1/4, and one cannonball in five
    shown = roll(Die("sail", 4), Die("sail", 2), Die("cannon", 5), Die("sail", 3))
    assert outcomes[shown] == Fraction(6, 32) * Fraction(1, 5)
    fight.do(shown)
    assert (fight.state.sails, fight.state.cannons) == ((2, 3, 4), (5,))
    assert fight.refusal(shown) == "AOW-26"


def test_the_dice_rolled_must_be_those_chosen(battle):
    """AOW-25, AOW-3, AOW-4."""
    fight = battle({"red": [(0, 0)], "blue": [(4, 0)]}).take(1, 1)
    assert fight.refusal(roll(Die("sail", 2))) == "AOW-25"
    assert fight.refusal(roll(Die("sail", 2), Die("sail", 3))) == "AOW-25"
    assert fight.refusal(roll(Die("sail", 5), Die("cannon", 3))) == "AOW-3"
    assert fight.refusal(roll(Die("sail", 2), Die("cannon", 6))) == "AOW-4"
    from companion.rules.deeds import Roll
    from companion.rules.game import CHANCE

    unsorted = Roll(CHANCE, (Die("sail", 2), Die("cannon", 3)))
    assert fight.refusal(unsorted) == "AOW-25"


def test_dice_are_spent_on_own_ships_in_any_order(battle):
    """AOW-26."""
    fight = battle({"red": [(0, 0), (0, 2)], "blue": [(4, 0)]}, sails=(2, 2, 3), cannons=(1,))
    fight.sail((0, 0), 2, "NE").fire((0, 2), 1, "E").sail((2, -2), 3, "NW").sail((0, 2), 2, "SW")
    assert fight.player == P1
    other = battle({"red": [(0, 0), (0, 2)], "blue": [(4, 0)]}, sails=(2, 2, 3), cannons=(1,))
    assert other.why_not_sail((4, 0), 2, "E") == "AOW-26"
    assert other.why_not_sail((1, 0), 2, "E") == "AOW-26"
    other.fire((0, 0), 1, "E")
    assert other.why_not_fire((0, 2), 1, "E") == "AOW-26"


def test_sail_dice_used_up(battle):
    """AOW-26."""
    fight = battle({"red": [((0, 0), 0)], "blue": [(4, 0)]}, cannons=(3,))
    assert fight.why_not_sail((0, 0), 3, "E") == "AOW-26"


def test_each_ship_exactly_two_dice_one_of_them_a_sail(battle):
    """AOW-27."""
    fight = battle(
        {"red": [((0, 0), DONE), ((0, 2), FIRED), (0, -2)], "blue": [(4, 0)]},
        sails=(2, 2, 3),
        cannons=(4,),
    )
    assert fight.why_not_sail((0, 0), 2, "E") == "AOW-27"
    assert fight.why_not_fire((0, 0), 4, "E") == "AOW-27"
    assert fight.why_not_fire((0, 2), 4, "E") == "AOW-27"
    assert {a.ship for a in fight.legal() if isinstance(a, Fire)} == {(0, -2)}
    assert {a.ship for a in fight.legal() if isinstance(a, Sail)} == {(0, 2), (0, -2)}


def test_vector_t2_spending_six_dice(battle):
    """AOW-27, AOW-28, T2."""
    fight = battle({"red": THREE, "blue": [(4, 0)]}, sails=(2, 2, 2, 2), cannons=(1, 1))
    fight.fire((0, 0), 1, "W")
    assert fight.why_not_fire((0, 0), 1, "E") == "AOW-27"
    fight = battle({"red": THREE, "blue": [(4, 0)]}, sails=(2, 2, 2, 2), cannons=(1, 1))
    fight.sail((0, 0), 2, "W").sail((-2, 0), 2, "NW")  # A has S, S
    assert fight.why_not_sail((-2, -2), 2, "E") == "AOW-27"
    fight.sail((1, -3), 2, "SE").fire((1, -1), 1, "W")  # B has S, C
    assert fight.why_not_sail((1, -1), 2, "E") == "AOW-27"
    assert {(type(a), a.die) for a in fight.legal()} == {(Sail, 2), (Fire, 1)}
    fight.fire((-2, 3), 1, "W").sail((-2, 3), 2, "E")
    assert fight.player == P1


def test_vector_t3_feasibility(battle):
    """AOW-28, T3."""
    fight = battle({"red": [(0, 0), (0, 2)], "blue": [(4, 0)]}, sails=(2, 2), cannons=(1, 1))
    fight.sail((0, 0), 2, "W")
    assert fight.why_not_sail((-2, 0), 2, "W") == "AOW-28"
    assert {a.ship for a in fight.legal() if isinstance(a, Sail)} == {(0, 2)}
    fight.fire((-2, 0), 1, "W")


def test_spending_is_compulsory_even_at_nothing(battle):
    """AOW-29: no passing; a cannonball may be spent on empty water."""
    fight = battle({"red": [((0, 0), 0)], "blue": [(4, -1)]}, cannons=(1,))
    assert len(fight.legal()) == 6
    assert all(isinstance(action, Fire) for action in fight.legal())
    fight.fire((0, 0), 1, "SW")
    assert fight.player == P1


def test_a_die_that_no_way_is_open_for(battle):
    """AOW-29: the ship still wants it, no ship was lost."""
    red = [((0, 0), 0), ((2, 0), 1), ((2, -2), DONE)]
    green, yellow = [(0, -2), (-2, 2), (0, 2)], [(-5, 1)]
    ships = {"red": red, "blue": [(-5, 0)], "green": green, "yellow": yellow}
    stuck = battle(ships, sails=(2,), cannons=(1,), options={"duel": True}, seats=(0, 1, 0, 1))
    stuck.fire((2, 0), 1, "E")
    assert stuck.happenings == [Happening("Forfeited: sail 2", "AOW-29")]
    assert stuck.player == P1


def test_a_lost_ship_forfeits_its_share(battle):
    """AOW-30: the pool stays common, the player chooses what is left over."""
    fight = battle({"red": [(5, 0), (0, 2)], "blue": [(-4, 0)]}, sails=(2, 3, 4), cannons=(5,))
    fight.sail((5, 0), 2, "E")
    assert fight.cells("red") == [(0, 2)]
    assert {a.die for a in fight.legal()} == {3, 4, 5}
    fight.sail((0, 2), 3, "NE")
    assert {a.die for a in fight.legal()} == {4, 5}  # any die may be the last
    fight.fire((3, -1), 5, "E")
    assert fight.rules() == ["AOW-30"]
    assert (fight.player, fight.state.sails, fight.state.cannons) == (P1, (), ())


def test_surplus_cannonballs_do_not_bind(battle):
    """AOW-30: with one ship left of two, S, S is as good as S, C."""
    fight = battle({"red": [(5, 0), (0, 2)], "blue": [(-4, 0)]}, sails=(2, 2, 2), cannons=(5,))
    fight.sail((5, 0), 2, "E").sail((0, 2), 2, "NE").sail((2, 0), 2, "W")
    assert fight.player == P1


def test_ships_gained_this_turn_get_no_dice(battle):
    """AOW-31."""
    fight = battle({"red": [(0, 0)], "blue": [(4, 0), (4, -4)], "white": [(2, 0)]}, sails=(2, 2))
    fight.sail((0, 0), 2, "E").press((2, 1))
    assert fight.why_not_sail((2, 1), 2, "E") == "AOW-31"
    assert {a.ship for a in fight.legal()} == {(2, 0)}
    fight.sail((2, 0), 2, "NE")
    assert {ship.duty for ship in fight.state.ships} == {-1}
    assert TAKEN not in {ship.duty for ship in fight.state.ships}


def test_players_without_ships_are_skipped(battle):
    """AOW-32."""
    fight = battle(
        {"red": [((0, 0), 0)], "blue": [], "green": [(4, 0)], "gray": [(-4, 0)]}, cannons=(1,)
    )
    fight.fire((0, 0), 1, "E")
    assert fight.state.fleet.colour == "green"
    assert fight.state.round == 1


def test_a_round_is_one_go_of_every_captain(battle):
    """AOW-13, AOW-32."""
    fight = battle({"blue": [(3, 0)], "red": [((0, 0), 0)], "green": []}, cannons=(1,), turn="red")
    fight.fire((0, 0), 1, "E")
    assert (fight.state.fleet.colour, fight.state.round) == ("blue", 2)
