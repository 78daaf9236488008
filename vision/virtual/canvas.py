"""A picture that things are painted into, as one camera sees them in one light."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.frame import Array, Image
from vision.virtual.lens import Lens
from vision.virtual.light import Light
from vision.virtual.patch import Patch, cast_shadow


@dataclass(frozen=True, eq=False, slots=True)
class Canvas:
    """What is painted, in place: pieces, dice and hands over a picture of what lies under them."""

    picture: Image
    """(H, W, 3) uint8, BGR."""
    lens: Lens
    light: Light

    @property
    def gain(self) -> Array:
        """How bright the light makes white, (3,) BGR."""
        return self.light.level * np.array(self.light.tint)

    def project(self, points_mm: Array) -> Array:
        """Return the pixels (N, 2), (x, y), of points (N, 3)."""
        return self.lens.project(points_mm)

    def patch(self, points_mm: Array) -> Patch:
        """Return what is drawn on where points (N, 3) are seen."""
        return Patch(self.picture, self.project(points_mm))

    def shadow(self, points_mm: Array, strength: float, blur_px: float) -> None:
        """Darken the hull of points (N, 3) on the table, with soft edges."""
        cast_shadow(self.picture, self.project(points_mm), strength, blur_px)
