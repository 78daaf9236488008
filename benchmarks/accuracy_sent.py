"""How well real photographs are read when less of them is left.

``python -m benchmarks.accuracy_sent --folder DICE [--sets nellbyler_d6] [--learnt]``

They are stored again as messengers and webcams store them, or as other cameras and lights would
show them: a lamp, a dim room, noise, a lens out of focus, a camera that shakes. Fates are those of
`accuracy_dice`.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Generator
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from benchmarks.accuracy_dice import Tally, asked_half
from benchmarks.dice_training.pictures import Known, as_jpeg, real_photographs
from vision.dice.kinds import FACES
from vision.dice.pictures import PictureReader
from vision.frame import Image
from vision.settling import LongExposure

_FATES = ("right", "wrong", "refused", "missed")
_WARM, _COLD = (0.6, 0.9, 1.2), (1.2, 0.95, 0.7)
"""How blue, green and red are changed."""


def _lit(picture: Image, share: float | tuple[float, ...], noise: float = 0.0) -> Image:
    """Return a picture in so much light, with noise of so many grey levels, its own."""
    return next(_shots(picture, share, noise))


def _together(picture: Image, share: float, noise: float) -> Image:
    """Return what a camera that stands still sees in all its pictures of such a rest together."""
    exposure, shots = LongExposure(), _shots(picture, share, noise)
    while not exposure.is_long:
        exposure.add(next(shots))
    return exposure.picture


def _shots(
    picture: Image, share: float | tuple[float, ...], noise: float
) -> Generator[Image, None, None]:
    rng = np.random.default_rng(int(picture.sum(dtype=np.int64)))
    lit = picture * np.asarray(share, np.float32)
    while True:
        yield np.clip(lit + rng.normal(0, noise, picture.shape), 0, 255).astype(np.uint8)


def _soft(picture: Image, spread_px: float) -> Image:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), spread_px), np.uint8)


def _shaken(picture: Image, far_px: int) -> Image:
    return np.asarray(cv2.blur(picture, (far_px, 1)), np.uint8)


WAYS: dict[str, Callable[[Image], Image]] = {
    "as it is": lambda picture: picture,
    "JPEG of quality 70": partial(as_jpeg, quality=70),
    "JPEG of quality 50": partial(as_jpeg, quality=50),
    "JPEG of quality 30": partial(as_jpeg, quality=30),
    "warm light": partial(_lit, share=_WARM),
    "cold light": partial(_lit, share=_COLD),
    "a third of the light": partial(_lit, share=0.35, noise=5.0),
    "a third, all of a rest": partial(_together, share=0.35, noise=5.0),
    "a sixth of the light": partial(_lit, share=0.18, noise=4.0),
    "a sixth, all of a rest": partial(_together, share=0.18, noise=4.0),
    "half as much light more": partial(_lit, share=1.5),
    "noise of 8 grey levels": partial(_lit, share=1.0, noise=8.0),
    "noise of 8, all of a rest": partial(_together, share=1.0, noise=8.0),
    "noise of 15": partial(_lit, share=1.0, noise=15.0),
    "noise of 20, all of a rest": partial(_together, share=1.0, noise=20.0),
    "out of focus by 1.2 pixels": partial(_soft, spread_px=1.2),
    "by 2 pixels": partial(_soft, spread_px=2.0),
    "shaken by 5 pixels": partial(_shaken, far_px=5),
}


def main(argv: list[str] | None = None) -> int:
    """Change, read, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--sets", nargs="+", help="of the photographs (default: all)")
    parser.add_argument("--learnt", action="store_true", help="read what was learnt from")
    arguments = parser.parse_args(argv, argparse.Namespace(source="photographs"))
    cv2.setNumThreads(2)
    known = asked_half(parser, arguments, real_photographs)
    reader = PictureReader()
    for source in arguments.sets or sorted({one.source for one in known}):
        some = [one for one in known if one.source == source]
        if not some:
            parser.error(f"--sets: there are no photographs of {source!r}")
        print(f"\n{source:<28}{'dice':>6}" + "".join(f"{fate:>9}" for fate in _FATES), end="")
        print(f"{'no die, told':>14}{'asked about':>13}")
        for name, way in WAYS.items():
            fates = _read(some, way, reader)
            counts = [sum(fates[kind, fate] for kind in FACES) for fate in _FATES]
            print(f"{name:<28}{sum(counts):>6}" + "".join(f"{n:>9}" for n in counts), end="")
            print(f"{fates['no die', 'ghost']:>14}{fates['no die', 'refused']:>13}", flush=True)
    return 0


def _read(
    known: list[Known], way: Callable[[Image], Image], reader: PictureReader
) -> Counter[tuple[str, str]]:
    """Return how often what befell dice of each kind, as `Tally.fates`."""
    kinds = sorted({die.kind for one in known for die in one.dice if die.kind in FACES})
    tally = Tally()
    for one in known:
        tally.read(one.path.name, way(one.read()), one.dice, reader, kinds)
    return tally.fates


if __name__ == "__main__":
    sys.exit(main())
