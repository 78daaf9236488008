"""How a tetrahedron lies: its base on the floor, from its outline or from its edges.

What lies alone in the tray has an outline of its own on the floor. What touches something else has
not: then the triangle of the known size is sought whose sides run along edges of the picture and
whose silhouette fills the box that the finder saw.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.dice.crops import Box
from vision.dice.tray import TrayView, grown, to_mm, to_rectified
from vision.frame import Array, Image

EDGE_MM = 20.0
_AROUND = 0.08
"""The outline is looked for in the die's box and this share of it around."""
_SWELL_MM = 0.35
"""By so much the outline of a blob lies outside the die."""
_REACH_MM, _STEP_MM, _FINE_MM = 6.0, 1.2, 0.4
_STEP_DEG, _FINE_DEG = 5.0, 1.6
_BESIDE_MM = 0.9
"""An edge is what differs this far to both sides of it."""
_ALONG = np.linspace(0.08, 0.92, 8)
"""Where on a side it is looked for."""
_STEP_CAP = 60.0
"""A step of more grey levels is no plainer: a neighbour's black must not outweigh the die."""
_BOX_WORTH = 9.0
"""Grey levels that a millimetre counts by which the silhouette misses the box."""
_FAR_MM = 3.0
"""A side of the box that is off by more was not seen: it lies on a neighbour."""


@dataclass(frozen=True, eq=False)
class Base:
    """Where a tetrahedron stands on the floor."""

    centre_mm: Array
    """Shape (2,)."""
    turn: float
    """Direction of one corner from the centre, radians from +x toward +y."""
    edge_mm: float
    misfit_mm: float
    """How far the outline is from a triangle with equal sides."""


def fit_base(outline_mm: Array) -> Base:
    """Fit a triangle with equal sides to a convex outline (N, 2) on the floor."""
    points = outline_mm.astype(np.float32).reshape(-1, 1, 2)
    _, triangle = cv2.minEnclosingTriangle(points)
    if triangle is None:
        return Base(outline_mm.mean(axis=0), 0.0, 0.0, 99.0)
    corners = triangle.reshape(3, 2).astype(float)
    centre = corners.mean(axis=0)
    arms = corners - centre
    angles = np.arctan2(arms[:, 1], arms[:, 0])
    turn = float(np.angle(np.exp(3j * angles).mean())) / 3
    # An outline that is wider all around by `_SWELL_MM` has its corners out twice as far.
    radius = float(np.linalg.norm(arms, axis=1).mean()) - 2 * _SWELL_MM
    ideal = centre + (radius + 2 * _SWELL_MM) * spokes(turn)
    away = np.linalg.norm(ideal[:, None] - corners[None], axis=2).min(axis=1)
    return Base(centre, turn, radius * 3**0.5, float(away.max()))


def outline_mm(mask: Image, box: Box, view: TrayView) -> Array:
    """Return the convex outline (N, 2) on the floor of what lies in a die's box."""
    inside = np.zeros_like(mask)
    corners = np.round(view.rectified(grown(box, _AROUND)))
    cv2.fillConvexPoly(inside, corners.astype(np.int32), (255,))
    contours, _ = cv2.findContours(
        cv2.bitwise_and(mask, inside), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE
    )
    if not contours:
        return np.zeros((1, 2))
    largest = max(contours, key=cv2.contourArea)
    return to_mm(np.asarray(cv2.convexHull(largest).reshape(-1, 2), float))


def seek_base(rectified: Image, box: Box, view: TrayView) -> Base:
    """Return where a tetrahedron of `EDGE_MM` stands, sought by its edges around a box.

    Parameters
    ----------
    rectified : (H, W, 3) uint8, the tray as `TrayView.rectify` shows it.
    box : the die's in the picture.

    Returns
    -------
    Base
        The likeliest one; its misfit is 0 where its silhouette fills the box.
    """
    soft = cv2.GaussianBlur(rectified, (0, 0), 1.0).astype(np.float32)
    x, y, width, height = box
    middle = np.array(view.under((x + width / 2, y + height / 2), _HEIGHT_MM / 4))
    reach = np.arange(-_REACH_MM, _REACH_MM + 0.01, _STEP_MM)
    poses = _poses(middle, reach, np.radians(np.arange(0, 120, _STEP_DEG)))
    best = poses[int(np.argmax(_worth(soft, box, view, poses)))]
    near = np.arange(-_STEP_MM, _STEP_MM + 0.01, _FINE_MM)
    turns = best[2] + np.radians(np.arange(-_STEP_DEG, _STEP_DEG + 0.01, _FINE_DEG))
    poses = _poses(best[:2], near, turns)
    best = poses[int(np.argmax(_worth(soft, box, view, poses)))]
    misfit = float(_beside_box(box, view, best[None])[0])
    return Base(best[:2], float(best[2]), EDGE_MM, misfit)


_HEIGHT_MM = EDGE_MM * (2 / 3) ** 0.5
_RADIUS_MM = EDGE_MM / 3**0.5


def _poses(middle: Array, reach: Array, turns: Array) -> Array:
    """Return all poses (N, 3), x, y and turn, of a grid around a place."""
    grid = np.stack(np.meshgrid(reach, reach, turns, indexing="ij"), axis=-1).reshape(-1, 3)
    return np.asarray(grid + np.array([*middle, 0.0]))


def _feet(poses: Array) -> Array:
    """Return the corners (N, 3, 2) of bases on the floor."""
    angles = poses[:, 2:3] + np.arange(3) * 2 * np.pi / 3
    spokes = np.stack([np.cos(angles), np.sin(angles)], axis=2)
    return np.asarray(poses[:, None, :2] + _RADIUS_MM * spokes)


def _worth(soft: Array, box: Box, view: TrayView, poses: Array) -> Array:
    """Return for each pose (N, 3) how much the picture looks like it, in grey levels."""
    feet = _feet(poses)
    along = np.roll(feet, -1, axis=1) - feet
    spots = feet[:, :, None] + _ALONG[:, None] * along[:, :, None]
    outward = (feet + np.roll(feet, -1, axis=1)) / 2 - poses[:, None, :2]
    outward *= _BESIDE_MM / np.linalg.norm(outward, axis=2, keepdims=True)
    step = _colours(soft, spots + outward[:, :, None]) - _colours(soft, spots - outward[:, :, None])
    edges = np.minimum(np.linalg.norm(step, axis=-1), _STEP_CAP).mean(axis=(1, 2))
    return np.asarray(edges - _BOX_WORTH * _beside_box(box, view, poses))


def _colours(soft: Array, spots_mm: Array) -> Array:
    """Return the colours (..., 3) of spots (..., 2) of the floor."""
    pixels = np.round(to_rectified(spots_mm)).astype(int)
    columns = np.clip(pixels[..., 0], 0, soft.shape[1] - 1)
    return np.asarray(soft[np.clip(pixels[..., 1], 0, soft.shape[0] - 1), columns])


def _beside_box(box: Box, view: TrayView, poses: Array) -> Array:
    """Return how far (mm, the mean of four sides) silhouettes are from a box of the picture."""
    corners = np.zeros((len(poses), 4, 3))
    corners[:, :3, :2], corners[:, 3, :2] = _feet(poses), poses[:, :2]
    corners[:, 3, 2] = _HEIGHT_MM
    seen = view.project(corners.reshape(-1, 3)).reshape(-1, 4, 2)
    low, far = seen.min(axis=1), seen.max(axis=1)
    x, y, width, height = box
    away = np.abs(np.concatenate([low - [x, y], far - [x + width, y + height]], axis=1))
    away_mm = away * (EDGE_MM / max(width, height))
    return np.asarray(np.minimum(away_mm, _FAR_MM).mean(axis=1))


def spokes(turn: float) -> Array:
    """Return the unit vectors (3, 2) from a base's centre to its corners."""
    angles = turn + np.arange(3) * 2 * np.pi / 3
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)
