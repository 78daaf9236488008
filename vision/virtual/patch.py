"""Drawing small solids into a picture: a supersampled patch that is blended once."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.frame import Array, Image
from vision.virtual.texture import of_colours

_OVER = 3
"""Patches are drawn this many times larger than they are shown, so edges come out smooth."""
_SHIFT = 4
"""Fractional bits of OpenCV's polygon coordinates."""
_MARGIN_PX = 2


class Patch:
    """A see-through drawing over the part of a picture that holds the given points."""

    def __init__(self, picture: Image, around_px: Array) -> None:
        """Cover the points (N, 2) with a margin, cut at the picture's border."""
        self._picture = picture
        height, width = picture.shape[:2]
        low = np.floor(around_px.min(axis=0)).astype(int) - _MARGIN_PX
        high = np.ceil(around_px.max(axis=0)).astype(int) + _MARGIN_PX + 1
        self.x0, self.y0 = int(np.clip(low[0], 0, width)), int(np.clip(low[1], 0, height))
        self.x1, self.y1 = int(np.clip(high[0], 0, width)), int(np.clip(high[1], 0, height))
        columns, rows = max(self.x1 - self.x0, 0), max(self.y1 - self.y0, 0)
        self.is_empty = columns == 0 or rows == 0
        self.colour = np.zeros((rows * _OVER, columns * _OVER, 3), np.uint8)
        self.alpha = np.zeros((rows * _OVER, columns * _OVER), np.uint8)

    def _inside(self, points_px: Array) -> Array:
        """Return the points (N, 2) in the patch's own enlarged pixels."""
        corner = np.array([self.x0, self.y0], float)
        return np.asarray((np.asarray(points_px, float) - corner + 0.5) * _OVER - 0.5)

    def polygon(self, points_px: Array, colour: Array) -> None:
        """Fill a polygon (N, 2) with one colour (BGR)."""
        self.polygons(points_px, [slice(None)], colour[None])

    def polygons(self, points_px: Array, parts: Sequence[slice], colours: Array) -> None:
        """Fill several polygons, each a part of `points_px` (N, 2), with colours (P, 3), BGR."""
        points = np.round(self._inside(points_px) * (1 << _SHIFT)).astype(np.int32)
        for part, bgr in zip(parts, np.clip(colours, 0, 255).tolist(), strict=True):
            cv2.fillPoly(self.colour, [points[part]], bgr, shift=_SHIFT)
            cv2.fillPoly(self.alpha, [points[part]], (255,), shift=_SHIFT)

    def line(self, points_px: Array, colour: Array, width_px: float) -> None:
        """Draw an open line (N, 2) of a width in the picture's pixels."""
        points = np.round(self._inside(points_px) * (1 << _SHIFT)).astype(np.int32)
        thick = max(1, round(width_px * _OVER))
        bgr = [float(v) for v in np.clip(colour, 0, 255)]
        cv2.polylines(self.colour, [points], False, bgr, thick, shift=_SHIFT)
        cv2.polylines(self.alpha, [points], False, (255,), thick, shift=_SHIFT)

    def texture(self, source: Image, corners: Array, points_px: Array, gain: Array) -> None:
        """Lay the polygon `corners` (N, 2) of an image over the polygon `points_px` (N, 2).

        Three corners far apart decide how (the pieces are small, so affine is enough); `gain` (3,)
        multiplies the colours.
        """
        points = self._inside(points_px)
        limits = np.array(self.alpha.shape[::-1])
        x0, y0 = np.clip(np.floor(points.min(axis=0)).astype(int), 0, limits)
        x1, y1 = np.clip(np.ceil(points.max(axis=0)).astype(int) + 1, 0, limits)
        if x1 <= x0 or y1 <= y0:
            return
        local = points - np.array([x0, y0])
        apart = [0, len(corners) // 3, 2 * len(corners) // 3]
        how = cv2.getAffineTransform(
            np.asarray(corners[apart], np.float32), local[apart].astype(np.float32)
        )
        size = (int(x1 - x0), int(y1 - y0))
        laid = cv2.warpAffine(
            source, how, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        mask = np.zeros(size[::-1], np.uint8)
        cv2.fillPoly(mask, [np.round(local * (1 << _SHIFT)).astype(np.int32)], (255,), shift=_SHIFT)
        # One table of 256 entries a channel: much cheaper than multiplying in floating point.
        levels = np.arange(256)[:, None] * np.asarray(gain)
        lit = cv2.LUT(laid, np.clip(levels, 0, 255).astype(np.uint8)[None])
        cv2.copyTo(lit, mask, self.colour[y0:y1, x0:x1])
        alpha = self.alpha[y0:y1, x0:x1]
        cv2.bitwise_or(alpha, mask, alpha)

    def blend(self) -> None:
        """Put the drawing into the picture, in place."""
        if self.is_empty:
            return
        size = (self.x1 - self.x0, self.y1 - self.y0)
        # Where nothing was drawn the colour is black, so it needs no weight of its own.
        ink = cv2.resize(self.colour, size, interpolation=cv2.INTER_AREA)
        cover = cv2.resize(self.alpha, size, interpolation=cv2.INTER_AREA)
        part = self._picture[self.y0 : self.y1, self.x0 : self.x1]
        kept = cv2.multiply(part, cv2.merge([255 - cover] * 3), scale=1 / 255)
        part[:] = cv2.add(kept, ink)


def cast_shadow(picture: Image, outline_px: Array, strength: float, blur_px: float) -> None:
    """Darken the convex outline (N, 2) of a shadow with soft edges, in place."""
    height, width = picture.shape[:2]
    margin = int(3 * blur_px) + 2
    x0, y0 = np.maximum(np.floor(outline_px.min(axis=0)).astype(int) - margin, 0)
    x1, y1 = np.minimum(
        np.ceil(outline_px.max(axis=0)).astype(int) + margin + 1, np.array([width, height])
    )
    if x1 <= x0 or y1 <= y0:
        return
    mask = np.zeros((y1 - y0, x1 - x0), np.float32)
    hull = cv2.convexHull((outline_px - np.array([x0, y0])).astype(np.float32))
    points = np.round(hull * (1 << _SHIFT)).astype(np.int32)
    cv2.fillPoly(mask, [points], (strength,), cv2.LINE_AA, _SHIFT)
    mask = cv2.GaussianBlur(mask, (0, 0), max(blur_px, 0.3))
    part = picture[y0:y1, x0:x1]
    part[:] = of_colours(plane * (1 - mask) for plane in cv2.split(part))
