"""Dice in a tray as solids: where they lie, how they look, and their picture."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from vision.frame import Array, Image
from vision.virtual.lens import Lens
from vision.virtual.light import Light
from vision.virtual.patch import Patch, cast_shadow
from vision.virtual.solids import Solid, normals, solid_of

Colour = tuple[int, int, int]
"""Blue, green, red."""


@dataclass(frozen=True, slots=True)
class DiePose:
    """A die as it lies in the tray: the truth, which only its picture tells."""

    kind: str
    """``"sail"`` or ``"cannon"``."""
    face: int
    """The value it shows."""
    x_mm: float
    """Where its middle stands on the floor; origin at the inside top-left corner."""
    y_mm: float
    turn_deg: float = 0.0
    """Turn about the vertical."""
    way: int = 0
    """Which of the sides with this value is up (any number; taken modulo their count)."""


@dataclass(frozen=True, slots=True)
class DiceSet:
    """The colours and the lettering of a table's dice."""

    sail_body: Colour
    sail_ink: Colour
    cannon_body: Colour
    cannon_ink: Colour
    font: int = cv2.FONT_HERSHEY_DUPLEX


DICE_SETS: tuple[DiceSet, ...] = (
    DiceSet((40, 196, 236), (22, 24, 26), (130, 40, 92), (240, 240, 240)),
    DiceSet((160, 70, 30), (240, 240, 240), (200, 224, 232), (24, 26, 30)),
    DiceSet((222, 226, 228), (140, 40, 30), (60, 110, 30), (90, 220, 240)),
    DiceSet((60, 120, 235), (20, 20, 24), (36, 34, 34), (225, 232, 235)),
    DiceSet((150, 140, 20), (245, 245, 245), (36, 30, 165), (240, 238, 232)),
    DiceSet((200, 224, 232), (30, 26, 120), (140, 62, 22), (235, 240, 242)),
)
"""Sets to choose from; sails and cannonballs always differ in colour."""

_REACH_MM = {"sail": 12.0, "cannon": 14.2}
"""How far a die reaches from its middle, with a little air."""

_SIDE_PX = 160
_TOP_PX, _EDGE_PX = 8.0, 152.0
_CORNERS = np.array(
    [
        (_SIDE_PX / 2, _TOP_PX),
        (_SIDE_PX / 2 - _EDGE_PX / 2, _TOP_PX + _EDGE_PX * np.sqrt(0.75)),
        (_SIDE_PX / 2 + _EDGE_PX / 2, _TOP_PX + _EDGE_PX * np.sqrt(0.75)),
    ]
)
"""A side's triangle on its print: the first corner on top, then anticlockwise."""


def posed_corners_mm(pose: DiePose) -> Array:
    """Return the corners (C, 3) of a die where it lies; it stands on ``z = 0``."""
    solid = solid_of(pose.kind)
    ways = solid.ways(pose.face)
    turned = solid.corners_mm @ _upright(ways[pose.way % len(ways)]).T
    angle = np.radians(pose.turn_deg)
    cos, sin = np.cos(angle), np.sin(angle)
    turned = turned @ np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]]).T
    floor = turned[:, 2].max()
    return np.asarray(turned + np.array([pose.x_mm, pose.y_mm, -floor]))


def render_tray(
    empty: Image, lens: Lens, light: Light, dice: Sequence[DiePose], look: DiceSet = DICE_SETS[0]
) -> Image:
    """Return the picture of the tray with dice in it.

    Parameters
    ----------
    empty : ndarray of shape (H, W, 3), uint8, BGR
        The lit tray without dice as `lens` sees it; not changed.
    lens : Lens
        Its frame is the tray floor: origin at the inside top-left corner, millimetres.
    light : Light
        Shades the sides and casts the shadows.
    dice : sequence of DiePose
        May be empty.
    look : DiceSet
        Colours of the two kinds.
    """
    picture = empty.copy()
    posed = [(pose, posed_corners_mm(pose)) for pose in dice]
    for _, corners in posed:
        _lay_shadow(picture, lens, light, corners)
    gains = light.level * np.array(light.tint)
    for pose, corners in sorted(posed, key=lambda p: -_distance(lens, p[1])):
        _draw_die(picture, lens, light, pose, corners, look, gains)
    return picture


def scatter(
    dice: Iterable[tuple[str, int]],
    size_mm: tuple[float, float],
    rng: np.random.Generator,
    lying: Sequence[DiePose] = (),
) -> tuple[DiePose, ...]:
    """Throw dice of (kind, value) into a tray beside those that lie there; none overlap.

    Raises `ValueError` if the tray is too full.
    """
    placed = list(lying)
    wall_mm = 18.0
    for kind, face in dice:
        for _ in range(2000):
            x = float(rng.uniform(wall_mm, size_mm[0] - wall_mm))
            y = float(rng.uniform(wall_mm, size_mm[1] - wall_mm))
            room = [_REACH_MM[kind] + _REACH_MM[d.kind] for d in placed]
            gaps = [np.hypot(x - d.x_mm, y - d.y_mm) for d in placed]
            if all(gap >= least for gap, least in zip(gaps, room, strict=True)):
                break
        else:
            raise ValueError(f"no room for one more die beside {len(placed)} in the tray")
        turn, way = float(rng.uniform(0, 360)), int(rng.integers(0, 12))
        placed.append(DiePose(kind, face, x, y, turn, way))
    return tuple(placed[len(lying) :])


def _upright(up: Array) -> Array:
    """Return the rotation (3, 3) that turns the direction `up` to the sky (z = -1)."""
    unit = up / np.linalg.norm(up)
    sky = np.array([0.0, 0.0, -1.0])
    axis, cos = np.cross(unit, sky), float(unit @ sky)
    if cos < -0.999999:  # upside down: any half turn about a horizontal axis
        return np.diag([1.0, -1.0, -1.0])
    cross = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.asarray(np.eye(3) + cross + cross @ cross / (1 + cos))


def _distance(lens: Lens, corners: Array) -> float:
    return float(np.linalg.norm(corners.mean(axis=0) - lens.position_mm))


def _lay_shadow(picture: Image, lens: Lens, light: Light, corners: Array) -> None:
    """Darken the floor where the die stands and where it keeps the light away."""
    px_per_mm = lens.px_per_mm
    thrown = lens.project(light.shadow_mm(corners))
    strength = 0.85 * (1 - light.ambient)
    cast_shadow(picture, thrown, strength, light.softness_mm * px_per_mm * 0.4)
    base = corners.copy()
    base[:, 2] = 0.0
    cast_shadow(picture, lens.project(base), 0.35, 1.5 * px_per_mm)


def _draw_die(
    picture: Image,
    lens: Lens,
    light: Light,
    pose: DiePose,
    corners: Array,
    look: DiceSet,
    gains: Array,
) -> None:
    solid = solid_of(pose.kind)
    outward = normals(corners, solid.sides)
    middles = np.stack([corners[list(side)].mean(axis=0) for side in solid.sides])
    facing = np.einsum("ij,ij->i", outward, lens.position_mm - middles) > 0
    pixels, shades = lens.project(corners), light.shade(outward)
    patch = Patch((picture.shape[1], picture.shape[0]), pixels)
    if patch.is_empty:
        return
    prints = _prints(pose.kind, look)
    for index in np.flatnonzero(facing):
        side = list(solid.sides[index])
        patch.texture(prints[index], _CORNERS, pixels[side], shades[index] * gains)
    patch.blend(picture)


@cache
def _prints(kind: str, look: DiceSet) -> tuple[Image, ...]:
    """Draw the print of every side of a kind of die once."""
    solid: Solid = solid_of(kind)
    body, ink = (
        (look.sail_body, look.sail_ink) if kind == "sail" else (look.cannon_body, look.cannon_ink)
    )
    return tuple(_print_side(values, body, ink, look.font) for values in solid.prints)


def _print_side(values: tuple[int, ...], body: Colour, ink: Colour, font: int) -> Image:
    """Return a square picture of a triangular side with its numerals."""
    side = np.full((_SIDE_PX, _SIDE_PX, 3), body, np.uint8)
    worn = tuple(0.75 * c + 0.25 * 255 for c in body)
    outline = np.round(_CORNERS).astype(np.int32)
    cv2.polylines(side, [outline], True, worn, 4, cv2.LINE_AA)
    middle = _CORNERS.mean(axis=0)
    if len(values) == 1:
        _stamp(side, values[0], middle, 0.0, 68, ink, font)
    else:
        for value, corner in zip(values, _CORNERS, strict=True):
            # Each numeral stands upright when its corner is held on top.
            toward = corner - middle
            angle = np.degrees(np.arctan2(toward[0], -toward[1]))
            _stamp(side, value, middle + 0.47 * toward, float(angle), 40, ink, font)
    return side


def _stamp(
    side: Image, value: int, at: Array, angle_deg: float, height_px: int, ink: Colour, font: int
) -> None:
    """Print a numeral of a height around a point, turned clockwise by an angle."""
    thick = max(4, height_px // 8)
    scale = cv2.getFontScaleFromHeight(font, height_px - thick, thick)
    (width, height), _ = cv2.getTextSize(str(value), font, scale, thick)
    mask = np.zeros(side.shape[:2], np.uint8)
    corner = (round(_SIDE_PX / 2 - width / 2), round(_SIDE_PX / 2 + height / 2))
    cv2.putText(mask, str(value), corner, font, scale, (255,), thick, cv2.LINE_AA)
    how: Array = cv2.getRotationMatrix2D((_SIDE_PX / 2, _SIDE_PX / 2), -angle_deg, 1.0)
    how[:, 2] += at - _SIDE_PX / 2
    turned = cv2.warpAffine(mask, how, (_SIDE_PX, _SIDE_PX))
    weight = (turned.astype(np.float32) / 255)[..., None]
    side[:] = (side * (1 - weight) + np.array(ink, np.float32) * weight).astype(np.uint8)
