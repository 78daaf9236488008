"""Draw training pictures: ``python -m benchmarks.dice_training.generate FOLDER --count 8000``.

Writes JPEG files and `labels.jsonl`, one picture a line, in the form of the manifest of the real
photographs. Needs Pillow and some TrueType fonts; see README.md beside this file.
"""

from __future__ import annotations

import argparse
import json
import sys
from multiprocessing import Pool
from pathlib import Path

import cv2
import numpy as np

from benchmarks.dice_training.drawing import Scene, draw_picture, load_glyphs
from benchmarks.dice_training.moulded import MouldedScene

_CHUNK = 100


def main(argv: list[str] | None = None) -> int:
    """Draw and store the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=8000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--awkward", type=float, default=0.0, help="share stacked or rolling")
    parser.add_argument("--moulded", action="store_true", help="cubes with round edges and gloss")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--fonts", type=Path, default=Path("/usr/share/fonts/truetype"))
    arguments = parser.parse_args(argv)
    fonts = sorted(path for path in arguments.fonts.rglob("*.ttf") if "Math" not in path.name)
    if not fonts:
        print(f"no TrueType fonts under {arguments.fonts}", file=sys.stderr)
        return 2
    arguments.out.mkdir(parents=True, exist_ok=True)
    chunks = range(-(-arguments.count // _CHUNK))
    jobs = [
        (arguments.out, arguments.seed, chunk, arguments.awkward, arguments.moulded, fonts)
        for chunk in chunks
    ]
    with (
        Pool(arguments.workers) as pool,
        (arguments.out / "labels.jsonl").open("w", encoding="utf-8") as labels,
    ):
        for lines in pool.imap(_draw_chunk, jobs):
            labels.writelines(lines)
            labels.flush()
    return 0


def _draw_chunk(job: tuple[Path, int, int, float, bool, list[Path]]) -> list[str]:
    out, seed, chunk, awkward, moulded, fonts = job
    cv2.setNumThreads(1)
    rng = np.random.default_rng((seed, chunk))
    glyphs = load_glyphs(fonts, rng)
    lines = []
    for k in range(_CHUNK):
        picture, dice = draw_picture(
            rng, glyphs, awkward=awkward, make_scene=MouldedScene if moulded else Scene
        )
        name = f"{chunk:04d}{k:02d}.jpg"
        quality = int(rng.integers(60, 97))
        cv2.imwrite(str(out / name), picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
        labels = [
            {"kind": d.kind, "value": int(d.face), "box": [round(float(v), 1) for v in d.box]}
            for d in dice
        ]
        lines.append(json.dumps({"image": name, "dice": labels}) + "\n")
    return lines


if __name__ == "__main__":
    sys.exit(main())
