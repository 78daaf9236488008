"""Trays without upright walls: round bowls, leather that is snapped together, mats."""

from __future__ import annotations

import cv2
import numpy as np

from companion.boards.profile import XY
from vision.frame import Array, Image
from vision.virtual.canvas import Canvas
from vision.virtual.lens import Lens
from vision.virtual.light import Light
from vision.virtual.patch import Patch
from vision.virtual.tray import AROUND_MM, TEXTURE_PX_PER_MM, ground_of, lit, table_top

SOFT_TRAYS = ("round", "leather", "mat")

_WALL_MM = 22.0
_OUTWARD_MM = 11.0
"""So far the upper edge of a wall stands beyond its foot."""
_ROUND = 0.62
"""Half the width of a round tray, in widths of the floor of an upright one: dice fall within."""
_PINCH = 0.12
"""Leather is pinched together so far beside its corners, in sides of it."""
_POINTS = 72


def soft_tray(
    lens: Lens,
    light: Light,
    size_mm: XY,
    look: tuple[str, str, str],
    rng: np.random.Generator,
) -> Image:
    """Return the lit picture (H, W, 3) of such a tray without dice.

    Parameters
    ----------
    size_mm : of a box in its place: dice are scattered over that.
    look : one of `SOFT_TRAYS`, of `vision.virtual.tray.TRAY_FLOORS` and of the scene's tables.
    """
    shape, floor, table = look
    across = [round((s + 2 * AROUND_MM) * TEXTURE_PX_PER_MM) for s in size_mm]
    size_px = (across[0], across[1])
    canvas = Canvas(lit(table_top(size_px, table, rng), lens, light), lens, light)
    foot, rim = _foot(shape, size_mm), _rim(shape, size_mm)
    dark, blur = 0.7 * (1 - light.ambient), light.softness_mm * lens.px_per_mm * 0.5
    canvas.shadow(np.concatenate([light.shadow_mm(rim), foot]), dark, blur)
    mask = np.zeros(canvas.picture.shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.round(lens.project(foot)).astype(np.int32)], (255,))
    cv2.copyTo(lit(ground_of(size_px, floor, rng), lens, light), mask, canvas.picture)
    if shape != "mat":
        _draw_wall(canvas, foot, rim)
    return canvas.picture


def _draw_wall(canvas: Canvas, foot: Array, rim: Array) -> None:
    """Draw the inner side of a wall between foot and rim (N, 3), and a seam along its top."""
    colour = np.array([40, 58, 92]) * canvas.gain
    seen = canvas.project(np.concatenate([foot, rim]))
    patch = Patch(canvas.picture, seen)
    low, high = np.split(seen, 2)
    for k, (a, b) in enumerate(zip(foot, np.roll(foot, -1, axis=0), strict=True)):
        inward = np.cross(b - a, rim[k] - a)
        shade = float(canvas.light.shade((inward / max(np.linalg.norm(inward), 1e-9))[None])[0])
        n = (k + 1) % len(foot)
        patch.polygon(np.stack([low[k], low[n], high[n], high[k]]), colour * min(shade, 1.2))
    patch.line(np.vstack([high, high[:1]]), colour * 1.3, 0.8 * canvas.lens.px_per_mm)
    patch.blend()


def _foot(shape: str, size_mm: XY) -> Array:
    """Return the outline (N, 3) of the floor, clockwise as seen."""
    if shape == "round":
        return _oval(size_mm, 0.0, 0.0)
    return _rectangle(size_mm, 0.0, 0.0)


def _rim(shape: str, size_mm: XY) -> Array:
    """Return the upper edge (N, 3) of the wall; up is negative."""
    if shape == "round":
        return _oval(size_mm, _OUTWARD_MM, -_WALL_MM)
    if shape == "mat":
        return _rectangle(size_mm, 0.0, 0.0)
    rim = _rectangle(size_mm, _OUTWARD_MM, -_WALL_MM)
    rim[::3, :2] = _rectangle(size_mm, 0.0, 0.0)[::3, :2]  # pinched corners stand upright
    return rim


def _oval(size_mm: XY, grow_mm: float, z_mm: float) -> Array:
    turn = np.linspace(0, 2 * np.pi, _POINTS, endpoint=False)
    middle, reach = np.array(size_mm) / 2, _ROUND * np.array(size_mm) + grow_mm
    flat = middle + reach * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    return np.column_stack([flat, np.full(len(flat), z_mm)])


def _rectangle(size_mm: XY, grow_mm: float, z_mm: float) -> Array:
    """Return corners, and two points beside each, of a grown rectangle (12, 3)."""
    (w, h), g = size_mm, grow_mm
    corners = np.array([[-g, -g], [w + g, -g], [w + g, h + g], [-g, h + g]])
    after = np.roll(corners, -1, axis=0)
    sides = [corners + share * (after - corners) for share in (0.0, _PINCH, 1 - _PINCH)]
    flat = np.stack(sides, axis=1).reshape(-1, 2)
    return np.column_stack([flat, np.full(len(flat), z_mm)])
