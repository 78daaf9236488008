"""Counts of nodes below small positions of PirateWars, and the probability of their leaves.

Nothing sails under way here: standard manoeuvres are examples, not the rules, and are not counted.
``python -m tests.perft.test_pirate_wars_perft`` prints the lines of the file as they are now.
"""

from collections import Counter
from pathlib import Path

import pytest

from companion.rules.layout import Pose
from companion.rules.pirate_wars import stages
from companion.rules.pirate_wars.actions import Board
from companion.rules.pirate_wars.initiative import fresh_rolls
from companion.rules.pirate_wars.pieces import Shoal
from companion.rules.pirate_wars.stages import (
    Attack,
    FeedingSharks,
    Firing,
    RollingInitiative,
    Volley,
)
from tests.perft.trees import check_counts, expected, grow, print_lines
from tests.unit.rules.pirate_wars.squadron import (
    CLIPPER,
    GAME,
    RUNNER,
    P,
    battle,
    crew_of,
    ship,
    tasks,
)

FILE = Path(__file__).with_name("pirate-wars.perft")
TWO_SHIPS = (
    ship(RUNNER, 0, (1000, 1000, 0), crew=crew_of(("pirate", "deck", 2)), guns=()),
    ship(CLIPPER, 1, (1000, 1200, 180), crew=crew_of(("sailor", "deck", 1)), guns=()),
)


def in_stage(stage, *ships, **state):
    """Return a battle of two ships in a stage."""
    return battle(*(ships or TWO_SHIPS), stage=stage, **state).state


def initiative(sides):
    ships = [
        ship(RUNNER, side, (500 + 600 * side, 900, 0), crew=crew_of(("pirate", "deck", 1)), hf=1)
        for side in range(sides)
    ]
    state = in_stage(None, *ships)
    return state._replace(stage=RollingInitiative(fresh_rolls(state)), ships=tuple(ships), order=())


def muskets(dice, target):
    """Return a throw at the only figure of the second ship, the last of the phase."""
    attack = Attack(0, "musket", -1, "pirate-musket", 1, 1, "deck")
    return in_stage(Firing((Volley(attack, dice, target),)))


def cannon(dice, target):
    """Return a cannon's throw with ball."""
    gunned = TWO_SHIPS[0]._replace(guns=ship(RUNNER, 0).guns)
    volley = Volley(Attack(0, "cannon-ball", 0, "", 1, 1, ""), dice, target)
    return in_stage(Firing((volley,)), gunned, TWO_SHIPS[1])


def boarded():
    """Return two against one, hull to hull, after the boarding is declared."""
    mine, theirs = TWO_SHIPS
    theirs = theirs._replace(pose=Pose(1000, 1081, 0))
    return tasks(mine, theirs, slot=0).do(Board(P[0], 0, 1)).state


POSITIONS = {
    "choosing ships": (GAME.setup(("Ann", "Ben"), {}), 3),
    "initiative of two": (initiative(2), 2),
    "initiative of three": (initiative(3), 3),
    "a musket": (muskets(1, 3), 1),
    "two muskets": (muskets(2, 3), 1),
    "a cannon with ball": (cannon(3, 2), 2),
    "two against one": (boarded(), 6),
    "a morale test": (in_stage(stages.TestingMorale(((1, "crew", 3),))), 1),
    "three swimmers": (
        in_stage(
            FeedingSharks(0),
            shoals=(Shoal(P[0], 0, "pirate", (("pirate", 3),), 500.0, 500.0, False),),
        ),
        1,
    ),
    "orders to two pirates": (tasks(*TWO_SHIPS, slot=0).state, 2),
}


@pytest.mark.parametrize("name", POSITIONS)
def test_node_counts(name):
    check_counts(GAME, FILE, name, *POSITIONS[name])


def test_every_counted_position_is_known():
    assert list(expected(FILE)) == list(POSITIONS)


def counts(name, depth):
    return grow(GAME, POSITIONS[name][0], depth).counts


def test_choosing_ships_by_hand():
    """PWR-21, PWR-38: seven models for each captain, then eight winds."""
    assert counts("choosing ships", 3)[1:] == [Counter(chance=49), Counter(decision=49 * 8)]


def test_initiative_by_hand():
    """PWR-34: who is tied rolls again, at whatever place."""
    assert counts("initiative of two", 2)[1] == Counter(chance=6, decision=30)
    assert counts("initiative of three", 3)[2] == Counter(decision=6 * 5 * 4, chance=216 - 120)


def test_muskets_by_hand():
    """PWR-75, PWR-140: half the faces hit the last figure, and end the battle."""
    assert counts("a musket", 1) == [Counter(terminal=3, chance=3)]
    # Of 21 throws six have no die that hits: both show 4, 5 or 6.
    assert counts("two muskets", 1) == [Counter(terminal=15, chance=6)]


def test_a_cannon_by_hand():
    """PWR-70, PWR-72, PWR-73: three successes are critical, three sixes kill the gun's crew."""
    critical = len(["111", "112", "122", "222"])
    misses = 20 - 1  # of 3, 4, 5, 6, but for 666
    assert counts("a cannon with ball", 1) == [
        Counter(chance=critical + misses, terminal=56 - critical - misses)
    ]


if __name__ == "__main__":
    print_lines(GAME, POSITIONS)
