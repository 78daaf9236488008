"""Draw training pictures: ``python -m benchmarks.dice_training.generate FOLDER --count 8000``.

Writes JPEG files and `labels.jsonl`, one picture a line, in the form of the manifest of the real
photographs. Needs Pillow and some TrueType fonts; see README.md beside this file.
"""

from __future__ import annotations

import argparse
import json
import sys
from functools import partial
from multiprocessing import Pool
from pathlib import Path

import cv2
import numpy as np

from benchmarks.dice_training.drawing import Scene, draw_picture
from benchmarks.dice_training.glyphs import fonts_under, load_glyphs
from benchmarks.dice_training.moulded import MouldedScene, PipsScene
from benchmarks.dice_training.near import AslantScene, NearScene, TexturedScene
from benchmarks.dice_training.plain import PlainScene

_CHUNK = 100


def main(argv: list[str] | None = None) -> int:
    """Draw and store the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=8000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--awkward", type=float, default=0.0, help="share not at rest, hidden")
    parser.add_argument("--cocked", type=float, default=0.05, help="share that is cocked alone")
    manner = parser.add_mutually_exclusive_group()
    add = partial(manner.add_argument, action="store_const", dest="scene", default=Scene)
    add("--moulded", const=MouldedScene, help="cubes with round edges and gloss")
    add("--pips", const=PipsScene, help="such dice with pips, hard to see")
    add("--near", const=NearScene, help="numbered dice, from near")
    add("--aslant", const=AslantScene, help="the same, seen aslant")
    add("--textured", const=TexturedScene, help="the same, with bodies of two colours")
    add("--plain", const=PlainScene, help="colour dice and nulls")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--fonts", type=Path, default=Path("/usr/share/fonts"))
    arguments = parser.parse_args(argv)
    fonts = fonts_under(arguments.fonts)
    arguments.out.mkdir(parents=True, exist_ok=True)
    chunks = range(-(-arguments.count // _CHUNK))
    how = (arguments.awkward, arguments.cocked, arguments.scene)
    jobs = [(arguments.out, arguments.seed, chunk, how, fonts) for chunk in chunks]
    with (
        Pool(arguments.workers) as pool,
        (arguments.out / "labels.jsonl").open("w", encoding="utf-8") as labels,
    ):
        for lines in pool.imap(_draw_chunk, jobs):
            labels.writelines(lines)
            labels.flush()
    return 0


def _draw_chunk(
    job: tuple[Path, int, int, tuple[float, float, type[Scene]], list[Path]],
) -> list[str]:
    out, seed, chunk, (awkward, cocked, scene), fonts = job
    cv2.setNumThreads(1)
    rng = np.random.default_rng((seed, chunk))
    glyphs = load_glyphs(fonts, rng)
    lines = []
    for k in range(_CHUNK):
        how = {"awkward": awkward, "cocked": cocked, "make_scene": scene}
        picture, dice = draw_picture(rng, glyphs, **how)
        name = f"{chunk:04d}{k:02d}.jpg"
        quality = int(rng.integers(60, 97))
        cv2.imwrite(str(out / name), picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
        labels = [d.label() for d in dice]
        lines.append(json.dumps({"image": name, "dice": labels}) + "\n")
    return lines


if __name__ == "__main__":
    sys.exit(main())
