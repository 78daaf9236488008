"""Printed tags on virtual pieces, painted in linear light: readers measure to a tenth of a pixel.

Everything else on the virtual table is blended as the eye does not mind. An edge between black
and white that is averaged in gamma-coded values would lie a tenth of a pixel off.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from companion.boards.profile import Tags
from vision.aruco import SQUARE
from vision.frame import GAMMA, LINEAR, Array
from vision.printing.shapes import marker_modules
from vision.virtual.canvas import Canvas
from vision.virtual.meshes import Stand

CARD_MARGIN = 1.0
"""White paper around the ink, in modules."""

_OVER = 6
"""Samples a pixel, each way."""
_MODULE_PX = 12
"""Of the card's own picture."""
_SOFT_PX = 0.45
"""What lens and sensor blur, standard deviation."""
_INK, _PAPER = 0.012, 0.86


def paint_card(canvas: Canvas, tags: Tags, tag: int, stand: Stand, height_mm: float) -> None:
    """Paint a tag's card, lying flat at a height with its x axis along the heading."""
    picture, light = canvas.picture, canvas.light
    source = _card(tags.dictionary, tag)
    modules = source.shape[0] / _MODULE_PX
    half = modules / 2 * tags.side_mm / (modules - 2 * CARD_MARGIN)
    corners = stand.placed(np.c_[half * SQUARE, np.full(4, -height_mm)])
    blur = light.softness_mm * 0.2 * canvas.lens.px_per_mm
    canvas.shadow(light.shadow_mm(corners), 0.5 * (1 - light.ambient), blur)
    pixels = canvas.project(corners)
    height, width = picture.shape[:2]
    low = np.maximum(np.floor(pixels.min(axis=0)).astype(int) - 3, 0)
    high = np.minimum(np.ceil(pixels.max(axis=0)).astype(int) + 4, (width, height))
    if (high <= low).any():
        return
    card, cover = _laid(source, (pixels - low + 0.5) * _OVER - 0.5, tuple(high - low))
    gain = (light.level * np.array(light.tint, np.float32)) ** GAMMA
    part = picture[low[1] : high[1], low[0] : high[0]]
    mixed = LINEAR[part] * (1 - cover[..., None]) + card[..., None] * gain
    part[:] = np.round(255 * np.clip(mixed, 0, 1) ** (1 / GAMMA)).astype(np.uint8)


def _laid(source: Array, corners: Array, size: tuple[int, int]) -> tuple[Array, Array]:
    """Return the card over a part of the picture, and how far it covers it: (H, W) each."""
    side = source.shape[0]
    own = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32) - np.float32(0.5)
    how = cv2.getPerspectiveTransform(own, corners.astype(np.float32))
    fine = (size[0] * _OVER, size[1] * _OVER)
    both = []
    for sheet in (source, np.ones_like(source)):
        laid = cv2.warpPerspective(sheet, how, fine, flags=cv2.INTER_LINEAR)
        small = cv2.resize(laid, size, interpolation=cv2.INTER_AREA)
        both.append(cv2.GaussianBlur(small, (0, 0), _SOFT_PX))
    return np.asarray(both[0]), np.asarray(both[1])


@lru_cache(maxsize=256)
def _card(dictionary: str, tag: int) -> Array:
    """Return a card in linear light, (S, S) float32."""
    modules = np.array(marker_modules(dictionary, tag), np.float32)
    large = modules.repeat(_MODULE_PX, axis=0).repeat(_MODULE_PX, axis=1)
    edge = round(CARD_MARGIN * _MODULE_PX)
    return np.asarray(_INK + (_PAPER - _INK) * np.pad(large, edge, constant_values=1.0), np.float32)
