"""Markers and tags as they are printed, of the dictionaries that OpenCV knows."""

from __future__ import annotations

import cv2
import numpy as np

from companion.errors import BoardError
from vision.frame import Array

SQUARE = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
"""Corners (4, 2) about the middle, in halves of a side: from its own top-left one clockwise."""


def dictionary_of(name: str) -> cv2.aruco.Dictionary:
    """Return a dictionary by OpenCV's name for it, ``"DICT_4X4_50"``. Raises `BoardError`."""
    number = getattr(cv2.aruco, name, None) if name.startswith("DICT_") else None
    if not isinstance(number, int):
        raise BoardError(f"OpenCV knows no marker dictionary {name!r}, e.g. 'DICT_4X4_50'")
    return cv2.aruco.getPredefinedDictionary(number)


def drawn_marker(dictionary: str, marker_id: int, side_px: int | None = None) -> Array:
    """Return a marker with its black border, (side_px, side_px) uint8; a pixel a module by default.

    Raises `BoardError` on an unknown dictionary or id.

    >>> drawn_marker("DICT_4X4_50", 0).shape
    (6, 6)
    """
    known = dictionary_of(dictionary)
    count = len(known.bytesList)
    if not 0 <= marker_id < count:
        raise BoardError(f"{dictionary} has the markers 0 to {count - 1}, not {marker_id}")
    return cv2.aruco.generateImageMarker(known, marker_id, side_px or known.markerSize + 2)
