"""How well numbered dice are read that are rolled again and again, and what answers are worth.

``python -m benchmarks.accuracy_again --folder ROLLS``, of what ``dice_training.again`` wrote. Each
die is read as in a tray (`accuracy_dice drawn --as-in-a-tray`), in the order of its rolls: once by
itself, and once by a reader that learns what somebody answers whenever it asks: what a die shows,
or of one that is cocked that it is no roll, which teaches nothing.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from multiprocessing import Pool
from pathlib import Path

import cv2

from benchmarks.accuracy_dice import answer_of, aspect_of, best_of, dice_reader, tell_in_tray
from benchmarks.dice_training.pictures import Known, Labelled, drawn_pictures
from companion.rules.layout import Die
from vision.dice.kinds import CLOSE_KINDS
from vision.dice.memory import TrayMemory
from vision.frame import Image

FATES = "right", "wrong", "asked"
COCKED_TOLD, COCKED_ASKED = "cocked, told", "cocked, asked"
_WHOLE = 0.98
"""So much of a cocked die is seen."""


def main(argv: list[str] | None = None) -> int:
    """Read, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--workers", type=int, default=2)
    arguments = parser.parse_args(argv)
    rolls = list(drawn_pictures(arguments.folder))
    dice = [list(of_one) for _, of_one in groupby(rolls, lambda known: known.path.name[:3])]
    with Pool(arguments.workers) as pool:
        both = pool.map(_read_both, dice, chunksize=1)
    for k, title in enumerate(("by itself", "learning what is answered")):
        each = [fates[k] for fates in both]
        print(f"{title}: {_counted(each)}; of the second half of the rolls "
              f"{_counted([fates[len(fates) // 2 :] for fates in each])}")  # fmt: skip
        print(f"  asked about one of a die, most first: {_most_asked(each)}")
    return 0


def _counted(each: Sequence[Sequence[str]]) -> str:
    counts = Counter(fate for fates in each for fate in fates)
    dice = sum(counts[fate] for fate in FATES)
    told = " / ".join(str(counts[fate]) for fate in FATES)
    flat = f"{dice} dice, right / wrong / asked {told} ({counts['asked'] / dice:.1%} asked)"
    cocked = counts[COCKED_TOLD] + counts[COCKED_ASKED]
    return f"{flat}, {counts[COCKED_TOLD]} of {cocked} cocked ones told" if cocked else flat


def _most_asked(each: Sequence[Sequence[str]]) -> str:
    shares = sorted((fates.count("asked") / len(fates) for fates in each if fates), reverse=True)
    return " ".join(f"{share:.0%}" for share in shares[:10])


def _read_both(rolls: Sequence[Known]) -> tuple[list[str], list[str]]:
    cv2.setNumThreads(1)
    return _fates(rolls, learns=False), _fates(rolls, learns=True)


def _fates(rolls: Sequence[Known], *, learns: bool) -> list[str]:
    """Return what becomes of each roll, in order."""
    memory, fates = TrayMemory(), []
    for known in rolls:
        for die in known.dice:
            is_flat = die.kind in CLOSE_KINDS  # all of it lies in the picture, then
            if is_flat or (die.own_lean_deg is not None and die.visible >= _WHOLE):
                fates.append(_fate(known.read(), die, memory, learns=learns))
    return fates


def _fate(image: Image, die: Labelled, memory: TrayMemory, *, learns: bool) -> str:
    truth, aspect = Die(die.die, die.face), aspect_of(die.die, [die])
    (odds,) = tell_in_tray(image, aspect, die.die, memory)
    told = answer_of(die.box, best_of(odds, die.die)).die
    if die.own_lean_deg is not None:
        return COCKED_ASKED if told is None else COCKED_TOLD
    if told is not None:
        return "right" if told == truth else "wrong"
    if learns:
        dice_reader().learn(image, aspect, [truth], memory)
    return "asked"


if __name__ == "__main__":
    sys.exit(main())
