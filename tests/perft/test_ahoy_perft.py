"""Counts of nodes below small positions of Ahoy, Matey!, and the probability of their leaves.

At every depth the triple (chance, decision, terminal) counts the nodes that lie exactly so many
steps below the position. Decisions are weighted evenly, so the leaves of a whole tree weigh 1.
``python tests/perft/test_ahoy_perft.py`` prints the lines of the file as they are now.
"""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import pytest

from companion.rules.ahoy_matey.fleets import fleets_of
from companion.rules.ahoy_matey.options import read_options
from companion.rules.ahoy_matey.position import Position, Stack, Treasure
from companion.rules.ahoy_matey.rules import AhoyMatey
from companion.rules.ahoy_matey.state import Rolling, Sailing, State
from companion.rules.game import CHANCE, ChanceRoll, GameOver, PlayerId

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


@dataclass
class Tree:
    """Counts by depth, and the probability of all leaves."""

    counts: list[Counter[str]]
    mass: Fraction


def children(state: State) -> list[tuple[State, Fraction]]:
    pending = GAME.pending(state)
    if isinstance(pending, ChanceRoll):
        return [(GAME.apply(state, a).state, p) for a, p in GAME.chance_outcomes(state)]
    actions = GAME.legal_actions(state, pending.player)
    return [(GAME.apply(state, a).state, Fraction(1, len(actions))) for a in actions]


def kind(state: State) -> str:
    pending = GAME.pending(state)
    if isinstance(pending, GameOver):
        return "terminal"
    return "chance" if isinstance(pending, ChanceRoll) else "decision"


def grow(state: State, depth: int) -> Tree:
    """Visit every node; equal states at a depth are visited once and counted as often as met."""
    level: dict[State, tuple[int, Fraction]] = {state: (1, Fraction(1))}
    counts, ended = [], Fraction(0)
    for _ in range(depth):
        following: dict[State, tuple[int, Fraction]] = {}
        for node, (times, mass) in level.items():
            if kind(node) == "terminal":
                ended += mass
                continue
            for child, p in children(node):
                before = following.get(child, (0, Fraction(0)))
                following[child] = (before[0] + times, before[1] + mass * p)
        level = following
        counts.append(Counter())
        for node, (times, _) in level.items():
            counts[-1][kind(node)] += times
    return Tree(counts, ended + sum((mass for _, mass in level.values()), Fraction(0)))


def written(name: str, tree: Tree) -> str:
    parts = [
        f"{depth}: {c['chance']} {c['decision']} {c['terminal']}"
        for depth, c in enumerate(tree.counts, 1)
    ]
    return " | ".join([name, *parts])


def expected() -> dict[str, str]:
    lines = [line for line in FILE.read_text("utf-8").splitlines() if not line.startswith("#")]
    return {line.split(" | ")[0]: line for line in lines}


@pytest.mark.parametrize("name", POSITIONS)
def test_node_counts_of_ahoy(name):
    state, depth = POSITIONS[name]
    tree = grow(state, depth)
    assert tree.mass == Fraction(1)
    found = written(name, tree)
    if found != expected()[name]:
        pytest.fail(
            f"{found}\nis not\n{expected()[name]}\nbelow each action: {below(state, depth)}"
        )


def below(state: State, depth: int) -> dict[str, int]:
    """Count the nodes under each first action, so that the wrong branch is visible."""
    player = CHANCE if kind(state) == "chance" else PlayerId(0)
    return {
        GAME.describe(state, action): grow(GAME.apply(state, action).state, depth - 1)
        .counts[-1]
        .total()
        for action in GAME.legal_actions(state, player)
    }


def test_every_counted_position_of_ahoy_is_known():
    assert list(expected()) == list(POSITIONS)


def test_rolling_for_first_by_hand():
    """Six faces, then six: six of the 36 pairs tie and are rolled again."""
    state, _ = POSITIONS["two roll for the first turn"]
    tree = grow(state, 2)
    assert tree.counts == [Counter(chance=6), Counter(chance=36)]
    again = sum(
        GAME.pending(second).phase == "first"
        for first, _ in children(state)
        for second, _ in children(first)
    )
    assert again == 6


def test_a_first_roll_by_hand():
    """21 results; without a null (15 of them) nobody can sail and the turn passes."""
    state, _ = POSITIONS["the first roll"]
    assert grow(state, 1).counts == [Counter(chance=15, decision=6)]


def test_a_lone_ship_by_hand():
    """C6 with a 2: C4, C8, A6, with the wind A8 and the anchor E4, where it may take; not E6."""
    state = position(SUNS, MOONS, dice=(2,))
    assert grow(state, 1).counts == [Counter(chance=4, decision=1)]


if __name__ == "__main__":
    import sys

    for name, (state, depth) in POSITIONS.items():
        sys.stdout.write(written(name, grow(state, depth)) + "\n")
