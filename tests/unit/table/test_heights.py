"""Heights of tags: one action of each kind tells as much as all of them."""

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from companion.rules.catalogue import find_game
from companion.rules.game import Decision
from companion.table.heights import Heights
from tests.playing import asked_player
from tests.unit.rules.pirate_wars.landfall import ISLES, landing
from tests.unit.rules.pirates_csg.shipyard import lively as busy

LANDINGS = {"launches": True, "terrain": ISLES, "sea_mm": [1400, 1100], "rounds": 3}
GAMES = {"pirate-wars": (LANDINGS, landing, 90), "pirates-csg": ({}, busy, 60)}


def after_every_action(game: Any, state: Any) -> Mapping[int, float]:
    """Return the heights of all pieces that stand, or stand after any action."""
    known = {tag: piece.height_mm for tag, piece in game.layout(state).pieces.items()}
    pending = game.pending(state)
    if isinstance(pending, Decision) and pending.measured:
        for action in game.legal_actions(state, pending.player):
            after = game.layout(game.apply(state, action).state).pieces
            known = {tag: piece.height_mm for tag, piece in after.items()} | known
    return known


@pytest.mark.parametrize("name", GAMES)
def test_one_action_of_each_kind_tells_every_height(name: str) -> None:
    game, random = find_game(name), Random(4)
    options, choose, steps = GAMES[name]
    state, new = game.setup(("Ann", "Ben"), options), 0
    for _ in range(steps):
        found = Heights(game, lambda state=state: state)()
        assert found == after_every_action(game, state)
        new += found.keys() > game.layout(state).pieces.keys()
        asked = asked_player(game, state)
        if asked is None:
            break
        state = game.apply(state, choose(random, state, game.legal_actions(state, asked))).state
    assert new > 2, "pieces come to the table"


def test_a_state_with_many_ways_is_asked_for_one_of_each_ship() -> None:
    game, random = find_game("pirate-wars"), Random(2)
    state = game.setup(("Ann", "Ben"), {"ships_each": 2, "sea_mm": [3000, 3000], "wind": "W"})
    while game.pending(state).phase != "move":
        actions = game.legal_actions(state, asked_player(game, state))
        state = game.apply(state, random.choice(actions)).state
    applied = []

    class Counting:
        def __getattr__(self, name: str) -> Any:
            return getattr(game, name)

        def apply(self, state: Any, action: Any) -> Any:
            applied.append(action)
            return game.apply(state, action)

    Heights(Counting(), lambda: state)()
    ways = {(type(action), action.ship, len(getattr(action, "path", ()))) for action in applied}
    assert len(ways) == len(applied) < len(game.legal_actions(state, state.player))
