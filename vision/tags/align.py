"""A tag's exact place: its smooth picture laid over what is seen until they agree.

The frame of a tag 20 pixels wide leaves each corner uncertain by half a pixel; its whole inside
has some forty edges more. So the picture of the tag as it must look is fitted by least squares:
place, turn and size, and the brightness of ink and paper, in linear light.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.frame import Array
from vision.tags.codes import AROUND, LEAST_CONTRAST, SAMPLES, TagCodes

STEPS = 8
"""Gauss-Newton steps; each halves the error at least."""

GLARE = 0.92
"""Linear light from which a pixel may be brighter than it can show."""

MAX_STEP = 0.6
"""Longest step, in modules: farther away the slopes of the picture tell nothing."""


@dataclass(frozen=True, eq=False)
class Placing:
    """Where tags lie in a picture, locally: pixel = middle + frame @ (size * turned point)."""

    middles: Array
    """Shape (N, 2), px."""
    frames: Array
    """Shape (N, 2, 2): how the camera sees a millimetre of the table there, px/mm."""
    turns: Array
    """Shape (N,), radians, from the board's +x toward +y."""
    sizes: Array
    """Shape (N,): millimetres a module as it seems at the height that `frames` are meant for."""

    def some(self, chosen: Array) -> Placing:
        """Return some of the tags, by their indices (M,)."""
        return Placing(
            self.middles[chosen], self.frames[chosen], self.turns[chosen], self.sizes[chosen]
        )

    @property
    def ways(self) -> Array:
        """How a step of one module in a tag's own frame moves its pixel, shape (N, 2, 2)."""
        cos, sin = np.cos(self.turns), np.sin(self.turns)
        turn = np.stack([np.stack([cos, -sin], -1), np.stack([sin, cos], -1)], axis=1)
        return np.asarray(self.frames @ turn * self.sizes[:, None, None])

    def pixels(self, points: Array) -> Array:
        """Return the pixels, shape (N, P, 2), of points (P, 2) given in modules."""
        return np.asarray(self.middles[:, None] + points @ self.ways.transpose(0, 2, 1))


def align(
    light: Array, codes: TagCodes, tags: list[int], start: Placing, evened: bool = False
) -> tuple[Placing, Array]:
    """Return where tags lie exactly, and how well each agrees with what is seen.

    Parameters
    ----------
    light : ndarray of shape (H, W), float32
        Linear light.
    tags : list of int
        The number of each tag of `start`.
    start : Placing
        Good to about a module.
    evened : bool
        Between the darkest and the brightest around each point: less exact, but a shadow that falls
        across a tag does no harm.

    Returns
    -------
    Placing, ndarray of shape (N,)
        The second is the correlation of the tag's picture with what is seen.
    """
    pictures = np.array([codes.smooth(tag)[0] for tag in tags])
    solve = np.array([codes.solver(tag) for tag in tags])
    now, expected = start, np.zeros(pictures.shape, np.float32)
    for _ in range(STEPS):
        seen = _seen(light, now.pixels(codes.grid), evened)
        # Glaring paper is as bright as it must be, not as bright as the sensor can tell.
        seen = np.where(seen > GLARE, np.maximum(seen, expected), seen)
        answer = np.einsum("ncp,np->nc", solve, seen)
        expected = answer[:, :1] + answer[:, 1:2] * pictures
        steps = answer[:, 3:] / np.maximum(answer[:, 1:2], 1e-4)
        now = _moved(now, np.clip(steps, -MAX_STEP, MAX_STEP))
    seen = _seen(light, now.pixels(codes.grid), evened)
    return now, _correlation(seen, pictures)


def _seen(light: Array, pixels: Array, evened: bool) -> Array:
    """Return what is seen at pixels (N, P, 2) that are a square grid of points each."""
    seen = look(light, pixels)
    if not evened:
        return seen
    side = round(seen.shape[1] ** 0.5)
    window = np.ones((2 * AROUND * SAMPLES + 1,) * 2, np.uint8)
    for patch in seen.reshape(-1, side, side):
        low, high = cv2.erode(patch, window), cv2.dilate(patch, window)
        patch[:] = (patch - low) / np.maximum(high - low, LEAST_CONTRAST)
    return seen


def look(light: Array, pixels: Array) -> Array:
    """Return what is seen at pixels (..., 2), in their shape."""
    x, y = (pixels[..., k].astype(np.float32).reshape(len(pixels), -1) for k in (0, 1))
    seen = cv2.remap(light, x, y, cv2.INTER_LINEAR, None, cv2.BORDER_REPLICATE)
    return np.asarray(seen.reshape(pixels.shape[:-1]))


def _moved(old: Placing, steps: Array) -> Placing:
    """Take steps (N, 4) of place (modules), turn (radians) and size (share)."""
    shift = np.einsum("nij,nj->ni", old.ways, steps[:, :2])
    turn, grow = np.clip(steps[:, 2], -0.2, 0.2), np.clip(steps[:, 3], -0.15, 0.15)
    return Placing(old.middles - shift, old.frames, old.turns - turn, old.sizes * (1 - grow))


def _correlation(seen: Array, pictures: Array) -> Array:
    one, other = (a - a.mean(axis=1, keepdims=True) for a in (seen, pictures))
    size = np.linalg.norm(one, axis=1) * np.linalg.norm(other, axis=1)
    return np.asarray((one * other).sum(axis=1) / np.maximum(size, 1e-6))
