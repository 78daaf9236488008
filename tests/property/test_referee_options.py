"""Random parties that play optional rules: the referee follows the hands without a silent error."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.ledger.memory_store import MemoryStore
from companion.rules.game import ChanceRoll, Decision
from companion.table.commands import Act
from companion.table.referee import Referee
from tests.property.test_referee_play import TOLD, Party
from tests.table.battle import GAME, PROFILE
from tests.table.synthetic import Hands

UNSEEN = ("PlayGambit", "Pass")
"""Choices that move no piece and no die."""


class OptionalParty(Party):
    """A party at a table with options; what nobody can see is told by phone."""

    def __init__(self, rng: Random, players: int, options: dict[str, Any]) -> None:
        self.rng, self.noise = rng, 0.05
        self.store = MemoryStore()
        names = ["Anne", "Mary", "Jack", "Bess"][:players]
        self.referee = Referee.open(GAME, names, options, PROFILE, self.store, lambda: 1.0, "g")
        self.truth: Any = self.referee.state
        self.past = {self.truth}
        self.hands = Hands(rng)

    def act(self) -> None:
        pending = GAME.pending(self.truth)
        if not isinstance(pending, Decision):
            super().act()
            return
        action = self._choose(pending)
        if type(action).__name__ in UNSEEN or pending.phase in TOLD:
            self.catch_up()
            self.referee.command(Act(action))
        self.truth = GAME.apply(self.truth, action).state
        self.past.add(self.truth)
        self.hands.lay(GAME.layout(self.truth))

    @property
    def waits_for_dice(self) -> bool:
        """Whether dice have been chosen, which nobody can see before they are rolled."""
        return isinstance(GAME.pending(self.truth), ChanceRoll)


STEPS = 120
WEATHER = {"wind": "NE", "storm": True, "grudge": True}


@pytest.mark.parametrize(
    ("players", "options", "seed"),
    [
        (3, WEATHER | {"desperation": True}, 1),
        (2, {"duel": True, "marque": True}, 0),
        (4, {"gambits": "house", "battles": 2}, 1),
    ],
    ids=["weather and grudges", "duel", "gambits"],
)
def test_optional_rules_are_followed_at_the_table(
    players: int, options: dict[str, Any], seed: int
) -> None:
    """AOW-64 to AOW-87: each stage can be seen, or is told."""
    party = OptionalParty(Random(seed), players, options)
    steps = 0
    while not party.is_over and (steps < STEPS or party.waits_for_dice):
        party.act()
        steps += 1
        if not party.is_over:
            party.look(2)
            party.check()
    party.catch_up()
    party.check()
    party.check_ledger()
