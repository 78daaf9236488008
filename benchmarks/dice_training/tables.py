"""Virtual trays as training pictures: ``python -m benchmarks.dice_training.tables FOLDER``.

Seeds are those of training; the accuracy report uses others.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.frame import Array, Image
from vision.virtual.dice import DiePose, posed_corners_mm, render_tray, scatter
from vision.virtual.lens import Lens
from vision.virtual.light import LIGHTS, Noise
from vision.virtual.prints import DICE_SETS
from vision.virtual.scene import Scene
from vision.virtual.solids import SOLID_KINDS, solid_of
from vision.virtual.tray import empty_tray

SIZE_MM = (220.0, 160.0)


@dataclass(frozen=True, eq=False)
class Roll:
    """A rolled tray of a virtual table."""

    empty: Image
    picture: Image
    corners_px: Array
    """True corners of the floor (4, 2)."""
    dice: tuple[DiePose, ...]
    lens: Lens


def virtual_rolls(
    scenes: int,
    rolls: int,
    seed: int,
    kinds: tuple[str, ...],
    count: tuple[int, int] = (1, 6),
    size_mm: tuple[float, float] = SIZE_MM,
) -> Iterator[Roll]:
    """Yield rolls of some kinds of dice, `rolls` of each of `scenes` tables.

    Parameters
    ----------
    count : least and largest number of dice of a roll.
    size_mm : inside of the tray.
    """
    for index in range(scenes):
        rng = np.random.default_rng((seed, index))
        scene = Scene.random(rng)
        lens, light = scene.tray_lens(size_mm), LIGHTS[scene.light]
        bare = empty_tray(lens, light, size_mm, scene.tray_floor, scene.table, rng)
        noise = Noise(lens.size_px, scene.noise, rng)
        w, h = size_mm
        corners = lens.project(np.array([[0, 0, 0], [w, 0, 0], [w, h, 0], [0, h, 0]], float))
        empty = noise.expose(bare, rng)
        for _ in range(rolls):
            dice = [_rolled(rng, kinds) for _ in range(int(rng.integers(count[0], count[1] + 1)))]
            poses = scatter(dice, size_mm, rng)
            clean = render_tray(bare, lens, light, poses, DICE_SETS[scene.dice_set])
            yield Roll(empty, noise.expose(clean, rng), corners, poses, lens)


def _rolled(rng: np.random.Generator, kinds: tuple[str, ...]) -> tuple[str, int]:
    kind = str(rng.choice(kinds))
    ups = solid_of(kind).ups
    return kind, ups[int(rng.integers(len(ups)))][0]


def box_of(pose: DiePose, lens: Lens) -> tuple[float, float, float, float]:
    """Return the box (x, y, width, height) around a die in the picture."""
    pixels = lens.project(posed_corners_mm(pose))
    (x, y), (x1, y1) = pixels.min(axis=0), pixels.max(axis=0)
    return float(x), float(y), float(x1 - x), float(y1 - y)


def main(argv: list[str] | None = None) -> int:
    """Write pictures and their labels."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--scenes", type=int, default=100)
    parser.add_argument("--rolls", type=int, default=8)
    parser.add_argument("--seed", type=int, default=9500)
    arguments = parser.parse_args(argv)
    arguments.out.mkdir(parents=True, exist_ok=True)
    kinds = ("sail", "cannon", "sail", "cannon", "piecepack", *SOLID_KINDS)
    rolls = virtual_rolls(arguments.scenes, arguments.rolls, arguments.seed, kinds)
    with (arguments.out / "labels.jsonl").open("w", encoding="utf-8") as labels:
        for k, roll in enumerate(rolls):
            name = f"{k:05d}.jpg"
            cv2.imwrite(str(arguments.out / name), roll.picture)
            dice = [
                {
                    "kind": d.kind,
                    "value": d.face,
                    "box": [round(v, 1) for v in box_of(d, roll.lens)],
                }
                for d in roll.dice
            ]
            labels.write(json.dumps({"image": name, "dice": dice}) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
