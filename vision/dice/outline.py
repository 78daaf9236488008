"""Whether the outline of a die is that of one that lies flat and alone.

By itself a die that is seen from aside looks like one that leans. In a tray the camera is known,
and what is not floor shows each die's outline: of all dice of its shape that lie flat, of any size,
turn and place, one has about the same. The outline of a cocked die, or of two on top of each other,
is no such die's.

Outlines are held against each other by how far they reach in each direction. Round edges and a mask
that is a little too large add the same everywhere, and a shift adds a wave: both are taken out.
How far they reach on the mean tells how large a die looks, and so whether it lies higher than its
like.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import cv2
import numpy as np

from vision.dice.crops import Box, middle_of
from vision.dice.kinds import SHAPES
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
FITS, MISFITS, LIES_ON = 0.5, 50.0, 500.0
"""A doubt that a die lies flat weighs so many times as much if its outline is that of such a die,
if it is not, and if it is that of one which lies on another. Chosen on virtual trays, whose
outlines are plain, and on trays with thrown dice: there coloured shadows spoil one in ten."""
_USUAL, _BEFORE, _REMEMBERED, _MUCH_MORE = 0.5, 6, 60, 2.0
"""Plain dice have half the misfit that is too much: as if so many had been seen before. So many are
remembered, and a die has far more than is usual from twice as much."""
_WELL, _SIZES = 0.75, 200
"""An outline with less than this share of that misfit tells its die's size; so many sizes of a kind
are remembered."""
_MOST_LIFTED_MM, _MOST_SUNK_MM = 45.0, 6.0
"""What would have to lie so much higher than its like to look as it does, or so much lower, is a
die of another size."""
_SOME, _FEW = 2, 3
"""A die lies higher than so many of its like at least, and at most so many are as large, itself one
of them: one that is a little larger than others is soon known."""
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
    least_lifted_mm: float = 12.0
    """What looks as large as its like would so much higher may lie on another. Chosen likewise, and
    on mats, so that next to no plain die is doubted."""


# A d10 a tenth longer or flatter than this one still fits.
_SHAPES = {
    "cube": _Shape(laid(6), 90.0, np.arange(10.0, 21.0), 0.45, 14.0),
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
    """Return the contours, each (M, 1, 2) int32, of what lies in a tray (`BareFloor.differs`)."""
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


@dataclass(frozen=True, slots=True)
class Fit:
    """How the outline of a die fits that of one that lies flat."""

    misfit_mm: float
    """By how much they differ: root of the mean square over all directions."""
    size_mm: float
    """Height of the die that looks as large."""


class Flatness:
    """Tells dice that lie flat and alone from others, by what is usual in one tray.

    In bad light, or where dice have the colour of the floor, the outlines of all of them are poor:
    then a die that fits no worse than most is no reason for a doubt. One that lies there for many
    pictures is one die: a cocked one does not become usual.

    What lies flat on another die, and hides it, is nearer to the camera: it looks larger than its
    like.
    """

    def __init__(self) -> None:
        self._seen: deque[tuple[Array, float]] = deque(maxlen=_REMEMBERED)
        """Places (2,) of the dice seen last, and their misfits in shares of what is too much."""
        self._sizes = defaultdict[str, deque[float]](lambda: deque(maxlen=_SIZES))
        """How large the dice of each kind seemed, in heights of the camera: what a millimetre is
        may be learnt better."""

    def worths(self, outlines: Sequence[tuple[Array, str]], view: TrayView) -> list[float]:
        """Return how many times as much a doubt that dice lie flat weighs for their outlines.

        Parameters
        ----------
        outlines : (N, 2) of each die of a picture, mm on the floor, and what kind it is.
        view : of the tray.
        """
        fits = [fit(outline, SHAPES[kind], view) for outline, kind in outlines]
        limits = [_SHAPES[SHAPES[kind]].most_misfit_mm for _, kind in outlines]
        shares = [one.misfit_mm / limit for one, limit in zip(fits, limits, strict=True)]
        sizes = [one.size_mm / view.camera_mm[2] for one in fits]
        for (outline, kind), share, size in zip(outlines, shares, sizes, strict=True):
            self._take_in(outline.mean(axis=0), kind, share, size)
        usual = median([*[_USUAL] * _BEFORE, *(share for _, share in self._seen)])
        most = max(1.0, _MUCH_MORE * usual)
        worths = list[float]()
        for (_, kind), share, size in zip(outlines, shares, sizes, strict=True):
            worth = FITS if share < most else MISFITS
            worths.append(LIES_ON if self._lies_on(kind, size, view.camera_mm[2]) else worth)
        return worths

    def _take_in(self, place: Array, kind: str, share: float, size: float) -> None:
        if any(np.hypot(*(place - other)) <= _SAME_PLACE_MM for other, _ in self._seen):
            return
        self._seen.append((place, share))
        if share < _WELL:
            self._sizes[kind].append(size)

    def _lies_on(self, kind: str, size: float, camera_mm: float) -> bool:
        """Tell whether a die, so large (`_sizes`), seems to lie higher than its like."""
        higher_mm = camera_mm * (1 - np.array(self._sizes[kind]) / size)
        least_mm = _SHAPES[SHAPES[kind]].least_lifted_mm
        lower = (higher_mm > least_mm) & (higher_mm < _MOST_LIFTED_MM)
        level = (higher_mm > -_MOST_SUNK_MM) & (higher_mm <= least_mm)
        return bool(lower.sum() >= _SOME and level.sum() <= _FEW)


def fit(outline: Array, shape: str, view: TrayView) -> Fit:
    """Return how an outline fits that of a die of a shape that lies flat.

    Parameters
    ----------
    outline : (N, 2), mm on the floor.
    shape : one of `JUDGED`.
    view : of the tray.
    """
    die = _SHAPES[shape]
    lean = view.camera_mm[2] / (view.camera_mm[2] - die.sizes_mm.mean() / 2)
    place = view.camera_mm[:2] + (outline.mean(axis=0) - view.camera_mm[:2]) / lean
    seen = ((outline - place) @ _DIRECTIONS.T).max(axis=0)
    turns, sizes = np.arange(0, die.period_deg, _STEP_DEG), die.sizes_mm
    misfits = _misfits(seen, _reach(die, view.camera_mm, place, turns, sizes))
    turn, size = np.unravel_index(misfits.argmin(), misfits.shape)
    turns, sizes = turns[turn] + _FINER_DEG, sizes[size] + _FINER_MM
    reach = _reach(die, view.camera_mm, place, turns, sizes)
    misfits = _misfits(seen, reach)
    turn, size = np.unravel_index(misfits.argmin(), misfits.shape)
    # Roundness is taken out of the misfit, which hardly tells the size: the mean reach does.
    size_mm = sizes[size] * seen.mean() / reach[turn, size].mean()
    return Fit(float(misfits[turn, size]), float(size_mm))


def _misfits(seen: Array, reach: Array) -> Array:
    """Return how badly what reaches so far (ways) fits dice, `_reach`: (turns, sizes) mm."""
    return np.asarray(np.sqrt((((seen - reach) @ _LEFT) ** 2).mean(axis=-1)))


def _reach(die: _Shape, camera_mm: Array, place: Array, turns_deg: Array, sizes_mm: Array) -> Array:
    """Return how far dice reach, mm, that are turned so and so large: (turns, sizes, ways)."""
    cos, sin = np.cos(np.radians(turns_deg)), np.sin(np.radians(turns_deg))
    turn = np.stack([np.stack([cos, -sin], -1), np.stack([sin, cos], -1)], -2)
    # Corners come first: numpy is much slower at the most along an axis in the middle.
    corners = np.empty((len(die.corners), len(turns_deg), len(sizes_mm), 3))
    flat = (die.corners[:, :2] @ turn.swapaxes(1, 2)).swapaxes(0, 1)
    corners[..., :2] = place + flat[:, :, None] * sizes_mm[:, None]
    corners[..., 2] = die.corners[:, 2, None, None] * sizes_mm
    seen_mm = (on_floor(corners, camera_mm) - place).reshape(-1, 2)
    reach = (seen_mm @ _DIRECTIONS.T).reshape(*corners.shape[:3], _WAYS)
    return np.asarray(reach.max(axis=0))
