"""A die on trial at an open table: the tray is the trial's, until it ends."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

import numpy as np
import pytest

from companion.audit.rolls import KNOWN_DICE, STANDS, TAKEN_BACK
from companion.audit.rolls_csv import verify_export
from companion.audit.trial import Plan
from companion.boards.choice import board_for
from companion.errors import CameraUnavailable
from companion.ledger.folder import open_store
from companion.rules.catalogue import find_game
from companion.rules.game import CHANCE
from companion.rules.layout import Die
from companion.service import Service
from companion.setup.looks import TRAY, Looks
from companion.table.commands import Act
from companion.table.referee import Referee
from companion.table.sentences import HELD_TOO_LONG
from companion.trial.tray import Reader
from vision.camera.zone import ZonedCamera
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
        self.is_out = False
        self._left = 0
        self.has_looked = threading.Event()

    def look_on(self, pictures: int) -> None:
        """Be there again; `has_looked` is set after so many pictures."""
        self.has_looked.clear()
        self._left, self.is_out = pictures, False

    def read(self) -> Frame | None:
        if self.is_out:
            raise CameraUnavailable("the camera's cable is out")
        self._left -= 1
        if self._left == 0:
            self.has_looked.set()
        return self.table.frame()

    def close(self) -> None:
        pass


class Evening:
    """A table whose first roll is awaited, and a die that somebody doubts."""

    def __init__(self, folder: Path) -> None:
        profile = board_for(AHOY.info, {})
        rng, seconds = np.random.default_rng(4), count(0.0, 0.2)
        self.table = VirtualTable(profile, Scene(), rng, lambda: next(seconds))
        looks = Looks(self.table.empty_board(), self.table.empty_tray(), folder=folder)
        self.camera = TableCamera(self.table)
        self.service = Service(open_store(folder), self.camera, looks)
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


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    evening = Evening(tmp_path)
    yield evening
    evening.service.close()


def test_the_tray_is_the_trials_until_it_ends(evening: Evening) -> None:
    service, trials = evening.service, evening.service.trials
    version = evening.referee.snapshot().version
    trials.begin(PIECEPACK)
    assert is_told(evening.referee)
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
    assert not is_told(evening.referee)
    evening.look(20)
    assert evening.referee.snapshot().version == version, "what lay there then was not rolled"
    evening.throw(2)
    assert evening.referee.snapshot().version > version
    assert service.trials.now is None


@pytest.fixture
def blind(tmp_path: Path) -> Iterator[Service]:
    """A table without a camera, and a game in play."""
    with Service(open_store(tmp_path), None, Looks(folder=tmp_path)) as service:
        service.open("ahoy-matey", ["Anne", "Bart"], {})
        yield service


def is_told(referee: Referee | None) -> bool:
    """Say whether the phones of a game tell that a die is on trial."""
    assert referee is not None
    return referee.snapshot().health.get("tray", "").startswith(ON_TRIAL)


def test_a_game_that_is_opened_meanwhile_is_told_as_well(blind: Service) -> None:
    blind.trials.begin(PIECEPACK)
    assert is_told(blind.open("ahoy-matey", ["Cid", "Dan"], {}))
    blind.trials.end()
    assert not is_told(blind.table())
    assert blind.ill == {}


def test_a_trial_that_ends_while_a_game_is_opened_is_told_there_no_more(
    blind: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    blind.trials.begin(PIECEPACK)
    other = threading.Thread(target=blind.trials.end)
    report_health = Referee.report_health

    def slowly(referee: Referee, part: str, text: str | None) -> None:
        report_health(referee, part, text)
        if other.ident is None:
            other.start()
            other.join(0.3)

    monkeypatch.setattr(Referee, "report_health", slowly)
    referee = blind.open("ahoy-matey", ["Cid", "Dan"], {})
    other.join(10)
    assert not is_told(referee)


def test_the_turn_button_is_the_trials_meanwhile(blind: Service) -> None:
    referee = blind.table()
    assert referee is not None
    blind.trials.begin(PIECEPACK)
    before = referee.snapshot()
    blind.press_turn()
    assert referee.snapshot() == before
    blind.trials.end()
    blind.press_turn()
    assert referee.snapshot().notice is not None, "no die was rolled"


def test_the_undo_button_takes_back_a_throw_of_the_trial_and_no_move_meanwhile(
    blind: Service,
) -> None:
    referee = blind.table()
    assert referee is not None
    blind.trials.begin(PIECEPACK)
    trial, before = blind.trials.now, referee.snapshot()
    assert trial is not None
    trial.tell([5])
    for notice in ("taken back: 5", "there is nothing to take back"):
        blind.press_undo()()
        assert trial.notice == notice
    assert [roll.status for roll in trial.rolls] == [TAKEN_BACK]
    assert referee.snapshot() == before
    blind.trials.end()
    blind.press_undo()()
    assert referee.snapshot() != before, "it is told that nothing has happened yet"


def test_what_is_counted_while_the_undo_button_is_held_stays(blind: Service) -> None:
    """The table's roll went, or the trial's."""
    referee = blind.table()
    assert referee is not None
    roll = referee.game.legal_actions(referee.state, CHANCE)[0]
    held = blind.press_undo()
    referee.command(Act(roll))
    held()
    assert [line.retracted for line in referee.snapshot().log] == [False]
    assert referee.snapshot().notice == HELD_TOO_LONG
    blind.trials.begin(PIECEPACK)
    trial = blind.trials.now
    assert trial is not None
    trial.tell([5])
    held = blind.press_undo()
    trial.tell([4])
    held()
    assert [roll.face for roll in trial.rolls if roll.status == STANDS] == [5, 4]
    assert "nothing was taken back" in trial.notice
    held = blind.press_undo()
    blind.trials.end()
    held()
    assert [line.retracted for line in referee.snapshot().log] == [False]


def test_the_undo_button_held_while_another_game_is_opened_takes_nothing_back_there(
    blind: Service,
) -> None:
    held = blind.press_undo()
    referee = blind.open("ahoy-matey", ["Cid", "Dan"], {})
    before = referee.snapshot()
    held()
    assert referee.snapshot() == before


def test_what_is_told_while_the_camera_is_out_is_not_counted_once_it_is_back(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening.service.trials.begin(replace(PIECEPACK, wanted=9))
    evening.look()
    evening.throw(3)
    trial = evening.service.trials.now
    assert trial is not None
    evening.camera.is_out = True
    is_out = threading.Event()
    evening.referee.subscribe(
        lambda snapshot: is_out.set() if "camera" in snapshot.health else None
    )
    monkeypatch.setattr("companion.service.RETRY_S", 0.01)
    evening.service.start()
    assert is_out.wait(10)
    assert trial.notice == "The camera's cable is out"
    trial.tell([5])
    evening.table.take([Die("piecepack", 3)])
    evening.table.throw([Die("piecepack", 5)])
    evening.camera.look_on(12)
    assert evening.camera.has_looked.wait(20)
    evening.service.close()
    assert trial.notice.startswith("not counted: what lay")
    assert [roll.face for roll in trial.rolls] == [3, 5]


@pytest.mark.parametrize("how", ["kept", "dropped", "moved"])
def test_a_tray_of_which_something_else_is_known_is_read_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """The set-up page is open on another phone, while nobody plays."""
    made: list[bool] = []

    def reader(_kind: object, _size: object, empty: np.ndarray | None, _say: object) -> Reader:
        made.append(empty is not None)
        return Reader(lambda _: (), lambda *_: True)

    monkeypatch.setattr("companion.service.reader_at_table", reader)
    profile = board_for(AHOY.info, {})
    table = VirtualTable(profile, Scene(), np.random.default_rng(4), lambda: 0.0)
    looks = Looks(folder=tmp_path)
    if how != "kept":
        looks.keep(TRAY, table.empty_tray())
    camera = ZonedCamera(TableCamera(table), (0.5, 0.5, 1.0, 1.0))
    with Service(open_store(tmp_path), camera, looks) as service:
        assert service.look()
        service.trials.begin(PIECEPACK)
        if how == "kept":
            service.set_up.take("tray", profile.id, is_sure=True)
        elif how == "dropped":
            service.set_up.drop("tray", profile.id)
        else:
            service.set_up.move_zone((0.0, 0.0, 0.5, 0.5))
    assert made == [how != "kept", how == "kept"]


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
        (earlier,) = service.trials.kept.earlier
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
        (earlier,) = service.trials.kept.earlier
        assert [roll.face for roll in earlier.rolls] == [3]
    evening.service.close()
