"""Choosing a camera by a short text such as ``folder:evening1`` or ``v4l2:0``."""

from __future__ import annotations

import time
from collections.abc import Callable

from companion.errors import CameraUnavailable
from vision.camera.folder import FolderCamera
from vision.camera.pi import PiCamera
from vision.camera.usb import UsbCamera
from vision.frame import Camera

Clock = Callable[[], float]
"""Monotonic seconds."""

KINDS = ("folder:PATH", "v4l2:NUMBER", "picamera2")
"""What `open_camera` understands; the virtual table is opened by the service."""


def open_camera(spec: str, clock: Clock = time.monotonic) -> Camera:
    """Open a camera.

    Parameters
    ----------
    spec : str
        ``"folder:PATH"`` (recorded pictures in order of their names), ``"v4l2:NUMBER"`` or
        ``"v4l2:/dev/videoN"`` (a USB camera), ``"picamera2"`` or ``"picamera2:NUMBER"``.
    clock : callable
        Monotonic seconds, for `Frame.time_s`.

    Raises
    ------
    CameraUnavailable
        It does not exist or cannot be opened; the message says what to do.
    """
    kind, _, place = spec.partition(":")
    if kind == "folder" and place:
        return FolderCamera(place, clock)
    if kind == "v4l2" and place:
        return UsbCamera(place, clock)
    if kind == "picamera2":
        if place and not place.isdigit():
            raise CameraUnavailable(f"picamera2:{place} is no camera number; try picamera2:0")
        return PiCamera(clock, number=int(place or 0))
    raise CameraUnavailable(f"no camera {spec!r}: say one of {', '.join(KINDS)}")
