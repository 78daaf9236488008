"""The empty dice tray: floor, walls and the table around it, lit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from companion.boards.profile import XY
from vision.frame import Array, Image
from vision.virtual.canvas import Canvas
from vision.virtual.lens import Lens
from vision.virtual.light import Light
from vision.virtual.texture import cloth, felt, of_colours, wood

WALL_HEIGHT_MM = 22.0
WALL_THICK_MM = 8.0
TEXTURE_PX_PER_MM = 4.0
AROUND_MM = 120.0
"""A surface is drawn so far beyond the tray's floor."""

TRAY_FLOORS = ("green felt", "red felt", "black felt", "wood")


def empty_tray(
    lens: Lens, light: Light, size_mm: XY, floor: str, table: str, rng: np.random.Generator
) -> Image:
    """Return the lit picture (H, W, 3) of a tray without dice; `floor` is one of `TRAY_FLOORS`."""
    canvas = Canvas(lit(_surface(size_mm, floor, table, rng), lens, light), lens, light)
    _cast_wall_shadows(canvas, size_mm)
    _draw_walls(canvas, size_mm)
    return canvas.picture


def lit(surface: Image, lens: Lens, light: Light) -> Image:
    """Return the lit picture of a flat surface that reaches `AROUND_MM` beyond the tray's floor."""
    x, y = cv2.split((lens.plane_mm() + np.float32(AROUND_MM)) * np.float32(TEXTURE_PX_PER_MM))
    seen = cv2.remap(surface, x, y, cv2.INTER_AREA, None, cv2.BORDER_REFLECT)
    planes = zip(cv2.split(seen), light.gains(lens.size_px), strict=True)
    return of_colours(colour * gain for colour, gain in planes)


def _surface(size_mm: XY, floor: str, table: str, rng: np.random.Generator) -> Image:
    """Return the floor within the table's top, flat, `TEXTURE_PX_PER_MM`."""
    width, height = (round((s + 2 * AROUND_MM) * TEXTURE_PX_PER_MM) for s in size_mm)
    around = table_top((width, height), table, rng)
    inner = tuple(round(s * TEXTURE_PX_PER_MM) for s in size_mm)
    ground = ground_of((inner[0], inner[1]), floor, rng)
    corner = round(AROUND_MM * TEXTURE_PX_PER_MM)
    around[corner : corner + inner[1], corner : corner + inner[0]] = ground
    return around


def ground_of(size_px: tuple[int, int], floor: str, rng: np.random.Generator) -> Image:
    """Return what a floor, one of `TRAY_FLOORS`, is made of."""
    if floor == "wood":
        return wood(size_px, (96, 142, 182), rng)
    colours = {"green felt": (52, 92, 24), "red felt": (40, 30, 120), "black felt": (38, 34, 32)}
    return felt(size_px, colours[floor], rng)


def table_top(size_px: tuple[int, int], table: str, rng: np.random.Generator) -> Image:
    """Return what a table is made of."""
    if table == "cloth":
        return cloth(size_px, (104, 100, 98), rng)
    return wood(size_px, (70, 112, 152), rng)


def _box(size_mm: XY, grow_mm: float, z_mm: float) -> Array:
    """Return the four corners (4, 3) of the tray, clockwise from the top left, grown."""
    (w, h), g = size_mm, grow_mm
    return np.array([[-g, -g, z_mm], [w + g, -g, z_mm], [w + g, h + g, z_mm], [-g, h + g, z_mm]])


def _cast_wall_shadows(canvas: Canvas, size_mm: XY) -> None:
    """Darken the floor beside lit-from-behind walls, and the table beside the tray."""
    light = canvas.light
    blur = light.softness_mm * canvas.lens.px_per_mm * 0.5
    low = _box(size_mm, 0.0, 0.0)
    high = light.shadow_mm(_box(size_mm, 0.0, -WALL_HEIGHT_MM))
    outer = light.shadow_mm(_box(size_mm, WALL_THICK_MM, -WALL_HEIGHT_MM))
    strength = 0.7 * (1 - light.ambient)
    inside = replace(canvas, picture=canvas.picture.copy())
    middle = low.mean(axis=0)
    for k in range(4):
        quad = np.stack([low[k], low[(k + 1) % 4], high[(k + 1) % 4], high[k]])
        edge, across = low[(k + 1) % 4] - low[k], high[k] - low[k]
        # Only a shadow that falls to the inner side of its wall is on the floor.
        if np.cross(edge, across)[2] * np.cross(edge, middle - low[k])[2] > 0:
            inside.shadow(quad, strength, blur)
    outside = np.concatenate([outer, _box(size_mm, WALL_THICK_MM, 0.0)])
    canvas.shadow(outside, strength, blur)
    mask = np.zeros(canvas.picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(canvas.project(low)).astype(np.int32), (255,))
    cv2.copyTo(inside.picture, mask, canvas.picture)


def _draw_walls(canvas: Canvas, size_mm: XY) -> None:
    """Draw the sides that face the camera, then the rim on top."""
    colour = np.array([34, 44, 66]) * canvas.gain
    rings = [_box(size_mm, g, z) for g in (0, WALL_THICK_MM) for z in (0.0, -WALL_HEIGHT_MM)]
    low, high, outer_low, outer_high = rings
    patch = canvas.patch(np.concatenate(rings))
    for bottom, top, sign in ((low, high, 1.0), (outer_low, outer_high, -1.0)):
        for k, normal in enumerate(((0, 1, 0), (-1, 0, 0), (0, -1, 0), (1, 0, 0))):
            outward = sign * np.array(normal, float)
            if outward @ (canvas.lens.position_mm - bottom[k]) > 0:
                quad = np.stack([bottom[k], bottom[(k + 1) % 4], top[(k + 1) % 4], top[k]])
                shade = float(canvas.light.shade(outward[None])[0])
                patch.polygon(canvas.project(quad), colour * min(shade, 1.2))
    for k in range(4):
        rim = np.stack([high[k], high[(k + 1) % 4], outer_high[(k + 1) % 4], outer_high[k]])
        patch.polygon(canvas.project(rim), colour * 1.25)
    patch.blend()


def floor_corners_mm(size_mm: XY) -> Sequence[XY]:
    """Return the inside floor corners, clockwise from the top left."""
    return [(float(x), float(y)) for x, y, _ in _box(size_mm, 0.0, 0.0)]
