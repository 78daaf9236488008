"""Whether dice lie flat and alone, told of what they and what is around them look like.

A die that leans on another from straight above looks like one that lies flat, seen from the side.
So the network is told how the camera sees what lies flat at that place, and shown it up being up.
It answers for each shape that the die may have: a d10 that lies flat looks askew beside a cube.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.dice.box_network import EVENED, evened, with_aside
from vision.dice.crops import LYING_AROUND, LYING_PX, Box, cut_upright
from vision.dice.kinds import SOLIDS
from vision.frame import Array, Image
from vision.network import StoredNetwork

WAYS = ("flat", "hidden", "leaning", "otherwise")
"""How dice lie: flat, whole and alone; the same, but partly hidden; not flat; or on another, or
they roll."""


class LyingTeller:
    """Tells whether dice lie flat. Safe between threads."""

    def __init__(self) -> None:
        self._network = StoredNetwork("vision.dice", "lying.onnx.gz")

    def otherwise(
        self,
        picture: Image,
        boxes: Sequence[Box],
        leans_deg: Array,
        shapes: Sequence[str],
        knows_camera: bool = False,
    ) -> Array:
        """Return how many times likelier each other way is than that a die lies flat, (N, 3).

        The ways are `WAYS` without the first: flat, whole and alone.

        Parameters
        ----------
        picture : (H, W, 3) uint8 BGR.
        boxes : of the dice.
        leans_deg : (N, 2), how what lies flat there is seen, `vision.dice.lean.LEANS_DEG`.
        shapes : of the dice, `vision.dice.kinds.SOLIDS`; empty for what is not to be looked at:
            0 is returned.
        knows_camera : that is known for sure.
        """
        times = np.zeros((len(boxes), len(WAYS) - 1))
        judged = [k for k, shape in enumerate(shapes) if shape]
        if not judged:
            return times
        leans = leans_deg[judged]
        crops = [
            evened(cut_upright(picture, boxes[k], LYING_PX, LYING_AROUND, lean), EVENED)
            for k, lean in zip(judged, leans, strict=True)
        ]
        answers = self._network.told(with_aside(crops, leans, knows_camera))
        by_shape = answers.reshape(len(judged), len(SOLIDS), len(WAYS))
        told = by_shape[range(len(judged)), [SOLIDS.index(shapes[k]) for k in judged]]
        times[judged] = np.exp(told[:, 1:] - told[:, :1])
        return times
