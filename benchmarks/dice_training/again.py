"""Dice that are rolled again and again before a camera that stands still.

``python -m benchmarks.dice_training.again FOLDER --dice 80 --rolls 60 --seed 1``. Writes
DDD-RRR.jpg, roll R of die D, and `labels.jsonl` as `generate` does. A die keeps its lettering and
colours, the table its floor and light; how they look is drawn as in `generate --near`.
"""

from __future__ import annotations

import argparse
import json
import sys
from multiprocessing import Pool
from pathlib import Path

import cv2
import numpy as np

from benchmarks.dice_training.brush import photograph
from benchmarks.dice_training.drawing import FINE, cocked_by
from benchmarks.dice_training.glyphs import fonts_under, load_glyphs
from benchmarks.dice_training.near import NearScene
from benchmarks.dice_training.solids import make_solid, rolled_again

KINDS = {"d20": 0.4, "d10": 0.15, "d12": 0.15, "d100": 0.1, "d8": 0.1, "cannon": 0.1}
"""Kinds of dice, and how often they are rolled."""
SIZE_PX = 256
_REACH = 0.4
"""So far from the middle dice come to lie, in half of the picture's side."""


def main(argv: list[str] | None = None) -> int:
    """Draw and store the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--dice", type=int, default=80)
    parser.add_argument("--rolls", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cocked", type=float, default=0.0, help="share of the rolls")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--fonts", type=Path, default=Path("/usr/share/fonts"))
    arguments = parser.parse_args(argv)
    fonts = fonts_under(arguments.fonts)
    arguments.out.mkdir(parents=True, exist_ok=True)
    jobs = [
        (arguments.out, (arguments.seed, die), arguments.rolls, arguments.cocked, fonts)
        for die in range(arguments.dice)
    ]
    with (
        Pool(arguments.workers) as pool,
        (arguments.out / "labels.jsonl").open("w", encoding="utf-8") as labels,
    ):
        for lines in pool.imap(_roll_die, jobs):
            labels.writelines(lines)
    return 0


def _roll_die(job: tuple[Path, tuple[int, int], int, float, list[Path]]) -> list[str]:
    out, seed, rolls, cocked, fonts = job
    cv2.setNumThreads(1)
    made = np.random.default_rng(seed)
    glyphs = load_glyphs(fonts, made)
    kind = str(made.choice(list(KINDS), p=list(KINDS.values())))
    solid, scenes = make_solid(kind, made), int(made.integers(1 << 30))
    quality, look, lines = int(made.integers(60, 97)), None, []
    for roll in range(rolls):
        rng = np.random.default_rng((*seed, roll))
        scene = NearScene(np.random.default_rng(scenes), glyphs, SIZE_PX)
        look = look or scene._look(kind)
        scene.rng = rng
        half_mm = 0.5 * SIZE_PX * FINE / scene.eye.focal * float(np.linalg.norm(scene.eye.place))
        at = rng.uniform(-_REACH, _REACH, 2) * half_mm
        tilt_deg = cocked_by(rng, kind) if rng.random() < cocked else 0.0
        scene.draw(rolled_again(solid, rng, tilt_deg=tilt_deg), at, kind, look=look)
        picture = photograph(scene.canvas, SIZE_PX, np.random.default_rng(scenes), scene.softest_px)
        name = f"{seed[1]:03d}-{roll:03d}.jpg"
        cv2.imwrite(str(out / name), picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
        dice = [die.label() for die in scene.seen()]
        lines.append(json.dumps({"image": name, "dice": dice}) + "\n")
    return lines


if __name__ == "__main__":
    sys.exit(main())
