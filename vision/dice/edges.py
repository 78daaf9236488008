"""The edges of a picture, and how plain they are along the sides of quadrilaterals."""

from __future__ import annotations

from functools import cached_property

import cv2
import numpy as np

from vision.frame import Array, Image

_DARK = 12.0
"""Grey levels that are added before the logarithm is taken, lest noise in the dark be an edge."""
_STEP_CAP = 0.2
"""A sharper step (of the logarithm, a pixel) counts no more, lest a few dice outweigh a wall."""
_WEAK = 0.025
"""A mean step of this size counts half as much as one of three times its size."""
_MOST_DIFFERENT, _DIFFERENT = 0.6, 0.15
"""The same of colours to both sides of an edge, not of a step from pixel to pixel."""
_FROM, _TO = 0.08, 0.92
"""Shares of a side between which it is looked at; corners are left out."""
_SLOPES = np.tan(np.radians(np.arange(-15, 15.01, 0.75)))
_NEAREST = 0.36
"""Lines are sought up to this share of the picture's height or width from its border."""
_REACH = 0.27
"""So far to both sides of the middle a line is followed, in widths of the picture."""
_POOLED = 2
"""Of so many pixels along a side the mean is enough: its lines run nearly along it."""


class Edges:
    """The edges of one picture.

    A felt in shadow and a lit wooden board have edges of the same worth: what counts is by how
    much of itself a colour changes, its logarithm's step.

    Parameters
    ----------
    picture : (H, W, 3) uint8 BGR, small.
    corner : where its top left is in the pixels that places are given in.
    """

    def __init__(self, picture: Image, corner: tuple[int, int] = (0, 0)) -> None:
        self._corner = corner
        logs = cv2.LUT(picture, np.log((np.arange(256) + _DARK) / _DARK).astype(np.float32))
        self._colours: Array = np.asarray(cv2.GaussianBlur(logs, (0, 0), 1.0))

    @cached_property
    def _steps(self) -> list[Array]:
        """The steps of the colours from pixel to pixel, along x and along y."""
        return [
            np.asarray(cv2.Sobel(self._colours, -1, 1 - k, k, ksize=1, scale=0.5)) for k in (0, 1)
        ]

    def worth(self, quads: Array, spots: int) -> Array:
        """Return how plain edges run along the sides of quadrilaterals, from 0 on.

        Parameters
        ----------
        quads : (..., 4, 2), corners (x, y) px, clockwise from the top left.
        spots : at so many each side is looked at.

        Returns
        -------
        ndarray of shape (..., 4): of the upper, right, lower and left side.
        """
        x, y = (np.roll(plane, -1, axis=-1) - plane for plane in _planes(quads))
        lengths = np.sqrt(x * x + y * y) + np.float32(1e-6)
        x, y = x / lengths, y / lengths
        places, plain = self._places(quads, spots), np.zeros_like(lengths)
        for along_x, along_y in self._step_planes:
            steps = along_x.take(places, mode="clip") * y - along_y.take(places, mode="clip") * x
            plain += np.clip(steps, -_STEP_CAP, _STEP_CAP).mean(axis=0) ** 2
        return np.asarray(np.log1p(np.sqrt(plain) / _WEAK))

    @cached_property
    def _step_planes(self) -> list[tuple[Array, Array]]:
        """The steps along x and along y of each of the three colours, each (H * W,)."""
        planes = (cv2.split(steps) for steps in self._steps)
        return [(x.ravel(), y.ravel()) for x, y in zip(*planes, strict=True)]

    def colours_along(self, quads: Array, spots: int) -> Array:
        """Return the usual colours (..., 4, 3) at so many spots, an even number, of the sides.

        They are logarithms.
        """
        seen = self._colours.reshape(-1, 3).take(self._places(quads, spots), axis=0)
        seen.sort(axis=0)  # numpy's median takes four times as long
        middle = spots // 2
        return np.asarray((seen[middle - 1] + seen[middle]) / 2)

    def between(self, starts: Array, ends: Array, beside_px: float, spots: int) -> Array:
        """Return how plain edges (...) run from corner to corner, from 0 on.

        Unlike `worth` it tells apart edges that are a pixel or two from each other, and does not
        mind one that is partly hidden.

        Parameters
        ----------
        starts, ends : (..., 2), the corners (x, y) px.
        beside_px : an edge is what differs this far to both sides of it.
        spots : at so many it is looked at, a multiple of 3.
        """
        # Spots and planes of numbers come first: numpy is much slower along a short last axis.
        x, y = _planes(starts)
        along_x, along_y = (end - start for end, start in zip(_planes(ends), (x, y), strict=True))
        far = np.sqrt(along_x * along_x + along_y * along_y)
        to_side = np.float32(beside_px) / (far + np.float32(1e-6))
        aside_x, aside_y = -along_y * to_side, along_x * to_side
        shares = np.linspace(0.1, 0.9, spots, dtype=np.float32).reshape(-1, *[1] * x.ndim)
        x, y = x + along_x * shares, y + along_y * shares
        step = self._colour(x + aside_x, y + aside_y) - self._colour(x - aside_x, y - aside_y)
        step = np.clip(step, -_MOST_DIFFERENT, _MOST_DIFFERENT)
        thirds = step.reshape(3, spots // 3, *step.shape[1:]).mean(axis=1)
        return np.asarray(np.log1p(_lengths(thirds) / _DIFFERENT).mean(axis=0))

    def _colour(self, x: Array, y: Array) -> Array:
        """Return the colours (..., 3), as logarithms, at points, or nearest to them."""
        left, top = self._corner
        columns, rows = (x - left).reshape(len(x), -1), (y - top).reshape(len(y), -1)
        seen = cv2.remap(
            self._colours, columns, rows, cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(seen).reshape(*x.shape, 3)

    def _places(self, quads: Array, spots: int) -> Array:
        """Return which pixels (A, ..., 4) lie along the sides, the nearest within the picture."""
        height, width = self._colours.shape[:2]
        along = np.linspace(_FROM, _TO, spots, dtype=np.float32)
        columns, rows = (
            _spots(plane, along, most)
            for plane, most in zip(_planes(quads), (width, height), strict=True)
        )
        return np.asarray(rows * width + columns)

    def lines(self, side: int, most: int) -> list[tuple[Array, float]]:
        """Return the plainest straight lines of a side of the picture, and their worth.

        Parameters
        ----------
        side : 0 upper, 1 right, 2 lower, 3 left.
        most : so many at most.

        Returns
        -------
        list of (line, worth); a line is ``(a, b, c)`` with ``a x + b y + c = 0``, px.
        """
        # Turned so that the side is on top: a step across its lines is along the new y axis.
        steps = np.rot90(self._steps[1 - side % 2], side)
        height, width = steps.shape[:2]
        reach = round(_REACH * width)
        part = steps[: height // 2, width // 2 - reach : width // 2 + reach]
        part = np.ascontiguousarray(np.clip(part, -_STEP_CAP, _STEP_CAP).swapaxes(0, 1))
        pooled = (part.shape[1], len(part) // _POOLED)
        part = np.asarray(cv2.resize(part, pooled, interpolation=cv2.INTER_AREA))
        worths = np.stack([_profile(part, _POOLED * slope) for slope in _SLOPES])
        best = worths.max(axis=0)
        found = []
        for row in range(3, round(_NEAREST * height)):
            if best[row] > 0 and best[row] >= best[max(row - 3, 0) : row + 4].max():
                slope = _SLOPES[int(np.argmax(worths[:, row]))]
                found.append((_line(row, slope, side, (height, width)), float(best[row])))
        return sorted(found, key=lambda f: -f[1])[:most]


def _planes(points: Array) -> tuple[Array, Array]:
    """Return x and y (...) of points (..., 2)."""
    x, y = (np.ascontiguousarray(points[..., k], np.float32) for k in (0, 1))
    return x, y


def _spots(corners: Array, along: Array, most: int) -> Array:
    """Return the pixel (A, ..., 4), along one axis, of each spot along the sides of quadrilaterals.

    `corners` (..., 4) are their places along that axis, which has so many pixels at `most`; `along`
    are the spots' shares of a side (A,).
    """
    sides = np.roll(corners, -1, axis=-1) - corners
    # Spots come first: numpy is much slower at means along a short last axis.
    spots = corners + sides * along.reshape(-1, *[1] * corners.ndim)
    half = np.float32(0.5)
    return np.asarray(np.fmax(np.fmin(spots + half, most - half), 0), np.intp)


def _lengths(vectors: Array) -> Array:
    return np.asarray(np.sqrt(np.einsum("...i,...i", vectors, vectors)))


def _profile(steps: Array, slope: float) -> Array:
    """Return for each column how plain a line of this slope through its middle is.

    The line runs from row to row: so OpenCV is much quicker at means along it.
    """
    rows, columns = steps.shape[:2]
    how = np.array([[1, slope, -slope * (rows - 1) / 2], [0, 1, 0]])
    sheared = cv2.warpAffine(
        steps, how, (columns, rows), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_CONSTANT,
    )  # fmt: skip
    # By thirds: a wall runs through all of them; a die, a shadow or the grain of wood does not.
    parts = np.array_split(sheared, 3)
    thirds = np.stack([cv2.reduce(part, 0, cv2.REDUCE_AVG)[0] for part in parts])
    same = np.where(np.abs(np.sign(thirds).sum(axis=0)) == 3, np.abs(thirds).min(axis=0), 0.0)
    return np.asarray(np.log1p(np.linalg.norm(same, axis=1) / _WEAK))


def _line(row: int, slope: float, side: int, shape: tuple[int, int]) -> Array:
    """Return a line (3,) of the picture, found in a row of the turned picture of this shape."""
    height, width = shape
    points = np.array([[0.0, 0.0], [100.0, 100 * slope]])
    points[:, 1] += row - (height - 1) / 2
    for _ in range(side):  # back, about the middle
        points = np.stack([-points[:, 1], points[:, 0]], axis=1)
        height, width = width, height
    first, second = points + np.array([width - 1, height - 1]) / 2
    return np.asarray(np.cross([*first, 1.0], [*second, 1.0]))
