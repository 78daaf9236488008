"""What drawn pictures are made with: floors, fillings, prints, gloss, and a camera's faults."""

from __future__ import annotations

import cv2
import numpy as np

from benchmarks.dice_training.colours import two_colours
from benchmarks.dice_training.glyphs import GLYPH_PX
from benchmarks.dice_training.solids import Print, Side
from benchmarks.dice_training.textures import Texture
from vision.dice.kinds import COLOURS
from vision.frame import Array, Image

TINTS = {
    "brown": (38, 62, 104), "red": (40, 34, 190), "orange": (28, 120, 235),
    "green": (50, 130, 40), "white": (232, 234, 236), "yellow": (40, 205, 238),
}  # fmt: skip
SOFTEST_PX = 1.2
"""Most spread of a point in a picture."""


def draw_floor(
    rng: np.random.Generator, size: int, sheets: bool = True, base: Array | None = None
) -> Array:
    """Return a table top or tray floor (size, size, 3) float32, BGR; sheets may lie on it.

    `base` is its colour (BGR, 0 to 255), any if there is none.
    """
    base = two_colours(rng)[0] * rng.uniform(0.1, 1.0) if base is None else base
    floor = np.empty((size, size, 3), np.float32)
    floor[:] = base
    grain = rng.normal(0, 1, (size, size)).astype(np.float32)
    drawn = rng.random()
    if drawn < 0.45:  # wood
        grain = cv2.GaussianBlur(grain, (0, 0), sigmaX=float(rng.uniform(10, 50)), sigmaY=1.5)
        turn = cv2.getRotationMatrix2D((size / 2, size / 2), rng.uniform(0, 360), 1.5)
        grain = cv2.warpAffine(grain, turn, (size, size), borderMode=cv2.BORDER_REFLECT)
    elif drawn < 0.75:  # felt, cloth
        grain = cv2.GaussianBlur(grain, (0, 0), float(rng.uniform(0.8, 8)))
    grain /= max(float(grain.std()), 1e-6)
    floor *= 1 + grain[..., None] * rng.uniform(0.0, 0.12)
    covered = int(rng.choice([0, 1, 2], p=[0.6, 0.3, 0.1])) if sheets else 0
    for _ in range(covered):  # a wall, an edge, a sheet
        edge, slope = rng.uniform(0, size), rng.normal(0, 0.3)
        rows, columns = np.mgrid[0:size, 0:size]
        beyond = rows > edge + slope * (columns - size / 2)
        if rng.random() < 0.5:
            beyond = beyond.T
        floor[beyond] = floor[beyond] * rng.uniform(0.3, 0.8) + rng.uniform(0, 120, 3)
    far = cv2.resize(rng.normal(1, 0.12, (3, 3)).astype(np.float32), (size, size))
    return np.clip(floor * far[..., None], 0, 255)


def tint_of(paint: int, rng: np.random.Generator) -> Array:
    """Return a colour (BGR, 0 to 255) for a side of a colour die, by its face."""
    tint = np.array(TINTS[COLOURS[paint]]) * rng.uniform(0.8, 1.15)
    return np.asarray(tint + rng.normal(0, 10, 3))


def quad_of(p: Print, normal: Array, glyph: Array) -> Array:
    """Return where a glyph is printed, (3, 3): its upper left, upper right, lower right corner."""
    high, wide = glyph.shape
    tall = p.height_mm * high / GLYPH_PX
    right = np.cross(p.up, normal) * tall * wide / high / 2
    up = p.up * tall / 2
    return np.stack([p.middle - right + up, p.middle + right + up, p.middle + right - up])


def lay(layer: Array, glyph: Array, corners: Array, ink: Array) -> None:
    """Lay a glyph over a picture, its three corners (`quad_of`) at pixels (3, 2)."""
    high, wide = glyph.shape
    source = np.array([[0, 0], [wide, 0], [wide, high]], np.float32) - 0.5
    how = cv2.getAffineTransform(source, corners.astype(np.float32))
    size = (layer.shape[1], layer.shape[0])
    cover = cv2.warpAffine(glyph, how, size, flags=cv2.INTER_AREA)[..., None]
    layer[:] = layer * (1 - cover) + ink * cover


def fill(canvas: Array, outline: Array, colour: Array | tuple[float, ...]) -> None:
    points = np.round(outline * 16).astype(np.int32)
    cv2.fillConvexPoly(canvas, points, tuple(float(c) for c in colour), cv2.LINE_AA, 4)


def marble(layer: Array, outline: Array, second: Array, rng: np.random.Generator) -> None:
    """Mix a second colour into a side, in soft swirls."""
    coarse = rng.normal(0, 1, (7, 7)).astype(np.float32)
    size = (layer.shape[1], layer.shape[0])
    swirl = np.clip(cv2.resize(coarse, size, interpolation=cv2.INTER_CUBIC) + 0.3, 0, 1)
    _mix(layer, outline, second, swirl[..., None])


def lay_texture(
    layer: Array, outline: Array, side: Side, texture: Texture, lit: float, rng: np.random.Generator
) -> None:
    """Lay a second colour into a side."""
    long_px, long_mm = (float(np.ptp(a, axis=0).max()) for a in (outline, side.corners))
    share = texture.share(layer.shape[1::-1], long_px / long_mm, rng)
    _mix(layer, outline, texture.second * lit, share)


def _mix(layer: Array, outline: Array, second: Array, share: Array) -> None:
    """Mix a share (H, W, 1) of a second colour into what lies within an outline."""
    mask = np.zeros(layer.shape[:2], np.float32)
    fill(mask, outline, (1.0,))
    share = mask[..., None] * share
    layer[:] = layer * (1 - share) + second * share


def shine(layer: Array, hull: Array, rng: np.random.Generator) -> None:
    """Lay a highlight on a die."""
    low, high = hull.min(0), hull.max(0)
    at = low + (high - low) * rng.uniform(0.2, 0.8, 2)
    size = float((high - low).min()) * rng.uniform(0.05, 0.22)
    spot = np.zeros(layer.shape[:2], np.float32)
    axes = (max(int(size), 1), max(int(size * rng.uniform(0.3, 1)), 1))
    centre = (int(at[0]), int(at[1]))
    cv2.ellipse(spot, centre, axes, rng.uniform(0, 180), 0, 360, (1.0,), -1)
    spot = cv2.GaussianBlur(spot, (0, 0), max(size * rng.uniform(0.2, 0.8), 0.5))
    share = spot[..., None] * rng.uniform(0.3, 0.95)
    layer[:] = layer * (1 - share) + 250 * share


def photograph(
    canvas: Array, size: int, rng: np.random.Generator, softest_px: float = SOFTEST_PX
) -> Image:
    """Return the drawing as a camera would take it: soft, tinted, noisy."""
    picture = cv2.resize(canvas, (size, size), interpolation=cv2.INTER_AREA)
    if rng.random() < 0.7:
        picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.3, softest_px))
    picture = picture * rng.uniform(0.85, 1.15, 3) * rng.uniform(0.45, 1.25)
    return noisy(255 * np.power(np.clip(picture, 0, 255) / 255, rng.uniform(0.7, 1.3)), rng)


def noisy(picture: Array, rng: np.random.Generator, most: float = 5.0) -> Image:
    """Return a picture (H, W, 3) with a camera's noise, of up to so many grey levels."""
    noise = rng.normal(0, rng.uniform(0.3, most), picture.shape).astype(np.float32)
    noise = cv2.GaussianBlur(noise, (0, 0), rng.uniform(0.3, 0.8))
    return np.clip(picture + noise, 0, 255).astype(np.uint8)
