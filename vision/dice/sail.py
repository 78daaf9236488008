"""The tetrahedron: what its top corner is worth, read on each of the sides around it.

From above a side is seen at a third of its height, so its numerals are flat smears. But the die
lies in known ways only: the outline is its base, which gives place and turn, and the camera's place
gives the corner on top. So each visible side is laid flat and upright, with the numeral next to the
top corner in the middle of a small view, and up to three of these views tell the same value.
"""

from __future__ import annotations

import threading
from importlib import resources

import cv2
import numpy as np

from vision.dice.base import EDGE_MM, Base, fit_base, outline_mm, seek_base, spokes
from vision.dice.crops import Box
from vision.dice.floor import SeenFloor
from vision.dice.kinds import KINDS, SHAPES, SIGNS
from vision.dice.teller import Odds, evened
from vision.frame import Array, Image

VIEW_PX = 28
VIEW_MM = 10.0
"""Side of the square that a view shows."""
VALUES = (2, 3, 4)
"""Classes 1 to 3 of the network; class 0 is no such numeral."""
_TETRAHEDRA = [k for k, kind in enumerate(KINDS) if SHAPES.get(kind) == "tetrahedron"]
_SIGNS = np.array([SIGNS.index(str(value)) for value in VALUES])
_LEAST_TOLD = 0.05
"""Probability of a tetrahedron from which on its sides are looked at."""
_LEAST = 0.02
"""No single view rules a value out altogether."""
_COVERED = 0.3
"""Share of sides that a neighbour hides, or a reflection."""
_MOST_MISFIT_MM = 2.0
_MOST_OFF_MM = 3.5
"""A sail die whose outline is farther from its base than this is cocked or half hidden."""
_REACH = 0.5
"""Where numerals stand on the way from the middle of a side to the corner."""
_GRAZING = 0.1
"""Sides seen at a flatter angle than this (cosine) show nothing."""


class SailTeller:
    """Tells sail dice in a tray whose camera is known. Safe between threads."""

    def __init__(self) -> None:
        weights = (resources.files("vision.dice") / "sides.onnx").read_bytes()
        self._net = cv2.dnn.readNetFromONNX(np.frombuffer(weights, np.uint8))
        self._lock = threading.Lock()

    def told(self, floor: SeenFloor, box: Box, odds: Odds) -> tuple[Odds, Base | None]:
        """Return the odds of a die with what its sides say, if it may be a sail, and its base.

        Parameters
        ----------
        floor : the tray in the picture.
        box : the die's in the picture.
        odds : what the die may be, by its looks.
        """
        sure = float(odds.kinds[_TETRAHEDRA].sum())
        if sure < _LEAST_TOLD:
            return odds, None
        signs = (1 - sure) * odds.signs
        view = floor.view
        base = fit_base(outline_mm(floor.mask, box, view))
        if not _is_plain(base):  # it touches something, or is half hidden
            base = seek_base(floor.rectified, box, view)
        if not _is_plain(base):
            return Odds(odds.kinds, signs), None
        views = side_views(floor.picture, view.to_picture, base, view.camera_mm)
        signs[_SIGNS] += sure * self._values(views)
        return Odds(odds.kinds, signs), base

    def _values(self, views: list[Image]) -> Array:
        """Return the probabilities (3,) of `VALUES`; the rest: no such numeral."""
        if not views:
            return np.zeros(len(VALUES))
        shown = np.stack([evened(view) for view in views]).transpose(0, 3, 1, 2)
        with self._lock:
            self._net.setInput(np.ascontiguousarray(shown))
            logits = np.asarray(self._net.forward()).reshape(len(views), -1)
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        odds /= odds.sum(axis=1, keepdims=True)
        # A side of a sail shows its value, or is covered; all sides of what is none show nothing.
        shown_by = (1 - _COVERED) * odds[:, 1:] + _COVERED * odds[:, :1]
        joint = np.maximum(np.concatenate([odds[:, :1], shown_by], axis=1), _LEAST).prod(axis=0)
        return np.asarray(joint[1:] / joint.sum())


def _is_plain(base: Base) -> bool:
    return base.misfit_mm < _MOST_MISFIT_MM and abs(base.edge_mm - EDGE_MM) < _MOST_OFF_MM


def side_views(picture: Image, to_picture: Array, base: Base, camera_mm: Array) -> list[Image]:
    """Return the visible sides laid flat, each (28, 28, 3), the top corner upward.

    Parameters
    ----------
    picture : (H, W, 3) uint8.
    to_picture : homography (3, 3) from the floor in millimetres to the picture.
    camera_mm : position (3,) of the camera over the floor, height upward.
    """
    radius = base.edge_mm / 3**0.5
    feet = np.concatenate([base.centre_mm + radius * spokes(base.turn), np.zeros((3, 1))], axis=1)
    top = np.array([*base.centre_mm, base.edge_mm * (2 / 3) ** 0.5])
    views = []
    for k in range(3):
        left, right = feet[k], feet[(k + 1) % 3]
        middle = (left + right + top) / 3
        up = (top - middle) / np.linalg.norm(top - middle)
        # The picture's frame is left-handed (y down, height up): this points right for who looks.
        across = (left - right) / base.edge_mm
        outward = middle - np.array([*base.centre_mm, top[2] / 4])
        sight = camera_mm - middle
        cos = outward @ sight / (np.linalg.norm(outward) * np.linalg.norm(sight))
        if cos < _GRAZING:
            continue
        numeral = middle + _REACH * (top - middle)
        half = VIEW_MM / 2 * base.edge_mm / EDGE_MM
        square = [numeral + half * (a * across + b * up) for a, b in _SQUARE]
        views.append(laid_flat(picture, to_picture, np.array(square), camera_mm))
    return views


_SQUARE = ((-1, 1), (1, 1), (1, -1), (-1, -1))


def laid_flat(picture: Image, to_picture: Array, square: Array, camera_mm: Array) -> Image:
    """Show a square (4, 3) of space from its front."""
    reach = camera_mm[2] / (camera_mm[2] - square[:, 2:3])
    floor = camera_mm[:2] + (square[:, :2] - camera_mm[:2]) * reach
    seen = cv2.perspectiveTransform(floor[None].astype(np.float64), to_picture)[0]
    end = VIEW_PX - 0.5
    shown = np.array([[-0.5, -0.5], [end, -0.5], [end, end], [-0.5, end]], np.float32)
    how = cv2.getPerspectiveTransform(seen.astype(np.float32), shown)
    flat = cv2.warpPerspective(
        picture, how, (VIEW_PX, VIEW_PX), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(flat, np.uint8)
