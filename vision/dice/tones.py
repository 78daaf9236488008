"""The colours of dice: what most of one is made of, and what people call it."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Generic, TypeVar

import cv2
import numpy as np

from vision.dice.crops import Box
from vision.frame import Array, Image

SAME_TONE = 30.0
"""Distance of two colours (`away`) up to which they may be one die's in different light."""
_LIGHTNESS = 0.6
"""Light and shade change a die's lightness most, so it weighs less than its hue."""
_MIDDLE = 0.7
"""Share of the box's width and height that is certainly of the die."""
_ENOUGH = 400
"""Pixels of a die that are looked at."""
_REMEMBERED = 300
"""So much is kept of dice of one body."""
_NAMES: dict[str, tuple[int, int, int]] = {
    "white": (235, 235, 235), "ivory": (190, 225, 238), "grey": (130, 130, 130),
    "black": (35, 35, 35), "red": (40, 35, 190), "pink": (180, 120, 240),
    "orange": (30, 120, 235), "brown": (40, 65, 110), "yellow": (45, 205, 235),
    "green": (50, 135, 45), "turquoise": (180, 180, 40), "blue": (170, 75, 35),
    "purple": (130, 45, 100),
}  # fmt: skip
"""Colours that people name, BGR."""


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """What a die is made of: by that it is known again, whatever it shows."""

    shape: str
    """Of `vision.dice.kinds.SOLIDS`."""
    tone: Array
    """`body_tone`."""

    def is_like(self, other: Body) -> bool:
        """Tell whether two dice may be the same, or one as good as the other."""
        return self.shape == other.shape and float(away(self.tone, other.tone)) < SAME_TONE


Item = TypeVar("Item")


class ByBody(Generic[Item]):
    """What was seen of dice, the last of it, by what they are made of. From one thread only."""

    def __init__(self) -> None:
        self._kept: list[tuple[Body, deque[Item]]] = []

    def __bool__(self) -> bool:
        return bool(self._kept)

    def add(self, body: Body, item: Item) -> None:
        """Keep something that was seen of a die."""
        for kept, items in self._kept:
            if kept.is_like(body):
                items.append(item)
                return
        self._kept.append((body, deque([item], _REMEMBERED)))

    def of(self, body: Body) -> list[Item]:
        """Return what was seen of such dice."""
        return [item for kept, items in self._kept if kept.is_like(body) for item in items]


def body_of(picture: Image, box: Box, shape: str) -> Body:
    """Return the body of the die in a box."""
    return Body(shape, body_tone(picture, box))


def body_tone(picture: Image, box: Box) -> Array:
    """Return the colour (CIELAB, (3,)) that most of a die's middle has: its body's, not its ink's.

    The middle is parted into two colours; the one with more pixels is the body.
    """
    x, y, width, height = box
    mx, my = (1 - _MIDDLE) / 2 * width, (1 - _MIDDLE) / 2 * height
    rows = slice(max(round(y + my), 0), max(round(y + height - my), 1))
    columns = slice(max(round(x + mx), 0), max(round(x + width - mx), 1))
    seen = picture[rows, columns].reshape(-1, 1, 3)
    if not len(seen):
        return np.zeros(3)
    some = seen[:: max(len(seen) // _ENOUGH, 1)].astype(np.float32) / 255
    pixels: Array = cv2.cvtColor(some, cv2.COLOR_BGR2LAB)[:, 0]
    if len(pixels) < 8:
        return np.asarray(pixels.mean(axis=0))
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 10, 1.0)
    first = (pixels[:, 0] > np.median(pixels[:, 0])).astype(np.int32)[:, None]
    _, labels, centres = cv2.kmeans(pixels, 2, first, criteria, 1, cv2.KMEANS_USE_INITIAL_LABELS)
    return np.asarray(centres[int(2 * labels.sum() > len(pixels))])  # the larger of the two


def colour_name(tone: Array) -> str:
    """Return the name of the colour nearest to one in CIELAB (3,)."""
    names = np.array([list(_NAMES.values())], np.float32) / 255
    tones = cv2.cvtColor(names, cv2.COLOR_BGR2LAB)[0]
    return list(_NAMES)[int(np.argmin(away(tones, tone)))]


def away(tones: Array, tone: Array) -> Array:
    """Return how far colours in CIELAB (..., 3) are from another one, shape (...)."""
    return np.asarray(np.linalg.norm((tones - tone) * (_LIGHTNESS, 1.0, 1.0), axis=-1))
