"""The small net that tells what a cell holds, run by OpenCV.

Trained by `benchmarks.board_net.train` on invented cells and the even half of the labelled
pictures; it compares a cell with its empty self, so no print is known by heart.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources
from itertools import combinations
from typing import TypeVar

import cv2
import numpy as np

from companion.table.observation import CellReading, Ships
from vision.board.patches import SIDE
from vision.frame import Array

SHIPS = ("red", "blue", "yellow", "green", "gray", "black", "white")
"""Order of the net's first seven outputs."""

TERRAINS = (None, "volcano", "desert", "reef")
"""Order of its next four; the last output is "hidden by a hand or an arm"."""

_SETS: tuple[Ships, ...] = (
    (),
    *((ship,) for ship in SHIPS),
    *(tuple(sorted(pair)) for pair in combinations(SHIPS, 2)),
)
_MEMBERS = np.array([[ship in group for ship in SHIPS] for group in _SETS])

PAIR_PRIOR = 0.1
"""Two ships share a cell only while a boarding is fought out."""

NO_LANDING = 1e-4
"""Weight of a ship on a volcano or a desert: no rule lets one lie there."""

_Key = TypeVar("_Key")

LEAST = 1e-4
"""Probabilities below this are left out of a reading."""


@dataclass(frozen=True, eq=False)
class CellScores:
    """What the net says of every cell, in log-odds and logarithms."""

    ships: Array
    """Shape (cells, 7): log-odds that a ship of each colour is there."""
    terrain: Array
    """Shape (cells, 4): unnormalised log-probabilities."""
    hidden: Array
    """Shape (cells,): log-odds that a hand or an arm hides part of the cell."""


class CellNet:
    """The trained net. Not safe to share between threads."""

    def __init__(self) -> None:
        data = (resources.files("vision.board") / "cells.onnx").read_bytes()
        self._net = cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8))

    def score(self, seen: Array, empty: Array) -> CellScores:
        """Judge cells; both arrays of shape (N, SIDE, SIDE, 3) as `code_patches` makes them."""
        if not len(seen):
            return CellScores(np.zeros((0, 7)), np.zeros((0, 4)), np.zeros(0))
        stacked = np.concatenate([seen, empty], axis=-1).transpose(0, 3, 1, 2)
        assert stacked.shape[1:] == (6, SIDE, SIDE)
        self._net.setInput(np.ascontiguousarray(stacked, dtype=np.float32))
        out = self._net.forward().astype(np.float64)
        return CellScores(out[:, :7], out[:, 7:11], out[:, 11])


def read_cell(ship_odds: Array, terrain_logs: Array) -> CellReading:
    """Turn one cell's scores, shapes (7,) and (4,), into probabilities that keep the rules."""
    yes = -np.logaddexp(0, -ship_odds)
    no = -np.logaddexp(0, ship_odds)
    logs = _MEMBERS @ yes + ~_MEMBERS @ no
    groups = np.exp(logs - logs.max())
    groups[_MEMBERS.sum(axis=1) == 2] *= PAIR_PRIOR
    land = np.exp(terrain_logs - terrain_logs.max())
    joint = land[:, None] * groups[None, :]
    joint[1:3, 1:] *= NO_LANDING
    joint /= joint.sum()
    return CellReading(
        _listed(dict(zip(_SETS, joint.sum(axis=0), strict=True))),
        _listed(dict(zip(TERRAINS, joint.sum(axis=1), strict=True))),
    )


def _listed(weights: dict[_Key, float]) -> dict[_Key, float]:
    kept = {key: float(p) for key, p in weights.items() if p > LEAST}
    total = sum(kept.values())
    return {key: p / total for key, p in sorted(kept.items(), key=lambda item: -item[1])}
