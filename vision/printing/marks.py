"""What is printed on single cells: circles, winds, anchors, harbours."""

from __future__ import annotations

import math
from collections.abc import Callable

from companion.boards.profile import XY, Mark
from vision.printing.drawing import RGB, WHITE, Disc, Label, Polygon, Shape, blend, rectangle
from vision.printing.styles import BoardStyle

PORTS: dict[str, RGB] = {
    "red": (190, 48, 40),
    "blue": (40, 84, 180),
    "yellow": (226, 184, 44),
    "green": (52, 132, 66),
    "gray": (126, 128, 130),
    "black": (40, 38, 38),
}
"""Paint of ports by the colour they are named with."""

Draw = Callable[[Mark, XY, float, BoardStyle], list[Shape]]
"""Mark, centre of its cell, pitch of the grid, style."""


def mark_shapes(mark: Mark, centre_mm: XY, pitch_mm: float, style: BoardStyle) -> list[Shape]:
    """Return what a mark looks like on its cell."""
    return _DRAWN[mark.kind](mark, centre_mm, pitch_mm, style)


def _circle(mark: Mark, centre_mm: XY, pitch_mm: float, style: BoardStyle) -> list[Shape]:
    return [Disc(centre_mm, 0.29 * pitch_mm, line=style.line, line_mm=1.4)]


def _diamond(mark: Mark, centre_mm: XY, pitch_mm: float, style: BoardStyle) -> list[Shape]:
    x, y = centre_mm
    points = ((x, y - 11), (x + 8, y), (x, y + 11), (x - 8, y))
    return [Polygon(points, fill=style.accent, line=style.line, line_mm=0.6)]


def _wind(mark: Mark, centre_mm: XY, pitch_mm: float, style: BoardStyle) -> list[Shape]:
    """Return a paler square with arrows to both ends of the wind, from corner to corner."""
    x, y = centre_mm
    half = pitch_mm / 2
    pale = blend(style.sea, style.line, 0.3)
    corner, size = (x - half, y - half), (pitch_mm, pitch_mm)
    shapes: list[Shape] = [rectangle(corner, size, fill=pale, line=style.line, line_mm=0.9)]
    for way in (1, -1):
        for near, far in ((0.44, 0.62), (0.66, 0.84)):
            tip, wing = (way * far * half, -way * far * half), near * half
            shapes.append(
                Polygon(
                    (
                        (x + tip[0], y + tip[1]),
                        (x + way * wing * 0.55, y - way * wing * 1.05),
                        (x + way * wing * 0.95, y - way * wing * 0.95),
                        (x + way * wing * 1.05, y - way * wing * 0.55),
                    ),
                    fill=blend(pale, style.line, 0.75),
                )
            )
    return shapes


def _anchor(mark: Mark, centre_mm: XY, pitch_mm: float, style: BoardStyle) -> list[Shape]:
    x, y = centre_mm
    size = 0.3 * pitch_mm
    colour = blend(style.sea, style.line, 0.85)

    def at(points: list[XY]) -> tuple[XY, ...]:
        return tuple((x + size * px, y + size * py) for px, py in points)

    turns = [math.radians(20 + 140 * k / 8) for k in range(9)]
    outer = [(0.95 * math.cos(a), 0.1 + 0.95 * math.sin(a)) for a in turns]
    inner = [(0.72 * math.cos(a), 0.05 + 0.72 * math.sin(a)) for a in reversed(turns)]
    return [
        Disc((x, y - 0.82 * size), 0.18 * size, line=colour, line_mm=0.11 * size),
        Polygon(at([(-0.1, -0.62), (0.1, -0.62), (0.1, 1.0), (-0.1, 1.0)]), colour),
        Polygon(at([(-0.5, -0.44), (0.5, -0.44), (0.5, -0.26), (-0.5, -0.26)]), colour),
        Polygon(at([*outer, *inner]), colour),
        Polygon(at([(1.1, 0.0), (0.95, 0.62), (0.58, 0.3)]), colour),
        Polygon(at([(-1.1, 0.0), (-0.95, 0.62), (-0.58, 0.3)]), colour),
    ]


def _harbour(mark: Mark, centre_mm: XY, pitch_mm: float, style: BoardStyle) -> list[Shape]:
    """Return a basin with a quay around it and its letter."""
    x, y = centre_mm
    half = 0.45 * pitch_mm
    corner = 0.6 * half
    basin = (
        (x - half, y - corner),
        (x - corner, y - half),
        (x + corner, y - half),
        (x + half, y - corner),
        (x + half, y + corner),
        (x + corner, y + half),
        (x - corner, y + half),
        (x - half, y + corner),
    )
    height = 0.24 * pitch_mm
    return [
        Polygon(basin, blend(style.sea, style.land, 0.25), style.ink, 1.2),
        Label(mark.text, (x, y + height / 2), height, style.ink),
    ]


def _strait(mark: Mark, centre_mm: XY, pitch_mm: float, style: BoardStyle) -> list[Shape]:
    """Return waves and the name of the square that is the same one."""
    x, y = centre_mm
    colour = blend(style.sea, style.line, 0.85)
    shapes: list[Shape] = []
    for offset in (-0.32, 0.24):
        top = [
            (x + pitch_mm * (k / 12 - 0.5) * 0.7, y + pitch_mm * (offset + 0.03 * math.sin(k)))
            for k in range(13)
        ]
        shapes.append(Polygon((*top, *((px, py + 0.7) for px, py in reversed(top))), colour))
    height = 0.1 * pitch_mm
    shapes.append(Label("STRAIT", (x, y - 0.06 * pitch_mm), height, colour))
    shapes.append(Label(f"TO {mark.text}", (x, y + 0.12 * pitch_mm), height, colour))
    return shapes


def _treasure(mark: Mark, centre_mm: XY, pitch_mm: float, style: BoardStyle) -> list[Shape]:
    x, y = centre_mm
    size, thick = 0.26 * pitch_mm, 0.05 * pitch_mm
    red = (172, 44, 34)
    return [
        Polygon(
            (
                (x - size, y - way * (size - thick)),
                (x - size + thick, y - way * size),
                (x + size, y + way * (size - thick)),
                (x + size - thick, y + way * size),
            ),
            red,
        )
        for way in (1, -1)
    ]


def _skull(mark: Mark, centre_mm: XY, pitch_mm: float, style: BoardStyle) -> list[Shape]:
    x, y = centre_mm
    size = 0.24 * pitch_mm
    bone, dark = blend(style.land, WHITE, 0.8), blend(style.land, (0, 0, 0), 0.65)
    jaw = ((-0.55, 0.3), (0.55, 0.3), (0.48, 1.1), (-0.48, 1.1))
    nose = ((0.0, 0.2), (-0.13, 0.45), (0.13, 0.45))
    shapes: list[Shape] = []
    for way in (1, -1):
        for end in (-1, 1):
            tip = (x + 1.35 * size * end, y + size * (0.35 + 0.75 * end * way))
            shapes.append(Disc(tip, 0.22 * size, fill=bone))
        (x0, y0), (x1, y1) = (
            (x - 1.35 * size, y + size * (0.35 - 0.75 * way)),
            (x + 1.35 * size, y + size * (0.35 + 0.75 * way)),
        )
        shapes.append(Polygon(((x0, y0), (x1, y1)), line=bone, line_mm=0.22 * size))
    shapes += [
        Disc((x, y - 0.15 * size), 0.85 * size, fill=bone),
        Polygon(tuple((x + size * px, y + size * py) for px, py in jaw), bone),
        Disc((x - 0.36 * size, y - 0.05 * size), 0.24 * size, fill=dark),
        Disc((x + 0.36 * size, y - 0.05 * size), 0.24 * size, fill=dark),
        Polygon(tuple((x + size * px, y + size * py) for px, py in nose), dark),
    ]
    for k in (-0.24, 0.0, 0.24):
        tooth = ((x + k * size, y + 0.7 * size), (x + k * size, y + 1.08 * size))
        shapes.append(Polygon(tooth, line=dark, line_mm=0.06 * size))
    return shapes


def _port(mark: Mark, centre_mm: XY, pitch_mm: float, style: BoardStyle) -> list[Shape]:
    """Return a mooring: a ring in the port's colour, its name below.

    The water within stays as it is, so that a ship of the same colour stands out from it.
    """
    paint = PORTS.get(mark.paint, style.accent)
    x, y = centre_mm
    middle = (x, y - 0.06 * pitch_mm) if mark.text else centre_mm
    share = 0.38 if mark.text else 0.42
    shapes: list[Shape] = [
        Disc(middle, share * pitch_mm, None, style.line, 0.11 * pitch_mm),
        Disc(middle, share * pitch_mm, None, paint, 0.08 * pitch_mm),
    ]
    if mark.text:
        shapes.append(Label(mark.text, (x, y + 0.46 * pitch_mm), 0.09 * pitch_mm, style.line))
    return shapes


def _merchant(mark: Mark, centre_mm: XY, pitch_mm: float, style: BoardStyle) -> list[Shape]:
    """Return a merchantman under sail, in the colour of the grid: she is no piece."""
    x, y = centre_mm
    size = 0.34 * pitch_mm
    colour = blend(style.sea, style.line, 0.7)

    def at(*points: XY) -> tuple[XY, ...]:
        return tuple((x + size * px, y + size * py) for px, py in points)

    return [
        Polygon(at((-1.0, 0.35), (1.0, 0.35), (0.7, 0.85), (-0.75, 0.85)), colour),
        Polygon(at((-0.7, 0.2), (-0.7, -0.6), (-0.12, -0.05), (-0.12, 0.2)), colour),
        Polygon(at((0.0, 0.2), (0.0, -0.95), (0.75, -0.1), (0.75, 0.2)), colour),
    ]


_DRAWN: dict[str, Draw] = {
    "circle": _circle,
    "diamond": _diamond,
    "wind": _wind,
    "anchor": _anchor,
    "harbour": _harbour,
    "strait": _strait,
    "treasure": _treasure,
    "skull": _skull,
    "port": _port,
    "merchant": _merchant,
}
