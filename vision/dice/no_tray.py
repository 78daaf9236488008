"""The table under one die where no tray tells it: a small square, as if it were a tray's floor.

How dice are seen is known roughly (`vision.dice.lean`); how large a millimetre is, is not. There it
is as large as if the die were a tetrahedron of the usual size.
"""

from __future__ import annotations

import numpy as np

from companion.boards.profile import XY
from vision.dice.crops import Box, middle_of
from vision.dice.tetrahedra import EDGE_MM
from vision.dice.tray import FOCAL, TrayView
from vision.frame import Array

SIDE_MM = 60.0
"""Of the square; the die stands about in its middle."""
_BOX = 0.95
"""Longer side of the box around a tetrahedron that is seen from above, in edges, as a rule."""


def table_under(box: Box, lean_deg: XY, picture_px: tuple[int, int]) -> TrayView:
    """Return the square of the table under a die.

    Parameters
    ----------
    box : the die's in the picture.
    lean_deg : how it is seen, `vision.dice.lean.LEANS_DEG`.
    picture_px : width and height of the picture, in whose middle the camera looks straight ahead.
    """
    mm_per_px = EDGE_MM * _BOX / max(box[2:])
    return table_at(middle_of(box), lean_deg, picture_px, mm_per_px, (SIDE_MM, SIDE_MM))


def table_at(
    at_px: XY, lean_deg: XY, picture_px: tuple[int, int], mm_per_px: float, size_mm: XY
) -> TrayView:
    """Return a rectangle of the table around a point of the picture.

    Parameters
    ----------
    at_px : the point, (x, y).
    lean_deg : how what stands upright there is seen, `vision.dice.lean.LEANS_DEG`.
    picture_px : width and height of the picture, in whose middle the camera looks straight ahead.
    mm_per_px : scale there.
    size_mm : width and height of the rectangle.
    """
    width, height = picture_px
    focal = FOCAL * max(picture_px)
    axis, at = np.array([(width - 1) / 2, (height - 1) / 2]), np.array(at_px)
    far = float(np.hypot(*lean_deg))
    ahead = _unit(np.array([*(at - axis) / focal, 1.0]))
    beside = _unit(np.array([*(at + np.array(lean_deg) / max(far, 1e-9) - axis) / focal, 1.0]))
    upward = _unit(beside - ahead * (beside @ ahead))
    up = upward * np.sin(np.radians(far)) - ahead * np.cos(np.radians(far))
    x = _unit(np.array([1.0, 0.0, 0.0]) - up * up[0])
    half = np.array([size_mm[0] / 2 * x, size_mm[1] / 2 * np.cross(x, up)])
    away = focal / ahead[2] * mm_per_px
    corners = ahead * away + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) @ half
    seen = axis + focal * corners[:, :2] / corners[:, 2:]
    return TrayView(size_mm, seen, picture_px, focal, (float(axis[0]), float(axis[1])))


def _unit(vector: Array) -> Array:
    return np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-9))
