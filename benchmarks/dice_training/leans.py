"""How photographed dice lean, as the present network for leans tells it.

``python -m benchmarks.dice_training.leans DICE OUT.json [--boxes BOXES.json]``
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import numpy as np

from benchmarks.dice_training.pictures import real_photographs, with_whole_boxes
from companion.boards.profile import XY
from vision.dice.crops import middle_of
from vision.dice.lean import LeanTeller, together


def main(argv: list[str] | None = None) -> int:
    """Write how each labelled die leans (`vision.dice.lean.LEANS_DEG`)."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dice", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--boxes", type=Path, help="whole boxes for sets that have tops only")
    arguments = parser.parse_args(argv)
    known = real_photographs(arguments.dice)
    if arguments.boxes:
        known = with_whole_boxes(known, arguments.boxes)
    teller, leans = LeanTeller(), dict[str, list[XY]]()
    for photograph in known:
        picture = photograph.read()
        size, boxes = (picture.shape[1], picture.shape[0]), [d.box for d in photograph.dice]
        places = np.array([middle_of(box) for box in boxes])
        told = together(teller.maps(picture, boxes), places, size)[0].leans_deg.round(1)
        leans[f"{photograph.source}/{photograph.path.name}"] = told.tolist()
    arguments.out.write_text(json.dumps(leans) + "\n")
    print(len(leans), "photographs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
