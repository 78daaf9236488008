"""The drawing of a board as a picture, as if scanned flat."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from companion.boards.profile import XY
from vision.frame import Array, Image
from vision.printing.drawing import RGB, Disc, Label, Polygon, Shape

_SHIFT = 6


def rasterise(shapes: Iterable[Shape], origin_mm: XY, size_mm: XY, px_per_mm: float) -> Image:
    """Paint shapes into a picture (H, W, 3) whose top-left corner is at `origin_mm`.

    Pixel (x, y) shows the point ``origin_mm + ((x + 0.5), (y + 0.5)) / px_per_mm``.
    """
    width, height = (round(s * px_per_mm) for s in size_mm)
    picture: Image = np.full((height, width, 3), 255, np.uint8)
    for shape in shapes:
        if isinstance(shape, Polygon):
            _polygon(picture, shape, _pixels(shape.points_mm, origin_mm, px_per_mm), px_per_mm)
        elif isinstance(shape, Disc):
            _disc(picture, shape, _pixels([shape.centre_mm], origin_mm, px_per_mm)[0], px_per_mm)
        else:
            at = _pixels([shape.baseline_mm], origin_mm, px_per_mm)[0]
            _label(picture, shape, at, px_per_mm)
    return picture


def _pixels(points_mm: Iterable[XY], origin_mm: XY, px_per_mm: float) -> Array:
    return np.asarray((np.array(list(points_mm)) - np.array(origin_mm)) * px_per_mm - 0.5)


def _bgr(colour: RGB) -> tuple[int, int, int]:
    return colour[2], colour[1], colour[0]


def _fixed(values: Array | float) -> Array:
    return np.round(np.asarray(values) * (1 << _SHIFT)).astype(np.int32)


def _polygon(picture: Image, shape: Polygon, points: Array, px_per_mm: float) -> None:
    if shape.fill is not None and _is_upright_box(points):
        _box(picture, points.min(axis=0), points.max(axis=0), _bgr(shape.fill))
    elif shape.fill is not None:
        cv2.fillPoly(picture, [_fixed(points)], _bgr(shape.fill), cv2.LINE_AA, _SHIFT)
    if shape.line is not None:
        thick = max(1, round(shape.line_mm * px_per_mm))
        cv2.polylines(picture, [_fixed(points)], True, _bgr(shape.line), thick, cv2.LINE_AA, _SHIFT)


def _is_upright_box(points: Array) -> bool:
    return len(points) == 4 and all(len(set(points[:, axis])) == 2 for axis in (0, 1))


def _box(picture: Image, low: Array, high: Array, colour: tuple[int, int, int]) -> None:
    """Fill an upright rectangle exactly: markers must not grow by the pixel OpenCV adds."""
    rows, by_row = _span(low[1], high[1], picture.shape[0])
    columns, by_column = _span(low[0], high[0], picture.shape[1])
    part = picture[rows, columns]
    whole_rows, whole_columns = by_row == 1, by_column == 1
    part[_run(whole_rows), _run(whole_columns)] = colour
    for row in np.flatnonzero(~whole_rows):
        _mix(part[row], colour, by_row[row] * by_column)
    for column in np.flatnonzero(~whole_columns):
        _mix(part[:, column], colour, np.where(whole_rows, by_column[column], 0))


def _span(low: float, high: float, size: int) -> tuple[slice, Array]:
    """Return the pixels that an interval touches, and how much of each it covers."""
    first = int(np.clip(np.ceil(low - 0.5), 0, size))
    last = int(np.clip(np.floor(high + 0.5), -1, size - 1))
    pixel = np.arange(first, last + 1)
    cover = np.minimum(pixel + 0.5, high) - np.maximum(pixel - 0.5, low)
    return slice(first, last + 1), np.clip(cover, 0, 1)


def _run(whole: Array) -> slice:
    """Return where, in one stretch, something holds (N,)."""
    places = np.flatnonzero(whole)
    return slice(places[0], places[-1] + 1) if len(places) else slice(0)


def _mix(line: Array, colour: tuple[int, int, int], weight: Array) -> None:
    """Mix a colour into a line of pixels (N, 3), in place, with weights (N,)."""
    mixed = line * (1 - weight[:, None]) + np.array(colour) * weight[:, None]
    line[:] = np.round(mixed).astype(np.uint8)


def _disc(picture: Image, shape: Disc, centre: Array, px_per_mm: float) -> None:
    at = (int(_fixed(centre)[0]), int(_fixed(centre)[1]))
    radius = int(_fixed(shape.radius_mm * px_per_mm))
    if shape.fill is not None:
        cv2.circle(picture, at, radius, _bgr(shape.fill), -1, cv2.LINE_AA, _SHIFT)
    if shape.line is not None:
        thick = max(1, round(shape.line_mm * px_per_mm))
        cv2.circle(picture, at, radius, _bgr(shape.line), thick, cv2.LINE_AA, _SHIFT)


def _label(picture: Image, shape: Label, at: Array, px_per_mm: float) -> None:
    font, height = cv2.FONT_HERSHEY_TRIPLEX, max(4, round(shape.height_mm * px_per_mm))
    thick = max(1, height // 9)
    scale = cv2.getFontScaleFromHeight(font, height, thick)
    (width, _), _ = cv2.getTextSize(shape.text, font, scale, thick)
    corner = (round(at[0] - width / 2), round(at[1]))
    cv2.putText(picture, shape.text, corner, font, scale, _bgr(shape.colour), thick, cv2.LINE_AA)
