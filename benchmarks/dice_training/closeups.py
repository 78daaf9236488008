"""Close views of icosahedra's tops, in a tray whose camera is known.

``python -m benchmarks.dice_training.closeups TOPS.npz --count 60000``
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import cv2
import numpy as np

from benchmarks.dice_training.drawing import FINE, KINDS, Look, Scene, photograph
from benchmarks.dice_training.glyphs import Glyphs, fonts_under, load_glyphs
from benchmarks.dice_training.solids import make_solid
from vision.dice.cannon import top_view
from vision.frame import Array, Image

_PICTURE_PX = 224
_FONTS_KEPT = 500
"""So many views are drawn with one choice of fonts."""


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
    picture, to_picture, camera = seen(scene)
    return top_view(picture, to_picture, at * [1, -1] + away, camera), label


def put_beside(scene: Scene, at: Array, look: Look | None = None) -> None:
    """Draw one more die."""
    kind = str(scene.rng.choice(list(KINDS)))
    scene.draw(make_solid(kind, scene.rng), at, kind, look=look)


def seen(scene: Scene) -> tuple[Image, Array, Array]:
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
        views.append(make_top_view(rng, glyphs))
    np.savez(
        arguments.out,
        views=np.stack([view for view, _ in views]),
        labels=np.array([label for _, label in views], np.int64),
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
