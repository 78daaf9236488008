"""Colours of dice: bodies, and inks that can be read on them."""

from __future__ import annotations

import cv2
import numpy as np

from vision.frame import Array

_BRIGHTNESS = np.array([0.11, 0.59, 0.3])
"""What blue, green and red add to it."""


def brightness(colour: Array) -> float:
    """Return the grey level of a colour (BGR), or of a difference of two."""
    return float(colour @ _BRIGHTNESS)


def two_colours(rng: np.random.Generator, contrast: float = 0.0) -> tuple[Array, Array]:
    """Return a body and an ink (BGR float) that can be told apart.

    With a contrast one is brighter by so many grey levels, however their colours differ.
    """
    while True:
        if rng.random() < 0.45:
            body = rng.choice([240.0, 225.0, 28.0, 60.0, 128.0]) + rng.normal(0, 8, 3)
        else:
            body = hue(rng, rng.uniform(60, 255))
        if rng.random() < 0.7:
            ink = rng.choice([245.0, 22.0]) + rng.normal(0, 8, 3)
        else:
            ink = hue(rng, rng.uniform(60, 255))
        brighter = abs(brightness(body - ink))
        if brighter > max(contrast, 36) or (
            not contrast and float(np.linalg.norm(body - ink)) > 75
        ):
            return np.clip(body, 8, 252), np.clip(ink, 8, 252)


def hue(rng: np.random.Generator, value: float) -> Array:
    hsv = np.array([[[rng.integers(180), rng.integers(90, 256), int(value)]]], np.uint8)
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0], float)
