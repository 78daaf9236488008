"""Collect patches as the reader cuts them, from pictures whose truth is known.

``python -m benchmarks.dice_training.collect virtual OUT.npz --scenes 30 --rolls 20 --seed 9000``
``python -m benchmarks.dice_training.collect pictures OUT.npz --folder FRAMES/dice --odd 0``
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from companion.rules.layout import Die
from vision.dice.blobs import find_blobs
from vision.dice.floor import differs, model_floor
from vision.dice.labels import FACES, NOTHING, OTHER
from vision.dice.reader import cut_patch
from vision.dice.tray import TrayView, to_mm
from vision.frame import Array, Image

SIZE_MM = (220.0, 160.0)
_NEAR_MM = 6.0
_CLASS = {die: k for k, die in FACES.items()}
_KINDS = {"d20": "cannon", "d4": "sail", "d6": "d6"}
_MIDDLE_MM = {"cannon": 11.0, "sail": 4.5}

Truth = list[tuple[int, str, float, float]]
"""Class, kind and place on the floor of each die."""


def patches_of(
    picture: Image, floor: Array | None, view: TrayView, truth: Truth
) -> list[tuple[Image, int]]:
    """Return each patch the reader would look at, and the class it should tell."""
    rectified = view.rectify(picture)
    bare = model_floor(rectified) if floor is None else floor
    found = []
    for blob in find_blobs(differs(rectified, bare)):
        if blob.is_single:
            label = _label(to_mm(blob.middle), view, truth)
            if label is not None:
                found.append((cut_patch(rectified, blob, view), label))
    return found


def _label(seen_mm: Array, view: TrayView, truth: Truth) -> int | None:
    away = []
    for label, kind, x, y in truth:
        height = _MIDDLE_MM.get(kind, 8.0)
        over, high = view.camera_mm[:2], view.camera_mm[2]
        place = over + (np.array([x, y]) - over) * high / (high - height)
        away.append((float(np.linalg.norm(place - seen_mm)), label))
    nearest = min(away, default=(99.0, NOTHING))
    if nearest[0] < _NEAR_MM:
        return nearest[1]
    return NOTHING if nearest[0] > 3 * _NEAR_MM else None


def virtual_trays(
    scenes: int, rolls: int, seed: int
) -> Iterator[tuple[Image, Image, Array, list[Die], Truth]]:
    """Yield empty picture, picture, true corners, dice and truth of rolls on virtual tables."""
    from vision.virtual.dice import DICE_SETS, render_tray, scatter
    from vision.virtual.light import LIGHTS, Noise
    from vision.virtual.scene import Scene
    from vision.virtual.tray import empty_tray

    for index in range(scenes):
        rng = np.random.default_rng((seed, index))
        scene = Scene.random(rng)
        lens, light = scene.tray_lens(SIZE_MM), LIGHTS[scene.light]
        bare = empty_tray(lens, light, SIZE_MM, scene.tray_floor, scene.table, rng)
        noise = Noise(lens.size_px, scene.noise, rng)
        w, h = SIZE_MM
        corners = lens.project(np.array([[0, 0, 0], [w, 0, 0], [w, h, 0], [0, h, 0]], float))
        empty = noise.expose(bare, rng)
        for _ in range(rolls):
            dice = [_rolled(rng) for _ in range(int(rng.integers(1, 7)))]
            poses = scatter([(d.kind, d.face) for d in dice], SIZE_MM, rng)
            clean = render_tray(bare, lens, light, poses, DICE_SETS[scene.dice_set])
            truth = [(_CLASS[Die(p.kind, p.face)], p.kind, p.x_mm, p.y_mm) for p in poses]
            yield empty, noise.expose(clean, rng), corners, dice, truth


def _rolled(rng: np.random.Generator) -> Die:
    if rng.random() < 0.5:
        return Die("sail", int(rng.choice([2, 3, 3, 4])))
    return Die("cannon", int(rng.integers(1, 6)))


def picture_truth(label: dict, least_visible: float = 0.55) -> Truth:
    """Return the truth of a path-traced tray; dice that are hidden more cannot be told."""
    truth = []
    for die in label["dice"]:
        kind = _KINDS.get(die["kind"], "other")
        face = _CLASS.get(Die(kind, die["value"])) if kind in ("cannon", "sail", "d6") else OTHER
        hidden = die["visible"] < least_visible
        told = NOTHING if hidden or face is None else face
        truth.append((told, kind, die["x_mm"], die["y_mm"]))
    return truth


def main(argv: list[str] | None = None) -> int:
    """Collect and store."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", choices=["virtual", "pictures"])
    parser.add_argument("out", type=Path)
    parser.add_argument("--scenes", type=int, default=30)
    parser.add_argument("--rolls", type=int, default=20)
    parser.add_argument("--seed", type=int, default=9000)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--odd", type=int, default=0)
    arguments = parser.parse_args(argv)
    collect = _from_virtual if arguments.source == "virtual" else _from_pictures
    samples = collect(arguments)
    np.savez(
        arguments.out,
        patches=np.stack([patch for patch, _ in samples]),
        labels=np.array([label for _, label in samples], np.int64),
    )
    print(len(samples), np.bincount([label for _, label in samples], minlength=16))
    return 0


def _from_virtual(arguments: argparse.Namespace) -> list[tuple[Image, int]]:
    samples = []
    rng = np.random.default_rng(arguments.seed)
    for empty, picture, corners, _, truth in virtual_trays(
        arguments.scenes, arguments.rolls, arguments.seed
    ):
        jittered = corners + rng.normal(0, 2.0, (4, 2))
        size = (picture.shape[1], picture.shape[0])
        view = TrayView(SIZE_MM, jittered, size, size[0] * float(rng.uniform(0.95, 1.3)))
        samples += patches_of(picture, view.rectify(empty), view, truth)
    return samples


def _from_pictures(arguments: argparse.Namespace) -> list[tuple[Image, int]]:
    samples = []
    rng = np.random.default_rng(arguments.seed)
    for path in sorted(arguments.folder.glob("*.json")):
        label = json.loads(path.read_text())
        if label["index"] % 2 != arguments.odd:
            continue
        picture = cv2.imread(str(path.with_suffix(".jpg")))
        size = (picture.shape[1], picture.shape[0])
        for _ in range(3):
            corners = np.array(label["tray"]["corners_px"]) + rng.normal(0, 2.0, (4, 2))
            view = TrayView(SIZE_MM, corners, size, size[0] * float(rng.uniform(0.95, 1.3)))
            samples += patches_of(picture, None, view, picture_truth(label))
    return samples


if __name__ == "__main__":
    sys.exit(main())
