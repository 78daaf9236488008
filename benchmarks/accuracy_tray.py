"""How well the tray is found: by how many millimetres its corners are off.

``python -m benchmarks.accuracy_tray virtual --scenes 200 --tray 280x210 --seed 126000``
``python -m benchmarks.accuracy_tray traced --folder FRAMES/dice``
``python -m benchmarks.accuracy_tray bumped --scenes 100 --seed 127000``

Each virtual tray is looked for in its empty picture and in one with dice. Of the path-traced trays,
which all hold dice, the even-numbered ones are for choosing (``--learnt``), the odd-numbered ones
for reporting. A corner's error is measured on the floor. In the bumped scenes one camera sees board
and tray and is knocked against: by 20 to 80 mm on the table and up to 5 degrees.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from benchmarks.dice_training.tables import SIZE_MM, virtual_rolls
from companion.boards.profile import Tray, load_profile
from companion.errors import NotCalibrated
from companion.table.setting_up import Zone
from vision.camera.zone import ZonedCamera
from vision.dice.placing import ZoneWatch, zone_sight
from vision.dice.reader import TrayReader
from vision.dice.tray import TrayView
from vision.dice.tray_search import find_tray
from vision.frame import Array, Image
from vision.registration import BoardFit, register
from vision.virtual import Scene, VirtualCamera, VirtualTable
from vision.virtual.scene import WHOLE_PX

FAR_MM = 8.0
"""A corner that is off by more is in the wrong place: half a die."""

ROOM = 0.1
"""A zone given by hand is wider than the tray's floor by this share on either side."""

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


def bumped_table(rng: np.random.Generator) -> tuple[VirtualTable, Zone]:
    """Return a table whose tray stands beside its board, and the zone people would give for it."""
    profile = load_profile("hex-ocean")
    near_mm = float(rng.uniform(60, 240))
    scene = replace(Scene.random(rng), fill=0.8, turn_deg=0.0, tray_at_mm=(560.0, near_mm))
    table = VirtualTable(profile, scene, rng, lambda: 0.0)
    corners = table.tray_px / WHOLE_PX
    low, high = corners.min(axis=0), corners.max(axis=0)
    room = ROOM * (high - low)
    (left, top), (right, bottom) = (low - room).clip(0), (high + room).clip(max=1)
    return table, (float(left), float(top), float(right), float(bottom))


def watched(table: VirtualTable, zone: Zone, goes_along: bool) -> tuple[ZonedCamera, ZoneWatch]:
    """Return a camera with this zone, and what follows its tray."""
    profile, camera = load_profile("hex-ocean"), ZonedCamera(VirtualCamera(table), zone)
    tray, aim = Tray(SIZE_MM), camera.aim if goes_along else None
    return camera, ZoneWatch(TrayReader(SIZE_MM), profile, tray, aim)


def bumped_error_mm(table: VirtualTable, camera: ZonedCamera, watch: ZoneWatch) -> float:
    """Return how far off the tray is found in the next frame; infinite if it is not.

    In the one after that, if the camera had to be aimed anew. ``nan`` where the board cannot be
    read either.
    """
    frame = camera.read()
    assert frame is not None
    fit = register(frame.board, load_profile("hex-ocean"))
    if not isinstance(fit, BoardFit):
        return float("nan")
    if not watch.is_aimed(frame, fit):
        return bumped_error_mm(table, camera, watch)
    assert frame.tray is not None
    assert frame.tray_zone is not None
    try:
        view = watch.view(frame, fit) or find_tray(frame.tray, SIZE_MM, zone_sight(fit, frame))
    except NotCalibrated:
        return float("inf")
    corner = np.round(np.array(frame.tray_zone[:2]) * WHOLE_PX)
    return error_mm(view, table.tray_px - corner)


def tell_bumped(scenes: int, seed: int, is_list: bool) -> None:
    """Print how many bumps lose the tray whose zone stays, and whose zone goes along."""
    before, after = list[float](), list[tuple[float, float]]()
    for index in range(scenes):
        rng = np.random.default_rng((seed, index))
        table, zone = bumped_table(rng)
        stays, along = watched(table, zone, False), watched(table, zone, True)
        found = [bumped_error_mm(table, *one) for one in (stays, along)]
        table.bump(float(rng.uniform(20, 80)), float(rng.uniform(0, 5)))
        errors = bumped_error_mm(table, *stays), bumped_error_mm(table, *along)
        if is_list:
            print(f"{index:03d}: {errors[0]:.1f} mm, {errors[1]:.1f} mm", flush=True)
        if not np.isnan(errors).any():
            before.append(max(found))
            after.append(errors)
    print(f"the board is read after {len(after)} of {scenes} bumps")
    print(f"{sum(not e <= FAR_MM for e in before)} of {len(before)} trays were not found before")
    for name, errors in zip(("stays", "goes along"), np.array(after).T, strict=True):
        print(f"if the zone {name}: {int((errors > FAR_MM).sum())} of them lose the tray")


def main(argv: list[str] | None = None) -> int:
    """Look, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", choices=["virtual", "traced", "bumped"])
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--learnt", action="store_true", help="the pictures for choosing")
    parser.add_argument("--scenes", type=int, default=200)
    parser.add_argument("--seed", type=int, default=126000)
    parser.add_argument("--dice", type=int, default=6)
    parser.add_argument("--tray", default="220x160", help="inside of the virtual tray, mm")
    parser.add_argument("--list", action="store_true", help="name the pictures that fail")
    arguments = parser.parse_args(argv)
    cv2.setNumThreads(1)
    if arguments.source == "bumped":
        tell_bumped(arguments.scenes, arguments.seed, arguments.list)
        return 0
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
