"""Choosing cameras by a short text such as ``folder:evening1``, ``v4l2:0`` or ``v4l2:0+v4l2:1``."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from companion.errors import CameraUnavailable
from vision.camera.folder import FolderCamera
from vision.camera.pi import TRAY_SHARE, PiCamera
from vision.camera.usb import UsbCamera
from vision.camera.zone import CameraPair, ZonedCamera, parse_share
from vision.frame import Camera

Clock = Callable[[], float]
"""Monotonic seconds."""

KINDS = ("folder:PATH", "v4l2:NUMBER", "picamera2")
"""What `open_camera` understands; what is virtual is opened by whoever offers it."""


def open_camera(spec: str, clock: Clock = time.monotonic, kinds: Sequence[str] = KINDS) -> Camera:
    """Open a camera.

    Parameters
    ----------
    spec : str
        ``"folder:PATH"`` (recorded pictures in order of their names), ``"v4l2:NUMBER"`` or
        ``"v4l2:/dev/videoN"`` (a USB camera), ``"picamera2"`` or ``"picamera2:NUMBER"``.

        The dice tray is a zone of the picture, ``"v4l2:0@0.7,0.6,1,1"`` (left, top, right and
        bottom as shares of the picture; picamera2 has one without being told), or it has a camera
        of its own: ``"v4l2:0+v4l2:1"``, the second one over the tray.
    clock : callable
        Monotonic seconds, for `Frame.time_s`.
    kinds : sequence of str
        What is named to somebody whose camera is none of them.

    Raises
    ------
    CameraUnavailable
        It does not exist or cannot be opened; the message says what to do.
    """
    board, plus, tray = spec.partition("+")
    if plus:
        over_board = _open_one(board, clock, kinds)
        try:
            return CameraPair(over_board, _open_one(tray, clock, kinds))
        except CameraUnavailable:
            over_board.close()
            raise
    return _open_one(spec, clock, kinds)


def _open_one(spec: str, clock: Clock, kinds: Sequence[str]) -> Camera:
    name, at, zone = spec.partition("@")
    share = parse_share(zone) if at else None
    kind, _, place = name.partition(":")
    if kind == "folder" and place and share is None:
        return FolderCamera(place, clock)
    if kind == "v4l2" and place:
        usb = UsbCamera(place, clock, is_full=share is not None)
        return usb if share is None else ZonedCamera(usb, share)
    if kind == "picamera2":
        if place and not place.isdigit():
            raise CameraUnavailable(f"picamera2:{place} is no camera number; try picamera2:0")
        return ZonedCamera(PiCamera(clock, number=int(place or 0)), share or TRAY_SHARE)
    raise CameraUnavailable(f"no camera {spec!r}: say one of {', '.join(kinds)}")
