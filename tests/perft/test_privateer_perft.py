"""Counts of nodes below small positions of Privateer, and the probability of their leaves.

The sea of the small deck has eight squares and six ports, and few cards, so that whole games of one
round are visited to their last leaf; the others stop at a depth.
``python -m tests.perft.test_privateer_perft`` prints the lines of the file as they are now.
"""

from collections import Counter
from pathlib import Path

import pytest

from companion.rules.privateer.state import Fighting, Fleeing, Plundering, Trading
from tests.perft.trees import check_counts, expected, grow, print_lines
from tests.unit.rules.privateer.voyage import GAME, house, make_voyage, start, to_outfit

FILE = Path(__file__).with_name("privateer.perft")

CARDS = {
    "calm": [{"do": "wind", "to": "none"}],
    "gale": [{"do": "wind", "to": "E"}, {"do": "moves", "amount": -1}],
    "test": [
        {
            "do": "crew_test",
            "target": 6,
            "success": [{"do": "steps", "track": "crew", "amount": 1}],
            "fail": [{"do": "skip"}],
        }
    ],
    "thief": [{"do": "steal_relic"}],
}


def small(*cards):
    """Return a deck with a sea of eight squares and some fortunes."""

    def change(data):
        data["sea"] = {"width": 4, "height": 2, "land": [], "merchants": [[1, 1]]}
        cells = [[0, 0], [1, 0], [2, 0], [3, 0], [0, 1], [3, 1]]
        for port, cell in zip(data["port"], cells, strict=True):
            port["cell"] = cell
        data["ship"]["sails"]["values"] = [1, 1, 1, 1, 1, 1]
        data["start_silver"] = 4
        data["port_card"] = data["port_card"][:6]
        for card in data["port_card"]:
            card["sells"], card["buys"] = {"rum": 3}, {"fruit": 2}
        fortunes = [
            {"id": name, "title": name, "kind": "fortune", "text": name, "draw": CARDS[name]}
            for name in cards
        ]
        relic = [card for card in data["bounty"] if card["id"] == "fiddle"]
        data["bounty"] = [*fortunes, *relic]

    return house(change)


def last_turn(*cards, first=None):
    """Return the beginning of the last captain's turn of the last round."""
    voyage = make_voyage(first or {}, {}, deck=small(*cards), round_cap=1)
    return voyage.sail(voyage.state.seat.cell).state


def at_sea(stage, *seats):
    return make_voyage(*seats, stage=stage, round_cap=1, turn=1).state


LOADED = {"cell": (7, 6), "cargo": {"rum": 1, "fruit": 2}}
FAST = {"cell": (7, 6), "cannons": 5, "hold": 1}

WHOLE = {
    "the last turn: a calm, a relic": last_turn("calm"),
    "the last turn: gale, test and relic": last_turn("gale", "test"),
    "the last turn: a thief": last_turn("thief", first={"relics": ["fiddle"]}),
    "two ships and a tie": at_sea(Fighting(0, 6), LOADED, {"cell": (7, 6)}),
    "plunder of three": at_sea(Plundering(1, 0, 2), LOADED, FAST),
    "a flight": at_sea(Fleeing(0), LOADED, FAST),
    "in port": at_sea(Trading(), {}, {"cell": (12, 11), "last": "caracas", "silver": 4}),
}
"""Positions whose whole tree is visited; ties go on for ever, so a battle is cut off."""

DEPTHS = {
    "the last turn: a calm, a relic": 7,
    "the last turn: gale, test and relic": 8,
    "the last turn: a thief": 7,
    "two ships and a tie": 3,
    "plunder of three": 3,
    "a flight": 1,
    "in port": 4,
}

OPENINGS = {
    "two captains": (start().state, 2),
    "port cards": (start().say("Ann: keep Piet Hein").say("Ben: keep Mary Read").state, 2),
    "the outfit of the first": (to_outfit(deck=small("calm")).state, 5),
}

POSITIONS = {name: (state, DEPTHS[name]) for name, state in WHOLE.items()} | OPENINGS


@pytest.mark.parametrize("name", POSITIONS)
def test_node_counts(name):
    check_counts(GAME, FILE, name, *POSITIONS[name])


def test_every_counted_position_is_known():
    assert list(expected(FILE)) == list(POSITIONS)


def test_whole_trees_end():
    """Nothing is left to play at the last depth, but for the battle, whose ties may go on."""
    for name in WHOLE.keys() - {"two ships and a tie"}:
        counts = grow(GAME, WHOLE[name], DEPTHS[name]).counts
        assert {*counts[-1]} <= {"terminal"}, (name, counts)


def test_a_flight_by_hand():
    """One colour die, six ports, and the last round is over."""
    assert grow(GAME, WHOLE["a flight"], 1).counts == [Counter(terminal=6)]


def test_plunder_by_hand():
    """Two of rum, fruit, fruit: rum then fruit, fruit then either; or nothing; then six ports."""
    counts = grow(GAME, WHOLE["plunder of three"], 3).counts
    assert counts == [
        Counter(decision=1, chance=2),
        Counter(terminal=12, chance=2),
        Counter(terminal=12),
    ]


if __name__ == "__main__":
    print_lines(GAME, POSITIONS)
