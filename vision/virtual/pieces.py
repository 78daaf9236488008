"""Ships, terrain tiles and coins: their shapes in millimetres and their painting."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np

from vision.frame import Array, Image
from vision.virtual.canvas import Canvas
from vision.virtual.meshes import Body, Colour, Facet, Stand, flat, paint_body, prism
from vision.virtual.texture import clouds

TILE_MM = 2.2
"""Thickness of a terrain tile."""
_TILE_SIDE_MM = 23.2
"""Side of a tile: a little smaller than a cell's 24.2 mm."""
_TILE_PX = 128

SHIP_COLOURS: dict[str, tuple[int, int, int]] = {
    "red": (38, 30, 186),
    "blue": (176, 66, 24),
    "yellow": (40, 190, 232),
    "green": (58, 132, 30),
    "gray": (114, 110, 108),
    "black": (30, 28, 28),
    "white": (246, 252, 255),
}
"""Paint of the fleets' ships and of the white merchant, blue-green-red."""

TERRAINS = ("volcano", "desert", "reef")


@dataclass(frozen=True, slots=True)
class ShipPose:
    """A ship as it stands on the board: the truth, which only its picture tells."""

    colour: str
    x_mm: float
    y_mm: float
    heading_deg: float
    """Of its bow, from +x toward +y."""
    lift_mm: float = 0.0
    """What it stands on: `TILE_MM` on a reef, else 0."""
    shade: float = 1.0
    """Its paint against its fleet's, as no two casts are quite alike."""


@dataclass(frozen=True, slots=True)
class TilePose:
    """A terrain tile as it lies in a cell."""

    terrain: str
    x_mm: float
    y_mm: float
    turn_deg: float


def paint_tile(canvas: Canvas, tile: TilePose) -> None:
    """Paint a terrain tile."""
    angles = np.radians(60 * np.arange(6) - 90 + tile.turn_deg)
    ring = np.stack([np.cos(angles), np.sin(angles), np.zeros(6)], axis=1) * _TILE_SIDE_MM
    low = ring + np.array([tile.x_mm, tile.y_mm, 0.0])
    high = low - np.array([0.0, 0.0, TILE_MM])
    canvas.shadow(canvas.light.shadow_mm(high), 0.3, 1.0 * canvas.lens.px_per_mm)
    gain = canvas.gain
    patch = canvas.patch(np.concatenate([low, high]))
    if patch.is_empty:
        return
    texture = _tile_picture(tile.terrain)
    edge = texture.mean(axis=(0, 1)) * 0.6 * gain
    for k in range(6):
        n = (k + 1) % 6
        patch.polygon(canvas.project(np.stack([low[k], low[n], high[n], high[k]])), edge)
    source = np.stack([np.cos(np.radians(60 * np.arange(6) - 90))] * 2, axis=1)
    source[:, 1] = np.sin(np.radians(60 * np.arange(6) - 90))
    patch.texture(texture, (source * 0.48 + 0.5) * _TILE_PX, canvas.project(high), gain)
    patch.blend()


def paint_ship(canvas: Canvas, ship: ShipPose) -> None:
    """Paint a ship with its shadow."""
    foot, body = _merchant() if ship.colour == "white" else _warship()
    stand = Stand(ship.x_mm, ship.y_mm, ship.heading_deg, ship.lift_mm)
    corners = stand.placed(body.corners)
    if canvas.patch(corners).is_empty:
        return
    light, px_per_mm = canvas.light, canvas.lens.px_per_mm
    thrown = light.shadow_mm(corners + np.array([0, 0, ship.lift_mm]))
    canvas.shadow(thrown, 0.8 * (1 - light.ambient), light.softness_mm * 0.35 * px_per_mm)
    canvas.shadow(stand.placed(foot), 0.45, 1.2 * px_per_mm)
    blue, green, red = (ship.shade * level for level in SHIP_COLOURS[ship.colour])
    paint_body(canvas, body, stand, gloss=10.0, paint=(blue, green, red))


def paint_doubloon(canvas: Canvas, x_mm: float, y_mm: float) -> None:
    """Paint a doubloon (22 mm) lying on the board."""
    angles = np.linspace(0, 2 * np.pi, 32, endpoint=False)
    ring = np.stack([np.cos(angles), np.sin(angles), np.zeros(32)], axis=1)
    at = np.array([x_mm, y_mm, 0.0])
    gain = canvas.gain
    canvas.shadow(ring * 11.5 + at, 0.35, 1.0 * canvas.lens.px_per_mm)
    top = at - np.array([0, 0, 2.0])
    patch = canvas.patch(ring * 11.5 + at)
    if patch.is_empty:
        return
    for where, radius, colour in (
        (at, 11.0, (30, 120, 170)),
        (top, 11.0, (66, 190, 236)),
        (top, 9.4, (40, 160, 214)),
        (top, 8.8, (62, 186, 232)),
    ):
        patch.polygon(canvas.project(ring * radius + where), np.array(colour) * gain)
    anchor = np.array([[0, -5, 0], [0, 5, 0], [-4, 2, 0], [0, 5, 0], [4, 2, 0]], float)
    patch.line(canvas.project(anchor + top), np.array((26, 110, 160)) * gain, 1.1)
    patch.blend()


def _walled(
    outline: Array, low_mm: float, high_mm: float, share: float, grow: float = 1.0
) -> list[Facet]:
    """Return sides and top of a body over a convex outline (N, 2); `grow` makes its bottom smaller.

    All its sides are lit as if they were upright.
    """
    *sides, top = prism(outline, low_mm, high_mm, _tone(share), _tone(share))
    shrink = np.array([[grow, grow, 1.0]] * 2 + [[1.0, 1.0, 1.0]] * 2)
    return [*(replace(side, corners=side.corners * shrink) for side in sides), top]


def _tone(share: float) -> Colour:
    """Return a facet's paint against the hull's."""
    return (share, share, share)


def _hull(length_mm: float, beam_mm: float, fullness: float) -> Array:
    """Return a hull's outline (N, 2), bow toward +x, clockwise as on the table."""
    share = np.linspace(-1, 1, 13)
    half = (
        beam_mm
        / 2
        * (1 - np.clip(share, 0, 1) ** fullness)
        * (0.78 + 0.22 * np.clip(share + 1, 0, 1))
    )
    x = share * length_mm / 2
    starboard = np.stack([x, half], axis=1)
    port = np.stack([x[-2::-1], -half[-2::-1]], axis=1)
    return np.concatenate([port[::-1], starboard[::-1]])


def _sail(x_mm: float, width_mm: float, low_mm: float, high_mm: float) -> list[Facet]:
    """Return a square sail bellied toward the bow: two strips, seen well from above."""
    half, belly = width_mm / 2, 3.4
    middle = (low_mm + high_mm) / 2 + 1
    foot = np.array([[x_mm, -half, -low_mm], [x_mm, half, -low_mm]])
    waist = np.array([[x_mm + belly, -half, -middle], [x_mm + belly, half, -middle]])
    head = np.array([[x_mm, -half * 0.8, -high_mm], [x_mm, half * 0.8, -high_mm]])
    fore = np.array([0.8, 0.0, -0.6])
    aft = np.array([-0.6, 0.0, -0.8])
    return [
        Facet(np.stack([foot[0], foot[1], waist[1], waist[0]]), fore, _tone(1.05)),
        Facet(np.stack([waist[0], waist[1], head[1], head[0]]), fore, _tone(1.3)),
        Facet(np.stack([head[0], head[1], waist[1], waist[0]]), aft, _tone(1.15)),
    ]


def _yard(x_mm: float, width_mm: float, high_mm: float) -> list[Facet]:
    """Return the spar a sail hangs on."""
    half = width_mm / 2
    outline = np.array(
        [[x_mm - 0.5, -half], [x_mm + 0.5, -half], [x_mm + 0.5, half], [x_mm - 0.5, half]]
    )
    return _walled(outline, high_mm - 1, high_mm, 0.6)


@cache
def _warship() -> tuple[Array, Body]:
    """Return a two-master: its outline (N, 3) on the water and its facets from low to high."""
    hull = _hull(29.0, 11.5, 2.2)
    deck = flat(hull * 0.82, 6.0, _tone(0.72))
    cabin = np.array([[-13.0, -4.2], [-6.5, -4.4], [-6.5, 4.4], [-13.0, 4.2]])
    parts = [*_walled(hull, 0.0, 6.5, 1.0, 0.9), deck, *_walled(cabin, 6.0, 10.5, 1.12)]
    for x_mm, width_mm, high_mm in ((-2.5, 12.0, 19.0), (6.0, 10.0, 16.5)):
        parts += _sail(x_mm, width_mm, 8.0, high_mm)
        parts += _yard(x_mm, width_mm * 0.9, high_mm)
    return np.c_[hull * 0.9, np.zeros(len(hull))], Body(parts)


@cache
def _merchant() -> tuple[Array, Body]:
    """Return the merchant, as `_warship` does: broader, one mast, crates on deck."""
    hull = _hull(32.0, 14.0, 3.0)
    deck = flat(hull * 0.84, 6.5, _tone(0.93))
    parts = [*_walled(hull, 0.0, 7.0, 1.0, 0.92), deck]
    for x, y in ((-11.0, -1.8), (-6.5, 2.4), (6.5, 0.5)):
        crate = np.array([[x - 2, y - 2], [x + 2, y - 2], [x + 2, y + 2], [x - 2, y + 2]])
        parts += _walled(crate, 6.5, 10.5, 0.8)
    parts += _sail(-1.0, 13.0, 9.0, 20.0)
    parts += _yard(-1.0, 12.0, 20.0)
    return np.c_[hull * 0.9, np.zeros(len(hull))], Body(parts)


@cache
def _tile_picture(terrain: str) -> Image:
    """Return the printed picture of a terrain tile, square, `_TILE_PX` wide."""
    rng = np.random.default_rng(TERRAINS.index(terrain))
    size = (_TILE_PX, _TILE_PX)
    rough, fine = clouds(size, (22, 22), rng), clouds(size, (5, 5), rng)
    draw = {"volcano": _volcano, "desert": _desert, "reef": _reef}[terrain]
    return draw(rough, fine, rng)


def _earth(colour: tuple[int, int, int], relief: Array) -> Image:
    return np.asarray(
        np.clip(np.array(colour, np.float32) * (1 + relief)[..., None], 0, 255), np.uint8
    )


def _volcano(rough: Array, fine: Array, rng: np.random.Generator) -> Image:
    """Return dark rock with streams of lava from a crater."""
    ground = _earth((44, 56, 72), 0.16 * rough + 0.1 * fine)
    middle = np.array([_TILE_PX / 2, _TILE_PX / 2])
    for colour, width in (((20, 50, 190), 9), ((40, 110, 250), 5), ((120, 210, 255), 2)):
        streams = np.random.default_rng(7)
        for turn in np.radians([20, 95, 170, 240, 310]):
            path = [middle]
            for _ in range(int(streams.integers(3, 6))):
                turn = turn + streams.normal(0, 0.35)
                path.append(path[-1] + 9 * np.array([np.cos(turn), np.sin(turn)]))
            cv2.polylines(
                ground, [np.array(path).astype(np.int32)], False, colour, width, cv2.LINE_AA
            )
        cv2.circle(ground, (_TILE_PX // 2, _TILE_PX // 2), 6 + width, colour, -1, cv2.LINE_AA)
    return ground


def _desert(rough: Array, fine: Array, rng: np.random.Generator) -> Image:
    """Return sand with dunes and a few stones."""
    y, x = np.mgrid[0:_TILE_PX, 0:_TILE_PX].astype(np.float32)
    dunes = np.sin((x * 0.35 + y) / 6.5 + rough * 1.1)
    ground = _earth((112, 182, 222), 0.06 * dunes + 0.05 * fine)
    for x_px, y_px in rng.integers(26, _TILE_PX - 26, (9, 2)):
        cv2.circle(ground, (int(x_px), int(y_px)), 3, (60, 112, 150), -1, cv2.LINE_AA)
    return ground


def _reef(rough: Array, fine: Array, rng: np.random.Generator) -> Image:
    """Return shallow turquoise water with corals and stones."""
    ground = _earth((172, 184, 60), 0.12 * rough + 0.05 * fine)
    corals = ((122, 128, 240), (210, 236, 244), (96, 110, 92), (70, 150, 246))
    for k, (x_px, y_px) in enumerate(rng.integers(18, _TILE_PX - 18, (34, 2))):
        radius = int(rng.integers(3, 7))
        cv2.circle(ground, (int(x_px), int(y_px)), radius, corals[k % 4], -1, cv2.LINE_AA)
    return ground
