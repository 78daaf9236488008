"""Small networks that are shown what lies in boxes, and how it is made ready for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np

from vision.dice.crops import Box, cut_crop, cut_turned, cut_upright
from vision.dice.glances import SIX_SIDES, Glance, glanced
from vision.frame import Array, Image
from vision.network import StoredNetwork

EVENED = 0.5
"""Share of a crop whose contrast is made the same: dark pips on a dark die stay plain on a white
table."""
MOST = 4.0
FAR_DEG = 24.0
"""A network that is told how far aside a die is seen has it in these."""
LIT = 3.0
"""A crop that keeps its light has values up to half of this."""
LIGHT_SHARE, LIGHT_PX = 80.0, 220
"""Per cent of a picture that are darker than its brighter places; pixels of its longer side that
are looked at."""
DARK = 0.03
"""Added to what is held against the light: noise alone is no colour."""
_GREY = np.full((1, 3), 1 / 3, np.float32)
DOUBTFUL = 0.98
"""A die whose first view is less sure than this is looked at again, turned or from other sides."""


def _plainest(odds: Array) -> Array:
    return np.asarray(odds.max(axis=1))


class BoxNetwork:
    """A network that classifies what lies in boxes, in one or more ways."""

    def __init__(
        self,
        name: str,
        size_px: int,
        classes: tuple[int, ...],
        warmth: float,
        even: Callable[[Image], Array],
    ) -> None:
        self._network = StoredNetwork("vision.dice", name)
        self._size_px = size_px
        self._ends: list[int] = np.cumsum(classes)[:-1].tolist()
        self._warmth, self._even = warmth, even

    def glance(self, picture: Image, boxes: Sequence[Box], around: Sequence[float]) -> Array:
        """Return odds (N, classes) of each box, looked at one way up."""
        cuts = zip(boxes, [self._size_px] * len(boxes), around, strict=True)
        return self._odds(self._logits([cut_crop(picture, *cut) for cut in cuts], (0,)))

    def said(
        self, picture: Image, boxes: Sequence[Box], around: Sequence[float], *, once: bool = False
    ) -> Array:
        """Return the logits (N, classes) of each box, in the mean over eight turns, or of one."""
        cuts = list(zip(boxes, [self._size_px] * len(boxes), around, strict=True))
        crops = [cut_crop(picture, *cut) for cut in cuts]
        if once:
            return self._logits(crops, (0,))
        upright = self._logits(crops, (0, 1, 2, 3))
        aslant = self._logits([cut_turned(picture, *cut) for cut in cuts], (0, 1, 2, 3))
        return (upright + aslant) / 2

    def odds(
        self,
        picture: Image,
        boxes: Sequence[Box],
        around: Sequence[float],
        surest: Callable[[Array], Array] = _plainest,
    ) -> Array:
        """Return odds (N, classes) of each box; of what is not plain, over eight turns."""
        cuts = list(zip(boxes, [self._size_px] * len(boxes), around, strict=True))
        crops = [cut_crop(picture, *cut) for cut in cuts]
        logits = self._logits(crops, (0,))
        odds = self._odds(logits)
        unsure = np.flatnonzero(surest(odds) < DOUBTFUL)
        if len(unsure):
            quarters = self._logits([crops[int(k)] for k in unsure], (1, 2, 3))
            aslant = [cut_turned(picture, *cuts[int(k)]) for k in unsure]
            eighths = self._logits(aslant, (0, 1, 2, 3))
            odds[unsure] = self._odds((logits[unsure] + 3 * quarters + 4 * eighths) / 8)
        return odds

    def _logits(self, crops: Sequence[Image], turns: tuple[int, ...]) -> Array:
        """Return the mean logits (N, classes) over some quarter turns, divided by the warmth."""
        even = [self._even(crop) for crop in crops]
        shown: Array = np.stack([np.rot90(crop, k) for k in turns for crop in even])
        told = self._network.told(shown.transpose(0, 3, 1, 2))
        return np.asarray(told.reshape(len(turns), len(crops), -1).mean(axis=0) / self._warmth)

    def _odds(self, logits: Array) -> Array:
        parts = np.split(logits, self._ends, axis=1)
        return np.concatenate([softmax(part) for part in parts], axis=1)


class UprightNetwork:
    """A network that is shown what lies in boxes with up upward, and told how far aside it is seen.

    Of a die that is seen aslant the upper side is the top one.
    """

    def __init__(self, name: str, size_px: int, warmth: float) -> None:
        self._network = StoredNetwork("vision.dice", name)
        self._size_px, self._warmth = size_px, warmth

    def odds(
        self,
        picture: Image,
        boxes: Sequence[Box],
        around: float,
        leans_deg: Array,
        even: Callable[[Image], Array],
    ) -> Array:
        """Return odds (N, classes); `leans_deg` (N, 2) as `vision.dice.lean.LEANS_DEG`.

        `around` is as for `cut_crop`; `even` makes a crop ready, (size, size, channels).
        """

        def look(glances: Sequence[Glance]) -> Array:
            crops = [
                even(one.shown(cut_upright(picture, boxes[one.number], *cut, one.lean_deg)))
                for one in glances
            ]
            told = self._network.told(with_aside(crops, np.array([g.lean_deg for g in glances])))
            return np.asarray(told / self._warmth)

        def is_doubtful(logits: Array) -> Array:
            return np.asarray(_plainest(softmax(logits)) < DOUBTFUL)

        cut = self._size_px, around
        return softmax(glanced(look, leans_deg, is_doubtful, SIX_SIDES))


def with_aside(crops: Sequence[Array], leans_deg: Array, *more: float) -> Array:
    """Return crops as a network takes them that is told how far aside each is seen.

    Parameters
    ----------
    crops : N of shape (size, size, channels).
    leans_deg : (N, 2), `vision.dice.lean.LEANS_DEG`.
    more : what else it is told of all of them.

    Returns
    -------
    ndarray of shape (N, channels + 1 + more, size, size), float32.
    """
    height, width, channels = crops[0].shape
    shown = np.empty((len(crops), channels + 1 + len(more), height, width), np.float32)
    for planes, crop in zip(shown, crops, strict=True):
        planes[:channels] = crop.transpose(2, 0, 1)
    shown[:, channels] = np.hypot(*np.transpose(leans_deg))[:, None, None] / FAR_DEG
    for k, told in enumerate(more):
        shown[:, channels + 1 + k] = told
    return shown


def evened(crop: Array, middle: float = 1.0) -> Array:
    """Return a crop as the networks take it: its middle has mean 0 and spread 1 over all channels.

    Parameters
    ----------
    crop : (size, size, 3) uint8.
    middle : share of the side that counts as the middle; what lies around it is cut at `MOST`.
    """
    return _evened(crop.astype(np.float32) / 255, middle)


def evened_apart(crop: Array) -> Array:
    """Return a crop (size, size, 3) uint8 evened, and its colours as well: (size, size, 6) float32.

    The colours are what is left without light and dark: a lamp that a die mirrors hides pips by its
    light, but it has no colour.
    """
    values = crop.astype(np.float32) / 255
    grey = np.asarray(cv2.transform(values, _GREY))  # numpy is slow at a mean of three
    colours = values - grey[..., None]
    return np.concatenate([_evened(values, EVENED), _evened(colours, EVENED)], axis=2)


def light_of(picture: Image) -> Array:
    """Return how bright the brighter places of a picture are, (3,), BGR, 0 to 1: by its light."""
    step = max(max(picture.shape[:2]) // LIGHT_PX, 1)
    return np.asarray(np.percentile(picture[::step, ::step], LIGHT_SHARE, axis=(0, 1)) / 255)


def as_lit(crop: Array, light: Array) -> Array:
    """Return a crop as bright and as coloured as it is, and held against the light: (..., 6).

    A brown and an orange side differ in nothing but their light, an orange and a yellow one in
    hardly more than the colour of a lamp. `light` is that of the crop's picture (`light_of`).
    """
    values = crop.astype(np.float32) / 255
    against = np.log((values + DARK) / (light.astype(np.float32) + DARK))
    return np.concatenate([(values - 0.5) * LIT, against], axis=-1)


def _evened(values: Array, middle: float) -> Array:
    edge = round(len(values) * (1 - middle) / 2)
    inner = values[edge : len(values) - edge, edge : len(values) - edge]
    mean, spread = mean_and_spread(inner)
    spread *= (inner.size / (inner.size - 1)) ** 0.5
    even = (values - np.float32(mean)) * np.float32(1 / (spread + 0.02))
    return np.asarray(even if middle == 1 else np.clip(even, -MOST, MOST), np.float32)


def mean_and_spread(picture: Array) -> tuple[float, float]:
    """Return mean and standard deviation over all pixels and channels of (H, W, channels)."""
    means, spreads = cv2.meanStdDev(picture)  # by channel; sooner than by numpy
    mean = float(means.mean())
    return mean, float(np.sqrt(max(float((spreads**2 + means**2).mean()) - mean**2, 0.0)))


def softmax(logits: Array) -> Array:
    """Return the probabilities (N, classes) that logits (N, classes) stand for."""
    odds = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(odds / odds.sum(axis=1, keepdims=True))
