"""A die on trial at an open table: the tray is the trial's, until it ends."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from companion.audit.rolls import KNOWN_DICE, STANDS
from companion.audit.rolls_csv import verify_export
from companion.audit.trial import Plan
from companion.boards.choice import board_for
from companion.rules.catalogue import find_game
from companion.rules.layout import Die
from companion.service import Service, open_store
from companion.setup.looks import Looks
from companion.table.referee import Referee
from vision.frame import Frame
from vision.virtual import Scene, VirtualTable

AHOY = find_game("ahoy-matey")
"""A game that begins with the roll of a die."""
PIECEPACK = Plan(KNOWN_DICE["piecepack"], 2, captain="Anne", look="blue")
ON_TRIAL = "A die is on trial"


class TableCamera:
    """Looks at a virtual table."""

    def __init__(self, table: VirtualTable) -> None:
        self.table = table

    def read(self) -> Frame | None:
        return self.table.frame()

    def close(self) -> None:
        pass


class Evening:
    """A table whose first roll is awaited, and a die that somebody doubts."""

    def __init__(self, folder: Path) -> None:
        profile = board_for(AHOY.info, {})
        self.table = VirtualTable(profile, Scene(), np.random.default_rng(4), lambda: 0.0)
        looks = Looks(self.table.empty_board(), self.table.empty_tray(), folder=folder)
        self.service = Service(open_store(folder), TableCamera(self.table), looks)
        self.referee: Referee = self.service.open("ahoy-matey", ["Anne", "Bart"], {})
        self.table.lay(AHOY.layout(self.referee.state))
        self.look()

    def look(self, frames: int = 7) -> None:
        """Look on while nobody touches anything."""
        for _ in range(frames):
            assert self.service.look()

    def throw(self, face: int) -> None:
        """Take up what lies there and throw the die."""
        self.take_up()
        self.table.throw([Die("piecepack", face)])
        self.look()

    def take_up(self) -> None:
        self.table.take([Die(die.kind, die.face) for die in self.table.dice])
        self.look()

    @property
    def is_told(self) -> bool:
        return self.referee.snapshot().health.get("tray", "").startswith(ON_TRIAL)


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    evening = Evening(tmp_path)
    yield evening
    evening.service.close()


def test_the_tray_is_the_trials_until_it_ends(evening: Evening) -> None:
    service, trials = evening.service, evening.service.trials
    version = evening.referee.snapshot().version
    trials.begin(PIECEPACK)
    assert evening.is_told
    evening.look()
    for face in (3, 5):
        evening.throw(face)
    assert trials.now is not None
    rolls = [(roll.face, roll.die, roll.captain, roll.source) for roll in trials.now.rolls]
    assert rolls == [
        (3, "blue piecepack", "Anne", "camera"),
        (5, "blue piecepack", "Anne", "camera"),
    ]
    evening.throw(4)
    assert len(trials.now.rolls) == 2, "as many as were wanted"
    assert evening.referee.snapshot().version == version, "the game has not taken them for its own"

    trials.end()
    assert not evening.is_told
    evening.look(20)
    assert evening.referee.snapshot().version == version, "what lay there then was not rolled"
    evening.throw(2)
    assert evening.referee.snapshot().version > version
    assert service.trials.now is None


def test_a_game_that_is_opened_meanwhile_is_told_as_well(evening: Evening) -> None:
    evening.service.trials.begin(PIECEPACK)
    evening.referee = evening.service.open("ahoy-matey", ["Cid", "Dan"], {})
    assert evening.is_told
    evening.service.trials.end()
    assert not evening.is_told
    assert evening.service.ill == {}


def test_the_turn_button_is_the_trials_meanwhile(evening: Evening) -> None:
    evening.service.trials.begin(PIECEPACK)
    before = evening.referee.snapshot()
    evening.service.press_turn()
    assert evening.referee.snapshot() == before
    evening.service.trials.end()
    evening.service.press_turn()
    assert evening.referee.snapshot().notice is not None, "no die was rolled"


def test_a_table_that_is_closed_seals_its_trial_and_it_goes_on_another_evening(
    tmp_path: Path,
) -> None:
    evening = Evening(tmp_path)
    evening.service.trials.begin(PIECEPACK)
    evening.look()
    evening.throw(3)
    evening.service.close()
    (table,) = (tmp_path / "trials").glob("*/rolls.csv")
    assert len(verify_export(table.read_text("utf-8"))) == 1
    assert (table.parent / "report.html").exists()

    with Service(open_store(tmp_path), None, Looks(folder=tmp_path)) as service:
        (earlier,) = service.trials.earlier
        assert (earlier.plan, earlier.read) == (PIECEPACK, 1)
        service.trials.go_on(earlier.name)
        trial = service.trials.now
        assert trial is not None
        trial.tell([5])
        assert [roll.face for roll in trial.rolls if roll.status == STANDS] == [3, 5]


def test_a_table_that_was_cut_off_loses_no_roll(tmp_path: Path) -> None:
    """Nothing is closed here: the rolls are on the card all the same."""
    evening = Evening(tmp_path)
    evening.service.trials.begin(PIECEPACK)
    evening.look()
    evening.throw(3)
    with Service(open_store(tmp_path), None, Looks(folder=tmp_path)) as service:
        (earlier,) = service.trials.earlier
        assert [roll.face for roll in earlier.rolls] == [3]
    evening.service.close()
