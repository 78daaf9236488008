"""Pictures of thrown dice, and their labels."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from benchmarks.dice_training.eye import Eye
from benchmarks.dice_training.falling import COCKED, FLAT, HARDLY, ON_ANOTHER, Fallen
from benchmarks.dice_training.labels import Seen, kind_as_seen
from benchmarks.dice_training.pictures import SKIPPED
from vision.dice.kinds import NOTHING
from vision.frame import Array

SIZE_PX = 352
_LEAST_SEEN, _LEAST_PX = 0.35, 9


@dataclass(frozen=True, eq=False)
class Shot:
    """A picture of thrown dice, as bright as a camera shows it."""

    picture: Array
    """Shape (S, S, 3) float32, BGR, 0 to 255."""
    dice: tuple[Fallen, ...]
    outlines: tuple[Array, ...]
    """Of each die as it would be seen alone, pixels (N, 2)."""
    owner: Array
    """Number of the die that is seen at each pixel (S, S), -1 where none is."""
    eye: Eye

    @property
    def visible(self) -> list[float]:
        """Share of each die that is covered by nothing."""
        return [share_seen(self.owner, k, line) for k, line in enumerate(self.outlines)]


def share_seen(owner: Array, number: int, outline: Array) -> float:
    """Return the share (0 to 1) of a die's outline (N, 2) at which it is seen."""
    alone = np.zeros(owner.shape, np.uint8)
    cv2.fillConvexPoly(alone, np.round(outline * 16).astype(np.int32), 1, shift=4)
    seen = int(((owner == number) & (alone > 0)).sum())
    return min(1.0, seen / max(int(alone.sum()), 1))


def labels_of(shot: Shot) -> list[dict]:
    """Return labels of the dice of which at least a third is seen, as `generate` writes them."""
    labels: list[dict] = []
    for fallen, outline, visible in zip(shot.dice, shot.outlines, shot.visible, strict=True):
        inside = np.clip(outline, 0, SIZE_PX)
        (x, y), (x1, y1) = inside.min(0), inside.max(0)
        area = float(cv2.contourArea(outline))
        in_picture = float(cv2.contourArea(cv2.convexHull(inside))) / max(area, 1.0)
        whole = outline.min() >= 0 and outline.max() <= SIZE_PX
        if visible * in_picture < _LEAST_SEEN or min(x1 - x, y1 - y) < _LEAST_PX:
            continue
        solid, lies = fallen.solid, fallen.lies
        kind = SKIPPED if lies == HARDLY else kind_as_seen(solid, visible, whole)
        middle = (outline.min(0) + outline.max(0)) / 2
        lean, up = shot.eye.lean(*middle, np.array([0.0, 0.0, 1.0]))
        own = shot.eye.lean(*middle, solid.up) if lies == COCKED else None
        is_hidden = lies == ON_ANOTHER or (lies == FLAT and kind == NOTHING)
        box, share = (x, y, x1 - x, y1 - y), visible * in_picture
        seen = Seen(kind, solid.kind, solid.face, box, lean, up, share, is_hidden, own)
        labels.append({**seen.label(), "lies": lies})
    return labels
