"""What moves nothing is never offered, never asked for and never measured."""

from random import Random

import pytest

from companion.rules.layout import Pose
from companion.rules.pirate_wars.actions import Drift, Sail
from companion.rules.pirate_wars.pieces import tag_of
from companion.rules.pirate_wars.sailing.held import LITTLE, has_stayed, is_held, may_stay
from companion.rules.pirate_wars.sailing.moving import to_move
from companion.rules.pirate_wars.stages import FallingOff, Moving
from companion.rules.pirate_wars.state import State
from tests.playing import asked_player
from tests.unit.rules.pirate_wars.squadron import GAME, lively


def jittered(random: Random, state: State) -> dict[int, Pose]:
    """Return where tags are read that nobody has touched."""
    read = {}
    for tag, piece in GAME.layout(state).pieces.items():
        x, y, heading = piece.pose.x_mm, piece.pose.y_mm, piece.pose.heading_deg
        dx, dy, turn = (random.uniform(-2, 2) for _ in range(3))
        read[tag] = Pose(x + dx, y + dy, (heading + turn) % 360)
    return read


def check_still(random: Random, state: State) -> None:
    """PWR-39, PWR-48: whoever is asked to move has a way to go, and errors are no moves."""
    assert GAME.measured(state, jittered(random, state)) == ()
    if not isinstance(state.stage, Moving):
        return
    numbers = to_move(state)
    assert numbers
    assert not any(is_held(state, number) for number in numbers)
    must = [number for number in numbers if not may_stay(state, number)]
    passing = GAME.pending(state).passing
    assert (passing is None) == bool(must)
    actions = GAME.legal_actions(state, state.player)
    assert {*must} <= {a.ship for a in actions if isinstance(a, Sail | Drift)}
    for action in actions:
        if isinstance(action, Sail):
            assert not has_stayed(state, action.ship, action.path[-1], LITTLE), action
            assert GAME.layout(GAME.apply(state, action).state).changed(GAME.layout(state))
    assert tag_of(numbers[0]) in GAME.layout(state).pieces


@pytest.mark.parametrize("seed", [3, 8, 9, 11, 34])
def test_in_crowded_seas_nobody_is_asked_for_a_way_of_nothing(seed: int) -> None:
    random, held = Random(seed), 0
    options = {"rounds": 6, "ships_each": 3, "sea_mm": [1100, 800], "losses": "order"}
    state = GAME.setup(["Ann", "Ben"], options)
    while (asked := asked_player(GAME, state)) is not None:
        if isinstance(state.stage, Moving | FallingOff):
            check_still(random, state)
        step = GAME.apply(state, lively(random, state, GAME.legal_actions(state, asked)))
        held += sum(" cannot " in happening.text for happening in step.happenings)
        state = step.state
    assert held
