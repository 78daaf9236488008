"""Pictures of dice whose top side bears no sign: colour dice, and nulls of piecepack dice."""

from __future__ import annotations

from typing import ClassVar

import cv2
import numpy as np

from benchmarks.dice_training.brush import fill
from benchmarks.dice_training.drawing import Look, Scene
from benchmarks.dice_training.glyphs import Glyphs
from benchmarks.dice_training.solids import Side, Solid, make_solid
from vision.dice.kinds import COLOURS
from vision.frame import Array

_TINTS: dict[str, tuple[tuple[float, float], ...]] = {
    "brown": ((10, 32), (0.45, 0.85), (0.22, 0.52)),
    "red": ((-14, 7), (0.72, 1.0), (0.5, 0.92)),
    "orange": ((17, 35), (0.75, 1.0), (0.82, 1.0)),
    "green": ((92, 165), (0.45, 0.95), (0.28, 0.75)),
    "white": ((0, 360), (0.0, 0.07), (0.86, 1.0)),
    "yellow": ((46, 60), (0.62, 1.0), (0.82, 1.0)),
}
"""Hue in degrees, saturation and value of the sides of colour dice, from and to."""
_NULLS = 0.55
"""Share of the piecepack dice that are turned to their null."""
_MARBLED = 0.15
_LEVEL = 0.9
"""Sides whose normals point upward by more than this mirror the ceiling."""


class PlainScene(Scene):
    """A picture being drawn, mostly of dice without a sign on top, some of which shine."""

    kinds: ClassVar[dict[str, float]] = {
        "colour": 0.46, "piecepack": 0.36, "d6": 0.09, "d6_numeral": 0.04, "sail": 0.03,
        "cannon": 0.02,
    }  # fmt: skip

    def __init__(self, rng: np.random.Generator, glyphs: Glyphs, size: int) -> None:
        super().__init__(rng, glyphs, size)
        self._gain = float(np.exp(rng.uniform(0, 0.8))) if rng.random() < 0.4 else 1.0
        """Light that falls on the dice, more than the camera can show."""
        self._ceiling = rng.uniform(0, 0.5) if rng.random() < 0.3 else rng.uniform(0, 0.06)
        """Light that top sides mirror, all over."""

    def draw(
        self, solid: Solid, at: Array, look_kind: str, high: float = 0.0, look: Look | None = None
    ) -> None:
        """Draw a die that lies `high` over the floor, and its shadow."""
        if solid.is_told and solid.kind == "piecepack" and self.rng.random() < _NULLS:
            while solid.face:
                solid = make_solid("piecepack", self.rng)
        look = look or Look(self.rng, look_kind, self.canvas.reshape(-1, 3)[:: self.full].mean(0))
        if self.rng.random() > _MARBLED:
            look.second = look.body
        super().draw(solid, at, look_kind, high, look)

    def _tint(self, paint: int) -> Array:
        """Return the colour (BGR, 0 to 255) of a side of a colour die."""
        hue, saturation, value = (self.rng.uniform(*span) for span in _TINTS[COLOURS[paint]])
        hsv = np.array([[[hue % 360, saturation, value]]], np.float32)
        return np.asarray(255 * cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0], float)

    def _draw_side(self, layer: Array, corner: Array, side: Side, shift: Array, look: Look) -> None:
        super()._draw_side(layer, corner, side, shift, look)
        mask = np.zeros(layer.shape[:2], np.float32)
        fill(mask, self.eye.pixels(side.corners + shift) - corner, (1.0,))
        veil = self._ceiling if side.normal[2] > _LEVEL else 0.1 * self._ceiling
        high, wide = mask.shape
        slope = self.rng.normal(0, 0.4, 2)
        ramp = (
            1 + slope[0] * np.linspace(-1, 1, high)[:, None] + slope[1] * np.linspace(-1, 1, wide)
        )
        light = (np.clip(layer, 0, 255) / 255) ** 2.2 * self._gain
        light += veil * np.clip(ramp, 0, 2)[..., None]
        shown = 255 * np.clip(light, 0, 1) ** (1 / 2.2)
        layer[:] = layer + (shown - layer) * mask[..., None]
