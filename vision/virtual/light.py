"""Light over a table: direction, colour, unevenness, and the sensor's noise."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.frame import Array, Image


@dataclass(frozen=True)
class Light:
    """One light that dominates, and the rest of the room."""

    kind: str
    toward: tuple[float, float, float]
    """Direction to the light in the plane's frame (height is ``-z``), any length."""
    ambient: float
    """Share of the brightness that comes from everywhere."""
    level: float
    """Brightness of a white page, 1.0 as printed."""
    tint: tuple[float, float, float]
    """Gain of blue, green, red."""
    fall: float
    """Relative loss of brightness from the lit side of the picture to the other."""
    softness_mm: float
    """Blur of shadows on the table."""

    @property
    def unit(self) -> Array:
        """Direction to the light, shape (3,), length 1."""
        vector = np.array(self.toward, float)
        return np.asarray(vector / np.linalg.norm(vector))

    def shade(self, normals: Array) -> Array:
        """Return brightness gains (N,) of faces with unit normals (N, 3); 1 on the flat table."""
        unit = self.unit
        direct = np.clip(np.asarray(normals) @ unit, 0.0, None) / -unit[2]
        return np.asarray(self.ambient + (1 - self.ambient) * np.minimum(direct, 1.6))

    def shadow_mm(self, points_mm: Array) -> Array:
        """Return where points (N, 3) cast their shadow on the plane ``z = 0``, shape (N, 3)."""
        unit = self.unit
        points = np.asarray(points_mm, float)
        return np.asarray(points - unit * (points[:, 2:3] / unit[2]))

    def gains(self, size_px: tuple[int, int]) -> list[Array]:
        """Return each colour's gains (H, W) float32: a slope, a vignette and the tint."""
        width, height = size_px
        x = np.linspace(-1, 1, width, dtype=np.float32)[None, :]
        y = np.linspace(-1, 1, height, dtype=np.float32)[:, None]
        side = np.array(self.toward[:2], np.float32)
        side /= max(float(np.linalg.norm(side)), 1e-6)
        slope = 1 - self.fall * (0.5 - 0.5 * (x * side[0] + y * side[1]) / 1.2)
        vignette = 1 - 0.07 * (x * x + y * y)
        gain = self.level * slope * vignette
        return [gain * np.float32(share) for share in self.tint]


LIGHTS: dict[str, Light] = {
    light.kind: light
    for light in (
        Light("ceiling", (0.25, -0.2, -1.0), 0.6, 0.96, (0.98, 1.0, 1.0), 0.08, 5.0),
        Light("lamp", (-0.55, -0.45, -0.9), 0.5, 0.92, (0.86, 0.97, 1.04), 0.28, 2.5),
        Light("window", (0.9, -0.25, -0.9), 0.55, 0.95, (1.04, 1.0, 0.96), 0.24, 4.0),
        Light("evening", (-0.3, -0.7, -0.9), 0.55, 0.66, (0.82, 0.95, 1.05), 0.2, 4.0),
    )
}
"""The kinds of light the virtual table knows."""


class Noise:
    """Sensor noise: one tile made beforehand, laid with another offset on each exposure."""

    def __init__(self, size_px: tuple[int, int], sigma: float, rng: np.random.Generator) -> None:
        """Make the tile; `sigma` is the standard deviation in grey levels (0: no noise)."""
        self._width, self._height = size_px
        self._margin = 64
        # A quarter of the picture, laid four times: nobody sees noise repeat.
        rows, columns = ((s + self._margin + 1) // 2 for s in (self._height, self._width))
        raw: Array = np.zeros((rows, columns, 3), np.float32)
        if sigma > 0:
            # Neighbouring pixels share some noise, as after a colour filter's interpolation.
            rng.standard_normal(dtype=np.float32, out=raw)
            raw = cv2.GaussianBlur(raw, (3, 3), 0.6)
            raw = raw * np.float32(sigma / float(raw.std()))
        levels = np.round(raw)
        # Two tiles of what makes lighter and what makes darker: OpenCV is three times as quick with
        # them as with one that has a sign.
        self._lighter, self._darker = (
            np.tile(np.clip(part, 0, 255).astype(np.uint8), (2, 2, 1)) for part in (levels, -levels)
        )

    def expose(self, clean: Image, rng: np.random.Generator) -> Image:
        """Return the picture (H, W, 3) with fresh noise on it."""
        x, y = (int(v) for v in rng.integers(0, self._margin, 2))
        part = (slice(y, y + self._height), slice(x, x + self._width))
        lighter = cv2.add(clean, self._lighter[part])
        return np.asarray(cv2.subtract(lighter, self._darker[part], dst=lighter), np.uint8)
