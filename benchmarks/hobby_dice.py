"""What most hobby projects do with dice, on the same photographs: count blobs, cluster, add up.

``python -m benchmarks.hobby_dice --folder DICE``

OpenCV's blob detector finds pips, blobs nearer than a distance to each other are one die (what
DBSCAN with one point a cluster comes to), and their number is its value. The detector's settings
and the distance are chosen, for each set by itself, on pictures that our own reader learnt from; so
the recipe is given more than it would have on a user's table. Figures are for the others.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import cv2
import numpy as np

from benchmarks.dice_training.pictures import Known, real_photographs
from vision.frame import Array, Image

_SETS = ("nellbyler_d6", "matteop_d6_wood")
_LEAST_AREAS = (4.0, 8.0, 16.0)
_ROUND = (0.4, 0.6, 0.8)
_NEAR_PX = (8.0, 11.0, 14.0, 18.0, 22.0, 28.0, 36.0)
_TRIED = 40
"""Pictures of a set that the settings are tried on."""


def find_pips(picture: Image, least_area: float, least_inertia: float) -> Array:
    """Return the middles (N, 2) of dark and of light blobs."""
    found = []
    for colour in (0, 255):
        wanted = cv2.SimpleBlobDetector.Params()
        wanted.filterByColor, wanted.blobColor = True, colour
        wanted.filterByArea, wanted.minArea, wanted.maxArea = True, least_area, 400.0
        wanted.filterByInertia, wanted.minInertiaRatio = True, least_inertia
        wanted.filterByCircularity, wanted.filterByConvexity = False, False
        detector = cv2.SimpleBlobDetector.create(wanted)
        found += [point.pt for point in detector.detect(picture)]
    return np.array(found, float).reshape(-1, 2)


def cluster(points: Array, near_px: float) -> list[tuple[Array, int]]:
    """Return middle and number of points of each group that hangs together."""
    groups: list[list[int]] = []
    for k, point in enumerate(points):
        joined = [g for g in groups if (np.linalg.norm(points[g] - point, axis=1) < near_px).any()]
        groups = [g for g in groups if g not in joined] + [[k, *(i for g in joined for i in g)]]
    return [(points[g].mean(axis=0), len(g)) for g in groups]


def score(groups: Sequence[tuple[Array, int]], known: Known) -> Counter[str]:
    """Count dice read right, wrong and missed, and groups where no die is."""
    left, fates = list(groups), Counter[str]()
    for die in known.dice:
        x, y, width, height = die.box
        reach = 0.7 * max(width, height)
        away = [float(np.linalg.norm(g[0] - [x + width / 2, y + height / 2])) for g in left]
        if not away or min(away) > reach:
            fates["missed"] += 1
            continue
        _, value = left.pop(int(np.argmin(away)))
        fates["right" if value == die.face else "wrong"] += 1
    fates["ghost"] += len(left)
    exact = fates["right"] == len(known.dice) and not left
    fates["picture exact"] += exact
    return fates


def main(argv: list[str] | None = None) -> int:
    """Choose the settings, report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, required=True)
    arguments = parser.parse_args(argv)
    known = list(real_photographs(arguments.folder))
    for name in _SETS:
        learnt = [k for k in known if k.source == name and k.is_learnt][:_TRIED]
        best, chosen = -1.0, (0.0, 0.0, 0.0)
        for area, roundness in product(_LEAST_AREAS, _ROUND):
            points = [find_pips(k.read(), area, roundness) for k in learnt]
            for near in _NEAR_PX:
                total: Counter[str] = Counter()
                for k, found in zip(learnt, points, strict=True):
                    total += score(cluster(found, near), k)
                worth = total["right"] - 0.25 * total["ghost"]
                if worth > best:
                    best, chosen = worth, (area, roundness, near)
        total, spent, count = Counter(), [], 0
        for k in known:
            if k.source == name and not k.is_learnt:
                picture = k.read()
                start = time.perf_counter()
                groups = cluster(find_pips(picture, *chosen[:2]), chosen[2])
                spent.append(time.perf_counter() - start)
                total += score(groups, k)
                count += 1
        dice = total["right"] + total["wrong"] + total["missed"]
        print(
            f"{name}: {dice} dice, right {total['right'] / dice:.1%}, wrong {total['wrong']}, "
            f"missed {total['missed']}, ghosts {total['ghost']}, pictures exact "
            f"{total['picture exact']} of {count}, median {np.median(spent) * 1e3:.0f} ms; "
            f"settings (area, inertia, near px) {chosen}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
