"""Dark squares on white paper: where tags may be."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from vision.frame import Array

INK_SHARES = (0.6, 0.42)
"""Ink is darker than this share of the brightest pixel around it; the second finds tags on whose
edge a shadow falls, as paper in the shadow is darker than 0.6 of what lies beside it."""

GLARE_SHARE = 0.85
"""Instead of the first, where the paper is so bright that its light spills over the ink."""

GLARE_LEVEL = 250
"""Grey level from which paper is taken for glaring."""

INK_LEVELS = 10
"""And darker by so many grey levels: noise in deep shadow is not ink."""

AROUND_PX = 13
"""Side of the window in which paper is looked for around ink."""

MIN_OBLONG = 0.75
"""Shorter side over longer side of a square's outline; perspective and noise bend it."""

SAME_PLACE, SAME_SIZE = 0.08, 0.15
"""Squares whose middles and diagonals differ by less than these shares of the diagonal are one."""

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
    paper = cv2.dilate(gray, window)
    squares = [
        square
        for limits in (_limits(INK_SHARES[0], GLARE_SHARE), _limits(INK_SHARES[1], INK_SHARES[1]))
        for square in _square_outlines(
            cv2.compare(gray, cv2.LUT(paper, limits), cv2.CMP_LT), side_px
        )
    ]
    return each_once(np.array(squares).reshape(-1, 4, 2))


def each_once(quads: Array) -> Array:
    """Return squares (N, 4, 2) without those that are an earlier one over again."""
    middles, sides = quads.mean(axis=1), np.linalg.norm(quads[:, 0] - quads[:, 2], axis=1)
    kept: list[int] = []
    for k in range(len(quads)):
        near = np.linalg.norm(middles[kept] - middles[k], axis=1) < SAME_PLACE * sides[k]
        alike = np.abs(sides[kept] - sides[k]) < SAME_SIZE * sides[k]
        if not (near & alike).any():
            kept.append(k)
    return np.asarray(quads[kept])


def _square_outlines(mask: Array, side_px: tuple[float, float]) -> Iterator[Array]:
    """Yield squares (4, 2) around what hangs together in a mask (H, W), if it is square."""
    outlines, nesting = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    least, most = side_px
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
                yield _clockwise(cv2.boxPoints(box).astype(np.float64))


def _limits(share: float, glare_share: float) -> Array:
    """Return for each brightness of the paper the grey level below which there is ink."""
    paper = np.arange(256)
    shares = np.where(paper < GLARE_LEVEL, share, glare_share)
    return np.asarray(np.clip(shares * paper - INK_LEVELS, 0, 255), np.uint8)


def _clockwise(quad: Array) -> Array:
    (ax, ay), (bx, by) = quad[1] - quad[0], quad[2] - quad[1]
    return quad if ax * by > ay * bx else quad[::-1]
