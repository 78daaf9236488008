"""USB cameras through OpenCV's Video4Linux."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Any

import cv2
import numpy as np

from companion.errors import CameraUnavailable
from vision.frame import Frame

WIDTH, HEIGHT = 1280, 960
"""Asked of the camera; it may give the nearest it has, of OpenCV's choice uncompressed. If that is
narrower it is asked again, for MJPG."""
FULL_WIDTH, FULL_HEIGHT = 3840, 2160
"""Asked of it if it is to give its largest picture."""
_ERRORS_ONLY = 2
"""OpenCV's `LOG_LEVEL_ERROR`."""
_A_PICTURE_S = 1.0
"""A picture has come by then, as a rule; without one OpenCV gives up after ten seconds."""
_LAG_S = 0.07
"""The next picture that comes was exposed before it was sent, and each takes up to a thirtieth of a
second: it shows the table as it was so long before it was asked for."""
_MJPG = cv2.VideoWriter.fourcc(*"MJPG")


def _open_device(place: str) -> Any:
    # A camera that is not there is asked for every second; OpenCV would complain as often.
    loudness = _set_log_level(_ERRORS_ONLY)
    try:
        return cv2.VideoCapture(int(place) if place.isdigit() else place, cv2.CAP_V4L2)
    finally:
        _set_log_level(loudness)


def _set_log_level(level: int) -> int:
    """Set how much OpenCV complains, and return how much it did.

    Raspberry Pi OS Bookworm's numpy goes with OpenCV 4.11, where this has another place.
    """
    old: Callable[[int], int] | None = getattr(cv2, "setLogLevel", None)
    return cv2.utils.logging.setLogLevel(level) if old is None else old(level)


def _ask_size(device: Any, width: int, height: int) -> None:
    device.set(cv2.CAP_PROP_FRAME_WIDTH, width)
    device.set(cv2.CAP_PROP_FRAME_HEIGHT, height)


def _ask_compressed(device: Any, width: int, height: int) -> None:
    """Ask for MJPG and a size: uncompressed, many cameras offer small pictures only.

    One that knows no MJPG refuses, and keeps the format it has.
    """
    device.set(cv2.CAP_PROP_FOURCC, _MJPG)
    _ask_size(device, width, height)


class UsbCamera:
    """A camera of the Linux kernel, ``/dev/videoN``.

    One that falls silent, its plug pulled, is opened anew at the next reading.

    Parameters
    ----------
    place : str
        The number N or a device path.
    clock : callable
        Monotonic seconds.
    open_device : callable
        Given the place, returns something like a `cv2.VideoCapture`; for tests.
    is_full : bool
        Whether it is asked for its largest picture: the tray is cut out of that (`enlarge`).
    may_be_missing : bool
        Whether it is opened at the first reading only.

    Raises
    ------
    CameraUnavailable
        It cannot be opened.
    """

    def __init__(
        self,
        place: str,
        clock: Callable[[], float],
        open_device: Callable[[str], Any] = _open_device,
        is_full: bool = False,
        may_be_missing: bool = False,
    ) -> None:
        self._place = place
        self._name = f"v4l2:{place}"
        self._clock = clock
        self._count = 0
        self._open_device = open_device
        self._is_full = self._was_full = is_full
        self._is_closed = False
        self._reading = Lock()
        self._device: Any = None if may_be_missing else self._open()
        """``None`` before it was there, and after it has failed."""

    def _open(self) -> Any:
        self._was_full = self._is_full
        device = self._open_device(self._place)
        if not device.isOpened():
            device.release()
            raise CameraUnavailable(
                f"the camera {self._name} cannot be opened: is it plugged in, and is no other "
                "program using it? `ls /dev/v4l/by-id/*-index0` lists those that are there; most "
                "take two numbers each, and the first one is meant"
            )
        if self._is_full:
            _ask_compressed(device, FULL_WIDTH, FULL_HEIGHT)
        else:
            _ask_size(device, WIDTH, HEIGHT)
            if device.get(cv2.CAP_PROP_FRAME_WIDTH) < WIDTH:
                _ask_compressed(device, WIDTH, HEIGHT)
        # One buffered picture: the table must not see what lay there half a second ago.
        device.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        return device

    def read(self) -> Frame:
        """Return the next frame. Raises `CameraUnavailable`."""
        with self._reading:
            try:
                return self._read()
            finally:
                if self._is_closed:
                    self._let_go()

    def _read(self) -> Frame:
        if self._is_closed:
            raise CameraUnavailable(f"the camera {self._name} has been closed")
        if self._was_full != self._is_full:
            self._let_go()
        if self._device is None:
            self._device = self._open()
        begun_s = self._clock() - _LAG_S
        good, image = self._device.read()
        if not good or image is None:
            self._let_go()
            raise CameraUnavailable(f"the camera {self._name} gives no picture; check its cable")
        self._count += 1
        return Frame(
            id=f"v{self._count:06d}",
            time_s=begun_s,
            board=np.asarray(image, np.uint8),
            source=self._name,
        )

    def enlarge(self) -> None:
        """Ask for the largest picture from the next reading on; any thread may."""
        self._is_full = True

    def close(self) -> None:
        """Let the device go; any thread may, and twice.

        One that gives no picture is let go by who waits for that: if OpenCV is reading from what
        is taken away, the whole process may end (with a film for a camera it did).
        """
        self._is_closed = True
        if self._reading.acquire(timeout=_A_PICTURE_S):
            self._let_go()
            self._reading.release()

    def _let_go(self) -> None:
        if self._device is not None:
            self._device.release()
            self._device = None
