"""The tray is a zone of the full picture, or has a camera of its own."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.errors import CameraUnavailable
from vision.camera import open_camera
from vision.camera.usb import FULL_WIDTH, UsbCamera
from vision.camera.zone import BOARD_WIDTH, CameraPair, ZonedCamera, parse_share


class Device:
    """A stand-in for cv2.VideoCapture that gives what it is asked for."""

    def __init__(self) -> None:
        self.asked: dict[int, int] = {}

    def isOpened(self) -> bool:
        return True

    def set(self, key: int, value: int) -> None:
        self.asked[key] = value

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
    frame = ZonedCamera(UsbCamera("0", clock, Device(), True), (0.75, 0.5, 1.0, 1.0)).read()
    assert frame is not None
    assert frame.board.shape == (720, BOARD_WIDTH, 3)
    assert frame.tray_zone == (0.75, 0.5, 1.0, 1.0)
    assert frame.tray is not None
    assert frame.tray.shape == (1080, FULL_WIDTH // 4, 3)
    assert frame.tray[0, :5, 0].tolist() == [(2880 + k) % 251 for k in range(5)]


def test_the_zone_can_be_aimed_elsewhere() -> None:
    camera = ZonedCamera(UsbCamera("0", clock, Device(), True), (0.75, 0.5, 1.0, 1.0))
    camera.aim((0.5, 0.25, 0.75, 1.0))
    frame = camera.read()
    assert frame is not None
    assert frame.tray_zone == (0.5, 0.25, 0.75, 1.0)
    assert frame.tray is not None
    assert frame.tray.shape == (1620, FULL_WIDTH // 4, 3)
    assert frame.tray[0, 0, 0] == 1920 % 251


def test_a_zone_of_a_folder_that_ends_ends(tmp_path) -> None:
    cv2.imwrite(str(tmp_path / "1.png"), np.zeros((48, 64, 3), np.uint8))
    camera = ZonedCamera(open_camera(f"folder:{tmp_path}", clock), (0.5, 0.5, 1.0, 1.0))
    assert camera.read() is not None
    assert camera.read() is None
    camera.close()


def test_without_a_zone_there_is_no_tray_and_the_picture_is_small() -> None:
    frame = UsbCamera("0", clock, Device()).read()
    assert frame.tray is None
    assert frame.board.shape == (960, 1280, 3)


@pytest.mark.parametrize("text", ["", "1,2", "0.7,0.6,0.5,1", "0,0,1.2,1", "a,b,c,d"])
def test_a_zone_that_is_none_says_how_to_write_one(text: str) -> None:
    with pytest.raises(CameraUnavailable, match=r"0\.7,0\.6,1,1"):
        parse_share(text)


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
    over_board = ZonedCamera(UsbCamera("0", clock, Device(), True), (0.75, 0.5, 1.0, 1.0))
    frame = CameraPair(over_board, UsbCamera("1", clock, Device())).read()
    assert frame is not None
    assert frame.tray_zone is None


def test_the_board_s_camera_is_let_go_if_the_tray_s_does_not_open(tmp_path) -> None:
    cv2.imwrite(str(tmp_path / "1.png"), np.zeros((48, 64, 3), np.uint8))
    with pytest.raises(CameraUnavailable, match="no camera 'webcam'"):
        open_camera(f"folder:{tmp_path}+webcam", clock)
    with pytest.raises(CameraUnavailable, match=r"no camera 'folder:.*@0,0,1,1'"):
        open_camera(f"folder:{tmp_path}@0,0,1,1", clock)
