"""How well dice are read from near and from far: real photographs, framed anew.

``python -m benchmarks.accuracy_framed photographs --folder DICE [--shares 0.01,0.05] [--learnt]``
``python -m benchmarks.accuracy_framed virtual --kinds sail,sail [--scenes 20] [--seed 898000]``

Each photograph becomes one of up to 4000 pixels, upright or wide, in which its middling die takes
a share of the longer side and lies at some place near the middle; where the photograph ends, its
outermost pixels go on. Dice that are cut off count no more. Virtual trays, six dice each, become
the middle of photographs of the table around them, 960 (the tray alone) to 4000 pixels wide; they
are read as any picture, their kinds told. Fates are those of `accuracy_dice`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from benchmarks.accuracy_dice import Tally, asked_half
from benchmarks.dice_training.pictures import Known, Labelled, real_photographs
from benchmarks.dice_training.tables import box_of, virtual_rolls
from vision.dice.crops import middle_of
from vision.dice.kinds import FACES
from vision.dice.pictures import PictureReader
from vision.frame import Image
from vision.virtual.solids import SOLID_KINDS

_LEAST_PX, _MOST_PX = 640, 4000
_MOST_MAGNIFIED = 3.0
_OFF_MIDDLE = (0.3, 0.7)
"""Where in the picture the middling die lies, in shares of its sides."""
_ASPECT = 3 / 4
_WIDE_PX, _DICE = (960, 2000, 3000, 4000), 6


def framed(
    picture: Image, dice: Sequence[Labelled], share: float, rng: np.random.Generator
) -> tuple[Image, list[Labelled]]:
    """Return a photograph in which the middling die takes a share of the longer side; its dice."""
    shown = np.median([max(die.box[2:]) for die in dice]) / share
    sides = np.array([shown, shown * _ASPECT])[:: rng.choice([1, -1])]
    around = middle_of(dice[int(rng.integers(len(dice)))].box)
    corner = around - sides * rng.uniform(*_OFF_MIDDLE, 2)
    scale = np.clip(shown * rng.uniform(1.0, _MOST_MAGNIFIED), _LEAST_PX, _MOST_PX) / shown
    how = np.array([[scale, 0, -corner[0] * scale], [0, scale, -corner[1] * scale]])
    size = int(sides[0] * scale), int(sides[1] * scale)
    flags = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    seen = cv2.warpAffine(picture, how, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    kept = []
    for die in dice:
        x, y = (np.array(die.box[:2]) - corner) * scale
        box = float(x), float(y), die.box[2] * scale, die.box[3] * scale
        if min(x, y) >= 0 and x + box[2] <= size[0] and y + box[3] <= size[1]:
            kept.append(replace(die, box=box))
    return np.asarray(seen, np.uint8), kept


Shown = tuple[str, Image, Sequence[Labelled]]
"""Name, picture and what lies in it."""


def _photographs(known: Sequence[Known], share: float) -> Iterator[Shown]:
    rng = np.random.default_rng(round(1000 * share))
    for one in known:
        yield one.path.name, *framed(one.read(), one.dice, share, rng)


def _trays(kinds: Sequence[str], scenes: int, seed: int, wide: int) -> Iterator[Shown]:
    rolls = virtual_rolls(scenes, 1, seed, tuple(kinds), (_DICE, _DICE))
    for number, roll in enumerate(rolls):
        more = (wide - roll.picture.shape[1]) // 2
        far = cv2.copyMakeBorder(roll.picture, more, more, more, more, cv2.BORDER_REPLICATE)
        boxes = [box_of(die, roll.lens) for die in roll.dice]
        dice = [
            Labelled(die.kind, die.face, (box[0] + more, box[1] + more, *box[2:]))
            for die, box in zip(roll.dice, boxes, strict=True)
        ]
        yield f"{number:04d}", np.asarray(far, np.uint8), dice


def _tally(pictures: Iterable[Shown], kinds: Sequence[str]) -> Tally:
    tally, reader = Tally(), PictureReader()
    for name, picture, dice in pictures:
        if dice:
            tally.read(name, picture, dice, reader, kinds)
    return tally


def main(argv: list[str] | None = None) -> int:
    """Frame, read, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", choices=["photographs", "virtual"])
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--shares", default="0.01,0.015,0.022,0.05,0.1,0.3", help="of photographs")
    parser.add_argument("--learnt", action="store_true", help="read what was learnt from")
    parser.add_argument("--kinds", default="d6", help="of the virtual trays")
    parser.add_argument("--scenes", type=int, default=20)
    parser.add_argument("--seed", type=int, default=898000)
    arguments = parser.parse_args(argv)
    cv2.setNumThreads(2)
    if arguments.source == "virtual":
        kinds = arguments.kinds.split(",")
        if unknown := set(kinds).difference(SOLID_KINDS):
            parser.error(f"--kinds: {min(unknown)!r} is none of {', '.join(SOLID_KINDS)}")
        for wide in _WIDE_PX:
            trays = _trays(kinds, arguments.scenes, arguments.seed, wide)
            _tally(trays, kinds).show(f"virtual {arguments.kinds}, {wide} pixels wide")
        return 0
    every = asked_half(parser, arguments, real_photographs)
    for source in sorted({known.source for known in every}):
        some = [known for known in every if known.source == source]
        kinds = sorted({die.kind for known in some for die in known.dice if die.kind in FACES})
        for share in (float(text) for text in arguments.shares.split(",")):
            tally = _tally(_photographs(some, share), kinds)
            tally.show(f"{source}, a die takes {share:.1%} of the picture")
    return 0


if __name__ == "__main__":
    sys.exit(main())
