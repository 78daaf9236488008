"""The icosahedron: a close view of its top side, where the numeral that counts is printed."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from importlib import resources

import cv2
import numpy as np

from companion.boards.profile import XY
from vision.dice.kinds import KINDS, SIGNS
from vision.dice.sail import VIEW_PX, laid_flat
from vision.dice.teller import Odds, evened
from vision.dice.tray import TrayView
from vision.frame import Array, Image

HEIGHT_MM = 22.0
TOP_MM = 11.5
"""Side of the square that a view shows: one numeral, and little of its neighbours."""
VALUES = (1, 2, 3, 4, 5)
"""Classes 1 to 5 of the network; class 0 is no numeral on top."""
_SIGNS = np.array([SIGNS.index(str(value)) for value in VALUES])
_LEAST_TOLD = 0.05
_LEAST_AGREED = 0.15
"""The wide look rules no value out altogether."""
_TURNS = 4
_NO_TOP = 0.15
"""Probability of seeing no top side, from which on it is looked for beside."""
_ASIDE_MM = 1.5 * np.array([[0, 0], [1, 0], [0, 1], [-1, 0], [0, -1]])
"""A box that was found badly is off by this much; the next side's numeral is 8 mm away."""


class CannonTeller:
    """Tells cannonball dice in a tray whose camera is known. Safe between threads."""

    def __init__(self) -> None:
        weights = (resources.files("vision.dice") / "tops.onnx").read_bytes()
        self._net = cv2.dnn.readNetFromONNX(np.frombuffer(weights, np.uint8))
        self._lock = threading.Lock()

    def told(
        self, picture: Image, place_mm: XY, view: TrayView, odds: Odds, kinds: Sequence[str]
    ) -> Odds:
        """Return the odds of a die with what its top side says, if it may be a cannonball.

        Parameters
        ----------
        picture : (H, W, 3) uint8.
        place_mm : where the die stands on the floor.
        view : of the tray.
        odds : what the die may be, by its looks.
        kinds : which of them are taken for cannonballs.
        """
        sure = float(odds.kinds[[KINDS.index(kind) for kind in kinds]].sum())
        if sure < _LEAST_TOLD:
            return odds
        best: Array | None = None
        for aside in _ASIDE_MM:
            shown = top_view(picture, view.to_picture, np.array(place_mm) + aside, view.camera_mm)
            told = self._values(shown)
            if best is None or told[0] < best[0]:
                best = told
            if best[0] < _NO_TOP:
                break
        assert best is not None
        # Both looks must agree: the wide one knows which side is on top, the near one what it says.
        both = best[1:] * np.maximum(odds.signs[_SIGNS], _LEAST_AGREED)
        signs = (1 - sure) * odds.signs
        signs[_SIGNS] += sure * (1 - best[0]) * both / both.sum()
        return Odds(odds.kinds, signs)

    def _values(self, view: Image) -> Array:
        """Return probabilities (6,): of no numeral, then of `VALUES`.

        Nobody knows which way up the numeral is, so all ways are tried and weigh alike.
        """
        half = (VIEW_PX - 1) / 2
        slanted = cv2.warpAffine(
            view,
            cv2.getRotationMatrix2D((half, half), 45, 1.0),
            (VIEW_PX, VIEW_PX),
            borderMode=cv2.BORDER_REPLICATE,
        )
        turned = [evened(np.rot90(v, k)) for v in (view, slanted) for k in range(_TURNS)]
        with self._lock:
            self._net.setInput(np.ascontiguousarray(np.stack(turned).transpose(0, 3, 1, 2)))
            logits = np.asarray(self._net.forward()).reshape(len(turned), -1)
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray((odds / odds.sum(axis=1, keepdims=True)).mean(axis=0))


def top_view(picture: Image, to_picture: Array, middle_mm: Array, camera_mm: Array) -> Image:
    """Return the top side (28, 28, 3) seen from above, whichever way its numeral is turned.

    Parameters
    ----------
    picture : (H, W, 3) uint8.
    to_picture : homography (3, 3) from the floor in millimetres to the picture.
    middle_mm : (2,) where the die stands on the floor.
    camera_mm : position (3,) of the camera over the floor, height upward.
    """
    half = TOP_MM / 2
    square = [[-half, -half], [half, -half], [half, half], [-half, half]]
    flat = np.asarray(square) + middle_mm
    corners = np.concatenate([flat, np.full((4, 1), HEIGHT_MM)], axis=1)
    return laid_flat(picture, to_picture, corners, camera_mm)
