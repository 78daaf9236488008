"""What the present finder takes for dice where there are none, in pictures to be learnt from.

``python -m benchmarks.dice_training.strays OUT.json --dice DICE --traced TRACED``
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from benchmarks.dice_training.pictures import Known, real_photographs, traced_trays
from vision.dice.crops import Box
from vision.dice.finder import DieFinder


def main(argv: list[str] | None = None) -> int:
    """Find and write the boxes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--dice", type=Path, required=True, help="real photographs")
    parser.add_argument("--traced", type=Path, required=True, help="path-traced trays")
    arguments = parser.parse_args(argv)
    finder = DieFinder()
    strays: dict[str, list[Box]] = {}
    for known in (*real_photographs(arguments.dice), *traced_trays(arguments.traced)):
        if known.is_learnt:
            found = [f.box for f in finder.find(known.read())]
            strays[known.path.name] = [
                tuple(round(float(v), 1) for v in box) for box in found if _is_stray(box, known)
            ]
    arguments.out.write_text(json.dumps(strays) + "\n")
    print(sum(map(len, strays.values())), "strays in", len(strays), "pictures")
    return 0


def _is_stray(box: Box, known: Known) -> bool:
    """Tell whether a box has nothing to do with any labelled die."""
    for die in known.dice:
        x, y, width, height = die.box
        reach = 0.5 * (max(width, height) + max(box[2:]))
        across = abs(x + width / 2 - box[0] - box[2] / 2)
        along = abs(y + height / 2 - box[1] - box[3] / 2)
        if max(across, along) < reach:
            return False
    return True


if __name__ == "__main__":
    sys.exit(main())
