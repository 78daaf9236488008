"""Dice before one camera, read wherever they lie: no tray need be known."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.table.observation import DieReading
from vision.dice.crops import middle_of
from vision.dice.kinds import SHAPES
from vision.dice.looks import LookBook
from vision.dice.reading import DiceReader, SeenDie
from vision.frame import Image

_BOX_MM = {"cube": 23.0, "icosahedron": 27.0, "tetrahedron": 19.5, "octahedron": 22.0}
_OTHER_BOX_MM = 23.5
"""Longer side of the box around a die of usual size, where nothing else tells the scale of a
picture: about the median of virtual dice and of path-traced ones that may be learnt from, which are
seen from above and turned any way."""
LEAST_FACE = 0.3
"""Without a picture of the empty tray, what shows no face of the die with this probability is taken
for something else: the grain of a table, a coin. That it may be seen from the side is no reason."""


class AnywhereReader:
    """Reads the dice in the pictures of one camera.

    Parameters
    ----------
    stands_still : as for `DiceReader`; if not, each picture has a scale of its own.
    """

    def __init__(self, stands_still: bool = True) -> None:
        self._dice, self._looks = DiceReader(stands_still), LookBook()
        self._stands_still = stands_still
        self.mm_per_px = 0.0
        """Scale of the pictures, told by the first dice; 0 before."""
        self.is_too_aslant = False
        """A die of the last picture is asked about, maybe for it is seen from too far beside."""

    def read(self, picture: Image, expect: Sequence[str] | None = None) -> tuple[DieReading, ...]:
        """Return the dice, left to right; what cannot be told has faces below 1.

        Places are counted from the picture's corner, in millimetres by what dice usually measure.

        Parameters
        ----------
        picture : (H, W, 3) uint8 BGR.
        expect : kinds of dice that can lie there; ``None`` for any.
        """
        seen = self._dice.read(picture, expect)
        self.is_too_aslant = any(die.is_too_aslant for die in seen)
        dice = [die for die in seen if _is_one(die)]
        scale = self._scale(dice)
        readings = []
        for die in dice:
            x, y = middle_of(die.box)
            box = (round(die.box[0]), round(die.box[1]), round(die.box[2]), round(die.box[3]))
            look = self._looks.look(picture, die)
            readings.append(DieReading(die.faces, (x * scale, y * scale), box, look, die.seems))
        return tuple(readings)

    def _scale(self, dice: Sequence[SeenDie]) -> float:
        """Return millimetres a pixel, told by the first dice: what lies still must seem to."""
        told = [(die.best[0].kind, die.box) for die in dice if die.best and die.is_answered]
        if told and not (self.mm_per_px and self._stands_still):
            self.mm_per_px = scale_of(told)
        return self.mm_per_px or scale_of([(die.best[0].kind, die.box) for die in dice if die.best])


def scale_of(dice: Sequence[tuple[str, Sequence[float]]]) -> float:
    """Return how many millimetres a pixel is, if dice are of usual size; 0 if there are none.

    Parameters
    ----------
    dice : kind and box (x, y, width, height in pixels) of each.
    """
    each = [_BOX_MM.get(SHAPES[kind], _OTHER_BOX_MM) / max(box[2:]) for kind, box in dice]
    return float(np.median(each)) if each else 0.0


def _is_one(die: SeenDie) -> bool:
    return die.best is not None and (die.best[1] >= LEAST_FACE or die.is_too_aslant)
