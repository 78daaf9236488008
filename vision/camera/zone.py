"""The dice tray's place: a zone of the full picture, or the picture of a camera of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from companion.errors import CameraUnavailable
from companion.table.setting_up import Zone
from vision.frame import Camera, Frame, Image

BOARD_WIDTH = 1280
"""The board's picture is brought down to this width."""
TRAY_WIDTH = 1920
"""That of a camera over the tray alone to this one: eight pixels a millimetre where a tray fills
it. All 4608 of a Camera Module cost half a second and several hundred MB more (`LongExposure`)."""

LEAST_SHARE = 0.02
"""Of the picture's width or height: in a zone any smaller no die could be seen."""


def parse_zone(text: str) -> Zone:
    """Read ``"0.7,0.6,1,1"``; raises `CameraUnavailable` on anything else.

    >>> parse_zone("0.7,0.6,1,1")
    (0.7, 0.6, 1.0, 1.0)
    """
    try:
        left, top, right, bottom = (float(part) for part in text.split(","))
    except ValueError:
        left = top = right = bottom = -1.0
    return check_zone((left, top, right, bottom), text)


def check_zone(zone: Zone, said: str | None = None) -> Zone:
    """Return a zone that a tray may have; raises `CameraUnavailable` naming it as it was `said`."""
    left, top, right, bottom = zone
    said = ",".join(f"{part:g}" for part in zone) if said is None else said
    if not (0 <= left < right <= 1 and 0 <= top < bottom <= 1):
        raise CameraUnavailable(
            f"{said!r} is no zone for the tray: give left, top, right and bottom as shares of the "
            "picture, e.g. 0.7,0.6,1,1 for its lower right corner"
        )
    if min(right - left, bottom - top) < LEAST_SHARE:
        raise CameraUnavailable(
            f"the zone {said!r} is too small for a tray: make it at least {LEAST_SHARE} wide and "
            "high, e.g. 0.7,0.6,1,1"
        )
    return zone


def board_picture(whole: Image) -> Image:
    """Return a picture brought down to `BOARD_WIDTH`, unless it is smaller.

    Every frame is, so it is halved first as often as can be: that is quick, and leaves a quarter of
    the work (`benchmarks/bringing_down.py`).
    """
    while whole.shape[1] >= 2 * BOARD_WIDTH:
        whole = _brought_down(whole, whole.shape[1] // 2)
    return _brought_down(whole, BOARD_WIDTH)


def _brought_down(whole: Image, most_px: int) -> Image:
    height, width = whole.shape[:2]
    if width <= most_px:
        return whole
    size = (most_px, round(height * most_px / width))
    return np.asarray(cv2.resize(whole, size, interpolation=cv2.INTER_AREA), np.uint8)


def cut_zone(whole: Image, zone: Zone) -> Image:
    """Return a zone of the full picture, every pixel of it: a digit needs some twenty."""
    height, width = whole.shape[:2]
    left, top, right, bottom = zone
    # A copy: a view would keep the whole sensor picture in memory.
    return whole[
        round(top * height) : round(bottom * height), round(left * width) : round(right * width)
    ].copy()


class ZonedCamera:
    """One camera over board and tray: one exposure gives both pictures.

    The board is brought down, the tray is cut out at full size.

    Parameters
    ----------
    camera : Camera
        Gives its whole picture as the board's.
    zone : Zone or None
        Where the tray is in it; ``None``: there is none, or none has been shown yet.
    enlarge : callable
        Asks the camera for its full picture, once a tray is to be cut out of it.
    """

    def __init__(
        self, camera: Camera, zone: Zone | None, enlarge: Callable[[], None] = lambda: None
    ) -> None:
        self._camera, self._zone, self._enlarge = camera, zone, enlarge

    def aim(self, zone: Zone | None) -> None:
        """Cut the tray out there from the next picture on: it was shown, or the camera bumped.

        ``None``: there is no tray in the picture.
        """
        if zone is not None:
            self._enlarge()
        self._zone = zone

    def read(self) -> Frame | None:
        """Return the next frame with both pictures. Raises `CameraUnavailable`."""
        frame = self._camera.read()
        if frame is None:
            return None
        whole, zone = frame.board, self._zone
        tray = None if zone is None else cut_zone(whole, zone)
        return replace(frame, board=board_picture(whole), tray=tray, tray_zone=zone)

    def close(self) -> None:
        """Let the camera go; may be called twice."""
        self._camera.close()


class CameraPair:
    """A camera over the board and a second one over the tray.

    Without the second one the board is seen all the same; it is asked for now and then.

    Parameters
    ----------
    board : Camera
    tray : Camera
        Its whole picture is the tray's (`TRAY_WIDTH`); with a zone (`ZonedCamera`), the cut-out.
    """

    PAUSE = 30
    """Pictures of the board before a tray's camera that failed is asked again: opening it takes
    a while."""

    def __init__(self, board: Camera, tray: Camera) -> None:
        self._board, self._tray = board, tray
        self._trouble, self._pause = "", 0

    def read(self) -> Frame | None:
        """Return the board's next frame with the tray's picture; ``None`` once either has ended.

        Its time is that of the older one. Raises `CameraUnavailable`, of the board's, and
        `PictureError`.
        """
        try:
            board = self._board.read()
        finally:
            # In any case: pictures of two folders stay side by side if one cannot be read.
            tray = self._read_tray()
        if board is None or (tray is None and not self._trouble):
            return None
        picture, time_s = None, board.time_s
        if tray is not None:
            picture, time_s = tray.tray, min(time_s, tray.time_s)
        return replace(
            board, time_s=time_s, tray=picture, tray_zone=None, tray_trouble=self._trouble
        )

    def close(self) -> None:
        """Let both cameras go; may be called twice."""
        self._board.close()
        self._tray.close()

    def _read_tray(self) -> Frame | None:
        """Return the tray's next frame; ``None`` if it has ended, or fails (`_trouble`)."""
        if self._pause:
            self._pause -= 1
            return None
        try:
            frame = self._tray.read()
        except CameraUnavailable as error:
            self._trouble, self._pause = str(error), self.PAUSE
            return None
        self._trouble = ""
        if frame is None or frame.tray is not None:
            return frame
        return replace(frame, tray=_brought_down(frame.board, TRAY_WIDTH))
