"""Solids with round edges, as triangles."""

from __future__ import annotations

import numpy as np
from scipy.spatial import ConvexHull

from benchmarks.dice_training.solids import Solid
from vision.frame import Array

_BALL = np.array([p for p in np.ndindex(5, 5, 5) if max(abs(np.array(p) - 2)) == 2]) - 2.0
"""Directions all around, from which a round corner is made."""


def rounded(solid: Solid, round_mm: float) -> tuple[Array, Array, Array]:
    """Return a solid whose edges are round: points (N, 3), their normals (N, 3), triangles (F, 3).

    It is the solid shrunk by `round_mm` from all its sides, and a ball of that radius rolled
    around it.
    """
    corners = np.unique(solid.corners.round(4), axis=0)
    middle = corners.mean(axis=0)
    ways = np.array([side.normal for side in solid.sides])
    inner = min(float(side.normal @ (side.corners[0] - middle)) for side in solid.sides)
    ball = np.concatenate([_BALL / np.linalg.norm(_BALL, axis=1, keepdims=True), ways])
    small = middle + (corners - middle) * (1 - round_mm / inner)
    points = (small[:, None] + round_mm * ball).reshape(-1, 3)
    normals = np.tile(ball, (len(small), 1))
    hull = ConvexHull(points)
    triangles = hull.simplices.copy()
    a, b, c = (points[triangles[:, k]] for k in range(3))
    inward = np.einsum("fi,fi->f", np.cross(b - a, c - a), hull.equations[:, :3]) < 0
    triangles[inward] = triangles[inward][:, ::-1]
    return points, normals, triangles
