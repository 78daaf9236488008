"""How well dice are read among ships, coins and prints, and what there is taken for one.

``python -m benchmarks.accuracy_among virtual [--scenes 12] [--seed 962000]``
``python -m benchmarks.accuracy_among traced --folder FRAMES [--learnt]``

Virtual boards, with dice on and beside every second one, are read as any picture: with no kinds
told, and with those that lie there (cubes, sails and cannonballs where none lie). Path-traced
boards bear no dice; they are read with the kinds of each game. Fates are those of `accuracy_dice`.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import cv2

from benchmarks.accuracy_dice import Tally, asked_half
from benchmarks.dice_training.boards import PROFILES, virtual_boards
from benchmarks.dice_training.pictures import Labelled, traced_boards
from benchmarks.dice_training.tables import box_of
from vision.dice.pictures import PictureReader

_TOLD = (None, ("d6",), ("d6", "sail", "cannon"), ("colour",), ("piecepack",))
"""Kinds of dice; any."""
_WITHOUT = ("d6", "sail", "cannon")


def _virtual(scenes: int, seed: int) -> None:
    reader, free, told = PictureReader(), Tally(), Tally()
    for profile in PROFILES:
        for k, (picture, poses, lens) in enumerate(virtual_boards(profile, scenes, 2, seed)):
            dice = [Labelled(die.kind, die.face, box_of(die, lens)) for die in poses]
            kinds = sorted({die.kind for die in dice}) or _WITHOUT
            free.read(f"{profile} {k}", picture, dice, reader, None)
            told.read(f"{profile} {k}", picture, dice, reader, kinds)
    free.show("virtual boards, any kinds")
    told.show("virtual boards, kinds told")


def main(argv: list[str] | None = None) -> int:
    """Read, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", choices=["virtual", "traced"])
    parser.add_argument("--scenes", type=int, default=12, help="of each virtual board")
    parser.add_argument("--seed", type=int, default=962000)
    parser.add_argument("--folder", type=Path, help="of path-traced pictures")
    parser.add_argument("--learnt", action="store_true", help="read what was learnt from")
    arguments = parser.parse_args(argv)
    cv2.setNumThreads(2)
    if arguments.source == "virtual":
        _virtual(arguments.scenes, arguments.seed)
        return 0
    every = asked_half(parser, arguments, traced_boards)
    reader = PictureReader()
    for kinds in _TOLD:
        tally = Tally()
        for known in every:
            tally.read(str(known.path), known.read(), (), reader, kinds)
        tally.show(f"{len(every)} path-traced boards, {', '.join(kinds or ('any kinds',))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
