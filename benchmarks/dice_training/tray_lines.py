"""What tells the foot of a tray's wall from other lines: ``vision.dice.find.WEIGHTS``, fitted.

``python -m benchmarks.dice_training.tray_lines --folder FRAMES/dice``

Of the straight lines on each side of a tray one is the foot. A conditional logit is fitted to the
even-numbered path-traced trays and to 200 virtual ones, each with and without dice.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

import numpy as np

from benchmarks.accuracy_tray import Case, traced_trays, virtual_trays
from vision.dice.find import WEIGHTS, Line, lines_of_sides, shrunk
from vision.frame import Array

SEEDS = {50000: (280.0, 210.0), 51000: (220.0, 160.0)}
SCENES = 100
FOOT_MM = 3.0
"""A line that is off by less is the foot; so is the best of a side, up to `NO_FOOT_MM`."""
NO_FOOT_MM = 7.0
SLOPE_MM = 60.0
"""Millimetres at the corners by which a slope that is off by 1 counts."""
TRACED_WEIGHT = 2.4
"""There are so many fewer of them."""
SHRINKAGE, STEPS, RATE = 0.02, 400, 0.05

Side = tuple[Array, Array, float]
"""Signs (N, 7) of the lines of a side, which of them are the foot (N,), and the side's weight."""


def labelled_sides(cases: Iterable[Case], weight: float) -> Iterator[Side]:
    """Yield the sides of trays on which the foot is among the lines."""
    for _, _, picture, truth, size_mm in cases:
        upright = truth if truth[0, 1] < truth[2, 1] else np.roll(truth, 2, axis=0)
        small, scale = shrunk(picture)
        px_per_mm = scale * float(np.linalg.norm(upright[1] - upright[0])) / size_mm[0]
        middle = (np.array([small.shape[1], small.shape[0]]) - 1) / 2
        corners = (upright + 0.5) * scale - 0.5 - middle
        for side, lines in enumerate(lines_of_sides(small)):
            away = np.array([_away_mm(line, corners, side, px_per_mm) for line in lines])
            if len(lines) and away.min() < NO_FOOT_MM:
                signs = np.stack([line.signs for line in lines])
                yield signs, away <= max(FOOT_MM, away.min() + 0.5), weight


def _away_mm(line: Line, corners: Array, side: int, px_per_mm: float) -> float:
    """Return how far a line is from a side of the tray with these corners around the middle."""
    ends = np.stack([corners[side], corners[(side + 1) % 4]])
    for _ in range(side):
        ends = np.stack([ends[:, 1], -ends[:, 0]], axis=1)
    slope = (ends[1, 1] - ends[0, 1]) / (ends[1, 0] - ends[0, 0])
    offset = slope * ends[0, 0] - ends[0, 1]
    return float(abs(line.offset - offset) / px_per_mm + abs(line.slope - slope) * SLOPE_MM)


def fitted(sides: list[Side]) -> tuple[Array, float]:
    """Return the weights (7,) and the mean log-likelihood of a side."""
    spread = np.concatenate([signs for signs, _, _ in sides]).std(axis=0)
    weights, first, second = (np.zeros(len(spread)) for _ in range(3))
    likely = 0.0
    for step in range(1, STEPS + 1):  # Adam
        slope, likely = SHRINKAGE * weights, 0.0
        for signs, is_foot, weight in sides:
            scores = signs / spread @ weights
            odds = np.exp(scores - scores.max())
            odds /= odds.sum()
            foot = odds * is_foot
            slope -= weight / len(sides) * (foot / foot.sum() - odds) @ (signs / spread)
            likely += float(np.log(foot.sum())) / len(sides)
        first, second = 0.9 * first + 0.1 * slope, 0.99 * second + 0.01 * slope**2
        weights -= RATE * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.99**step)) + 1e-8)
    return weights / spread, likely


def main(argv: list[str] | None = None) -> int:
    """Fit, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, required=True)
    arguments = parser.parse_args(argv)
    virtual = (virtual_trays(SCENES, seed, size, 6) for seed, size in SEEDS.items())
    sides = [
        *labelled_sides(traced_trays(arguments.folder, learnt=True), TRACED_WEIGHT),
        *labelled_sides(chain.from_iterable(virtual), 1.0),
    ]
    weights, likely = fitted(sides)
    print(f"{len(sides)} sides; log-likelihood of a side {likely:.3f}")
    print("WEIGHTS", np.round(weights, 2).tolist(), "now", WEIGHTS.tolist())
    return 0


if __name__ == "__main__":
    sys.exit(main())
