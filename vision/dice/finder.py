"""Where dice lie in a picture: a small network, run by OpenCV. Safe between threads."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.dice.box_network import mean_and_spread
from vision.dice.crops import Box, is_in
from vision.frame import Array, Image
from vision.network import StoredNetwork

STEP_PX = 8
"""The network answers for places this far apart."""
SEEN_PX = 640
"""Longest side of a picture as the network is shown it; dice have 20 to 90 pixels then."""
COARSE_PX = 320
"""The same for a second look, for dice that fill much of the picture."""
_LARGE_PX, _PLAIN = 40.0, 0.5
"""A coarser look is believed of plain dice that are larger than this in it. What the finer one
sees inside them are their parts: pips, if they are no group (`Found.parts`)."""
_SMALL_PX, _VERY_PLAIN = 22.0, 0.75
"""If the plain dice are smaller than this as the network is shown them, or none is very plain, a
large picture is shown to it larger: a group of tiny dice may look like a larger one, but not
plainly."""
_BLIND_PX = 2560
"""Not beyond this as long as nothing is very plain: a picture of nothing may be of any size."""
_MULTIPLE = 16
_AREAS_BELOW = 0.5
"""A picture that is shrunk less than this skips no pixel; a mean over areas takes much longer."""
LEAST_SURE = 0.3
"""Probability from which on something is taken for a die, cocked or not."""
_SAME = 0.55
"""Two boxes that share more than this of the smaller one are of one die: the second is a neighbour
of the first peak, or a round sign on the die."""


@dataclass(frozen=True, slots=True)
class Found:
    """Something that looks like a die."""

    box: Box
    """x, y, width, height in pixels of the picture."""
    p: float
    """Probability that it is one."""
    parts: tuple[Found, ...] = ()
    """What a finer look sees in it: its pips, or else the dice of a group that was taken for one
    large die."""


class DieFinder:
    """Finds the dice in pictures."""

    def __init__(self) -> None:
        self._network = StoredNetwork("vision.dice", "finder.onnx.gz")

    def find(self, picture: Image, size: int = SEEN_PX) -> tuple[Found, ...]:
        """Return what looks like a die, surest first, up to a quarter of the longest side.

        Parameters
        ----------
        picture : (H, W, 3) uint8 BGR.
        size : its longest side as the network is shown it, at least.
        """
        longest = max(picture.shape[:2])
        found = self.find_at(picture, size)
        while 2 * size <= longest and (least_px := _least_px(found)) * size / longest < _SMALL_PX:
            if not least_px and size >= _BLIND_PX:
                break
            coarse, size = found, 2 * size
            found = _joined(self.find_at(picture, size), coarse, _LARGE_PX * 2 * longest / size)
        return self.with_larger(picture, found, COARSE_PX)

    def with_larger(self, picture: Image, found: tuple[Found, ...], size: int) -> tuple[Found, ...]:
        """Return what was found, and the larger dice that are found at a coarser `size`."""
        least_px = _LARGE_PX * max(picture.shape[:2]) / size
        return _joined(found, self.find_at(picture, size), least_px)

    def find_at(self, picture: Image, size: int) -> tuple[Found, ...]:
        """Return what looks like a die when the picture's longest side is brought to `size`."""
        return distinct(sorted(self._found_at(picture, size), key=lambda f: -f.p))

    def _found_at(self, picture: Image, size: int) -> list[Found]:
        scale = size / max(picture.shape[:2])
        shown = picture
        if scale != 1:
            how = cv2.INTER_AREA if scale < _AREAS_BELOW else cv2.INTER_LINEAR
            shown = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=how))
        told = self._network.told(to_input(shown))[0]
        return [Found(tuple(box / scale), p) for box, p in _peaks(told)]


def to_input(picture: Image) -> Array:
    """Return a picture as the network takes it (1, 3, H, W): evened, sides multiples of 16."""
    height, width = picture.shape[:2]
    low, right = -height % _MULTIPLE, -width % _MULTIPLE
    if low or right:
        picture = np.asarray(
            cv2.copyMakeBorder(picture, 0, low, 0, right, cv2.BORDER_REPLICATE), np.uint8
        )
    mean, spread = mean_and_spread(picture)
    return np.asarray(cv2.dnn.blobFromImage(picture, 1 / (spread + 8.0), mean=(mean,) * 3))


def _peaks(told: Array) -> list[tuple[Array, float]]:
    """Return boxes (4,) in pixels of what was shown, and their probabilities."""
    odds = 1 / (1 + np.exp(-told[0]))
    highest = cv2.dilate(odds, np.ones((3, 3), np.uint8))
    found = []
    for row, column in zip(*np.nonzero((odds >= highest) & (odds > LEAST_SURE)), strict=True):
        dx, dy, *log_size = told[1:, row, column]
        size = np.exp(np.clip(log_size, -1.0, 5.0))
        middle = np.array([column + 0.5 + dx, row + 0.5 + dy])
        box = np.concatenate([middle - size / 2, size]) * STEP_PX
        found.append((box, float(odds[row, column])))
    return found


def distinct(found: list[Found]) -> tuple[Found, ...]:
    """Return what was found, surest first, each die once."""
    kept: list[Found] = []
    for one in found:
        if all(_shared(one.box, other.box) < _SAME for other in kept):
            kept.append(one)
    return tuple(kept)


def _plain(found: tuple[Found, ...]) -> list[Found]:
    return [one for one in found if one.p >= _PLAIN]


def _least_px(found: tuple[Found, ...]) -> float:
    """Return the size that the dice have at least, as a rule: 0 if none is very plain."""
    if max((one.p for one in found), default=0.0) < _VERY_PLAIN:
        return 0.0
    return float(np.median([max(one.box[2:]) for one in _plain(found)]))


def _joined(
    fine: tuple[Found, ...], coarse: tuple[Found, ...], large_px: float
) -> tuple[Found, ...]:
    """Put two looks together: of the coarser one what is plain and larger than `large_px`."""
    large = [
        replace(one, parts=tuple(part for part in fine if is_in(part.box, one.box)))
        for one in _plain(coarse)
        if max(one.box[2:]) > large_px
    ]
    small = (one for one in fine if not any(one in found.parts for found in large))
    return distinct(sorted([*large, *small], key=lambda f: -f.p))


def _shared(one: Box, other: Box) -> float:
    """Return the share of the smaller one that two boxes share."""
    wide = min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0])
    high = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
    if wide <= 0 or high <= 0:
        return 0.0
    return wide * high / min(one[2] * one[3], other[2] * other[3])
