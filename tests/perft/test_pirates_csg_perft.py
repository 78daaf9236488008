"""Counts of nodes below positions of Pirates CSG, and the probability of their leaves.

No ship gets an action, so that all that is left of a turn is to end it: standard manoeuvres are
examples, not the rules, and are not counted.
``python -m tests.perft.test_pirates_csg_perft`` prints the lines of the file as they are now.
"""

from collections import Counter
from pathlib import Path

import pytest

from companion.rules.pirates_csg.stages import (
    Defaulting,
    Firing,
    Loading,
    LosingMast,
    OnTurn,
    RollingBoard,
    RollingRam,
    RollingResource,
)
from tests.perft.trees import check_counts, expected, grow, print_lines
from tests.unit.rules.pirates_csg.shipyard import FISH, GAME, TAG, at_sea, start

FILE = Path(__file__).with_name("pirates-csg.perft")


def in_stage(cruise, stage):
    return cruise.state._replace(stage=stage)


HERON, STEADFAST = TAG["grey-heron"], TAG["steadfast"]


def abreast(first=None, second=None, lands=None, **options):
    """Return two ships side by side, one of each captain, that get no action."""
    return at_sea(
        {
            "grey-heron": {"bow": (500, 224), "barred": 2, **(first or {})},
            "steadfast": {"owner": 1, "bow": (500, 274), "barred": 2, **(second or {})},
        },
        lands,
        gold=(0, 0),
        **options,
    )


LADEN = {"coins": (2, 5), "crew": ["english-captain"], "tokens": {"fish": 1}}

POSITIONS = {
    "the market": (start().do(start().legal()[0]).roll(6, 1).state, 1),
    "who begins": (start(3).do(start(3).legal()[0]).state, 4),
    "one cannon left": (in_stage(abreast(), Firing(HERON, (1,))), 2),
    "two cannons left": (in_stage(abreast(), Firing(HERON, (0, 1))), 4),
    "a cannoneer": (
        in_stage(abreast({"crew": ["english-cannoneer"]}), Firing(HERON, (1,))),
        4,
    ),
    "the last mast": (in_stage(abreast(second={"masts": 1}), Firing(HERON, (0, 1))), 4),
    "two masts to lose": (in_stage(abreast(), LosingMast(STEADFAST, OnTurn(), 2)), 2),
    "a ram": (in_stage(abreast(), RollingRam(HERON, STEADFAST)), 2),
    "a boarding": (in_stage(abreast(second=LADEN), RollingBoard(HERON, STEADFAST)), 4),
    "a boarding without spoils": (in_stage(abreast(), RollingBoard(HERON, STEADFAST)), 2),
    "an explorer": (
        in_stage(
            abreast({"docked": 102, "tokens": {"fish": 3}, "crew": ["english-explorer"]}),
            RollingResource(HERON),
        ),
        4,
    ),
    "exploring fish": (
        in_stage(
            abreast({"docked": 102}, lands={102: {"resource": FISH, "camps": (0,)}}),
            Loading(HERON, 102, 4),
        ),
        3,
    ),
    "a ship to name": (
        in_stage(
            at_sea({"tern": {"bow": (500, 224)}, "grey-heron": {"bow": (500, 300)}}),
            Defaulting(1),
        ),
        1,
    ),
}


@pytest.mark.parametrize("name", POSITIONS)
def test_node_counts(name):
    check_counts(GAME, FILE, name, *POSITIONS[name])


def test_every_counted_position_is_known():
    assert list(expected(FILE)) == list(POSITIONS)


def counts(name, depth):
    return grow(GAME, POSITIONS[name][0], depth).counts


def test_the_market_by_hand():
    """CSG-44: six rows, twenty durations."""
    assert counts("the market", 1) == [Counter(decision=120)]


def test_who_begins_by_hand():
    """CSG-43: where the highest roll is tied, those captains roll again."""
    assert counts("who begins", 3)[2] == Counter(chance=216)
    ties = sum(
        1
        for a in range(1, 7)
        for b in range(1, 7)
        for c in range(1, 7)
        if [a, b, c].count(max(a, b, c)) > 1
    )
    # The others go on to the market.
    assert counts("who begins", 4)[3] == Counter(chance=6 * ties, decision=120 * (216 - ties))


def test_two_masts_by_hand():
    """CSG-16: three different cannons, two of them go one after the other."""
    assert counts("two masts to lose", 2) == [Counter(decision=3), Counter(decision=6)]


def test_a_boarding_by_hand():
    """CSG-23: 2 + a against 3 + b: what a tie, a win and a loss lead to."""
    after = counts("a boarding without spoils", 2)
    assert after == [Counter(chance=6), Counter(decision=36)]


if __name__ == "__main__":
    print_lines(GAME, POSITIONS)
