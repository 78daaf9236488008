"""The drawing of a board as plain shapes in the board frame (millimetres, y down)."""

from __future__ import annotations

import math
from collections.abc import Mapping

from companion.boards.profile import XY, BoardProfile, Marker, Ornament, Zone
from companion.rules.layout import Cell
from vision.aruco import drawn_marker
from vision.printing.drawing import (
    BLACK,
    WHITE,
    Disc,
    Label,
    Polygon,
    Shape,
    blend,
    rectangle,
)
from vision.printing.marks import mark_shapes
from vision.printing.styles import BoardStyle


def board_shapes(profile: BoardProfile, style: BoardStyle) -> tuple[Shape, ...]:
    """Return the whole board, in order of painting.

    Raises
    ------
    BoardError
        The profile names a marker dictionary that OpenCV does not have, or a marker not in it.
    """
    inset = profile.marker_inset_mm
    width, height = profile.width_mm, profile.height_mm
    ground = style.sea if profile.is_open else style.paper
    shapes: list[Shape] = [
        rectangle((-inset, -inset), (width, height), fill=ground),
        rectangle((3 - inset, 3 - inset), (width - 6, height - 6), line=style.ink, line_mm=0.8),
        Label(profile.title.upper(), profile.title_at.at_mm, profile.title_at.size_mm, style.ink),
    ]
    shapes += _compass(profile.compass, style)
    for zone in profile.zones:
        shapes += _zone(zone, style)
    shapes += [_cell(profile, cell, style) for cell in profile.cells]
    for mark in profile.marks:
        shapes += mark_shapes(mark, profile.cell_centre_mm(mark.cell), profile.pitch_mm, style)
    shapes += _coast(profile, style)
    if profile.is_lettered:
        shapes += _coordinates(profile, style)
    for marker in profile.markers:
        shapes += marker_shapes(profile, marker)
    return tuple(shapes)


def marker_shapes(profile: BoardProfile, marker: Marker) -> tuple[Shape, ...]:
    """Return one of a board's markers."""
    return code_shapes(profile.dictionary, marker.id, profile.marker_side_mm, marker.centre_mm)


def code_shapes(dictionary: str, number: int, side_mm: float, centre_mm: XY) -> tuple[Shape, ...]:
    """Return an ArUco marker or a tag as squares, on a white patch one module wider on each side.

    Raises `BoardError` on an unknown dictionary or number.
    """
    modules = marker_modules(dictionary, number)
    module = side_mm / len(modules)
    x0, y0 = (c - side_mm / 2 for c in centre_mm)
    patch = (side_mm + 2 * module, side_mm + 2 * module)
    shapes: list[Shape] = [
        rectangle((x0 - module, y0 - module), patch, fill=WHITE),
        rectangle((x0, y0), (side_mm, side_mm), fill=BLACK),
    ]
    for row, line in enumerate(modules):
        for start, end in _runs(line):
            corner = (x0 + start * module, y0 + row * module)
            shapes.append(rectangle(corner, ((end - start) * module, module), fill=WHITE))
    return tuple(shapes)


def marker_modules(dictionary: str, marker_id: int) -> tuple[tuple[bool, ...], ...]:
    """Return the modules of an ArUco marker by rows, its black border included; true is white.

    Raises `BoardError` on an unknown dictionary or id.
    """
    return tuple(tuple(bool(v) for v in row) for row in drawn_marker(dictionary, marker_id))


def _runs(line: tuple[bool, ...]) -> list[tuple[int, int]]:
    """Return the runs of white modules in a row as (first, one past the last)."""
    edges = [
        k for k in range(len(line) + 1) if (k > 0 and line[k - 1]) != (k < len(line) and line[k])
    ]
    return list(zip(edges[::2], edges[1::2], strict=True))


def _cell(profile: BoardProfile, cell: Cell, style: BoardStyle) -> Polygon:
    if cell in profile.impassable:
        return Polygon(profile.cell_outline_mm(cell), style.land, style.land, 0.3)
    return Polygon(profile.cell_outline_mm(cell), style.sea, style.line, 0.9)


def _coast(profile: BoardProfile, style: BoardStyle) -> list[Shape]:
    """Return the beaches: each side of a land cell that no other land cell shares."""
    sides: dict[frozenset[XY], tuple[XY, XY]] = {}
    for cell in sorted(profile.impassable):
        corners = [(round(x, 3), round(y, 3)) for x, y in profile.cell_outline_mm(cell)]
        for side in zip(corners, [*corners[1:], corners[0]], strict=True):
            key = frozenset(side)
            if sides.pop(key, None) is None:
                sides[key] = side
    sand = blend(style.land, WHITE, 0.45)
    return [Polygon(side, line=sand, line_mm=2.4) for side in sides.values()]


def _coordinates(profile: BoardProfile, style: BoardStyle) -> list[Shape]:
    """Return the letters and numbers of the cells, at both ends of each line of cells.

    Harbours lie off the grid and have no coordinates; where one is in the way the label is left
    out, as each line has two ends.
    """
    harbours = {mark.cell for mark in profile.marks if mark.kind == "harbour"}
    names = {cell: profile.name_of(cell) for cell in profile.cells if cell not in harbours}
    across, down = (1, 0), (0, 1)
    lettered, numbered = (across, down) if profile.grid.is_hex else (down, across)
    labels: list[Shape] = []
    for along, part in ((lettered, slice(1)), (numbered, slice(1, None))):
        texts = {cell: name[part] for cell, name in names.items()}
        for dx, dy in (along, (-along[0], -along[1])):
            for text, (x, y) in _last_by_text(texts, (dx, dy)).items():
                if (x + dx, y + dy) not in profile.cells:
                    labels.append(_coordinate(profile, (x, y), (x + dx, y + dy), text, style))
    return labels


def _last_by_text(texts: Mapping[Cell, str], way: Cell) -> dict[str, Cell]:
    """Return the cell farthest along a way of those that bear each text."""
    ordered = sorted(texts, key=lambda cell: way[0] * cell[0] + way[1] * cell[1])
    return {texts[cell]: cell for cell in ordered}


def _coordinate(
    profile: BoardProfile, end: Cell, beyond: Cell, text: str, style: BoardStyle
) -> Label:
    """Return a label beside the last cell of a line, toward where the next one would be."""
    (x, y), (x1, y1) = profile.cell_centre_mm(end), profile.cell_centre_mm(beyond)
    size_mm = 4.5 if profile.grid.is_hex else 3.2  # there is more room around hexes
    away = 0.5 + (0.8 + size_mm) / profile.pitch_mm
    at = (x + (x1 - x) * away, y + (y1 - y) * away + size_mm / 2)
    return Label(text, at, size_mm, style.ink)


def _zone(zone: Zone, style: BoardStyle) -> tuple[Shape, ...]:
    (x, y), (w, h) = zone.origin_mm, zone.size_mm
    return (
        rectangle((x, y), (w, h), line=style.ink, line_mm=0.7),
        Label(zone.id.upper(), (x + w / 2, y - 3), 4.5, style.ink),
    )


def _compass(where: Ornament, style: BoardStyle) -> list[Shape]:
    """Return a compass rose: two rings and eight points, north up."""
    centre_mm, radius_mm = where.at_mm, where.size_mm
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
