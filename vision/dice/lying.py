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
from vision.dice.facing import JUDGED
from vision.dice.glances import MIRRORED_TOO, Glance, glanced
from vision.dice.kinds import SOLIDS
from vision.frame import Array, Image
from vision.network import StoredNetwork

WAYS = ("flat", "hidden", "leaning", "otherwise")
"""How dice lie: flat, whole and alone; the same, but partly hidden; not flat; or on another, or
they roll."""
_CUT = LYING_PX, LYING_AROUND
_DOUBTFUL = 0.3
"""A die of which all other ways together are so much likelier than the first is looked at again;
where it is not known how the camera stands not `JUDGED` ones, which are told no better by that."""


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
        solids = np.array([SOLIDS.index(shapes[k]) for k in judged])

        def look(glances: Sequence[Glance]) -> Array:
            crops = [
                one.shown(cut_upright(picture, boxes[judged[one.number]], *_CUT, one.lean_deg))
                for one in glances
            ]
            leans = np.array([one.lean_deg for one in glances])
            shown = with_aside([evened(crop, EVENED) for crop in crops], leans, knows_camera)
            by_shape = self._network.told(shown).reshape(len(glances), len(SOLIDS), len(WAYS))
            return by_shape[range(len(glances)), solids[[one.number for one in glances]]]

        again = np.array([knows_camera or shapes[k] not in JUDGED for k in judged])

        def is_doubtful(told: Array) -> Array:
            return np.asarray(again & (_times(told).sum(axis=1) > _DOUBTFUL))

        told = glanced(look, leans_deg[judged], is_doubtful, MIRRORED_TOO)
        times[judged] = _times(told)
        return times


def _times(told: Array) -> Array:
    """Return how many times likelier the other ways are than the first, (N, 3), of logarithms."""
    return np.asarray(np.exp(told[:, 1:] - told[:, :1]))
