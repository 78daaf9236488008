"""The tray's zone of the board's picture, carried along with a camera that was bumped.

The tray stands on the same table as the board, whose markers tell how the camera saw it before and
how it sees it now: so a zone of the old picture is a place on the table, and that is a zone of the
new one.
"""

from __future__ import annotations

import numpy as np

from companion.table.setting_up import Zone
from vision.registration import BoardFit

LEAST_LEFT = 0.6
"""A zone of which less than this share is still in the picture has lost its tray."""


def carried(zone: Zone, before: BoardFit, now: BoardFit) -> Zone:
    """Return the upright zone around what a zone showed before; it may reach out of the picture.

    Parameters
    ----------
    zone : of the picture in which the board was found by `before`.
    now : of the board in the new picture.
    """
    left, top, right, bottom = zone
    corners = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
    on_table = before.to_board(corners * before.size_px - 0.5)
    seen = (now.project(on_table) + 0.5) / now.size_px
    (x0, y0), (x1, y1) = seen.min(axis=0), seen.max(axis=0)
    return float(x0), float(y0), float(x1), float(y1)


def in_picture(zone: Zone) -> Zone | None:
    """Return the part of a zone that is in the picture; ``None`` if too little of it is.

    >>> in_picture((0.7, 0.6, 1.1, 1.0))
    (0.7, 0.6, 1.0, 1.0)
    >>> in_picture((0.9, 0.6, 1.3, 1.0)) is None
    True
    """
    left, top, right, bottom = zone
    part = max(left, 0.0), max(top, 0.0), min(right, 1.0), min(bottom, 1.0)
    width, height = part[2] - part[0], part[3] - part[1]
    if min(width, height) <= 0 or width * height < LEAST_LEFT * (right - left) * (bottom - top):
        return None
    return part
