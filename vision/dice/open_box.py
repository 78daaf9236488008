"""The tray as an open box: three rectangles that a camera sees within one another.

The foot of the walls, their upper inner edge, which is as large, but nearer to the camera, and
their upper outer edge.
"""

from __future__ import annotations

import cv2
import numpy as np

from companion.boards.profile import XY
from vision.frame import Array

CORNERS = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
"""Of a rectangle about its middle: top-left, then clockwise."""


def seen(axes: Array, rest: Array, size_mm: XY, lens: Array) -> Array:
    """Return the corners (N, 3, 4, 2) px of foot, upper inner and upper outer edge.

    Parameters
    ----------
    axes : (N, 3, 3), as columns the box's axes as the camera sees them, the third one downward.
    rest : (N, 5): place (3, mm) of the middle of the walls' upper inner edge as the camera sees
        it, height of the walls and width of their tops, mm.
    size_mm : inside width and height of the floor.
    lens : (3, 3), camera matrix.
    """
    flat = np.zeros((len(rest), 3, 4, 3))
    flat[..., :2] = CORNERS * np.array(size_mm) / 2
    flat[:, 0, :, 2] = rest[:, 3, None]
    flat[:, 2, :, :2] += CORNERS * rest[:, 4, None, None]
    points = flat @ axes[:, None].swapaxes(-1, -2) + rest[:, None, None, :3]
    pixels = points @ lens.T
    return np.asarray(pixels[..., :2] / np.maximum(pixels[..., 2:], 1e-6))


def homographies_of(quads: Array, size_mm: XY) -> Array:
    """Return how places (mm, about the middle) of a rectangle of this size are seen (N, 3, 3).

    Its corners are seen at `quads` (N, 4, 2) px.
    """
    flat = (CORNERS * np.array(size_mm) / 2).astype(np.float32)
    found = [cv2.getPerspectiveTransform(flat, quad) for quad in quads.astype(np.float32)]
    return np.array(found).reshape(-1, 3, 3)


def lying_at(homographies: Array, lens: Array) -> tuple[Array, Array, Array]:
    """Return axes (N, 3, 3) and middles (N, 3) of rectangles, given their homographies.

    Also their misfits (N,), 0 if one is a rectangle of this size: its axes must come out equally
    long and square to each other. They are returned as they come out.
    """
    found = np.linalg.inv(lens) @ homographies
    lengths = np.linalg.norm(found[..., :2], axis=1)
    found /= np.sqrt(lengths.prod(axis=1))[:, None, None]
    x, y, middles = np.moveaxis(found, -1, 0)
    down = np.cross(x, y)
    down /= np.linalg.norm(down, axis=1, keepdims=True)
    skew = np.abs(np.einsum("ni,ni->n", x, y))
    misfits = np.abs(np.log(lengths[:, 0] / lengths[:, 1])) + skew
    return np.stack([x, y, down], axis=-1), middles, misfits


def nearest_turn(axes: Array) -> Array:
    """Return the rotation vector (3,) that is nearest to axes (3, 3)."""
    left, _, right = np.linalg.svd(axes)
    return np.asarray(cv2.Rodrigues(left @ right)[0].ravel())
