"""What every game offers: JSON, words, refusals, layout, views."""

import json
from dataclasses import replace

import pytest

from companion.errors import GameIsOver, IllegalAction, MalformedAction, NotYourTurn
from companion.rules.articles_of_war.actions import (
    KINDS,
    BuyThird,
    ChooseDice,
    Drift,
    Fire,
    Pass,
    Sail,
    Scuttle,
)
from companion.rules.articles_of_war.rules import ArticlesOfWar
from companion.rules.articles_of_war.state import Boarding, OnReef, Ship, TakingPrize
from companion.rules.catalogue import find_game
from companion.rules.deeds import Roll, roll
from companion.rules.game import CHANCE, PlayerId
from companion.rules.layout import Die

GAME = ArticlesOfWar()
P0, P1 = PlayerId(0), PlayerId(1)
SHIPS = {"red": [(0, 0), (0, 2)], "blue": [(4, 0), (-4, 0)], "white": [(2, -4)]}


def test_catalogue_knows_the_game():
    assert isinstance(find_game("articles-of-war"), ArticlesOfWar)
    info = GAME.info
    assert (info.players, info.profile) == ((2, 6), "hex-ocean")
    assert [die.id for die in info.dice] == ["sail", "cannon"]


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (Sail(P0, (0, 0), 3, 1), "Red: sail 3 NE from G7 to D10"),
        (Sail(P0, (0, 0), 4, 0), "Red: sail 4 E from G7, boards Blue at G11"),
        (Sail(P0, (0, 2), 4, 5), "Red: sail 4 SE from I7, off the map"),
        (Sail(P0, (0, 0), 3, 2), "Red: sail 3 NW from G7, onto the volcano at E7"),
        (Sail(P0, (0, 0), 4, 3), "Red: sail 4 W from G7, boards Blue at G3"),
        (Sail(P0, (0, 2), 3, 3), "Red: sail 3 W from I7, onto the desert at I6"),
        (Fire(P0, (0, 0), 4, 3), "Red: fire 4 W from G7, hits Blue"),
        (Fire(P0, (0, 0), 4, 1), "Red: fire 4 NE from G7, hits nothing"),
        (Sail(P0, (9, 9), 3, 9), "Red: sail 3 nowhere from P16"),
        (Scuttle(P1), "Blue: scuttle the prize"),
        (ChooseDice(P0, 3, 1), "Red: take 3 sail dice and 1 cannonball die"),
        (roll(Die("sail", 2), Die("cannon", 5)), "Red rolls sail 2 and cannon 5"),
        (Pass(PlayerId(7)), "Player 7: buy no third ship"),
    ],
)
def test_actions_in_words(action, text, battle):
    terrain = {(0, -2): "volcano", (-1, 2): "desert"}
    fight = battle(SHIPS, terrain, sails=(3, 4, 4), cannons=(4,))
    assert GAME.describe(fight.state, action) == text


@pytest.mark.parametrize(
    ("reefs", "action", "text"),
    [
        ([(1, 0)], Sail(P0, (0, 0), 3, 0), "sail 3 E from G7 to G10, over the reef at G8"),
        ([(3, 0)], Sail(P0, (0, 0), 3, 0), "sail 3 E from G7 to G10, over the reef at G10"),
        (
            [(1, 0), (4, 0), (5, 0)],
            Sail(P0, (0, 0), 4, 0),
            "sail 4 E from G7, boards Blue at G11, over the reefs at G8 and G11",
        ),
        ([(1, 0)], Sail(P0, (0, 0), 3, 1), "sail 3 NE from G7 to D10"),
    ],
)
def test_a_sail_names_the_reefs_it_meets(reefs, action, text, battle):
    """AOW-41: a die is rolled for each, so nobody sails there unawares."""
    fight = battle(SHIPS, dict.fromkeys(reefs, "reef"), sails=(3, 4, 4), cannons=(4,))
    assert GAME.describe(fight.state, action) == f"Red: {text}"


def test_parse_finds_the_action_or_the_nearest_text(battle):
    fight = battle(SHIPS, sails=(3, 4, 4), cannons=(4,))
    action = fight.legal()[3]
    assert GAME.parse(fight.state, f" {GAME.describe(fight.state, action)} ") == action
    with pytest.raises(MalformedAction, match="nearest: 'Red: sail 3 NE from G7 to D10'"):
        GAME.parse(fight.state, "Red: sail 3 NE from G7 to C10")
    reef = battle(SHIPS, {(2, 0): "reef"}, sails=(3, 4, 4, 4)).sail((0, 0), 3, "E")
    assert GAME.parse(reef.state, "Red rolls cannon 4") == roll(Die("cannon", 4))


def test_parse_after_the_end(battle):
    fight = battle({"red": [(0, 0)], "blue": [(4, 0)]}, sails=(2,), cannons=(4,))
    fight.fire((0, 0), 4, "E")
    with pytest.raises(MalformedAction, match="over"):
        GAME.parse(fight.state, "Red: sail")


def test_only_the_one_asked_has_actions(battle):
    fight = battle(SHIPS, sails=(3, 4, 4), cannons=(4,))
    assert GAME.legal_actions(fight.state, P0)
    assert GAME.legal_actions(fight.state, P1) == ()
    assert GAME.legal_actions(fight.state, CHANCE) == GAME.chance_outcomes(fight.state) == ()
    rolling = battle(SHIPS).take(2, 2)
    assert GAME.legal_actions(rolling.state, P0) == ()
    assert GAME.legal_actions(rolling.state, CHANCE)


@pytest.mark.parametrize(
    ("action", "rule", "error"),
    [
        (Sail(P1, (4, 0), 3, 0), "AOW-13", NotYourTurn),
        (Sail(PlayerId(5), (4, 0), 3, 0), "AOW-7", NotYourTurn),
        (BuyThird(P0, (1, 0)), "AOW-26", IllegalAction),
        (Scuttle(P1), "AOW-13", NotYourTurn),
        (roll(Die("cannon", 3)), "AOW-26", IllegalAction),
        (Roll(P0, (Die("cannon", 3),)), "AOW-26", IllegalAction),
        (Sail(CHANCE, (0, 0), 3, 0), "AOW-26", IllegalAction),
        (Sail(P0, (0, 0), 2, 0), "AOW-33", IllegalAction),
    ],
)
def test_refusals_change_nothing_and_say_why(action, rule, error, battle):
    fight = battle(SHIPS, sails=(3, 4, 4), cannons=(4,))
    before = fight.state
    assert fight.refusal(action) == rule
    with pytest.raises(error) as caught:
        GAME.apply(fight.state, action)
    assert (caught.value.rule, fight.state) == (rule, before)
    assert rule in str(caught.value)


def test_who_is_not_asked_is_told_who_is(battle):
    """AOW-13: in words that people say."""
    fight = battle(SHIPS, sails=(3, 4, 4), cannons=(4,))
    reason = GAME.check(fight.state, Scuttle(P1)).reason
    assert reason == "Blue must wait now. Red: spend sail 3, 4, 4 and cannon 4."


def test_a_lone_ship_is_spoken_of_as_one(battle):
    """AOW-26."""
    fight = battle({"red": [(0, 0)], "blue": [(4, 0)]}, sails=(2,), cannons=(4,))
    reason = GAME.check(fight.state, Sail(P0, (4, 0), 2, 0)).reason
    assert reason == "Dice are spent on your own ships: G11 is Blue's ship; yours is on G7."


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (Sail(P0, (0, -200), 3, 1), "Red: sail 3 NE from 0,-200"),
        (Fire(P0, (10**7, 10**7), 4, 1), "Red: fire 4 NE from 10000000,10000000"),
        (Drift(P0), "Red: move every ship with the wind"),
    ],
)
def test_actions_that_no_table_knows_are_refused_in_words(action, text, battle):
    """AOW-8, AOW-80: as records of others may hold them; they ended the program."""
    fight = battle(SHIPS, sails=(3, 4, 4), cannons=(4,))
    assert GAME.describe(fight.state, action) == text
    assert fight.refusal(action) in ("AOW-8", "AOW-26")


def test_a_sail_before_there_are_fleets_is_refused_in_words(opening):
    """AOW-12: a record that begins with it ended the program."""
    begun = opening()
    assert begun.refusal(Sail(P0, (0, 0), 3, 1)) == "AOW-12"
    text = GAME.describe(begun.state, Sail(P0, (0, 0), 3, 1))
    assert text == "Captain 0: sail 3 NE from G7"


def test_rolls_must_be_rolled_first(battle):
    fight = battle(SHIPS).take(2, 2)
    assert fight.refusal(ChooseDice(P0, 2, 2)) == "AOW-25"
    assert fight.refusal(Sail(P1, (4, 0), 2, 0)) == "AOW-25"
    ruling = GAME.check(fight.state, Sail(P0, (0, 0), 2, 0))
    assert "roll 2 sail dice and 2 cannonball dice" in ruling.reason


def test_game_over_is_its_own_error(battle):
    fight = battle({"red": [(0, 0)], "blue": [(4, 0)]}, sails=(2,), cannons=(4,))
    fight.fire((0, 0), 4, "E")
    with pytest.raises(GameIsOver, match="AOW-59"):
        fight.do(Pass(P0))
    assert GAME.view(fight.state, P0).phase == "over"


def test_layout_shows_pieces_and_unspent_dice(battle):
    fight = battle(SHIPS, {(2, 0): "reef"}, sails=(4, 3), cannons=(1,))
    layout = GAME.layout(fight.state)
    assert layout.dice == (Die("cannon", 1), Die("sail", 3), Die("sail", 4))
    assert layout.at((2, -4)).ships == ("white",)
    assert layout.at((2, 0)).terrain == "reef"
    assert GAME.layout(battle(SHIPS).state).dice == ()
    assert GAME.layout(battle(SHIPS).take(2, 2).state).dice == ()


def test_dice_wait_in_the_tray_during_reefs_and_boardings(battle):
    fight = battle(SHIPS, {(2, 0): "reef"}, sails=(4, 3, 2), cannons=(1,)).sail((0, 0), 4, "E")
    unspent = (Die("cannon", 1), Die("sail", 2), Die("sail", 3))
    assert GAME.layout(fight.state).dice == unspent
    fight.roll(3)
    assert isinstance(fight.state.stage, Boarding)
    assert GAME.layout(fight.state).dice == unspent
    fight.roll(3, 1)
    assert isinstance(fight.state.stage, TakingPrize)
    assert GAME.layout(fight.state).dice == unspent
    assert GAME.layout(fight.state).at((4, 0)).ships == ("blue", "red")


def test_rolled_dice():
    action = roll(Die("sail", 3), Die("cannon", 2))
    assert GAME.rolled(action) == (Die("cannon", 2), Die("sail", 3))
    assert GAME.rolled(Pass(P0)) == ()


def test_view_lists_public_facts(battle, opening):
    view = GAME.view(battle(SHIPS).state, None)
    assert (view.phase, view.round) == ("choose_dice", 1)
    assert [seat.colours for seat in view.seats] == [("red",), ("blue",)]
    assert dict(view.seats[0].scores) == {"doubloons": 2}
    assert view.seats[0].ships == 2
    assert "The merchant is at anchor" in view.notes
    assert GAME.view(opening(2).state, P0).seats[0].colours == ()


def lines_to_one_table(battle):
    """Ways of losing a ship that leave the same table."""
    terrain = {(5, -1): "volcano", (5, 1): "reef"}
    ships = {"red": [(4, 0), (0, 2)], "blue": [(-4, 0)]}
    for way in ("E", "NE", "SE"):
        yield battle(ships, terrain, sails=(2, 2, 2, 3)).sail((4, 0), 2, way)


def test_equal_tables_are_equal_states(battle):
    states = {fight.state for fight in lines_to_one_table(battle)}
    assert len(states) == 1


def test_a_finished_ship_forgets_how_it_came(battle):
    ships = {"red": [(0, 0), (0, 5)], "blue": [(-4, 0)]}
    first = battle(ships, sails=(2, 2, 3, 4)).sail((0, 0), 2, "E").sail((2, 0), 2, "SE")
    other = battle(ships, sails=(2, 2, 3, 4)).sail((0, 0), 2, "SE").sail((0, 2), 2, "E")
    assert first.state == other.state


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (None, "must be a JSON object"),
        ([], "must be a JSON object"),
        ({}, "field 'type'"),
        ({"type": "sale", "player": 0}, "did you mean 'sail'"),
        ({"type": ["sail"]}, "cannot be"),
        ({"type": "pass"}, "lacks the field 'player'"),
        ({"type": "pass", "player": "0"}, "player of the action 'pass' must be a whole number"),
        ({"type": "pass", "player": True}, "must be a whole number"),
        ({"type": "pass", "player": 0, "cel": "1,1"}, "has no field 'cel'"),
        ({"type": "press", "player": 0, "cell": "1;1"}, "two whole numbers like '1,-3'"),
        ({"type": "press", "player": 0, "cell": [1, 1]}, "two whole numbers like"),
        (
            {"type": "sail", "player": 0, "ship": "0,0", "die": 2, "direction": "N"},
            "direction of the action 'sail' cannot be 'N'",
        ),
        ({"type": "roll", "player": -1, "dice": {}}, "must be a list"),
        ({"type": "roll", "player": -1, "dice": [{"kind": "d6", "face": 3}]}, "cannot be 'd6'"),
        ({"type": "roll", "player": -1, "dice": [{"kind": "sail"}]}, "lacks the field 'face'"),
        ({"type": "draw_tile", "player": -1, "tile": "rief"}, "did you mean 'reef'"),
    ],
)
def test_unreadable_actions_are_named(data, message):
    with pytest.raises(MalformedAction, match=message):
        GAME.action_from_json(data)


def test_dice_of_a_roll_may_be_told_in_any_order():
    data = {
        "type": "roll",
        "player": -1,
        "dice": [{"kind": "sail", "face": 3}, {"kind": "cannon", "face": 2}],
    }
    assert GAME.action_from_json(data) == roll(Die("cannon", 2), Die("sail", 3))


def test_every_kind_of_action_has_a_name_of_its_own():
    assert len({kind.name for kind in KINDS}) == len({kind.rank for kind in KINDS}) == len(KINDS)


def test_states_in_every_stage_survive_json(battle):
    reef = battle(SHIPS, {(2, 0): "reef"}, sails=(4, 3, 2), cannons=(1,)).sail((0, 0), 4, "E")
    states = [reef.state]
    for face in (3, 3, 1):
        states.append(reef.roll(face).state)
    states.append(reef.scuttle().state)
    for state in states:
        data = json.loads(json.dumps(GAME.to_json(state)))
        assert GAME.from_json(data) == state


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"ships": "none"}, "ships must be a list"),
        ({"turn": 7}, "turn is the index"),
        ({"round": -1}, "round is not negative"),
        ({"gold": [1]}, "one entry a player"),
        ({"players": ["A", "A"]}, "different names"),
        ({"players": [1, 2]}, "must be a text"),
        ({"sails": [4, 3]}, "sails are sorted"),
        ({"sails": [1]}, "no such face"),
        ({"cannons": [9]}, "no such face"),
        ({"options": {"radius": 9}}, "radius must be one of"),
        ({"options": 3}, "options must be a JSON object"),
        ({"options": {}}, "not written as"),
        ({"stage": {"type": "spending", "fresh": False, "more": 1}}, "has no field 'more'"),
        ({"stage": {"type": "sailing"}}, "the type of stage cannot be"),
        ({"terrain": [{"cell": "0,0", "tile": "volcano"}]}, "aground"),
        ({"terrain": [{"cell": "9,0", "tile": "reef"}]}, "lies in the ocean"),
        ({"terrain": [{"cell": "1,0", "tile": "reef"}] * 2}, "two tiles share"),
        ({"fleets": []}, "every player has one fleet"),
        ({"ships": []}, "the battle is over"),
        ({"sails": [2] * 7}, "6 sail dice"),
        ({"sails": [3]}, "every ship its two"),
        ({"stage": {"type": "finished"}}, "dice wait only"),
        ({"stage": {"type": "finished"}, "sails": [], "cannons": []}, "is not over"),
        ({"stage": {"type": "rolling", "sails": 60, "cannons": 0}}, "dice wait only"),
        ({"stage": {"type": "drawing_commodores"}}, "drawn already"),
        ({"extra": 1}, "has no field 'extra'"),
    ],
)
def test_states_that_cannot_be_are_refused(change, message, battle):
    data = GAME.to_json(battle(SHIPS, sails=(3, 4, 4), cannons=(4,)).state) | change
    with pytest.raises(MalformedAction, match=message):
        GAME.from_json(data)


@pytest.mark.parametrize(
    ("ships", "message"),
    [
        ([((0, 0), "red"), ((0, 0), "blue")], "share a hex"),
        ([((9, 0), "red")], "lies in the ocean"),
        ([((0, n), "red") for n in range(4)], "more than 3 ships"),
        ([((0, 0), "gray")], "belongs to nobody"),
        ([((0, 0), "white"), ((0, 1), "white")], "one merchant"),
        ([((0, 1), "red"), ((0, 0), "red")], "ships are sorted"),
    ],
)
def test_ships_that_cannot_be_are_refused(ships, message, battle):
    fight = battle(SHIPS, sails=(3, 4, 4), cannons=(4,))
    state = replace(fight.state, ships=tuple(Ship(*ship) for ship in ships))
    with pytest.raises(MalformedAction, match=message):
        GAME.from_json(GAME.to_json(state))


CALM = {"sails": [], "cannons": []}
NO_MORE = {"attack_more": 0, "defence_more": 0}
MOVER = {"cell": "1,0", "colour": "red", "duty": "sailed E"}


@pytest.mark.parametrize(
    ("stage", "message"),
    [
        ({"type": "rolling", "sails": 60, "cannons": 0}, "cannot be chosen"),
        ({"type": "placing_fleets"}, "fleets have two ships"),
        ({"type": "buying_third"}, "one ship on a starting hex"),
        ({"type": "choosing_density"}, "last fleet chooses"),
        ({"type": "drawing_tile", "barrel": [0, 0, 0]}, "barrel is empty"),
        ({"type": "drawing_tile", "barrel": [5, 0, 0]}, "up to four"),
        ({"type": "placing_tile", "barrel": [1, 0], "tile": "reef"}, "up to four"),
        ({"type": "on_reef", "mover": MOVER, "direction": "E", "left": 1}, "no reef under"),
        (
            {"type": "boarding", "mover": MOVER, "enemy": "blue", "attack": 3} | NO_MORE,
            "lie in one hex",
        ),
        (
            {"type": "taking_prize", "mover": MOVER, "enemy": "red", "boarder_won": True},
            "lie in one hex",
        ),
    ],
)
def test_stages_that_cannot_be_are_refused(stage, message, battle):
    ships = {"red": [(0, 5)], "blue": [(3, 0), (-3, 0)]}
    data = GAME.to_json(battle(ships).state) | CALM | {"stage": stage}
    if "mover" in stage:
        data |= {"sails": [2, 3, 4]}
    with pytest.raises(MalformedAction, match=message):
        GAME.from_json(data)


def test_a_mover_is_under_way_only_on_its_reef(battle):
    fight = battle(SHIPS, {(2, 0): "reef"}, sails=(4, 3, 2), cannons=(1,)).sail((0, 0), 4, "E")
    stage = fight.state.stage
    assert isinstance(stage, OnReef)
    assert (stage.mover, stage.left) == (Ship((2, 0), "red", 0), 2)
