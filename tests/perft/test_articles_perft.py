"""Counts of nodes below small positions, and the probability of their leaves.

``python -m tests.perft.test_articles_perft`` prints the lines of the file as they are now.
"""

from collections import Counter
from pathlib import Path

import pytest

from companion.rules.articles_of_war.ocean import Ocean
from companion.rules.articles_of_war.options import read_options
from companion.rules.articles_of_war.rules import ArticlesOfWar
from companion.rules.articles_of_war.state import (
    NOTHING_TO_REMEMBER,
    AddingThird,
    BuyingThird,
    ChoosingDensity,
    ChoosingDice,
    DrawingTile,
    Fleet,
    Memory,
    PlacingGrudge,
    Rolling,
    RollingWind,
    Ship,
    Spending,
    State,
    Storming,
)
from companion.rules.game import PlayerId
from tests.perft.trees import check_counts, expected, grow, print_lines

GAME = ArticlesOfWar()
FILE = Path(__file__).with_name("articles-of-war.perft")
RED, BLUE = Fleet(PlayerId(0), "red", 1), Fleet(PlayerId(1), "blue", 2)
GREEN = Fleet(PlayerId(2), "green", 4)
DUEL = (RED, BLUE, Fleet(PlayerId(0), "green", 4), Fleet(PlayerId(1), "black", 6))


def position(
    *ships,
    stage=None,
    tiles=(),
    sails=(),
    cannons=(),
    fleets=(RED, BLUE),
    turn=0,
    memory=NOTHING_TO_REMEMBER,
    **options: object,
):
    """Return a battle of red (on turn) and others."""
    chosen = read_options(options)
    captains = len({fleet.player for fleet in fleets})
    return State(
        names=("Ann", "Ben", "Cat")[:captains],
        options=chosen,
        stage=stage or Spending(),
        fleets=fleets,
        gold=(2,) * captains,
        lost=(0,) * captains,
        ocean=Ocean(chosen.radius, tuple(sorted(tiles))),
        ships=tuple(sorted(Ship(*ship) for ship in ships)),
        turn=turn,
        round=1,
        sails=sails,
        cannons=cannons,
        memory=memory,
    )


def own_card(timing: str, effect: str, colour: str = "red") -> dict[str, object]:
    """Return options with one typed-in gambit."""
    card = {"colour": colour, "name": "Own", "timing": timing, "effect": effect}
    return {"gambits": "cards", "gambit_cards": [card]}


POSITIONS = {
    "the first card": (GAME.setup(["Ann", "Ben"], {}), 3),
    "a third ship each": (
        position(
            ((4, 0), "red"),
            ((4, 1), "red"),
            ((-4, 0), "blue"),
            ((-3, 0), "blue"),
            stage=BuyingThird(),
        ),
        3,
    ),
    "six tiles": (
        position(((4, 0), "red"), ((-4, 0), "blue"), ((0, 0), "white"), stage=ChoosingDensity()),
        4,
    ),
    "the last tile of a small sea": (
        position(
            ((3, 0), "red"),
            ((-3, 0), "blue"),
            stage=DrawingTile((0, 1, 0)),
            radius=4,
        ),
        3,
    ),
    "one ship each, dice to choose": (
        position(((0, 0), "red"), ((2, 0), "blue"), stage=ChoosingDice()),
        3,
    ),
    "sail and shot, reef and volcano": (
        position(
            ((0, 0), "red"),
            ((3, 0), "blue"),
            ((0, 3), "white"),
            tiles=(((1, 0), "reef"), ((0, -2), "volcano"), ((-1, 0), "desert")),
            sails=(3,),
            cannons=(3,),
        ),
        4,
    ),
    "two ships, two kinds of dice": (
        position(((0, 0), "red"), ((0, 2), "red"), ((2, 0), "blue"), sails=(2, 3), cannons=(1, 2)),
        3,
    ),
    "boarding on a reef": (
        position(
            ((1, 0), "red"),
            ((3, 0), "blue"),
            ((-5, 0), "blue"),
            tiles=(((3, 0), "reef"),),
            sails=(2, 4),
        ),
        4,
    ),
    "desperation: three dice": (
        position(((0, 0), "red"), ((2, 0), "blue"), stage=ChoosingDice(), desperation=True),
        3,
    ),
    "desperation: one sail, two shots": (
        position(((0, 0), "red"), ((5, 0), "blue"), sails=(3,), cannons=(1, 5), desperation=True),
        3,
    ),
    "duel: cards": (GAME.setup(["Ann", "Ben"], {"duel": True}), 5),
    "duel: a third ship each": (
        position(
            ((4, 0), "red"),
            ((4, 1), "red"),
            ((-4, 0), "blue"),
            ((-3, 0), "blue"),
            ((0, 4), "green"),
            ((0, 5), "green"),
            ((0, -4), "black"),
            ((0, -5), "black"),
            stage=AddingThird(),
            fleets=DUEL,
            duel=True,
        ),
        3,
    ),
    "duel: an ally in the way": (
        position(
            ((0, 0), "red"),
            ((2, 0), "green"),
            ((0, 2), "blue"),
            ((0, -4), "black"),
            sails=(2,),
            cannons=(2,),
            fleets=DUEL,
            duel=True,
        ),
        3,
    ),
    "campaign: the last shot of a battle": (
        position(((0, 0), "red"), ((2, 0), "blue"), sails=(2,), cannons=(2,), battles=2),
        3,
    ),
    "marque: the merchant": (
        position(
            ((0, 0), "red"),
            ((-4, 0), "blue"),
            ((2, 0), "white"),
            sails=(2,),
            cannons=(2,),
            marque=True,
        ),
        3,
    ),
    "wind over reefs and islands": (
        position(
            ((0, 0), "red"),
            ((1, -3), "red"),
            ((-1, 3), "blue"),
            ((3, 1), "white"),
            stage=RollingWind(),
            tiles=(((2, 0), "reef"), ((4, -3), "volcano"), ((1, 3), "reef")),
            wind="W",
        ),
        6,
    ),
    "storm: the coin moves": (
        position(
            ((2, 0), "red", 0),
            ((3, 0), "blue"),
            ((0, 0), "green"),
            sails=(2,),
            fleets=(BLUE, GREEN, RED),
            turn=2,
            memory=Memory(storm=3),
            storm=True,
        ),
        4,
    ),
    "everything between two rounds": (
        position(
            ((0, 0), "red"),
            ((3, 0), "blue"),
            ((-2, 0), "green"),
            stage=RollingWind(),
            tiles=(((1, 0), "reef"), ((-1, 0), "reef")),
            fleets=(RED, BLUE, GREEN),
            memory=Memory(storm=3),
            wind="W",
            storm=True,
            grudge=True,
            desperation=True,
            **own_card("onLoss", "a new ship at the edge", "blue"),
        ),
        5,
    ),
    "storm: all on one ring": (
        position(
            ((1, 0), "red"),
            ((0, 1), "blue"),
            stage=Storming(),
            memory=Memory(storm=0),
            storm=True,
        ),
        2,
    ),
    "grudge: a ship comes back": (
        position(
            ((0, 0), "blue"),
            ((1, 0), "green"),
            stage=PlacingGrudge(),
            fleets=(RED, BLUE, GREEN),
            grudge=True,
        ),
        3,
    ),
    "gambit: one more die": (
        position(
            ((0, 0), "red"),
            ((2, 0), "blue"),
            stage=ChoosingDice(),
            gambits="house",
        ),
        3,
    ),
    "gambit: a die again": (
        position(
            ((0, 0), "red"),
            ((5, 0), "blue"),
            stage=Rolling(1, 1),
            **own_card("afterRoll", "roll a die again"),
        ),
        3,
    ),
    "gambit: a sail farther": (
        position(
            ((0, 0), "red"),
            ((3, 0), "blue"),
            sails=(2, 3),
            **own_card("onSpendSail", "sail one less or farther"),
        ),
        3,
    ),
    "gambit: past the reef": (
        position(
            ((0, 0), "red"),
            ((3, 0), "blue"),
            tiles=(((1, 0), "reef"), ((2, 0), "reef")),
            sails=(3, 3),
            **own_card("onReefRoll", "pass the reef"),
        ),
        4,
    ),
    "gambit: cutlasses": (
        position(
            ((0, 0), "red", 0),
            ((2, 0), "blue"),
            sails=(2,),
            **own_card("onBoardingRoll", "board with one more", "blue"),
        ),
        4,
    ),
    "gambit: a hull in reserve": (
        position(
            ((0, 0), "red"),
            ((2, 0), "blue"),
            sails=(2,),
            cannons=(2,),
            **own_card("onLoss", "a new ship at the edge", "blue"),
        ),
        3,
    ),
}


@pytest.mark.parametrize("name", POSITIONS)
def test_node_counts(name):
    check_counts(GAME, FILE, name, *POSITIONS[name])


def test_every_counted_position_is_known():
    assert list(expected(FILE)) == list(POSITIONS)


def test_one_sail_by_hand():
    """A lone sail 2 on open water: six ends, all of them Blue's turn."""
    state = position(((0, 0), "red", 0), ((5, -5), "blue"), sails=(2,))
    # One of the six directions is the way back.
    assert grow(GAME, state, 1).counts == [Counter(decision=5)]


def test_boarding_by_hand():
    """Attack, defence: 25 pairs, of which 5 tie and roll again."""
    state = position(((0, 0), "red", 0), ((2, 0), "blue"), sails=(2,))
    board = next(
        GAME.apply(state, a).state
        for a in GAME.legal_actions(state, RED.player)
        if "boards" in GAME.describe(state, a)
    )
    assert grow(GAME, board, 2).counts == [Counter(chance=5), Counter(chance=5, decision=20)]


if __name__ == "__main__":
    print_lines(GAME, POSITIONS)
