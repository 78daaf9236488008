"""What `lying.onnx` is trained on: dice with what is around them, that lie flat or do not."""

from __future__ import annotations

import numpy as np
import torch
import torch.nn.functional as F

from benchmarks.dice_training.falling import ON_ANOTHER
from benchmarks.dice_training.pictures import SKIPPED, STRAY, Known, Labelled
from benchmarks.dice_training.telling import SHAPE_OF, Feed, Sample, far_aside, upward
from vision.dice.crops import LYING_AROUND, LYING_PX
from vision.dice.kinds import KINDS, NOTHING, SOLIDS
from vision.dice.lying import WAYS
from vision.frame import Array

BATCH = 96
_KNOWN, _KNOWN_OFF_DEG, _OFF_DEG = 0.5, 2.0, 6.0
"""So often it is known how the camera stands. How dice lean is then known as nearly as the second,
else as the third (standard deviation, each way)."""
_OFTEN = np.array([0.45, 0.15, 0.2, 0.2])
"""How often dice of a shape that lie in each of `WAYS` are shown."""


class LyingFeed(Feed):
    """Draws wide crops of dice, up being up, and whether each lies flat, alone and unhidden."""

    size_px = LYING_PX
    mirrored = KINDS
    shift = 0.03
    softest = 0.4
    glossy = 0.06

    def _around(self, kind: str) -> float:
        return LYING_AROUND

    def _samples(self, picture: Known, rng: np.random.Generator) -> list[Sample]:
        image, found = picture.read(), []
        for die, box in picture.as_found():
            kind = die.die or die.kind
            if die.kind in (SKIPPED, STRAY) or kind == NOTHING or not die.is_whole:
                continue
            room = self._room(image, box, kind)
            found.append(Sample(room, KINDS.index(kind), _way(die), die.leans_deg))
        return found

    def _evenly(self, samples: list[Sample]) -> Array:
        shapes = SHAPE_OF.numpy()[[s.kind for s in samples]]
        ways = np.array([s.sign for s in samples])
        counts = np.zeros((len(SOLIDS), len(WAYS)))
        np.add.at(counts, (shapes, ways), 1)
        often = np.where(counts, _OFTEN, 0.0)
        often *= counts.sum(axis=1, keepdims=True) / often.sum(axis=1, keepdims=True).clip(1e-9)
        weights = (often / counts.clip(1))[shapes, ways]
        return np.asarray(weights / weights.sum())

    def _seen(
        self, crops: torch.Tensor, leans_deg: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the same; up is up. It is told how far aside that is seen, and if it is sure."""
        is_known = torch.rand(len(crops), 1) < _KNOWN
        off_deg = torch.where(is_known, _KNOWN_OFF_DEG, _OFF_DEG)
        leans_deg = leans_deg + off_deg * torch.randn(len(crops), 2)
        told = torch.cat([far_aside(leans_deg), is_known.float()], 1)
        return self._turned(crops, upward(leans_deg)), told


def _way(die: Labelled) -> int:
    """Return in which way a die lies, one of `WAYS`."""
    if die.kind != NOTHING:
        return WAYS.index("flat")
    if die.own_lean_deg is not None:
        return WAYS.index("leaning")
    hidden = die.is_hidden and die.lies != ON_ANOTHER
    return WAYS.index("hidden" if hidden else "otherwise")


def loss(
    net: torch.nn.Module, batch: tuple[torch.Tensor, torch.Tensor, torch.Tensor]
) -> torch.Tensor:
    """Return the cross entropy of what is answered for the shapes that the dice have."""
    crops, kinds, ways = batch
    answers = net(crops).float().unflatten(1, (len(SOLIDS), len(WAYS)))
    told = answers[torch.arange(len(kinds)), SHAPE_OF[kinds]]
    return F.cross_entropy(told, ways, label_smoothing=0.01)
