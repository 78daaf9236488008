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
_NAMED_LIGHTNESS = 0.4
"""Likewise where a colour gets its name: a blue die is blue in the evening, too."""
_MIDDLE = 0.7
"""Across the box, so much is certainly of the die: a disc that size lies within any turned cube."""
_ENOUGH = 400
"""Pixels of a die that are looked at."""
_REMEMBERED = 300
"""So much is kept of dice of one body."""
_BRIGHTEST = 99.9
"""Percentile of the brightness of a picture's places that tells how much light there is."""
_DARKEST = 0.5
"""Less light than that is not allowed for: what is brightest may be dark itself."""
_BRIGHTNESS_PX = 4
"""It is looked for in one row and column of so many."""
_NAMES: dict[str, tuple[tuple[int, int, int], ...]] = {
    "white": ((235, 235, 235), (190, 225, 238)),
    "grey": ((130, 130, 130),),
    "black": ((35, 35, 35),),
    "red": ((40, 35, 190), (25, 20, 110), (95, 85, 215), (70, 40, 125)),
    "pink": ((180, 120, 240), (230, 40, 240)),
    "orange": ((30, 120, 235), (25, 85, 165)),
    "brown": ((40, 65, 110), (25, 40, 65)),
    "yellow": ((45, 205, 235), (20, 130, 150)),
    "green": ((50, 135, 45), (30, 80, 25)),
    "turquoise": ((180, 180, 40), (110, 105, 25), (240, 240, 140)),
    "blue": ((170, 75, 35), (100, 45, 20), (200, 120, 60)),
    "purple": ((130, 45, 100), (75, 25, 60), (215, 85, 160)),
}
"""Colours that people name, each in several shades, BGR. Ivory is white under a warm lamp."""


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
    """Return the colour (CIELAB, (3,)) that most of a die's middle has: its body's, no ink's."""
    return np.asarray(_body_pixels(picture, box).mean(axis=0))


def colour_name(picture: Image, box: Box) -> str:
    """Return what people call the colour of the die in a box.

    They name what the light falls on, and by how bright it is beside the brightest in sight: the
    brighter half of the body is held against that.
    """
    body = _body_pixels(picture, box)
    bright = body[body[:, 0] >= np.median(body[:, 0])]
    seen = picture[::_BRIGHTNESS_PX, ::_BRIGHTNESS_PX].max(axis=2)
    brightest = max(float(np.percentile(seen, _BRIGHTEST)) / 255, _DARKEST)
    tone = np.median(bright, axis=0) / brightest  # so lightness and hue grow as brightness does
    named = [(name, shade) for name, shades in _NAMES.items() for shade in shades]
    shades = np.array([[shade for _, shade in named]], np.float32) / 255
    apart = away(cv2.cvtColor(shades, cv2.COLOR_BGR2LAB)[0], tone, _NAMED_LIGHTNESS)
    return named[int(np.argmin(apart))][0]


def _body_pixels(picture: Image, box: Box) -> Array:
    """Return pixels (N, 3), CIELAB, of the middle of a die that are of its body.

    The middle is parted into two colours; the one with more pixels is the body.
    """
    x, y, width, height = box
    rows = np.arange(max(round(y), 0), min(round(y + height), picture.shape[0]))
    columns = np.arange(max(round(x), 0), min(round(x + width), picture.shape[1]))
    across = ((columns + 0.5 - x) / width - 0.5)[None]
    along = ((rows + 0.5 - y) / height - 0.5)[:, None]
    middle = np.flatnonzero(across**2 + along**2 <= (_MIDDLE / 2) ** 2)
    if not len(middle):
        return np.zeros((1, 3))
    row, column = np.divmod(middle[:: max(len(middle) // _ENOUGH, 1)], len(columns))
    some = picture[rows[row], columns[column], None].astype(np.float32) / 255
    pixels: Array = cv2.cvtColor(some, cv2.COLOR_BGR2LAB)[:, 0]
    if len(pixels) < 8:
        return pixels
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 10, 1.0)
    first = (pixels[:, 0] > np.median(pixels[:, 0])).astype(np.int32)[:, None]
    _, labels, _ = cv2.kmeans(pixels, 2, first, criteria, 1, cv2.KMEANS_USE_INITIAL_LABELS)
    larger = int(2 * labels.sum() > len(pixels))
    return np.asarray(pixels[labels[:, 0] == larger])


def away(tones: Array, tone: Array, lightness: float = _LIGHTNESS) -> Array:
    """Return how far colours in CIELAB (..., 3) are from another one, shape (...).

    Lightness counts `lightness` of what hue counts.
    """
    return np.asarray(np.linalg.norm((tones - tone) * (lightness, 1.0, 1.0), axis=-1))
