"""A siege of PirateWars at the table: what is told of a fortress, and what pictures show of it."""

from __future__ import annotations

from random import Random

from companion.boards.choice import board_for
from companion.ledger.memory_store import MemoryStore
from companion.rules.catalogue import find_game
from companion.rules.pirate_wars.actions import Sail
from companion.rules.pirate_wars.pieces import tag_of
from companion.rules.pirate_wars.sailing.moving import to_move
from companion.rules.pirate_wars.stages import Moving
from companion.table.commands import Act
from companion.table.referee import Referee
from tests.playing import asked_player
from tests.table.regatta import seen
from tests.unit.rules.pirate_wars.landfall import SIEGE, storming

RULES = find_game("pirate-wars")
SEED = 0
"""Of captains who get into the fortress."""


def stormed() -> tuple[Referee, int]:
    """Return a table at which a party within a fortress can move, and the party."""
    profile = board_for(RULES.info, SIEGE)
    names = ["Ann", "Ben"]
    referee = Referee.open(
        RULES, names, SIEGE, profile, MemoryStore(), lambda: 0.0, "20261121-siege"
    )
    random = Random(SEED)
    while True:
        state = referee.state
        if isinstance(state.stage, Moving):
            inside = [n for n in to_move(state) if state.ships[n].is_inside]
            if inside:
                return referee, inside[0]
        asked = asked_player(RULES, state)
        assert asked is not None
        referee.command(Act(storming(random, state, RULES.legal_actions(state, asked))))


def test_a_party_within_a_fortress_has_no_tag_until_it_comes_out() -> None:
    """PWR-120, PWR-124: the table is complete without its tag; where it comes out is measured."""
    referee, number = stormed()
    layout = RULES.layout(referee.state)
    assert tag_of(number) not in layout.pieces
    poses = {tag: piece.pose for tag, piece in layout.pieces.items()}
    before = referee.state
    referee.observe(seen(poses, (), 1.0))
    assert referee.state == before
    assert referee.snapshot().notice is None
    out = next(
        action.path[0]
        for action in RULES.legal_actions(before, before.player)
        if isinstance(action, Sail)
        and action.ship == number
        and action.path[0] != before.ships[number].pose
    )
    referee.observe(seen(poses | {tag_of(number): out}, (), 2.0))
    assert not referee.state.ships[number].is_inside
    assert referee.state.ships[number].pose == out
