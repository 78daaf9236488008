"""Draw training patches: ``python -m benchmarks.dice_training.generate OUT.npz``.

Needs Pillow and some TrueType fonts; see README.md beside this file.
"""

from __future__ import annotations

import argparse
import sys
from multiprocessing import Pool
from pathlib import Path

import cv2
import numpy as np

from benchmarks.dice_training.scenes import load_glyphs, make_sample, make_side_views, make_top_view
from vision.frame import Array

_CHUNK = 500


def main(argv: list[str] | None = None) -> int:
    """Draw and store the patches."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["dice", "sides", "tops"])
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=60_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--fonts", type=Path, default=Path("/usr/share/fonts/truetype"))
    arguments = parser.parse_args(argv)
    fonts = sorted(path for path in arguments.fonts.rglob("*.ttf") if "Math" not in path.name)
    if not fonts:
        print(f"no TrueType fonts under {arguments.fonts}", file=sys.stderr)
        return 2
    jobs = [
        (arguments.what, arguments.seed, chunk, fonts)
        for chunk in range(-(-arguments.count // _CHUNK))
    ]
    with Pool(arguments.workers) as pool:
        parts = pool.starmap(_draw_chunk, jobs)
    patches = np.concatenate([part[0] for part in parts])[: arguments.count]
    labels = np.concatenate([part[1] for part in parts])[: arguments.count]
    np.savez(arguments.out, patches=patches, labels=labels)
    return 0


def _draw_chunk(what: str, seed: int, chunk: int, fonts: list[Path]) -> tuple[Array, Array]:
    cv2.setNumThreads(1)
    rng = np.random.default_rng((seed, chunk))
    glyphs = load_glyphs(fonts)
    if what == "dice":
        samples = [make_sample(rng, glyphs) for _ in range(_CHUNK)]
    elif what == "tops":
        samples = [make_top_view(rng, glyphs) for _ in range(_CHUNK)]
    else:
        samples = [view for _ in range(_CHUNK // 3) for view in make_side_views(rng, glyphs)]
    patches = np.stack([patch for patch, _ in samples])
    return patches, np.array([label for _, label in samples], np.int64)


if __name__ == "__main__":
    sys.exit(main())
