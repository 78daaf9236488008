"""A tray that is fixed to the board: where the markers say that it is, after a bump as before."""

from __future__ import annotations

import numpy as np

from companion.boards.profile import Tray
from companion.errors import NotCalibrated
from vision.dice.tray import TrayView
from vision.frame import Frame
from vision.registration import BoardFit


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
    if tray.place_mm is None or frame.tray is None or frame.tray_zone is None:
        return None
    (x, y), (width, height) = tray.place_mm, tray.size_mm
    floor = np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]])
    left, top, right, bottom = frame.tray_zone
    board_px = np.array(fit.size_px)
    tray_px = np.array([frame.tray.shape[1], frame.tray.shape[0]])
    zone = np.array([right - left, bottom - top])
    scale = tray_px / zone / board_px  # of the zone's pixels to the board's
    start = np.array([left, top]) * board_px
    corners = (fit.project(floor) + 0.5 - start) * scale - 0.5
    if (corners < 0).any() or (corners > tray_px - 1).any():
        raise NotCalibrated(
            "the dice tray is not wholly in its zone of the picture: make the zone behind the "
            "camera's @ larger, or put the tray where the board's profile says"
        )
    axis_x, axis_y = (board_px / 2 - start) * scale - 0.5
    return TrayView(
        tray.size_mm,
        corners,
        (int(tray_px[0]), int(tray_px[1])),
        float(fit.focal_px * scale[0]),
        (float(axis_x), float(axis_y)),
    )
