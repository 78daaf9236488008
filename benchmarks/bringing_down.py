"""What a whole sensor's picture costs to bring down for the board, and how well it is read then.

``python -m benchmarks.bringing_down [--scenes 8] [--profile hex-ocean]``. Virtual tables, two
boards each, are photographed 4608 pixels wide, with noise as of such small pixels. Every picture is
brought down in each way and read, with and without a picture of the empty board; times are those of
one processor. How far cells are from where they are seen tells what becomes of the markers.
"""

from __future__ import annotations

import argparse
import itertools
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from time import process_time
from unittest.mock import patch

import cv2
import numpy as np

from benchmarks.accuracy_virtual import Tally, judge, random_layout
from companion.boards.profile import load_profile
from companion.table.observation import Unreadable
from vision.board.reader import BoardReader
from vision.camera.zone import BOARD_WIDTH, board_picture
from vision.frame import Array, Frame, Image
from vision.registration import BoardFit
from vision.virtual import Scene, VirtualTable

SENSOR_PX = (4608, 3456)
SEED, BOARDS = 810_000, 2
NOISE_TIMES = 2.5


def _resized(whole: Image, width: int, how: int) -> Image:
    size = (width, round(whole.shape[0] * width / whole.shape[1]))
    return np.asarray(cv2.resize(whole, size, interpolation=how), np.uint8)


def by_area(whole: Image) -> Image:
    return _resized(whole, BOARD_WIDTH, cv2.INTER_AREA)


def halved_between_pixels(whole: Image) -> Image:
    half = _resized(whole, whole.shape[1] // 2, cv2.INTER_AREA)
    return _resized(half, BOARD_WIDTH, cv2.INTER_LINEAR)


WAYS: dict[str, Callable[[Image], Image]] = {
    "as it is done (halved, then by area)": board_picture,
    "by area at once": by_area,
    "halved, then between pixels": halved_between_pixels,
}


class Way:
    """What came of one way."""

    def __init__(self) -> None:
        self.tallies = {"with": Tally(), "without": Tally()}
        self.times_ms: list[float] = []
        self.off_px: list[float] = []


def _where(fit: BoardFit, centres_mm: Array, seen_px: Array) -> float:
    return float(np.linalg.norm(fit.project(centres_mm) - seen_px, axis=1).mean())


def photograph(name: str, seed: int, found: dict[str, Way]) -> None:
    """Read a scene's boards in each way."""
    profile, rng = load_profile(name), np.random.default_rng(seed)
    scene = Scene.random(rng)
    scene = replace(scene, noise=NOISE_TIMES * scene.noise)
    table = VirtualTable(profile, scene, rng, lambda: 0.0)
    empty = table.empty_board()
    centres = np.array([profile.cell_centre_mm(cell) for cell in profile.cells])
    seen_px = scene.board_lens(profile).project(np.c_[centres, np.zeros(len(centres))])
    seen_px = (seen_px + 0.5) * (BOARD_WIDTH / SENSOR_PX[0]) - 0.5
    for _ in range(BOARDS):
        layout = random_layout(profile, rng)
        table.lay(layout)
        whole = table.frame().board
        for (title, bring_down), known in itertools.product(WAYS.items(), ("with", "without")):
            way, begun = found[title], process_time()
            picture = bring_down(whole)
            way.times_ms.append(1000 * (process_time() - begun))
            reader = BoardReader(profile, bring_down(empty) if known == "with" else None)
            tally, seen = way.tallies[known], reader.read(Frame("f", 0.0, picture))
            tally.boards += 1
            if isinstance(seen, Unreadable):
                tally.unreadable += 1
                continue
            before = tally.wrong
            judge(profile, layout, seen, str(seed), tally)
            tally.exact += tally.wrong == before
            if reader.fit is not None:
                way.off_px.append(_where(reader.fit, centres, seen_px))


def main() -> None:
    """Photograph, bring down, read, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--profile", default="hex-ocean")
    parser.add_argument("--scenes", type=int, default=8)
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    found: dict[str, Way] = defaultdict(Way)
    with patch("vision.virtual.scene.BOARD_PX", SENSOR_PX):
        for seed in range(SEED, SEED + arguments.scenes):
            photograph(arguments.profile, seed, found)
    for title, way in found.items():
        off, taken = np.median(way.off_px), np.median(way.times_ms)
        print(f"{title}: {taken:.1f} ms, cells {off:.3f} px from where they are seen (median)")
        for known, tally in way.tallies.items():
            print(
                f"    {known} the empty board: {tally.exact} of {tally.boards} exact, {tally.wrong}"
                f" of {tally.cells} cells wrong ({tally.sure} without doubt),"
                f" {tally.left_out} not told, {tally.unreadable} boards unreadable"
            )


if __name__ == "__main__":
    main()
