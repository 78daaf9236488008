"""Dice that are really thrown: they fall by the laws of motion and are photographed ray by ray.

``python -m benchmarks.dice_training.cast FOLDER --count 600 --seed 1``. Needs MuJoCo (how they
fall) and Mitsuba with an LLVM library (how they are seen); see README.md beside this file.

Dice lie as they came to rest: flat, leaning on others, on coins and walls, on top of another. In
this they are unlike the drawn ones of `drawing.py`, which lean on nothing. Writes what `generate`
does, and of each die how it lies (`lies`).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from benchmarks.dice_training.brush import photograph
from benchmarks.dice_training.falling import KINDS, Throw, apart, throw
from benchmarks.dice_training.glyphs import fonts_under, load_glyphs
from benchmarks.dice_training.rays import photographed
from benchmarks.dice_training.shots import SIZE_PX, labels_of
from benchmarks.dice_training.tetrahedra import Standing, standing_in, store
from vision.dice.kinds import FACES

CONTRAST = 90.0
"""Grey levels by which ink and body of dice that are sold differ (`drawing.two_colours`)."""
PLAYED = {
    "sail": 0.24, "cannon": 0.2, "d6": 0.16, "piecepack": 0.12, "colour": 0.1, "d20": 0.06,
    "d12": 0.04, "d10": 0.03, "d8": 0.03, "d4": 0.02,
}  # fmt: skip
"""Kinds that are thrown apart, and how often."""
_WITHIN_MM = 55.0
_FONTS_FOR = 40
"""Pictures after which other fonts are taken."""


def main(argv: list[str] | None = None) -> int:
    """Throw, photograph and store."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--samples", type=int, default=32, help="rays a pixel")
    parser.add_argument("--most", type=int, default=13, help="dice in a picture")
    parser.add_argument(
        "--apart", action="store_true", help="as in a tray: plain dice, and sides.npz of tetrahedra"
    )
    parser.add_argument("--kinds", nargs="+", choices=FACES, help="what is thrown, as often")
    parser.add_argument("--textured", type=float, default=0.0, help="share with a second colour")
    parser.add_argument(
        "--alike", type=float, default=0.0, help="share of floors that are as a colour die's side"
    )
    parser.add_argument("--fonts", type=Path, default=Path("/usr/share/fonts"))
    arguments = parser.parse_args(argv)
    fonts, standing = fonts_under(arguments.fonts), list[Standing]()
    often = PLAYED if arguments.apart else KINDS
    if arguments.kinds:
        count = Counter(arguments.kinds)
        often = {kind: n / count.total() for kind, n in count.items()}
    cast = partial(thrown_apart if arguments.apart else throw, often)
    contrast = CONTRAST if arguments.apart else 0.0
    arguments.out.mkdir(parents=True, exist_ok=True)
    with (arguments.out / "labels.jsonl").open("w", encoding="utf-8") as labels:
        for k in range(arguments.count):
            rng = np.random.default_rng((arguments.seed, k))
            if k % _FONTS_FOR == 0:
                glyphs = load_glyphs(fonts, rng)
            thrown = cast(rng, arguments.most)
            how = arguments.samples, contrast, arguments.textured, arguments.alike
            shot = photographed(thrown, glyphs, rng, SIZE_PX, *how)
            name = f"{k:06d}.jpg"
            quality = int(rng.integers(60, 97))
            picture = photograph(shot.picture, SIZE_PX, rng)
            cv2.imwrite(str(arguments.out / name), picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
            labels.write(json.dumps({"image": name, "dice": labels_of(shot)}) + "\n")
            labels.flush()
            standing += standing_in(shot, picture) if arguments.apart else ()
    if standing:
        store(standing, arguments.out / "sides.npz")
    return 0


def thrown_apart(often: Mapping[str, float], rng: np.random.Generator, most: int) -> Throw:
    """Return 5 to `most` dice of some kinds, thrown so often, that fell beside each other."""
    wanted = rng.choice(list(often), int(rng.integers(5, most + 1)), p=list(often.values()))
    return apart([str(kind) for kind in wanted], np.full(2, _WITHIN_MM), rng)


if __name__ == "__main__":
    sys.exit(main())
