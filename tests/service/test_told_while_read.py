"""A roll tapped on a phone at the moment in which the camera reads the same throw."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path

import numpy as np
import pytest

from companion.boards.profile import load_profile
from companion.rules.layout import Die
from companion.service import Service, open_store
from companion.setup.looks import Looks
from companion.table.commands import Act
from companion.table.observation import DieReading
from companion.table.referee import Referee
from vision.frame import Frame
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


@pytest.mark.parametrize("read_as", [4, 3], ids=["as told", "otherwise"])
def test_a_roll_told_while_its_throw_is_read_counts_once_and_the_next_throw_counts(
    read_as: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two rolls follow one another from the start: the highest goes first."""
    table = Table()
    monkeypatch.setattr("vision.dice.reader.TrayReader.read", lambda *_: table.read_dice())
    looks = Looks(table.virtual.empty_board(), table.virtual.empty_tray())
    with Service(open_store(tmp_path), table, looks) as service:
        referee = service.open("ahoy-matey", ["Anne", "Bart"], {})
        table.virtual.lay(referee.game.layout(referee.state))

        def look_on() -> list[str]:
            for _ in range(12):
                service.look()
            return [line.text for line in referee.snapshot().log]

        assert look_on() == []
        table.throw(4, read_as, 40.0)
        table.meanwhile = lambda: tell(referee, 4)
        (first,) = look_on()
        assert first == "Suns rolls 4"
        table.throw(2, 2, 120.0)
        assert look_on() == [first, "Moons rolls 2"]
