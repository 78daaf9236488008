"""Pictures of thrown dice, and their labels."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from benchmarks.dice_training.eye import Eye
from benchmarks.dice_training.falling import COCKED, FLAT, HARDLY, ON_ANOTHER, Fallen
from benchmarks.dice_training.pictures import SKIPPED
from vision.dice.kinds import NOTHING
from vision.frame import Array

SIZE_PX = 352
_LEAST_SEEN, _LEAST_PX = 0.35, 9
_PARTLY, _WHOLE = 0.75, 0.87
"""Shares of a die that are seen: of less than the second it is not told."""


@dataclass(frozen=True, eq=False)
class Shot:
    """A picture of thrown dice, as bright as a camera shows it."""

    picture: Array
    """Shape (S, S, 3) float32, BGR, 0 to 255."""
    dice: tuple[Fallen, ...]
    outlines: tuple[Array, ...]
    """Of each die as it would be seen alone, pixels (N, 2)."""
    visible: tuple[float, ...]
    """Share of each that is covered by nothing."""
    eye: Eye


def labels_of(shot: Shot) -> list[dict]:
    """Return labels of the dice of which at least a third is seen, as `generate` writes them."""
    labels = []
    for fallen, outline, visible in zip(shot.dice, shot.outlines, shot.visible, strict=True):
        inside = np.clip(outline, 0, SIZE_PX)
        (x, y), (x1, y1) = inside.min(0), inside.max(0)
        area = float(cv2.contourArea(outline))
        in_picture = float(cv2.contourArea(cv2.convexHull(inside))) / max(area, 1.0)
        whole = outline.min() >= 0 and outline.max() <= SIZE_PX
        if visible * in_picture < _LEAST_SEEN or min(x1 - x, y1 - y) < _LEAST_PX:
            continue
        kind, lies = fallen.solid.kind, fallen.lies
        hidden = lies == FLAT and (visible <= _PARTLY or not whole)
        if lies == HARDLY or (whole and lies == FLAT and _PARTLY < visible <= _WHOLE):
            kind = SKIPPED
        elif hidden or visible <= _WHOLE or not whole:
            kind = NOTHING
        middle = (outline.min(0) + outline.max(0)) / 2
        lean, up = shot.eye.lean(*middle, np.array([0.0, 0.0, 1.0]))
        own = shot.eye.lean(*middle, fallen.solid.up) if lies == COCKED else None
        labels.append({
            "kind": kind, "value": fallen.solid.face, "die": fallen.kind, "lies": lies,
            "box": [round(float(v), 1) for v in (x, y, x1 - x, y1 - y)],
            "lean": round(lean, 1), "up": round(up), "visible": round(visible * in_picture, 2),
            "hidden": bool(hidden) or lies == ON_ANOTHER, "own": own and [round(v, 1) for v in own],
        })  # fmt: skip
    return labels
