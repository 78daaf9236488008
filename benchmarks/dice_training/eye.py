"""The camera that drawn training pictures are taken with."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.frame import Array


@dataclass(frozen=True, eq=False)
class Eye:
    """A pinhole camera over the table; the frame is right-handed, z up."""

    place: Array
    turn: Array
    """Rows: right, down and forward of the camera (3, 3)."""
    focal: float
    middle: float

    @staticmethod
    def random(rng: np.random.Generator, size: int, tilt_deg: float | None = None) -> Eye:
        """Return a camera that sees a die of 16 mm with about 30 to 64 pixels."""
        tilt = tilt_deg
        if tilt is None:
            tilt = rng.uniform(0, 18) if rng.random() < 0.8 else rng.uniform(18, 36)
        way, roll = rng.uniform(0, 2 * np.pi, 2)
        far = rng.uniform(260, 900)
        slope = np.radians(tilt)
        aside = np.array([np.cos(way), np.sin(way), 0.0]) * np.sin(slope)
        up = np.array([0.0, 0.0, np.cos(slope)])
        forward = -(aside + up)
        right = np.cross(forward, [np.cos(roll), np.sin(roll), 0.0])
        right /= np.linalg.norm(right)
        down = np.cross(forward, right)
        px_per_mm = rng.uniform(30, 64) / 16
        return Eye(far * (aside + up), np.stack([right, down, forward]), px_per_mm * far,
                    (size - 1) / 2)  # fmt: skip

    def rays(self, x: Array, y: Array) -> Array:
        """Return unit vectors (N, 3) along which pixels look."""
        ways = np.stack([(x - self.middle) / self.focal, (y - self.middle) / self.focal,
                         np.ones(len(x))], 1) @ self.turn  # fmt: skip
        return np.asarray(ways / np.linalg.norm(ways, axis=1, keepdims=True))

    def lean(self, x: float, y: float, up: Array) -> tuple[float, float]:
        """Return how what stands along `up` (3,) is seen at a pixel, as `lean_along`."""
        across, along = (np.array([x, y]) - self.middle) / self.focal
        return lean_along(np.array([across, along, 1.0]), self.turn @ up)

    def pixels(self, points: Array) -> Array:
        """Return pixels (N, 2) of points (N, 3)."""
        seen = (points - self.place) @ self.turn.T
        return np.asarray(self.focal * seen[:, :2] / seen[:, 2:3] + self.middle)


def lean_along(ray: Array, up: Array) -> tuple[float, float]:
    """Return how what stands along `up` is seen along a ray (x, y, 1), both in the camera's frame.

    How far aside, and in which direction of the picture it leans; degrees.
    """
    aside = up[:2] - up[2] * ray[:2]
    cos = -up @ ray / np.linalg.norm(ray)
    return float(np.degrees(np.arccos(cos))), float(np.degrees(np.arctan2(*aside[::-1])))
