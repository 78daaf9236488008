"""Single things in the mask of what lies in the tray; touching dice are parted."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.dice.labels import PX_PER_MM
from vision.frame import Array, Image

_LEAST_MM2 = 70.0
"""Smaller things are dust; the smallest die covers 170 mm2."""
_SINGLE_MM2 = 560.0
"""The largest die covers 480 mm2, a little more where it leans."""
_HUGE_MM2 = 3500.0
"""Larger things are no dice: a hand, a sleeve, a tray not found right."""
_SOLID = 0.9
"""Share of its convex outline that a single die fills at least."""
_CORE_MM = 3.2
_APART_MM = 11.0
"""Middles of two dice are never nearer."""


@dataclass(frozen=True, eq=False)
class Blob:
    """One thing on the floor, rectified pixels."""

    middle: Array
    """Centroid (2,) of its convex outline, (x, y): dents do not move it."""
    box: tuple[int, int, int, int]
    """Left, top, right, bottom."""
    area_mm2: float
    outline: Array
    """Convex hull (N, 2), (x, y)."""
    is_single: bool
    """It looks like one die, not like some that overlap or a hand."""


def find_blobs(mask: Image) -> tuple[Blob, ...]:
    """Return the things in a mask (H, W), left to right."""
    count, marks, stats, _ = cv2.connectedComponentsWithStats(mask)
    found: list[Blob] = []
    for k in range(1, count):
        left, top, width, height, area = (int(v) for v in stats[k])
        if area < _LEAST_MM2 * PX_PER_MM**2:
            continue
        part = (marks[top : top + height, left : left + width] == k).astype(np.uint8)
        found.extend(_parted(part, (left, top), area))
    return tuple(sorted(found, key=lambda b: (b.middle[0], b.middle[1])))


def _parted(part: Image, corner: tuple[int, int], area: int) -> list[Blob]:
    area_mm2 = area / PX_PER_MM**2
    hull = _hull(part) + corner
    middle = _centroid(hull)
    box = (corner[0], corner[1], corner[0] + part.shape[1], corner[1] + part.shape[0])
    if area_mm2 > _HUGE_MM2:
        return [Blob(middle, box, area_mm2, hull, False)]
    if area_mm2 < _SINGLE_MM2 and area > _SOLID * cv2.contourArea(hull.astype(np.float32)):
        return [Blob(middle, box, area_mm2, hull, True)]
    cores = _cores(part)
    if len(cores) < 2:
        return [Blob(middle, box, area_mm2, hull, area_mm2 < _SINGLE_MM2)]
    # Each place belongs to the core it is nearest to: straight cuts through the narrow necks.
    rows, columns = np.nonzero(part)
    places = np.stack([columns, rows], axis=1).astype(float)
    owner = np.argmin(
        [np.linalg.norm(places - core, axis=1) - depth for *core, depth in cores], axis=0
    )
    blobs = []
    for k in range(len(cores)):
        own = places[owner == k]
        if len(own) < _LEAST_MM2 * PX_PER_MM**2:
            continue
        low, high = own.min(axis=0) + corner, own.max(axis=0) + corner + 1
        cut = (int(low[0]), int(low[1]), int(high[0]), int(high[1]))
        around = cv2.convexHull((own + corner).astype(np.float32)).reshape(-1, 2)
        own_mm2 = len(own) / PX_PER_MM**2
        blobs.append(Blob(_centroid(around), cut, own_mm2, np.asarray(around, float), True))
    return blobs


def _hull(part: Image) -> Array:
    """Return the convex hull (N, 2) of a mask, along the middles of its outer pixels."""
    contours, _ = cv2.findContours(part, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    return np.asarray(cv2.convexHull(np.concatenate(contours)).reshape(-1, 2), float)


def _centroid(hull: Array) -> Array:
    """Return the middle (2,) of the area of a convex outline (N, 2)."""
    moments = cv2.moments(hull.astype(np.float32))
    if moments["m00"] <= 0:
        return np.asarray(hull.mean(axis=0))
    return np.array([moments["m10"], moments["m01"]]) / moments["m00"]


def _cores(part: Image) -> list[tuple[float, float, float]]:
    """Return x, y and depth of the places farthest from the outline, deepest first."""
    framed = cv2.copyMakeBorder(part, 1, 1, 1, 1, cv2.BORDER_CONSTANT)
    depth = cv2.distanceTransform(framed, cv2.DIST_L2, 5)[1:-1, 1:-1]
    depth = cv2.GaussianBlur(depth, (0, 0), 1.0)
    cores: list[tuple[float, float, float]] = []
    left = depth.copy()
    while len(cores) < 12:
        _, deepest, _, (x, y) = cv2.minMaxLoc(left)
        if deepest < _CORE_MM * PX_PER_MM:
            break
        if depth[max(y - 2, 0) : y + 3, max(x - 2, 0) : x + 3].max() <= deepest + 1e-3:
            cores.append((float(x), float(y), float(deepest)))
        around = max(_APART_MM * PX_PER_MM, 0.0)
        cv2.circle(left, (x, y), int(around), (0.0,), -1)
    return cores
