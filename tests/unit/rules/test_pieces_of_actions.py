"""Phones show choices ship by ship: what an action names must stand on the table."""

from random import Random

import pytest

from companion.rules.catalogue import find_game
from companion.rules.game import CHANCE, Decision
from tests.playing import asked_player
from tests.unit.rules.pirate_wars.squadron import lively as fighting
from tests.unit.rules.pirates_csg.shipyard import lively as busy

LIVELY = {"pirate-wars": fighting, "pirates-csg": busy}


@pytest.mark.parametrize(
    ("game", "phase"), [("pirate-wars", "tasks"), ("pirate-wars", "move"), ("pirates-csg", "turn")]
)
def test_ships_and_targets_are_told_by_their_tags(game: str, phase: str) -> None:
    rules, random = find_game(game), Random(4)
    state = rules.setup(("Ann", "Ben"), {"ships_each": 2} if game == "pirate-wars" else {})
    acting, aimed_at = set(), set()
    for _ in range(150):
        asked = asked_player(rules, state)
        if asked is None:
            break
        actions = rules.legal_actions(state, asked)
        pending = rules.pending(state)
        if pending.phase == phase:
            pieces = rules.layout(state).pieces
            for action in actions:
                tags = rules.pieces_of(action)
                assert (
                    tags.keys()
                    == {"ship", "target", "island"} & rules.action_to_json(action).keys()
                )
                assert {*tags.values()} <= {*pieces}
                acting |= {tags[field] for field in tags if field == "ship"}
                aimed_at |= {tags[field] for field in tags if field == "target"}
                if "ship" in tags:
                    colour = pieces[tags["ship"]].colour
                    assert colour in rules.view(state, None).seats[asked].colours
        state = rules.apply(state, LIVELY[game](random, state, actions)).state
    assert len(acting) >= 3
    assert bool(aimed_at) == (phase != "move")


def test_losses_say_how_many_are_to_be_named_in_all() -> None:
    rules, random = find_game("pirate-wars"), Random(5)
    state, met = rules.setup(("Ann", "Ben"), {"ships_each": 2}), 0
    for _ in range(250):
        asked = asked_player(rules, state)
        if asked is None:
            break
        pending, actions = rules.pending(state), rules.legal_actions(state, asked)
        if asked != CHANCE and isinstance(pending, Decision) and pending.total:
            met += 1
            assert str(pending.total) in pending.text
            assert max(action.count for action in actions) <= pending.total
        state = rules.apply(state, fighting(random, state, actions)).state
    assert met > 1
