"""What people do at the moment in which the camera reads a throw."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.audit.rolls import KNOWN_DICE
from companion.audit.trial import Plan
from companion.boards.profile import load_profile
from companion.errors import IllegalAction
from companion.ledger.folder import open_store
from companion.rules.layout import CellContent, Die, make_layout
from companion.service import Service
from companion.setup import readers
from companion.setup.looks import Looks
from companion.table.commands import Act, PressTurn
from companion.table.observation import DieReading
from companion.table.referee import Referee
from vision.frame import Frame
from vision.pipeline import Watcher
from vision.virtual import Scene, VirtualTable


class Table:
    """A virtual table whose dice are read as told, and what happens while they are read."""

    def __init__(self) -> None:
        profile, seconds = load_profile("piecepack-sea"), count(0.0, 0.2)
        self.virtual = VirtualTable(
            profile, Scene(), np.random.default_rng(3), lambda: next(seconds)
        )
        self.lying: list[DieReading] = []
        self.meanwhile: Callable[[], None] | None = None

    def read(self) -> Frame | None:
        return self.virtual.frame()

    def close(self) -> None:
        """Nothing is held."""

    def read_dice(self, *_: object) -> tuple[DieReading, ...]:
        """Take the place of the tray's reader: people do something while it is busy."""
        lying, meanwhile = tuple(self.lying), self.meanwhile
        self.meanwhile = None
        if meanwhile is not None:
            meanwhile()
        return lying

    def throw(self, face: int, read_as: int, x_mm: float) -> None:
        self.virtual.sweep()
        self.virtual.throw([Die("piecepack", face)])
        reading = DieReading({Die("piecepack", read_as): 0.99}, (x_mm, 50.0), (10, 10, 60, 60))
        self.lying = [reading]


def tell(referee: Referee, face: int) -> None:
    action = referee.game.roll_of(referee.state, (Die("piecepack", face),))
    assert action is not None
    referee.command(Act(action, version=referee.snapshot().version))


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Table:
    table = Table()
    monkeypatch.setattr("vision.dice.reader.TrayReader.read", table.read_dice)
    return table


@pytest.fixture
def service(table: Table, tmp_path: Path) -> Iterator[Service]:
    """Return an open table at which two rolls follow one another: the highest goes first."""
    looks = Looks(table.virtual.empty_board(), table.virtual.empty_tray(), folder=tmp_path)
    with Service(open_store(tmp_path), table, looks) as service:
        referee = service.open("ahoy-matey", ["Anne", "Bart"], {})
        table.virtual.lay(referee.game.layout(referee.state))
        assert look_on(service, referee) == []
        yield service


def look_on(service: Service, referee: Referee) -> list[str]:
    for _ in range(12):
        service.look()
    return [line.text for line in referee.snapshot().log]


def table_of(service: Service) -> Referee:
    referee = service.table()
    assert referee is not None
    return referee


@pytest.mark.parametrize("read_as", [4, 3], ids=["as told", "otherwise"])
def test_a_roll_told_while_its_throw_is_read_counts_once_and_the_next_throw_counts(
    table: Table, service: Service, read_as: int
) -> None:
    referee = table_of(service)
    table.throw(4, read_as, 40.0)
    table.meanwhile = lambda: tell(referee, 4)
    assert look_on(service, referee) == ["Suns rolls 4"]
    table.throw(2, 2, 120.0)
    assert look_on(service, referee) == ["Suns rolls 4", "Moons rolls 2"]


def test_what_is_read_while_another_game_is_opened_is_of_neither(
    table: Table, service: Service
) -> None:
    before = table_of(service)
    table.throw(4, 4, 40.0)
    table.meanwhile = lambda: service.open("ahoy-matey", ["Cid", "Dora"], {})
    assert look_on(service, before) == []
    now = table_of(service)
    assert now is not before
    assert now.snapshot().log == ()


def test_what_is_seen_while_another_game_is_opened_is_not_read_for_it(
    table: Table, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ships of the game before were to be taken off a board that the camera did not even see."""
    before = table_of(service)

    def watcher_of(referee: Referee, *others: Any) -> Watcher:
        table.virtual.lay(make_layout({(4, 4): CellContent(("suns",))}, (), {}))
        look_on(service, before)  # what reads the board of the next game takes a while to be made
        return readers.watcher_of(referee, *others)

    monkeypatch.setattr("companion.service.watcher_of", watcher_of)
    now = service.open("articles-of-war", ["Cid", "Dora"], {})
    assert now.snapshot().notice is None


def test_what_is_read_while_a_die_is_put_on_trial_is_none_of_the_games(
    table: Table, service: Service
) -> None:
    referee = table_of(service)
    table.throw(4, 4, 40.0)
    table.meanwhile = lambda: service.trials.begin(Plan(KNOWN_DICE["piecepack"], 5))
    assert look_on(service, referee) == []
    assert service.trials.now is not None
    assert referee.snapshot().notice is None
    with pytest.raises(IllegalAction, match="Suns: roll"):
        referee.command(PressTurn())
    assert referee.snapshot().log == ()
