"""What `lean.onnx` is trained on: dice, and how far aside they are seen."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch

from benchmarks.dice_training.pictures import Known
from benchmarks.dice_training.telling import SHARPNESSES, Feed, Sample, softened, with_gloss
from vision.dice.crops import LEAN_PX
from vision.dice.kinds import KINDS, SHAPES
from vision.dice.lean import LEAN_SPREADS, LEAN_UNIT_DEG
from vision.frame import Array

_STEP_DEG, _STEPS, _EVENLY = 6.0, 16, -0.7
"""Kinds seen as far aside, by these steps, are shown about as often as others."""
_LEAST_SEEN = 0.9
"""Share of a die that must be seen for its lean to be learnt."""


class LeanFeed(Feed):
    """Draws crops of dice that lie flat, and how far aside they are seen; light stays light."""

    size_px = LEAN_PX
    softest = 0.4

    def __init__(
        self, known: list[Known], shares: Mapping[str, float], rng: np.random.Generator
    ) -> None:
        self._told: list[float] = []
        super().__init__(known, shares, rng)
        self._leans = torch.tensor(self._told)

    def _samples(self, picture: Known, rng: np.random.Generator) -> list[Sample]:
        image, found = picture.read(), []
        for die in picture.dice:
            if die.kind in SHAPES and die.visible > _LEAST_SEEN:
                room = self._room(image, die.box, die.kind)
                found.append((room, KINDS.index(die.kind), int(die.lean_deg / _STEP_DEG)))
                self._told.append(die.lean_deg)
        return found

    def _evenly(self, samples: list[Sample]) -> Array:
        """Return the same for kinds seen as far aside."""
        each = np.array([kind * _STEPS + step for _, kind, step in samples])
        weights = np.bincount(each)[each] ** _EVENLY
        return np.asarray(weights / weights.sum())

    def batch(self, size: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return crops (N, 3, 48, 48), evened, the classes of kind, and leans in units."""
        chosen = torch.multinomial(self._odds, size, replacement=True)
        crops = self._crops[chosen].permute(0, 3, 1, 2).float() / 255
        mirrored = (torch.rand(size) < 0.5)[:, None, None, None]
        crops = self._turned(torch.where(mirrored, crops.flip(-1), crops))
        swapped = (torch.rand(size) < 0.4)[:, None, None, None]
        crops = torch.where(swapped, crops[:, torch.randperm(3)], crops)
        crops = (crops * (1 + 0.1 * torch.randn(size, 3, 1, 1))).clamp(0.001, 1)
        crops = with_gloss(crops ** torch.exp(0.25 * torch.randn(size, 1, 1, 1)), self.glossy)
        parts = crops.split(-(-size // SHARPNESSES))
        crops = torch.cat([softened(part, self.softest) for part in parts])
        crops = crops + torch.rand(size, 1, 1, 1) * 0.03 * torch.randn(crops.shape)
        shown = self._even(crops).contiguous(memory_format=torch.channels_last)
        return shown, self._kinds[chosen], self._leans[chosen] / LEAN_UNIT_DEG


def loss(
    net: torch.nn.Module, batch: tuple[torch.Tensor, torch.Tensor, torch.Tensor]
) -> torch.Tensor:
    """Return how unlikely (negative logarithm) the leans are by what is told of them."""
    crops, _, leans = batch
    mean, spread = net(crops).float().unbind(1)
    spread = spread.clamp(*LEAN_SPREADS)
    return (0.5 * ((leans - mean) * torch.exp(-spread)) ** 2 + spread).mean()
