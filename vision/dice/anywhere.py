"""Dice before a camera that stands still, read wherever they lie: no tray need be known."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.table.observation import DieReading
from vision.dice.crops import middle_of
from vision.dice.looks import LookBook
from vision.dice.reading import DiceReader, SeenDie
from vision.frame import Image

DIE_MM = 20.0
"""Longer side of the box around a die, where nothing else tells the scale of a picture: of a cube
of 16 mm that is turned any way."""
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
            readings.append(DieReading(die.faces, (x * scale, y * scale), box, look))
        return tuple(readings)

    def _scale(self, dice: Sequence[SeenDie]) -> float:
        """Return millimetres a pixel, told by the first dice: what lies still must seem to."""
        told = [max(die.box[2:]) for die in dice if die.is_answered]
        if told and not (self.mm_per_px and self._stands_still):
            self.mm_per_px = DIE_MM / float(np.median(told))
        return self.mm_per_px or DIE_MM / max((max(die.box[2:]) for die in dice), default=DIE_MM)


def _is_one(die: SeenDie) -> bool:
    return die.best is not None and (die.best[1] >= LEAST_FACE or die.is_too_aslant)
