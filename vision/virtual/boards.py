"""The empty board on its table, lit, as the camera sees it."""

from __future__ import annotations

import cv2
import numpy as np

from companion.boards.profile import BoardProfile
from vision.frame import Array, Image
from vision.printing.raster import rasterise
from vision.printing.shapes import board_shapes
from vision.printing.styles import STYLES
from vision.virtual.lens import Lens
from vision.virtual.light import Light
from vision.virtual.texture import cloth, clouds, of_colours, wood

_PRINT_PX_PER_MM = 3.0
_CLOTH_PX_PER_MM = 2.0
"""Of an open table, which is larger and seen from farther away."""
_TABLE_PX_PER_MM = 1.0
_TABLE_MM = (1600.0, 1200.0)


class BoardOnTable:
    """The surfaces of a table with a printed board, made once; pictures of them at will."""

    def __init__(
        self, profile: BoardProfile, style: str, table: str, rng: np.random.Generator
    ) -> None:
        """Print the board in one of the `STYLES` and make the table's top.

        The cloth of an open table is always blue.
        """
        inset = profile.marker_inset_mm
        self._origin_mm = np.array([-inset, -inset], np.float32)
        self._size_mm = np.array([profile.width_mm, profile.height_mm], np.float32)
        shapes = board_shapes(profile, STYLES["deep" if profile.is_open else style])
        corner, size = (-inset, -inset), (profile.width_mm, profile.height_mm)
        self._scale = _CLOTH_PX_PER_MM if profile.is_open else _PRINT_PX_PER_MM
        flat = rasterise(shapes, corner, size, self._scale)
        if profile.is_open:
            flat = _woven(flat, profile, rng)
        # The camera sees about half of this resolution; without a blur fine lines would flicker.
        self._print = cv2.GaussianBlur(_inked(flat, rng), (0, 0), 0.8)
        top = (round(_TABLE_MM[0] * _TABLE_PX_PER_MM), round(_TABLE_MM[1] * _TABLE_PX_PER_MM))
        self._table = (
            cloth(top, (104, 100, 98), rng) if table == "cloth" else wood(top, (66, 108, 148), rng)
        )

    def picture(self, lens: Lens, light: Light) -> Image:
        """Return the lit picture (H, W, 3), without noise."""
        where = cv2.split(lens.plane_mm())
        middle = self._origin_mm + self._size_mm / 2
        half = np.array(_TABLE_MM, np.float32) / 2
        x, y = ((where[k] - middle[k] + half[k]) * np.float32(_TABLE_PX_PER_MM) for k in (0, 1))
        around = cv2.remap(self._table, x, y, cv2.INTER_LINEAR, None, cv2.BORDER_REFLECT)
        x, y = (
            (where[k] - self._origin_mm[k]) * np.float32(self._scale) - np.float32(0.5)
            for k in (0, 1)
        )
        board = cv2.remap(self._print, x, y, cv2.INTER_LINEAR, None, cv2.BORDER_REPLICATE)
        shadow, cover = self._edges(lens)
        beside = shadow * (1 - cover)
        gains = light.gains(lens.size_px)
        planes = zip(cv2.split(around), cv2.split(board), gains, strict=True)
        return of_colours((table * beside + ink * cover) * gain for table, ink, gain in planes)

    def _edges(self, lens: Lens) -> tuple[Array, Array]:
        """Return the light left beside the board and the board's cover, each (H, W), 0 to 1."""
        (x, y), (w, h) = self._origin_mm, self._size_mm
        corners = np.array([[x, y, 0], [x + w, y, 0], [x + w, y + h, 0], [x, y + h, 0]], float)
        points = [np.round(lens.project(corners) * 16).astype(np.int32)]
        cover = np.zeros(lens.size_px[::-1], np.uint8)
        cv2.fillPoly(cover, points, (255,), cv2.LINE_AA, 4)
        share = cover.astype(np.float32) / 255
        return 1 - 0.35 * cv2.GaussianBlur(share, (0, 0), 3.0), share


def _woven(flat: Image, profile: BoardProfile, rng: np.random.Generator) -> Image:
    """Return a print on cloth, with threads and long waves; its markers are of paper."""
    size = (flat.shape[1], flat.shape[0])
    relief = 0.05 * clouds(size, (90, 3), rng) + 0.05 * clouds(size, (3, 90), rng)
    relief += 0.07 * clouds(size, (520, 190), rng)
    half = profile.marker_side_mm / 2 * 1.4
    for marker in profile.markers:
        low, high = (
            [
                round((c + s * half + profile.marker_inset_mm) * _CLOTH_PX_PER_MM)
                for c in marker.centre_mm
            ]
            for s in (-1, 1)
        )
        relief[max(low[1], 0) : high[1], max(low[0], 0) : high[0]] = 0.0
    return of_colours(plane * (1 + relief) for plane in cv2.split(flat))


def _inked(flat: Image, rng: np.random.Generator) -> Image:
    """Return a print with faint waves and the unevenness of ink on paper."""
    size = (flat.shape[1], flat.shape[0])
    ripples = clouds(size, (70, 18), rng) * 0.02 + clouds(size, (160, 160), rng) * 0.02
    grain = clouds(size, (3, 3), rng) * 0.008
    # Neither black nor white of a printer is perfect.
    uneven = 1 + ripples + grain
    return of_colours((plane * np.float32(226 / 255) + 14) * uneven for plane in cv2.split(flat))
