"""Is there anything to be seen in a picture? Not where the lens is covered, nor in the dark."""

from __future__ import annotations

import cv2
import numpy as np

from vision.frame import Array

_WIDTH = 160
_CONTRAST = 16
"""Levels by which things stand out from what is beside them; noise of 30 levels does not, seen so
small. In a quarter of its light one in a hundred pixels of a table still does."""
_SHARE = 0.004
"""More of the picture than this, and there is something to be seen."""

BLANK = "I see nothing but one colour; is the lens covered, or is it too dark or too bright?"


def is_blank(image: Array) -> bool:
    """Return whether nothing stands out in a picture, shape (H, W) or (H, W, 3), uint8.

    A glow that comes through a finger does not.

    >>> table = np.full((120, 160), 90, np.uint8)
    >>> is_blank(table)
    True
    >>> table[50:60, 60:70] = 20
    >>> is_blank(table)
    False
    """
    height, width = image.shape[:2]
    size = (min(_WIDTH, width), max(1, round(height * min(1.0, _WIDTH / width))))
    small = cv2.blur(cv2.resize(image, size, interpolation=cv2.INTER_AREA), (3, 3))
    contrast = cv2.morphologyEx(small, cv2.MORPH_GRADIENT, np.ones((5, 5), np.uint8))
    strongest = contrast if contrast.ndim == 2 else contrast.max(axis=2)
    return bool(np.count_nonzero(strongest > _CONTRAST) <= _SHARE * strongest.size)
