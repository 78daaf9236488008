"""Settled picture to observation, board by board: ``python -m benchmarks.board_speed``.

Each board is read in turn, so that all meet the same load of the machine. The camera rests: the
board is found from its last fit, as in a game.
"""

from __future__ import annotations

from statistics import median, quantiles
from time import perf_counter, process_time

import cv2
import numpy as np

from benchmarks.accuracy_virtual import LAYOUTS
from companion.boards.profile import load_profile
from vision.board.reader import BoardReader
from vision.frame import Frame
from vision.virtual import Scene, VirtualTable

BOARDS = ("hex-ocean", "hex-ocean-4", "hex-ocean-6", "piecepack-sea", "piecepack-two-seas")
ROUNDS = 60


class Table:
    """A board with pieces on it, ready to be read again and again."""

    def __init__(self, name: str) -> None:
        rng = np.random.default_rng(7)
        self.profile = load_profile(name)
        table = VirtualTable(self.profile, Scene(), rng, lambda: 0.0)
        self._reader = BoardReader(self.profile, table.empty_board())
        table.lay(LAYOUTS[self.profile.pieces.set](self.profile, rng))
        self._frames: list[Frame] = [table.frame() for _ in range(4)]
        self.wall_ms: list[float] = []
        self.processor_ms: list[float] = []

    def read(self, number: int) -> None:
        wall, processor = perf_counter(), process_time()
        self._reader.read(self._frames[number % len(self._frames)])
        self.wall_ms.append(1000 * (perf_counter() - wall))
        self.processor_ms.append(1000 * (process_time() - processor))


def main() -> None:
    tables = [Table(name) for name in BOARDS]
    for number in range(-5, ROUNDS):
        for table in tables:
            table.read(number)
    print(f"{'board':<22}{'cells':>6}{'median ms':>11}{'p95 ms':>9}{'processor ms':>14}")
    for table in tables:
        wall, processor = table.wall_ms[5:], table.processor_ms[5:]
        print(
            f"{table.profile.id:<22}{len(table.profile.cells):>6}{median(wall):>11.1f}"
            f"{quantiles(wall, n=20)[-1]:>9.1f}{median(processor):>14.1f}"
        )
    print(f"OpenCV threads: {cv2.getNumThreads()}")


if __name__ == "__main__":
    main()
