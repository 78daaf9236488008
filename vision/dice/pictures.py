"""Dice in any picture, with what a tray tells if there is one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.boards.profile import XY
from companion.errors import NotCalibrated
from companion.table.observation import DieReading
from vision.dice.kinds import SHAPES
from vision.dice.reader import TrayReader
from vision.dice.reading import DiceReader, SeenDie
from vision.frame import Image

_LAID_FLAT = ("tetrahedron", "icosahedron")
"""Shapes that are read better where the camera's place is known."""

_SAME = 0.3
"""Two looks at one die see its middle this near to each other, in sides of its box."""


class PictureReader:
    """Reads pictures of different tables, one after the other.

    Parameters
    ----------
    tray_mm : inside size of a tray that may be in the picture: where one is found, sails and
        cannonballs are looked at as they lie on its floor.
    """

    def __init__(self, tray_mm: XY | None = None) -> None:
        self._dice = DiceReader()
        self._tray_mm = tray_mm

    def read(self, picture: Image, expect: Sequence[str] | None = None) -> tuple[SeenDie, ...]:
        """Return the dice in a picture, from left to right; see `DiceReader.read`."""
        seen = self._dice.read(picture, expect)
        if self._tray_mm is None or not any(_is_laid_flat(die) for die in seen):
            return seen
        try:
            lying = TrayReader(self._tray_mm).read(picture, expect)
        except NotCalibrated:
            return seen
        return tuple(_surer(die, lying) if _is_laid_flat(die) else die for die in seen)


def _is_laid_flat(die: SeenDie) -> bool:
    return any(SHAPES[face.kind] in _LAID_FLAT for face in die.faces)


def _surer(die: SeenDie, lying: Sequence[DieReading]) -> SeenDie:
    """Return a die as the tray's reader tells it, if that is surer."""
    x, y = die.box[0] + die.box[2] / 2, die.box[1] + die.box[3] / 2
    for reading in lying:
        left, top, width, height = reading.box_px
        apart = abs(left + width / 2 - x) + abs(top + height / 2 - y)
        is_surer = max(reading.faces.values(), default=0) > max(die.faces.values())
        if apart < _SAME * max(die.box[2:]) and is_surer:
            return replace(die, faces=reading.faces)
    return die
