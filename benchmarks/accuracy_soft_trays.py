"""How well dice are read in trays without upright walls, as in a game: round, leather, a mat.

``python -m benchmarks.accuracy_soft_trays [--scenes 12] [--seed 964000]``

Each virtual tray, under a camera of its own, is seen empty first, then with one throw of six dice
of each set of kinds, then with one of two dice of each, one of them cocked or on another. Fates are
those of `accuracy_dice`; a picture is *exact* if all its dice are told. A throw with an awkward die
is *taken* if two dice are told and nothing else is seen.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from time import perf_counter

import cv2
import numpy as np

from benchmarks.accuracy_dice import Tally, answer_of
from benchmarks.dice_training.pictures import Labelled
from benchmarks.dice_training.tables import SIZE_MM, box_of, made_awkward, rolled_face
from companion.rules.layout import Die
from companion.table.observation import DieReading
from vision.dice.any_tray import AnyTrayReader
from vision.dice.crops import is_in
from vision.virtual.dice import DiePose, render_tray, scatter
from vision.virtual.light import LIGHTS, Noise
from vision.virtual.prints import DICE_SETS
from vision.virtual.scene import Scene
from vision.virtual.soft_tray import SOFT_TRAYS, soft_tray

KINDS = (("d6",), ("sail", "cannon"), ("piecepack",), ("colour",), ("d20", "d10", "d8"))
_DICE = 6


class SoftTray:
    """A tray under a camera that stands still, and what reads its pictures."""

    def __init__(self, shape: str, rng: np.random.Generator) -> None:
        scene = Scene.random(rng)
        self._rng, self._look = rng, DICE_SETS[scene.dice_set]
        self.lens, self._light = scene.tray_lens(SIZE_MM), LIGHTS[scene.light]
        how = (shape, scene.tray_floor, scene.table)
        self._bare = soft_tray(self.lens, self._light, SIZE_MM, how, rng)
        self._noise = Noise(self.lens.size_px, scene.noise, rng)
        self.reader = AnyTrayReader(SIZE_MM)

    def read(self, kinds: Sequence[str], poses: Sequence[DiePose]) -> tuple[DieReading, ...]:
        """Return what is read of dice that lie there."""
        laid = render_tray(self._bare, self.lens, self._light, poses, self._look)
        picture = self._noise.expose(laid, self._rng)
        return self.reader.read(picture, kinds, _nowhere, _nowhere)


def _nowhere() -> None:
    """Nothing is known of a camera of its own."""


def _read(shape: str, scenes: int, seed: int, tally: Tally) -> Counter[str]:
    """Count what is read in trays of one shape; return counts of boxes and of awkward throws."""
    n = Counter[str]()
    for index in range(scenes):
        rng = np.random.default_rng((seed, SOFT_TRAYS.index(shape), index))
        tray = SoftTray(shape, rng)
        tray.read(KINDS[0], ())
        n["box"] += tray.reader.note is None
        for kinds in KINDS:
            poses = _thrown(kinds, _DICE, rng)
            start = perf_counter()
            seen = tray.read(kinds, poses)
            tally.times_s.append(perf_counter() - start)
            truth = [Labelled(die.kind, die.face, box_of(die, tray.lens)) for die in poses]
            tally.add(f"{shape} {index}", [answer_of(one.box_px, one.best) for one in seen], truth)
        for kinds in KINDS:
            n += _awkward(tray, kinds, rng)
    return n


def _awkward(tray: SoftTray, kinds: Sequence[str], rng: np.random.Generator) -> Counter[str]:
    """Throw two dice, one of which leans or lies on a third; return what was told."""
    first, other = _thrown(kinds, 2, rng)
    poses = (*made_awkward(first, rng), other)
    seen = tray.read((*kinds, "d6", "piecepack"), poses)
    every = (answer_of(one.box_px, one.best) for one in seen)
    answers = [answer for answer in every if answer.die is not None]
    n = Counter(throws=1, taken=int(len(answers) == len(seen) == 2))
    for die in poses:
        if die.lean_deg or die.high_mm:  # what lies below is hidden
            box = box_of(die, tray.lens)
            told = [answer.die for answer in answers if is_in(box, answer.box)]
            n += Counter(
                awkward=1,
                told=int(bool(told)),
                wrong=int(bool(told) and Die(die.kind, die.face) not in told),
            )
    return n


def _thrown(kinds: Sequence[str], count: int, rng: np.random.Generator) -> tuple[DiePose, ...]:
    thrown = [kinds[k % len(kinds)] for k in range(count)]
    return scatter([(kind, rolled_face(kind, rng)) for kind in thrown], SIZE_MM, rng)


def main(argv: Sequence[str] | None = None) -> int:
    """Read, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=12, help="of each shape of tray")
    parser.add_argument("--seed", type=int, default=964000)
    arguments = parser.parse_args(argv)
    cv2.setNumThreads(2)
    for shape in SOFT_TRAYS:
        tally = Tally()
        n = _read(shape, arguments.scenes, arguments.seed, tally)
        tally.show(f"{arguments.scenes} trays, {shape}; {n['box']} taken for a box")
        print(
            f"of {n['awkward']} dice that lean or lie on another {n['told']} are told, "
            f"{n['wrong']} of them wrongly; of {n['throws']} throws with one {n['taken']} are taken"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
