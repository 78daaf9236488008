"""Where the tray is in a zone of the board's picture, after a bump as before.

The board's markers tell how the camera sees, and where a tray is that is fixed to the board. Any
other is looked for, again if the camera was bumped.
"""

from __future__ import annotations

import numpy as np

from companion.boards.profile import BoardProfile, Tray
from companion.errors import NotCalibrated
from vision.dice.reader import TrayReader
from vision.dice.tray import Sight, TrayView
from vision.frame import Array, Frame
from vision.pipeline import CAMERA_MOVED_MM
from vision.registration import BoardFit


class ZoneWatch:
    """Tells a tray's reader how the camera sees the tray's zone, and when it was bumped.

    Parameters
    ----------
    reader : of the tray.
    profile : of the board beside it.
    """

    def __init__(self, reader: TrayReader, profile: BoardProfile) -> None:
        self._reader, self._profile = reader, profile
        self._found_by: BoardFit | None = None

    def follow(self, fit: BoardFit, frame: Frame) -> None:
        """Let the tray be looked for in this frame if its camera is new or was bumped.

        Does nothing where the tray has a camera of its own.

        Raises
        ------
        NotCalibrated
            if no tray is seen in the picture of the empty one.
        """
        sight = zone_sight(fit, frame)
        if sight is None:
            return
        if self._found_by is None:
            self._found_by = fit
            self._reader.sees_by(sight)
        elif fit.shift_from(self._found_by, self._profile) > CAMERA_MOVED_MM:
            self._found_by = fit
            self._reader.look_again()


def zone_sight(fit: BoardFit, frame: Frame) -> Sight | None:
    """Return how the board's camera sees the tray's zone; ``None`` if it is no zone."""
    if frame.tray is None or frame.tray_zone is None:
        return None
    scale, _ = _zone(fit, frame)
    x, y = _in_zone(np.array([(np.array(fit.size_px) - 1) / 2]), fit, frame)[0]
    return Sight(float(fit.focal_px * scale[0]), (float(x), float(y)))


def placed_view(fit: BoardFit, frame: Frame, tray: Tray) -> TrayView | None:
    """Return where the tray is in its zone of the board camera's picture.

    ``None`` where nobody has said where on the board it stands, or where it has a camera of its
    own: then it must be looked for.

    Parameters
    ----------
    fit : of the board in this frame.
    frame : with its tray's picture.
    tray : of the board's profile.

    Raises
    ------
    NotCalibrated
        if it is not wholly within its zone.
    """
    sight = zone_sight(fit, frame)
    if tray.place_mm is None or frame.tray is None or sight is None:
        return None
    (x, y), (width, height) = tray.place_mm, tray.size_mm
    floor = np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]])
    corners = _in_zone(fit.project(floor), fit, frame)
    tall, wide = frame.tray.shape[:2]
    if (corners < 0).any() or (corners > [wide - 1, tall - 1]).any():
        raise NotCalibrated(
            "the dice tray is not wholly in its zone of the picture: make the zone behind the "
            "camera's @ larger, or put the tray where the board's profile says"
        )
    return TrayView(tray.size_mm, corners, (wide, tall), sight.focal_px, sight.axis_px)


def _zone(fit: BoardFit, frame: Frame) -> tuple[Array, Array]:
    """Return the scale (2,) of the zone's pixels to the board's, and its corner in the board's."""
    assert frame.tray is not None
    assert frame.tray_zone is not None
    left, top, right, bottom = frame.tray_zone
    board_px = np.array(fit.size_px)
    tray_px = np.array([frame.tray.shape[1], frame.tray.shape[0]])
    scale = tray_px / np.array([right - left, bottom - top]) / board_px
    return scale, np.array([left, top]) * board_px


def _in_zone(points_px: Array, fit: BoardFit, frame: Frame) -> Array:
    """Return where points (N, 2) of the board's picture are in the tray's."""
    scale, start = _zone(fit, frame)
    return np.asarray((points_px + 0.5 - start) * scale - 0.5)
