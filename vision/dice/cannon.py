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
_PLAIN = 0.97
"""Probability of a numeral or none, from which on it is plain at first sight."""
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
        self,
        picture: Image,
        places_mm: Sequence[XY],
        view: TrayView,
        odds: Sequence[Odds],
        kinds: Sequence[str],
    ) -> list[Odds]:
        """Return the odds of dice with what their top sides say, where they may be cannonballs.

        Parameters
        ----------
        picture : (H, W, 3) uint8.
        places_mm : where the dice stand on the floor.
        view : of the tray.
        odds : what the dice may be, by their looks.
        kinds : which of these are taken for cannonballs.
        """
        balls = [KINDS.index(kind) for kind in kinds]
        sure = [float(o.kinds[balls].sum()) for o in odds]
        told = list(odds)
        near = [k for k, share in enumerate(sure) if share >= _LEAST_TOLD]
        shown = self._tops(picture, [np.array(places_mm[k]) for k in near], view)
        for k, top in zip(near, shown, strict=True):
            # Both looks must agree: the wide one knows which side is on top, the near one what it
            # says.
            both = top[1:] * np.maximum(odds[k].signs[_SIGNS], _LEAST_AGREED)
            signs = (1 - sure[k]) * odds[k].signs
            signs[_SIGNS] += sure[k] * (1 - top[0]) * both / both.sum()
            told[k] = Odds(odds[k].kinds, signs)
        return told

    def _tops(self, picture: Image, places_mm: Sequence[Array], view: TrayView) -> list[Array]:
        """Return the probabilities (6,) of the top side of each die, looked for beside as well."""
        found: list[Array] = [np.array([np.inf])] * len(places_mm)
        for asides in (_ASIDE_MM[:1], _ASIDE_MM[1:]):
            unseen = [k for k, top in enumerate(found) if top[0] >= _NO_TOP]
            spots = [(k, aside) for k in unseen for aside in asides]
            if not spots:
                break
            views = [
                top_view(picture, view.to_picture, places_mm[k] + aside, view.camera_mm)
                for k, aside in spots
            ]
            for (k, _), told in zip(spots, self._values(views), strict=True):
                if told[0] < found[k][0]:
                    found[k] = told
        return found

    def _values(self, views: Sequence[Image]) -> Array:
        """Return probabilities (N, 6): of no numeral, then of `VALUES`.

        Nobody knows which way up a numeral is: quarter turns are tried and weigh alike, and where
        that leaves a doubt those in between as well.
        """
        odds = self._turned(views)
        unsure = np.flatnonzero(odds.max(axis=1) < _PLAIN)
        if len(unsure):
            odds[unsure] = (
                odds[unsure] + self._turned([_slanted(views[int(k)]) for k in unsure])
            ) / 2
        return odds

    def _turned(self, views: Sequence[Image]) -> Array:
        """Return the mean probabilities (N, 6) over four quarter turns."""
        even = [evened(view) for view in views]
        ways: Array = np.stack([np.rot90(view, k) for view in even for k in range(_TURNS)])
        with self._lock:
            self._net.setInput(np.ascontiguousarray(ways.transpose(0, 3, 1, 2)))
            logits = np.asarray(self._net.forward()).reshape(len(views), _TURNS, -1)
        odds = np.exp(logits - logits.max(axis=2, keepdims=True))
        return np.asarray((odds / odds.sum(axis=2, keepdims=True)).mean(axis=1))


def _slanted(view: Image) -> Image:
    """Return a view turned by an eighth."""
    half = (VIEW_PX - 1) / 2
    turn = cv2.getRotationMatrix2D((half, half), 45, 1.0)
    size = (VIEW_PX, VIEW_PX)
    return np.asarray(cv2.warpAffine(view, turn, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)


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
