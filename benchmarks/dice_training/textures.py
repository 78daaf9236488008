"""Bodies of dice that are not of one colour: marbled, veined, grained, speckled, weathered."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from benchmarks.dice_training.colours import brightness, hue
from vision.frame import Array

_NOISE_CELLS = 64
_LEAST_APART = 0.5
"""The second colour is at least so far from the ink, in brightness, as a share of the body's."""


@dataclass(frozen=True, eq=False)
class Texture:
    """How a second colour lies in a die's body."""

    second: Array
    """BGR, 0 to 255."""
    cell_mm: float
    """Width of its spots or streaks."""
    long: float
    """So many times longer than wide."""
    octaves: int
    """Ever finer ones laid over each other."""
    sharp: float
    """How hard the edges between the colours are."""
    middle: float
    """More of the second colour where it is low."""
    is_veined: bool
    """The second colour runs in lines."""

    @classmethod
    def random(cls, body: Array, ink: Array, rng: np.random.Generator) -> Texture:
        """Return one on which the ink can be read about as well as on the body."""
        is_speckled = rng.random() < 0.3
        return cls(
            second=_second(body, ink, rng),
            cell_mm=float(rng.uniform(0.5, 1.4) if is_speckled else np.exp(rng.uniform(0.3, 2.1))),
            long=float(rng.choice([1.0, rng.uniform(1.5, 3.0), rng.uniform(5.0, 14.0)])),
            octaves=int(rng.integers(1, 5)),
            sharp=float(np.exp(rng.uniform(-0.9, 1.8))),
            middle=float(rng.normal(0.3 if is_speckled else 0.0, 0.4)),
            is_veined=bool(rng.random() < 0.25),
        )

    def share(self, size_px: tuple[int, int], px_a_mm: float, rng: np.random.Generator) -> Array:
        """Return how much of the second colour there is in a picture (W, H): (H, W, 1) float32."""
        told = np.zeros(size_px[::-1], np.float32)
        way = rng.uniform(0, 2 * np.pi)
        for k in range(self.octaves):
            told += _noise(size_px, px_a_mm * self.cell_mm / 2**k, self.long, way, rng) / 1.6**k
        if self.is_veined:
            told = 1.0 - 2.5 * np.abs(told)
        return np.clip((told - self.middle) * self.sharp + 0.5, 0, 1)[..., None]

    def laid(self, picture: Array, px_a_mm: float, rng: np.random.Generator) -> Array:
        """Return a picture (H, W, 3) of a body with the second colour in it."""
        share = self.share(picture.shape[1::-1], px_a_mm, rng)
        return np.asarray(picture * (1 - share) + self.second * share, np.float32)


def _second(body: Array, ink: Array, rng: np.random.Generator) -> Array:
    """Return a second colour, as often as not like the first one."""
    apart = _LEAST_APART * brightness(body - ink)
    for _ in range(12):
        alike = body + rng.normal(0, 1, 3) * rng.uniform(15, 50)
        second = np.clip(alike if rng.random() < 0.5 else hue(rng, rng.uniform(40, 255)), 5, 252)
        if brightness(second - ink) / apart >= 1:
            return np.asarray(second)
    return np.clip(body + rng.normal(0, 8, 3), 5, 252)


def _noise(
    size_px: tuple[int, int], cell_px: float, long: float, way: float, rng: np.random.Generator
) -> Array:
    """Return soft noise (H, W), about normal, of cells so wide, stretched along a way."""
    coarse = rng.normal(0, 1.4, (_NOISE_CELLS, _NOISE_CELLS)).astype(np.float32)
    turn = np.array([[np.cos(way) / long, np.sin(way) / long], [-np.sin(way), np.cos(way)]])
    at = np.column_stack([turn / max(cell_px, 0.5), rng.uniform(0, _NOISE_CELLS, 2)])
    how = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(coarse, at, size_px, flags=how, borderMode=cv2.BORDER_WRAP))
