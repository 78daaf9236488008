"""Setting up: what is seen of the table, and pictures that are taken once and used from then on."""

from __future__ import annotations

import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from companion.boards.profile import load_profile
from companion.errors import (
    CameraUnavailable,
    DoubtfulPicture,
    LedgerError,
    NotCalibrated,
    PrintingError,
)
from companion.ledger.folder import open_store
from companion.rules.layout import Cell, CellContent, Die, Layout, make_layout
from companion.service import Service
from companion.setup.looks import TRAY, Looks
from companion.setup.page import SettingUp
from companion.table.setting_up import Part, Printed, Zone
from vision.camera.zone import ZonedCamera
from vision.frame import Frame, Image
from vision.virtual import Scene, VirtualCamera, VirtualTable

BOARD = "hex-ocean"


@pytest.fixture(scope="module")
def one_table() -> VirtualTable:
    return VirtualTable(load_profile(BOARD), Scene(), np.random.default_rng(3), lambda: 0.0)


@pytest.fixture
def table(one_table: VirtualTable) -> VirtualTable:
    """An empty table; it takes long to paint one anew."""
    one_table.lay(Layout())
    one_table.sweep()
    return one_table


class Pictures:
    """A set-up that looks at a virtual table, and counts how often it has to be used anew."""

    def __init__(self, table: VirtualTable, looks: Looks) -> None:
        self.frame: Frame | None = table.frame()
        self.used = 0
        self.set_up = SettingUp(lambda: self.frame, looks, self._use)

    def _use(self, part: Part, profile: str) -> None:
        self.used += 1


@pytest.fixture
def pictures(table: VirtualTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Pictures:
    monkeypatch.setattr("companion.setup.page.SHARED_S", 0.0)
    return Pictures(table, Looks(folder=tmp_path))


def covered(frame: Frame, corner: tuple[slice, slice]) -> Frame:
    """Return a frame with something black laid over a part of the board's picture."""
    board = frame.board.copy()
    board[corner] = 0
    return replace(frame, id=frame.id + "c", board=board)


def test_a_board_is_found_and_outlined(pictures: Pictures) -> None:
    sight = pictures.set_up.board(BOARD)
    assert sight.is_found
    assert sight.says.startswith("I see all markers. The board lies where I think it does to 0.")
    edge, *markers = sight.outlines
    assert len(markers) == 4
    assert all(0 < x < 1 and 0 < y < 1 for outline in sight.outlines for x, y in outline)
    inside = np.array(edge).min(axis=0), np.array(edge).max(axis=0)
    assert all((inside[0] < m).all() and (m < inside[1]).all() for m in map(np.array, markers))
    assert pictures.set_up.board(BOARD) is sight  # several phones share it


def test_a_marker_that_is_covered_is_named(pictures: Pictures) -> None:
    assert pictures.frame is not None
    markers = pictures.set_up.board(BOARD).outlines[1:]
    height, width = pictures.frame.board.shape[:2]
    xs, ys = zip(*markers[0], strict=True)
    hole = (
        slice(int(min(ys) * height) - 8, int(max(ys) * height) + 8),
        slice(int(min(xs) * width) - 8, int(max(xs) * width) + 8),
    )
    pictures.frame = covered(pictures.frame, hole)
    sight = pictures.set_up.board(BOARD)
    assert sight.is_found
    assert len(sight.outlines) == 4
    assert sight.says.startswith(
        "I see three of four markers; the far-left one is missing or in glare. It will do"
    )


def test_a_board_that_is_not_there_is_said(pictures: Pictures) -> None:
    assert pictures.frame is not None
    pictures.frame = covered(pictures.frame, (slice(None), slice(None)))
    sight = pictures.set_up.board(BOARD)
    assert not sight.is_found
    assert sight.outlines == ()
    assert sight.says.startswith("I see nothing but one colour; is the lens covered, or ")
    assert sight.says.endswith("too bright? The whole board has to be in the picture.")


def test_another_board_than_the_one_chosen_is_named(pictures: Pictures) -> None:
    sight = pictures.set_up.board("hex-ocean-6")
    assert not sight.is_found
    assert sight.says.endswith("It is “Hex ocean” that lies there: choose that one.")


def test_rings_around_ports_are_no_arm(tmp_path: Path) -> None:
    sea = VirtualTable(load_profile("sea-grid"), Scene(), np.random.default_rng(3), lambda: 0.0)
    pictures = Pictures(sea, Looks(folder=tmp_path))
    pictures.set_up.take("board", "sea-grid", is_sure=False)
    assert pictures.used == 1


def test_without_a_picture_nothing_is_seen(pictures: Pictures) -> None:
    pictures.frame = None
    without = SettingUp(lambda: None, Looks(), lambda *_: None, has_camera=False)
    with pytest.raises(NotCalibrated, match="this table has no camera"):
        without.board(BOARD)
    assert pictures.set_up.picture("board") is None
    assert not pictures.set_up.has_tray
    for ask in (
        lambda: pictures.set_up.board(BOARD),
        lambda: pictures.set_up.read_dice(BOARD),
        lambda: pictures.set_up.take("board", BOARD, is_sure=True),
    ):
        with pytest.raises(CameraUnavailable, match="no picture has come yet"):
            ask()


def test_a_picture_of_the_empty_board_is_kept_and_used(pictures: Pictures, tmp_path: Path) -> None:
    set_up = pictures.set_up
    assert set_up.kept(BOARD) == {"board": "", "tray": ""}
    set_up.take("board", BOARD, is_sure=False)
    assert (pictures.used, set_up.kept(BOARD)["board"]) == (1, "taken")
    assert pictures.frame is not None
    kept = Looks(folder=tmp_path).empty(BOARD)
    assert kept is not None
    assert (kept == pictures.frame.board).all()
    assert set_up.kept("hex-ocean-4")["board"] == ""  # another board has its own


def test_a_board_that_is_doubtful_is_not_taken_unless_somebody_is_sure(
    pictures: Pictures, table: VirtualTable
) -> None:
    ships = {cell: CellContent(("red",), None, None) for cell in ((0, 0), (2, 1), (-3, 2))}
    table.lay(make_layout(ships, ()))
    pictures.frame = table.frame()
    with pytest.raises(DoubtfulPicture, match=r"something seems to stand on .*G7"):
        pictures.set_up.take("board", BOARD, is_sure=False)
    assert pictures.used == 0
    assert pictures.set_up.kept(BOARD)["board"] == ""
    pictures.set_up.take("board", BOARD, is_sure=True)
    assert pictures.set_up.kept(BOARD)["board"] == "taken"


def test_dice_are_read_and_an_empty_tray_is_kept(pictures: Pictures, table: VirtualTable) -> None:
    dice = [Die("sail", 3), Die("cannon", 4)]
    table.throw(dice)
    pictures.frame = table.frame()
    reading = pictures.set_up.read_dice(BOARD)
    assert sorted(die.best[0] for die in reading.dice if die.best) == sorted(dice)
    assert reading.advice is None
    with pytest.raises(DoubtfulPicture, match=r"dice seem to lie in it: .*sail die 3"):
        pictures.set_up.take("tray", BOARD, is_sure=False)
    table.sweep()
    pictures.frame = table.frame()
    pictures.set_up.take("tray", BOARD, is_sure=False)
    assert pictures.set_up.kept(BOARD)["tray"] == "taken"


def test_a_tray_without_walls_needs_no_picture(pictures: Pictures) -> None:
    assert pictures.frame is not None
    assert pictures.frame.tray is not None
    mat = np.full_like(pictures.frame.tray, 90)
    pictures.frame = replace(pictures.frame, tray=mat)
    with pytest.raises(NotCalibrated, match="no box with upright walls"):
        pictures.set_up.take("tray", BOARD, is_sure=True)


@pytest.mark.parametrize(
    ("board", "frame", "why"),
    [
        ("open-table", {}, "an open table needs no such picture"),
        (BOARD, {"board": np.zeros((960, 1280, 3), np.uint8)}, "I see nothing but one colour"),
    ],
)
def test_a_picture_that_is_of_no_use_is_refused(
    pictures: Pictures, board: str, frame: dict[str, Image], why: str
) -> None:
    assert pictures.frame is not None
    pictures.frame = replace(pictures.frame, **frame)
    with pytest.raises(NotCalibrated, match=why):
        pictures.set_up.take("board", board, is_sure=True)


def test_without_a_tray_s_picture_the_reason_is_said(pictures: Pictures) -> None:
    assert pictures.frame is not None
    pictures.frame = replace(pictures.frame, tray=None)
    with pytest.raises(NotCalibrated, match="show where it is in the camera's picture, or"):
        pictures.set_up.read_dice(BOARD)
    pictures.frame = replace(pictures.frame, tray_trouble="the camera v4l2:1 is not plugged in")
    with pytest.raises(NotCalibrated, match="v4l2:1 is not plugged in"):
        pictures.set_up.read_dice(BOARD)


def test_pictures_that_were_given_are_not_taken_over(table: VirtualTable, tmp_path: Path) -> None:
    looks = Looks(table.empty_board(), table.empty_tray(), folder=tmp_path)
    set_up = Pictures(table, looks).set_up
    assert set_up.kept(BOARD) == {"board": "given", "tray": "given"}
    with pytest.raises(NotCalibrated, match="started with --empty-tray and a picture"):
        set_up.take("tray", BOARD, is_sure=True)
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_kept_is_said(table: VirtualTable, tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match="no folder to keep anything in"):
        Pictures(table, Looks()).set_up.take("board", BOARD, is_sure=True)
    gone = Looks(folder=tmp_path / "gone")
    with pytest.raises(LedgerError, match="cannot be kept"):
        Pictures(table, gone).set_up.take("board", BOARD, is_sure=True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("what", ["board", "markers"])
def test_a_board_is_printed(pictures: Pictures, what: Printed) -> None:
    printed = pictures.set_up.printed(what, BOARD, "letter")
    assert printed.startswith(b"%PDF")
    with pytest.raises(PrintingError, match="napkin"):
        pictures.set_up.printed(what, BOARD, "napkin")


def test_what_is_kept_is_on_the_card_before_it_takes_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks, forced = Looks(folder=tmp_path), list[int]()
    monkeypatch.setattr("os.fsync", lambda file: forced.append(os.fstat(file).st_ino))
    looks.keep_zone((0.0, 0.0, 0.5, 0.5))
    assert forced == [path.stat().st_ino for path in tmp_path.iterdir()]
    assert looks.zone() == (0.0, 0.0, 0.5, 0.5)


def test_a_kept_picture_that_is_damaged_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "empty-hex-ocean.png").write_bytes(b"no picture")
    looks = Looks(folder=tmp_path)
    assert looks.keeps(BOARD)
    assert looks.empty(BOARD) is None
    assert not looks.keeps(BOARD)
    assert [path.name for path in tmp_path.iterdir()] == ["empty-hex-ocean.png.damaged"]


def test_what_cannot_be_thrown_away_is_said_and_the_zone_stays(tmp_path: Path) -> None:
    for name in ("empty-tray.png", "ships-articles-of-war.json"):
        (tmp_path / name).mkdir()  # as little to be removed as a file of a card that is read only
    looks = Looks(folder=tmp_path)
    for undo in (
        lambda: looks.drop(TRAY),
        lambda: looks.forget_ships("articles-of-war"),
        lambda: looks.keep_zone((0.0, 0.0, 1.0, 1.0)),
    ):
        with pytest.raises(LedgerError, match="it cannot be thrown away"):
            undo()
    assert looks.zone() is None


@pytest.mark.parametrize("text", ['{"version": 1, "ships": []}', '{"version": 1, "ships": null}'])
def test_damaged_tones_stop_no_table(table: VirtualTable, tmp_path: Path, text: str) -> None:
    looks = Looks(folder=tmp_path)
    with Service(open_store(tmp_path), VirtualCamera(table), looks) as service:
        service.open("articles-of-war", ["Ann", "Bob"], {})
    (tmp_path / "ships-articles-of-war.json").write_text(text)
    with Service(open_store(tmp_path), VirtualCamera(table), looks) as service:
        assert service.table() is not None
        assert service.set_up.taught(BOARD) == ()
    assert (tmp_path / "ships-articles-of-war.json.damaged").exists()


def test_a_kept_picture_is_shown_and_thrown_away(pictures: Pictures) -> None:
    set_up = pictures.set_up
    assert set_up.kept_picture("board", BOARD) is None
    set_up.take("board", BOARD, is_sure=False)
    shown = set_up.kept_picture("board", BOARD)
    assert shown is not None
    assert shown.startswith(b"\xff\xd8")
    set_up.drop("board", BOARD)
    set_up.drop("tray", BOARD)  # there is none
    assert set_up.kept(BOARD) == {"board": "", "tray": ""}
    assert pictures.used == 2


def test_several_phones_may_take_at_once(tmp_path: Path) -> None:
    looks, picture = Looks(folder=tmp_path), np.zeros((400, 400, 3), np.uint8)
    with ThreadPoolExecutor(8) as phones:
        list(phones.map(lambda _: looks.keep(TRAY, picture), range(40)))
    assert [path.name for path in tmp_path.iterdir()] == ["empty-tray.png"]


def test_a_table_uses_what_was_taken_at_once_and_when_it_starts_again(
    table: VirtualTable, tmp_path: Path
) -> None:
    looks = Looks(folder=tmp_path)
    with Service(open_store(tmp_path), VirtualCamera(table), looks) as service:
        service.open("articles-of-war", ["Ann", "Bob"], {})
        assert service.look()
        assert _empty_of(service) is None
        reads_tray = service._watcher and service._watcher._dice
        service.set_up.take("board", BOARD, is_sure=True)
        assert _empty_of(service) is not None
        # What its dice have taught the tray's reader is not forgotten.
        assert service._watcher is not None
        assert service._watcher._dice is reads_tray
        service.press_turn()
        assert service.set_up.presses == {"turn": 1, "undo": 0}
    with Service(open_store(tmp_path), VirtualCamera(table), looks) as service:
        assert _empty_of(service) is not None


def at(board: str, name: str) -> Cell:
    """Return the cell that people call so."""
    profile = load_profile(board)
    return next(cell for cell in profile.cells if profile.name_of(cell) == name)


def put_out(table: VirtualTable, ships: Mapping[str, str]) -> None:
    """Put a ship of each colour on the cell that is named."""
    cells = {at(BOARD, name): CellContent((ship,), None, None) for ship, name in ships.items()}
    table.lay(make_layout(cells, ()))


def test_ships_are_taught_by_one_of_each_colour(
    pictures: Pictures, table: VirtualTable, tmp_path: Path
) -> None:
    set_up, lesson = pictures.set_up, dict(pictures.set_up.lesson(BOARD))
    assert set(lesson) == {"red", "blue", "yellow", "green", "gray", "black", "white"}
    assert len({*lesson.values()}) == 7
    put_out(table, {ship: lesson[ship] for ship in ("red", "blue")})
    pictures.frame = table.frame()
    set_up.teach(BOARD, is_sure=False)
    assert (set_up.taught(BOARD), pictures.used) == (("blue", "red"), 1)
    put_out(table, {"white": lesson["white"]})
    pictures.frame = table.frame()
    set_up.teach(BOARD, is_sure=False)
    assert set_up.taught("hex-ocean-4") == ("blue", "red", "white")  # they are the game's
    known = Looks(folder=tmp_path).ships("articles-of-war")
    assert known is not None
    assert sorted(known.tones) == ["blue", "red", "white"]
    put_out(table, {"green": lesson["green"]})
    pictures.frame = table.frame()
    another_evening = SettingUp(lambda: pictures.frame, Looks(folder=tmp_path), lambda *_: None)
    another_evening.teach(BOARD, is_sure=False)
    assert set_up.taught(BOARD) == ("blue", "green", "red", "white")
    set_up.forget(BOARD)
    assert set_up.taught(BOARD) == ()
    set_up.teach(BOARD, is_sure=False)
    assert set_up.taught(BOARD) == ("green",)


def test_a_ship_in_another_s_place_is_asked_about(pictures: Pictures, table: VirtualTable) -> None:
    lesson = dict(pictures.set_up.lesson(BOARD))
    put_out(table, {"blue": lesson["red"]})
    pictures.frame = table.frame()
    where = lesson["red"]
    with pytest.raises(DoubtfulPicture, match=f"stands on {where} looks blue; red goes there"):
        pictures.set_up.teach(BOARD, is_sure=False)
    put_out(table, {"red": lesson["red"], "green": "G7"})
    assert "G7" not in lesson.values()
    pictures.frame = table.frame()
    with pytest.raises(DoubtfulPicture, match="something seems to stand on G7, too"):
        pictures.set_up.teach(BOARD, is_sure=False)
    assert pictures.set_up.taught(BOARD) == ()
    pictures.set_up.teach(BOARD, is_sure=True)
    assert pictures.set_up.taught(BOARD) == ("red",)


@pytest.mark.parametrize(
    ("board", "why"),
    [(BOARD, "no ship on any of the places"), ("piecepack-sea", "need not be taught")],
)
def test_what_cannot_be_taught_is_said(pictures: Pictures, board: str, why: str) -> None:
    with pytest.raises(NotCalibrated, match=why):
        pictures.set_up.teach(board, is_sure=True)
    assert pictures.used == 0


def test_a_table_reads_with_what_it_was_taught(table: VirtualTable, tmp_path: Path) -> None:
    looks = Looks(table.empty_board(), folder=tmp_path)
    with Service(open_store(tmp_path), VirtualCamera(table), looks) as service:
        service.open("articles-of-war", ["Ann", "Bob"], {})
        put_out(table, {"red": dict(service.set_up.lesson(BOARD))["red"]})
        service.look()
        service.set_up.teach(BOARD, is_sure=False)
        assert service._watcher is not None
        assert list(service._watcher._reader.look.tones) == ["red"]  # type: ignore[attr-defined]


class WholePicture:
    """A camera whose picture is 400 by 300, to cut a tray out of."""

    def read(self) -> Frame:
        return Frame("w1", 0.0, np.zeros((300, 400, 3), np.uint8))

    def close(self) -> None:
        pass


def test_the_tray_is_cut_out_where_the_page_says_and_again_at_the_next_start(
    tmp_path: Path,
) -> None:
    looks, start = Looks(folder=tmp_path), (0.5, 0.5, 1.0, 1.0)
    looks.keep(TRAY, np.zeros((150, 200, 3), np.uint8))
    with Service(open_store(tmp_path), ZonedCamera(WholePicture(), start), looks) as service:
        assert service.set_up.zone is None  # no picture yet
        service.look()
        assert service.set_up.can_cut_tray
        assert service.set_up.zone == start
        for wrong in ((0.5, 0.5, 0.4, 1.0), (0.0, 0.0, 0.01, 1.0), (0.0, 0.0, float("nan"), 1.0)):
            with pytest.raises(NotCalibrated, match="zone"):
                service.set_up.move_zone(wrong)
        service.set_up.move_zone((0.0, 0.0, 0.25, 0.5))
        service.look()
        assert service.set_up.zone == (0.0, 0.0, 0.25, 0.5)
        assert not looks.keeps(TRAY)  # it was cut out elsewhere
    with Service(open_store(tmp_path), ZonedCamera(WholePicture(), start), looks) as service:
        service.look()
        assert service.set_up.zone == (0.0, 0.0, 0.25, 0.5)


@pytest.mark.parametrize("start", [None, (0.5, 0.5, 1.0, 1.0)], ids=["shown", "given"])
def test_a_tray_that_is_taken_away_stays_away_until_it_is_shown_again(
    tmp_path: Path, start: Zone | None
) -> None:
    looks, shown = Looks(folder=tmp_path), (0.0, 0.0, 0.25, 0.5)
    with Service(open_store(tmp_path), ZonedCamera(WholePicture(), start), looks) as service:
        service.set_up.move_zone(shown)
        looks.keep(TRAY, np.zeros((150, 100, 3), np.uint8))
        service.look()
        assert service.set_up.has_tray
        service.set_up.move_zone(None)
        service.look()
        assert (service.set_up.has_tray, service.set_up.zone) == (False, None)
        assert not looks.keeps(TRAY)
    with Service(open_store(tmp_path), ZonedCamera(WholePicture(), start), looks) as service:
        service.look()
        assert (service.set_up.has_tray, service.set_up.zone) == (False, None)
        assert service.set_up.can_cut_tray
        service.set_up.move_zone(shown)
        service.look()
        assert service.set_up.zone == shown


def test_a_camera_of_its_own_has_no_zone(pictures: Pictures, tmp_path: Path) -> None:
    assert pictures.set_up.zone is None
    assert not pictures.set_up.can_cut_tray
    with pytest.raises(NotCalibrated, match="not a part of the board's"):
        pictures.set_up.move_zone((0.0, 0.0, 1.0, 1.0))
    with pytest.raises(NotCalibrated, match="not a part of the board's"):
        pictures.set_up.move_zone(None)
    (tmp_path / "tray-zone.txt").write_text("half of it")
    assert Looks(folder=tmp_path).zone() is None


def _empty_of(service: Service) -> object:
    """Return the picture of the empty board that the game's reader compares with."""
    assert service._watcher is not None
    return service._watcher._reader.empty  # type: ignore[attr-defined]
