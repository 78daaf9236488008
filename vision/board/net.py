"""The small nets that tell what a cell holds, run by OpenCV.

Trained by `benchmarks.board_net.train` on invented cells (and, for ships, the even half of the
labelled pictures); they compare a cell with its empty self, so no print is known by heart.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from vision.board.patches import SIDE
from vision.frame import Array
from vision.network import StoredNetwork

_Key = TypeVar("_Key")

LEAST = 1e-4
"""Probabilities below this are left out of a reading."""


class CellNet:
    """A trained net. Safe between threads."""

    def __init__(self, weights: str, outputs: int) -> None:
        """Load weights that come with this package, e.g. ``"ships.onnx"``."""
        self._network = StoredNetwork("vision.board", weights)
        self._outputs = outputs

    def score(self, seen: Array, empty: Array) -> Array:
        """Judge cells; both arrays of shape (N, SIDE, SIDE, 3) as `code_patches` makes them.

        Returns
        -------
        ndarray of shape (N, outputs), float64
            Log-odds and unnormalised log-probabilities; their order is the piece set's.
        """
        if not len(seen):
            return np.zeros((0, self._outputs))
        stacked = np.concatenate([seen, empty], axis=-1).transpose(0, 3, 1, 2)
        assert stacked.shape[1:] == (6, SIDE, SIDE)
        return np.asarray(self._network.told(stacked), np.float64)


def listed(weights: dict[_Key, float]) -> dict[_Key, float]:
    """Return weights as probabilities, likeliest first, without those as good as nothing."""
    total = sum(weights.values())
    kept = {key: float(w) / total for key, w in weights.items() if w > LEAST * total}
    total = sum(kept.values())
    return {key: p / total for key, p in sorted(kept.items(), key=lambda item: -item[1])}
