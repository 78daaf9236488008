"""Whether the outline of a die is that of one that lies flat and alone.

By itself a die that is seen from aside looks like one that leans. In a tray the camera is known,
and what is not floor shows each die's outline: of all dice of its shape that lie flat, of any size,
turn and place, one has about the same. The outline of a cocked die, or of two on top of each other,
is no such die's.

Outlines are held against each other by how far they reach in each direction. Round edges and a mask
that is a little too large add the same everywhere, and a shift adds a wave: both are taken out.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import cv2
import numpy as np

from vision.dice.crops import Box, middle_of
from vision.dice.tray import MARGIN_MM, PX_PER_MM, TrayView, on_floor
from vision.frame import Array, Image
from vision.polyhedra import laid

_WAYS = 36
_ANGLES = np.arange(_WAYS) * 2 * np.pi / _WAYS
_DIRECTIONS = np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], axis=1)
_FREE = np.concatenate([_DIRECTIONS, np.ones((_WAYS, 1))], axis=1)
_LEFT = np.eye(_WAYS) - _FREE @ np.linalg.pinv(_FREE)
"""Takes shift and roundness out of a reach."""
_MOST_SHORT = 0.1
"""By so much of its size an outline may be smaller than the box in which the die was found."""
_LEAST_APART_MM = 11.0
"""Middles of dice side by side are farther from each other."""
_USUAL, _BEFORE, _REMEMBERED, _MUCH_MORE = 0.5, 6, 60, 2.0
"""Plain dice have half the misfit that is too much: as if so many had been seen before. So many are
remembered, and a die has far more than is usual from twice as much."""
_SAME_PLACE_MM = 2.0
"""What lies so near a die that is remembered is that one."""


@dataclass(frozen=True, eq=False)
class _Shape:
    """Corners (N, 3) of a die of height 1 on the floor, and what turns (degrees) look different."""

    corners: Array
    period_deg: float
    sizes_mm: Array
    most_misfit_mm: float
    """From this misfit on a die of this shape is doubted. Chosen on virtual trays: of plain dice 1
    in 100 has more (of trapezohedra 4), of cocked cubes nine in ten, of dice on a cube seven or
    eight; a cocked icosahedron or trapezohedron has about the outline of a flat one."""


# A d10 a tenth longer or flatter than this one still fits.
_SHAPES = {
    "cube": _Shape(laid(6), 90.0, np.arange(10.0, 21.0), 0.45),
    "tetrahedron": _Shape(laid(4), 120.0, np.arange(11.0, 22.0), 0.45),
    "icosahedron": _Shape(laid(20), 120.0, np.arange(14.0, 25.0), 0.65),
    "octahedron": _Shape(laid(8), 120.0, np.arange(11.0, 20.0), 0.5),
    "dodecahedron": _Shape(laid(12), 72.0, np.arange(13.0, 23.0), 0.4),
    "trapezohedron": _Shape(laid(10), 360.0, np.arange(12.0, 21.0), 0.5),
}
JUDGED = tuple(_SHAPES)
"""Shapes whose outlines are judged."""
_STEP_DEG = 8.0
"""By so much a die is turned when it is first held against an outline; then finer."""
_FINER_DEG, _FINER_MM = np.arange(-4, 4.1, 2), np.array([-0.5, 0.0, 0.5])


def contours_of(mask: Image) -> Sequence[Array]:
    """Return the contours, px, of what lies in the rectified tray (`BareFloor.differs`)."""
    return cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]


def outline_of(
    contours: Sequence[Array], view: TrayView, box: Box, beside: Sequence[Box] = ()
) -> Array | None:
    """Return the outline (N, 2) of a die, mm on the floor; ``None`` if that is not plain.

    It may touch another, or have the colour of the floor in part.

    Parameters
    ----------
    contours : of all that lies in the tray.
    view : of the tray.
    box : of the die in the picture.
    beside : boxes of other dice.
    """
    middle, *others = view.rectified(np.array([middle_of(b) for b in (box, *beside)]))
    for contour in contours:
        if cv2.pointPolygonTest(contour, middle.tolist(), False) < 0:
            continue
        apart = [
            float(np.linalg.norm(other - middle)) / PX_PER_MM
            for other in others
            if cv2.pointPolygonTest(contour, other.tolist(), False) >= 0
        ]
        outline = (contour[:, 0] + 0.5) / PX_PER_MM - MARGIN_MM
        is_alone = max(apart, default=0.0) < _LEAST_APART_MM
        return outline if is_alone and _fills(view.to_pixels(outline), box) else None
    return None


def _fills(outline_px: Array, box: Box) -> bool:
    x, y, width, height = box
    low, far = outline_px.min(axis=0), outline_px.max(axis=0)
    short = max(*(low - [x, y]), *([x + width, y + height] - far))
    return bool(short < _MOST_SHORT * max(width, height))


class Flatness:
    """Tells dice that lie flat and alone from others, by what is usual in one tray.

    In bad light, or where dice have the colour of the floor, the outlines of all of them are poor:
    then a die that fits no worse than most is no reason for a doubt. One that lies there for many
    pictures is one die: a cocked one does not become usual.
    """

    def __init__(self) -> None:
        self._seen: deque[tuple[Array, float]] = deque(maxlen=_REMEMBERED)
        """Places (2,) of the dice seen last, and their misfits in shares of what is too much."""

    def lie_flat(self, outlines: Sequence[tuple[Array, str]], view: TrayView) -> list[bool]:
        """Tell which outlines of a picture, and shapes, are those of dice that lie flat.

        See `misfit_mm`.
        """
        shares = [misfit_mm(o, s, view) / _SHAPES[s].most_misfit_mm for o, s in outlines]
        for (outline, _), share in zip(outlines, shares, strict=True):
            place = outline.mean(axis=0)
            if all(np.hypot(*(place - other)) > _SAME_PLACE_MM for other, _ in self._seen):
                self._seen.append((place, share))
        usual = median([*[_USUAL] * _BEFORE, *(share for _, share in self._seen)])
        return [share < max(1.0, _MUCH_MORE * usual) for share in shares]


def misfit_mm(outline: Array, shape: str, view: TrayView) -> float:
    """Return by how much an outline differs from that of a die of a shape that lies flat.

    Parameters
    ----------
    outline : (N, 2), mm on the floor.
    shape : one of `JUDGED`.
    view : of the tray.

    Returns
    -------
    Root of the mean square over all directions, mm, of the die that differs least.
    """
    die = _SHAPES[shape]
    lean = view.camera_mm[2] / (view.camera_mm[2] - die.sizes_mm.mean() / 2)
    place = view.camera_mm[:2] + (outline.mean(axis=0) - view.camera_mm[:2]) / lean
    seen = ((outline - place) @ _DIRECTIONS.T).max(axis=0)
    turns, sizes = np.arange(0, die.period_deg, _STEP_DEG), die.sizes_mm
    misfits = _misfits(seen, die, view.camera_mm, place, turns, sizes)
    turn, size = np.unravel_index(misfits.argmin(), misfits.shape)
    finer = (turns[turn] + _FINER_DEG, sizes[size] + _FINER_MM)
    return float(_misfits(seen, die, view.camera_mm, place, *finer).min())


def _misfits(
    seen: Array, die: _Shape, camera_mm: Array, place: Array, turns_deg: Array, sizes_mm: Array
) -> Array:
    """Return how badly dice fit that are turned so and so large, (turns, sizes) mm."""
    cos, sin = np.cos(np.radians(turns_deg)), np.sin(np.radians(turns_deg))
    turn = np.stack([np.stack([cos, -sin], -1), np.stack([sin, cos], -1)], -2)
    # Corners come first: numpy is much slower at the most along an axis in the middle.
    corners = np.empty((len(die.corners), len(turns_deg), len(sizes_mm), 3))
    flat = (die.corners[:, :2] @ turn.swapaxes(1, 2)).swapaxes(0, 1)
    corners[..., :2] = place + flat[:, :, None] * sizes_mm[:, None]
    corners[..., 2] = die.corners[:, 2, None, None] * sizes_mm
    seen_mm = (on_floor(corners, camera_mm) - place).reshape(-1, 2)
    reach = (seen_mm @ _DIRECTIONS.T).reshape(*corners.shape[:3], _WAYS).max(axis=0)
    return np.asarray(np.sqrt((((seen - reach) @ _LEFT) ** 2).mean(axis=-1)))
