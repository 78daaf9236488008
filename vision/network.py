"""Small networks that come with the packages, run by OpenCV."""

from __future__ import annotations

import gzip
import threading
from importlib import resources

import cv2
import numpy as np

from vision.frame import Array


class StoredNetwork:
    """A trained network. Safe between threads.

    Parameters
    ----------
    package, name : where its weights lie, e.g. ``"vision.dice", "finder.onnx.gz"``; the ending
        tells whether they are compressed.
    """

    def __init__(self, package: str, name: str) -> None:
        weights = (resources.files(package) / name).read_bytes()
        if name.endswith(".gz"):
            weights = gzip.decompress(weights)
        self._net = cv2.dnn.readNetFromONNX(np.frombuffer(weights, np.uint8))
        self._lock = threading.Lock()

    def told(self, shown: Array) -> Array:
        """Return what the network says, shown pictures (N, channels, H, W): (N, ...) float32."""
        with self._lock:
            self._net.setInput(np.ascontiguousarray(shown, np.float32))
            return np.asarray(self._net.forward())
