"""How well the dice reader reads: virtual trays of unused seeds, and path-traced trays.

``python benchmarks/accuracy_dice.py virtual --trays 500 --seed 70000``
``python benchmarks/accuracy_dice.py pictures --folder FRAMES/dice --odd 1``

A die counts as *right* or *wrong* if its likeliest face has at least the given probability, else
as *refused* (the table asks); *missed* is a die without a reading, *ghost* a sure reading without a
die.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.dice_training.collect import (
    SIZE_MM,
    Truth,
    picture_truth,
    virtual_trays,
)
from companion.errors import NotCalibrated
from companion.table.observation import DieReading
from vision.dice.labels import FACES
from vision.dice.reader import TrayReader

_NEAR_MM = 12.0
_KINDS = ("sail", "cannon", "d6")


class Tally:
    """Counts of dice by kind and fate."""

    def __init__(self, sure: float) -> None:
        self.sure = sure
        self.fates: Counter[tuple[str, str]] = Counter()
        self.times_s: list[float] = []
        self.away_mm: list[float] = []

    def add(self, readings: tuple[DieReading, ...], truth: Truth) -> None:
        left = list(readings)
        for label, kind, x, y in truth:
            away = [np.hypot(r.centre_mm[0] - x, r.centre_mm[1] - y) for r in left]
            if not away or min(away) > _NEAR_MM:
                self.fates[kind, "missed"] += 1
                continue
            reading = left.pop(int(np.argmin(away)))
            self.away_mm.append(float(min(away)))
            best = reading.best
            if best is None or best[1] < self.sure:
                self.fates[kind, "refused"] += 1
            else:
                right = best[0] == FACES.get(label)
                self.fates[kind, "right" if right else "wrong"] += 1
        for reading in left:
            is_sure = reading.best is not None and reading.best[1] >= self.sure
            self.fates["no die", "ghost" if is_sure else "refused"] += 1

    def show(self) -> None:
        for kind in (*_KINDS, "other", "no die"):
            counts = {fate: n for (k, fate), n in sorted(self.fates.items()) if k == kind}
            if counts:
                print(f"{kind:8} {sum(counts.values()):5}  {counts}")
        times = np.percentile(self.times_s, [50, 95]) * 1e3
        away = np.percentile(self.away_mm, [50, 95])
        print(f"a picture {times[0]:.0f} ms, p95 {times[1]:.0f} ms (processor time)")
        print(f"from the true place {away[0]:.1f} mm, p95 {away[1]:.1f} mm")


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", choices=["virtual", "pictures"])
    parser.add_argument("--sure", type=float, default=0.9)
    parser.add_argument("--trays", type=int, default=500)
    parser.add_argument("--rolls", type=int, default=10, help="pictures a tray")
    parser.add_argument("--seed", type=int, default=70000)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--odd", type=int, default=1)
    parser.add_argument(
        "--find", action="store_true", help="find the tray, do not take the label's"
    )
    arguments = parser.parse_args(argv)
    tally = Tally(arguments.sure)
    (_virtual if arguments.source == "virtual" else _pictures)(tally, arguments)
    tally.show()
    return 0


def _timed(tally: Tally, reader: TrayReader, picture, expect) -> tuple[DieReading, ...]:
    start = time.process_time()
    readings = reader.read(picture, expect)
    tally.times_s.append(time.process_time() - start)
    return readings


def _virtual(tally: Tally, arguments: argparse.Namespace) -> None:
    scenes = -(-arguments.trays // arguments.rolls)
    reader, last = None, None
    for empty, picture, _, _, truth in virtual_trays(scenes, arguments.rolls, arguments.seed):
        if reader is None or last is not empty:
            reader, last = TrayReader(SIZE_MM, empty), empty
        tally.add(_timed(tally, reader, picture, ("sail", "cannon")), truth)


def _pictures(tally: Tally, arguments: argparse.Namespace) -> None:
    lost, corner_mm = 0, []
    for path in sorted(arguments.folder.glob("*.json")):
        label = json.loads(path.read_text())
        if label["index"] % 2 != arguments.odd:
            continue
        picture = cv2.imread(str(path.with_suffix(".jpg")))
        corners = np.array(label["tray"]["corners_px"])
        truth = picture_truth(label, least_visible=0.0)
        reader = TrayReader(SIZE_MM, corners_px=None if arguments.find else corners)
        try:
            found = reader.view(picture).corners_px
        except NotCalibrated:
            lost += 1
            tally.add((), truth)
            continue
        away = [np.linalg.norm(np.roll(found, 2 * k, axis=0) - corners, axis=1) for k in (0, 1)]
        if away[1].max() < away[0].max():  # the picture is upside down, and nothing in it tells
            truth = [(c, k, SIZE_MM[0] - x, SIZE_MM[1] - y) for c, k, x, y in truth]
        edge_px = np.linalg.norm(corners[1] - corners[0])
        corner_mm.append(min(a.max() for a in away) * SIZE_MM[0] / edge_px)
        tally.add(_timed(tally, reader, picture, _KINDS), truth)
    print(f"trays not found: {lost}")
    print(
        f"worst corner of a tray: {np.round(np.percentile(corner_mm, [50, 90]), 1)} mm (p50, p90)"
    )


if __name__ == "__main__":
    sys.exit(main())
