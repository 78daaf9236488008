"""How dice are seen: where their tops are, how they lean, and whether they seem to lie flat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.dice.crops import Box
from vision.frame import Array


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
        """Return the same of some of the dice."""
        boxes, tops = ([them[int(n)] for n in some] for them in (self.boxes, self.tops))
        return Aspect(self.p, boxes, tops, self.leans_deg[some])


@dataclass(frozen=True, eq=False)
class Views:
    """How dice are seen, as far as is known."""

    aspects: Sequence[Aspect]
    """Under the cameras there may be, the likeliest first; at least one."""
    doubts: Array
    """Shape (N,): how much weighs that each seems not to lie flat, whole and alone, against that it
    does; 0 where nothing says so."""
    aslant: Sequence[bool]
    """Of which another side is nearer to the middle than the one on top."""


def from_above(boxes: Sequence[Box]) -> Views:
    """Return how dice are seen from straight above."""
    count = len(boxes)
    above = Aspect(1.0, boxes, boxes, np.zeros((count, 2)))
    return Views((above,), np.zeros(count), [False] * count)
