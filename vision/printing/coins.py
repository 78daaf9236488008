"""The faces of piecepack coins and what stands in for other pieces, drawn true to scale."""

from __future__ import annotations

import math

from companion.boards.profile import XY
from vision.printing.drawing import RGB, WHITE, Disc, Label, Polygon, Shape, blend, rectangle

COIN_MM = 19.0
"""Diameter of a piecepack coin (three quarters of an inch)."""

SUITS: dict[str, RGB] = {
    "suns": (196, 34, 36),
    "crowns": (222, 170, 20),
    "moons": (30, 28, 30),
    "arms": (30, 74, 170),
}
"""Paint of the four suits."""

PALE: RGB = (240, 230, 206)
"""Bare coins: light wood or paper."""

COIN_LOOKS = ("painted", "rimmed", "bare")
"""Painted all over with a pale symbol; pale with a rim and symbol in the suit's colour; the same
without a rim, as many piecepacks are."""


def suit_of(fleet: str) -> str:
    """Return the suit of a fleet of either pack.

    >>> suit_of("suns2")
    'suns'
    """
    return fleet.removesuffix("2")


def coin_shapes(fleet: str, look: str, at_mm: XY = (0.0, 0.0)) -> list[Shape]:
    """Return the suit side of a coin with its middle at a point; `look` is of `COIN_LOOKS`."""
    suit = suit_of(fleet)
    paint, radius = SUITS[suit], COIN_MM / 2
    if look == "painted":
        pale = blend(paint, (255, 255, 255), 0.86)
        ring = Disc(at_mm, 0.9 * radius, line=pale, line_mm=0.35)
        return [Disc(at_mm, radius, paint), ring, *symbol_shapes(suit, at_mm, 5.6, pale, paint)]
    face: list[Shape] = [Disc(at_mm, radius, PALE)]
    if look == "rimmed":
        face.append(Disc(at_mm, 0.88 * radius, line=paint, line_mm=0.22 * radius))
        return face + symbol_shapes(suit, at_mm, 4.9, paint, PALE)
    return face + symbol_shapes(suit, at_mm, 6.4, paint, PALE)


def wreck_shapes(value: str, at_mm: XY = (0.0, 0.0)) -> list[Shape]:
    """Return the value side of a coin, which shows a wreck: bare, with a black number."""
    x, y = at_mm
    ink = (44, 40, 36)
    ring = Disc(at_mm, 0.44 * COIN_MM, line=blend(PALE, ink, 0.25), line_mm=0.3)
    return [Disc(at_mm, COIN_MM / 2, PALE), ring, Label(value, (x, y + 4.0), 8.0, ink)]


BARREL_MM = (12.4, 18.0)
"""Diameter and height of the treasure that is rolled from paper."""
WOOD: RGB = (150, 96, 48)
BAND: RGB = (226, 178, 52)


def treasure_shapes(at_mm: XY) -> list[Shape]:
    """Return a barrel's strip, with a tab, and its lid beside it; centred below a point."""
    (x, y), (diameter, height) = at_mm, BARREL_MM
    girth, tab = math.pi * diameter, 6.0
    x0 = x - (girth + tab + diameter + 6.0) / 2
    shapes: list[Shape] = [
        rectangle((x0 + girth, y + 1.5), (tab, height - 3), fill=WHITE, line=WOOD, line_mm=0.2),
        rectangle((x0, y), (girth, height), fill=WOOD),
        *(rectangle((x0, y + f * height), (girth, 1.6), fill=BAND) for f in (0.08, 0.45, 0.83)),
    ]
    return shapes + lid_shapes((x0 + girth + tab + 6.0 + diameter / 2, y + height / 2))


def lid_shapes(at_mm: XY) -> list[Shape]:
    """Return the lid of the barrel: bands with a cross."""
    (x, y), radius = at_mm, BARREL_MM[0] / 2
    reach = 0.55 * radius
    arms = [
        Polygon(
            ((x - reach, y - way * reach), (x + reach, y + way * reach)),
            line=(120, 24, 20),
            line_mm=1.4,
        )
        for way in (1, -1)
    ]
    return [Disc(at_mm, radius, WOOD), Disc(at_mm, 0.86 * radius, BAND), *arms]


def symbol_shapes(suit: str, at_mm: XY, radius_mm: float, paint: RGB, ground: RGB) -> list[Shape]:
    """Return a suit's symbol within a circle; `ground` is what it is painted on."""
    x, y = at_mm

    def placed(points: list[XY]) -> tuple[XY, ...]:
        return tuple((x + radius_mm * px, y + radius_mm * py) for px, py in points)

    if suit == "suns":
        rays = [Polygon(placed(_ray(45.0 * k)), paint) for k in range(8)]
        return [*rays, Disc(at_mm, 0.5 * radius_mm, paint)]
    if suit == "moons":
        return [Polygon(placed(_crescent()), paint)]
    outline = _CROWN if suit == "crowns" else _LILY
    band_y = 0.5 if suit == "crowns" else 0.22
    half = 0.62 if suit == "crowns" else 0.5
    band = [(-half, band_y), (half, band_y), (half, band_y + 0.12), (-half, band_y + 0.12)]
    return [Polygon(placed(outline), paint), Polygon(placed(band), ground)]


def _ray(turn_deg: float) -> list[XY]:
    turn = math.radians(turn_deg)
    places = ((1.0, 0.0), (0.58, 0.3), (0.58, -0.3))
    return [(r * math.cos(turn + a), r * math.sin(turn + a)) for r, a in places]


def _crescent() -> list[XY]:
    outer = [math.radians(48 + 264 * k / 20) for k in range(21)]
    tip_x, tip_y = math.cos(outer[0]), math.sin(outer[0])
    middle, radius = 0.42, math.hypot(tip_x - 0.42, tip_y)
    reach = math.degrees(math.atan2(tip_y, tip_x - middle))
    inner = [math.radians(-reach - (360 - 2 * reach) * k / 16) for k in range(17)]
    return [(math.cos(a), math.sin(a)) for a in outer] + [
        (middle + radius * math.cos(a), radius * math.sin(a)) for a in inner
    ]


_CROWN: list[XY] = [
    (-0.9, -0.5),
    (-0.45, -0.02),
    (0.0, -0.85),
    (0.45, -0.02),
    (0.9, -0.5),
    (0.68, 0.75),
    (-0.68, 0.75),
]

_HALF_LILY: list[XY] = [
    (0.0, -1.0),
    (0.3, -0.55),
    (0.24, -0.1),
    (0.16, 0.2),
    (0.5, -0.25),
    (0.85, -0.3),
    (0.92, 0.05),
    (0.7, 0.3),
    (0.62, 0.05),
    (0.4, 0.2),
    (0.22, 0.42),
    (0.42, 0.8),
    (0.12, 0.72),
    (0.0, 1.0),
]
_LILY: list[XY] = _HALF_LILY + [(-x, y) for x, y in reversed(_HALF_LILY[1:-1])]
"""The fleur-de-lis of the arms."""
