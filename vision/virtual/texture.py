"""Surfaces that look like something: wood, cloth, felt, water. All made from a seeded generator."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from vision.frame import Array, Image

Size = tuple[int, int]
"""Width and height in pixels."""
Colour = tuple[int, int, int]
"""Blue, green, red."""


def clouds(size_px: Size, grain_px: tuple[float, float], rng: np.random.Generator) -> Array:
    """Return smooth noise (H, W) float32, mean 0 and deviation 1, with grains of that size."""
    width, height = size_px
    columns, rows = (max(2, round(s / g)) for s, g in zip(size_px, grain_px, strict=True))
    coarse = rng.standard_normal((rows, columns), dtype=np.float32)
    smooth: Array = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    smooth -= smooth.mean()
    smooth /= np.sqrt(np.square(smooth).mean()) + np.float32(1e-6)
    return smooth


def of_colours(planes: Iterable[Array]) -> Image:
    """Return the picture (H, W, 3) of its three colours, each (H, W), cut to 0..255.

    What is worked out colour by colour stays small: numpy is several times slower at large
    pictures, and slower yet where the last axis has three places only.
    """
    cut = [np.clip(plane, 0, 255, out=plane).astype(np.uint8) for plane in planes]
    return np.asarray(cv2.merge(cut), np.uint8)


def tinted(colour: Colour, relief: Array) -> Image:
    """Return a picture (H, W, 3) of one colour, made lighter and darker by (H, W) `relief`."""
    return of_colours(np.float32(share) * (1 + relief) for share in colour)


def felt(size_px: Size, colour: Colour, rng: np.random.Generator) -> Image:
    """Return felt: fine grain and faint patches."""
    patches = clouds(size_px, (60, 60), rng)
    grain = clouds(size_px, (2.5, 2.5), rng)
    return tinted(colour, 0.07 * patches + 0.09 * grain)


def wood(size_px: Size, colour: Colour, rng: np.random.Generator) -> Image:
    """Return a board of wood with its grain along x."""
    width, height = size_px
    half = (width // 2 + 1, height // 2 + 1)
    bands = clouds(half, (420, 14), rng)
    fibres = clouds(half, (90, 2.5), rng)
    relief = cv2.resize(0.1 * bands + 0.05 * fibres, (width, height))
    return tinted(colour, relief)


def cloth(size_px: Size, colour: Colour, rng: np.random.Generator) -> Image:
    """Return woven cloth: threads both ways."""
    along = clouds(size_px, (60, 4), rng)
    across = clouds(size_px, (4, 60), rng)
    return tinted(colour, 0.07 * along + 0.07 * across)
