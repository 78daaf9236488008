"""Dark squares on white paper: where tags may be."""

from __future__ import annotations

import cv2
import numpy as np

from vision.frame import Array

INK_SHARE = 0.6
"""Ink is darker than this share of the brightest pixel around it."""

GLARE_SHARE = 0.85
"""The same where the paper is so bright that its light spills over the ink."""

GLARE_LEVEL = 250
"""Grey level from which paper is taken for glaring."""

INK_LEVELS = 10
"""And darker by so many grey levels: noise in deep shadow is not ink."""

AROUND_PX = 13
"""Side of the window in which paper is looked for around ink."""

MIN_OBLONG = 0.75
"""Shorter side over longer side of a square's outline; perspective and noise bend it."""

MIN_FILL = 0.75
"""Area of the outline over that of the rectangle around it; that of a disc is 0.79."""


def dark_squares(gray: Array, side_px: tuple[float, float]) -> Array:
    """Return dark squares beside something bright.

    Parameters
    ----------
    gray : ndarray of shape (H, W), uint8
    side_px : (float, float)
        Least and greatest side that a tag may have.

    Returns
    -------
    ndarray of shape (N, 4, 2), float64
        Corners (x, y) px, clockwise in the picture, good to about a pixel.
    """
    window = np.ones((AROUND_PX, AROUND_PX), np.uint8)
    limit = cv2.LUT(cv2.dilate(gray, window), _limits())
    mask = cv2.compare(gray, limit, cv2.CMP_LT)
    outlines, nesting = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    least, most = side_px
    found = []
    for k, outline in enumerate(outlines):
        is_hole = nesting[0, k, 3] >= 0
        if is_hole or len(outline) < 2 * least:
            continue
        *_, width, height = cv2.boundingRect(outline)
        if max(width, height) < least or max(width, height) > 1.5 * most:
            continue
        hull = cv2.convexHull(outline)
        box = cv2.minAreaRect(hull)
        short, long = sorted(box[1])
        if least <= long <= most and short >= MIN_OBLONG * long:
            if cv2.contourArea(hull) >= MIN_FILL * short * long:
                found.append(_clockwise(cv2.boxPoints(box).astype(np.float64)))
    return np.array(found).reshape(-1, 4, 2)


def _limits() -> Array:
    """Return for each brightness of the paper the grey level below which there is ink."""
    paper = np.arange(256)
    share = np.where(paper < GLARE_LEVEL, INK_SHARE, GLARE_SHARE)
    return np.asarray(np.clip(share * paper - INK_LEVELS, 0, 255), np.uint8)


def _clockwise(quad: Array) -> Array:
    (ax, ay), (bx, by) = quad[1] - quad[0], quad[2] - quad[1]
    return quad if ax * by > ay * bx else quad[::-1]
