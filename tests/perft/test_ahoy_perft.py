"""Counts of nodes below small positions of Ahoy, Matey!, and the probability of their leaves.

``python -m tests.perft.test_ahoy_perft`` prints the lines of the file as they are now.
"""

from collections import Counter
from pathlib import Path

import pytest

from companion.rules.ahoy_matey.fleets import fleets_of
from companion.rules.ahoy_matey.options import read_options
from companion.rules.ahoy_matey.position import Position, Stack, Treasure
from companion.rules.ahoy_matey.rules import AhoyMatey
from companion.rules.ahoy_matey.state import Rolling, Sailing, State
from companion.rules.game import PlayerId
from tests.perft.trees import check_counts, children, expected, grow, print_lines

GAME = AhoyMatey()
FILE = Path(__file__).with_name("ahoy-matey.perft")
ISLAND = Treasure((5, 5))


def position(*ships, dice=(), reserve=(), treasures=(ISLAND,), players=2, **options):
    """Return a sea with the first player on turn; reserves not given are empty."""
    chosen = read_options(options, players)
    fleets = fleets_of(chosen, players, None)
    zeros = (0,) * players
    waiting = (*reserve, *(0,) * (len(fleets) - len(reserve)))
    stacks = tuple(sorted(Stack(*ship) for ship in ships))
    return State(
        tuple(f"P{n}" for n in range(players)),
        chosen,
        Sailing() if dice else Rolling(),
        Position(stacks, waiting, tuple(sorted(treasures))),
        zeros,
        zeros,
        PlayerId(0),
        dice,
        turns=1,
        round=1,
    )


SUNS, MOONS = ((3, 6), "suns"), ((6, 9), "moons")

POSITIONS = {
    "two roll for the first turn": (GAME.setup(["Ann", "Ben"], {}), 3),
    "the first roll": (position(reserve=(3, 3)), 3),
    "one ship each, a roll": (position(SUNS, MOONS), 3),
    "null and four from the harbour": (position(MOONS, dice=(0, 4), reserve=(3, 0)), 3),
    "at the anchor with two dice": (position(((5, 4), "suns"), MOONS, dice=(1, 2)), 3),
    "the treasure two ways from home": (
        position(((8, 3), "suns"), MOONS, dice=(1, 2), treasures=(Treasure((8, 3)),)),
        3,
    ),
    "a capture ends it": (position(((3, 6), "suns"), ((3, 8), "moons"), dice=(2, 3)), 3),
    "a curse and a relief": (
        position(
            ((5, 4), "suns"),
            ((5, 2), "suns"),
            MOONS,
            dice=(1, 2),
            treasures=(Treasure((5, 4), True),),
            cursed_treasure=True,
        ),
        4,
    ),
    "digging": (position(((5, 4), "suns"), MOONS, dice=(1,), buried_treasure=True), 3),
    "a stack of three": (position(((3, 6), "suns", 3), MOONS, dice=(1, 2), flotilla=True), 3),
    "a hurricane or not": (
        position(((7, 3), "suns"), ((9, 3), "suns"), MOONS, hurricane=True),
        2,
    ),
    "a squall or not": (position(SUNS, MOONS, freak_squall=True), 3),
    "four dice on two boards": (
        position(
            ((9, 10), "suns"),
            ((14, 1), "moons2"),
            dice=(1, 2, 3, 4),
            pieces_of_eight=True,
        ),
        4,
    ),
}


@pytest.mark.parametrize("name", POSITIONS)
def test_node_counts_of_ahoy(name):
    check_counts(GAME, FILE, name, *POSITIONS[name])


def test_every_counted_position_of_ahoy_is_known():
    assert list(expected(FILE)) == list(POSITIONS)


def test_rolling_for_first_by_hand():
    """Six faces, then six: six of the 36 pairs tie and are rolled again."""
    state, _ = POSITIONS["two roll for the first turn"]
    tree = grow(GAME, state, 2)
    assert tree.counts == [Counter(chance=6), Counter(chance=36)]
    again = sum(
        GAME.pending(second).phase == "first"
        for first, _ in children(GAME, state)
        for second, _ in children(GAME, first)
    )
    assert again == 6


def test_a_first_roll_by_hand():
    """21 results; without a null (15 of them) nobody can sail and the turn passes."""
    state, _ = POSITIONS["the first roll"]
    assert grow(GAME, state, 1).counts == [Counter(chance=15, decision=6)]


def test_a_lone_ship_by_hand():
    """C6 with a 2: C4, C8, A6, with the wind A8 and the anchor E4, where it may take; not E6."""
    state = position(SUNS, MOONS, dice=(2,))
    assert grow(GAME, state, 1).counts == [Counter(chance=4, decision=1)]


if __name__ == "__main__":
    print_lines(GAME, POSITIONS)
