"""How far aside dice are seen, where nobody knows how the camera stands.

Of an icosahedron that is seen from more than 21 degrees beside, the next side is nearer to the
middle than the one on top, and its numeral is as plain: told as if it were seen from above, every
second such die would be told wrongly, and surely. Light on its sides, its outline and its shadow
tell how far aside it is seen, roughly. All dice of a picture are seen from about as far aside, so
the others say something, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import erf, sqrt

import numpy as np

from vision.dice.crops import AROUND, LEAN_PX, Box, cut_crop
from vision.dice.teller import EVENED, evened
from vision.frame import Array, Image
from vision.network import StoredNetwork

LEAN_UNIT_DEG = 20.0
"""Unit of the network's first answer."""
LEAN_SPREADS = (-3.0, 1.0)
"""Bounds of its second one: the logarithm of the error, in units."""
SWITCH_DEG = {"icosahedron": 20.9, "dodecahedron": 31.7, "octahedron": 35.3, "trapezohedron": 27.0}
"""Half the angle between two sides: seen from farther beside, the next one is nearer to the middle.
Of d10 the angles hang on their make; where drawn ones begin to be told wrongly was counted."""
_APART_DEG = 4.0
"""By so much the dice of a picture differ: some lie aside."""
_USUAL_DEG = 6.0, 12.0
"""As most pictures are taken: mean lean and spread."""
_ALIKE_DEG = 2.0
"""Error that all dice of a picture have in common."""
_LIKELY = 0.65
"""A die that is seen from above with this probability is told as if it were certain. This and what
is above were chosen on drawn dice that the network had not seen."""


class LeanTeller:
    """Tells how far aside dice are seen. Safe between threads."""

    def __init__(self) -> None:
        self._network = StoredNetwork("vision.dice", "lean.onnx")

    def from_above(self, picture: Image, boxes: Sequence[Box], shapes: Sequence[str]) -> Array:
        """Return how likely it is that the middle side of each die is the one on top, (N,).

        It is 1 where there is no reason to doubt it.

        Parameters
        ----------
        picture : (H, W, 3) uint8 BGR.
        boxes : of what lies in it.
        shapes : of the dice, empty for what is none; only those of `SWITCH_DEG` are doubted.
        """
        odds = np.ones(len(boxes))
        if any(shape in SWITCH_DEG for shape in shapes):
            dice = [k for k, shape in enumerate(shapes) if shape]
            leans = together(*self.leans(picture, [boxes[k] for k in dice]))
            for k, mean, spread in zip(dice, *leans, strict=True):
                if shapes[k] in SWITCH_DEG:
                    odds[k] = _share_below((SWITCH_DEG[shapes[k]] - mean) / spread)
        return np.where(odds < _LIKELY, odds, 1.0)

    def leans(self, picture: Image, boxes: Sequence[Box]) -> tuple[Array, Array]:
        """Return leans and their errors (N,), degrees, of dice in boxes, each told by itself."""
        crops = [evened(cut_crop(picture, box, LEAN_PX, AROUND), EVENED) for box in boxes]
        shown = np.stack([np.rot90(crop, k) for k in range(4) for crop in crops])
        told = self._network.told(shown.transpose(0, 3, 1, 2))
        told = told.reshape(4, len(boxes), 2).mean(axis=0)
        spreads = np.exp(np.clip(told[:, 1], *LEAN_SPREADS))
        return told[:, 0] * LEAN_UNIT_DEG, spreads * LEAN_UNIT_DEG


def together(means: Array, spreads: Array) -> tuple[Array, Array]:
    """Return leans and errors (N,) of dice, degrees, given what is told of each by itself."""
    own, usual = 1 / spreads**2, 1 / (spreads**2 + _APART_DEG**2)
    mean, spread = _USUAL_DEG
    weight = usual.sum() - usual + 1 / spread**2
    others = (usual @ means - usual * means + mean / spread**2) / weight
    weight = 1 / (1 / weight + _APART_DEG**2)
    precision = own + weight
    leans = (own * means + weight * others) / precision
    return np.asarray(leans), np.sqrt(1 / precision + _ALIKE_DEG**2)


def _share_below(steps: float) -> float:
    """Return the share of a normal distribution below so many of its spreads."""
    return 0.5 * (1 + erf(float(steps) / sqrt(2)))
