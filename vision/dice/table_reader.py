"""Dice on a table before a camera that stands still, of which nothing else is known.

The dice themselves tell how it is tilted (`vision.dice.lean`) and how large a millimetre is, the
first throw roughly, each further one better. With that they are read as on the floor of a tray:
once the table was seen without dice, their outlines tell which lie flat.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from companion.rules.layout import Die
from companion.table.observation import DieReading
from vision.dice.anywhere import AnywhereReader, scale_of
from vision.dice.crops import Box, middle_of
from vision.dice.kinds import SHAPES
from vision.dice.lean import CameraMemory, LeanTeller
from vision.dice.no_tray import table_at
from vision.dice.reader import TrayReader
from vision.dice.tray import FOCAL, TrayView
from vision.frame import Array, Image

_LIKELY = 0.5
"""A die tells how it is seen if it is this likely what it is taken for."""
_REMEMBERED = 60
"""So many dice tell how large a millimetre is."""
_MOST_TILT_DEG = 36.0
"""From farther beside the tilt is not known well enough: dice are read as in any picture then.
Chosen on virtual mats, tilted by 0, 10, 20, 30 and 40 degrees."""


_MOST_BLOWN_UP = 3.0
"""A table that is worked out in so many times the picture's pixels is not held against itself
without dice: with dice of 32 pixels a look took 0.7 s and 160 MB then, instead of 0.05 s and 10."""


class TableReader:
    """Reads the dice in the pictures of one camera."""

    def __init__(self) -> None:
        self._first_look = AnywhereReader()
        self._lean, self._memory = LeanTeller(), CameraMemory()
        self._bare: Image | None = None
        self._view: TrayView | None = None
        self._reader: TrayReader | None = None
        self._sizes = deque[tuple[str, Box]](maxlen=_REMEMBERED)
        self.is_too_aslant = False
        """As of `AnywhereReader`."""

    def read(self, picture: Image, expect: Sequence[str] | None) -> tuple[DieReading, ...]:
        """Return the dice, left to right, as `AnywhereReader.read` does."""
        readings: tuple[DieReading, ...] = ()
        self.is_too_aslant = False
        if self._view is None:
            readings = self._look_first(picture, expect)
        if self._view is not None:
            readings = self._on_table(picture, expect, self._view)
            self._learn(picture, readings)
            if self._view is None:
                readings = self._look_first(picture, expect)
        if not readings:
            self._bare = picture
        return readings

    def learn(self, picture: Image, told: Mapping[Box, Die]) -> bool:
        """As `TrayReader.learn`. Return whether it could: a throw must have told how it is seen."""
        if self._view is None:
            return False
        return self._on(self._view).learn(picture, told, self._view)

    def _on(self, view: TrayView) -> TrayReader:
        """Return what reads dice on the table."""
        if self._reader is None:
            self._reader = TrayReader(view.size_mm)
        return self._reader

    def _look_first(self, picture: Image, expect: Sequence[str] | None) -> tuple[DieReading, ...]:
        """Return the dice as they are read where nobody knows how the camera stands."""
        readings = self._first_look.read(picture, expect)
        self.is_too_aslant = self._first_look.is_too_aslant
        self._learn(picture, readings)
        return readings

    def _on_table(
        self, picture: Image, expect: Sequence[str] | None, view: TrayView
    ) -> tuple[DieReading, ...]:
        reader = self._on(view)
        if self._bare is not None and not _is_blown_up(view):
            reader.was_bare(self._bare, view)
        scale = self._first_look.mm_per_px  # places must not hang on what is told of the camera
        readings = []
        for die in reader.read(picture, expect, view):
            x, y = middle_of(die.box_px)
            readings.append(replace(die, centre_mm=(x * scale, y * scale)))
        return tuple(readings)

    def _learn(self, picture: Image, dice: Sequence[DieReading]) -> None:
        """Take in what dice tell of how the table is seen; if none does, all stays as it was."""
        plain = [(die, die.best[0]) for die in dice if die.best and die.p >= _LIKELY]
        if not plain or not self._first_look.mm_per_px:
            return
        boxes = [die.box_px for die, _ in plain]
        self._sizes.extend((face.kind, box) for (_, face), box in zip(plain, boxes, strict=True))
        scale = scale_of(self._sizes)
        shapes = [SHAPES[face.kind] for _, face in plain]
        likely = self._lean.leanings(picture, boxes, shapes, self._memory)
        leans_deg = np.sum([one.p * one.leans_deg for one in likely], axis=0)
        size = picture.shape[1], picture.shape[0]
        middle = (size[0] - 1) / 2, (size[1] - 1) / 2
        x, y = np.mean(leans_deg - _aside_deg(boxes, size), axis=0)
        self._view = None
        if np.hypot(x, y) <= _MOST_TILT_DEG:
            size_mm = size[0] * scale, size[1] * scale
            self._view = table_at(middle, (float(x), float(y)), size, scale, size_mm)


def _aside_deg(boxes: Sequence[Box], size_px: tuple[int, int]) -> Array:
    """Return how boxes would be seen (N, 2), `LEANS_DEG`, if the camera looked straight down."""
    away = np.array([middle_of(box) for box in boxes]) - np.array(size_px) / 2
    rays = away / (FOCAL * max(size_px))
    far = np.hypot(*rays.T)[:, None]
    return np.asarray(np.degrees(np.arctan(far)) * rays / np.maximum(far, 1e-9))


def _is_blown_up(view: TrayView) -> bool:
    """Say whether dice are so small that the table is looked at far larger than it is seen."""
    (wide, tall), (width, height) = view.rectified_px, view.picture_px
    return wide * tall > _MOST_BLOWN_UP * width * height
