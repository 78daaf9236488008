"""What is printed on the sides of the virtual dice, and in which colours."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from companion.rules.layout import Die
from vision.dice.kinds import COLOURS, sign_of
from vision.frame import Array, Image
from vision.printing.coins import symbol_shapes
from vision.printing.drawing import WHITE
from vision.printing.raster import rasterise
from vision.virtual.solids import CUBES, TETRAHEDRA, Solid, solid_of

Colour = tuple[int, int, int]
"""Blue, green, red."""


@dataclass(frozen=True, slots=True)
class DiceSet:
    """The colours and the lettering of a table's dice."""

    sail_body: Colour
    sail_ink: Colour
    cannon_body: Colour
    cannon_ink: Colour
    """Of the other numbered dice, too."""
    cube_body: Colour
    cube_ink: Colour
    font: int = cv2.FONT_HERSHEY_DUPLEX
    suit: str | None = None
    """What stands on the ace of a piecepack die, of `vision.printing.coins.SUITS`; ``None`` for a
    spiral."""

    def paints(self, kind: str) -> tuple[Colour, Colour]:
        """Return the colours of the body and of the prints of a kind."""
        if kind == "sail":
            return self.sail_body, self.sail_ink
        if kind in CUBES:
            return self.cube_body, self.cube_ink
        return self.cannon_body, self.cannon_ink


_IVORY, _BLACK = (222, 234, 238), (26, 22, 20)
DICE_SETS: tuple[DiceSet, ...] = (
    DiceSet((40, 196, 236), (22, 24, 26), (130, 40, 92), (240, 240, 240), _IVORY, _BLACK),
    DiceSet(
        (160, 70, 30), (240, 240, 240), (200, 224, 232), (24, 26, 30), _IVORY, (30, 30, 150),
        suit="suns",
    ),
    DiceSet((222, 226, 228), (140, 40, 30), (60, 110, 30), (90, 220, 240), (44, 34, 180), _IVORY),
    DiceSet(
        (60, 120, 235), (20, 20, 24), (36, 34, 34), (225, 232, 235), _IVORY, (60, 100, 30),
        suit="crowns",
    ),
    DiceSet(
        (150, 140, 20), (245, 245, 245), (36, 30, 165), (240, 238, 232), _BLACK, _IVORY,
        suit="moons",
    ),
    DiceSet(
        (200, 224, 232), (30, 26, 120), (140, 62, 22), (235, 240, 242), (200, 215, 225), _BLACK,
        suit="arms",
    ),
)  # fmt: skip
"""Sets to choose from; sails and cannonballs always differ in colour."""

_TINTS: dict[str, Colour] = {
    "brown": (38, 62, 104),
    "red": (40, 34, 190),
    "orange": (28, 120, 235),
    "green": (50, 130, 40),
    "white": (232, 234, 236),
    "yellow": (40, 205, 238),
}
"""Of the colour die's faces."""

_PX_PER_MM = 8.0
"""Of the prints."""
_NUMERAL_MM = {
    "sail": 5.3, "d4": 5.3, "cannon": 6.5, "d6_numeral": 9.0, "piecepack": 9.5,
    "d8": 7.0, "d10": 5.6, "d12": 5.6, "d20": 4.6,
}  # fmt: skip
_PIP_MM, _PIP_STEP_MM = 3.2, 4.2
_PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


@cache
def prints_of(kind: str, look: DiceSet) -> tuple[tuple[Image, Array], ...]:
    """Return for every side of a kind of die its print, and its outline (N, 2) on it."""
    solid: Solid = solid_of(kind)
    drawn = []
    for side, values in zip(solid.sides, solid.prints, strict=True):
        outline = _laid_flat(solid.corners_mm[list(side)])
        drawn.append((_print_side(kind, values, outline, look), outline))
    return tuple(drawn)


def _laid_flat(points: Array) -> Array:
    """Return the corners (N, 2) of a side on its print, the first one on top."""
    middle = points.mean(axis=0)
    up = (points[0] - middle) / np.linalg.norm(points[0] - middle)
    left = points[1] - middle
    left = left - (left @ up) * up
    left /= np.linalg.norm(left)
    flat = np.stack([-(points - middle) @ left, -(points - middle) @ up], axis=1) * _PX_PER_MM
    return np.asarray(flat - flat.min(axis=0) + 4)


def _print_side(kind: str, values: tuple[int, ...], outline: Array, look: DiceSet) -> Image:
    """Return the picture of a side with what is printed on it."""
    body, ink = look.paints(kind)
    width, height = (int(v) for v in np.ceil(outline.max(axis=0)) + 4)
    if kind == "colour":
        body = _TINTS[COLOURS[values[0]]]
    side = np.full((height, width, 3), body, np.uint8)
    worn = tuple(0.75 * c + 0.25 * 255 for c in body)
    cv2.polylines(side, [np.round(outline).astype(np.int32)], True, worn, 4, cv2.LINE_AA)
    middle = outline.mean(axis=0)
    if kind == "d6":
        _stamp_pips(side, values[0], middle, outline, ink)
    elif kind in TETRAHEDRA:
        for value, corner in zip(values, outline, strict=True):
            # Each numeral stands upright when its corner is held on top.
            toward = corner - middle
            angle = np.degrees(np.arctan2(toward[0], -toward[1]))
            _stamp(side, str(value), middle + 0.47 * toward, float(angle), kind, look)
    elif kind != "colour":
        sign = sign_of(Die(kind, values[0]))
        # A cube's numeral is square to its edges; the corner is on top of the print.
        angle = 45.0 if kind in CUBES else 0.0
        _stamp(side, sign, middle, angle, kind, look)
        if sign in ("6", "9") and kind != "cannon":
            _underline(side, middle, angle, kind, ink)
    return side


def _stamp_pips(side: Image, value: int, middle: Array, outline: Array, ink: Colour) -> None:
    along = (outline[0] - outline[1]) / np.linalg.norm(outline[0] - outline[1])
    across = np.array([-along[1], along[0]])
    for a, b in _PIPS[value]:
        x, y = middle + _PX_PER_MM * _PIP_STEP_MM * (a * along + b * across)
        radius = round(_PIP_MM / 2 * _PX_PER_MM)
        cv2.circle(side, (round(float(x)), round(float(y))), radius, ink, -1, cv2.LINE_AA)


def _stamp(side: Image, sign: str, at: Array, angle_deg: float, kind: str, look: DiceSet) -> None:
    """Print a sign around a point, turned clockwise by an angle."""
    if sign == "blank":
        return
    height_px = round(_NUMERAL_MM[kind] * _PX_PER_MM * (0.8 if len(sign) == 2 else 1.0))
    rows, columns = side.shape[:2]
    mask = np.zeros((rows, columns), np.uint8)
    if sign != "ace":
        _write(mask, sign, height_px, look.font)
    elif look.suit is None:
        spiral = _spiral((columns / 2, rows / 2), height_px)
        cv2.polylines(mask, [spiral], False, (255,), height_px // 12)
    else:
        size = columns / _PX_PER_MM, rows / _PX_PER_MM
        suit = symbol_shapes(look.suit, (0, 0), _NUMERAL_MM[kind] / 2, (0, 0, 0), WHITE)
        mask = 255 - rasterise(suit, (-size[0] / 2, -size[1] / 2), size, _PX_PER_MM)[..., 0]
    how: Array = cv2.getRotationMatrix2D((columns / 2, rows / 2), -angle_deg, 1.0)
    how[:, 2] += at - np.array([columns, rows]) / 2
    turned = cv2.warpAffine(mask, how, (columns, rows))
    weight = (turned.astype(np.float32) / 255)[..., None]
    ink = np.array(look.paints(kind)[1], np.float32)
    side[:] = (side * (1 - weight) + ink * weight).astype(np.uint8)


def _write(mask: Image, sign: str, height_px: int, font: int) -> None:
    """Write a numeral of a height into the middle of a mask."""
    rows, columns = mask.shape
    thick = max(4, height_px // 8)
    scale = cv2.getFontScaleFromHeight(font, height_px - thick, thick)
    (width, height), _ = cv2.getTextSize(sign, font, scale, thick)
    corner = (round(columns / 2 - width / 2), round(rows / 2 + height / 2))
    cv2.putText(mask, sign, corner, font, scale, (255,), thick, cv2.LINE_AA)


def _spiral(middle: tuple[float, float], size: int) -> Array:
    """Return the points (N, 1, 2) of the piecepack's ace."""
    angle = np.linspace(0, 4.6 * np.pi, 120)
    radius = np.linspace(0.04, 0.46, 120) * size
    points = np.stack([np.cos(angle), np.sin(angle)], axis=1) * radius[:, None] + middle
    return np.round(points).astype(np.int32)[:, None]


def _underline(side: Image, middle: Array, angle_deg: float, kind: str, ink: Colour) -> None:
    """Draw the line that tells a 6 from a 9."""
    turn = np.radians(angle_deg)
    down, right = np.array([-np.sin(turn), np.cos(turn)]), np.array([np.cos(turn), np.sin(turn)])
    high = _NUMERAL_MM[kind] * _PX_PER_MM
    ends = [middle + 0.68 * high * down + s * 0.3 * high * right for s in (-1, 1)]
    first, last = ((round(float(x)), round(float(y))) for x, y in ends)
    cv2.line(side, first, last, ink, max(3, round(high / 9)), cv2.LINE_AA)
