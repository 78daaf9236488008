"""Choosing cameras by a short text such as ``folder:evening1``, ``v4l2:0`` or ``v4l2:0+v4l2:2``."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from companion.errors import CameraUnavailable
from vision.camera.folder import FolderCamera
from vision.camera.pi import TRAY_ZONE, PiCamera
from vision.camera.usb import UsbCamera
from vision.camera.zone import CameraPair, ZonedCamera, parse_zone
from vision.frame import Camera

Clock = Callable[[], float]
"""Monotonic seconds."""

_FOLDER = "folder:"
_NUMBER = re.compile("[0-9]{1,4}")

KINDS = ("folder:PATH", "v4l2:NUMBER", "picamera2")
"""What `open_camera` understands; what is virtual is opened by whoever offers it."""


def open_camera(
    spec: str,
    clock: Clock = time.monotonic,
    kinds: Sequence[str] = KINDS,
    may_be_missing: bool = False,
) -> Camera:
    """Open a camera.

    Parameters
    ----------
    spec : str
        ``"folder:PATH"`` (recorded pictures in order of their names), ``"v4l2:NUMBER"`` or
        ``"v4l2:/dev/videoN"`` (a USB camera), ``"picamera2"`` or ``"picamera2:NUMBER"``.

        The dice tray is a zone of the picture, ``"v4l2:0@0.7,0.6,1,1"`` (left, top, right and
        bottom as shares of the picture; picamera2 has one without being told, a USB camera once it
        is shown where, `ZonedCamera.aim`), or it has a camera of its own: ``"v4l2:0+v4l2:2"``, the
        second one over the tray. Of that one's picture, too, a zone may be all that is wanted:
        ``"v4l2:0+v4l2:2@0.2,0.2,0.8,0.8"``.
    clock : callable
        Monotonic seconds, for `Frame.time_s`.
    kinds : sequence of str
        What is named to somebody whose camera is none of them.
    may_be_missing : bool
        Whether a camera that is not plugged in is opened all the same: each reading says what is
        amiss, until it is there.

    Raises
    ------
    CameraUnavailable
        It does not exist or cannot be opened; the message says what to do.
    """
    board, tray = _split(spec)
    if tray is None:
        return _open_one(spec, clock, kinds, may_be_missing)
    if "@" in board and not board.startswith(_FOLDER):
        raise CameraUnavailable(
            f"{board!r} says where the tray is in the first camera's picture, and {tray!r} looks "
            "at it, too: leave out one of them"
        )
    over_board = _open_one(board, clock, kinds, may_be_missing)
    try:
        over_tray = _open_one(tray, clock, kinds, may_be_missing, is_over_tray=True)
        return CameraPair(over_board, over_tray)
    except BaseException:
        over_board.close()
        raise


def _split(spec: str) -> tuple[str, str | None]:
    """Return the cameras over board and tray; a folder's own name may hold a plus."""
    parts = spec.split("+")
    if spec.startswith(_FOLDER):
        for count in range(len(parts), 1, -1):
            board = "+".join(parts[:count])
            if Path(board.removeprefix(_FOLDER)).is_dir():
                return board, "+".join(parts[count:]) or None
    board, plus, tray = spec.partition("+")
    return board, tray if plus else None


def _open_one(
    spec: str,
    clock: Clock,
    kinds: Sequence[str],
    may_be_missing: bool,
    is_over_tray: bool = False,
) -> Camera:
    if spec.startswith(_FOLDER) and spec != _FOLDER:
        return _open_folder(spec.removeprefix(_FOLDER), clock)
    name, at, shares = spec.partition("@")
    zone = parse_zone(shares) if at else None
    kind, _, place = name.partition(":")
    if kind == "v4l2" and (_NUMBER.fullmatch(place) or place.startswith("/")):
        is_full = is_over_tray or zone is not None
        usb = UsbCamera(place, clock, is_full=is_full, may_be_missing=may_be_missing)
        return usb if is_over_tray and zone is None else ZonedCamera(usb, zone, usb.enlarge)
    if kind == "picamera2":
        if place and not _NUMBER.fullmatch(place):
            raise CameraUnavailable(f"picamera2:{place} is no camera number; try picamera2:0")
        pi = PiCamera(clock, number=int(place or 0), may_be_missing=may_be_missing)
        return pi if is_over_tray and zone is None else ZonedCamera(pi, zone or TRAY_ZONE)
    raise CameraUnavailable(f"no camera {spec!r}: say one of {', '.join(kinds)}")


def _open_folder(place: str, clock: Clock) -> Camera:
    folder, at, zone = place.rpartition("@")
    if at and not Path(place).is_dir() and Path(folder).is_dir():
        raise CameraUnavailable(
            f"pictures of a folder have no zone: leave out '@{zone}'; the tray's picture that "
            "belongs to 012.jpg is 012.tray.jpg beside it"
        )
    return FolderCamera(place, clock)
