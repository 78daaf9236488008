"""Cutting a die out of a picture as the network is shown it."""

from __future__ import annotations

import cv2
import numpy as np

from vision.frame import Array, Image

CROP_PX = 72
AROUND = 1.4
"""Side of a crop in sides of the die's box."""
CLOSE_PX = 48
CLOSE_AROUND = {
    **dict.fromkeys(("icosahedron", "dodecahedron"), 0.5),
    **dict.fromkeys(("octahedron", "trapezohedron"), 0.66),
}
"""The same of a close crop, by shape: the top side, and little of its neighbours."""
PIPS_PX, PIPS_AROUND = 48, 1.2
"""The same of a crop in which pips are counted."""
PLAIN_PX, PLAIN_AROUND = 48, 1.2
"""The same of a crop that shows the colours of a die's sides."""
LYING_PX, LYING_AROUND = 64, 1.9
"""The same of a crop that shows how a die lies, and what it lies on."""
FACING_PX, FACING_AROUND = 48, 1.15
"""The same of a crop that shows which way a die's sides face."""
LEAN_PX = 48
"""Side of a crop, as wide as the first one, that shows how far aside a die is seen."""

_WIDER = 1.45
"""So much larger is a crop that can be turned by any angle and fill the same square."""

Box = tuple[float, float, float, float]
"""x, y, width, height in pixels."""


def middle_of(box: Box) -> tuple[float, float]:
    """Return the middle (x, y) of a box.

    >>> middle_of((10, 20, 4, 6))
    (12.0, 23.0)
    """
    return box[0] + box[2] / 2, box[1] + box[3] / 2


def is_in(inner: Box, outer: Box) -> bool:
    """Tell whether the middle of a box lies in another."""
    x, y = middle_of(inner)
    return outer[0] < x < outer[0] + outer[2] and outer[1] < y < outer[1] + outer[3]


def cut_crop(picture: Image, box: Box, size_px: int = CROP_PX, around: float = AROUND) -> Image:
    """Return the square (size_px, size_px, 3) around a die's box; what is outside is repeated.

    Parameters
    ----------
    picture : (H, W, 3) uint8.
    box : the whole die.
    size_px : side of the crop.
    around : side of the square in sides (the longer one) of the box.
    """
    x, y, width, height = box
    side = max(round(max(width, height) * around), 2)
    times = max(side // size_px, 1)
    side -= side % times
    left, top = round(x + width / 2 - side / 2), round(y + height / 2 - side / 2)
    inner: Array = picture[max(top, 0) : max(top + side, 1), max(left, 0) : max(left + side, 1)]
    margins = (
        max(-top, 0),
        max(top + side - picture.shape[0], 0),
        max(-left, 0),
        max(left + side - picture.shape[1], 0),
    )
    if any(margins):
        inner = cv2.copyMakeBorder(inner, *margins, cv2.BORDER_REPLICATE)
    if times > 1:  # first by a whole factor: at any other a mean over areas is slow
        inner = cv2.resize(inner, (side // times, side // times), interpolation=cv2.INTER_AREA)
    how = cv2.INTER_AREA if side // times > size_px else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(inner, (size_px, size_px), interpolation=how), np.uint8)


def cut_turned(
    picture: Image,
    box: Box,
    size_px: int = CROP_PX,
    around: float = AROUND,
    turn_deg: float = 45.0,
) -> Image:
    """Return the same square around a die's box as `cut_crop`, turned against the clock."""
    wide = cut_crop(picture, box, round(size_px * _WIDER), around * _WIDER)
    middle = (len(wide) - 1) / 2
    how = np.asarray(cv2.getRotationMatrix2D((middle, middle), turn_deg, 1.0), np.float64)
    how[:, 2] -= (len(wide) - size_px) / 2
    return np.asarray(cv2.warpAffine(wide, how, (size_px, size_px)), np.uint8)


def cut_upright(picture: Image, box: Box, size_px: int, around: float, lean_deg: Array) -> Image:
    """Return the same with up upward.

    `lean_deg` (2,) says how the die is seen (`vision.dice.lean.LEANS_DEG`).
    """
    x, y = lean_deg
    return cut_turned(picture, box, size_px, around, float(np.degrees(np.arctan2(y, x))) + 90)
