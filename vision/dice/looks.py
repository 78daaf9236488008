"""Telling a table's dice apart by colour and size, so that "the green one" keeps its history."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock

import cv2
import numpy as np

from vision.dice.kinds import SHAPES
from vision.dice.reading import SeenDie
from vision.frame import Array, Image

_LIGHTNESS = 0.6
"""Light and shade change a die's lightness most, so it weighs less than its hue."""
_SAME_COLOUR = 30.0
"""Distance of two colours (CIELAB, lightness weighed) up to which they may be one die's in
different light."""
_SAME_SIZE = 1.9
"""A die this many times larger than another of its shape is another one. The box of one die grows
by 1.4 as it is turned, and by more where only its top was found at first."""
_MANY_COLOURED = "colour"
"""Kind of die whose sides have colours of their own: they tell the face, not the die."""
_MIDDLE = 0.7
"""Share of the box's width and height that is certainly of the die."""
_ENOUGH = 400
"""Pixels of a die that are looked at."""
_SLOWLY = 0.1
"""Weight of a new sight in what is remembered."""
_NAMES: dict[str, tuple[int, int, int]] = {
    "white": (235, 235, 235), "ivory": (190, 225, 238), "grey": (130, 130, 130),
    "black": (35, 35, 35), "red": (40, 35, 190), "pink": (180, 120, 240),
    "orange": (30, 120, 235), "brown": (40, 65, 110), "yellow": (45, 205, 235),
    "green": (50, 135, 45), "turquoise": (180, 180, 40), "blue": (170, 75, 35),
    "purple": (130, 45, 100),
}  # fmt: skip
"""Colours that people name, BGR."""


@dataclass
class _Known:
    """Dice that look alike."""

    name: str
    shape: str
    tone: Array
    """CIELAB (3,)."""
    size_px: float


class LookBook:
    """The looks of the dice that one camera has seen. Safe between threads.

    Dice of the same shape, colour and size share a look: nobody could tell them apart. Better one
    look for two dice than two for one: which of the two it gets may depend on the face it shows,
    and then a fair die looks loaded to `companion.audit`.
    """

    def __init__(self) -> None:
        self._known: list[_Known] = []
        self._lock = Lock()

    def look(self, picture: Image, die: SeenDie) -> str:
        """Return the name of a die's look, e.g. ``"green d20"``; empty if it cannot be told.

        A look that is new gets a name of its own, ``"green d20 2"`` if the first is taken.
        """
        best = die.best
        if best is None or not die.is_answered or best[0].kind == _MANY_COLOURED:
            return ""
        kind, shape = best[0].kind, SHAPES[best[0].kind]
        tone, size = body_tone(picture, die), max(die.box[2:])
        with self._lock:
            known = self._nearest(shape, tone, size)
            if known is None:
                known = _Known(self._new_name(tone, kind), shape, tone, size)
                self._known.append(known)
            known.tone = known.tone + _SLOWLY * (tone - known.tone)
            known.size_px += _SLOWLY * (size - known.size_px)
            return known.name

    def _nearest(self, shape: str, tone: Array, size: float) -> _Known | None:
        alike = [
            k
            for k in self._known
            if k.shape == shape
            and float(_away(k.tone, tone)) < _SAME_COLOUR
            and 1 / _SAME_SIZE < size / k.size_px < _SAME_SIZE
        ]
        return min(alike, key=lambda k: float(_away(k.tone, tone)), default=None)

    def _new_name(self, tone: Array, kind: str) -> str:
        name = f"{colour_name(tone)} {kind}"
        taken = sum(k.name == name or k.name.startswith(f"{name} ") for k in self._known)
        return f"{name} {taken + 1}" if taken else name


def body_tone(picture: Image, die: SeenDie) -> Array:
    """Return the colour (CIELAB, (3,)) that most of a die's middle has: its body's, not its ink's.

    The middle is parted into two colours; the one with more pixels is the body.
    """
    x, y, width, height = die.box
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
    return list(_NAMES)[int(np.argmin(_away(tones, tone)))]


def _away(tones: Array, tone: Array) -> Array:
    """Return how far colours in CIELAB (..., 3) are from another one, shape (...)."""
    return np.asarray(np.linalg.norm((tones - tone) * (_LIGHTNESS, 1.0, 1.0), axis=-1))
