"""Where the tray is in a zone of the board's picture, after a bump as before.

The board's markers tell how the camera sees, where its zone is after a bump, and where a tray is
that is fixed to the board. Any other is looked for, again if the camera was bumped.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from companion.boards.profile import BoardProfile, Tray
from companion.errors import NotCalibrated
from companion.table.setting_up import Zone
from vision.dice.reader import TrayReader
from vision.dice.tray import Sight, TrayView
from vision.dice.tray_search import find_tray
from vision.dice.zone import carried, in_picture
from vision.frame import Array, Frame
from vision.pipeline import CAMERA_MOVED_MM
from vision.registration import BoardFit

_ROOM = 0.02
"""Between the border of a zone and the table that is looked at in it, in widths of that."""


class ZoneWatch:
    """Knows where the tray is in the pictures of one camera, also after that was bumped.

    Parameters
    ----------
    reader : of the tray.
    profile : of the board beside it.
    tray : as `profile` tells it, or as this table has it.
    aim : callable, optional
        Cuts the tray's picture out of another zone from the next frame on
        (`vision.camera.zone.ZonedCamera.aim`); ``None``: the camera has no zone.
    """

    def __init__(
        self,
        reader: TrayReader,
        profile: BoardProfile,
        tray: Tray,
        aim: Callable[[Zone], None] | None = None,
    ) -> None:
        self._reader, self._profile, self._tray, self._aim = reader, profile, tray, aim
        self._home: tuple[Zone, BoardFit] | None = None
        """The zone as it was given, and where the board was then. It is carried from there and
        not from bump to bump: each would make it a little larger."""
        self._aimed_by: BoardFit | None = None
        self._has_left = False
        """The tray's place is out of the picture."""
        self._found_by: BoardFit | None = None
        self._view: TrayView | None = None
        """Where the tray was found after a bump; before one its reader has found it."""
        self._was_bumped = False
        self._table: Array | None = None
        """Corners (4, 2) of the part of the table that the zone shows, as `table_in_zone` does."""

    def is_aimed(self, frame: Frame, fit: BoardFit) -> bool:
        """Say whether a frame's zone is still where the tray was; else aim the camera there.

        The frame is of no use then: the next ones show the tray.
        """
        if self._aim is None or frame.tray_zone is None:
            return True
        if self._home is None or self._aimed_by is None:
            self._home, self._aimed_by = (frame.tray_zone, fit), fit
        if not self._has_moved(self._aimed_by, fit):
            return True
        self._aimed_by = fit
        zone = in_picture(carried(*self._home, fit))
        self._has_left = zone is None
        if zone is None:
            return True  # said by `view`; the board is read as ever
        self._aim(zone)
        return False

    def view(self, frame: Frame, fit: BoardFit) -> TrayView | None:
        """Return where the tray is in this frame; ``None``: where its reader finds it.

        Raises
        ------
        NotCalibrated
            if it is not seen, or not wholly within its zone.
        """
        self._require_in_sight()
        placed, sight = placed_view(fit, frame, self._tray), zone_sight(fit, frame)
        if placed is not None or sight is None:
            return placed
        if self._found_by is None:
            self._found_by = fit
            self._reader.sees_by(sight)
        elif self._has_moved(self._found_by, fit):
            self._found_by, self._view, self._was_bumped = fit, None, True
        if self._was_bumped and self._view is None:
            assert frame.tray is not None  # else there is no sight of it
            self._view = find_tray(frame.tray, self._tray.size_mm, sight)
        return self._view

    def table(self, frame: Frame, fit: BoardFit) -> TrayView | None:
        """Return how the table in the tray's zone is seen, which the board's markers tell.

        ``None``: the tray has a camera of its own.

        Raises
        ------
        NotCalibrated
            if the zone has left the picture.
        """
        self._require_in_sight()
        if zone_sight(fit, frame) is None:
            return None
        if self._table is not None:
            try:
                return floor_view(fit, frame, self._table)
            except NotCalibrated:
                pass  # the zone shows another part of it now
        self._table = table_in_zone(fit, frame)
        return floor_view(fit, frame, self._table)

    def _require_in_sight(self) -> None:
        if self._has_left:
            raise NotCalibrated(
                "the camera was bumped, and the dice tray's place is out of its picture: turn it "
                "back"
            )

    def _has_moved(self, before: BoardFit, now: BoardFit) -> bool:
        return now.shift_from(before, self._profile) > CAMERA_MOVED_MM


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
    if tray.place_mm is None:
        return None
    (x, y), (width, height) = tray.place_mm, tray.size_mm
    floor = np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]])
    return floor_view(fit, frame, floor)


def floor_view(fit: BoardFit, frame: Frame, floor_mm: Array) -> TrayView | None:
    """Return how a rectangle of the table is seen in the tray's zone of the board's picture.

    ``None``: the tray has a camera of its own.

    Parameters
    ----------
    fit : of the board in this frame.
    frame : with the tray's picture.
    floor_mm : corners (4, 2) on the board, (x, y): top-left as the camera sees it, then clockwise.

    Raises
    ------
    NotCalibrated
        if it is not wholly within the zone.
    """
    sight = zone_sight(fit, frame)
    if frame.tray is None or sight is None:
        return None
    corners = _in_zone(fit.project(floor_mm), fit, frame)
    tall, wide = frame.tray.shape[:2]
    if (corners < 0).any() or (corners > [wide - 1, tall - 1]).any():
        raise NotCalibrated(
            "the dice tray is not wholly in its zone of the picture: show on "
            "/setup where it is, or put the tray where the board's profile says"
        )
    width, height = np.linalg.norm(floor_mm[[1, 2]] - floor_mm[[0, 1]], axis=1)
    size_mm = float(width), float(height)
    return TrayView(size_mm, corners, (wide, tall), sight.focal_px, sight.axis_px)


def table_in_zone(fit: BoardFit, frame: Frame) -> Array:
    """Return the corners (4, 2), mm on the board, of the table that the tray's zone shows.

    They are of a rectangle with a little room around it, upright in the picture: the camera may be
    turned against the board, and no part of what it shows is to be left out for that.
    """
    scale, start = _zone(fit, frame)
    assert frame.tray is not None
    tall, wide = frame.tray.shape[:2]
    seen = fit.to_board(
        np.array([[0, 0], [wide, 0], [wide, tall], [0, tall]]) / scale + start - 0.5
    )
    right = seen[1] + seen[2] - seen[0] - seen[3]
    right /= np.linalg.norm(right)
    axes = np.array([right, [-right[1], right[0]]])
    (_, left, far, _), (_, top, bottom, _) = np.sort((seen @ axes.T).T)
    across, along = _ROOM * (far - left), _ROOM * (bottom - top)
    left, far, top, bottom = left + across, far - across, top + along, bottom - along
    upright = np.array([[left, top], [far, top], [far, bottom], [left, bottom]])
    return np.asarray(upright @ axes)


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
