"""Tetrahedra drawn, with where they stand.

``python -m benchmarks.dice_training.tetrahedra OUT.npz --count 500``

Their sides are laid flat while `sides.onnx` is trained, each time from another place that is a
little off: where a die stands is never known exactly.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from benchmarks.dice_training.brush import photograph
from benchmarks.dice_training.drawing import FINE, KINDS, Look, Scene
from benchmarks.dice_training.eye import Eye
from benchmarks.dice_training.glyphs import FOOTLESS, Glyphs, fonts_under, load_glyphs
from benchmarks.dice_training.shots import Shot
from benchmarks.dice_training.solids import Solid, make_solid, reprinted
from vision.dice.tetrahedra import EDGE_MM, Base, corners_mm
from vision.dice.tetrahedron_tops import CORNERS, VALUES, VIEW_PX, side_views
from vision.frame import Array, Image

_PICTURE_PX, _PART_PX = 224, 128
_FONTS_KEPT = 60
"""So many dice are drawn with one choice of fonts."""
_D4, _COCKED, _OTHER = 0.35, 0.05, 0.06
"""Shares of what is drawn; the rest are sails."""
_OFF_MM, _OFF_DEG, _OFF_SIZE, _OFF_HIGH = 0.6, 3.0, 0.03, 0.07
"""Spread of the errors of place, turn, size and of the camera's height."""
_ASTRAY = 0.08
"""Share of the places that are altogether wrong: no numeral is to be seen there."""
_NUMERAL = slice(VIEW_PX // 4, VIEW_PX - VIEW_PX // 4)
"""Where in a view the numeral stands."""
_AT_FOOT_MM = 2.0
_PARTLY, _WHOLE = 0.4, 0.8
"""A numeral of which less is seen is none; what lies between is not learnt."""


@dataclass(frozen=True, eq=False)
class Standing:
    """A part of a picture with a die in it."""

    picture: Image
    its_own: Image
    """255 where the die is seen."""
    to_picture: Array
    """Homography (3, 3) from the floor (mm, y down) to the part."""
    camera_mm: Array
    pose: Array
    """Place and turn (3,) of its base."""
    classes: Array
    """What the network is to tell of each corner, (4,): 0 where no tetrahedron stands."""

    def views(self, rng: np.random.Generator) -> list[tuple[Image, int]]:
        """Return views (28, 28, 3) of its sides, each corner upward, and their classes."""
        off, turned = rng.normal(0, _OFF_MM, 2), rng.normal(0, np.radians(_OFF_DEG))
        classes = self.classes
        if rng.random() < _ASTRAY:
            off, turned = rng.normal(0, 2.5, 2), rng.choice([-1, 1]) * rng.uniform(0.4, 1.05)
            classes = np.zeros(4, int)
        base = Base(
            self.pose[:2] + off, self.pose[2] + turned, EDGE_MM * float(rng.normal(1, _OFF_SIZE))
        )
        camera = self.camera_mm * [1, 1, rng.normal(1, _OFF_HIGH)]
        shown = side_views(self.picture, self.to_picture, base, camera)
        whole = side_views(self.its_own, self.to_picture, base, camera)
        found = []
        for (corner, view), (_, mine) in zip(shown, whole, strict=True):
            share = mine[_NUMERAL, _NUMERAL].mean() / 255
            if not _PARTLY < share < _WHOLE:
                found.append((view, int(classes[corner]) if share >= _WHOLE else 0))
        return found


def draw_standing(rng: np.random.Generator, glyphs: Glyphs, footless: float = 0.0) -> Standing:
    """Draw a die, mostly a tetrahedron, sometimes beside another.

    A share of them has a 1 that is all flag (`footless`).
    """
    scene = Scene(rng, glyphs, _PICTURE_PX)
    drawn = rng.random()
    cocked = drawn < _COCKED
    kind = "sail" if cocked or drawn > _COCKED + _OTHER + _D4 else "d4"
    if _COCKED < drawn < _COCKED + _OTHER:
        kind = str(rng.choice([kind for kind in KINDS if kind not in ("sail", "d4")]))
    solid = make_solid(kind, rng, tilt_deg=rng.uniform(20, 50) if cocked else 0.0)
    is_footless = footless > 0 and rng.random() < footless
    printed = reprinted(solid, {"1": FOOTLESS}) if is_footless else solid
    at = rng.normal(0, 6, 2)
    look = Look(rng, kind, scene.canvas.reshape(-1, 3).mean(0))
    scene.draw(printed, at, kind, look=look)
    if rng.random() < 0.45:
        alike = look if rng.random() < 0.3 else None
        _put_beside(scene, at + rng.normal(0, 11, 2), alike)
    pose, classes = np.array([0, 0, rng.uniform(0, 2 * np.pi)]), np.zeros(4, int)
    if solid.kind in ("sail", "d4") and not cocked:
        pose, classes = _stood(solid)
    elif cocked:
        pose[:2] = solid.corners[:, :2].mean(axis=0) * [1, -1]
    pose[:2] += at * [1, -1]
    picture, to_picture, camera = _seen(scene)
    its_own = np.asarray(cv2.resize((scene.owner == 1) * np.uint8(255), picture.shape[1::-1]))
    return _part(Standing(picture, its_own, to_picture, camera, pose, classes))


def standing_in(shot: Shot, picture: Image) -> Iterator[Standing]:
    """Yield the tetrahedra of a picture of thrown dice that lie flat, all in the picture."""
    to_picture, camera = _seen_by(shot.eye, 1.0)
    for k, (fallen, outline) in enumerate(zip(shot.dice, shot.outlines, strict=True)):
        is_inside = outline.min() > 0 and outline.max() < picture.shape[0] - 1
        if fallen.solid.is_told and fallen.solid.kind in CORNERS and is_inside:
            its_own = (shot.owner == k) * np.uint8(255)
            yield _part(Standing(picture, its_own, to_picture, camera, *_stood(fallen.solid)))


def _stood(solid: Solid) -> tuple[Array, Array]:
    """Return place and turn (3,) of a tetrahedron, y down, and the classes (4,) of its corners."""
    numbers = [
        (side.corners[int(((side.corners - p.middle) @ p.up).argmax())], int(p.text))
        for side in solid.sides
        for p in side.prints
    ]
    feet = np.array([place for place, _ in numbers if place[2] < _AT_FOOT_MM])[:, :2]
    centre = feet.mean(axis=0)
    spoke = feet[0] - centre
    # The tray's frame runs down where the drawing's runs up.
    pose = np.array([*(centre * [1, -1]), -np.arctan2(spoke[1], spoke[0])])
    stood = corners_mm(Base(pose[:2], float(pose[2]))) * [1, -1, 1]
    nearest = [min(numbers, key=lambda n: float(np.linalg.norm(n[0] - c)))[1] for c in stood]
    return pose, np.array([1 + VALUES.index(number) for number in nearest])


def _part(whole: Standing) -> Standing:
    """Cut out what lies around the die."""
    middle = cv2.perspectiveTransform(whole.pose[None, None, :2], whole.to_picture)[0, 0]
    most = whole.picture.shape[0] - _PART_PX
    x, y = (int(v) for v in np.clip(np.round(middle - _PART_PX / 2), 0, most))
    rows, columns = slice(y, y + _PART_PX), slice(x, x + _PART_PX)
    moved = np.array([[1, 0, -x], [0, 1, -y], [0, 0, 1.0]]) @ whole.to_picture
    return Standing(
        whole.picture[rows, columns], whole.its_own[rows, columns], moved,
        whole.camera_mm, whole.pose, whole.classes,
    )  # fmt: skip


_FIELDS = ("picture", "its_own", "to_picture", "camera_mm", "pose", "classes")


def store(dice: list[Standing], out: Path) -> None:
    """Write dice to a file."""
    np.savez(out, **{f: np.stack([getattr(die, f) for die in dice]) for f in _FIELDS})


def stored(path: Path) -> list[Standing]:
    """Return the dice of a file."""
    with np.load(path) as parts:
        columns = [parts[field] for field in _FIELDS]
    return [Standing(*row) for row in zip(*columns, strict=True)]


def _put_beside(scene: Scene, at: Array, look: Look | None = None) -> None:
    """Draw one more die."""
    kind = str(scene.rng.choice(list(KINDS)))
    scene.draw(make_solid(kind, scene.rng), at, kind, look=look)


def _seen(scene: Scene) -> tuple[Image, Array, Array]:
    """Return the picture, the homography from the floor (mm, y down) to it, and the camera."""
    to_picture, camera = _seen_by(scene.eye, FINE)
    told = camera * [1, 1, scene.rng.uniform(0.9, 1.1)]
    return photograph(scene.canvas, scene.size, scene.rng), to_picture, told


def _seen_by(eye: Eye, fine: float) -> tuple[Array, Array]:
    """Return the homography to a picture that is `fine` times smaller, and the camera."""
    floor = np.array([[-30, -30], [30, -30], [30, 30], [-30, 30]], np.float32)
    spots = np.concatenate([floor * [1, -1], np.zeros((4, 1))], axis=1)
    pixels = (eye.pixels(spots) + 0.5) / fine - 0.5
    to_picture = cv2.getPerspectiveTransform(floor, pixels.astype(np.float32))
    return np.asarray(to_picture), eye.place * [1, -1, 1]


def main(argv: list[str] | None = None) -> int:
    """Draw and store dice."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=8_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--footless", type=float, default=0.0, help="share whose 1 is all flag")
    parser.add_argument("--fonts", type=Path, default=Path("/usr/share/fonts"))
    arguments = parser.parse_args(argv)
    cv2.setNumThreads(1)
    fonts, rng = fonts_under(arguments.fonts), np.random.default_rng(arguments.seed)
    dice: list[Standing] = []
    glyphs = load_glyphs(fonts, rng)
    while len(dice) < arguments.count:
        if len(dice) % _FONTS_KEPT == 0:
            glyphs = load_glyphs(fonts, rng)
        dice.append(draw_standing(rng, glyphs, arguments.footless))
    store(dice, arguments.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
