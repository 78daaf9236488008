"""The pictures of a dictionary's tags, and which of them a square shows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import cv2
import numpy as np

from vision.aruco import SQUARE, dictionary_of
from vision.frame import Array

SAMPLES = 4
"""Samples a module, each way, of a tag's smooth picture."""

EDGE = 0.75
"""Modules of white paper around the ink that belong to the smooth picture."""

SOFT = 0.3
"""How far a camera spreads an edge: standard deviation, in modules."""

AROUND = 2
"""Modules each way in which ink and paper are looked for to even out a shadow."""

LEAST_CONTRAST = 0.02
"""Linear light between ink and paper below which there is none to tell."""


@dataclass(frozen=True, slots=True)
class Match:
    """What a square shows, as far as it can be told."""

    tag: int
    turns: int
    """Quarter turns, from the tag's own top-left corner to the square's first."""
    score: float
    """Correlation with the tag's picture."""
    second: float
    """The same of the likeliest other tag."""


class TagCodes:
    """All tags of a dictionary. Made by `codes_of`.

    Parameters
    ----------
    dictionary : cv2.aruco.Dictionary
    """

    def __init__(self, dictionary: cv2.aruco.Dictionary) -> None:
        self._dictionary = dictionary
        self.modules = dictionary.markerSize + 2
        """Modules across the black square, its frame included."""
        self._smooth: dict[int, Array] = {}
        self._solvers: dict[int, Array] = {}
        count = len(dictionary.bytesList)
        drawn = np.array([self._modules(k) for k in range(count)], np.float32)
        turned = np.stack([np.rot90(drawn, k, axes=(1, 2)) for k in range(4)])
        self._bank = _unit(turned.reshape(4 * count, self.modules, self.modules))

    def match(self, patches: Array) -> list[Match]:
        """Return what squares show.

        Parameters
        ----------
        patches : ndarray of shape (N, M, M), float32
            Brightness of each of the square's modules, rows first.
        """
        found = []
        for plain, evened in zip(_unit(patches), _unit(_evened(patches)), strict=True):
            # One by one: a product of two matrices would wake threads that cost more than it does.
            scores = np.maximum(self._bank @ plain, self._bank @ evened)
            by_turn = scores.reshape(4, -1)
            best = by_turn.max(axis=0)
            tag = int(best.argmax())
            score, best[tag] = float(best[tag]), -1.0
            turns = int(by_turn[:, tag].argmax())
            found.append(Match(tag, turns, score, float(best.max())))
        return found

    @cached_property
    def grid(self) -> Array:
        """Points of the smooth pictures, shape (P, 2): (x, y) in modules from the tag's middle."""
        reach = self.modules / 2 + EDGE
        steps = np.arange(-reach + 0.5 / SAMPLES, reach, 1 / SAMPLES)
        return np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)

    @cached_property
    def corners(self) -> Array:
        """The corners of the black square, shape (4, 2), clockwise from its own top-left one."""
        return self.modules / 2 * SQUARE

    def smooth(self, tag: int) -> Array:
        """Return a tag as a camera sees it on `grid`, shape (4, P).

        Brightness, what a softer lens would change of it, and its slopes.
        """
        if tag not in self._smooth:
            over = 4 * SAMPLES
            sheet = np.pad(self._modules(tag).astype(np.float32), 3, constant_values=1.0)
            large: Array = sheet.repeat(over, axis=0).repeat(over, axis=1)
            large = cv2.GaussianBlur(large, (0, 0), SOFT * over)
            slope_y, slope_x = np.gradient(large, 1 / over)
            at = (self.grid + self.modules / 2 + 3) * over - 0.5
            x, y = (at[:, k].astype(np.float32) for k in (0, 1))
            softer = cv2.GaussianBlur(large, (0, 0), 0.6 * SOFT * over) - large
            sheets = (large, softer, slope_x, slope_y)
            layers = [cv2.remap(a, x, y, cv2.INTER_LINEAR)[:, 0] for a in sheets]
            self._smooth[tag] = np.array(layers, np.float32)
        return self._smooth[tag]

    def solver(self, tag: int) -> Array:
        """Return the matrix (7, P) that says what a pattern of brightness on `grid` is made of.

        Ink, contrast, softness (else a lens softer or sharper than the picture would be taken for
        a smaller or larger tag), and small steps of place (2), turn and size along the slopes.
        """
        if tag not in self._solvers:
            x, y = self.grid.T
            plain, soft, slope_x, slope_y = self.smooth(tag).astype(np.float64)
            turn, grow = slope_y * x - slope_x * y, slope_x * x + slope_y * y
            parts = [np.ones_like(plain), plain, soft, slope_x, slope_y, turn, grow]
            self._solvers[tag] = np.linalg.pinv(np.stack(parts, axis=1)).astype(np.float32)
        return self._solvers[tag]

    def _modules(self, tag: int) -> Array:
        """Return a tag's modules by rows, shape (M, M): 0 is ink, 1 is paper."""
        drawn = cv2.aruco.generateImageMarker(self._dictionary, tag, self.modules)
        return np.asarray(drawn // 255)


def _evened(patches: Array) -> Array:
    """Return patches (N, M, M) between the darkest and the brightest around each module.

    A shadow that falls across a tag makes paper as dark as ink elsewhere, but not next to it.
    """
    wide = np.pad(patches, ((0, 0), (AROUND, AROUND), (AROUND, AROUND)), mode="edge")
    near = np.lib.stride_tricks.sliding_window_view(wide, (2 * AROUND + 1,) * 2, axis=(1, 2))
    low, high = near.min(axis=(3, 4)), near.max(axis=(3, 4))
    return np.asarray((patches - low) / np.maximum(high - low, LEAST_CONTRAST))


def _unit(patches: Array) -> Array:
    """Return patches as rows (N, M * M) of mean 0 and length 1."""
    flat = patches.reshape(len(patches), -1)
    flat = flat - flat.mean(axis=1, keepdims=True)
    return np.asarray(flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-6))


@lru_cache(maxsize=4)
def codes_of(dictionary: str) -> TagCodes:
    """Return the tags of one of OpenCV's dictionaries, e.g. ``"DICT_APRILTAG_36h11"``.

    Raises `BoardError` on an unknown one.
    """
    return TagCodes(dictionary_of(dictionary))
