"""States of optional rules: which survive JSON, and which cannot be and are refused."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from companion.errors import MalformedAction
from companion.rules.articles_of_war.options import read_options
from companion.rules.articles_of_war.rules import ArticlesOfWar
from companion.rules.articles_of_war.state import (
    AddingThird,
    Boarding,
    BuyingThird,
    ChoosingDice,
    ClearingOcean,
    DrawingTile,
    Drifted,
    Drifting,
    Finished,
    Memory,
    PlacingFleets,
    PlacingGrudge,
    Rerolling,
    Rolling,
    RollingWind,
    Ship,
    Spending,
    Storming,
    Window,
)

GAME = ArticlesOfWar()
SHIPS = {"red": [(0, 0), (0, 3)], "blue": [(3, 0)], "green": [(-4, 0)]}
OWN = [
    ("red", "onLoss", "a doubloon for the loss"),
    ("blue", "onBoardingRoll", "board with one more"),
]
OWN += [("green", "beforeDiceChoice", "one more die")]
CARDS = [{"colour": c, "name": "Own", "timing": t, "effect": e} for c, t, e in OWN]
OPTIONS = {"wind": "W", "storm": True, "grudge": True, "battles": 2}
OPTIONS |= {"gambits": "cards", "gambit_cards": CARDS}
MOVER = Ship((3, 0), "red", 0)
LONE = {"red": [(0, 0)], "blue": [], "green": []}


def read(state):
    return GAME.from_json(json.loads(json.dumps(GAME.to_json(state))))


def complaint(state):
    with pytest.raises(MalformedAction) as caught:
        read(state)
    return str(caught.value)


@pytest.mark.parametrize(
    ("stage", "more"),
    [
        (RollingWind(), {}),
        (Drifting(3), {}),
        (Storming(), {"memory": Memory(storm=2)}),
        (ChoosingDice(), {"memory": Memory(played=("red",), storm=5)}),
        (ChoosingDice(1), {"turn": "green", "memory": Memory(played=("green",))}),
        (Rolling(1, 2), {"turn": "green", "memory": Memory(played=("green",))}),
        (PlacingGrudge(), {"ships": SHIPS | {"blue": []}, "turn": "blue"}),
        (Window(("red",), Drifted(((3, 0),))), {"terrain": {(3, 0): "reef"}}),
        (Drifted(((0, 0), (3, 0), (3, 0))), {"terrain": {(3, 0): "reef"}}),
        (Window(("red",), ChoosingDice()), {}),
        (Window(("red",), Spending()), {"ships": {"red": [], "blue": [(3, 0)], "green": []}}),
        (ClearingOcean(), {"ships": LONE}),
        (Finished(), {"ships": LONE, "memory": Memory(battle=2)}),
    ],
    ids=str,
)
def test_states_of_optional_stages_survive_json(stage, more, battle):
    more = {"ships": SHIPS, "terrain": None} | more
    state = battle(more.pop("ships"), more.pop("terrain"), stage=stage, options=OPTIONS, **more)
    assert read(state.state) == state.state


def test_a_boarding_with_a_gambit_survives_json(battle):
    fight = battle(SHIPS, sails=(3, 3, 2, 2), options=OPTIONS).sail((0, 0), 3, "E").roll(4)
    assert fight.state.stage == Window(("blue",), Boarding(MOVER, "blue", 4))
    assert read(fight.state) == fight.state
    fight.play_gambit("blue")
    assert read(fight.state) == fight.state


@pytest.mark.parametrize(
    ("stage", "more", "says"),
    [
        (ChoosingDice(1), {}, "no gambit adds so many dice"),
        (ChoosingDice(2), {"turn": "green", "memory": Memory(played=("green",))}, "so many dice"),
        (Rolling(3, 2), {}, "these dice cannot be chosen"),
        (Spending(fresh=True), {"sails": (3, 3, 2, 2)}, "lets a die be rolled again"),
        (Rerolling("sail"), {"sails": (3, 3, 2)}, "lets a die be rolled again"),
        (RollingWind(), {"options": {"grudge": True}}, "no wind is played"),
        (Drifting(5), {}, "no such face"),
        (Drifting(3), {"ships": LONE}, "the battle is over"),
        (Drifted(()), {}, "no reef is left"),
        (Drifted(((1, 1),)), {}, "where no ship lies"),
        (Drifted(((3, 0), (0, 0))), {}, "in order"),
        (Drifted(((0, 0),) * 5), {}, "over so many"),
        (Storming(), {"memory": Memory(storm=4)}, "has caught no ship"),
        (Storming(), {"memory": Memory(storm=9)}, "no ring of the ocean"),
        (PlacingGrudge(), {}, "brings no grudge ship"),
        (AddingThird(), {}, "in a duel each captain"),
        (Window((), ChoosingDice()), {}, "asks a fleet"),
        (Window(("blue",), ChoosingDice()), {}, "no gambit fits"),
        (Window(("red",), Rolling(2, 2)), {}, "at such a moment"),
        (Window(("red", "red"), ChoosingDice()), {}, "order of their turns"),
        (Window(("blue",), Drifted(((3, 0),))), {}, "no gambit fits"),
        (Window(("red",), Boarding(MOVER, "blue")), {"sails": (3, 2, 2)}, "no gambit fits"),
        (Boarding(MOVER, "blue", 3, 1), {"sails": (3, 2, 2)}, "adds so much to a boarding"),
        (ClearingOcean(), {}, "is not over"),
        (ClearingOcean(), {"ships": LONE, "memory": Memory(battle=2)}, "after its last battle"),
        (Finished(), {"ships": LONE}, "after its last battle"),
        (ChoosingDice(), {"memory": Memory(battle=3)}, "no such battle"),
        (ChoosingDice(), {"memory": Memory(played=("black",))}, "nobody holds"),
        (ChoosingDice(), {"memory": Memory(played=("red", "blue"))}, "sorted"),
        (ChoosingDice(), {"memory": Memory(grudges=("gray",))}, "belongs to nobody"),
        (ChoosingDice(), {"memory": Memory(grudges=("red",))}, "one grudge ship"),
        (ChoosingDice(), {"options": {}, "memory": Memory(grudges=("blue",))}, "not played"),
        (ChoosingDice(), {"options": {}, "memory": Memory(storm=3)}, "no storm is played"),
        (
            ChoosingDice(),
            {"ships": SHIPS | {"white": [(1, 1)]}, "memory": Memory(storm=3)},
            "waits for the merchant",
        ),
        (BuyingThird(), {"memory": Memory(storm=3)}, "has not begun"),
        (ChoosingDice(), {"memory": Memory(more=1)}, "no dice are taken yet"),
        (Rolling(3, 1), {"memory": Memory(more=1)}, "no rule adds so many dice"),
        (Rolling(2, 2), {"memory": Memory(more=-1)}, "no rule adds so many dice"),
        (Rolling(2, 2), {"memory": Memory(desperate=True)}, "no last ship has rolled a third"),
        (ChoosingDice(), {"options": {"bank": 30}, "gold": 11}, "more than it held"),
        (ChoosingDice(), {"options": {"duel": True}}, "for so many players"),
    ],
    ids=str,
)
def test_states_of_optional_stages_that_cannot_be_are_refused(stage, more, says, battle):
    more = {"ships": SHIPS, "options": OPTIONS} | more
    state = battle(more.pop("ships"), stage=stage, **more).state
    assert says in complaint(state)


def test_a_duel_has_two_fleets_each_that_alternate(battle):
    ships = {"red": [(0, 0)], "blue": [(4, 0)], "green": [(2, 0)], "yellow": [(-4, 0)]}
    duel = battle(ships, options={"duel": True}, seats=(0, 1, 0, 1)).state
    assert read(duel) == duel
    assert "two fleets" in complaint(replace(duel, fleets=duel.fleets[:3], ships=duel.ships[:1]))
    fleets = (duel.fleets[0], duel.fleets[2], duel.fleets[1], duel.fleets[3])
    assert "alternate" in complaint(replace(duel, fleets=fleets))


def test_fleets_that_wait_for_a_third_ship_are_at_home(battle):
    """AOW-16, AOW-17, AOW-71: whoever's turn it is; the set-up came to a halt when theirs came."""
    home, away = [(4, 0), (3, 0)], [(1, 1), (1, 2)]
    buying = battle({"red": home, "blue": [(-4, 0), (-3, 0)]}, stage=BuyingThird())
    assert read(buying.state) == buying.state
    astray = battle({"red": home, "blue": away}, stage=BuyingThird()).state
    assert "on a starting hex" in complaint(astray)
    placing = battle({"red": away, "blue": []}, stage=PlacingFleets(), turn="blue").state
    assert "on a starting hex" in complaint(placing)
    ships = {"red": home, "blue": away, "green": [(0, 4), (0, 3)], "yellow": [(0, -4), (0, -3)]}
    duel = {"options": {"duel": True}, "seats": (0, 1, 0, 1)}
    assert "on a starting hex" in complaint(battle(ships, stage=AddingThird(), **duel).state)


def test_nothing_is_spent_during_the_set_up(battle):
    """AOW-19, AOW-23: the first dice are those of the first turn."""
    ships = {"red": [((4, 0), 6), (3, 0)], "blue": [(-4, 0), (-3, 0)]}
    spent = battle(ships, stage=DrawingTile((1, 1, 1))).state
    assert "no ship has had dice yet" in complaint(spent)


def test_a_window_behind_a_window_is_no_stage(battle):
    state = battle(SHIPS, stage=Window(("red",), ChoosingDice()), options=OPTIONS).state
    data = GAME.to_json(state)
    data["stage"]["then"] = dict(data["stage"])
    with pytest.raises(MalformedAction, match="cannot be 'window'"):
        GAME.from_json(data)


def test_states_without_the_dice_of_a_gambit_stay_readable(battle):
    """They were written before it was remembered how many dice a gambit or the rules had added."""
    fight = battle(SHIPS, turn="green", options=OPTIONS).play_gambit("green").take(2, 1)
    assert fight.state.memory.more == 1
    data = GAME.to_json(fight.state)
    del data["memory"]["more"], data["memory"]["desperate"]
    assert GAME.from_json(data).memory == Memory(played=("green",))


def test_states_of_the_basic_game_stay_readable():
    """House rulings in old records hold states written before there were options."""
    file = Path(__file__).parent / "records" / "articles-of-war-basic-states.jsonl"
    old = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert len({data["stage"]["type"] for data in old}) == 7
    for data in old:
        state = GAME.from_json(data)
        assert (state.memory, state.options) == (Memory(), read_options({"radius": 4}))
        assert read(state) == state
        assert GAME.to_json(state)["ships"] == data["ships"]
