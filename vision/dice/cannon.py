"""The icosahedron: a close view of its top side, where the numeral that counts is printed."""

from __future__ import annotations

import numpy as np

from vision.dice.sail import laid_flat
from vision.frame import Array, Image

HEIGHT_MM = 22.0
TOP_MM = 11.5
"""Side of the square that a view shows: one numeral, and little of its neighbours."""
VALUES = (1, 2, 3, 4, 5)
"""Classes 1 to 5 of the network; class 0 is no numeral on top."""


def top_view(picture: Image, to_picture: Array, middle_mm: Array, camera_mm: Array) -> Image:
    """Return the top side (28, 28, 3) seen from above, whichever way its numeral is turned.

    Parameters
    ----------
    picture : (H, W, 3) uint8.
    to_picture : homography (3, 3) from the floor in millimetres to the picture.
    middle_mm : (2,) where the die stands on the floor.
    camera_mm : position (3,) of the camera over the floor, height upward.
    """
    half = TOP_MM / 2
    square = [[-half, -half], [half, -half], [half, half], [-half, half]]
    flat = np.asarray(square) + middle_mm
    corners = np.concatenate([flat, np.full((4, 1), HEIGHT_MM)], axis=1)
    return laid_flat(picture, to_picture, corners, camera_mm)
