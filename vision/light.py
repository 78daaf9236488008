"""The light on the board, read from the white paper around the markers.

Dividing by it turns camera values into something near the paint's own colour: a red ship is the
same red under a warm lamp, a grey sky and in the evening.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.boards.profile import BoardProfile
from vision.frame import LINEAR, Array, Image
from vision.registration import BoardFit

_RING_MM = 2.2
"""The white border around the black square is sampled this far outside it."""

_DARKEST = 1e-3


@dataclass(frozen=True, eq=False)
class Light:
    """Linear light that white paper sends back, as a log-linear field over the board."""

    slopes: Array
    """Shape (3, 3): rows 1, x (m), y (m); columns blue, green, red; natural logarithms."""

    def white_at(self, points_mm: Array) -> Array:
        """Return the linear BGR of white paper, shape (N, 3) float32, at board points (N, 2)."""
        terms = np.column_stack([np.ones(len(points_mm)), np.asarray(points_mm) / 1000])
        return np.asarray(np.exp(terms @ self.slopes), np.float32)

    @property
    def tint(self) -> Array:
        """Colour of the light at the board's origin, shape (3,), BGR summing to 1."""
        white = np.exp(self.slopes[0])
        return np.asarray(white / white.sum())


def measure_light(image: Image, fit: BoardFit, profile: BoardProfile) -> Light:
    """Measure the light at the markers that the fit rests on."""
    places, whites = [], []
    for marker in profile.markers:
        if marker.id in fit.markers:
            places.append(marker.centre_mm)
            whites.append(_paper_white(image, fit, marker.centre_mm, profile.marker_side_mm))
    terms = np.column_stack([np.ones(len(places)), np.array(places) / 1000])
    logs = np.log(np.maximum(np.array(whites), _DARKEST))
    return Light(np.linalg.lstsq(terms, logs, rcond=None)[0])


def _paper_white(
    image: Image, fit: BoardFit, centre_mm: tuple[float, float], side_mm: float
) -> Array:
    """Return the linear BGR, shape (3,), of the paper around one marker.

    The median of the brighter half: a finger, a coin or a shadow over one side does no harm.
    """
    half = side_mm / 2 + _RING_MM
    along = np.linspace(-half, half, 12)
    edge = np.full_like(along, half)
    ring = np.concatenate(
        [
            np.column_stack(pair)
            for pair in ((along, edge), (along, -edge), (edge, along), (-edge, along))
        ]
    )
    pixels = fit.project(ring + np.array(centre_mm)).astype(np.float32)
    values = cv2.remap(image, pixels[:, :1], pixels[:, 1:], cv2.INTER_LINEAR).reshape(-1, 3)
    linear = LINEAR[values]
    brightness = linear.sum(axis=1)
    return np.asarray(np.median(linear[brightness >= np.median(brightness)], axis=0))
