"""Boxes around whole dice for pictures whose labels cover only what is on top.

``python -m benchmarks.dice_training.boxes DICE OUT.json`` lets the present finder, which should not
have been trained on them, find the dice; a label takes the box that its middle is in.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from benchmarks.dice_training.pictures import Labelled, real_photographs
from vision.dice.crops import Box
from vision.dice.finder import DieFinder, Found

_TIMES = {True: (1.15, 2.2), False: (1.5, 3.6)}
"""The whole die is so many times as large as what is labelled: a whole side where it is a single
pip, else only the pips."""
_ALIKE = 0.72
"""The dice of a picture are alike: smaller boxes than this share of the largest are parts."""


def main(argv: list[str] | None = None) -> int:
    """Find and write the boxes, `null` where none is found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dice", type=Path)
    parser.add_argument("out", type=Path)
    arguments = parser.parse_args(argv)
    finder = DieFinder()
    boxes: dict[str, list[Box | None]] = {}
    for known in real_photographs(arguments.dice):
        if any(not die.is_whole for die in known.dice):
            found = finder.find(known.read())
            places = [_box_of(die, found) for die in known.dice]
            least = _ALIKE * max((max(p[2:]) for p in places if p is not None), default=0.0)
            boxes[known.path.name] = [
                None if p is None or max(p[2:]) < least else p for p in places
            ]
    arguments.out.write_text(json.dumps(boxes) + "\n")
    every = [box for places in boxes.values() for box in places]
    print(len(every), "dice, found", sum(box is not None for box in every))
    return 0


def _box_of(die: Labelled, found: tuple[Found, ...]) -> Box | None:
    x, y, width, height = die.box
    middle = (x + width / 2, y + height / 2)
    low, high = (times * max(width, height) for times in _TIMES[die.face == 1])
    for one in found:  # surest first
        left, top, wide, tall = (float(v) for v in one.box)
        inside = left < middle[0] < left + wide and top < middle[1] < top + tall
        if inside and low < max(wide, tall) < high:
            return (round(left, 1), round(top, 1), round(wide, 1), round(tall, 1))
    return None


if __name__ == "__main__":
    sys.exit(main())
