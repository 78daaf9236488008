"""Drawn training pictures: dice on a table under a camera somewhere over it, with their labels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

import cv2
import numpy as np

from benchmarks.dice_training.brush import (
    SOFTEST_PX,
    draw_floor,
    fill,
    lay,
    lay_texture,
    marble,
    photograph,
    quad_of,
    shine,
    tint_of,
)
from benchmarks.dice_training.colours import two_colours
from benchmarks.dice_training.eye import Eye
from benchmarks.dice_training.glyphs import Glyphs
from benchmarks.dice_training.labels import Seen, kind_as_seen
from benchmarks.dice_training.solids import Print, Side, Solid, make_solid, tumbled
from benchmarks.dice_training.textures import Texture
from vision.dice.kinds import NOTHING
from vision.frame import Array, Image

FINE = 2
"""Drawn so many times larger than the picture."""
KINDS = {
    "d6": 0.3, "cannon": 0.12, "sail": 0.14, "d20": 0.07, "piecepack": 0.09, "colour": 0.05,
    "d6_numeral": 0.05, "d4_barrel": 0.03, "d8": 0.03, "d10": 0.04, "d100": 0.03, "d12": 0.03,
    "d4": 0.02,
}  # fmt: skip
"""Kinds that are drawn, and how often."""


class Look:
    """Colours and manner of one die."""

    def __init__(self, rng: np.random.Generator, kind: str, floor: Array) -> None:
        self.body, self.ink = two_colours(rng)
        self.second = self.body
        if kind == "piecepack" and rng.random() < 0.5:
            self.body = np.array([222.0, 234, 238]) + rng.normal(0, 6, 3)
        drawn = rng.random()
        if drawn < 0.2 and kind != "colour":  # marbled, pearly
            self.second = np.clip(self.body + rng.normal(0, 45, 3), 0, 255)
        elif drawn < 0.3:  # the floor shines through
            self.body = 0.6 * self.body + 0.4 * floor
        self.font = int(rng.integers(1 << 16))
        self.bevel = rng.uniform(0.75, 1.35) if rng.random() < 0.6 else 1.0
        self.round_mm = rng.choice([0.0, rng.uniform(0.5, 3.0)])
        self.gloss = rng.random() < 0.35
        self.texture: Texture | None = None
        """Takes the place of `second`."""


class Scene:
    """A picture being drawn, `FINE` times larger than it will be."""

    kinds: ClassVar[dict[str, float]] = KINDS
    """Kinds that lie there, and how often."""
    softest_px = SOFTEST_PX
    """Most spread of a point in the picture."""

    def __init__(self, rng: np.random.Generator, glyphs: Glyphs, size: int) -> None:
        self.rng, self.glyphs, self.size = rng, glyphs, size
        self.full = size * FINE
        self.eye = Eye.random(rng, self.full)
        self.eye = Eye(self.eye.place, self.eye.turn, self.eye.focal * FINE, self.eye.middle)
        self.canvas = draw_floor(rng, self.full)
        light = rng.normal(0, 0.5, 3)
        light[2] = 1.0
        self.light = light / np.linalg.norm(light)
        self.ambient = rng.uniform(0.3, 0.75)
        self.owner = np.zeros((self.full, self.full), np.uint8)
        """Number of the die that is seen at each place; 255 is something that hides."""
        self.dice: list[tuple[Solid, Array, float]] = []
        """Die, outline and area as it would be seen alone."""

    def draw(
        self, solid: Solid, at: Array, look_kind: str, high: float = 0.0, look: Look | None = None
    ) -> None:
        """Draw a die that lies `high` over the floor, and its shadow."""
        rng, shift = self.rng, np.array([*at, high])
        corners = solid.corners + shift
        self._shadow(corners)
        hull: Array = cv2.convexHull(self.eye.pixels(corners).astype(np.float32)).reshape(-1, 2)
        x0, y0 = np.maximum(np.floor(hull.min(0)).astype(int) - 6, 0)
        x1, y1 = np.minimum(np.ceil(hull.max(0)).astype(int) + 7, self.full)
        if x1 - x0 < 8 or y1 - y0 < 8:
            return
        part = self.canvas[y0:y1, x0:x1]
        look = look or Look(rng, look_kind, part.reshape(-1, 3).mean(0))
        layer, corner = part.copy(), np.array([x0, y0])
        mask = self._draw_solid(layer, corner, solid, shift, hull, look)
        part[:] = part * (1 - mask[..., None]) + layer * mask[..., None]
        self.dice.append((solid, hull, float((mask > 0.5).sum())))
        self.owner[y0:y1, x0:x1][mask > 0.5] = len(self.dice)

    def _draw_solid(
        self, layer: Array, corner: Array, solid: Solid, shift: Array, hull: Array, look: Look
    ) -> Array:
        """Draw a die over a part of the picture; return how much it covers each place (H, W)."""
        for side in solid.sides:
            if side.normal @ (self.eye.place - side.corners[0] - shift) > 0:
                self._draw_side(layer, corner, side, shift, look)
        if look.gloss:
            shine(layer, hull - corner, self.rng)
        mask = np.zeros(layer.shape[:2], np.float32)
        fill(mask, hull - corner, (1.0,))
        scale = float(np.sqrt(cv2.contourArea(hull))) / 18
        if look.round_mm * scale > 1:
            soft = cv2.GaussianBlur(mask, (0, 0), look.round_mm * scale * 0.8)
            edge = 0.5
            mask = np.clip((soft - edge) * 6 + 0.5, 0, 1) * (mask > 0)
        return mask

    def _draw_side(self, layer: Array, corner: Array, side: Side, shift: Array, look: Look) -> None:
        rng = self.rng
        lit = self.ambient + (1 - self.ambient) * max(0.0, float(side.normal @ self.light))
        lit *= rng.uniform(0.95, 1.05)
        paint, ink = look.body, look.ink
        if side.paint is not None:
            paint = self._tint(side.paint)
        outline = self.eye.pixels(side.corners + shift) - corner
        fill(layer, outline, paint * lit)
        if look.texture:
            lay_texture(layer, outline, side, look.texture, lit, rng)
        elif look.second is not look.body:
            marble(layer, outline, look.second * lit, rng)
        if look.bevel != 1.0:
            points = np.round(outline * 16).astype(np.int32)
            shade = tuple(float(c) for c in np.minimum(paint * lit * look.bevel, 255))
            cv2.polylines(layer, [points], True, shade, int(rng.integers(1, 5)), cv2.LINE_AA, 4)
        for printed in side.prints:
            self._print(layer, corner, printed, side.normal, shift, ink * lit, look.font)

    def _tint(self, paint: int) -> Array:
        """Return the colour (BGR, 0 to 255) of a side of a colour die."""
        return tint_of(paint, self.rng)

    def _print(
        self, layer: Array, corner: Array, p: Print, normal: Array, shift: Array, ink: Array,
        font: int,
    ) -> None:  # fmt: skip
        choices = self.glyphs[p.text]
        glyph = choices[font % len(choices)]
        quad = quad_of(p, normal, glyph) + shift
        lay(layer, glyph, self.eye.pixels(quad) - corner, ink)

    def _shadow(self, corners: Array) -> None:
        rng = self.rng
        fall = corners[:, :2] - self.light[:2] * (corners[:, 2:3] / self.light[2])
        foot = np.concatenate([fall, np.zeros((len(fall), 1))], 1)
        hull = cv2.convexHull(self.eye.pixels(foot).astype(np.float32)).reshape(-1, 2)
        x0, y0 = np.maximum(hull.min(0).astype(int) - 30, 0)
        x1, y1 = np.minimum(hull.max(0).astype(int) + 30, self.full)
        if x1 - x0 < 4 or y1 - y0 < 4:
            return
        mask = np.zeros((y1 - y0, x1 - x0), np.float32)
        fill(mask, hull - [x0, y0], (float(rng.uniform(0.1, 0.7)),))
        mask = cv2.GaussianBlur(mask, (0, 0), rng.uniform(1, 9))
        self.canvas[y0:y1, x0:x1] *= 1 - mask[..., None]

    def cover(self, at: Array, share: float) -> None:
        """Lay a card over a share of a die of some 18 mm that lies at `at`."""
        rng = self.rng
        way = rng.uniform(0, 2 * np.pi)
        ahead, aside = np.array([[np.cos(way), np.sin(way)], [-np.sin(way), np.cos(way)]])
        edge = at + (0.5 - share) * 18 * ahead
        outline = [
            edge + a * ahead + b * aside for a, b in ((0, -20), (0, 20), (26, 20), (26, -20))
        ]
        pixels = self.eye.pixels(np.array([[*p, 18.0] for p in outline]))
        fill(self.canvas, pixels, two_colours(rng)[0])
        cv2.fillConvexPoly(self.owner, np.round(pixels).astype(np.int32), (255,))

    def _share_inside(self, hull: Array) -> float:
        """Return the share of an outline that lies in the picture."""
        frame = np.array(((0, 0), (1, 0), (1, 1), (0, 1)), np.float32) * self.full
        inside, _ = cv2.intersectConvexConvex(hull.astype(np.float32), frame)
        return float(inside) / max(float(cv2.contourArea(hull)), 1.0)

    def seen(self, least: float = 0.35) -> list[Seen]:
        """Return the labels of the dice of which at least this share is seen."""
        told = []
        for number, (solid, hull, area) in enumerate(self.dice, 1):
            visible = min(float((self.owner == number).sum()) / max(area, 1.0), 1.0)
            whole = hull.min() >= -2 and hull.max() <= self.full + 1
            if visible < least:
                continue
            inside = np.clip(hull, 0, self.full) / FINE
            (x, y), (x1, y1) = inside.min(0), inside.max(0)
            kind = kind_as_seen(solid, visible, whole)
            if min(x1 - x, y1 - y) > 8:
                middle = (hull.min(0) + hull.max(0)) / 2
                lean, up = self.eye.lean(*middle, np.array([0.0, 0.0, 1.0]))
                box = (x, y, x1 - x, y1 - y)
                share = visible * self._share_inside(hull)
                hidden = kind == NOTHING and solid.is_told
                own = self.eye.lean(*middle, solid.up) if solid.up[2] < 1 else None
                told.append(Seen(kind, solid.kind, solid.face, box, lean, up, share, hidden, own))
        return told


def draw_picture(
    rng: np.random.Generator,
    glyphs: Glyphs,
    size: int = 352,
    awkward: float = 0.0,
    make_scene: type[Scene] = Scene,
    cocked: float = 0.05,
) -> tuple[Image, list[Seen]]:
    """Return a square picture of dice and other things on a table, and what lies there.

    `awkward` is the share of dice that are cocked, stacked, half hidden or still rolling, `cocked`
    that of more that are cocked.
    """
    scene = make_scene(rng, glyphs, size)
    kinds, often = list(scene.kinds), list(scene.kinds.values())
    places: list[Array] = []
    reach = 0.5 * size * FINE / scene.eye.focal * float(np.linalg.norm(scene.eye.place))
    same = str(rng.choice(kinds, p=often)) if rng.random() < 0.3 else None
    for _ in range(int(rng.integers(3, 13))):
        at = _free_place(rng, places, reach)
        if at is None:
            continue
        if rng.random() < 0.1:
            draw_thing(scene, at)
            continue
        kind = same or str(rng.choice(kinds, p=often))
        tilt = rng.uniform(22, 45) if rng.random() < cocked else 0.0
        if tilt and kind in ("cannon", "d20", "d12"):
            tilt = rng.uniform(17, 21)
        places.append(at)
        if rng.random() < awkward:
            rng.choice(list(AWKWARD.values()))(scene, kind, at)
        else:
            scene.draw(make_solid(kind, rng, tilt_deg=tilt), at, kind)
    if rng.random() < 0.12:
        _reach_in(scene)
    return photograph(scene.canvas, size, rng, scene.softest_px), scene.seen()


def draw_stacked(scene: Scene, kind: str, at: Array) -> int:
    """Draw a die on a cube: neither is told, whatever the upper one shows. Return what that is."""
    rng, before = scene.rng, len(scene.dice)
    lower = make_solid(str(rng.choice(["d6", "d6", "piecepack"])), rng)
    scene.draw(lower, at, lower.kind)
    upper = make_solid(kind, rng)
    scene.draw(upper, at + rng.normal(0, 3.5, 2), kind, float(lower.corners[:, 2].max()))
    scene.dice[before:] = [
        (replace(solid, is_told=False), hull, area) for solid, hull, area in scene.dice[before:]
    ]
    return upper.face


def cocked_by(rng: np.random.Generator, kind: str) -> float:
    """Return by how much a cocked die leans, degrees."""
    most = {"cannon": 21, "d20": 21, "d12": 30, "d10": 38, "d100": 38}.get(kind, 45)
    return float(rng.uniform(0.55 * most if most > 25 else 17, most))


def draw_cocked(scene: Scene, kind: str, at: Array) -> int:
    """Draw a die that leans on nothing to be seen. Return what it shows."""
    solid = make_solid(kind, scene.rng, tilt_deg=cocked_by(scene.rng, kind))
    scene.draw(solid, at, kind)
    return solid.face


def draw_covered(scene: Scene, kind: str, at: Array) -> int:
    """Draw a die and, over a third to two thirds of it, a card. Return what it shows."""
    solid = make_solid(kind, scene.rng)
    scene.draw(solid, at, kind)
    scene.cover(at, float(scene.rng.uniform(0.35, 0.65)))
    return solid.face


_SMEARS = 7


def draw_rolling(scene: Scene, kind: str, at: Array) -> int:
    """Draw a die that rolls while the picture is taken. Return what it showed halfway."""
    rng = scene.rng
    way = rng.uniform(0, 2 * np.pi)
    far = rng.uniform(5, 18) * np.array([np.cos(way), np.sin(way)])
    turn = rng.uniform(0.5, 2.0)
    solid, bare = make_solid(kind, rng), scene.canvas.copy()
    look = Look(rng, kind, bare.reshape(-1, 3).mean(0))
    before, seen = len(scene.dice), np.zeros_like(bare)
    for share in np.linspace(-0.5, 0.5, _SMEARS):
        scene.canvas = bare.copy()
        moved = tumbled(solid, float(way), float(share * turn))
        scene.draw(moved, at + share * far, kind, look=look)
        seen += scene.canvas / _SMEARS
    scene.canvas = seen
    drawn = scene.dice[before:]
    if not drawn:
        return solid.face
    scene.owner[(scene.owner > before) & (scene.owner < 255)] = before + 1
    hull = cv2.convexHull(np.concatenate([h for _, h, _ in drawn])).reshape(-1, 2)
    area = float(cv2.contourArea(hull))
    scene.dice[before:] = [(replace(solid, is_told=False), hull, area)]
    return solid.face


AWKWARD: dict[str, Callable[[Scene, str, Array], int]] = {
    "cocked": draw_cocked,
    "stacked": draw_stacked,
    "half hidden": draw_covered,
    "still rolling": draw_rolling,
}
"""Ways to draw a die that is to be asked about."""


def _free_place(rng: np.random.Generator, places: list[Array], reach: float) -> Array | None:
    for _ in range(20):
        near = places and rng.random() < 0.4
        if near:  # beside one that lies there, often touching
            way = rng.uniform(0, 2 * np.pi)
            step = rng.uniform(15, 24) * np.array([np.cos(way), np.sin(way)])
            at = places[int(rng.integers(len(places)))] + step
        else:
            at = rng.uniform(-reach, reach, 2) * 0.95
        least = min((float(np.linalg.norm(at - p)) for p in places), default=99.0)
        if least > (13 if rng.random() < 0.1 else 16.5) and np.abs(at).max() < reach:
            return np.asarray(at)
    return None


def draw_thing(scene: Scene, at: Array) -> None:
    """Draw something that is no die: a coin, a ship-like sliver, a ring, a card."""
    rng = scene.rng
    way = rng.uniform(0, 2 * np.pi)
    turn = np.array([[np.cos(way), -np.sin(way)], [np.sin(way), np.cos(way)]])
    shape = str(rng.choice(["coin", "ship", "card", "ring"]))
    angle = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    if shape in ("coin", "ring"):
        outline = np.stack([np.cos(angle), np.sin(angle)], 1) * rng.uniform(7, 13)
    elif shape == "ship":
        outline = np.stack([np.cos(angle) * rng.uniform(10, 22), np.sin(angle) * 5], 1)
    else:
        outline = np.array(((-1, -1), (1, -1), (1, 1), (-1, 1))) * rng.uniform(6, 20, 2)
    points = np.concatenate([outline @ turn.T + at, np.zeros((len(outline), 1))], 1)
    body, ink = two_colours(rng)
    lit = scene.ambient + (1 - scene.ambient) * scene.light[2]
    high = points + np.array([0, 0, rng.uniform(0.5, 4)])
    scene._shadow(high)
    pixels = scene.eye.pixels(high)
    fill(scene.canvas, pixels, body * lit)
    cv2.fillConvexPoly(scene.owner, np.round(pixels).astype(np.int32), (255,))
    inner = pixels.mean(0) + (pixels - pixels.mean(0)) * rng.uniform(0.5, 0.85)
    if rng.random() < 0.6:
        fill(scene.canvas, inner, (ink if shape == "ring" else 0.5 * (body + ink)) * lit)


def _reach_in(scene: Scene) -> None:
    """Lay something like a finger or a cable over the picture."""
    rng, full = scene.rng, scene.full
    middle = rng.uniform(0, full, 2)
    way = rng.uniform(0, 2 * np.pi)
    along = 2 * full * np.array([np.cos(way), np.sin(way)])
    skin = np.array([rng.uniform(60, 150), rng.uniform(90, 180), rng.uniform(130, 240)])
    if rng.random() < 0.3:
        skin = rng.uniform(0, 255, 3)
    ends = [tuple(np.round(p).astype(int).tolist()) for p in (middle, middle + along)]
    wide = int(rng.uniform(20, 110))
    cv2.line(scene.canvas, ends[0], ends[1], tuple(skin), wide, cv2.LINE_AA)
    cv2.line(scene.owner, ends[0], ends[1], 255, wide)
