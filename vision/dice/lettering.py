"""The numerals of a table's dice, known by what people have said that they show.

What a network makes of a numeral, rightly or not, it makes of the same one again. So what it said
of a die whose number somebody has told is remembered, and what it says later is held against it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.dice.box_network import softmax
from vision.dice.tones import Body, ByBody
from vision.frame import Array

_NEAREST = 2
"""So many of the likest of a number count."""
_STRANGER = 0.93
"""A number that nobody has told yet is taken to look so much like what is seen (cosine)."""
_MAYBE = 0.88
"""One look tells so well whether more of them could say that it is like a number that was told."""
_ALIKE_WORTH = 80.0
"""So much it counts, as a logarithm, that a die looks like one that was told."""
_LEAST = 0.01
"""The network is believed no surer than that that it is none of the others. Chosen, as what is
above, on drawn dice that were rolled sixty and three hundred times (`accuracy_again`)."""


@dataclass(frozen=True, slots=True, eq=False)
class _Told:
    """What was said of a die whose number is known."""

    said: Array
    """(signs,), of length 1."""
    sign: int


class Lettering:
    """The numerals that people have told of the dice of one tray. From one thread only.

    All odds and sayings are over the same signs, N dice a row.
    """

    def __init__(self) -> None:
        self._told = ByBody[_Told]()

    def __bool__(self) -> bool:
        return bool(self._told)

    def add(self, body: Body, said: Array, sign: int) -> None:
        """Take in that a die shows a sign, of which a network said this: logits (signs,)."""
        self._told.add(body, _Told(_unit(said), sign))

    def is_known_as_another(self, body: Body, said: Array, sign: int) -> bool:
        """Tell whether such a die, seen much like this, may have been told to show another sign.

        `said` (signs,) of one look may do for that.
        """
        seen = _unit(said)
        others = (told for told in self._told.of(body) if told.sign != sign)
        return any(float(told.said @ seen) > _MAYBE for told in others)

    def held_against(self, odds: Array, bodies: Sequence[Body], said: Array) -> Array:
        """Return the odds of signs (N, signs) with what was told of the same dice before.

        Parameters
        ----------
        odds : (N, signs), as they are without that.
        bodies : of the dice: what was told of others says nothing.
        said : (N, signs), logits.
        """
        held = odds.copy()
        for k, body in enumerate(bodies):
            told = self._told.of(body)
            if told:
                held[k] = _weighed(odds[k], _alike(told, _unit(said[k])))
        return held


def _weighed(odds: Array, alike: Array) -> Array:
    """Return odds (signs,) with how much each is like what was told; if that agrees, the surer."""
    both = softmax((_ALIKE_WORTH * alike + np.log(np.maximum(odds, _LEAST)))[None])[0]
    agrees = both.argmax() == odds.argmax()
    return odds if agrees and odds.max() > both.max() else np.asarray(both)


def _alike(told: Sequence[_Told], said: Array) -> Array:
    """Return how much what is said (signs,) is like what was said of each sign."""
    alike = np.full(len(said), _STRANGER)
    likeness = np.array([one.said @ said for one in told])
    signs = np.array([one.sign for one in told], int)
    for sign in np.unique(signs):
        alike[sign] = np.sort(likeness[signs == sign])[-_NEAREST:].mean()
    return alike


def _unit(said: Array) -> Array:
    return np.asarray(said / max(float(np.linalg.norm(said)), 1e-9))
