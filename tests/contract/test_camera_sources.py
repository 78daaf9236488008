"""What every camera source promises, for each that can be opened here."""

from __future__ import annotations

import itertools

import cv2
import numpy as np
import pytest

from companion.errors import CameraUnavailable
from tests.pi_camera import package
from vision.camera.folder import FolderCamera
from vision.camera.pi import PiCamera
from vision.camera.usb import UsbCamera

PICTURE = np.random.default_rng(5).integers(0, 255, (960, 1280, 3)).astype(np.uint8)


class FakeCapture:
    """Stands in for `cv2.VideoCapture`."""

    def __init__(self):
        self.settings = {}
        self.released = 0

    def isOpened(self):
        return True

    def set(self, key, value):
        self.settings[key] = value

    def get(self, key):
        return self.settings[key]

    def read(self):
        return True, PICTURE

    def release(self):
        self.released += 1


def make_folder(tmp_path, clock):
    for k in range(3):
        cv2.imwrite(str(tmp_path / f"{k:03d}.png"), PICTURE[:96, :128])
    return FolderCamera(str(tmp_path), clock)


def make_usb(tmp_path, clock):
    return UsbCamera("0", clock, lambda _: FakeCapture())


def make_pi(tmp_path, clock):
    return PiCamera(clock, package=package())


@pytest.fixture(params=[make_folder, make_usb, make_pi], ids=["folder", "v4l2", "picamera2"])
def camera(request, tmp_path):
    ticks = itertools.count(10)
    return request.param(tmp_path, lambda: float(next(ticks)))


def test_frames_hold_a_colour_picture_and_where_it_is_from(camera):
    frame = camera.read()
    assert frame.board.dtype == np.uint8
    assert frame.board.ndim == 3
    assert frame.board.shape[2] == 3
    assert frame.source


def test_frames_are_named_apart_and_time_goes_on(camera):
    frames = [camera.read() for _ in range(3)]
    assert len({f.id for f in frames}) == 3
    assert [f.time_s for f in frames] == sorted(f.time_s for f in frames)


def test_close_may_be_called_twice_and_ends_it(camera):
    camera.read()
    camera.close()
    camera.close()
    if isinstance(camera, FolderCamera):
        assert camera.read() is None
    else:
        with pytest.raises(CameraUnavailable, match="closed"):
            camera.read()
