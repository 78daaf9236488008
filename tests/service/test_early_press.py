"""Who presses the button before the camera has seen the move has made the move."""

from __future__ import annotations

import threading
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from companion.boards.profile import load_profile
from companion.ledger.folder import open_store
from companion.ledger.store import Store
from companion.rules.game import AnyGame, Decision
from companion.service import Service
from companion.setup.looks import Looks
from companion.table.commands import Act
from companion.table.referee import Referee
from companion.table.snapshot import Snapshot
from tests.table.full_card import FullCard
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


@pytest.fixture
def table() -> VirtualTable:
    seconds = count(0.0, 0.1)
    return VirtualTable(
        load_profile("sea-grid"), Scene(), np.random.default_rng(3), lambda: next(seconds)
    )


def open_service(store: Store, table: VirtualTable) -> Service:
    return Service(store, Pointed(table), Looks(table.empty_board(), table.empty_tray()))


def sail_and_press(service: Service, table: VirtualTable) -> tuple[Referee, Any]:
    """Have a captain press whose ship was just moved; return the table, and the state then due."""
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
    return referee, after


def test_who_sails_and_presses_before_it_is_read_has_sailed(
    tmp_path: Path, table: VirtualTable
) -> None:
    with open_service(open_store(tmp_path), table) as service:
        referee, after = sail_and_press(service, table)
        for _ in range(8):
            service.look()
        assert referee.state == after


def test_a_press_waits_till_the_card_has_room_for_the_move(
    monkeypatch: pytest.MonkeyPatch, table: VirtualTable
) -> None:
    monkeypatch.setattr("companion.service.RETRY_S", 0.0)
    store, told, is_sailed = FullCard(), threading.Event(), threading.Event()
    with open_service(store, table) as service:
        referee, after = sail_and_press(service, table)
        version = referee.snapshot().version

        def watch(snapshot: Snapshot) -> None:
            if "full" in snapshot.health.get("ledger", ""):
                told.set()
            elif snapshot.version > version:
                is_sailed.set()

        service.subscribe(watch)
        store.left = 0
        service.start()
        assert told.wait(20)
        store.left = None
        assert is_sailed.wait(20)
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
