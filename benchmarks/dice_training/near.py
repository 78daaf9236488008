"""Pictures of numbered dice from near, so that their small numerals can be told."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import numpy as np

from benchmarks.dice_training.colours import brightness
from benchmarks.dice_training.drawing import FINE, Look, Scene
from benchmarks.dice_training.eye import Eye
from benchmarks.dice_training.glyphs import FOOTLESS, Glyphs
from benchmarks.dice_training.solids import Solid, reprinted
from benchmarks.dice_training.textures import Texture
from vision.frame import Array

_LEAST_CONTRAST, _OFTEN = 75.0, 0.85
"""Dice are made to be read: bodies and inks of most differ by so much in brightness."""
_TEXTURED = 0.65
_UNMARKED, _FOOTLESS = 0.15, 0.15
"""Shares of the textured ones: without a mark at 6 and 9, and with a 1 that is all flag."""
_BARE = {f"{number}{mark}": number for number in ("6", "9") for mark in "._"}


class NearScene(Scene):
    """A picture being drawn, mostly of dice with small numerals."""

    kinds: ClassVar[dict[str, float]] = {
        "d20": 0.29, "d100": 0.15, "d10": 0.14, "d12": 0.13, "d8": 0.1, "d4": 0.07, "cannon": 0.12,
    }  # fmt: skip
    softest_px = 0.9

    def __init__(self, rng: np.random.Generator, glyphs: Glyphs, size: int) -> None:
        super().__init__(rng, glyphs, size)
        # So a die of 16 mm has 32 to 115 pixels.
        self.eye = replace(self.eye, focal=self.eye.focal * rng.uniform(1.05, 1.8))

    def draw(
        self, solid: Solid, at: Array, look_kind: str, high: float = 0.0, look: Look | None = None
    ) -> None:
        """Draw a die that lies `high` over the floor, and its shadow."""
        super().draw(solid, at, look_kind, high, look or self._look(look_kind))

    def _look(self, kind: str) -> Look:
        """Return how a die looks; most can be read easily."""
        is_plain = self.rng.random() < _OFTEN
        while True:
            look = Look(self.rng, kind, self.canvas.reshape(-1, 3)[:: self.full].mean(0))
            if not is_plain or abs(brightness(look.body - look.ink)) > _LEAST_CONTRAST:
                return look


class TexturedScene(NearScene):
    """The same of dice most of which have a second colour in their body.

    Some have no mark at 6 and 9, so that nobody can tell which it is, some a 1 that is all flag.
    """

    def draw(
        self, solid: Solid, at: Array, look_kind: str, high: float = 0.0, look: Look | None = None
    ) -> None:
        """Draw a die that lies `high` over the floor, and its shadow."""
        if self.rng.random() < _UNMARKED:
            solid = reprinted(solid, _BARE)
        if self.rng.random() < _FOOTLESS:
            solid = reprinted(solid, {"1": FOOTLESS})
        super().draw(solid, at, look_kind, high, look)

    def _look(self, kind: str) -> Look:
        look = super()._look(kind)
        if self.rng.random() < _TEXTURED:
            look.texture = Texture.random(look.body, look.ink, self.rng)
        return look


class AslantScene(NearScene):
    """The same under a camera that looks down more or less aslant."""

    def __init__(self, rng: np.random.Generator, glyphs: Glyphs, size: int) -> None:
        super().__init__(rng, glyphs, size)
        tilted = Eye.random(rng, self.full, tilt_deg=float(rng.uniform(0, 48)))
        self.eye = replace(tilted, focal=tilted.focal * FINE * rng.uniform(1.0, 1.8))
