"""The tray is a zone of the full picture, or has a camera of its own."""

from __future__ import annotations

import sys

import cv2
import numpy as np
import pytest

from companion.errors import CameraUnavailable, PictureError
from tests.pi_camera import package
from vision.camera import open_camera
from vision.camera.usb import FULL_WIDTH, UsbCamera
from vision.camera.zone import (
    BOARD_WIDTH,
    TRAY_WIDTH,
    CameraPair,
    ZonedCamera,
    board_picture,
    parse_zone,
)


class Device:
    """A stand-in for cv2.VideoCapture that gives what it is asked for."""

    def __init__(self, *_: object) -> None:
        self.asked: dict[int, int] = {}

    def isOpened(self) -> bool:
        return True

    def set(self, key: int, value: int) -> bool:
        self.asked[key] = value
        return True

    def get(self, key: int) -> float:
        return self.asked[key]

    def read(self) -> tuple[bool, np.ndarray]:
        width = self.asked[cv2.CAP_PROP_FRAME_WIDTH]
        height = self.asked[cv2.CAP_PROP_FRAME_HEIGHT]
        return True, np.tile(np.arange(width) % 251, (height, 1))[..., None].repeat(3, axis=2)

    def release(self) -> None:
        pass


def clock() -> float:
    return 1.0


def test_a_usb_camera_cuts_the_tray_from_its_full_picture() -> None:
    """The digits must not be brought down together with the board."""
    frame = ZonedCamera(
        UsbCamera("0", clock, lambda _: Device(), True), (0.75, 0.5, 1.0, 1.0)
    ).read()
    assert frame is not None
    assert frame.board.shape == (720, BOARD_WIDTH, 3)
    assert frame.tray_zone == (0.75, 0.5, 1.0, 1.0)
    assert frame.tray is not None
    assert frame.tray.shape == (1080, FULL_WIDTH // 4, 3)
    assert frame.tray[0, :5, 0].tolist() == [(2880 + k) % 251 for k in range(5)]


def test_the_zone_can_be_aimed_elsewhere() -> None:
    camera = ZonedCamera(UsbCamera("0", clock, lambda _: Device(), True), (0.75, 0.5, 1.0, 1.0))
    camera.aim((0.5, 0.25, 0.75, 1.0))
    frame = camera.read()
    assert frame is not None
    assert frame.tray_zone == (0.5, 0.25, 0.75, 1.0)
    assert frame.tray is not None
    assert frame.tray.shape == (1620, FULL_WIDTH // 4, 3)
    assert frame.tray[0, 0, 0] == 1920 % 251


def test_a_usb_camera_gives_its_full_picture_once_it_is_shown_where_the_tray_is() -> None:
    devices: list[Device] = []

    def plug_in(place: str) -> Device:
        devices.append(Device())
        return devices[-1]

    usb = UsbCamera("0", clock, plug_in)
    camera = ZonedCamera(usb, None, usb.enlarge)
    frames = [camera.read(), camera.read()]
    camera.aim((0.75, 0.5, 1.0, 1.0))
    frames += [camera.read(), camera.read()]
    camera.aim((0.5, 0.5, 1.0, 1.0))
    frames.append(camera.read())
    assert [f and f.tray_zone and f.tray_zone[0] for f in frames] == [None, None, 0.75, 0.75, 0.5]
    assert [None if f is None or f.tray is None else f.tray.shape[1] for f in frames] == [
        None,
        None,
        FULL_WIDTH // 4,
        FULL_WIDTH // 4,
        FULL_WIDTH // 2,
    ]
    assert len(devices) == 2, "opened anew once"


def test_where_there_is_no_tray_no_zone_is_cut_out_and_no_full_picture_asked_for() -> None:
    usb = UsbCamera("0", clock, lambda _: Device())
    camera = ZonedCamera(usb, (0.75, 0.5, 1.0, 1.0), usb.enlarge)
    camera.aim(None)
    frame = camera.read()
    assert frame is not None
    assert (frame.tray, frame.tray_zone) == (None, None)
    assert not usb._is_full


def test_a_zone_of_a_folder_that_ends_ends(tmp_path) -> None:
    cv2.imwrite(str(tmp_path / "1.png"), np.zeros((48, 64, 3), np.uint8))
    camera = ZonedCamera(open_camera(f"folder:{tmp_path}", clock), (0.5, 0.5, 1.0, 1.0))
    assert camera.read() is not None
    assert camera.read() is None
    camera.close()


def test_without_a_zone_there_is_no_tray_and_the_picture_is_small() -> None:
    frame = ZonedCamera(UsbCamera("0", clock, lambda _: Device()), None).read()
    assert frame is not None
    assert frame.tray is None
    assert frame.board.shape == (960, 1280, 3)


@pytest.mark.parametrize(
    ("width", "height"), [(4608, 2592), (3280, 2464), (2592, 1944), (1920, 1080)]
)
def test_what_is_small_in_a_large_picture_is_where_it_was_and_as_bright(
    width: int, height: int
) -> None:
    rows = round(height * 1280 / width)
    down = np.array([1280 / width, rows / height])
    for x, y in np.random.default_rng(3).integers(20, height - 20, (5, 2)):
        whole = np.zeros((height, width, 3), np.uint8)
        whole[y - 4 : y + 5, x - 4 : x + 5] = 200
        seen = board_picture(whole).astype(float)[..., 0]
        assert seen.shape == (rows, 1280)
        light = seen.sum()
        assert light / (81 * 200 * down.prod()) == pytest.approx(1, abs=0.15)
        ys, xs = np.indices(seen.shape)
        found = np.array([(seen * xs).sum(), (seen * ys).sum()]) / light
        assert found == pytest.approx((np.array([x, y]) + 0.5) * down - 0.5, abs=0.15)


@pytest.mark.parametrize("text", ["", "1,2", "0.7,0.6,0.5,1", "0,0,1.2,1", "a,b,c,d"])
def test_a_zone_that_is_none_says_how_to_write_one(text: str) -> None:
    with pytest.raises(CameraUnavailable, match=rf"{text!r} is no zone.*0\.7,0\.6,1,1"):
        parse_zone(text)


def test_a_second_camera_looks_at_the_tray(tmp_path) -> None:
    for folder, grey, count in (("board", 50, 3), ("tray", 200, 2)):
        (tmp_path / folder).mkdir()
        for k in range(count):
            picture = np.full((48, 64, 3), grey + k, np.uint8)
            cv2.imwrite(str(tmp_path / folder / f"{k}.png"), picture)
    camera = open_camera(f"folder:{tmp_path}/board+folder:{tmp_path}/tray", clock)
    frame = camera.read()
    assert frame is not None
    assert frame.tray is not None
    assert frame.tray_zone is None
    assert (int(frame.board[0, 0, 0]), int(frame.tray[0, 0, 0])) == (50, 200)
    assert frame.id == "0"
    camera.read()
    assert camera.read() is None
    camera.close()
    camera.close()


def test_a_second_camera_s_picture_is_no_zone_of_the_first_one_s() -> None:
    over_board = ZonedCamera(UsbCamera("0", clock, lambda _: Device(), True), (0.75, 0.5, 1.0, 1.0))
    frame = CameraPair(over_board, UsbCamera("1", clock, lambda _: Device())).read()
    assert frame is not None
    assert frame.tray_zone is None


@pytest.mark.parametrize(("board_s", "tray_s"), [(7.0, 8.0), (8.0, 7.0)])
def test_the_pictures_of_two_cameras_are_as_old_as_the_older_one(
    board_s: float, tray_s: float
) -> None:
    pair = CameraPair(
        UsbCamera("0", lambda: board_s, Device), UsbCamera("1", lambda: tray_s, Device)
    )
    frame = pair.read()
    assert frame is not None
    assert frame.time_s == pytest.approx(7.0, abs=0.1)


def test_a_second_camera_s_whole_picture_is_not_brought_down_like_a_board_s() -> None:
    pair = CameraPair(UsbCamera("0", clock, Device), UsbCamera("1", clock, Device, True))
    frame = pair.read()
    assert frame is not None
    assert frame.tray is not None
    assert frame.tray.shape == (1080, TRAY_WIDTH, 3)


def test_the_board_is_seen_without_the_tray_s_camera_until_that_is_back() -> None:
    there = False

    def device(place: str) -> Device:
        if not there:
            raise CameraUnavailable(f"camera {place} cannot be opened: is it plugged in?")
        return Device()

    over_tray = UsbCamera("1", clock, device, True, may_be_missing=True)
    pair = CameraPair(UsbCamera("0", clock, lambda _: Device()), over_tray)
    for _ in range(2):
        frame = pair.read()
        assert frame is not None
        assert frame.tray is None
        assert frame.tray_trouble == "camera 1 cannot be opened: is it plugged in?"
    there = True
    for _ in range(CameraPair.PAUSE):
        frame = pair.read()
    assert frame is not None
    assert frame.tray is not None
    assert frame.tray_trouble == ""


@pytest.fixture
def cameras(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plug in USB cameras and Camera Modules, as many as are asked for."""
    monkeypatch.setattr(cv2, "VideoCapture", Device)
    monkeypatch.setitem(sys.modules, "picamera2", package())


@pytest.mark.usefixtures("cameras")
@pytest.mark.parametrize(
    ("spec", "tray"),
    [
        ("v4l2:0+picamera2:1", (1080, 1920, 3)),
        ("v4l2:0+v4l2:1", (1080, 1920, 3)),
        ("v4l2:0+picamera2:1@0.25,0.25,0.75,0.75", (1296, 2304, 3)),
        ("picamera2+v4l2:1@0.75,0.5,1,1", (1080, 960, 3)),
    ],
)
def test_a_second_camera_gives_the_tray_all_the_pixels_that_help(
    spec: str, tray: tuple[int, int, int]
) -> None:
    """A camera over the tray alone was brought down like a board's, its zone forgotten."""
    frame = open_camera(spec, clock).read()
    assert frame is not None
    assert frame.tray is not None
    assert frame.tray.shape == tray
    assert frame.tray_zone is None
    assert frame.board.shape[1] == BOARD_WIDTH


@pytest.mark.usefixtures("cameras")
def test_the_tray_cannot_be_in_the_first_picture_and_have_a_camera_of_its_own() -> None:
    with pytest.raises(CameraUnavailable, match="leave out one of them"):
        open_camera("v4l2:0@0.7,0.6,1,1+v4l2:1", clock)


def test_folders_may_have_a_plus_or_an_at_in_their_names(tmp_path) -> None:
    for name, grey in (("dice+coins", 50), ("a@b", 90), ("c+d@0,0,1,1", 130)):
        (tmp_path / name).mkdir()
        cv2.imwrite(str(tmp_path / name / "1.png"), np.full((48, 64, 3), grey, np.uint8))
        frame = open_camera(f"folder:{tmp_path}/{name}", clock).read()
        assert frame is not None
        assert frame.board[0, 0, 0] == grey
    pair = open_camera(f"folder:{tmp_path}/dice+coins+folder:{tmp_path}/c+d@0,0,1,1", clock).read()
    assert pair is not None
    assert pair.tray is not None
    assert (pair.board[0, 0, 0], pair.tray[0, 0, 0]) == (50, 130)


def test_two_folders_stay_side_by_side_when_one_picture_is_damaged(tmp_path) -> None:
    for folder, grey in (("board", 50), ("tray", 200)):
        (tmp_path / folder).mkdir()
        for k in range(2):
            picture = np.full((48, 64, 3), grey + k, np.uint8)
            cv2.imwrite(str(tmp_path / folder / f"{k}.png"), picture)
    (tmp_path / "board" / "0.png").write_bytes(b"nothing")
    camera = open_camera(f"folder:{tmp_path}/board+folder:{tmp_path}/tray", clock)
    with pytest.raises(PictureError):
        camera.read()
    frame = camera.read()
    assert frame is not None
    assert frame.tray is not None
    assert (frame.board[0, 0, 0], frame.tray[0, 0, 0]) == (51, 201)


@pytest.mark.parametrize("text", ["0.5,0.5,0.5002,1", "0,0.99,1,1"])
def test_a_zone_in_which_no_die_could_be_seen_is_refused(text: str) -> None:
    """A zone may not be rounded to a picture without a pixel."""
    with pytest.raises(CameraUnavailable, match="too small for a tray"):
        parse_zone(text)


def test_the_board_s_camera_is_let_go_if_the_tray_s_does_not_open(tmp_path) -> None:
    cv2.imwrite(str(tmp_path / "1.png"), np.zeros((48, 64, 3), np.uint8))
    with pytest.raises(CameraUnavailable, match="no camera 'webcam'"):
        open_camera(f"folder:{tmp_path}+webcam", clock)
    with pytest.raises(CameraUnavailable, match="have no zone: leave out '@0,0,1,1'"):
        open_camera(f"folder:{tmp_path}@0,0,1,1", clock)
