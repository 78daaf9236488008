"""What `facing.onnx` is trained on: dice, and how what lies flat there is seen, true or not.

A die that leans looks like one that lies flat, seen from elsewhere. So each die that lies flat is
shown as one that leans, too: with another place of the camera than the true one.
"""

from __future__ import annotations

import math

import numpy as np
import torch
import torch.nn.functional as F

from benchmarks.dice_training.falling import HARDLY, ON_ANOTHER
from benchmarks.dice_training.pictures import Known
from benchmarks.dice_training.recolouring import recoloured
from benchmarks.dice_training.telling import (
    SHAPE_OF,
    Feed,
    Sample,
    any_turns,
    far_aside,
    mirrored_leans,
    upward,
)
from vision.dice.crops import FACING_AROUND, FACING_PX
from vision.dice.kinds import KINDS, NOTHING, SHAPES, SOLIDS
from vision.frame import Array

_LEAST_SEEN = 0.9
"""Share of a die that must be seen for its sides to be learnt."""
_LEAST_COCKED_DEG = 7.0
"""What leans less is not learnt to lean."""
_OFF_DEG, _ROUGHLY_OFF_DEG, _OFTEN_WELL = 1.8, 4.0, 0.8
"""How dice lie flat is known as nearly as the first (standard deviation, each way), to the last
share of them, else as the second."""
_MOVED, _MOVED_COCKED = 0.5, 0.2
"""So many of the flat and of the cocked dice are shown with another place of the camera."""
_LEAST_MOVED_DEG, _MOST_MOVED_DEG = 9.0, 30.0
"""So far it is from the true one. Farther than the second another side might face that way."""
_OFTEN = {
    "icosahedron": 0.3, "trapezohedron": 0.2, "dodecahedron": 0.1, "octahedron": 0.1, "cube": 0.18,
    "tetrahedron": 0.12,
}  # fmt: skip
"""How often dice of a shape are shown."""


class FacingFeed(Feed):
    """Draws crops of dice, up being up where dice lie flat, and whether each faces as if it did."""

    size_px = FACING_PX
    mirrored = KINDS
    shift = 0.04
    softest = 0.45
    glossy = 0.06

    def _around(self, kind: str) -> float:
        return FACING_AROUND

    def _samples(self, picture: Known, rng: np.random.Generator) -> list[Sample]:
        image, found = picture.read(), []
        for die in picture.dice:
            kind = die.die or die.kind
            is_seen = (
                die.is_whole and die.visible > _LEAST_SEEN and die.lies not in (HARDLY, ON_ANOTHER)
            )
            is_known = die.kind != NOTHING or die.own_lean_deg is not None
            if SHAPES.get(kind) not in _OFTEN or not (is_seen and is_known):
                continue
            own = die.own_lean_deg or die.leans_deg
            off = math.dist(own, die.leans_deg)
            if off == 0 or off > _LEAST_COCKED_DEG:
                room = self._room(image, die.box, kind)
                found.append(Sample(room, KINDS.index(kind), 0, die.leans_deg, own_lean_deg=own))
        return found

    def _evenly(self, samples: list[Sample]) -> Array:
        shapes = SHAPE_OF.numpy()[[s.kind for s in samples]]
        often = np.array([_OFTEN.get(shape, 0.0) for shape in SOLIDS])
        weights = (often / np.bincount(shapes, minlength=len(SOLIDS)).clip(1))[shapes]
        return np.asarray(weights / weights.sum())

    def batch(self, size: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return crops (N, 4, 48, 48), their kinds, and whether they face as what lies flat."""
        chosen = torch.multinomial(self._odds, size, replacement=True)
        crops = self._crops[chosen].permute(0, 3, 1, 2).float() / 255
        mirrored = torch.rand(size) < 0.5
        crops = torch.where(mirrored[:, None, None, None], crops.flip(-1), crops)
        flat = mirrored_leans(self._leans_deg[chosen], mirrored)
        own = mirrored_leans(self._own_leans_deg[chosen], mirrored)
        is_cocked = (own - flat).norm(dim=1) > 0
        is_moved = torch.rand(size) < torch.where(is_cocked, _MOVED_COCKED, _MOVED)
        flat = torch.where(is_moved[:, None], own + _moves(size), flat)
        off_deg = torch.where(torch.rand(size, 1) < _OFTEN_WELL, _OFF_DEG, _ROUGHLY_OFF_DEG)
        flat = torch.where(is_moved[:, None], flat, flat + off_deg * torch.randn(size, 2))
        turned = self._turned(crops, upward(flat))
        plain = torch.zeros(size, dtype=torch.bool)
        shown = self._even(recoloured(turned, plain, self.softest, self.glossy), far_aside(flat))
        shown = shown.contiguous(memory_format=torch.channels_last)
        return shown, self._kinds[chosen], (~is_moved & ~is_cocked).float()


def _moves(count: int) -> torch.Tensor:
    """Return by how much cameras are moved, (N, 2), degrees."""
    far = _LEAST_MOVED_DEG + (_MOST_MOVED_DEG - _LEAST_MOVED_DEG) * torch.rand(count)
    ways = any_turns(count)
    return torch.stack([far * torch.cos(ways), far * torch.sin(ways)], 1)


def loss(
    net: torch.nn.Module, batch: tuple[torch.Tensor, torch.Tensor, torch.Tensor]
) -> torch.Tensor:
    """Return the cross entropy of what is answered for the shapes that the dice have."""
    crops, kinds, are_flat = batch
    told = net(crops).float()[torch.arange(len(kinds)), SHAPE_OF[kinds]]
    return F.binary_cross_entropy_with_logits(told, are_flat)
