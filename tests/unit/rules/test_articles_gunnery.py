"""Gunnery: AOW-45 to AOW-50, vectors T7 to T9."""

import pytest

from companion.rules.articles_of_war.actions import Fire
from companion.rules.game import PlayerId
from companion.rules.hexes import DIRECTION_NAMES, step

P0 = PlayerId(0)


def test_only_the_hex_exactly_as_far_is_hit(battle):
    """AOW-45."""
    fight = battle({"red": [(0, 0)], "blue": [(2, 0), (3, 0)]}, sails=(2,), cannons=(3,))
    assert fight.why_not_fire((0, 0), 2, "E") == "AOW-45"
    fight.fire((0, 0), 3, "E")
    assert fight.cells("blue") == [(2, 0)]


@pytest.mark.parametrize(
    ("cannons", "said"), [((1, 1), "1 hex, not"), ((1, 3), "1 or 3 hexes, not")]
)
def test_a_refused_shot_says_how_far_it_may_fly(cannons, said, battle):
    """AOW-45: one hex is not "1 hexes"."""
    fight = battle({"red": [(0, 0)], "blue": [(2, 0)]}, sails=(2,), cannons=cannons)
    shot = Fire(fight.player, (0, 0), 2, DIRECTION_NAMES.index("E"))
    assert said in fight.game.check(fight.state, shot).reason


@pytest.mark.parametrize("way", DIRECTION_NAMES)
def test_a_shot_off_the_map_or_at_empty_water_is_spent(way, battle):
    """AOW-45: all six lead to the same state."""
    fight = battle({"red": [(5, 0)], "blue": [(0, 1)]}, sails=(2,), cannons=(2,))
    fight.fire((5, 0), 2, way)
    other = battle({"red": [(5, 0)], "blue": [(0, 1)]}, sails=(2,), cannons=(2,))
    other.fire((5, 0), 2, "NW")
    assert fight.state == other.state
    assert hash(fight.state) == hash(other.state)
    assert fight.state.cannons == ()


def test_a_hit_sinks_and_pays_one(battle):
    """AOW-46, AOW-58."""
    fight = battle({"red": [(0, 0)], "blue": [(4, 0), (0, 5)]}, sails=(2,), cannons=(4,))
    fight.fire((0, 0), 4, "E")
    assert fight.cells("blue") == [(0, 5)]
    assert (fight.state.gold, fight.state.lost) == ((3, 2), (0, 1))
    assert fight.happenings[0].coins == ((P0, 1),)
    assert fight.rules() == ["AOW-46"]


@pytest.mark.parametrize(
    ("between", "hit"),
    [("volcano", False), ("desert", True), ("reef", True), ("own", True), ("enemy", True)],
)
def test_what_blocks_a_shot(between, hit, battle):
    """AOW-47."""
    ships = {"red": [(0, 0)], "blue": [(4, 0), (0, 5)]}
    terrain = {}
    if between == "own":
        ships["red"] = [((0, 0), -1), ((2, 0), 7)]
    elif between == "enemy":
        ships["blue"] = [(4, 0), (2, 0)]
    else:
        terrain[(2, 0)] = between
    fight = battle(ships, terrain, sails=(2,), cannons=(4,)).fire((0, 0), 4, "E")
    assert ((4, 0) not in fight.cells("blue")) is hit


def test_a_volcano_beyond_the_target_does_not_matter(battle):
    """AOW-47: strictly between."""
    terrain = {(3, 0): "volcano", (0, 1): "volcano"}
    fight = battle({"red": [(0, 0)], "blue": [(2, 0), (0, 5)]}, terrain, sails=(2,), cannons=(2,))
    assert fight.fire((0, 0), 2, "E").cells("blue") == [(0, 5)]


def test_vector_t7_cannon_three(battle):
    """AOW-11, AOW-47, T7."""
    for index, way in enumerate(DIRECTION_NAMES):
        target = step((0, 0), index, 3)
        fight = battle(
            {"green": [(0, 0)], "blue": [target, (5, -1)]}, turn="green", sails=(2,), cannons=(3,)
        )
        assert fight.fire((0, 0), 3, way).cells("blue") == [(5, -1)]
    near = battle({"green": [(0, 0)], "blue": [(2, 0)]}, turn="green", sails=(2,), cannons=(3,))
    assert near.fire((0, 0), 3, "E").cells("blue") == [(2, 0)]
    for tile, gold in (("volcano", 2), ("desert", 3), ("reef", 3)):
        ships = {"green": [(0, 0)], "blue": [(0, -3), (5, -1)]}
        shot = battle(ships, {(0, -1): tile}, turn="green", sails=(2,), cannons=(3,)).fire(
            (0, 0), 3, "NW"
        )
        assert shot.state.gold[0] == gold


def test_vector_t8_order_matters(battle):
    """AOW-26, AOW-46, T8."""
    ships = {"green": [(0, 0)], "yellow": [(4, 0)], "red": [(3, -4)], "gray": [(-1, 4)]}
    first = battle(ships, turn="green", sails=(3,), cannons=(4,)).fire((0, 0), 4, "E")
    assert (first.cells("yellow"), first.state.gold[0]) == ([], 3)
    for way, colour in (("NW", "red"), ("SW", "gray")):
        moved = (
            battle(ships, turn="green", sails=(3,), cannons=(4,))
            .sail((0, 0), 3, "E")
            .fire((3, 0), 4, way)
        )
        assert moved.cells(colour) == []
    over = (
        battle(ships, turn="green", sails=(3,), cannons=(4,))
        .sail((0, 0), 3, "E")
        .fire((3, 0), 4, "E")
    )
    assert over.cells("yellow") == [(4, 0)]


def test_vector_t9_over_the_target(battle):
    """AOW-48, T9."""
    fight = battle({"red": [(0, 0)], "blue": [(3, 0)]}, sails=(2,), cannons=(4,))
    fight.fire((0, 0), 4, "E")
    assert (fight.cells("blue"), fight.state.cannons, fight.state.gold) == ([(3, 0)], (), (2, 2))


def test_own_ships_are_never_hit(battle):
    """AOW-49."""
    ships = {"red": [(0, 0), ((3, 0), 7)], "blue": [(0, 5)]}
    fight = battle(ships, sails=(2,), cannons=(3,)).fire((0, 0), 3, "E")
    assert fight.cells("red") == [(0, 0), (3, 0)]
    assert fight.state.gold == (2, 2)


def test_the_merchant_sinks_for_nothing(battle):
    """AOW-50, T13."""
    ships = {"red": [(0, 0)], "blue": [(0, 5)], "white": [(2, 0)]}
    fight = battle(ships, sails=(2,), cannons=(2,)).fire((0, 0), 2, "E")
    assert fight.cells("white") == []
    assert (fight.state.gold, fight.rules()) == ((2, 2), ["AOW-50"])
    assert fight.happenings[0].coins == ()
