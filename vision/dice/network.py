"""The small network that tells a die from its patch, run by OpenCV."""

from __future__ import annotations

import threading
from importlib import resources

import cv2
import numpy as np

from vision.dice.labels import CLASSES, PATCH_PX
from vision.frame import Array, Image

_TURNS = 4


class DieNetwork:
    """Probabilities of the classes (`vision.dice.labels`) for patches. Safe between threads."""

    def __init__(self) -> None:
        weights = (resources.files("vision.dice") / "dice.onnx").read_bytes()
        self._net = cv2.dnn.readNetFromONNX(np.frombuffer(weights, np.uint8))
        self._lock = threading.Lock()

    def classify(self, patches: list[Image]) -> Array:
        """Return probabilities (N, CLASSES), each row summing to 1.

        Each patch is shown in four quarter turns: a numeral that is told only one way up is told
        badly, and the mean of the four says so.
        """
        if not patches:
            return np.zeros((0, CLASSES))
        shown = np.stack([_evened(p) for p in patches])
        turned = np.concatenate([np.rot90(shown, k, axes=(1, 2)) for k in range(_TURNS)])
        with self._lock:
            self._net.setInput(np.ascontiguousarray(turned.transpose(0, 3, 1, 2)))
            logits: Array = self._net.forward().reshape(_TURNS, len(patches), CLASSES)
        logits = logits - logits.max(axis=2, keepdims=True)
        odds = np.exp(logits)
        return np.asarray((odds / odds.sum(axis=2, keepdims=True)).mean(axis=0))


def _evened(patch: Image) -> Array:
    """Return the patch with mean 0 and spread 1, as the network was trained."""
    if patch.shape != (PATCH_PX, PATCH_PX, 3):
        raise ValueError(f"a patch is {PATCH_PX} px square, not of shape {patch.shape}")
    values = patch.astype(np.float32) / 255
    return np.asarray((values - values.mean()) / (values.std(ddof=1) + 0.02), np.float32)
