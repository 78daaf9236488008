"""Piecepack coins and pawns on a board: stacks of ships, wrecks, the treasure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import cv2
import numpy as np

from companion.boards.profile import BoardProfile
from companion.rules.layout import Cell, CellContent, Layout, Placed
from vision.frame import Array, Image
from vision.printing.coins import (
    BARREL_MM,
    COIN_LOOKS,
    COIN_MM,
    PALE,
    SUITS,
    coin_shapes,
    lid_shapes,
    suit_of,
    wreck_shapes,
)
from vision.printing.raster import rasterise
from vision.virtual.canvas import Canvas
from vision.virtual.patch import Patch

COIN_HEIGHT_MM = 3.2
_OFF_MM = 4.0
"""Greatest distance of a stack from the middle of its cell."""
_TEXTURE_PX_PER_MM = 8.0
_RING = np.linspace(0, 2 * np.pi, 36, endpoint=False)
_CIRCLE = np.stack([np.cos(_RING), np.sin(_RING), np.zeros(len(_RING))], axis=1)

BARREL = "barrel"
"""Look of the treasure that is rolled from the printed strip."""

PAWNS: dict[str, tuple[int, int, int]] = {
    BARREL: (48, 96, 150),
    "wood": (140, 184, 216),
    "gold": (40, 160, 214),
    "red": (38, 34, 180),
    "black": (34, 32, 32),
    "blue": (160, 70, 30),
}
"""Paint of the treasure, a pawn of some colour or a barrel of paper, blue-green-red."""

WRECK = "wreck"


@dataclass(frozen=True, slots=True)
class CoinPose:
    """A coin as it lies: the truth, which only its picture tells."""

    face: str
    """Fleet whose suit is up, or a value that is up on a wreck: ``"2"`` to ``"5"``."""
    look: str
    """One of `COIN_LOOKS`."""
    x_mm: float
    y_mm: float
    turn_deg: float
    lift_mm: float
    """Height of its lower side above the board."""
    shade: float
    """Its paint against others'."""


@dataclass(frozen=True, slots=True)
class PawnPose:
    """The treasure as it stands."""

    x_mm: float
    y_mm: float
    lift_mm: float
    turn_deg: float
    look: str
    """One of `PAWNS`."""


@dataclass(frozen=True, slots=True)
class _Pile:
    """All that lies on one cell, from low to high."""

    coins: tuple[CoinPose, ...]
    pawn: PawnPose | None


class CoinsOnBoard:
    """The coins and pawns on one board."""

    def __init__(self, profile: BoardProfile, rng: np.random.Generator) -> None:
        """Take coins and a pawn out of a box of some make, drawn from `rng`.

        Where two packs are in play the second is rimmed, the first painted.
        """
        self._profile, self._rng = profile, rng
        two_packs = len(profile.pieces.fleets) > len(SUITS)
        self._look = "painted" if two_packs else COIN_LOOKS[int(rng.integers(len(COIN_LOOKS)))]
        self._pawn = tuple(PAWNS)[int(rng.integers(len(PAWNS)))]
        self._piles: dict[Cell, _Pile] = {}

    @property
    def ships(self) -> Mapping[tuple[Cell, str], CoinPose]:
        """The topmost coin of each fleet on each cell."""
        return {
            (cell, coin.face): coin
            for cell, pile in self._piles.items()
            for coin in pile.coins
            if not coin.face.isdigit()
        }

    @property
    def tagged(self) -> Mapping[int, Placed]:
        """None bear a tag."""
        return {}

    @property
    def coins(self) -> Mapping[Cell, tuple[CoinPose, ...]]:
        """All coins on each cell, from low to high."""
        return {cell: pile.coins for cell, pile in self._piles.items()}

    @property
    def pawns(self) -> Mapping[Cell, PawnPose]:
        """Where a treasure stands."""
        return {cell: pile.pawn for cell, pile in self._piles.items() if pile.pawn is not None}

    def lay(self, was: Layout, now: Layout) -> None:
        """Put all coins where a layout has them; a cell that stays the same is not touched."""
        self._piles = {
            cell: self._piles[cell] if was.at(cell) == content else self._piled(cell, content)
            for cell, content in sorted(now.cells.items())
        }

    def _piled(self, cell: Cell, content: CellContent) -> _Pile:
        """Return the pile of a cell; lower coins that lay there before keep their place."""
        old = self._piles.get(cell, _Pile((), None))
        faces = ([WRECK] if content.terrain == WRECK else []) + list(content.ships)
        coins: list[CoinPose] = []
        for level, face in enumerate(faces):
            before = old.coins[level] if len(coins) == level < len(old.coins) else None
            if before is not None and (before.face == face or face == WRECK == _kind(before)):
                coins.append(before)
                continue
            coins.append(self._coin(cell, face, coins))
        if content.cargo is None:
            return _Pile(tuple(coins), None)
        x, y = self._place(cell, coins, 1.0)
        lift, turn = COIN_HEIGHT_MM * len(coins), float(self._rng.uniform(0, 360))
        return _Pile(tuple(coins), PawnPose(x, y, lift, turn, self._pawn))

    def _coin(self, cell: Cell, face: str, below: list[CoinPose]) -> CoinPose:
        if face == WRECK:
            face = str(self._rng.integers(2, 6))
        look = "rimmed" if face.endswith("2") and not face.isdigit() else self._look
        x, y = self._place(cell, below, 0.8)
        turn, shade = self._rng.uniform(0, 360), self._rng.uniform(0.92, 1.06)
        return CoinPose(face, look, x, y, float(turn), COIN_HEIGHT_MM * len(below), float(shade))

    def _place(self, cell: Cell, below: list[CoinPose], off_mm: float) -> tuple[float, float]:
        """Return a place on top of what lies there, or near the middle of the cell."""
        if below:
            dx, dy = np.clip(self._rng.normal(0, off_mm, 2), -2 * off_mm, 2 * off_mm)
            return below[-1].x_mm + float(dx), below[-1].y_mm + float(dy)
        x, y = self._profile.cell_centre_mm(cell)
        off, way = _OFF_MM * np.sqrt(self._rng.random()), 2 * np.pi * self._rng.random()
        return x + float(off * np.cos(way)), y + float(off * np.sin(way))

    def paint(self, canvas: Canvas) -> None:
        """Paint all coins and pawns; far piles first."""
        eye = canvas.lens.position_mm

        def distance(item: tuple[Cell, _Pile]) -> float:
            x, y = self._profile.cell_centre_mm(item[0])
            return float(np.hypot(x - eye[0], y - eye[1]))

        for _, pile in sorted(self._piles.items(), key=distance, reverse=True):
            for coin in pile.coins:
                paint_coin(canvas, coin)
            if pile.pawn is not None:
                paint_pawn(canvas, pile.pawn)


def _kind(coin: CoinPose) -> str:
    return WRECK if coin.face.isdigit() else coin.face


def paint_coin(canvas: Canvas, coin: CoinPose) -> None:
    """Paint a coin with its shadow."""
    light, px_per_mm = canvas.light, canvas.lens.px_per_mm
    turn = _turned(coin.turn_deg)
    foot = np.array([coin.x_mm, coin.y_mm, -coin.lift_mm])
    low = (_CIRCLE * COIN_MM / 2) @ turn.T + foot
    high = low - np.array([0.0, 0.0, COIN_HEIGHT_MM])
    strength = 0.75 * (1 - light.ambient)
    ground = np.concatenate([light.shadow_mm(high), light.shadow_mm(low)])
    canvas.shadow(ground, strength, 0.3 * light.softness_mm * px_per_mm)
    canvas.shadow(low + np.array([0, 0, coin.lift_mm]), 0.25, px_per_mm)
    rim = canvas.project(np.concatenate([low, high]))
    patch = Patch(canvas.picture, rim)
    if patch.is_empty:
        return
    gain = canvas.gain * coin.shade
    hull = _hull(rim)
    patch.polygon(hull, _edge_colour(coin) * gain)
    texture = _coin_picture(coin.face, coin.look)
    middle = (texture.shape[0] - 1) / 2
    corners = middle + _CIRCLE[:, :2] * (0.485 * COIN_MM * _TEXTURE_PX_PER_MM)
    patch.texture(texture, corners, canvas.project((high - foot) * [0.97, 0.97, 1] + foot), gain)
    patch.blend()


def paint_pawn(canvas: Canvas, pawn: PawnPose) -> None:
    """Paint the treasure with its shadow."""
    light, gain = canvas.light, canvas.gain
    stand = np.array([pawn.x_mm, pawn.y_mm, -pawn.lift_mm])
    quads, outward = _pawn_body(pawn.look == BARREL)
    corners = quads + stand
    flat = corners.reshape(-1, 3)
    pixels = canvas.project(flat)
    patch = Patch(canvas.picture, pixels)
    if patch.is_empty:
        return
    strength = 0.8 * (1 - light.ambient)
    blur = 0.35 * light.softness_mm * canvas.lens.px_per_mm
    canvas.shadow(light.shadow_mm(flat), strength, blur)
    paint = np.array(PAWNS[pawn.look]) * gain
    shades = light.shade(outward)[:, None]
    colours = paint * shades + 10 * (shades - 0.5)
    facing = np.einsum("ij,ij->i", outward, canvas.lens.position_mm - corners[:, 0]) > 0
    parts = [slice(4 * int(k), 4 * int(k) + 4) for k in np.flatnonzero(facing)]
    patch.polygons(pixels, parts, colours[facing])
    if pawn.look == BARREL:
        lid = _CIRCLE * [BARREL_MM[0] / 2, BARREL_MM[0] / 2, 0] - [0, 0, BARREL_MM[1]]
        lid_px = canvas.project(lid @ _turned(pawn.turn_deg).T + stand)
        patch.texture(_lid_picture(), _lid_corners(), lid_px, gain)
    patch.blend()


def _turned(turn_deg: float) -> Array:
    """Return the rotation (3, 3) about the vertical."""
    cos, sin = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    return np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])


def _hull(pixels: Array) -> Array:
    """Return the convex hull (N, 2) of points: a disc with its edge, seen from aside."""
    return np.asarray(cv2.convexHull(pixels.astype(np.float32)).reshape(-1, 2))


def _edge_colour(coin: CoinPose) -> Array:
    pale = coin.face.isdigit() or coin.look == "bare"
    paint = PALE if pale else SUITS[suit_of(coin.face)]
    return np.array(paint[::-1], float) * 0.72


@cache
def _coin_picture(face: str, look: str) -> Image:
    """Return the picture of a coin's upper side, square, as wide as the coin."""
    shapes = wreck_shapes(face) if face.isdigit() else coin_shapes(face, look)
    half = COIN_MM / 2
    flat = rasterise(shapes, (-half, -half), (COIN_MM, COIN_MM), _TEXTURE_PX_PER_MM)
    return _printed(flat)


def _printed(flat: Image) -> Image:
    """Neither black nor white of a print is perfect."""
    return np.asarray(14 + flat.astype(np.float32) * (226 / 255), np.uint8)


def _lid_corners() -> Array:
    """Return the lid's outline (N, 2) in its picture's pixels."""
    half = BARREL_MM[0] / 2 * _TEXTURE_PX_PER_MM
    return np.asarray(half - 0.5 + _CIRCLE[:, :2] * (half - 1))


@cache
def _lid_picture() -> Image:
    half = BARREL_MM[0] / 2
    return _printed(
        rasterise(lid_shapes((half, half)), (0, 0), (2 * half, 2 * half), _TEXTURE_PX_PER_MM)
    )


@cache
def _pawn_body(is_barrel: bool) -> tuple[Array, Array]:
    """Return the sides of a pawn from low to high: corners (F, 4, 3) and normals (F, 3)."""
    radius, height = BARREL_MM[0] / 2, BARREL_MM[1]
    outline = [(radius, 0.0), (radius, height)] if is_barrel else list(_pawn_profile())
    return _lathe(outline, 18)


def _pawn_profile() -> Iterator[tuple[float, float]]:
    """Yield radius and height of a pawn's outline, millimetres, from its foot to its top."""
    yield from ((6.3, 0.0), (6.3, 2.0), (4.4, 4.2), (3.0, 9.0), (2.3, 12.5))
    for turn in np.radians([-55, -25, 5, 35, 65, 90]):
        yield 4.0 * float(np.cos(turn)), 15.6 + 4.0 * float(np.sin(turn))


def _lathe(outline: list[tuple[float, float]], sides: int) -> tuple[Array, Array]:
    angles = np.linspace(0, 2 * np.pi, sides + 1)
    quads, normals = [], []
    for (r0, h0), (r1, h1) in pairwise(outline):
        for a, b in pairwise(angles):
            points = [(r0, a, h0), (r0, b, h0), (r1, b, h1), (r1, a, h1)]
            quads.append([(r * np.cos(t), r * np.sin(t), -h) for r, t, h in points])
            middle, slope = (a + b) / 2, np.hypot(h1 - h0, r0 - r1)
            out, up = (h1 - h0) / slope, (r0 - r1) / slope
            normals.append((out * np.cos(middle), out * np.sin(middle), -up))
    return np.array(quads), np.array(normals)
