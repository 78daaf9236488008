"""Dice in a tray as solids: where they lie, how they look, and their picture."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from vision.frame import Array, Image
from vision.polyhedra import normals
from vision.virtual.canvas import Canvas
from vision.virtual.lens import Lens
from vision.virtual.light import Light
from vision.virtual.patch import Patch
from vision.virtual.prints import DICE_SETS, DiceSet, prints_of
from vision.virtual.solids import TETRAHEDRA, solid_of


@dataclass(frozen=True, slots=True)
class DiePose:
    """A die as it lies in the tray: the truth, which only its picture tells."""

    kind: str
    """One of `vision.virtual.solids.SOLID_KINDS`."""
    face: int
    """The value it shows."""
    x_mm: float
    """Where its middle stands on the floor; origin at the inside top-left corner."""
    y_mm: float
    turn_deg: float = 0.0
    """Turn about the vertical."""
    way: int = 0
    """Which of the sides with this value is up (any number; taken modulo their count)."""
    high_mm: float = 0.0
    """What it lies on, over the floor: 16 for one that lies on a d6."""
    lean_deg: float = 0.0
    """How far a cocked die leans; one that lies flat does not."""
    lean_way_deg: float = 0.0
    """Whither it leans."""


_AIR_MM = 0.6
"""Dice are thrown no nearer to each other than this."""


def reach_mm(kind: str) -> float:
    """Return how far a die reaches from its middle, lying, with a little air."""
    solid = solid_of(kind)
    if kind in TETRAHEDRA:  # it stands on a side; its base reaches no farther than its corners
        return 12.0
    return float(np.linalg.norm(solid.corners_mm, axis=1).max()) + _AIR_MM


def posed_corners_mm(pose: DiePose) -> Array:
    """Return the corners (C, 3) of a die where it lies; the floor is ``z = 0``, up is negative."""
    turned = _turned(solid_of(pose.kind).corners_mm, pose)
    floor = turned[:, 2].max() + pose.high_mm
    return np.asarray(turned + np.array([pose.x_mm, pose.y_mm, -floor]))


def face_on_top(pose: DiePose) -> int:
    """Return the value that is up as a die lies: of one that leans far it is another side's."""
    values, directions = zip(*solid_of(pose.kind).ups, strict=True)
    turned = _turned(np.array(directions), pose)
    return int(values[int((turned[:, 2] / np.linalg.norm(turned, axis=1)).argmin())])


def _turned(points: Array, pose: DiePose) -> Array:
    """Return points (N, 3) of a die's own frame as it is turned and leans."""
    ways = solid_of(pose.kind).ways(pose.face)
    turned = points @ _upright(ways[pose.way % len(ways)]).T
    angle = np.radians(pose.turn_deg)
    cos, sin = np.cos(angle), np.sin(angle)
    turned = turned @ np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]]).T
    if pose.lean_deg:
        lean, way = np.radians([pose.lean_deg, pose.lean_way_deg])
        sky = np.array([np.sin(lean) * np.cos(way), np.sin(lean) * np.sin(way), -np.cos(lean)])
        turned = turned @ _upright(sky)
    return np.asarray(turned)


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
    canvas = Canvas(empty.copy(), lens, light)
    posed = [(pose, posed_corners_mm(pose)) for pose in dice]
    for _, corners in posed:
        _lay_shadow(canvas, corners)
    for pose, corners in sorted(posed, key=lambda p: -_distance(lens, p[1])):
        _draw_die(canvas, pose, corners, look)
    return canvas.picture


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
            room = [reach_mm(kind) + reach_mm(d.kind) for d in placed]
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


def _lay_shadow(canvas: Canvas, corners: Array) -> None:
    """Darken the floor where the die stands and where it keeps the light away."""
    light, px_per_mm = canvas.light, canvas.lens.px_per_mm
    strength = 0.85 * (1 - light.ambient)
    canvas.shadow(light.shadow_mm(corners), strength, light.softness_mm * px_per_mm * 0.4)
    base = corners.copy()
    base[:, 2] = 0.0
    canvas.shadow(base, 0.35, 1.5 * px_per_mm)


def _draw_die(canvas: Canvas, pose: DiePose, corners: Array, look: DiceSet) -> None:
    solid = solid_of(pose.kind)
    outward = normals(corners, solid.sides)
    middles = np.stack([corners[list(side)].mean(axis=0) for side in solid.sides])
    facing = np.einsum("ij,ij->i", outward, canvas.lens.position_mm - middles) > 0
    pixels, shades = canvas.project(corners), canvas.light.shade(outward)
    patch = Patch(canvas.picture, pixels)
    if patch.is_empty:
        return
    prints = prints_of(pose.kind, look)
    for index in np.flatnonzero(facing):
        print_, outline = prints[index]
        side = list(solid.sides[index])
        patch.texture(print_, outline, pixels[side], shades[index] * canvas.gain)
    patch.blend()
