"""Sailing and terrain: AOW-33 to AOW-44, vectors T4 to T6, T12, T14."""

import pytest

from companion.rules.articles_of_war.state import OnReef
from companion.rules.game import PlayerId

P0, P1 = PlayerId(0), PlayerId(1)
FAR = {"blue": [(-5, 5)]}
ALL = {"E", "NE", "NW", "W", "SW", "SE"}
FORBID = {"destructive_moves": "forbidden-if-alternative"}


def test_a_sail_is_used_in_full(battle):
    """AOW-33."""
    fight = battle({"red": [(0, 0)], **FAR}, sails=(3, 4))
    assert fight.why_not_sail((0, 0), 2, "E") == "AOW-33"
    fight.sail((0, 0), 3, "NE")
    assert fight.cells("red") == [(3, -3)]


def test_own_ships_are_passed_but_never_joined(battle):
    """AOW-34."""
    fight = battle({"red": [(0, 0), (2, 0), (0, 3)], **FAR}, sails=(3, 3, 2, 2, 2, 2))
    assert fight.why_not_sail((0, 0), 2, "E") == "AOW-34"
    assert fight.why_not_sail((0, 0), 3, "SE") == "AOW-34"
    assert fight.ends((0, 0), 2) == ALL - {"E"}


def test_own_ship_beyond_a_wreck_or_an_enemy_does_not_matter(battle):
    """AOW-34: what counts is where the ship would actually stop."""
    fight = battle(
        {"red": [(0, 0), (3, 0), (-3, 0)], "blue": [(2, 0), (5, -5)]},
        {(-1, 0): "volcano"},
        sails=(3,) * 6,
    )
    assert {"E", "W"} <= fight.ends((0, 0), 3)
    fight.sail((0, 0), 3, "E")
    assert fight.asked() == "boarding"


def test_vector_t4_sail_three(battle):
    """AOW-34, AOW-39, AOW-44, T4."""
    ships = {"red": [(0, 0), (3, 0)], **FAR}
    fight = battle(ships, {(1, -1): "volcano"}, sails=(3,) * 4)
    assert fight.why_not_sail((0, 0), 3, "E") == "AOW-34"
    assert fight.ends((0, 0), 3) == ALL - {"E"}
    fight.sail((0, 0), 3, "NE")
    assert fight.cells("red") == [(3, 0)]
    strict = battle(ships, {(1, -1): "volcano"}, sails=(3,) * 4, options=FORBID)
    assert strict.ends((0, 0), 3) == {"NW", "W", "SW", "SE"}
    assert strict.why_not_sail((0, 0), 3, "NE") == "AOW-44"


def test_vector_t5_passing_an_own_ship(battle):
    """AOW-34, T5."""
    fight = battle({"red": [(0, 0), (2, 0)], **FAR}, sails=(3,) * 4)
    fight.sail((0, 0), 3, "E")
    assert fight.cells("red") == [(2, 0), (3, 0)]


def test_vector_t6_two_sails(battle):
    """AOW-35, AOW-40, T6."""
    fight = battle({"red": [(-4, 0)], **FAR}, {(0, -2): "desert"}, sails=(3, 4))
    fight.sail((-4, 0), 4, "E")
    assert fight.why_not_sail((0, 0), 3, "W") == "AOW-35"
    assert fight.ends((0, 0), 3) == ALL - {"W"}
    strict = battle({"red": [(-4, 0)], **FAR}, {(0, -2): "desert"}, sails=(3, 4), options=FORBID)
    strict.sail((-4, 0), 4, "E")
    assert strict.ends((0, 0), 3) == {"E", "NE", "SW", "SE"}
    fight.sail((0, 0), 3, "NW")
    assert "AOW-40" in fight.rules()


def test_no_ban_on_turning_back_next_turn_nor_after_a_shot(battle):
    """AOW-35."""
    fight = battle({"red": [(0, 0)], "blue": [(-5, 5)]}, sails=(2, 2))
    fight.sail((0, 0), 2, "E").sail((2, 0), 2, "E")
    fight.take(2, 0).throw((2, 2)).sail((-5, 5), 2, "E").sail((-3, 5), 2, "NE")
    fight.take(2, 0).throw((2, 2))
    assert "W" in fight.ends((4, 0), 2)
    shot = battle({"red": [(0, 0)], **FAR}, sails=(2,), cannons=(1,)).fire((0, 0), 1, "E")
    assert shot.ends((0, 0), 2) == ALL


def test_declared_direction_counts_after_a_boarding(battle):
    """AOW-35, AOW-56."""
    fight = battle({"red": [(0, 0)], "blue": [(2, 0), (-4, 0)]}, sails=(2, 4))
    fight.sail((0, 0), 4, "E").roll(5, 1).scuttle()
    assert fight.why_not_sail((2, 0), 2, "W") == "AOW-35"
    assert fight.ends((2, 0), 2) == ALL - {"W"}


def test_entering_an_enemy_hex_ends_the_move(battle):
    """AOW-36: the first of two enemies in line; the rest of the die is lost."""
    fight = battle({"red": [(0, 0)], "blue": [(1, 0), (2, 0)]}, sails=(4, 4))
    fight.sail((0, 0), 4, "E")
    assert fight.state.mover.cell == (1, 0)
    assert fight.rules() == ["AOW-51"]
    fight.roll(5, 1).scuttle()
    assert fight.cells("red") == [(1, 0)]


def test_leaving_the_map_costs_the_ship_and_pays_nobody(battle):
    """AOW-37, AOW-58."""
    fight = battle({"red": [(4, 1), (0, 0)], **FAR}, sails=(2,) * 4)
    fight.sail((4, 1), 2, "E")
    assert fight.cells("red") == [(0, 0)]
    assert fight.rules() == ["AOW-37"]
    assert (fight.state.gold, fight.state.lost) == ((2, 2), (1, 0))


def test_vector_t14_edge(battle):
    """AOW-37, T14."""
    fight = battle({"red": [(4, 0), (0, 0)], **FAR}, sails=(2,) * 4)
    fight.sail((4, 0), 2, "E")
    assert fight.cells("red") == [(0, 0)]
    assert fight.state.gold == (2, 2)


def test_terrain_comes_before_the_enemy(battle):
    """AOW-38: an enemy on a reef is boarded only after the roll for the reef."""
    fight = battle({"red": [(0, 0)], "blue": [(2, 0), (-5, 5)]}, {(2, 0): "reef"}, sails=(3, 3))
    fight.sail((0, 0), 3, "E")
    assert isinstance(fight.state.stage, OnReef)
    assert fight.game.layout(fight.state).at((2, 0)).ships == ("blue", "red")
    fight.roll(2)
    assert fight.asked() == "boarding"
    assert fight.rules() == ["AOW-41", "AOW-51"]


def test_volcano_destroys(battle):
    """AOW-39."""
    fight = battle({"red": [(0, 0), (0, 2)], **FAR}, {(2, 0): "volcano"}, sails=(3,) * 4)
    fight.sail((0, 0), 3, "E")
    assert fight.rules() == ["AOW-39"]
    assert (fight.cells("red"), fight.state.gold) == ([(0, 2)], (2, 2))


def test_desert_beaches(battle):
    """AOW-40."""
    fight = battle({"red": [(0, 0), (0, 2)], **FAR}, {(3, 0): "desert"}, sails=(3,) * 4)
    fight.sail((0, 0), 3, "E")
    assert fight.rules() == ["AOW-40"]
    assert (fight.cells("red"), fight.state.gold) == ([(0, 2)], (2, 2))


@pytest.mark.parametrize(("face", "survives"), [(1, False), (2, True), (5, True)])
def test_reef_asks_the_owner_for_a_cannonball_die(face, survives, battle):
    """AOW-41."""
    fight = battle({"red": [(0, 0), (0, 2)], **FAR}, {(2, 0): "reef"}, sails=(3,) * 4)
    fight.sail((0, 0), 3, "E")
    pending = fight.game.pending(fight.state)
    assert (pending.player, pending.phase, pending.dice) == (P0, "reef", ("cannon",))
    assert pending.text == "Red: roll a cannonball die for the reef at G9, a 1 loses the ship"
    assert fight.game.layout(fight.state).at((2, 0)).ships == ("red",)  # it waits on the reef
    assert fight.game.view(fight.state, None).seats[0].ships == 2
    fight.roll(face)
    assert fight.cells("red") == ([(0, 2), (3, 0)] if survives else [(0, 2)])
    assert fight.rules()[0] == "AOW-41"
    assert fight.state.gold == (2, 2)


def test_a_reef_roll_is_one_cannonball_die(battle):
    """AOW-41."""
    from companion.rules.deeds import roll
    from companion.rules.layout import Die

    fight = battle({"red": [(0, 0)], **FAR}, {(2, 0): "reef"}, sails=(3, 3)).sail((0, 0), 3, "E")
    assert fight.refusal(roll(Die("sail", 3))) == "AOW-41"
    assert fight.refusal(roll(Die("cannon", 3), Die("cannon", 3))) == "AOW-41"
    assert fight.refusal(roll(Die("cannon", 6))) == "AOW-4"
    assert fight.why_not_sail((2, 0), 3, "E") == "AOW-41"


def test_vector_t12_two_reefs(battle):
    """AOW-42, T12."""
    reefs = {(1, 0): "reef", (2, 0): "reef"}
    fight = battle({"red": [(0, 0), (0, 2)], **FAR}, reefs, sails=(2, 3), cannons=(1, 4))
    fight.sail((0, 0), 3, "E").roll(2)
    assert fight.state.stage.mover.cell == (2, 0)
    fight.roll(1)
    assert (fight.cells("red"), fight.state.gold) == ([(0, 2)], (2, 2))
    assert (fight.state.sails, fight.state.cannons) == ((2,), (1, 4))
    # The lost ship's share is surplus; one sail and one cannonball remain to be spent.
    fight.sail((0, 2), 2, "E").fire((2, 2), 4, "W")
    assert fight.player == P1


def test_no_roll_for_starting_on_or_leaving_a_reef(battle):
    """AOW-43."""
    fight = battle({"red": [(0, 0)], **FAR}, {(0, 0): "reef"}, sails=(2, 2))
    fight.sail((0, 0), 2, "E")
    assert fight.asked() == "spend"


def test_passing_an_own_ship_on_a_reef_still_rolls(battle):
    """AOW-41, AOW-34."""
    fight = battle({"red": [(0, 0), (2, 0)], **FAR}, {(2, 0): "reef"}, sails=(3,) * 4)
    fight.sail((0, 0), 3, "E")
    assert fight.game.layout(fight.state).at((2, 0)).ships == ("red", "red")
    fight.roll(1)
    assert fight.cells("red") == [(2, 0)]


def test_destructive_moves_are_legal_by_default(battle):
    """AOW-44."""
    ring = dict.fromkeys([(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)], "volcano")
    assert battle({"red": [(0, 0)], **FAR}, ring, sails=(2, 2)).ends((0, 0), 2) == ALL
    # Forbidden only while there is another way for this die and ship.
    walled = battle({"red": [(0, 0)], **FAR}, ring, sails=(2, 2), options=FORBID)
    assert walled.ends((0, 0), 2) == ALL
    del ring[(0, 1)]
    opened = battle({"red": [(0, 0)], **FAR}, ring, sails=(2, 2), options=FORBID)
    assert opened.ends((0, 0), 2) == {"SE"}
    assert opened.why_not_sail((0, 0), 2, "E") == "AOW-44"


def test_leaving_the_map_is_never_forbidden_as_destructive(battle):
    """AOW-44, AOW-37."""
    fight = battle({"red": [(5, 0)], **FAR}, sails=(2, 2), options=FORBID)
    assert "E" in fight.ends((5, 0), 2)
