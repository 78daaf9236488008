"""The drawing of a board as plain shapes in the board frame (millimetres, y down)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2

from companion.boards.profile import XY, BoardProfile, Marker, Zone
from companion.errors import BoardError
from companion.rules.layout import Cell

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


@dataclass(frozen=True, slots=True)
class BoardStyle:
    """The colours of a printed board."""

    id: str
    paper: RGB
    sea: RGB
    line: RGB
    ink: RGB
    """Title, zones and compass."""
    diamond: RGB


STYLES: dict[str, BoardStyle] = {
    style.id: style
    for style in (
        BoardStyle("deep", (33, 60, 106), (44, 98, 158), (205, 228, 246), (214, 206, 178), WHITE),
        BoardStyle(
            "chart", (238, 226, 196), (196, 221, 226), (84, 108, 122), (96, 66, 40), (172, 44, 34)
        ),
        BoardStyle("night", (34, 36, 42), (38, 52, 84), (98, 150, 190), (176, 150, 96), WHITE),
    )
}
"""``chart`` saves ink; ``deep`` is the one to have printed in a shop."""


def rectangle(origin_mm: XY, size_mm: XY, **look: RGB | float | None) -> Polygon:
    """Return a rectangle with sides along the axes; `look` as in `Polygon`."""
    (x, y), (w, h) = origin_mm, size_mm
    return Polygon(((x, y), (x + w, y), (x + w, y + h), (x, y + h)), **look)  # type: ignore[arg-type]


def board_shapes(profile: BoardProfile, style: BoardStyle) -> tuple[Shape, ...]:
    """Return the whole board, in order of painting.

    Raises
    ------
    BoardError
        The profile names a marker dictionary that OpenCV does not have, or a marker not in it.
    """
    inset = profile.marker_inset_mm
    width, height = profile.width_mm, profile.height_mm
    shapes: list[Shape] = [
        rectangle((-inset, -inset), (width, height), fill=style.paper),
        rectangle((3 - inset, 3 - inset), (width - 6, height - 6), line=style.ink, line_mm=0.8),
        Label(profile.title.upper(), (width / 2 - inset, 7.0), 11.0, style.ink),
    ]
    shapes += _compass((width - inset - 66, 86.0), 34.0, style)
    for zone in profile.zones:
        shapes += _zone(zone, style)
    shapes += [_cell(profile, cell, style) for cell in profile.cells]
    shapes += [
        Disc(profile.cell_centre_mm(cell), 0.29 * profile.pitch_mm, line=style.line, line_mm=1.4)
        for cell in profile.start_cells
    ]
    shapes.append(_diamond(profile.cell_centre_mm((0, 0)), style))
    for marker in profile.markers:
        shapes += marker_shapes(profile, marker)
    return tuple(shapes)


def marker_shapes(profile: BoardProfile, marker: Marker) -> tuple[Shape, ...]:
    """Return an ArUco marker as squares, on a white patch one module wider on each side."""
    modules = marker_modules(profile.dictionary, marker.id)
    side = profile.marker_side_mm
    module = side / len(modules)
    x0, y0 = (c - side / 2 for c in marker.centre_mm)
    patch = (side + 2 * module, side + 2 * module)
    shapes: list[Shape] = [
        rectangle((x0 - module, y0 - module), patch, fill=WHITE),
        rectangle((x0, y0), (side, side), fill=BLACK),
    ]
    for row, line in enumerate(modules):
        for start, end in _runs(line):
            corner = (x0 + start * module, y0 + row * module)
            shapes.append(rectangle(corner, ((end - start) * module, module), fill=WHITE))
    return tuple(shapes)


def marker_modules(dictionary: str, marker_id: int) -> tuple[tuple[bool, ...], ...]:
    """Return the modules of an ArUco marker by rows, its black border included; true is white.

    Raises `BoardError` on an unknown dictionary or id.

    >>> len(marker_modules("DICT_4X4_50", 0))
    6
    """
    number = getattr(cv2.aruco, dictionary, None) if dictionary.startswith("DICT_") else None
    if not isinstance(number, int):
        raise BoardError(f"OpenCV knows no marker dictionary {dictionary!r}, e.g. 'DICT_4X4_50'")
    known = cv2.aruco.getPredefinedDictionary(number)
    count = len(known.bytesList)
    if not 0 <= marker_id < count:
        raise BoardError(f"{dictionary} has the markers 0 to {count - 1}, not {marker_id}")
    pixels = cv2.aruco.generateImageMarker(known, marker_id, known.markerSize + 2)
    return tuple(tuple(bool(v) for v in row) for row in pixels)


def _runs(line: tuple[bool, ...]) -> list[tuple[int, int]]:
    """Return the runs of white modules in a row as (first, one past the last)."""
    edges = [
        k for k in range(len(line) + 1) if (k > 0 and line[k - 1]) != (k < len(line) and line[k])
    ]
    return list(zip(edges[::2], edges[1::2], strict=True))


def _cell(profile: BoardProfile, cell: Cell, style: BoardStyle) -> Polygon:
    return Polygon(profile.cell_outline_mm(cell), style.sea, style.line, 0.9)


def _diamond(centre_mm: XY, style: BoardStyle) -> Polygon:
    x, y = centre_mm
    points = ((x, y - 11), (x + 8, y), (x, y + 11), (x - 8, y))
    return Polygon(points, fill=style.diamond, line=style.line, line_mm=0.6)


def _zone(zone: Zone, style: BoardStyle) -> tuple[Shape, ...]:
    (x, y), (w, h) = zone.origin_mm, zone.size_mm
    return (
        rectangle((x, y), (w, h), line=style.ink, line_mm=0.7),
        Label(zone.id.upper(), (x + w / 2, y - 3), 4.5, style.ink),
    )


def _compass(centre_mm: XY, radius_mm: float, style: BoardStyle) -> list[Shape]:
    """Return a compass rose: two rings and eight points, north up."""
    x, y = centre_mm

    def at(turn: float, share: float) -> XY:
        return (
            x + share * radius_mm * math.sin(turn * math.pi / 4),
            y - share * radius_mm * math.cos(turn * math.pi / 4),
        )

    rose: list[Shape] = [
        Disc(centre_mm, 0.74 * radius_mm, line=style.ink, line_mm=0.7),
        Disc(centre_mm, 0.68 * radius_mm, line=style.ink, line_mm=0.4),
    ]
    for turn in (1, 3, 5, 7, 0, 2, 4, 6):
        tip = 0.6 if turn % 2 else 1.0
        points = (at(turn, tip), at(turn + 0.5, 0.2), (x, y), at(turn - 0.5, 0.2))
        rose.append(Polygon(points, fill=style.ink))
    return rose
