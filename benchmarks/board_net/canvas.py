"""The canvas on which cells are invented: paints, noise, and shapes in millimetres around a cell.

Values are gamma-coded paint, 0 black to 1 white paper, BGR, as `vision.board.patches.code_patches`
makes them.
"""

from __future__ import annotations

import colorsys
import math

import cv2
import numpy as np

FINE = 64
"""Cells are drawn at this size and brought down to 32."""
PX = FINE / (1.06 * 42)
"""Pixels a millimetre while drawing."""
INRADIUS = 21.0
SHIFT = 4  # cv2 draws with 4 fractional bits


def tone(rng, hue, saturation, value):
    h, s, v = (rng.uniform(*r) for r in (hue, saturation, value))
    r, g, b = colorsys.hsv_to_rgb((h % 360) / 360, s, min(v, 1.0))
    return np.array([b, g, r]) * max(1.0, v)


def noise_field(rng, grain):
    n = max(2, int(FINE / grain))
    return cv2.resize(
        rng.normal(0, 1, (n, n)).astype(np.float32), (FINE, FINE), interpolation=cv2.INTER_CUBIC
    )


def to_px(points_mm):
    return np.round(((np.asarray(points_mm, float) * PX) + FINE / 2 - 0.5) * 2**SHIFT).astype(
        np.int32
    )


def poly(image, points_mm, colour):
    cv2.fillPoly(
        image,
        [to_px(points_mm)],
        [float(c) for c in colour],
        cv2.LINE_AA if image.dtype == np.uint8 else 8,
        SHIFT,
    )


def line(image, points_mm, colour, width_mm, closed=False):
    cv2.polylines(
        image,
        [to_px(points_mm)],
        closed,
        [float(c) for c in colour],
        max(1, round(width_mm * PX)),
        8,
        SHIFT,
    )


def disc(image, centre_mm, radius_mm, colour, width_mm=None):
    thick = -1 if width_mm is None else max(1, round(width_mm * PX))
    x, y = to_px([centre_mm])[0]
    cv2.circle(
        image,
        (int(x), int(y)),
        int(max(radius_mm * PX, 0.6) * 2**SHIFT),
        [float(c) for c in colour],
        thick,
        8,
        SHIFT,
    )


def hexagon(centre=(0, 0), inradius=INRADIUS, turn=0.0):
    a = np.radians(60 * np.arange(6) - 90) + turn
    return np.column_stack([np.cos(a), np.sin(a)]) * inradius * 2 / math.sqrt(3) + np.asarray(
        centre
    )
