"""Whether like dice keep one name, and whether it is the one that people would say.

``python -m benchmarks.accuracy_looks [--scenes 24] [--seed 720]``

In each scene (any light, floor, camera) four dice of each kind are thrown again and again into a
virtual tray and read as any picture, the kind told. A name is right if people would call the
paint so in daylight.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator

import cv2
import numpy as np

from vision.dice.looks import LookBook
from vision.dice.pictures import PictureReader
from vision.frame import Image
from vision.virtual.dice import render_tray, scatter
from vision.virtual.light import LIGHTS, Noise
from vision.virtual.prints import DICE_SETS
from vision.virtual.scene import Scene
from vision.virtual.solids import solid_of
from vision.virtual.tray import empty_tray

_KINDS = ("sail", "cannon", "d6", "d20")
_PAINTS = (
    ("yellow", "purple", "white"), ("blue", "white", "white"), ("white", "green", "red"),
    ("orange", "black", "white"), ("turquoise", "red", "black"), ("white", "blue", "white"),
)  # fmt: skip
"""What people call the bodies of `DICE_SETS`: sails, cannonballs and d20, cubes."""
_TRAY_MM = (150.0, 110.0)


def _throws(scene: Scene, kind: str, count: int, rng: np.random.Generator) -> Iterator[Image]:
    lens, light = scene.tray_lens(_TRAY_MM), LIGHTS[scene.light]
    bare = empty_tray(lens, light, _TRAY_MM, scene.tray_floor, scene.table, rng)
    noise = Noise(lens.size_px, scene.noise, rng)
    faces = sorted({face for face, _ in solid_of(kind).ups})
    for _ in range(count):
        thrown = [(kind, int(face)) for face in rng.choice(faces, size=4)]
        dice = scatter(thrown, _TRAY_MM, rng)
        yield noise.expose(render_tray(bare, lens, light, dice, DICE_SETS[scene.dice_set]), rng)


def main(argv: list[str] | None = None) -> int:
    """Throw, read, name, count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=24)
    parser.add_argument("--throws", type=int, default=14)
    parser.add_argument("--seed", type=int, default=720)
    arguments = parser.parse_args(argv)
    cv2.setNumThreads(2)
    reader = PictureReader()
    together = right = sets = named = 0
    wrong: Counter[str] = Counter()
    for number in range(arguments.seed, arguments.seed + arguments.scenes):
        rng = np.random.default_rng(number)
        scene = Scene.random(rng)
        for kind in _KINDS:
            book, names = LookBook(), Counter[str]()
            for picture in _throws(scene, kind, arguments.throws, rng):
                names.update(
                    filter(None, (book.look(picture, die) for die in reader.read(picture, [kind])))
                )
            paint = _PAINTS[scene.dice_set][{"sail": 0, "d6": 2}.get(kind, 1)]
            sets, together = sets + 1, together + (len(names) == 1)
            for name, count in names.items():
                colour = name.split()[0]
                named, right = named + count, right + count * (colour == paint)
                if colour != paint:
                    wrong[f"{paint} {kind} called {name}, {scene.light}, {scene.tray_floor}"] += (
                        count
                    )
    print(f"{together} of {sets} sets of four like dice have one name")
    print(f"{right} of {named} dice are called as people would call them")
    for what, count in wrong.most_common():
        print(f"  {count} x {what}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
