"""A dice tray on the same table as the board, under the same camera."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from companion.boards.profile import XY
from vision.frame import Array, Image
from vision.virtual.lens import Lens
from vision.virtual.tray import WALL_HEIGHT_MM, WALL_THICK_MM


def in_tray(lens: Lens, at_mm: XY) -> Lens:
    """Return a camera over the board in the frame of a tray whose floor begins at `at_mm`."""
    (x, y), (left, top) = lens.target_mm, at_mm
    return replace(lens, target_mm=(x - left, y - top))


def put_beside(picture: Image, tray: Image, over_tray: Lens, size_mm: XY) -> Image:
    """Return a picture of the board (H, W, 3) with what another of the same camera shows of a tray.

    Parameters
    ----------
    tray : (H, W, 3), as `over_tray` sees it.
    size_mm : inside width and height of its floor.
    """
    mask = np.zeros(picture.shape[:2], np.uint8)
    outline = np.round(_outline_px(over_tray, size_mm)).astype(np.int32)
    cv2.fillConvexPoly(mask, outline, (255,))
    return np.asarray(cv2.copyTo(tray, mask, picture.copy()), np.uint8)


def _outline_px(over_tray: Lens, size_mm: XY) -> Array:
    """Return the hull (N, 2) of the foot and the upper edge of the walls' outer sides."""
    (w, h), g = size_mm, WALL_THICK_MM
    flat = np.array([[-g, -g], [w + g, -g], [w + g, h + g], [-g, h + g]])
    points = [np.column_stack([flat, np.full(4, z)]) for z in (0.0, -WALL_HEIGHT_MM)]
    seen = over_tray.project(np.concatenate(points)).astype(np.float32)
    return np.asarray(cv2.convexHull(seen)).reshape(-1, 2)
