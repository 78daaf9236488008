"""Finding the tray: four straight edges around the middle that fit a floor of known size.

Colours do not tell a floor from its wall (wood in wood, black in black), and half of it may lie in
shadow. But the foot of a wall is one sharp straight line; beyond it the floor's colour ends, while
a shadow is the floor's colour times a factor. So each side offers its likeliest lines, and of all
ways to combine them the one that looks most like a tilted rectangle of the tray's proportions is
the floor.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np

from companion.boards.profile import XY
from companion.errors import NotCalibrated
from vision.dice.tray import FOCAL, TrayView
from vision.frame import Array, Image

_SMALL_PX = 480
_SLOPES = np.tan(np.radians(np.arange(-15, 15.01, 0.75)))
_LEAST_OUT = 0.14
"""A side is at least this share of the picture's height or width away from the middle."""
_STEP_CAP = 12.0
"""Grey levels a pixel: a sharper step counts no more, lest a few dice outweigh a wall."""
_OFFERED = 4
_MISFIT_WORTH = 40.0
_PLAIN = 0.25
"""Share of the strongest line of a side at which a line is plain to see."""
_FLOOR = slice(0.35, 0.65)
"""Shares of the picture's height and width between which the floor's colour is looked at."""
WEIGHTS = np.array([0.85, -1.3, -2.38, 0.56, -1.83, -1.56, 0.36])
"""What each of a line's `signs` adds to its log-odds of being the foot of the wall, fitted by
``python -m benchmarks.dice_training.tray_lines``."""


@dataclass(frozen=True, eq=False)
class Line:
    """A line ``across = offset + slope * along``, measured from the middle, outward."""

    offset: float
    slope: float
    signs: Array
    """Shape (7,): strength (log), plain lines that are nearer to the middle, softness, what is
    beyond it that is no shadow of what is before it (log), brightness beyond it against the
    floor's (log), hue before it against the floor's (10 degrees), what is beyond it that is no
    shadow of the floor (log)."""

    @property
    def worth(self) -> float:
        """How much it looks like the foot of the wall, log-odds but for a constant."""
        return float(self.signs @ WEIGHTS)


def find_tray(picture: Image, size_mm: XY) -> TrayView:
    """Find the floor of a tray that fills a good part of the picture, its sides about upright.

    Parameters
    ----------
    picture : (H, W, 3) uint8 BGR; best without dice.
    size_mm : inside width and height of the floor.

    Raises
    ------
    NotCalibrated
        if no four edges look like one.
    """
    height, width = picture.shape[:2]
    small, scale = shrunk(picture)
    offers = [
        sorted(lines, key=lambda line: -line.worth)[:_OFFERED] for lines in lines_of_sides(small)
    ]
    best: tuple[float, TrayView] | None = None
    for chosen in product(*offers):
        corners = (_corners(list(chosen), small.shape) + 0.5) / scale - 0.5
        view = TrayView(size_mm, corners, (width, height), FOCAL * width)
        cost = _misfit(view) * _MISFIT_WORTH - sum(line.worth for line in chosen)
        if best is None or cost < best[0]:
            best = cost, view
    if best is None or _misfit(best[1]) > 0.2:
        raise NotCalibrated(
            "no dice tray is seen: put it in the middle of the picture, empty, its sides upright"
        )
    return best[1]


def shrunk(picture: Image) -> tuple[Image, float]:
    """Return a picture in the size in which lines are looked for, and its scale."""
    scale = _SMALL_PX / picture.shape[1]
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8), scale


def lines_of_sides(small: Image) -> list[list[Line]]:
    """Return the straight lines of the four sides (top, right, bottom, left), from the inside out.

    Parameters
    ----------
    small : (h, w, 3) uint8, as `shrunk` returns it.
    """
    rows, columns = (
        slice(round(_FLOOR.start * n), round(_FLOOR.stop * n)) for n in small.shape[:2]
    )
    floor = np.median(small[rows, columns].reshape(-1, 3), axis=0)
    return [_lines(_side_up(small, side), floor) for side in range(4)]


def _side_up(small: Array, side: int) -> Image:
    """Turn the picture so that a side (top, right, bottom, left) is on top."""
    return np.ascontiguousarray(np.rot90(small, side), np.uint8)


def _lines(turned: Image, floor: Array) -> list[Line]:
    """Return the straight lines of the upper side."""
    height, width = turned.shape[:2]
    soft = cv2.GaussianBlur(turned, (0, 0), 1.0).astype(np.float32)
    step = np.zeros_like(soft)
    step[1:-1] = (soft[2:] - soft[:-2]) / 2
    step = np.clip(step, -_STEP_CAP, _STEP_CAP)
    reach = int(0.27 * width)
    middle = width // 2
    inner = step[: height // 2, middle - reach : middle + reach]
    scores = np.stack([_profile(inner, slope) for slope in _SLOPES])
    return _peaks(scores, soft, floor)


def _profile(step: Array, slope: float) -> Array:
    """Return for each row how strong a line of this slope through its middle is."""
    rows, columns = step.shape[:2]
    how = np.array([[1, 0, 0], [slope, 1, -slope * (columns - 1) / 2]])
    sheared = cv2.warpAffine(
        step, how, (columns, rows), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_CONSTANT,
    )  # fmt: skip
    # By thirds: a wall runs through all of them; a die, a shadow or the grain of wood does not.
    thirds = np.stack([part.mean(axis=1) for part in np.array_split(sheared, 3, axis=1)])
    same = np.where(np.abs(np.sign(thirds).sum(axis=0)) == 3, np.abs(thirds).min(axis=0), 0.0)
    return np.asarray(np.linalg.norm(same, axis=1))


def _peaks(scores: Array, soft: Array, floor: Array) -> list[Line]:
    """Return the lines of a picture from their scores (slopes, rows)."""
    strengths = scores.max(axis=0)
    nearest = int(len(soft) * (0.5 - _LEAST_OUT))
    strongest = float(strengths[: nearest + 1].max())
    least = 2.5 * (float(np.median(strengths)) + 0.15)
    found: list[Line] = []
    plain = 0
    for row in range(nearest, 3, -1):
        value = float(strengths[row])
        if value < least or value < strengths[max(row - 4, 0) : row + 5].max():
            continue
        slope = float(_SLOPES[int(np.argmax(scores[:, row]))])
        softness = float(strengths[row - 3] + strengths[row + 3]) / 2 / value
        look = (np.log(value / strongest), plain, softness)
        signs = np.array([*look, *_colour_signs(*_bands(soft, row, slope), floor)])
        found.append(Line((len(soft) - 1) / 2 - row, slope, signs))
        plain += value > _PLAIN * strongest
    return found


def _colour_signs(inner: Array, outer: Array, floor: Array) -> tuple[float, ...]:
    """Return what the colours (3,) before and beyond a line say: `Line.signs` from the fourth."""
    brighter = float(np.log(_size(outer) / _size(floor)))
    cos = float(inner @ floor / (np.linalg.norm(inner) * np.linalg.norm(floor) + 1e-6))
    hue = float(np.degrees(np.arccos(np.clip(cos, -1, 1)))) / 10
    return (
        float(np.log1p(_no_shadow(outer, inner))),
        max(-1.5, min(brighter, 1.5)),
        min(hue, 2.0),
        float(np.log1p(_no_shadow(outer, floor))),
    )


def _size(colour: Array) -> float:
    return float(np.linalg.norm(colour)) + 1.0


def _no_shadow(colour: Array, lit: Array) -> float:
    """Return by how many grey levels a colour is not another one times a factor."""
    return float(np.linalg.norm(colour - (colour @ lit) / (lit @ lit + 1e-6) * lit))


def _bands(soft: Array, row: int, slope: float) -> tuple[Array, Array]:
    """Return the colours (3,) of a band on the inner and one on the outer side of a line."""
    columns = np.arange(soft.shape[1] // 4, 3 * soft.shape[1] // 4, 3)
    rows = row + slope * (columns - (soft.shape[1] - 1) / 2)
    colours = []
    for sign in (1, -1):
        beside = rows[None, :] + sign * np.arange(3, 11)[:, None]
        band = soft[np.clip(np.round(beside), 0, len(soft) - 1).astype(int), columns[None, :]]
        colours.append(np.median(band.mean(axis=0), axis=0))
    return colours[0], colours[1]


def _corners(sides: list[Line], shape: tuple[int, ...]) -> Array:
    """Return where the four sides meet (4, 2): top-left, then clockwise, small pixels."""
    middle = np.array([(shape[1] - 1) / 2, (shape[0] - 1) / 2])
    lines = []
    for turns, side in enumerate(sides):
        # Upper side of the turned picture: y = -offset + slope * x, from its middle.
        points = np.array([[0.0, -side.offset], [100.0, -side.offset + 100 * side.slope]])
        for _ in range(turns):
            points = np.stack([-points[:, 1], points[:, 0]], axis=1)
        first, second = points + middle
        lines.append(np.cross([*first, 1.0], [*second, 1.0]))
    meets = [np.cross(lines[k - 1], lines[k]) for k in range(4)]
    return np.array([meet[:2] / (meet[2] if abs(meet[2]) > 1e-9 else 1e-9) for meet in meets])


def _misfit(view: TrayView) -> float:
    """Tell how far the sides are from a rectangle of the right proportions seen by the camera.

    Both axes of the floor must come out equally long and square to each other.
    """
    x, y = view.axes
    long, wide = float(np.linalg.norm(x)), float(np.linalg.norm(y))
    tilt = abs(float(np.arccos(np.clip(np.cross(x, y)[2] / (long * wide), -1, 1))))
    lopsided = abs(np.log(long / wide)) + abs(float(x @ y)) / (long * wide)
    return float(lopsided + 0.3 * max(0.0, tilt - np.radians(25)))
