"""Virtual trays as training pictures: ``python -m benchmarks.dice_training.tables FOLDER``.

Seeds are those of training; the accuracy report uses others.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from vision.dice.kinds import NOTHING
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
    """Those below others first."""
    lens: Lens
    scene: Scene


def virtual_rolls(
    scenes: int,
    rolls: int,
    seed: int,
    kinds: tuple[str, ...],
    count: tuple[int, int] = (1, 6),
    size_mm: tuple[float, float] = SIZE_MM,
    awkward: float = 0.0,
    tilt_deg: float | None = None,
) -> Iterator[Roll]:
    """Yield rolls of some kinds of dice, `rolls` of each of `scenes` tables.

    Parameters
    ----------
    count : least and largest number of dice of a roll.
    size_mm : inside of the tray.
    awkward : share of the dice that are cocked or lie on another.
    tilt_deg : how far aslant the camera looks down; ``None``: up to 14 degrees.
    """
    for index in range(scenes):
        rng = np.random.default_rng((seed, index))
        scene = Scene.random(rng)
        scene = scene if tilt_deg is None else replace(scene, tray_tilt_deg=tilt_deg)
        lens, light = scene.tray_lens(size_mm), LIGHTS[scene.light]
        bare = empty_tray(lens, light, size_mm, scene.tray_floor, scene.table, rng)
        noise = Noise(lens.size_px, scene.noise, rng)
        w, h = size_mm
        corners = lens.project(np.array([[0, 0, 0], [w, 0, 0], [w, h, 0], [0, h, 0]], float))
        empty = noise.expose(bare, rng)
        for _ in range(rolls):
            dice = [_rolled(rng, kinds) for _ in range(int(rng.integers(count[0], count[1] + 1)))]
            poses = tuple(
                p
                for pose in scatter(dice, size_mm, rng)
                for p in (made_awkward(pose, rng) if rng.random() < awkward else (pose,))
            )
            clean = render_tray(bare, lens, light, poses, DICE_SETS[scene.dice_set])
            yield Roll(empty, noise.expose(clean, rng), corners, poses, lens, scene)


_KINDS = ("sail", "cannon", "sail", "cannon", "piecepack", *SOLID_KINDS)

_MOST_LEAN_DEG = {"cannon": 20.0, "d20": 20.0, "sail": 50.0}


def made_awkward(pose: DiePose, rng: np.random.Generator) -> tuple[DiePose, ...]:
    """Return a die cocked, or that and one below it."""
    if rng.choice(["cocked", "stacked"]) == "cocked":
        most = _MOST_LEAN_DEG.get(pose.kind, 42.0)
        lean, way = rng.uniform(0.6 * most, most), rng.uniform(0, 360)
        return (replace(pose, lean_deg=float(lean), lean_way_deg=float(way)),)
    x, y = rng.normal([pose.x_mm, pose.y_mm], 3.0)
    kind = str(rng.choice(["d6", "piecepack"]))
    lower = DiePose(kind, int(rng.integers(1, 6)), float(x), float(y), float(rng.uniform(0, 360)))
    return lower, replace(pose, high_mm=16.0)


def is_awkward(pose: DiePose, dice: Sequence[DiePose]) -> bool:
    """Tell whether a die is cocked, lies on another or under one."""
    near = (np.hypot(pose.x_mm - d.x_mm, pose.y_mm - d.y_mm) < 16 for d in dice if d.high_mm)
    return pose.lean_deg > 0 or pose.high_mm > 0 or any(near)


def _rolled(rng: np.random.Generator, kinds: tuple[str, ...]) -> tuple[str, int]:
    kind = str(rng.choice(kinds))
    return kind, rolled_face(kind, rng)


def rolled_face(kind: str, rng: np.random.Generator) -> int:
    """Return what a die of a kind shows when it is rolled."""
    ups = solid_of(kind).ups
    return int(ups[int(rng.integers(len(ups)))][0])


def box_of(pose: DiePose, lens: Lens) -> tuple[float, float, float, float]:
    """Return the box (x, y, width, height) around a die in the picture."""
    pixels = lens.project(posed_corners_mm(pose))
    (x, y), (x1, y1) = pixels.min(axis=0), pixels.max(axis=0)
    return float(x), float(y), float(x1 - x), float(y1 - y)


def seen_from(pose: DiePose, lens: Lens) -> tuple[float, float]:
    """Return how far aside a die is seen, and which way up is in the picture: degrees."""
    middle = posed_corners_mm(pose).mean(axis=0)
    away = lens.position_mm - middle
    low, high = lens.project(np.stack([middle, middle - [0, 0, 1]]))  # z points into the table
    lean = np.degrees(np.arctan2(np.hypot(*away[:2]), abs(away[2])))
    return float(lean), float(np.degrees(np.arctan2(*(high - low)[::-1])))


def main(argv: list[str] | None = None) -> int:
    """Write pictures and their labels."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--scenes", type=int, default=100)
    parser.add_argument("--rolls", type=int, default=8)
    parser.add_argument("--seed", type=int, default=9500)
    parser.add_argument("--awkward", type=float, default=0.0, help="share cocked or stacked")
    parser.add_argument("--kinds", nargs="+", default=_KINDS, choices=SOLID_KINDS)
    arguments = parser.parse_args(argv)
    arguments.out.mkdir(parents=True, exist_ok=True)
    how = (arguments.scenes, arguments.rolls, arguments.seed, tuple(arguments.kinds))
    rolls = virtual_rolls(*how, awkward=arguments.awkward)
    with (arguments.out / "labels.jsonl").open("w", encoding="utf-8") as labels:
        for k, roll in enumerate(rolls):
            name = f"{k:05d}.jpg"
            cv2.imwrite(str(arguments.out / name), roll.picture)
            dice = []
            for d in roll.dice:
                lean, up = seen_from(d, roll.lens)
                dice.append(
                    {
                        "kind": NOTHING if is_awkward(d, roll.dice) else d.kind,
                        "die": d.kind,
                        "value": d.face,
                        "box": [round(v, 1) for v in box_of(d, roll.lens)],
                        "lean": round(lean, 1),
                        "up": round(up),
                    }
                )
            labels.write(json.dumps({"image": name, "dice": dice}) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
