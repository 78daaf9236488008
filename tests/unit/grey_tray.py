"""A tray of even ground whose dice are squares of some grey."""

from __future__ import annotations

import numpy as np

from companion.rules.layout import Die
from companion.table.observation import DieReading

FACE_OF = {220: 4, 240: 6, 250: None}
"""What a square of this grey shows; one of 250 cannot be told."""


def scene(*dice: tuple[int, int, int], arm: bool = False) -> np.ndarray:
    """Return the tray with dice at x, y of some grey."""
    picture = np.full((240, 320, 3), 60, np.uint8)
    for x, y, grey in dice:
        picture[y : y + 30, x : x + 30] = grey
    if arm:
        picture[100:, 130:190] = 150
    return picture


def read(picture: np.ndarray) -> tuple[DieReading, ...]:
    """Return the dice that lie there."""
    told = []
    for grey, face in FACE_OF.items():
        rows, columns = np.nonzero(picture[..., 0] == grey)
        if len(rows):
            faces = {} if face is None else {Die("d6", face): 0.99}
            place = (float(columns.mean()) / 2, float(rows.mean()) / 2)
            box = (int(columns.min()), int(rows.min()), 30, 30)
            told.append(DieReading(faces, place, box))
    return tuple(told)
