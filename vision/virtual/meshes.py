"""Bodies made of flat facets: prisms over outlines, cut and shrunk outlines, and their painting."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from vision.frame import Array
from vision.virtual.canvas import Canvas
from vision.virtual.patch import Patch

Colour = tuple[float, float, float]
"""Blue, green, red."""

_GLOSS = 8.0
"""Grey levels a lit facet gains, so that dark paint is no hole in the picture."""


@dataclass(frozen=True, eq=False)
class Facet:
    """A flat part of a body, in the piece's own frame: x toward the bow, y to starboard, z down."""

    corners: Array
    """Shape (N, 3), mm."""
    normal: Array
    """Outward, shape (3,), length 1."""
    colour: Colour
    is_thin: bool = False
    """Seen from both sides: a sail, a flag."""


def prism(
    outline: Array, low_mm: float, high_mm: float, side: Colour, top: Colour, flare: float = 1.0
) -> list[Facet]:
    """Return the sides and the top of a body over an outline (N, 2), clockwise as on the table.

    The outline holds at the top; the bottom is shrunk (or grown) by `flare` around its middle.
    """
    middle = outline.mean(axis=0)
    bottom = np.c_[middle + (outline - middle) * flare, np.full(len(outline), -low_mm)]
    upper = np.c_[outline, np.full(len(outline), -high_mm)]
    facets = []
    for k in range(len(outline)):
        n = (k + 1) % len(outline)
        along, up = upper[n] - upper[k], upper[k] - bottom[k]
        normal = np.cross(up, along)
        size = float(np.linalg.norm(normal))
        if size > 1e-9:
            wall = np.stack([bottom[k], bottom[n], upper[n], upper[k]])
            facets.append(Facet(wall, normal / size, side))
    return [*facets, Facet(upper, np.array([0.0, 0.0, -1.0]), top)]


def flat(points: Array, height_mm: float, colour: Colour) -> Facet:
    """Return a horizontal facet over points (N, 2)."""
    corners = np.c_[points, np.full(len(points), -height_mm)]
    return Facet(corners, np.array([0.0, 0.0, -1.0]), colour)


def clockwise(outline: Array) -> Array:
    """Return an outline (N, 2) in clockwise order as seen from above (y down)."""
    x, y = outline.T
    area = float(x @ np.roll(y, -1) - y @ np.roll(x, -1))
    return outline if area > 0 else outline[::-1]


def shrunk(outline: Array, share: float) -> Array:
    """Return an outline (N, 2) scaled around its middle."""
    middle = (outline.min(axis=0) + outline.max(axis=0)) / 2
    return np.asarray(middle + (outline - middle) * share)


def cut(outline: Array, from_x: float, to_x: float) -> Array:
    """Return the part of an outline (N, 2) between two x; empty if there is none."""
    kept = _ahead(outline, from_x)
    return _ahead(kept * (-1, 1), -to_x) * (-1, 1)


def _ahead(outline: Array, from_x: float) -> Array:
    """Return the part of an outline at `from_x` and beyond."""
    points = []
    for k in range(len(outline)):
        one, other = outline[k - 1], outline[k]
        if (one[0] < from_x) != (other[0] < from_x):
            share = (from_x - one[0]) / (other[0] - one[0])
            points.append(one + share * (other - one))
        if other[0] >= from_x:
            points.append(other)
    return np.array(points).reshape(-1, 2)


def beam_at(outline: Array, x: float) -> tuple[float, float]:
    """Return the least and the greatest y of an outline (N, 2) at some x; (0, 0) beside it."""
    crossed = []
    for k in range(len(outline)):
        one, other = outline[k - 1], outline[k]
        if (one[0] < x) != (other[0] < x):
            share = (x - one[0]) / (other[0] - one[0])
            crossed.append(float(one[1] + share * (other[1] - one[1])))
    return (min(crossed), max(crossed)) if crossed else (0.0, 0.0)


@dataclass(frozen=True)
class Stand:
    """Where a piece stands: what turns its own frame into the table's."""

    x_mm: float
    y_mm: float
    heading_deg: float
    lift_mm: float = 0.0
    """Above the table: what it stands on."""

    def placed(self, points: Array) -> Array:
        """Return points (N, 3) of the piece in the table's frame."""
        return np.asarray(self.turned(points) + np.array([self.x_mm, self.y_mm, -self.lift_mm]))

    def turned(self, directions: Array) -> Array:
        """Return directions (N, 3) of the piece in the table's frame."""
        angle = np.radians(self.heading_deg)
        cos, sin = np.cos(angle), np.sin(angle)
        return np.asarray(directions @ np.array([[cos, sin, 0], [-sin, cos, 0], [0, 0, 1]]))


class Body:
    """Facets in arrays, to be turned, lit and projected all at once; each hides those before it."""

    def __init__(self, facets: Sequence[Facet]) -> None:
        """Take at least one facet."""
        self.corners: Array = np.concatenate([f.corners for f in facets])
        ends = np.cumsum([len(f.corners) for f in facets])
        self.spans = [
            slice(int(e) - len(f.corners), int(e)) for f, e in zip(facets, ends, strict=True)
        ]
        self.normals: Array = np.stack([f.normal for f in facets])
        self.colours: Array = np.array([f.colour for f in facets], float)
        self.is_thin: Array = np.array([f.is_thin for f in facets])


def paint_facets(canvas: Canvas, facets: Iterable[Facet], stand: Stand) -> None:
    """Paint facets, each over those before it."""
    parts = list(facets)
    if parts:
        paint_body(canvas, Body(parts), stand)


def paint_body(
    canvas: Canvas,
    body: Body,
    stand: Stand,
    gloss: float = _GLOSS,
    paint: Colour = (1.0, 1.0, 1.0),
) -> None:
    """Paint a body; the colours of its facets are times its `paint`."""
    corners, normals = stand.placed(body.corners), stand.turned(body.normals)
    toward = canvas.lens.position_mm - corners[[span.start for span in body.spans]]
    facing = np.einsum("ij,ij->i", normals, toward)
    thin = body.is_thin
    # A sail is lit on the side that is seen, and by what shines through it.
    seen = np.where((thin & (facing < 0))[:, None], -normals, normals)
    shades = canvas.light.shade(seen)
    shades = np.where(thin, 0.35 + 0.65 * shades, shades)[:, None]
    lit = np.array(paint) * body.colours * canvas.gain
    colours = lit * shades + gloss * (shades - 0.5)
    pixels = canvas.project(corners)
    patch = Patch(canvas.picture, pixels)
    if patch.is_empty:
        return
    shown = np.flatnonzero(thin | (facing > 0))
    patch.polygons(pixels, [body.spans[k] for k in shown], colours[shown])
    patch.blend()
