"""What one die shows: three small networks, run by OpenCV. Safe between threads."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources

import cv2
import numpy as np

from companion.rules.layout import Die
from vision.dice.crops import CLOSE_AROUND, CLOSE_PX, Box, cut_crop
from vision.dice.kinds import (
    CLOSE_KINDS,
    CLOSE_SIGNS,
    COLOURS,
    FACES,
    KINDS,
    NOTHING,
    SHAPES,
    SIGNS,
    sign_of,
)
from vision.frame import Array, Image

WARMTH, SECOND_WARMTH, CLOSE_WARMTH = 0.65, 0.8, 0.7
"""Logits are divided by these. The first was chosen on a fifth of the photographs that may be
learnt from, left out while the network was trained, the second on all of them; the third on drawn
pictures that the network had not seen: few answers with 0.9 are to be wrong."""
EVENED = 0.5
"""Share of a crop whose contrast is made the same: dark pips on a dark die stay plain on a white
table."""
MOST = 4.0
_DOUBTFUL = 0.98
"""A die whose first two views are less sure than this is looked at from two more sides."""
_FOREIGN = 0.25
"""A die is of no expected kind if all of them (with their like) have less than this together."""
_LEAST_TOLD = 0.005
"""Probabilities below are left out."""

_LEAST_CLOSE = 0.05
"""Probability of a kind with a sign on top, from which on the top is looked at from near."""

_CLOSE_KINDS = [KINDS.index(kind) for kind in CLOSE_KINDS]
_CLOSE_SIGNS = np.array([SIGNS.index(sign) for sign in CLOSE_SIGNS[1:]])
_NOTHING = KINDS.index(NOTHING)
_BLANK, _COLOURS = SIGNS.index("blank"), [SIGNS.index(colour) for colour in COLOURS]
_SIGN_OF = {(k, f): SIGNS.index(sign_of(Die(k, f))) for k, faces in FACES.items() for f in faces}


@dataclass(frozen=True, eq=False)
class Odds:
    """What a die may be: probabilities of its kind and, apart from that, of its sign."""

    kinds: Array
    """Shape (len(KINDS),)."""
    signs: Array
    """Shape (len(SIGNS),)."""

    def faces(
        self, expect: Sequence[str] | None = None, awkward: float = 1.0
    ) -> Mapping[Die, float]:
        """Return the probability of each face; they sum to less than 1 where it cannot be told.

        Parameters
        ----------
        expect : kinds that can lie there; ``None`` for any. A die of another kind but the same
            shape is then taken for the expected one: a cannonball is told as a ``d20`` if only
            that is expected.
        awkward : how many times more often than where the networks learnt a die cannot be told.
        """
        odds = {kind: float(self.kinds[k]) for k, kind in enumerate(KINDS) if kind != NOTHING}
        if expect is not None:
            odds = _narrowed(odds, expect)
        signs = self.signs
        if expect is not None and "colour" not in expect:
            signs = signs.copy()  # a side of any colour without a sign is blank
            signs[_BLANK] += signs[_COLOURS].sum()
        both = {
            Die(kind, face): p * float(signs[_SIGN_OF[kind, face]])
            for kind, p in odds.items()
            for face in FACES[kind]
        }
        known, fitting = sum(odds.values()), sum(both.values())
        # Kind and sign must fit together; what does not is ruled out, up to half of all.
        share = max(fitting / known, 0.5) if known else 1.0
        share *= 1 + (awkward - 1) * float(self.kinds[_NOTHING])
        return {die: p / share for die, p in both.items() if p / share >= _LEAST_TOLD}


def _narrowed(odds: Mapping[str, float], expect: Sequence[str]) -> dict[str, float]:
    """Give the probability of what cannot be there to what is most like it."""
    shapes: dict[str, float] = {}
    for kind, p in odds.items():
        shapes[SHAPES[kind]] = shapes.get(SHAPES[kind], 0.0) + p
    wanted = [kind for kind in FACES if kind in expect]
    told = {}
    for kind in wanted:
        alike = [k for k in wanted if SHAPES[k] == SHAPES[kind]]
        known = sum(odds[k] for k in alike)
        part = odds[kind] / known if known > 1e-6 else 1 / len(alike)
        told[kind] = shapes[SHAPES[kind]] * part
    known, every = sum(told.values()), sum(odds.values())
    if known < _FOREIGN or every == 0:
        return {kind: odds[kind] for kind in wanted}
    return {kind: p * every / known for kind, p in told.items()}


class DieTeller:
    """Tells kind and face of dice whose boxes are known."""

    def __init__(self) -> None:
        self._whole = _Network("teller.onnx", (len(KINDS), len(SIGNS)), WARMTH, EVENED)
        self._second = _Network("second.onnx", (len(KINDS), len(SIGNS)), SECOND_WARMTH, EVENED)
        self._close = _Network("close.onnx", (len(CLOSE_SIGNS),), CLOSE_WARMTH, 1.0)

    def tell(self, picture: Image, boxes: Sequence[Box]) -> list[Odds]:
        """Return what each die may be.

        Each is shown to a network upright and upside down, and if that is not plain, in two more
        quarter turns to a second one, which has learnt otherwise: what only one of them tells, or
        only one way up, is told badly, and the mean says so. A sign that stands on the top side
        alone is looked at from near.
        """
        if not boxes:
            return []
        odds = self._whole.odds([cut_crop(picture, box) for box in boxes], _surest, self._second)
        kinds, signs = odds[:, : len(KINDS)], odds[:, len(KINDS) :]
        close = kinds[:, _CLOSE_KINDS].sum(axis=1)
        near = np.flatnonzero(close > _LEAST_CLOSE)
        if len(near):
            likely = kinds[near][:, _CLOSE_KINDS].argmax(axis=1)
            crops = [
                cut_crop(picture, boxes[int(n)], CLOSE_PX, CLOSE_AROUND[SHAPES[CLOSE_KINDS[k]]])
                for n, k in zip(near, likely, strict=True)
            ]
            told = self._close.odds(crops, lambda part: part.max(axis=1))[:, 1:]
            share = (close[near] / kinds[near, 1:].sum(axis=1))[:, None]
            signs[near] *= 1 - share
            signs[np.ix_(near, _CLOSE_SIGNS)] += share * told
        return [Odds(k, s) for k, s in zip(kinds, signs, strict=True)]


def _surest(odds: Array) -> Array:
    """Return how sure the whole look is of each die; signs that are looked at from near aside."""
    kinds, signs = odds[:, : len(KINDS)], odds[:, len(KINDS) :]
    near = np.isin(kinds.argmax(axis=1), _CLOSE_KINDS)
    return np.asarray(kinds.max(axis=1) * np.where(near, 1.0, signs.max(axis=1)))


class _Network:
    """A network that classifies crops, in one or more ways."""

    def __init__(self, name: str, classes: tuple[int, ...], warmth: float, middle: float) -> None:
        weights = (resources.files("vision.dice") / name).read_bytes()
        self._net = cv2.dnn.readNetFromONNX(np.frombuffer(weights, np.uint8))
        self._ends: list[int] = np.cumsum(classes)[:-1].tolist()
        self._warmth, self._middle = warmth, middle
        self._lock = threading.Lock()

    def odds(
        self,
        crops: Sequence[Image],
        surest: Callable[[Array], Array],
        second: _Network | None = None,
    ) -> Array:
        """Return odds (N, classes) of each crop, over two or four quarter turns.

        The other two turns are shown to the `second` network, if there is one.
        """
        logits = self._logits(crops, (0, 2))
        odds = self._odds(logits)
        unsure = np.flatnonzero(surest(odds) < _DOUBTFUL)
        if len(unsure):
            more = (second or self)._logits([crops[int(k)] for k in unsure], (1, 3))
            odds[unsure] = self._odds((logits[unsure] + more) / 2)
        return odds

    def _logits(self, crops: Sequence[Image], turns: tuple[int, ...]) -> Array:
        """Return the mean logits (N, classes) over some quarter turns, divided by the warmth."""
        even = [evened(crop, self._middle) for crop in crops]
        shown: Array = np.stack([np.rot90(crop, k) for k in turns for crop in even])
        with self._lock:
            self._net.setInput(np.ascontiguousarray(shown.transpose(0, 3, 1, 2)))
            told = np.asarray(self._net.forward())
        return np.asarray(told.reshape(len(turns), len(crops), -1).mean(axis=0) / self._warmth)

    def _odds(self, logits: Array) -> Array:
        parts = np.split(logits, self._ends, axis=1)
        return np.concatenate([_softmax(part) for part in parts], axis=1)


def evened(crop: Array, middle: float = 1.0) -> Array:
    """Return a crop as the networks take it: its middle has mean 0 and spread 1 over all channels.

    Parameters
    ----------
    crop : (size, size, 3) uint8.
    middle : share of the side that counts as the middle; what lies around it is cut at `MOST`.
    """
    values = crop.astype(np.float32) / 255
    edge = round(len(crop) * (1 - middle) / 2)
    inner = values[edge : len(crop) - edge, edge : len(crop) - edge]
    even = (values - inner.mean()) / (inner.std(ddof=1) + 0.02)
    return np.asarray(even if middle == 1 else np.clip(even, -MOST, MOST), np.float32)


def _softmax(logits: Array) -> Array:
    odds = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(odds / odds.sum(axis=1, keepdims=True))
