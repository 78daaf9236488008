"""Whether like dice keep one name, and whether it is the one that people would say.

``python -m benchmarks.accuracy_looks [--scenes 24] [--seed 720]``

In scenes of any light, floor and camera four dice of one kind are thrown again and again into a
virtual tray and read as any picture, the kind told. A name is right if people would call the paint
so in daylight.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict

import cv2

from benchmarks.dice_training.tables import virtual_rolls
from vision.dice.looks import LookBook
from vision.dice.pictures import PictureReader

_KINDS = ("sail", "cannon", "d6", "d20")
_PAINTS = (
    ("yellow", "purple", "white"), ("blue", "white", "white"), ("white", "green", "red"),
    ("orange", "black", "white"), ("turquoise", "red", "black"), ("white", "blue", "white"),
)  # fmt: skip
"""What people call the bodies of `DICE_SETS`: sails, cannonballs and d20, cubes."""
_TRAY_MM = (150.0, 110.0)


def main(argv: list[str] | None = None) -> int:
    """Throw, read, name, count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=24, help="of each kind of dice")
    parser.add_argument("--throws", type=int, default=14)
    parser.add_argument("--seed", type=int, default=720)
    arguments = parser.parse_args(argv)
    cv2.setNumThreads(2)
    reader = PictureReader()
    names = defaultdict[tuple[str, int], Counter[str]](Counter)
    right: Counter[bool] = Counter()
    wrong: Counter[str] = Counter()
    for seed, kind in enumerate(_KINDS, arguments.seed):
        rolls = virtual_rolls(arguments.scenes, arguments.throws, seed, (kind,), (4, 4), _TRAY_MM)
        for number, roll in enumerate(rolls):
            throw = number % arguments.throws
            if throw == 0:
                book = LookBook()
            looks = [book.look(roll.picture, die) for die in reader.read(roll.picture, [kind])]
            paint = _PAINTS[roll.scene.dice_set][{"sail": 0, "d6": 2}.get(kind, 1)]
            for look in filter(None, looks):
                names[kind, number - throw][look] += 1
                is_right = look.split()[0] == paint
                right[is_right] += 1
                if not is_right:
                    wrong[f"{paint}: {look}, {roll.scene.light}, {roll.scene.tray_floor}"] += 1
    together = sum(len(said) == 1 for said in names.values())
    print(f"{together} of {len(names)} sets of four like dice have one name")
    print(f"{right[True]} of {right.total()} dice are called as people would call them")
    for what, count in wrong.most_common():
        print(f"  {count} x {what}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
