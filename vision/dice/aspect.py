"""How dice are seen: where their tops are, how they lean, and whether they seem to lie flat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.table.unsure_dice import COCKED, HALF_HIDDEN, NO_DIE, STACKED, UNCLEAR
from vision.dice.crops import Box
from vision.frame import Array

DOUBTS = HALF_HIDDEN, COCKED, STACKED, NO_DIE, UNCLEAR
"""What a die may seem that does not lie flat, whole and alone, or is too small to be read."""


@dataclass(frozen=True, eq=False)
class Aspect:
    """How dice are seen under one of the cameras there may be."""

    p: float
    """How likely that camera is."""
    boxes: Sequence[Box]
    """Around each die."""
    tops: Sequence[Box]
    """The same, moved so that their middles are those of the top sides."""
    leans_deg: Array
    """Shape (N, 2), see `vision.dice.lean.LEANS_DEG`."""

    def of(self, some: Array) -> Aspect:
        """Return the same of some of the dice, by their numbers (M,)."""
        boxes, tops = ([them[int(n)] for n in some] for them in (self.boxes, self.tops))
        return Aspect(self.p, boxes, tops, self.leans_deg[some])


@dataclass(frozen=True, eq=False)
class Views:
    """How dice are seen, as far as is known."""

    aspects: Sequence[Aspect]
    """Under the cameras there may be, the likeliest first; at least one."""
    doubts: Array
    """Shape (N, len(DOUBTS)): how much weighs what each seems to be, against that it lies flat,
    whole and alone; 0 where nothing says so."""
    aslant: Sequence[bool]
    """Of which another side is nearer to the middle than the one on top."""
    nothing_worths: Array
    """Shape (N,): so much it counts that each looks like nothing, or a die that cannot be told;
    less where others judge how it lies."""


def from_above(boxes: Sequence[Box]) -> Views:
    """Return how dice are seen from straight above."""
    count = len(boxes)
    above = Aspect(1.0, boxes, boxes, np.zeros((count, 2)))
    return Views((above,), np.zeros((count, len(DOUBTS))), [False] * count, np.ones(count))
