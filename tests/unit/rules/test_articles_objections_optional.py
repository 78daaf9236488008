"""Which rule is named in the stages that only optional rules have."""

from companion.rules.articles_of_war.rules import ArticlesOfWar
from companion.rules.articles_of_war.state import (
    AddingThird,
    ChoosingDice,
    ClearingOcean,
    Drifted,
    Drifting,
    Memory,
    PlacingGrudge,
    RollingWind,
    Storming,
    Window,
)
from companion.rules.layout import CellContent, Die, make_layout

GAME = ArticlesOfWar()
WIND = {"wind": "W"}


def objection(fight, ships, more=()):
    """Return the rule named, and its sentence, when the cells lie so."""
    layout = GAME.layout(fight.state)
    cells = dict(layout.cells)
    for cell, colours in ships.items():
        cells[cell] = CellContent(colours, layout.at(cell).terrain)
    ruling = GAME.objection(fight.state, make_layout(cells, [*layout.dice, *more]))
    return ruling.rule, ruling.reason


def test_nothing_done_says_what_is_to_be_done(battle):
    fight = battle({"red": [(0, 0)], "blue": [(3, 0)]}, stage=Drifting(2), options=WIND)
    assert objection(fight, {}) == ("AOW-80", "Red: move every ship 2 hexes E, downwind.")


def test_the_wind_is_rolled_first(battle):
    fight = battle({"red": [(0, 0)], "blue": [(3, 0)]}, stage=RollingWind(), options=WIND)
    assert objection(fight, {(0, 0): (), (2, 0): ("red",)})[0] == "AOW-80"
    rule, says = objection(fight, {}, more=(Die("cannon", 4),))
    assert (rule, says) == ("AOW-80", "Roll one sail die.")


def test_a_ship_drifted_wrongly(battle):
    ships = {"red": [(0, 0)], "blue": [(3, 0)], "green": [(-2, 0)]}
    fight = battle(ships, stage=Drifting(2), options=WIND)
    rule, says = objection(fight, {(0, 0): (), (2, 1): ("red",)})
    assert (rule, says) == ("AOW-80", "The wind carries Red's ship from G7 2 hexes E, to G9.")
    moved = {(0, 0): ("green",), (2, 0): ("red",), (-2, 0): ()}
    rule, says = objection(fight, moved)
    assert (rule, "Blue's ship on G10 too" in says) == ("AOW-80", True)


def test_a_ship_where_another_of_its_colour_was_is_not_called_astray(battle):
    """AOW-80, AOW-81: both red ships are right; only Blue's has stayed behind."""
    for ships, moved in (
        ([(0, 0), (2, 0)], {(0, 0): (), (4, 0): ("red",)}),  # each moved by two, or so it looks
        ([(3, 0), (5, 0)], {(3, 0): ()}),  # the second was taken by the wind
    ):
        fight = battle({"red": ships, "blue": [(2, 2)]}, stage=Drifting(2), options=WIND)
        rule, says = objection(fight, moved)
        assert (rule, "Blue's ship from I9 out of the ocean" in says) == ("AOW-81", True)


def test_a_ship_that_the_wind_has_taken_still_lies_there(battle):
    fight = battle({"red": [(0, 0)], "blue": [(5, 0)]}, stage=Drifting(2), options=WIND)
    moved = {(0, 0): (), (2, 0): ("red",), (5, 0): (), (4, 0): ("blue",)}
    rule, says = objection(fight, moved)
    assert (rule, "put it away" in says) == ("AOW-81", True)


def test_reefs_are_rolled_for_before_anything_moves(battle):
    ships = {"red": [(0, 0)], "blue": [(3, 0)]}
    fight = battle(ships, {(0, 0): "reef"}, stage=Drifted(((0, 0),)), options=WIND)
    assert objection(fight, {(0, 0): (), (2, 1): ("red",)})[0] == "AOW-81"


def test_the_storm_takes_these_ships_and_no_others(battle):
    ships = {"red": [(0, 0), (5, 0)], "blue": [(1, 0)]}
    fight = battle(ships, stage=Storming(), options={"storm": True}, memory=Memory(storm=4))
    rule, says = objection(fight, {(1, 0): ()})
    assert (rule, "Blue's ship on G8 is safe" in says) == ("AOW-85", True)
    rule, says = objection(fight, {(0, 0): (), (0, 1): ("red",)})
    assert rule == "AOW-85"


def test_a_grudge_ship_comes_in_at_the_edge(battle):
    ships = {"red": [(0, 0)], "blue": [], "green": [(1, 0)]}
    fight = battle(ships, stage=PlacingGrudge(), turn="blue", options={"grudge": True})
    rule, says = objection(fight, {(3, 0): ("blue",)})
    assert (rule, "at the edge" in says) == ("AOW-83", True)
    assert objection(fight, {(5, 0): ("red",)})[0] == "AOW-83"


def test_a_new_ship_comes_in_at_the_edge(battle):
    card = {"colour": "blue", "name": "Own", "timing": "onLoss", "effect": "a new ship at the edge"}
    options = {"gambits": "cards", "gambit_cards": [card], **WIND}
    ships = {"red": [(0, 0)], "blue": [(1, 0)]}
    fight = battle(ships, stage=Window(("blue",), ChoosingDice()), options=options)
    assert objection(fight, {(3, 0): ("blue",)})[0] == "AOW-64"


def test_third_ships_of_a_duel(battle):
    ships = {"red": [(4, 0), (4, 1)], "blue": [(-4, 0), (-4, 1)]}
    ships |= {"green": [(0, 4), (0, 3)], "yellow": [(0, -4), (0, -3)]}
    fight = battle(ships, stage=AddingThird(), options={"duel": True}, seats=(0, 1, 0, 1))
    assert objection(fight, {(-3, 0): ("blue",)})[0] == "AOW-71"
    assert objection(fight, {(2, 0): ("red",)})[0] == "AOW-71"
    assert objection(fight, {(3, 0): ("red",), (1, 3): ("green",)})[0] == "AOW-71"
    assert objection(fight, {(4, 1): ()})[0] == "AOW-71"


def test_the_ocean_is_cleared_between_battles(battle):
    fight = battle({"red": [(1, 0)], "blue": []}, stage=ClearingOcean(), options={"battles": 2})
    assert "merchant anchors" in objection(fight, {(1, 0): ()})[1]
    assert objection(fight, {(0, 0): ("white",)}) == (
        "AOW-76",
        "Take every other ship and every tile off the ocean first.",
    )
