"""Who presses the button before the camera has seen the move has made the move."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from companion.boards.profile import load_profile
from companion.rules.game import AnyGame, Decision
from companion.service import Service, open_store
from companion.setup.looks import Looks
from companion.table.commands import Act
from companion.table.referee import Referee
from vision.frame import Frame
from vision.virtual import Scene, VirtualTable


class Pointed:
    """A camera over a virtual table."""

    def __init__(self, table: VirtualTable) -> None:
        self._table = table

    def read(self) -> Frame | None:
        return self._table.frame()

    def close(self) -> None:
        """Nothing is held."""


def test_who_sails_and_presses_before_it_is_read_has_sailed(tmp_path: Path) -> None:
    seconds = count(0.0, 0.1)
    table = VirtualTable(
        load_profile("sea-grid"), Scene(), np.random.default_rng(3), lambda: next(seconds)
    )
    looks = Looks(table.empty_board(), table.empty_tray())
    with Service(open_store(tmp_path), Pointed(table), looks) as service:
        referee = service.open("privateer", ["Anne", "Bart"], {})
        staying = sail_is_due(referee)
        state, game = referee.state, referee.game
        table.lay(game.layout(state))
        for _ in range(8):
            service.look()
        after = sailed(game, state, staying)
        table.lay(game.layout(after))
        service.look()
        service.press_turn()
        assert referee.state == state
        for _ in range(8):
            service.look()
        assert referee.state == after


def sail_is_due(referee: Referee) -> Any:
    """Tell anything until a captain may sail; return the choice to stay."""
    game, rng = referee.game, Random(1)
    while True:
        state = referee.state
        pending = game.pending(state)
        if isinstance(pending, Decision):
            if pending.passing is not None and not pending.told:
                return pending.passing
            choices = game.legal_actions(state, pending.player)
        else:
            choices = tuple(roll for roll, _ in game.chance_outcomes(state))
        referee.command(Act(rng.choice(choices)))


def sailed(game: AnyGame, state: Any, staying: Any) -> Any:
    """Return the state after the first choice that moves the ship."""
    moves = (a for a in game.legal_actions(state, staying.player) if a != staying)
    return game.apply(state, next(moves)).state
