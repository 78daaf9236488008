"""Picture of a tray to what its dice show, and to where it is: ``python -m benchmarks.dice_speed``.

Trays of 960x720 pixels as the virtual table shows them, with six and with thirty dice. Each tray is
read in turn, so that all meet the same load of the machine. The bar is 50 ms at p95 on two cores
for a tray of six. Where the tray is is sought once, in its empty picture, and again after a knock.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from statistics import median, quantiles
from time import perf_counter, process_time

import cv2
import numpy as np

from vision.dice.reader import TrayReader
from vision.dice.tray_search import find_tray
from vision.frame import Image
from vision.virtual.dice import render_tray, scatter
from vision.virtual.light import LIGHTS, Noise
from vision.virtual.prints import DICE_SETS
from vision.virtual.scene import TRAY_PX, Scene
from vision.virtual.solids import solid_of
from vision.virtual.tray import empty_tray

TRAYS: dict[str, tuple[tuple[str, ...], tuple[float, float]]] = {
    "six d6": (("d6",) * 6, (220.0, 160.0)),
    "six cannonballs": (("cannon",) * 6, (220.0, 160.0)),
    "three sails, three cannonballs": (("sail", "cannon") * 3, (220.0, 160.0)),
    "six piecepack dice": (("piecepack",) * 6, (220.0, 160.0)),
    "thirty d6": (("d6",) * 30, (280.0, 210.0)),
}
"""Dice and the inside of the tray in millimetres."""
ROUNDS = 40
WARMING = 4
PICTURES = 5
FINDINGS = 4


class Tray:
    """Pictures of one tray with dice rolled into it, to be read again and again."""

    def __init__(self, kinds: Sequence[str], size_mm: tuple[float, float]) -> None:
        rng = np.random.default_rng(7)
        scene = Scene()
        lens, light = scene.tray_lens(size_mm), LIGHTS[scene.light]
        bare = empty_tray(lens, light, size_mm, scene.tray_floor, scene.table, rng)
        noise = Noise(TRAY_PX, scene.noise, rng)
        self._kinds = tuple(dict.fromkeys(kinds))
        self._size_mm, self._bare = size_mm, noise.expose(bare, rng)
        self._reader = TrayReader(size_mm, self._bare)
        self._pictures: list[Image] = []
        for _ in range(PICTURES):
            dice = [(k, int(rng.choice([face for face, _ in solid_of(k).ups]))) for k in kinds]
            poses = scatter(dice, size_mm, rng)
            laid = render_tray(bare, lens, light, poses, DICE_SETS[scene.dice_set])
            self._pictures.append(noise.expose(laid, rng))
        self.wall_ms: list[float] = []
        self.processor_ms: list[float] = []
        self.finding_ms: list[float] = []

    def find(self) -> None:
        """Seek the tray in its empty picture and note how long it took."""
        started = perf_counter()
        find_tray(self._bare, self._size_mm)
        self.finding_ms.append(1000 * (perf_counter() - started))

    def read(self, number: int) -> None:
        """Read one of the pictures and note how long it took."""
        wall, processor = perf_counter(), process_time()
        self._reader.read(self._pictures[number % PICTURES], self._kinds)
        self.wall_ms.append(1000 * (perf_counter() - wall))
        self.processor_ms.append(1000 * (process_time() - processor))


def main() -> int:
    """Read, print."""
    cv2.setNumThreads(2)
    trays = {name: Tray(*made) for name, made in TRAYS.items()}
    for number in range(WARMING + ROUNDS):
        for tray in trays.values():
            tray.read(number)
    for tray in [*trays.values()] * FINDINGS:
        tray.find()
    print(f"{'tray':<32}{'median ms':>11}{'p95 ms':>9}{'processor ms':>14}")
    for name, tray in trays.items():
        wall = tray.wall_ms[WARMING:]
        print(
            f"{name:<32}{median(wall):>11.1f}{quantiles(wall, n=20)[-1]:>9.1f}"
            f"{median(tray.processor_ms[WARMING:]):>14.1f}"
        )
    finding = [ms for tray in trays.values() for ms in tray.finding_ms]
    print(
        f"{'finding an empty tray':<32}{median(finding):>11.1f}{quantiles(finding, n=20)[-1]:>9.1f}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
