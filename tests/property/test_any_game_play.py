"""Virtual captains play every game with all kinds of options before synthetic readings: nothing may
be recorded that did not happen, unless the table is asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import pytest

from companion.demo.phone import PhoneRefused
from companion.errors import IllegalAction
from companion.table.commands import TakeSeat
from tests.table.evening import SyntheticTable

AHOY, ARTICLES, PRIVATEER = "ahoy-matey", "articles-of-war", "privateer"

PARTIES: tuple[tuple[str, dict[str, Any], int], ...] = (
    (AHOY, {}, 4),
    (AHOY, {"isla_diablo": True, "brethren": True}, 4),
    (AHOY, {"flotilla": True, "strength_in_numbers": True}, 3),
    (AHOY, {"buried_treasure": True, "cursed_treasure": True}, 2),
    (AHOY, {"storm_surge": True, "packed_to_the_rafters": True, "shipwrecked": True}, 3),
    (AHOY, {"hurricane": True, "freak_squall": True}, 2),
    (AHOY, {"dominion": True}, 2),
    (AHOY, {"ghost_fleet": True}, 3),
    (AHOY, {"parlay": True}, 2),
    (ARTICLES, {"desperation": True, "marque": True, "grudge": True}, 3),
    (ARTICLES, {"duel": True}, 2),
    (ARTICLES, {"battles": 2, "radius": 4}, 2),
    (ARTICLES, {"wind": "NE", "storm": True}, 3),
    (ARTICLES, {"gambits": "house"}, 3),
    (PRIVATEER, {}, 5),
    (PRIVATEER, {"battle_needs_move": True, "replace_on_upgrade": True}, 2),
)
STEPS = {PRIVATEER: 100}
"""Steps played, if not 40: of cards and deals, which are told, there are many."""


@pytest.mark.parametrize(("game", "options", "players"), PARTIES, ids=str)
def test_every_option_is_followed_without_a_silent_error(
    game: str, options: dict[str, Any], players: int
) -> None:
    table = SyntheticTable(game, options, players, seed=3, noise=0.05)
    table.play(STEPS.get(game, 40))
    tally = table.captains.tally
    assert table.silent == tally.misread == 0
    assert tally.told == 0
    assert tally.recognised >= 0.8 * tally.moves > 10


def test_a_visitor_who_sits_down_for_a_captain_with_secrets_does_not_end_the_demo() -> None:
    """What a purse allows only its own phone may tell: the captains ended with that refusal."""
    table = SyntheticTable(PRIVATEER, {}, 2, seed=3)
    freed = 0
    for step in range(60):
        seat = step % 2
        if not table.referee.snapshot().seats[seat].taken:
            table.referee.command(TakeSeat(f"visitor {step}", seat))
        table.play(1)
        freed += not table.referee.snapshot().seats[seat].taken
    assert freed


class LateEyes(SyntheticTable):
    """A table that sees nothing before a phone tells something, and then all there is."""

    refused = 0

    def wait(self) -> None:
        pass

    def send(self, command: Mapping[str, Any]) -> None:
        try:
            super().send(command)
        except PhoneRefused:
            self.refused += 1
            raise
        super().wait()

    def press(self) -> None:
        with suppress(IllegalAction):  # as the service does
            super().press()


def test_what_the_table_sees_once_it_knows_the_first_is_not_told_again() -> None:
    """It was refused, and the demo's pages showed that nobody may do so now."""
    table = LateEyes(AHOY, {}, 2, seed=5)
    table.play(40)
    assert table.captains.tally.told > 20
    assert table.refused == 0
