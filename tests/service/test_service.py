"""The service: camera, buttons and listeners around one game."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from itertools import count
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.boards.profile import load_profile
from companion.cli.play import open_buttons_for, open_ring_for
from companion.errors import CameraUnavailable, HardwareError, PictureError
from companion.ledger.events import GameOpened, Retracted
from companion.ledger.folder import open_store
from companion.rules.catalogue import find_game
from companion.rules.layout import Die
from companion.service import Service
from companion.setup.looks import Looks
from companion.table.observation import DieReading
from companion.table.snapshot import Snapshot
from companion.table.unsure_dice import COCKED
from tests.table.full_card import FullCard
from vision.camera.pi import TRAY_ZONE
from vision.camera.zone import ZonedCamera
from vision.frame import Frame, Image
from vision.virtual import Scene, VirtualTable


def virtual_table(
    profile: str = "hex-ocean", clock: Callable[[], float] = lambda: 0.0
) -> VirtualTable:
    """Return a table in a kind light; by default all its pictures are of one moment."""
    return VirtualTable(load_profile(profile), Scene(), np.random.default_rng(3), clock)


class UnpluggedCamera:
    """Fails every time, and says when it was asked."""

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.is_closed = False

    def read(self) -> Frame | None:
        self.asked.set()
        raise CameraUnavailable("the camera's cable is out: push it in")

    def close(self) -> None:
        self.is_closed = True


class EndedCamera(UnpluggedCamera):
    """A folder that has no more pictures."""

    def read(self) -> Frame | None:
        self.asked.set()
        return None


class StillCamera(UnpluggedCamera):
    """Looks at a virtual table that nobody touches."""

    def __init__(self, table: VirtualTable) -> None:
        super().__init__()
        self._table = table

    def read(self) -> Frame | None:
        return self._table.frame()


def test_a_part_that_failed_for_good_is_told_at_every_table(tmp_path: Path) -> None:
    service = Service(open_store(tmp_path))
    service.report_health("ring", "It stopped working (bus); the game goes on without it.")
    for _ in range(2):
        table = service.open("articles-of-war", ["Ann", "Bob"], {})
        assert list(table.snapshot().health) == ["ring"]
    service.report_health("buttons", "A wire is loose.")
    assert sorted(table.snapshot().health) == ["buttons", "ring"]
    service.close()


def test_a_ring_that_will_not_open_is_told_on_the_phones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "spidev", None)
    with Service(open_store(tmp_path)) as service, ExitStack() as stack:
        table = service.open("articles-of-war", ["Ann", "Bob"], {})
        open_ring_for(service, "ws2812:12", stack)
        told = table.snapshot().health["ring"]
        assert "apt install python3-spidev" in told
        assert told.endswith("The pages show its signs.")
    assert capsys.readouterr().err == f"ring: {told}\n"  # where it was started, in our own words


def test_a_camera_that_fails_is_told_on_the_phones(tmp_path: Path) -> None:
    ill = threading.Event()

    def watch(snapshot: Snapshot) -> None:
        if "cable" in snapshot.health.get("camera", ""):
            ill.set()

    camera = UnpluggedCamera()
    with Service(open_store(tmp_path), camera) as service:
        service.subscribe(watch)
        service.open("articles-of-war", ["Anne", "Bart"], {})
        service.start()
        assert ill.wait(10)
    assert camera.is_closed


class FailsOnce(StillCamera):
    """Gives pictures of a still table, but for one time in which it fails."""

    AT = 12

    def __init__(self, table: VirtualTable, error: Exception) -> None:
        super().__init__(table)
        self._error, self._reads = error, 0

    def read(self) -> Frame | None:
        self._reads += 1
        if self._reads == self.AT:
            raise self._error
        return super().read()


@pytest.mark.parametrize(
    ("error", "part", "says"),
    [
        (CameraUnavailable("the camera's cable is out"), "camera", "the camera's cable is out"),
        (PictureError("0012.jpg is damaged"), "camera", "0012.jpg is damaged"),
        (cv2.error("-215:Assertion failed\n> in resize\n"), "reading", "failed). The next one"),
        (MemoryError(), "reading", "(MemoryError). The next one is tried; if this stays, start"),
    ],
)
def test_what_was_ill_is_well_again_at_a_table_that_nobody_touches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, part: str, says: str
) -> None:
    monkeypatch.setattr("companion.service.RETRY_S", 0.0)
    told, is_well = list[str](), threading.Event()

    def watch(snapshot: Snapshot) -> None:
        if part in snapshot.health:
            told.append(snapshot.health[part])
        elif told:
            is_well.set()

    table = virtual_table()
    looks = Looks(table.empty_board(), table.empty_tray())
    with Service(open_store(tmp_path), FailsOnce(table, error), looks) as service:
        service.open("articles-of-war", ["Anne", "Bart"], {})
        service.subscribe(watch)
        service.start()
        assert is_well.wait(20)
    assert says in told[0]


def test_a_roll_is_taken_in_once_the_card_has_room_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.service.RETRY_S", 0.0)
    store, told, is_taken = FullCard(), threading.Event(), threading.Event()

    def watch(snapshot: Snapshot) -> None:
        if "full" in snapshot.health.get("ledger", ""):
            told.set()
        elif snapshot.log:
            is_taken.set()

    table = virtual_table("piecepack-sea")
    looks = Looks(table.empty_board(), table.empty_tray())
    with Service(store, StillCamera(table), looks) as service:
        referee = service.open("ahoy-matey", ["Anne", "Bart"], {})
        table.lay(referee.game.layout(referee.state))
        for _ in range(6):
            service.look()
        service.subscribe(watch)
        store.left = 0
        table.throw([Die("piecepack", 4)])
        service.start()
        assert told.wait(20)
        store.left = None
        assert is_taken.wait(20)
    assert "ledger" not in referee.snapshot().health


def test_a_folder_that_ends_ends_the_looking(tmp_path: Path) -> None:
    with Service(open_store(tmp_path), EndedCamera()) as service:
        assert service.look() is False


def test_buttons_before_a_game_do_nothing(tmp_path: Path) -> None:
    with Service(open_store(tmp_path)) as service:
        service.press_turn()
        service.press_undo()()
        assert service.table() is None


def test_a_button_that_is_refused_shows_the_rule_and_raises_nothing(tmp_path: Path) -> None:
    with Service(open_store(tmp_path)) as service:
        table = service.open("articles-of-war", ["Anne", "Bart"], {})
        service.press_turn()
        notice = table.snapshot().notice
        assert notice is not None
        assert notice.kind == "refusal"
        assert notice.rule == "AOW-12"


def test_listeners_follow_every_game_that_is_opened(tmp_path: Path) -> None:
    seen: list[str] = []
    with Service(open_store(tmp_path)) as service:
        service.subscribe(lambda snapshot: seen.append(snapshot.game))
        service.open("articles-of-war", ["Anne", "Bart"], {})
        service.open("articles-of-war", ["Cid", "Dora"], {})
    assert sorted(set(seen)) == ["game-0001", "game-0002"]


def test_dice_too_small_to_be_read_are_told_on_the_phones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = virtual_table()
    told = [{Die("cannon", 3): 0.6}, {Die("cannon", 3): 0.97}]

    def read(self: object, picture: Image, *_: object) -> tuple[DieReading, ...]:
        return (DieReading(told[0], (50.0, 50.0), (10, 10, 33, 30)),)

    monkeypatch.setattr("vision.dice.reader.TrayReader.read", read)
    looks = Looks(table.empty_board(), table.empty_tray())
    with Service(open_store(tmp_path), StillCamera(table), looks) as service:
        referee = service.open("articles-of-war", ["Anne", "Bart"], {})
        for _ in range(4):
            service.look()
        assert referee.snapshot().health["dice"].startswith("a digit is 8 px tall, I need 18")
        told.pop(0)
        table.throw([Die("cannon", 3)])
        for _ in range(6):
            service.look()
        assert "dice" not in referee.snapshot().health


class BlindTray(StillCamera):
    """Looks at the board alone as long as the tray's camera is not plugged in."""

    is_plugged_in = True

    def read(self) -> Frame | None:
        frame = self._table.frame()
        if self.is_plugged_in:
            return frame
        return replace(frame, tray=None, tray_trouble="no camera v4l2:1; is it plugged in?")


def test_a_tray_whose_camera_is_missing_is_told_and_the_board_is_read(tmp_path: Path) -> None:
    table = virtual_table()
    camera = BlindTray(table)
    looks = Looks(table.empty_board(), table.empty_tray())
    with Service(open_store(tmp_path), camera, looks) as service:
        referee = service.open("articles-of-war", ["Anne", "Bart"], {})
        for _ in range(4):
            service.look()
        camera.is_plugged_in = False
        for _ in range(4):
            service.look()
        told = "no camera v4l2:1; is it plugged in? Until then rolls are told."
        assert dict(referee.snapshot().health) == {"dice": told}
        camera.is_plugged_in = True
        for _ in range(4):
            service.look()
        assert dict(referee.snapshot().health) == {}


def test_what_a_die_seems_that_cannot_be_told_is_said_on_the_phones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A roll is awaited from the start: the highest goes first."""
    seconds = count(0.0, 0.2)
    table = virtual_table("piecepack-sea", lambda: next(seconds))
    lying: list[DieReading] = []

    def read(self: object, picture: Image, *_: object) -> tuple[DieReading, ...]:
        return tuple(lying)

    monkeypatch.setattr("vision.dice.reader.TrayReader.read", read)
    looks = Looks(table.empty_board(), table.empty_tray())
    with Service(open_store(tmp_path), StillCamera(table), looks) as service:
        referee = service.open("ahoy-matey", ["Anne", "Bart"], {})
        game = find_game("ahoy-matey")
        table.lay(game.layout(game.setup(["Anne", "Bart"], {})))
        for _ in range(8):
            service.look()
        assert referee.snapshot().notice is None
        faces = {Die("piecepack", 3): 0.2}
        lying.append(DieReading(faces, (50.0, 50.0), (10, 10, 60, 60), seems=COCKED))
        table.throw([Die("piecepack", 3)])
        for _ in range(8):
            service.look()
        notice = referee.snapshot().notice
        assert notice is not None
        assert notice.text == "A die is cocked: lay it flat."


class BareTrayCamera(StillCamera):
    """Nobody has put the tray under its camera yet."""

    def read(self) -> Frame | None:
        frame = super().read()
        assert frame is not None
        assert frame.tray is not None
        return replace(frame, tray=np.full_like(frame.tray, 90))


def test_a_tray_that_is_not_there_is_said_and_the_board_is_read(tmp_path: Path) -> None:
    table = virtual_table()
    with Service(open_store(tmp_path), BareTrayCamera(table)) as service:
        referee = service.open("articles-of-war", ["Anne", "Bart"], {})
        for _ in range(6):
            assert service.look()
        health = referee.snapshot().health
        assert health["dice"].startswith("no dice tray is seen: put it in the middle")
        assert "camera" not in health


def test_what_is_amiss_with_a_tray_that_is_taken_away_is_told_no_more(tmp_path: Path) -> None:
    """A Raspberry Pi's camera looks for one in a corner of its picture, whoever has none."""
    table = virtual_table()
    camera = ZonedCamera(StillCamera(table), TRAY_ZONE)
    with Service(open_store(tmp_path), camera, Looks(folder=tmp_path)) as service:
        referee = service.open("articles-of-war", ["Anne", "Bart"], {})
        for _ in range(6):
            assert service.look()
        assert referee.snapshot().health["dice"].startswith("no dice tray is seen")
        service.set_up.move_zone(None)
        referee.report_health("dice", "of a picture that was being read meanwhile")
        for _ in range(6):
            assert service.look()
        assert dict(referee.snapshot().health) == {}
        assert not service.set_up.has_tray
        service.set_up.move_zone(TRAY_ZONE)
        for _ in range(6):
            assert service.look()
        assert list(referee.snapshot().health) == ["dice"]  # there it is again


class ZoneCamera(StillCamera):
    """The tray's picture is a corner of the board's."""

    def read(self) -> Frame | None:
        frame = super().read()
        assert frame is not None
        return replace(frame, tray_zone=(0.9, 0.9, 1.0, 1.0))


def test_a_picture_of_another_board_without_pieces_is_told_and_not_used(tmp_path: Path) -> None:
    """Nobody is locked out of the game: a service is started with the same words every evening."""
    looks = Looks(virtual_table().empty_board())
    for _ in range(2):
        with Service(open_store(tmp_path), EndedCamera(), looks) as service:
            table = service.table() or service.open("ahoy-matey", ["Anne", "Bart"], {})
            told = table.snapshot().health["board"]
            assert told.startswith("The picture of the empty board cannot be used: ")
            until = "Until there is one of this board, pieces are read without it."
            assert told.endswith(f"that it is the right one. {until}")
            assert table.id == "game-0001"
            other = service.open("articles-of-war", ["Anne", "Bart"], {}) if _ else table
    assert "board" not in other.snapshot().health


def test_a_fixed_tray_is_where_the_markers_say(tmp_path: Path) -> None:
    table = virtual_table()
    looks = Looks(table.empty_board(), tray_at_mm=(505.0, 250.0))
    with Service(open_store(tmp_path), ZoneCamera(table), looks) as service:
        referee = service.open("articles-of-war", ["Anne", "Bart"], {})
        for _ in range(6):
            assert service.look()
        told = referee.snapshot().health["dice"]
        assert told.startswith("the dice tray is not wholly in its zone of the picture")


def test_a_game_that_cannot_be_gone_on_with_is_told_and_another_can_be_opened(
    tmp_path: Path,
) -> None:
    store = open_store(tmp_path)
    opened = GameOpened("articles-of-war", ("Ann", "Bob"), {}, "hex-ocean", "0")
    store.append("game-0001", 0, [opened, Retracted(7, "", None)], 0.0)
    store.close()
    with Service(open_store(tmp_path)) as service:
        assert service.table() is None
        told = service.ill["ledger"]
        assert told.startswith("The last game cannot be gone on with. It is kept as it is")
        assert "Why: game 'game-0001', event 2: there is no action 7 to undo" in told
        table = service.open("ahoy-matey", ["Ann", "Bob"], {})
        assert dict(table.snapshot().health) == {}
        assert service.records.games() == ("game-0001", "game-0002")
    with Service(open_store(tmp_path)) as service:
        assert service.table() is not None
        assert dict(service.ill) == {}


class LooseCable(UnpluggedCamera):
    """Gives one picture, fails, gives one more and ends; keeps what the house said each time."""

    def __init__(self, frame: Frame) -> None:
        super().__init__()
        self._frame = frame
        self.house: Service | None = None
        self.told: list[dict[str, str]] = []
        self.seen: list[bool] = []
        """Whether there was a picture to show."""
        self.has_ended = threading.Event()

    def read(self) -> Frame | None:
        assert self.house is not None
        self.told.append(dict(self.house.ill))
        self.seen.append(self.house.set_up.picture("board") is not None)
        if len(self.told) == 2:
            raise CameraUnavailable("the camera's cable is out: push it in")
        if len(self.told) <= 3:
            return self._frame
        self.has_ended.set()
        return None


def test_before_a_game_a_camera_that_fails_is_told_as_long_as_it_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.service.RETRY_S", 0.0)
    camera = LooseCable(Frame("a", 0.0, np.zeros((4, 4, 3), np.uint8)))
    with Service(open_store(tmp_path), camera) as service:
        camera.house = service
        service.start()
        assert camera.has_ended.wait(10)
    told = {"camera": "the camera's cable is out: push it in"}
    assert camera.told == [{}, {}, told, {}]
    assert camera.seen == [False, True, False, True]  # what it saw before is no longer so


def test_buttons_without_pins_are_told_and_the_rest_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def unreachable(*_: object) -> None:
        raise HardwareError("the turn button: no GPIO pins can be reached here")

    monkeypatch.setattr("hardware.buttons.Buttons", unreachable)
    with Service(open_store(tmp_path)) as service, ExitStack() as stack:
        open_buttons_for(service, stack)
        table = service.open("articles-of-war", ["Ann", "Bob"], {})
        told = "the turn button: no GPIO pins can be reached here. Until then turns are ended"
        assert table.snapshot().health["buttons"].startswith(told)
    assert capsys.readouterr().err.startswith(f"buttons: {told}")  # where it was started, too
