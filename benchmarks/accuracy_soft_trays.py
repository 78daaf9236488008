"""How well dice are read in trays without upright walls, as in a game: round, leather, a mat.

``python -m benchmarks.accuracy_soft_trays [--scenes 12] [--seed 964000]``

Each virtual tray is seen empty first, then with one throw of six dice of each set of kinds. Fates
are those of `accuracy_dice`; a picture is *exact* if all its dice are told.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from time import perf_counter

import cv2
import numpy as np

from benchmarks.accuracy_dice import Answer, Tally
from benchmarks.dice_training.pictures import Labelled
from benchmarks.dice_training.tables import SIZE_MM, box_of
from companion.table.observation import DieReading
from vision.dice.any_tray import AnyTrayReader
from vision.dice.reading import SURE
from vision.virtual.dice import render_tray, scatter
from vision.virtual.light import LIGHTS, Noise
from vision.virtual.prints import DICE_SETS
from vision.virtual.scene import Scene
from vision.virtual.soft_tray import SOFT_TRAYS, soft_tray
from vision.virtual.solids import solid_of

KINDS = (("d6",), ("sail", "cannon"), ("piecepack",), ("colour",), ("d20", "d10", "d8"))
_DICE = 6


def _read(shape: str, scenes: int, seed: int, tally: Tally) -> int:
    """Count what is read in trays of one shape; return how many were taken for a box."""
    boxes = 0
    for index in range(scenes):
        rng = np.random.default_rng((seed, SOFT_TRAYS.index(shape), index))
        scene = Scene.random(rng)
        lens, light = scene.tray_lens(SIZE_MM), LIGHTS[scene.light]
        bare = soft_tray(lens, light, SIZE_MM, (shape, scene.tray_floor, scene.table), rng)
        noise, reader = Noise(lens.size_px, scene.noise, rng), AnyTrayReader(SIZE_MM)
        reader.read(noise.expose(bare, rng), KINDS[0], lambda: None, lambda: None)
        boxes += reader.note is None
        for kinds in KINDS:
            dice = [_rolled(kinds[k % len(kinds)], rng) for k in range(_DICE)]
            poses = scatter(dice, SIZE_MM, rng)
            laid = render_tray(bare, lens, light, poses, DICE_SETS[scene.dice_set])
            picture, start = noise.expose(laid, rng), perf_counter()
            seen = reader.read(picture, kinds, lambda: None, lambda: None)
            tally.times_s.append(perf_counter() - start)
            truth = [Labelled(die.kind, die.face, box_of(die, lens)) for die in poses]
            tally.add(f"{shape} {index}", [_answer(one) for one in seen], truth)
    return boxes


def _rolled(kind: str, rng: np.random.Generator) -> tuple[str, int]:
    ups = solid_of(kind).ups
    return kind, ups[int(rng.integers(len(ups)))][0]


def _answer(reading: DieReading) -> Answer:
    x, y, width, height = reading.box_px
    is_sure = reading.best is not None and reading.best[1] >= SURE
    box = float(x), float(y), float(width), float(height)
    return Answer(box, reading.best[0] if reading.best and is_sure else None)


def main(argv: Sequence[str] | None = None) -> int:
    """Read, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=12, help="of each shape of tray")
    parser.add_argument("--seed", type=int, default=964000)
    arguments = parser.parse_args(argv)
    cv2.setNumThreads(2)
    for shape in SOFT_TRAYS:
        tally = Tally()
        boxes = _read(shape, arguments.scenes, arguments.seed, tally)
        tally.show(f"{arguments.scenes} trays, {shape}; {boxes} taken for a box")
    return 0


if __name__ == "__main__":
    sys.exit(main())
