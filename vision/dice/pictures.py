"""Dice in any picture, with what a tray tells if there is one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.boards.profile import XY
from companion.errors import NotCalibrated
from companion.table.observation import DieReading
from vision.dice.crops import Box, is_in, middle_of
from vision.dice.kinds import SHAPES
from vision.dice.reader import TrayReader
from vision.dice.reading import DiceReader, SeenDie
from vision.frame import Image

_WANT_CAMERA = ("tetrahedron", "icosahedron")
"""Shapes that are always read better where it is known how the camera stands."""


class PictureReader:
    """Reads pictures of different tables, one after the other.

    Parameters
    ----------
    tray_mm : inside size of a tray that may be in the picture: where one is found, sails,
        cannonballs and what may be seen from the side are looked at as they lie on its floor.
    """

    def __init__(self, tray_mm: XY | None = None) -> None:
        self._dice = DiceReader()
        self._tray_mm = tray_mm

    def read(self, picture: Image, expect: Sequence[str] | None = None) -> tuple[SeenDie, ...]:
        """Return the dice in a picture, from left to right; see `DiceReader.read`."""
        seen = self._dice.read(picture, expect)
        if self._tray_mm is None or not any(_wants_camera(die) for die in seen):
            return seen
        try:
            lying = TrayReader(self._tray_mm).read(picture, expect)
        except NotCalibrated:
            return seen
        return joined(seen, lying)


def joined(seen: Sequence[SeenDie], lying: Sequence[DieReading]) -> tuple[SeenDie, ...]:
    """Return dice as the tray's reader tells them, if that is surer, and those it alone has seen.

    It looks at the tray only, where a die that has the colour of its floor is plainer.
    """
    told, more = list(seen), []
    for reading in lying:
        x, y, width, height = reading.box_px
        box = float(x), float(y), float(width), float(height)
        same = [k for k, die in enumerate(seen) if _is_same(die.box, box)]
        if not same:
            more.append(SeenDie(box, reading.faces, seems=reading.seems))
            continue
        k = min(same, key=lambda k: _apart(seen[k].box, box))
        if _wants_camera(seen[k]) and reading.p > told[k].p:
            told[k] = replace(seen[k], faces=reading.faces, seems=reading.seems, is_aslant=False)
    return tuple(sorted([*told, *more], key=lambda die: die.box[:2]))


def _wants_camera(die: SeenDie) -> bool:
    """Tell whether a die is read better where it is known how the camera stands."""
    return die.is_too_aslant or any(SHAPES[face.kind] in _WANT_CAMERA for face in die.faces)


def _is_same(one: Box, other: Box) -> bool:
    """Tell whether two looks have seen one die: the middle of each box lies in the other."""
    return is_in(one, other) and is_in(other, one)


def _apart(one: Box, other: Box) -> float:
    (x, y), (x1, y1) = middle_of(one), middle_of(other)
    return abs(x - x1) + abs(y - y1)
