"""How well the tray is found: by how many millimetres its corners are off.

``python -m benchmarks.accuracy_tray virtual --scenes 200 --tray 280x210 --seed 126000``
``python -m benchmarks.accuracy_tray traced --folder FRAMES/dice``

Each virtual tray is looked for in its empty picture and in one with dice. Of the path-traced trays,
which all hold dice, the even-numbered ones are for choosing (``--learnt``), the odd-numbered ones
for reporting. A corner's error is measured on the floor.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from benchmarks.dice_training.tables import virtual_rolls
from companion.errors import NotCalibrated
from vision.dice.find import find_tray
from vision.dice.tray import TrayView
from vision.frame import Array, Image

FAR_MM = 8.0
"""A corner that is off by more is in the wrong place: half a die."""

Case = tuple[str, str, Image, Array, tuple[float, float]]
"""What kind of picture, its name, the picture, the true corners (4, 2), the floor's size in mm."""


def virtual_trays(
    scenes: int, seed: int, size_mm: tuple[float, float], dice: int
) -> Iterator[Case]:
    """Yield an empty picture and one with dice of each virtual tray."""
    kinds = ("d6", "piecepack", "sail", "cannon", "d20")
    rolls = virtual_rolls(scenes, 1, seed, kinds, (dice, dice), size_mm)
    for k, roll in enumerate(rolls):
        yield "empty", f"{k:03d}", roll.empty, roll.corners_px, size_mm
        yield "with dice", f"{k:03d}", roll.picture, roll.corners_px, size_mm


def traced_trays(folder: Path, learnt: bool) -> Iterator[Case]:
    """Yield the path-traced trays of one half."""
    for path in sorted(folder.glob("*.json")):
        label = json.loads(path.read_text("utf-8"))
        if (label["index"] % 2 == 0) != learnt:
            continue
        tray = label["tray"]
        size_mm = float(tray["width_mm"]), float(tray["height_mm"])
        picture = np.asarray(cv2.imread(str(path.with_suffix(".jpg"))), np.uint8)
        yield label["artwork"], path.stem, picture, np.array(tray["corners_px"]), size_mm


def error_mm(found: TrayView, truth_px: Array) -> float:
    """Return how far the worst corner is from its true place, on the floor.

    A tray looks like itself from the opposite side.
    """
    size = found.size_mm
    truth = TrayView(size, truth_px, found.picture_px, found.focal_px)
    w, h = size
    ideal = np.array([[0, 0], [w, 0], [w, h], [0, h]], float)
    seen = np.array([truth.to_floor((float(x), float(y))) for x, y in found.corners_px])
    ways = (np.linalg.norm(np.roll(seen, turn, axis=0) - ideal, axis=1).max() for turn in (0, 2))
    return float(min(ways))


def main(argv: list[str] | None = None) -> int:
    """Look, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", choices=["virtual", "traced"])
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--learnt", action="store_true", help="the pictures for choosing")
    parser.add_argument("--scenes", type=int, default=200)
    parser.add_argument("--seed", type=int, default=126000)
    parser.add_argument("--dice", type=int, default=6)
    parser.add_argument("--tray", default="220x160", help="inside of the virtual tray, mm")
    parser.add_argument("--list", action="store_true", help="name the pictures that fail")
    arguments = parser.parse_args(argv)
    cv2.setNumThreads(1)
    width, _, height = arguments.tray.partition("x")
    size_mm = float(width), float(height)
    cases = (
        traced_trays(arguments.folder, arguments.learnt)
        if arguments.source == "traced"
        else virtual_trays(arguments.scenes, arguments.seed, size_mm, arguments.dice)
    )
    worst: dict[str, list[float]] = defaultdict(list)
    spent_s = []
    for kind, name, picture, truth, size in cases:
        start = time.process_time()
        try:
            worst[kind].append(error_mm(find_tray(picture, size), truth))
        except NotCalibrated:
            worst[kind].append(float("inf"))
        spent_s.append(time.process_time() - start)
        if arguments.list and worst[kind][-1] > FAR_MM:
            print(f"{kind} {name}: {worst[kind][-1]:.1f} mm")
    for kind, errors in sorted(worst.items()):
        found = np.array([e for e in errors if np.isfinite(e)])
        median, p95 = np.percentile(found, [50, 95])
        far, none = int((found > FAR_MM).sum()), len(errors) - len(found)
        print(
            f"{kind:<12}{len(errors):>5} pictures: worst corner {median:.1f} mm (median), "
            f"{p95:.1f} (p95), {found.max():.1f} (largest); {far} off by more than {FAR_MM:.0f}, "
            f"{none} not found"
        )
    print(f"{1000 * float(np.median(spent_s)):.0f} ms of processor time a picture")
    return 0


if __name__ == "__main__":
    sys.exit(main())
