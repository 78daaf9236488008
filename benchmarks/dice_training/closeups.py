"""Close views in a tray whose camera is known: sides of tetrahedra, tops of icosahedra.

``python -m benchmarks.dice_training.closeups tops TOPS.npz --count 60000``
``python -m benchmarks.dice_training.closeups sides SIDES.npz --count 40000``
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import cv2
import numpy as np

from benchmarks.dice_training.drawing import FINE, KINDS, Scene, photograph
from benchmarks.dice_training.glyphs import Glyphs, fonts_under, load_glyphs
from benchmarks.dice_training.solids import Solid, make_solid
from vision.dice.base import EDGE_MM, Base, corners_mm
from vision.dice.cannon import top_view
from vision.dice.sail import VALUES, VIEW_PX, side_views
from vision.frame import Array, Image

_PICTURE_PX = 224
_FONTS_KEPT = 500
"""So many views are drawn with one choice of fonts."""


def make_side_views(rng: np.random.Generator, glyphs: Glyphs) -> list[tuple[Image, int]]:
    """Return views (28, 28, 3) of a tetrahedron's sides, each corner upward, with their classes."""
    scene = Scene(rng, glyphs, _PICTURE_PX)
    drawn = rng.random()
    cocked = drawn < 0.05
    kind = "d4" if drawn > 0.7 else "sail"
    solid = make_solid(kind, rng, tilt_deg=rng.uniform(20, 50) if cocked else 0.0)
    at = rng.normal(0, 6, 2)
    scene.draw(solid, at, kind)
    if rng.random() < 0.35:
        _put_beside(scene, at + rng.normal(0, 11, 2))
    numbers = _corner_numbers(solid)
    feet = np.array([place for place, _ in numbers if place[2] < 0.1])[:, :2]
    if cocked:
        feet = solid.corners[:3, :2]
    centre, spoke = feet.mean(axis=0), feet[0] - feet.mean(axis=0)
    # The tray's frame runs down where the drawing's runs up.
    turn = -float(np.arctan2(spoke[1], spoke[0]))
    stood = corners_mm(Base(centre * [1, -1], turn))
    told = [0 if cocked else _class_at(numbers, place * [1, -1, 1]) for place in stood]
    off = rng.normal(0, 0.45, 2)
    if rng.random() < 0.05:  # it was sought badly
        told, turn, off = [0] * 4, turn + rng.uniform(0.6, 1.5), rng.normal(0, 3, 2)
    turn, edge = turn + float(rng.normal(0, 0.035)), EDGE_MM * float(rng.normal(1, 0.03))
    base = Base((centre + at) * [1, -1] + off, turn, edge)
    picture, to_picture, camera = _seen(scene)
    its_own = np.asarray(cv2.resize((scene.owner == 1) * np.uint8(255), picture.shape[1::-1]))
    shown = side_views(picture, to_picture, base, camera)
    whole = side_views(its_own, to_picture, base, camera)
    views = []
    for (corner, view), (_, mine) in zip(shown, whole, strict=True):
        share = mine[_NUMERAL, _NUMERAL].mean() / 255
        if not _PARTLY < share < _WHOLE:
            views.append((view, told[corner] if share >= _WHOLE else 0))
    return views


_NUMERAL = slice(VIEW_PX // 4, VIEW_PX - VIEW_PX // 4)
"""Where in a view the numeral stands."""
_PARTLY, _WHOLE = 0.4, 0.8
"""A numeral of which less is seen is none; what lies between is not learnt."""


def _corner_numbers(solid: Solid) -> list[tuple[Array, int]]:
    """Return the corners of a tetrahedron and what is printed next to them."""
    found = []
    for side in solid.sides:
        for printed in side.prints:
            ahead = (side.corners - printed.middle) @ printed.up
            found.append((side.corners[int(ahead.argmax())], int(printed.text)))
    return found


def _class_at(numbers: list[tuple[Array, int]], place: Array) -> int:
    """Return the network's class of the number at a corner."""
    number = min(numbers, key=lambda n: float(np.linalg.norm(n[0] - place)))[1]
    return 1 + VALUES.index(number) if number in VALUES else 0


def make_top_view(rng: np.random.Generator, glyphs: Glyphs) -> tuple[Image, int]:
    """Return the view (28, 28, 3) of an icosahedron's top side and its class."""
    scene = Scene(rng, glyphs, _PICTURE_PX)
    drawn = rng.random()
    kind = "cannon" if drawn < 0.95 else str(rng.choice(list(KINDS)))
    solid = make_solid(kind, rng, tilt_deg=rng.uniform(17, 21) if drawn < 0.05 else 0.0)
    at = rng.normal(0, 6, 2)
    scene.draw(solid, at, kind)
    label = solid.face if solid.kind == "cannon" else 0
    away = rng.normal(0, 0.55, 2)
    if rng.random() < 0.1:
        way = rng.uniform(0, 2 * np.pi)
        away, label = rng.uniform(4, 8) * np.array([np.cos(way), np.sin(way)]), 0
    picture, to_picture, camera = _seen(scene)
    return top_view(picture, to_picture, at * [1, -1] + away, camera), label


def _put_beside(scene: Scene, at: Array) -> None:
    kind = str(scene.rng.choice(list(KINDS)))
    scene.draw(make_solid(kind, scene.rng), at, kind)


def _seen(scene: Scene) -> tuple[Image, Array, Array]:
    """Return the picture, the homography from the floor (mm, y down) to it, and the camera."""
    floor = np.array([[-30, -30], [30, -30], [30, 30], [-30, 30]], np.float32)
    spots = np.concatenate([floor * [1, -1], np.zeros((4, 1))], axis=1)
    pixels = (scene.eye.pixels(spots) + 0.5) / FINE - 0.5
    to_picture = cv2.getPerspectiveTransform(floor, pixels.astype(np.float32))
    camera = scene.eye.place * [1, -1, scene.rng.uniform(0.9, 1.1)]
    return photograph(scene.canvas, scene.size, scene.rng), np.asarray(to_picture), camera


def main(argv: list[str] | None = None) -> int:
    """Draw and store views."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["sides", "tops"])
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=40_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fonts", type=Path, default=Path("/usr/share/fonts"))
    arguments = parser.parse_args(argv)
    fonts = fonts_under(arguments.fonts)
    rng = np.random.default_rng(arguments.seed)
    views: list[tuple[Image, int]] = []
    glyphs = load_glyphs(fonts, rng)
    while len(views) < arguments.count:
        if len(views) % _FONTS_KEPT == 0:
            glyphs = load_glyphs(fonts, rng)
        if arguments.what == "tops":
            views.append(make_top_view(rng, glyphs))
        else:
            views += make_side_views(rng, glyphs)
    np.savez(
        arguments.out,
        views=np.stack([view for view, _ in views]),
        labels=np.array([label for _, label in views], np.int64),
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
