"""The three small networks of the dice reader, run by OpenCV. Safe between threads."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from importlib import resources

import cv2
import numpy as np

from vision.dice import cannon, sail
from vision.dice.labels import CLASSES, PATCH_PX
from vision.dice.sail import VIEW_PX
from vision.frame import Array, Image

_TURNS = 4
_LEAST = 0.02
"""No single view rules a value out altogether."""


class DieNetwork:
    """Probabilities of the classes (`vision.dice.labels`) for patches."""

    def __init__(self) -> None:
        self._network = _Network("dice.onnx", PATCH_PX)

    def classify(self, patches: list[Image]) -> Array:
        """Return probabilities (N, CLASSES), each row summing to 1.

        Each patch is shown in four quarter turns: a numeral that is told only one way up is told
        badly, and the mean of the four says so.
        """
        if not patches:
            return np.zeros((0, CLASSES))
        turned = [np.rot90(patch, k) for k in range(_TURNS) for patch in patches]
        odds = self._network.odds(turned).reshape(_TURNS, len(patches), CLASSES)
        return np.asarray(odds.mean(axis=0))


class SideNetwork:
    """Probabilities of what a sail die is worth, from the views of its sides."""

    def __init__(self) -> None:
        self._network = _Network("sides.onnx", VIEW_PX)

    def values(self, views: list[Image]) -> Array:
        """Return probabilities (4,): of no such numeral, then of `sail.VALUES`."""
        if not views:
            return np.array([1.0, *(0.0 for _ in sail.VALUES)])
        told = np.log(np.maximum(self._network.odds(views), _LEAST)).sum(axis=0)
        odds = np.exp(told - told.max())
        return np.asarray(odds / odds.sum())


class TopNetwork:
    """Probabilities of what a cannonball die is worth, from the view of its top side."""

    def __init__(self) -> None:
        self._network = _Network("tops.onnx", VIEW_PX)

    def values(self, view: Image) -> Array:
        """Return probabilities (6,): of no numeral, then of `cannon.VALUES`.

        Nobody knows which way up the numeral is, so all ways are tried and weigh alike.
        """
        half = (VIEW_PX - 1) / 2
        slanted = cv2.warpAffine(
            view,
            cv2.getRotationMatrix2D((half, half), 45, 1.0),
            (VIEW_PX, VIEW_PX),
            borderMode=cv2.BORDER_REPLICATE,
        )
        turned = [np.rot90(v, k) for v in (view, slanted) for k in range(_TURNS)]
        odds = self._network.odds(turned).mean(axis=0)
        return np.asarray(odds).reshape(1 + len(cannon.VALUES))


class _Network:
    def __init__(self, name: str, size: int) -> None:
        weights = (resources.files("vision.dice") / name).read_bytes()
        self._net = cv2.dnn.readNetFromONNX(np.frombuffer(weights, np.uint8))
        self._size = size
        self._lock = threading.Lock()

    def odds(self, pictures: Sequence[Array]) -> Array:
        """Return probabilities (N, classes) of pictures of the network's size."""
        shown = np.stack([self._evened(picture) for picture in pictures])
        with self._lock:
            self._net.setInput(np.ascontiguousarray(shown.transpose(0, 3, 1, 2)))
            logits = np.asarray(self._net.forward()).reshape(len(pictures), -1)
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(odds / odds.sum(axis=1, keepdims=True))

    def _evened(self, picture: Array) -> Array:
        """Return the picture with mean 0 and spread 1, as the networks were trained."""
        if picture.shape != (self._size, self._size, 3):
            raise ValueError(f"a patch is {self._size} px square, not of shape {picture.shape}")
        values = picture.astype(np.float32) / 255
        return np.asarray((values - values.mean()) / (values.std(ddof=1) + 0.02), np.float32)
