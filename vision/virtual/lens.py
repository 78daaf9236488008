"""A camera over a plane: the OpenCV pinhole with slight radial distortion."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from companion.boards.profile import XY
from vision.frame import Array

_GRID_PX = 16
"""Distortion is smooth: it is solved on a coarse grid and interpolated in between."""


@dataclass(frozen=True)
class Lens:
    """Projects points of a plane's frame (mm, z into the table, so height is ``-z``) to pixels."""

    size_px: tuple[int, int]
    """Width and height of the picture."""
    px_per_mm: float
    """Scale at the point looked at."""
    distance_mm: float
    """From the camera to the point looked at."""
    target_mm: XY
    """The point of the plane in the middle of the picture."""
    tilt_deg: float = 0.0
    """Angle between the optical axis and the vertical."""
    tilt_toward_deg: float = 90.0
    """Side to which the camera stands off, from +x toward +y (90: the near edge, as one sits)."""
    turn_deg: float = 0.0
    """Turn of the picture about the optical axis."""
    k1: float = 0.0
    """First radial distortion coefficient of OpenCV's model."""

    @cached_property
    def rotation(self) -> Array:
        """Rotation of shape (3, 3) from the plane's frame to the camera's."""
        tilt, toward = math.radians(self.tilt_deg), math.radians(self.tilt_toward_deg)
        turn = math.radians(self.turn_deg)
        off = math.sin(tilt)
        forward = np.array([-off * math.cos(toward), -off * math.sin(toward), math.cos(tilt)])
        right = np.array([math.cos(turn), math.sin(turn), 0.0])
        right -= forward * (right @ forward)
        right /= np.linalg.norm(right)
        return np.asarray(np.stack([right, np.cross(forward, right), forward]))

    @cached_property
    def position_mm(self) -> Array:
        """Where the camera is, shape (3,), plane frame."""
        return np.asarray(np.array([*self.target_mm, 0.0]) - self.distance_mm * self.rotation[2])

    @cached_property
    def matrix(self) -> Array:
        """Camera matrix of shape (3, 3)."""
        focal = self.px_per_mm * self.distance_mm
        width, height = self.size_px
        return np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1]])

    @property
    def distortion(self) -> Array:
        """Return OpenCV's coefficients, shape (5,); the second tames the first at the corners."""
        return np.array([self.k1, -0.2 * self.k1, 0.0, 0.0, 0.0])

    def project(self, points_mm: Array) -> Array:
        """Return the pixels (N, 2), (x, y), of points (N, 3) of the plane's frame, float64."""
        seen = (np.asarray(points_mm, float) - self.position_mm) @ self.rotation.T
        x, y = seen[:, 0] / seen[:, 2], seen[:, 1] / seen[:, 2]
        k1, k2 = self.distortion[:2]
        squared = x * x + y * y
        stretch = 1 + squared * (k1 + k2 * squared)
        focal, centre_x, centre_y = self.matrix[0, 0], self.matrix[0, 2], self.matrix[1, 2]
        return np.stack([focal * x * stretch + centre_x, focal * y * stretch + centre_y], axis=1)

    def plane_mm(self) -> Array:
        """Return for each pixel the point seen on the plane ``z = 0``: (H, W, 2) float32."""
        width, height = self.size_px
        columns = np.arange(0, width + _GRID_PX, _GRID_PX, dtype=np.float64)
        rows = np.arange(0, height + _GRID_PX, _GRID_PX, dtype=np.float64)
        pixels = np.stack(np.meshgrid(columns, rows), axis=-1).reshape(-1, 1, 2)
        ideal = cv2.undistortPoints(pixels, self.matrix, self.distortion).reshape(-1, 2)
        rays = np.concatenate([ideal, np.ones((len(ideal), 1))], axis=1) @ self.rotation
        reach = -self.position_mm[2] / rays[:, 2]
        hits = self.position_mm[:2] + rays[:, :2] * reach[:, None]
        coarse = hits.reshape(len(rows), len(columns), 2).astype(np.float32)
        x, y = np.meshgrid(
            np.arange(width, dtype=np.float32) / _GRID_PX,
            np.arange(height, dtype=np.float32) / _GRID_PX,
        )
        return cv2.remap(coarse, x, y, cv2.INTER_LINEAR)
