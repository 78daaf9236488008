"""The plain shapes everything printed is made of (millimetres, y down)."""

from __future__ import annotations

from dataclasses import dataclass

from companion.boards.profile import XY

RGB = tuple[int, int, int]
"""Red, green, blue, 0-255."""

BLACK: RGB = (0, 0, 0)
WHITE: RGB = (255, 255, 255)


@dataclass(frozen=True, slots=True)
class Polygon:
    """A closed figure, filled, outlined or both."""

    points_mm: tuple[XY, ...]
    fill: RGB | None = None
    line: RGB | None = None
    line_mm: float = 0.0


@dataclass(frozen=True, slots=True)
class Disc:
    """A circle, filled, outlined or both."""

    centre_mm: XY
    radius_mm: float
    fill: RGB | None = None
    line: RGB | None = None
    line_mm: float = 0.0


@dataclass(frozen=True, slots=True)
class Label:
    """A line of text in capitals, centred on its baseline."""

    text: str
    baseline_mm: XY
    height_mm: float
    """Height of a capital."""
    colour: RGB


Shape = Polygon | Disc | Label


def rectangle(origin_mm: XY, size_mm: XY, **look: RGB | float | None) -> Polygon:
    """Return a rectangle with sides along the axes; `look` as in `Polygon`."""
    (x, y), (w, h) = origin_mm, size_mm
    return Polygon(((x, y), (x + w, y), (x + w, y + h), (x, y + h)), **look)  # type: ignore[arg-type]


def blend(first: RGB, second: RGB, share: float) -> RGB:
    """Return a colour between two; `share` of the second.

    >>> blend((0, 0, 0), (100, 200, 40), 0.5)
    (50, 100, 20)
    """
    r, g, b = (round(a + (z - a) * share) for a, z in zip(first, second, strict=True))
    return r, g, b
