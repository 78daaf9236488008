"""What `lean.onnx` is trained on: dice, and how far aside and from which side they are seen."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import torch
import torch.nn.functional as F

from benchmarks.dice_training.pictures import Known
from benchmarks.dice_training.recolouring import SHARPNESSES, evened, softened, with_gloss
from benchmarks.dice_training.telling import Feed, Sample, any_turns, mirrored_leans
from vision.dice.crops import LEAN_PX
from vision.dice.kinds import KINDS, SHAPES
from vision.dice.lean import LEANS_DEG
from vision.frame import Array

_STEP_DEG, _STEPS, _EVENLY = 6.0, 16, -0.7
"""Kinds seen as far aside, by these steps, are shown about as often as others."""
_LEAST_SEEN = 0.9
"""Share of a die that must be seen for its lean to be learnt."""
_MOST_DEG = 52.0
"""Cocked dice are not learnt that lean farther than the map is wide."""
_NEAR_DEG = 5.0
"""Leans as near as this to the true one are told as nearly as likely."""


class LeanFeed(Feed):
    """Draws crops of dice that lie flat or are cocked, and how they are seen; light stays light."""

    size_px = LEAN_PX
    softest = 0.4

    def __init__(
        self, known: list[Known], shares: Mapping[str, float], rng: np.random.Generator
    ) -> None:
        super().__init__(known, shares, rng)
        self._usual = self._usual_leans()

    def _samples(self, picture: Known, rng: np.random.Generator) -> list[Sample]:
        image, found = picture.read(), []
        for die in picture.dice:
            lean_deg = die.own_lean_deg or die.leans_deg
            far = math.hypot(*lean_deg)
            is_known = die.kind in SHAPES or die.own_lean_deg is not None
            if is_known and far < _MOST_DEG and die.is_whole and die.visible > _LEAST_SEEN:
                room, step = self._room(image, die.box, die.kind), int(far / _STEP_DEG)
                found.append(Sample(room, KINDS.index(die.kind), step, lean_deg))
        return found

    def _usual_leans(self) -> torch.Tensor:
        """Return the logarithm of how often each place of the map is shown."""
        some = torch.multinomial(self._odds, 20_000, replacement=True)
        shares = on_map(turned_leans(self._leans_deg[some], any_turns(len(some)))).mean(0)
        return torch.log(shares + 1e-5)

    def _evenly(self, samples: list[Sample]) -> Array:
        """Return the same for kinds seen as far aside."""
        each = np.array([s.kind * _STEPS + s.sign for s in samples])
        weights = np.bincount(each)[each] ** _EVENLY
        return np.asarray(weights / weights.sum())

    def batch(self, size: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return crops (N, 3, 48, 48), evened, what is usual (L,) and the leans (N, L), on maps."""
        chosen = torch.multinomial(self._odds, size, replacement=True)
        crops = self._crops[chosen].permute(0, 3, 1, 2).float() / 255
        is_mirrored, turns = torch.rand(size) < 0.5, any_turns(size)
        crops = torch.where(is_mirrored[:, None, None, None], crops.flip(-1), crops)
        crops = self._turned(crops, turns)
        leans_deg = turned_leans(mirrored_leans(self._leans_deg[chosen], is_mirrored), -turns)
        swapped = (torch.rand(size) < 0.4)[:, None, None, None]
        crops = torch.where(swapped, crops[:, torch.randperm(3)], crops)
        crops = (crops * (1 + 0.1 * torch.randn(size, 3, 1, 1))).clamp(0.001, 1)
        crops = with_gloss(crops ** torch.exp(0.25 * torch.randn(size, 1, 1, 1)), self.glossy)
        parts = crops.split(-(-size // SHARPNESSES))
        crops = torch.cat([softened(part, self.softest) for part in parts])
        crops = crops + torch.rand(size, 1, 1, 1) * 0.03 * torch.randn(crops.shape)
        shown = evened(crops, self.evened).contiguous(memory_format=torch.channels_last)
        return shown, self._usual, on_map(leans_deg)


def turned_leans(leans_deg: torch.Tensor, turns: torch.Tensor) -> torch.Tensor:
    """Return leans (N, 2) turned by angles (N,), radians, from right towards below."""
    (x, y), cos, sin = leans_deg.T, torch.cos(turns), torch.sin(turns)
    return torch.stack([cos * x - sin * y, sin * x + cos * y], 1)


def on_map(leans_deg: torch.Tensor) -> torch.Tensor:
    """Return how likely leans (N, 2) make each place of the map `LEANS_DEG`, (N, L): sums are 1."""
    line = torch.tensor(LEANS_DEG, dtype=torch.float32)
    y, x = torch.meshgrid(line, line, indexing="ij")
    across, along = leans_deg[:, :1] - x.flatten(), leans_deg[:, 1:] - y.flatten()
    return torch.softmax(-(across**2 + along**2) / (2 * _NEAR_DEG**2), dim=1)


def loss(
    net: torch.nn.Module, batch: tuple[torch.Tensor, torch.Tensor, torch.Tensor]
) -> torch.Tensor:
    """Return the cross entropy of the leans; the network tells how likely its crop makes them."""
    crops, usual, leans = batch
    return F.cross_entropy(net(crops).float() + usual, leans)
