"""Desperation dice, The Duel, campaign, marque: AOW-66 to AOW-79, vectors T16, T17, T20."""

from dataclasses import replace

import pytest

from companion.errors import BadOptions
from companion.rules.articles_of_war.actions import (
    AddThird,
    BuyThird,
    ChooseDice,
    ClearOcean,
    Pass,
    Press,
    Sail,
)
from companion.rules.articles_of_war.options import OPTION_LIST, read_options
from companion.rules.articles_of_war.order import turn_order
from companion.rules.articles_of_war.rules import ArticlesOfWar
from companion.rules.articles_of_war.state import (
    AddingThird,
    BuyingThird,
    ChoosingDensity,
    ChoosingDice,
    ClearingOcean,
    Finished,
    Fleet,
    Memory,
    PlacingFleets,
    Ship,
)
from companion.rules.game import Happening, PlayerId

GAME = ArticlesOfWar()
P0, P1 = PlayerId(0), PlayerId(1)
LAST_SHIP = {"red": [(0, 0)], "blue": [(4, 0), (-4, 0)]}


def test_the_pledge_of_silence_is_no_rule_of_ours():
    """AOW-66: table courtesy has no effect on play, so nothing of it can be chosen."""
    assert not [option.id for option in OPTION_LIST if "silen" in option.text]


# Desperation dice


def test_the_last_ship_rolls_three_dice(battle):
    """AOW-67: three dice with one ship in the ocean at the start of the turn, not with two."""
    alone = battle(LAST_SHIP, options={"desperation": True})
    assert alone.refusal(ChooseDice(P0, 1, 1)) == "AOW-67"
    two = battle(LAST_SHIP, turn="blue", options={"desperation": True})
    assert {a.sails + a.cannons for a in two.legal()} == {4}
    assert {a.sails + a.cannons for a in battle(LAST_SHIP).legal()} == {2}


def test_vector_t20_desperation_sets(battle):
    """AOW-68, T20: SSS, SSC, SCC; from S3, C1, C5 one sail and one of the shots."""
    alone = battle(LAST_SHIP, options={"desperation": True})
    assert {(a.sails, a.cannons) for a in alone.legal()} == {(3, 0), (2, 1), (1, 2)}
    assert alone.refusal(ChooseDice(P0, 0, 3)) == "AOW-68"
    alone.take(1, 2).throw([3], [1, 5])
    first = {(type(a).name, a.die) for a in alone.legal()}
    assert first == {("sail", 3), ("fire", 1), ("fire", 5)}
    alone.fire((0, 0), 1, "NE")
    assert {(type(a).name, a.die) for a in alone.legal()} == {("sail", 3)}


def test_the_third_die_is_discarded(battle):
    """AOW-69: two of three are spent, the turn ends and the third is gone."""
    alone = battle(LAST_SHIP, options={"desperation": True})
    alone.take(2, 1).throw([2, 3], [5])
    assert GAME.from_json(GAME.to_json(alone.state)) == alone.state
    alone.sail((0, 0), 2, "NE").sail((2, -2), 3, "NW")
    assert (alone.state.fleet.colour, alone.state.cannons) == ("blue", ())
    assert alone.happenings == [Happening("Forfeited: cannon 5", "AOW-69")]
    assert alone.state.memory.more == 0


def test_a_desperate_ship_that_is_lost_forfeits_its_share(battle):
    """AOW-30, AOW-69: after its first die two are left, one of them its own."""
    options = {"desperation": True, "gambits": "house"}
    edge = battle({"gray": [(5, 0)], "blue": [(-4, 0)]}, turn="gray", options=options)
    edge.take(3, 0).throw([2, 2, 3]).sail((5, 0), 2, "E").choose("put")
    forfeited = [("Forfeited: sail 2", "AOW-69"), ("Forfeited: sail 3", "AOW-30")]
    assert [(h.text, h.rule) for h in edge.happenings[-2:]] == forfeited


def test_a_ship_lost_of_two_is_not_a_third_die(battle):
    """AOW-30: one ship is left and one die, but the fleet began with two."""
    pair = battle({"red": [(5, 0), (0, 2)], "blue": [(-4, 0)]}, options={"desperation": True})
    pair.take(4, 0).throw([2, 2, 2, 3])
    pair.sail((5, 0), 2, "E").sail((0, 2), 2, "NE").sail((2, 0), 2, "NE")
    assert pair.happenings == [Happening("Forfeited: sail 3", "AOW-30")]


# The Duel


def test_vector_t17_duel_order():
    """AOW-70, T17: P1 {2, 5} and P2 {3, 4} play 2, 3, 5, 4."""
    cards = [Fleet(P0, "blue", 2), Fleet(P1, "yellow", 3), Fleet(P0, "gray", 5)]
    order = turn_order([*cards, Fleet(P1, "green", 4)], 1, duel=True)
    assert [fleet.number for fleet in order] == [2, 3, 5, 4]


def test_the_duel_is_for_two():
    """AOW-70: two captains with two commodores each."""
    with pytest.raises(BadOptions, match="two captains, not 3") as caught:
        GAME.setup(["A", "B", "C"], {"duel": True})
    assert caught.value.option == "duel"
    assert GAME.setup(["A", "B"], {"duel": True})


def duel_opening(opening):
    """Return a duel with all four fleets placed: Ann has red 1 and green 4, Ben blue and yellow."""
    fight = opening(2, duel=True)
    for words in ("Red", "Blue", "Green", "Yellow"):
        fight.do(next(a for a in GAME.legal_actions(fight.state, -1) if a.colour == words.lower()))
    assert fight.state.stage == PlacingFleets()
    for start in ("G11", "G3", "K7", "C7"):
        fight.choose(f"place ships on {start} and")
    return fight


def test_a_duel_starts_without_doubloons_and_with_a_third_ship_each(opening):
    """AOW-70, AOW-71: two cards each, drawn in turns; no gold; one third ship a captain."""
    fight = duel_opening(opening)
    assert fight.refusal(AddThird(P1, "blue", (1, 1))) == "AOW-70"
    assert [(f.player, f.colour) for f in fight.state.fleets] == [
        (0, "red"),
        (1, "blue"),
        (0, "green"),
        (1, "yellow"),
    ]
    assert fight.gold() == (0, 0)
    assert (fight.state.stage, fight.player) == (AddingThird(), P0)
    assert fight.refusal(AddThird(P0, "blue", (1, 1))) == "AOW-71"
    assert fight.refusal(AddThird(P0, "red", (0, 1))) == "AOW-71"
    assert fight.refusal(Pass(P0)) == "AOW-71"
    fight.choose("place Green's third ship")
    assert fight.player == P1
    fight.choose("place Yellow's third ship")
    assert isinstance(fight.state.stage, ChoosingDensity)
    assert (fight.state.fleet.colour, fight.player) == ("yellow", P1)
    assert [fight.state.count(f.colour) for f in fight.state.fleets] == [2, 2, 3, 3]
    assert fight.gold() == (0, 0)


DUEL = {"red": [(0, 0)], "blue": [(4, 0)], "green": [(2, 0)], "yellow": [(-4, 0)]}


def make_duel(battle, ships=None, **more):
    return battle(ships or DUEL, options={"duel": True}, seats=(0, 1, 0, 1), **more)


def test_a_duel_ends_when_both_fleets_of_a_captain_are_gone(battle):
    """AOW-72: and it is this rule that the end is told by."""
    one = make_duel(battle, DUEL | {"yellow": []}, sails=(2,), cannons=(4,))
    one.fire((0, 0), 4, "E")
    assert isinstance(one.state.stage, Finished)
    assert (one.gold(), one.rules()) == ((2 + 1 + 1, 2), ["AOW-46", "AOW-72"])
    assert (GAME.outcome(one.state).rule, one.refusal(Pass(P0))) == ("AOW-72", "AOW-72")
    other = make_duel(battle, sails=(2,), cannons=(4,)).fire((0, 0), 4, "E")
    assert not isinstance(other.state.stage, Finished)


def test_the_two_fleets_of_a_captain_are_allies(battle):
    """AOW-73: no hits, no boarding, passing but no sharing; tiles may touch both."""
    fight = make_duel(battle, sails=(2, 3), cannons=(2,))
    assert not any("Green" in text for text in fight.texts())
    assert fight.why_not_sail((0, 0), 2, "E") == "AOW-73"
    assert fight.sail((0, 0), 3, "E").cells("red") == [(3, 0)]
    from companion.rules.articles_of_war.state import PlacingTile
    from companion.rules.articles_of_war.terrain import tile_places

    placing = make_duel(battle, stage=PlacingTile((0, 0, 0), "reef")).state
    assert (2, 1) in tile_places(placing)
    assert (4, 1) not in tile_places(placing)


def test_an_ally_is_not_called_a_stranger(battle):
    """AOW-73, AOW-26: both fleets are the captain's own, but each has dice of its own."""
    fight = make_duel(battle, sails=(2, 3))
    for cell, rule, there in (
        ((2, 0), "AOW-73", "G9 is Green's ship"),
        ((4, 0), "AOW-26", "G11 is Blue's ship"),
        ((1, 0), "AOW-26", "none is on G8"),
    ):
        refused = GAME.check(fight.state, Sail(P0, cell, 2, 1))
        said = f"Dice are spent on Red's ships: {there}; Red's is on G7."
        assert (refused.rule, refused.reason) == (rule, said)


def test_a_prize_joins_the_fleet_that_won(battle):
    """AOW-73: press adds to the winner's own colour, and three ships are the limit of a fleet."""
    ships = DUEL | {"green": [(2, 3), (2, 4), (2, 5)], "blue": [(2, 0), (4, 0)]}
    fight = make_duel(battle, ships, sails=(2, 2)).sail((0, 0), 2, "E").roll(5, 1)
    fight.press((3, 0))
    assert (fight.state.count("red"), fight.state.count("green")) == (2, 3)


def test_a_fleet_without_ships_is_skipped_in_a_duel(battle):
    """AOW-74."""
    fight = make_duel(battle, DUEL | {"blue": []}, sails=(2, 2))
    fight.sail((0, 0), 2, "NE").sail((2, -2), 2, "NE")
    assert fight.state.fleet.colour == "green"


# Campaign


def test_the_next_battle_begins_with_the_next_number():
    """AOW-75, T16: battle 3 begins with the third-lowest number, then clockwise, then wraps."""
    fleets = [Fleet(PlayerId(n), "red", number) for n, number in enumerate((5, 2, 9))]
    firsts = [turn_order(fleets, k, duel=False) for k in (1, 2, 3, 4)]
    assert [order[0].number for order in firsts] == [2, 5, 9, 2]
    assert [f.player for f in firsts[2]] == [2, 0, 1]


def end_battle(fight):
    fight.fire((0, 0), 4, "E")
    assert isinstance(fight.state.stage, ClearingOcean)
    return fight


SHOT = {"sails": (2,), "cannons": (4,)}
CAMPAIGN = {"battles": 3}


def test_between_battles_the_ocean_is_cleared(battle):
    """AOW-75, AOW-76: cards and gold stay, ships and tiles go, nobody gets two doubloons again."""
    ships = {"red": [(0, 0)], "blue": [(4, 0)]}
    fight = battle(ships, {(1, 1): "reef"}, **SHOT, options=CAMPAIGN, gold=0)
    end_battle(fight)
    assert (fight.gold(), fight.rules()) == ((2, 0), ["AOW-46", "AOW-59", "AOW-75"])
    assert fight.state.fleet.colour == "blue"
    assert fight.cells("red") == [(0, 0)], "the board stays as it is until it is cleared"
    fight.do(ClearOcean(fight.player))
    assert fight.state.ships == (Ship((0, 0), "white"),)
    assert (fight.state.ocean.tiles, fight.state.memory.battle) == ((), 2)
    assert (fight.state.stage, fight.gold()) == (PlacingFleets(), (2, 0))
    assert [f.colour for f in fight.state.fleets] == ["blue", "red"]


def test_vector_t16_campaign(battle):
    """AOW-76, AOW-77, T16: the third battle pays three; one doubloon buys no third ship."""
    ships = {"red": [(0, 0)], "blue": [(4, 0)]}
    fight = battle(ships, **SHOT, options=CAMPAIGN, memory=Memory(battle=3))
    fight.fire((0, 0), 4, "E")
    assert (fight.gold(), fight.rules()) == ((2 + 1 + 3, 2), ["AOW-46", "AOW-77"])
    assert isinstance(fight.state.stage, Finished)
    poor = battle({"red": [(4, 0), (3, 0)], "blue": [(-4, 0), (-3, 0)]}, stage=BuyingThird())
    poor.state = replace(poor.state, gold=(1, 2))
    assert poor.legal() == (Pass(P0),)
    assert "more than you have" in GAME.pending(poor.state).text
    assert poor.refusal(BuyThird(P0, (4, 1))) == "AOW-17"


def test_most_gold_after_the_last_battle_wins(battle):
    """AOW-78."""
    fight = battle({"red": [(0, 0)], "blue": []}, stage=Finished(), options=CAMPAIGN)
    fight.state = replace(fight.state, gold=(3, 5), memory=Memory(battle=3))
    outcome = GAME.outcome(fight.state)
    assert (outcome.rule, outcome.placing) == ("AOW-78", ((P1,), (P0,)))


def test_a_campaign_is_one_to_ninety_nine_battles():
    """AOW-75."""
    for battles in (0, 100, "3", True):
        with pytest.raises(BadOptions, match="battles"):
            read_options({"battles": battles})
    assert read_options({"battles": 99}).battles == 99


# Marque for the merchant


def test_marque_pays_for_the_merchant(battle):
    """AOW-79, T13: 1 by guns, 2 boarded and scuttled, 1 boarded and pressed."""
    ships = {"red": [(0, 0)], "blue": [(-4, 0)], "white": [(3, 0)]}
    marque = {"marque": True}
    guns = battle(ships, sails=(2,), cannons=(3,), options=marque).fire((0, 0), 3, "E")
    assert (guns.gold(), guns.rules()) == ((3, 2), ["AOW-79"])
    taken = battle(ships, sails=(3, 2), options=marque).sail((0, 0), 3, "E")
    assert (taken.gold(), taken.rules()) == ((3, 2), ["AOW-79"])
    pressed = battle(ships, sails=(3, 2), options=marque).sail((0, 0), 3, "E")
    assert pressed.do(Press(P0, (4, 0))).gold() == (3, 2)
    assert taken.scuttle().gold() == (4, 2)


def test_an_empty_bank_pays_nothing(battle):
    """AOW-63: with the box's thirty doubloons a payment ends where the box does."""
    ships = {"red": [(0, 0)], "blue": [(4, 0), (0, 5)]}
    fight = battle(ships, **SHOT, gold=15, options={"bank": 30}).fire((0, 0), 4, "E")
    assert (fight.gold(), fight.happenings[0].coins) == ((15, 15), ())


def test_a_turn_after_a_pressed_ship_in_a_duel_counts_its_own_fleet(battle):
    """AOW-73: dice are counted per fleet."""
    fight = make_duel(battle, DUEL | {"green": [(2, 3), (2, 4)]}, stage=ChoosingDice())
    assert {a.sails + a.cannons for a in fight.legal()} == {2}
