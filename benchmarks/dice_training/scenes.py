"""Training pictures: one die in the middle of a patch of tray, as the reader would cut it.

Everything is drawn in the rectified tray, where a point at height z over (x, y) appears at the foot
of the ray from the camera through it; so a camera is just its position over the floor.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from pathlib import Path

import cv2
import numpy as np
from PIL import Image as Pictures
from PIL import ImageDraw, ImageFont

from benchmarks.dice_training.solids import Print, Solid, make_solid
from vision.dice.cannon import top_view
from vision.dice.labels import NOTHING, PATCH_PX, PX_PER_MM, TOP_MM
from vision.dice.sail import Base, side_views
from vision.frame import Array, Image

_FINE = 4.0
"""px/mm while drawing."""
_SPAN_MM = 44.0
_CANVAS = round(_SPAN_MM * _FINE)
_GLYPH_PX = 64
KINDS = ("cannon", "sail", "d6", "print", "colour")


def load_glyphs(fonts: list[Path]) -> dict[str, list[Array]]:
    """Return for each sign its coverage pictures (float32, 0-1), one a font."""
    glyphs: dict[str, list[Array]] = {}
    for path in fonts:
        font = ImageFont.truetype(str(path), 80)
        for text in "12345":
            canvas = Pictures.new("L", (160, 160))
            ImageDraw.Draw(canvas).text((80, 80), text, 255, font, anchor="mm")
            glyphs.setdefault(text, []).append(_trimmed(np.asarray(canvas)))
    for face, text in product(range(8), "12345"):  # OpenCV's own strokes, thin and bold
        for thick in (5, 10):
            stroke = np.zeros((200, 200), np.uint8)
            cv2.putText(stroke, text, (60, 140), face, 4, 255, thick, cv2.LINE_AA)
            glyphs[text].append(_trimmed(stroke))
    pip = np.zeros((64, 64), np.uint8)
    cv2.circle(pip, (32, 32), 31, 255, -1, cv2.LINE_AA)
    glyphs["o"] = [_trimmed(pip)]
    glyphs["@"] = [_trimmed(_spiral(turns)) for turns in (2.0, 2.6, 3.2)]
    return glyphs


def _spiral(turns: float) -> Image:
    angle = np.linspace(0, turns * 2 * np.pi, 200)
    radius = np.linspace(3, 58, 200)
    points = np.stack([64 + radius * np.cos(angle), 64 + radius * np.sin(angle)], 1)
    drawn = np.zeros((128, 128), np.uint8)
    cv2.polylines(drawn, [points.astype(np.int32)], False, 255, 7, cv2.LINE_AA)
    return drawn


def _trimmed(drawn: Array) -> Array:
    rows, columns = np.flatnonzero(drawn.max(1)), np.flatnonzero(drawn.max(0))
    cut = drawn[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    width = max(4, round(cut.shape[1] * _GLYPH_PX / cut.shape[0]))
    return (
        cv2.resize(cut, (width, _GLYPH_PX), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    )


@dataclass
class Scene:
    """A patch being drawn: canvas (float32 BGR), camera and light of this picture."""

    canvas: Array
    camera: Array
    """Position (3,) in mm, origin at the middle of the canvas."""
    light: Array
    """Unit vector (3,) toward the light."""
    ambient: float
    rng: np.random.Generator
    glyphs: dict[str, list[Array]]

    def pixels(self, points: Array) -> Array:
        """Return the canvas pixels (N, 2) of points (N, 3)."""
        reach = self.camera[2] / (self.camera[2] - points[:, 2:3])
        floor = self.camera[:2] + (points[:, :2] - self.camera[:2]) * reach
        return np.asarray(floor * _FINE + _CANVAS / 2 - 0.5)

    def draw(self, solid: Solid, at: Array) -> Array:
        """Draw a die and its shadow; returns its outline (N, 2) in canvas pixels."""
        rng, shift = self.rng, np.array([*at, 0.0])
        body, ink = _colours(rng)
        corners = solid.corners + shift
        self._shadow(corners)
        fonts = int(rng.integers(1 << 16))
        bevel = rng.uniform(1.0, 1.25) if rng.random() < 0.5 else 0.0
        for side in solid.sides:
            if side.normal @ (self.camera - side.corners[0] - shift) <= 0:
                continue
            lit = self.ambient + (1 - self.ambient) * max(0.0, float(side.normal @ self.light))
            lit *= rng.uniform(0.95, 1.05)
            paint = rng.integers(20, 256, 3) if not side.prints and rng.random() < 0.8 else body
            gloss = rng.uniform(0.15, 0.6) if rng.random() < 0.08 else 0.0
            gloss_to = 255 * lit
            outline = self.pixels(side.corners + shift)
            _fill(self.canvas, outline, paint * lit * (1 - gloss) + gloss_to * gloss)
            if bevel:
                _outline(self.canvas, outline, np.minimum(body * lit * bevel, 255))
            for printed in side.prints:
                self._print(
                    printed, side.normal, shift, ink * lit * (1 - gloss) + gloss_to * gloss, fonts
                )
        hull: Array = cv2.convexHull(self.pixels(corners).astype(np.float32)).reshape(-1, 2)
        return hull

    def _print(self, p: Print, normal: Array, shift: Array, ink: Array, font: int) -> None:
        choices = self.glyphs[p.text]
        glyph = choices[font % len(choices)]
        high, wide = glyph.shape
        # y runs down in the picture, so the frame is left-handed.
        right = np.cross(normal, p.up) * p.height_mm * wide / high / 2
        up = p.up * p.height_mm / 2
        middle = p.middle + shift
        quad = np.stack([middle - right + up, middle + right + up, middle + right - up])
        source = np.array([[0, 0], [wide, 0], [wide, high]], np.float32) - 0.5
        target = self.pixels(quad)
        x0, y0 = np.floor(target.min(0) - 12 - p.height_mm * 2).astype(int)
        x1, y1 = np.ceil(target.max(0) + 12 + p.height_mm * 2).astype(int)
        x0, y0 = max(x0, 0), max(y0, 0)
        x1, y1 = min(x1, _CANVAS), min(y1, _CANVAS)
        if x1 <= x0 or y1 <= y0:
            return
        how = cv2.getAffineTransform(source, (target - [x0, y0]).astype(np.float32))
        cover = cv2.warpAffine(glyph, how, (x1 - x0, y1 - y0), flags=cv2.INTER_AREA)[..., None]
        part = self.canvas[y0:y1, x0:x1]
        part[:] = part * (1 - cover) + ink * cover

    def _shadow(self, corners: Array) -> None:
        rng = self.rng
        fall = corners[:, :2] - self.light[:2] * (corners[:, 2:3] / self.light[2])
        foot = np.concatenate([fall, np.zeros((len(fall), 1))], 1)
        mask = np.zeros((_CANVAS // 4, _CANVAS // 4), np.float32)
        hull = cv2.convexHull(self.pixels(foot).astype(np.float32) / 4)
        cv2.fillConvexPoly(mask, np.round(hull).astype(np.int32), rng.uniform(0.1, 0.7))
        mask = cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.5, 2.5))
        self.canvas *= 1 - cv2.resize(mask, (_CANVAS, _CANVAS))[..., None]


def make_sample(rng: np.random.Generator, glyphs: dict[str, list[Array]]) -> tuple[Image, int]:
    """Return a patch (72, 72, 3) and its class."""
    scene = _bare_scene(rng, glyphs)
    hull, label = _put_dice(scene)
    patch = _cut(scene, hull)
    return patch, label


def _bare_scene(rng: np.random.Generator, glyphs: dict[str, list[Array]]) -> Scene:
    height = rng.uniform(280, 800)
    away = rng.uniform(0, 0.36) * height
    way = rng.uniform(0, 2 * np.pi)
    camera = np.array([away * np.cos(way), away * np.sin(way), height])
    light = rng.normal(0, 0.45, 3)
    light[2] = 1.0
    ambient = rng.uniform(0.35, 0.75)
    return Scene(_floor(rng), camera, light / np.linalg.norm(light), ambient, rng, glyphs)


def _put_dice(scene: Scene) -> tuple[Array, int]:
    rng = scene.rng
    drawn = rng.random()
    empty_hull = np.array([[0.0, 0.0], [1, 0], [0, 1]]) + _CANVAS / 2
    if drawn < 0.03:
        return empty_hull, NOTHING
    kind = str(rng.choice(KINDS, p=[0.37, 0.37, 0.16, 0.06, 0.04]))
    tilt = rng.uniform(14, 40) if rng.random() < 0.06 else 0.0
    neighbours = int(rng.choice([0, 1, 2], p=[0.6, 0.3, 0.1]))
    over = rng.random() < 0.15
    middle = (np.zeros(2), make_solid(kind, rng, tilt_deg=tilt))
    others = []
    for _ in range(neighbours):
        way = rng.uniform(0, 2 * np.pi)
        reach = rng.uniform(17, 26)
        place = reach * np.array([np.cos(way), np.sin(way)])
        others.append((place, make_solid(str(rng.choice(KINDS)), rng)))
    order = [middle, *others] if over else [*others, middle]
    hulls = [(solid, scene.draw(solid, place)) for place, solid in order]
    hull = next(h for solid, h in hulls if solid is middle[1])
    label = middle[1].label
    if over and any(_covers(h, hull) for s, h in hulls if s is not middle[1]):
        label = NOTHING
    if rng.random() < 0.04:
        _cover(scene, hull)
        label = NOTHING
    elif rng.random() < 0.05:
        hull = hull + rng.choice([-1, 1], 2) * rng.uniform(5, 12, 2) * _FINE
        label = NOTHING
    return hull, label


def _covers(outline: Array, other: Array) -> bool:
    """Tell whether an outline hides a good part of another."""
    shared, _ = cv2.intersectConvexConvex(outline, other)
    return bool(shared > 0.12 * cv2.contourArea(other))


def _cover(scene: Scene, hull: Array) -> None:
    """Lay something like a finger over the middle."""
    rng = scene.rng
    middle = hull.mean(0) + rng.normal(0, 15, 2)
    way = rng.uniform(0, 2 * np.pi)
    along = 300 * np.array([np.cos(way), np.sin(way)])
    skin = np.array([rng.uniform(60, 150), rng.uniform(90, 180), rng.uniform(130, 240)])
    ends = [tuple(np.round(p).astype(int).tolist()) for p in (middle - along * 0.1, middle + along)]
    cv2.line(scene.canvas, ends[0], ends[1], tuple(skin), int(rng.uniform(60, 130)), cv2.LINE_AA)


def _floor(rng: np.random.Generator) -> Array:
    base = _colours(rng)[0] * rng.uniform(0.1, 0.9)
    floor = np.empty((_CANVAS, _CANVAS, 3), np.float32)
    floor[:] = base
    grain = rng.normal(0, 1, (_CANVAS, _CANVAS)).astype(np.float32)
    stretch = (0.0, 0.0) if rng.random() < 0.6 else (float(rng.uniform(8, 30)), 1.0)
    if stretch[0]:
        grain = cv2.GaussianBlur(grain, (0, 0), sigmaX=stretch[0], sigmaY=stretch[1])
        grain /= max(float(grain.std()), 1e-6)
        turn = cv2.getRotationMatrix2D((_CANVAS / 2, _CANVAS / 2), rng.uniform(0, 360), 1.5)
        grain = cv2.warpAffine(grain, turn, (_CANVAS, _CANVAS), borderMode=cv2.BORDER_REFLECT)
    floor *= 1 + grain[..., None] * rng.uniform(0.0, 0.1)
    if rng.random() < 0.1:  # the wall of the tray stands near
        edge = int(rng.uniform(0, _CANVAS * 0.25))
        floor[:edge] = rng.uniform(10, 200, 3)
        turns = int(rng.integers(4))
        floor = np.ascontiguousarray(np.rot90(floor, turns))
    return floor


def _colours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Return a body and an ink that can be told apart (BGR float)."""
    while True:
        if rng.random() < 0.4:
            body = rng.choice([240.0, 225.0, 28.0, 60.0, 128.0]) + rng.normal(0, 8, 3)
        else:
            body = _hue(rng, rng.uniform(80, 255))
        if rng.random() < 0.75:
            ink = rng.choice([245.0, 22.0]) + rng.normal(0, 8, 3)
        else:
            ink = _hue(rng, rng.uniform(60, 255))
        weights = np.array([0.11, 0.59, 0.3])
        if abs(float((body - ink) @ weights)) > 45:
            return np.clip(body, 8, 252), np.clip(ink, 8, 252)


def _hue(rng: np.random.Generator, value: float) -> Array:
    hsv = np.array([[[rng.integers(180), rng.integers(90, 256), int(value)]]], np.uint8)
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0], float)


def _fill(canvas: Array, outline: Array, colour: Array) -> None:
    points = np.round(outline * 16).astype(np.int32)
    cv2.fillConvexPoly(canvas, points, tuple(float(c) for c in colour), cv2.LINE_AA, 4)


def _outline(canvas: Array, outline: Array, colour: Array) -> None:
    points = np.round(outline * 16).astype(np.int32)
    cv2.polylines(canvas, [points], True, tuple(float(c) for c in colour), 1, cv2.LINE_AA, 4)


def _cut(scene: Scene, hull: Array) -> Image:
    """Cut the patch where the reader would, and make it look like a camera's picture."""
    rng = scene.rng
    moments = cv2.moments(hull.astype(np.float32))
    area = max(moments["m00"], 1e-6)
    middle = np.array([moments["m10"], moments["m01"]]) / area
    lean = -scene.camera[:2] / scene.camera[2]
    middle = middle + lean * TOP_MM * _FINE + rng.normal(0, 0.7, 2) * _FINE
    step = _FINE / PX_PER_MM * rng.uniform(0.95, 1.05)
    return _photographed(scene, middle, step, PATCH_PX, float(rng.uniform(0.7, 2.1)))


def _photographed(scene: Scene, middle: Array, step: float, size: int, blur: float) -> Image:
    """Return a square of the canvas around a point as a camera would take it."""
    rng = scene.rng
    how = np.array([[step, 0, middle[0] - step * (size - 1) / 2],
                    [0, step, middle[1] - step * (size - 1) / 2]])  # fmt: skip
    soft = cv2.GaussianBlur(scene.canvas, (0, 0), blur)
    patch = cv2.warpAffine(
        soft, how, (size, size), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    patch *= rng.uniform(0.85, 1.15, 3) * rng.uniform(0.45, 1.25)
    patch = 255 * np.power(np.clip(patch, 0, 255) / 255, rng.uniform(0.7, 1.3))
    noise = rng.normal(0, rng.uniform(0.5, 7), patch.shape)
    grainy = np.clip(patch + cv2.GaussianBlur(noise, (0, 0), rng.uniform(0.3, 0.8)), 0, 255)
    quality = int(rng.integers(60, 97))
    _, packed = cv2.imencode(".jpg", grainy.astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def make_side_views(
    rng: np.random.Generator, glyphs: dict[str, list[Array]]
) -> list[tuple[Image, int]]:
    """Return the views (28, 28, 3) of a tetrahedron's sides, each with its class."""
    scene = _bare_scene(rng, glyphs)
    solid = make_solid("sail", rng)
    scene.draw(solid, np.zeros(2))
    label = solid.label - 5
    if rng.random() < 0.15:
        scene.draw(make_solid(str(rng.choice(KINDS)), rng), rng.normal(0, 9, 2))
        label = 0
    picture, to_picture = _close_picture(scene)
    feet = np.unique(np.round(solid.corners[np.abs(solid.corners[:, 2]) < 0.1][:, :2], 3), axis=0)
    centre = feet.mean(axis=0)
    spoke = feet[0] - centre
    turn = float(np.arctan2(spoke[1], spoke[0]) + rng.normal(0, 0.04))
    edge = float(np.linalg.norm(spoke) * 3**0.5 * rng.normal(1, 0.03))
    base = Base(centre + rng.normal(0, 0.4, 2), turn, edge, 0.0)
    if rng.random() < 0.05:  # cocked, or no such die at all
        base, label = Base(base.centre_mm, turn + np.pi / 3, edge, 0.0), 0
    camera = scene.camera * np.array([1, 1, rng.uniform(0.9, 1.1)])
    return [(view, label) for view in side_views(picture, to_picture, base, camera)]


def make_top_view(rng: np.random.Generator, glyphs: dict[str, list[Array]]) -> tuple[Image, int]:
    """Return the view (28, 28, 3) of an icosahedron's top side and its class."""
    scene = _bare_scene(rng, glyphs)
    drawn = rng.random()
    kind = "cannon" if drawn < 0.95 else str(rng.choice(KINDS[1:]))
    solid = make_solid(kind, rng, tilt_deg=rng.uniform(14, 40) if drawn < 0.05 else 0.0)
    scene.draw(solid, np.zeros(2))
    label = solid.label if kind == "cannon" else 0
    away = rng.normal(0, 0.55, 2)
    if rng.random() < 0.1:
        way = rng.uniform(0, 2 * np.pi)
        away, label = rng.uniform(4, 8) * np.array([np.cos(way), np.sin(way)]), 0
    picture, to_picture = _close_picture(scene)
    camera = scene.camera * np.array([1, 1, rng.uniform(0.9, 1.1)])
    return top_view(picture, to_picture, away, camera), label


def _close_picture(scene: Scene) -> tuple[Image, Array]:
    """Return a camera's picture of the middle and the homography from millimetres to it."""
    px_per_mm = scene.rng.uniform(2.1, 3.6)
    size = round(36 * px_per_mm)
    blur = float(scene.rng.uniform(0.45, 0.9) * _FINE / px_per_mm)
    centre = np.full(2, _CANVAS / 2 - 0.5)
    picture = _photographed(scene, centre, _FINE / px_per_mm, size, blur)
    middle = (size - 1) / 2
    return picture, np.array([[px_per_mm, 0, middle], [0, px_per_mm, middle], [0, 0, 1]])
