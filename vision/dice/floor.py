"""What lies on the floor of the tray: all that is neither floor nor shadow."""

from __future__ import annotations

from functools import cached_property

import cv2
import numpy as np

from companion.boards.profile import XY
from vision.dice.edges import Edges
from vision.dice.tray import MARGIN_MM, PX_PER_MM, TrayView, to_rectified
from vision.frame import Array, Image

_LEAST_PX = 70.0 * PX_PER_MM**2
"""What covers less than 70 mm2 is dust; the smallest die covers 170."""
_LEAST_STEP = 16.0
"""Grey levels by which a die differs from the floor at least."""
_DARKEST_SHADOW = 0.42
_BRIGHTEST_FLOOR = 1.12
_SHRINK = 2
_SAMPLED = 5
"""Of every so many places one says how much the floor usually differs from itself."""
_EDGE_MM = 3.0
"""The foot of the walls is left out: shadows and slight errors of the corners meet there."""


class BareFloor:
    """The floor without dice, made ready to be held against one picture after the other.

    Parameters
    ----------
    rectified : (H, W, 3), the tray without dice as `TrayView.rectify` shows it.
    """

    def __init__(self, rectified: Array) -> None:
        self._size = rectified.shape[1] // _SHRINK, rectified.shape[0] // _SHRINK
        self._bare = self._shrunk(rectified)
        self._squares = self._bare**2
        rows, columns = np.mgrid[0 : self._size[1], 0 : self._size[0]]
        self._border = _border(rows * _SHRINK, columns * _SHRINK, rectified.shape)

    def differs(self, rectified: Image) -> Image:
        """Return a mask (H, W) uint8, 0 or 255, of what lies on the floor in another picture."""
        away = self._away(self._shrunk(rectified))
        usual = float(np.median(away[~self._border][::_SAMPLED]))
        is_thing = (away > max(_LEAST_STEP**2, 4.5**2 * usual)) & ~self._border
        found = cv2.medianBlur(is_thing.astype(np.uint8) * 255, 3)
        found = cv2.morphologyEx(found, cv2.MORPH_CLOSE, _disc(7))
        size = rectified.shape[1], rectified.shape[0]
        full = cv2.resize(_filled(np.asarray(found, np.uint8)), size)
        return np.asarray(cv2.threshold(full, 127, 255, cv2.THRESH_BINARY)[1], np.uint8)

    def _away(self, seen: Array) -> Array:
        """Return by how much (squared, grey levels) a shrunk picture differs from the floor.

        The floor under a shadow is the same colour times a factor: the best factor is taken out.
        """
        gain = _gain(seen, self._bare)[None]
        both = np.asarray(cv2.transform(cv2.multiply(seen, self._bare), gain))
        bare = np.asarray(cv2.transform(self._squares, gain**2))
        share = np.clip(both / np.maximum(bare, 1.0), _DARKEST_SHADOW, _BRIGHTEST_FLOOR)
        own = np.asarray(cv2.transform(cv2.multiply(seen, seen), np.ones_like(gain)))
        return np.asarray(own + share * (share * bare - 2 * both))

    def _shrunk(self, rectified: Array) -> Array:
        small = cv2.resize(rectified, self._size, interpolation=cv2.INTER_AREA)
        return np.asarray(small, np.float32)


class SeenFloor:
    """The tray in one picture; what is seen of its floor is worked out when it is asked for.

    Parameters
    ----------
    picture : (H, W, 3) uint8.
    view : where the tray is in it.
    """

    def __init__(self, picture: Image, view: TrayView) -> None:
        self.picture = picture
        self.view = view

    @cached_property
    def rectified(self) -> Image:
        """The tray as seen from straight above (`TrayView.rectify`)."""
        return self.view.rectify(self.picture)

    def edges_around(self, place_mm: XY, reach_mm: float) -> Edges:
        """Return the edges of the rectified tray around a place of the floor, in its pixels."""
        reach = round(reach_mm * PX_PER_MM)
        x, y = (int(v) for v in np.round(to_rectified(np.asarray(place_mm))))
        height, width = self.rectified.shape[:2]
        left, top = min(max(x - reach, 0), width - 1), min(max(y - reach, 0), height - 1)
        right, bottom = max(x + reach + 1, left + 1), max(y + reach + 1, top + 1)
        return Edges(np.ascontiguousarray(self.rectified[top:bottom, left:right]), (left, top))


def things_on(mask: Image) -> tuple[tuple[int, int, int, int], ...]:
    """Return the boxes (left, top, right, bottom) of what is large enough to be a die."""
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    boxes = [cv2.boundingRect(c) for c in contours if cv2.contourArea(c) > _LEAST_PX]
    return tuple((x, y, x + width, y + height) for x, y, width, height in boxes)


def _gain(seen: Array, bare: Array) -> Array:
    """Return by how much each channel has changed over all, e.g. by the camera's exposure."""
    inner = slice(seen.shape[0] // 8, -seen.shape[0] // 8)
    some = seen[inner].reshape(-1, 3)[::7], bare[inner].reshape(-1, 3)[::7]
    gain = np.median((some[0] + 2.0) / (some[1] + 2.0), axis=0)
    return np.asarray(np.clip(gain, 0.6, 1.6), np.float32)


def _border(rows: Array, columns: Array, shape: tuple[int, ...]) -> Array:
    """Tell which places are outside the floor, or at its very edge."""
    inset = (MARGIN_MM + _EDGE_MM) * PX_PER_MM
    outside_rows = (rows < inset) | (rows > shape[0] - inset)
    return np.asarray(outside_rows | (columns < inset) | (columns > shape[1] - inset))


def _filled(mask: Array) -> Image:
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    filled = np.zeros_like(mask)
    cv2.drawContours(filled, contours, -1, (255,), -1)
    return np.asarray(filled)


def _disc(size: int) -> Array:
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)))
