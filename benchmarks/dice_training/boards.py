"""Virtual boards as training pictures: ``python -m benchmarks.dice_training.boards FOLDER``.

Ships, tiles, coins, prints and hands are no dice; in every second picture dice lie between them.
Seeds from 900000 on are those of reports.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from benchmarks.accuracy_virtual import random_layout
from benchmarks.dice_training.tables import box_of, rolled_face, seen_from
from companion.boards.profile import XY, BoardProfile, load_profile
from vision.frame import Image
from vision.virtual import Scene, VirtualTable
from vision.virtual.dice import DiePose, render_tray
from vision.virtual.lens import Lens
from vision.virtual.light import LIGHTS
from vision.virtual.prints import DICE_SETS
from vision.virtual.solids import SOLID_KINDS

PROFILES = ("hex-ocean", "sea-grid", "piecepack-sea", "piecepack-two-seas", "hex-ocean-4")
_KINDS = ("sail", "cannon", "piecepack", *SOLID_KINDS)
_MOST_DICE = 8
_ROOM_MM = 30.0
"""Between the middles of a die and of a ship, or of another die."""
_MARGIN_MM = 40.0
"""Dice lie beside the board as well, so near to it."""


def main(argv: list[str] | None = None) -> int:
    """Write pictures and their labels."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--scenes", type=int, default=40, help="of each board")
    parser.add_argument("--boards", type=int, default=4, help="of each scene")
    parser.add_argument("--seed", type=int, default=9500)
    arguments = parser.parse_args(argv)
    arguments.out.mkdir(parents=True, exist_ok=True)
    with (arguments.out / "labels.jsonl").open("w", encoding="utf-8") as labels:
        for name in PROFILES:
            shown = virtual_boards(name, arguments.scenes, arguments.boards, arguments.seed)
            for k, (picture, dice, lens) in enumerate(shown):
                file = f"{name}-{k:04d}.jpg"
                cv2.imwrite(str(arguments.out / file), picture)
                told = [_label(die, lens) for die in dice]
                labels.write(json.dumps({"image": file, "dice": told}) + "\n")
    return 0


def virtual_boards(
    name: str, scenes: int, boards: int, seed: int
) -> Iterator[tuple[Image, tuple[DiePose, ...], Lens]]:
    """Yield pictures of one of `PROFILES`, the dice on each and the camera's lens.

    Every second board of each of `scenes` bears dice.
    """
    for scene in range(scenes):
        rng = np.random.default_rng((seed, PROFILES.index(name), scene))
        yield from _of_scene(load_profile(name), boards, rng)


def _of_scene(
    profile: BoardProfile, count: int, rng: np.random.Generator
) -> Iterator[tuple[Image, tuple[DiePose, ...], Lens]]:
    scene = Scene.random(rng)
    table = VirtualTable(profile, scene, rng, lambda: 0.0)
    lens, light = scene.board_lens(profile), LIGHTS[scene.light]
    for k in range(count):
        table.lay(random_layout(profile, rng))
        table.set_doubloons(int(rng.integers(6)))
        if rng.random() < 0.25:
            to = profile.cell_centre_mm(profile.cells[int(rng.integers(len(profile.cells)))])
            table.reach(to, float(rng.uniform(0, 360)), is_left=bool(rng.integers(2)))
        picture = table.frame().board
        table.withdraw()
        taken = [(ship.x_mm, ship.y_mm) for ship in table.ships.values()]
        dice = _thrown(profile, taken, rng) if k % 2 else ()
        look = DICE_SETS[int(rng.integers(len(DICE_SETS)))]
        yield render_tray(picture, lens, light, dice, look), dice, lens


def _thrown(
    profile: BoardProfile, taken: list[XY], rng: np.random.Generator
) -> tuple[DiePose, ...]:
    """Return dice that lie between ships and beside the board."""
    dice = list[DiePose]()
    low = np.full(2, -profile.marker_inset_mm - _MARGIN_MM)
    high = np.array([profile.width_mm, profile.height_mm]) + 2 * _MARGIN_MM + low
    for _ in range(int(rng.integers(1, _MOST_DICE + 1))):
        x, y = (float(v) for v in rng.uniform(low, high))
        if all(np.hypot(x - there[0], y - there[1]) > _ROOM_MM for there in taken):
            kind = str(rng.choice(_KINDS))
            face = rolled_face(kind, rng)
            dice.append(DiePose(kind, face, x, y, float(rng.uniform(0, 360))))
            taken.append((x, y))
    return tuple(dice)


def _label(die: DiePose, lens: Lens) -> dict:
    lean, up = seen_from(die, lens)
    box = [round(v, 1) for v in box_of(die, lens)]
    return {"kind": die.kind, "die": die.kind, "value": die.face, "box": box,
            "lean": round(lean, 1), "up": round(up)}  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
