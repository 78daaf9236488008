"""Telling a table's dice apart by colour and size, so that "the green one" keeps its history."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock

from vision.dice.kinds import SHAPES
from vision.dice.reading import SeenDie
from vision.dice.tones import SAME_TONE, away, body_tone, colour_name
from vision.frame import Array, Image

_SAME_SIZE = 1.9
"""A die this many times larger than another of its shape is another one. The box of one die grows
by 1.4 as it is turned, and by more where only its top was found at first."""
_MANY_COLOURED = "colour"
"""Kind of die whose sides have colours of their own: they tell the face, not the die."""
_SLOWLY = 0.1
"""Weight of a new sight in what is remembered."""


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
        tone, size = body_tone(picture, die.box), max(die.box[2:])
        with self._lock:
            known = self._nearest(shape, tone, size)
            if known is None:
                known = _Known(
                    self._new_name(colour_name(picture, die.box), kind), shape, tone, size
                )
                self._known.append(known)
            known.tone = known.tone + _SLOWLY * (tone - known.tone)
            known.size_px += _SLOWLY * (size - known.size_px)
            return known.name

    def _nearest(self, shape: str, tone: Array, size: float) -> _Known | None:
        alike = [
            k
            for k in self._known
            if k.shape == shape
            and float(away(k.tone, tone)) < SAME_TONE
            and 1 / _SAME_SIZE < size / k.size_px < _SAME_SIZE
        ]
        return min(alike, key=lambda k: float(away(k.tone, tone)), default=None)

    def _new_name(self, colour: str, kind: str) -> str:
        name = f"{colour} {kind}"
        taken = sum(k.name == name or k.name.startswith(f"{name} ") for k in self._known)
        return f"{name} {taken + 1}" if taken else name
