"""Is the table at rest? A cheap look at every frame; only rests are read.

A pure state machine over small pictures: no clock, no device. It is fed every frame and says
whether something moves, whether an arm reaches into the picture, or whether all is still.
"""

from __future__ import annotations

import math
from enum import Enum

import cv2
import numpy as np

from vision.blank import is_blank
from vision.frame import Array, Image

SHRINK = 8
"""The gate looks at the picture this many times smaller."""

MOTION_LEVEL = 14
"""Levels of a colour by which a small pixel must change to count as motion; in good light noise is
below 6."""

NOISE_TIMES, MOST_LEVEL = 3.5, 32
"""In a dim room noise is more: motion is what changes so many times as much as half of the picture,
but no arm that fills it may hide behind that: more than the second always counts."""

MOTION_PIXELS = 12
"""So many changed small pixels are motion: about one ship."""

STILL_FRAMES = 2
"""Still frames in a row that make a rest."""

ARM_LEVEL = 24
"""Levels of a colour by which an arm differs from what lay there at the last rest."""

ARM_SHARE = 0.012
"""Share of the picture that an arm covers at least, hanging together from the picture's edge."""

ARM_MOST = 0.6
"""A change of more than this share is the light or the camera, not an arm."""

ARM_PATIENCE = 40
"""After so many still frames an "arm" is a thing that somebody has put down."""

EXPOSURES = 8
"""So many still pictures make a long exposure. Of 1020 dice of photographs that may be learnt from,
in a third of their light and with noise of 5 grey levels, 19 are not told rightly in one picture,
and 109 things are asked about that are no dice; in the mean of three 10 and 5, of eight 7 and
none."""

RESTLESS_S = 60.0
"""So long without a rest the table is told `RESTLESS`."""

RESTLESS = (
    "The picture has not come to rest for a minute, and so nothing is read. Does something move in"
    " it, does a lamp flicker, or is it too dark for the camera? More light on the table helps."
)

UNSEEN_S = 25.0
"""What was before so long a time without a picture says nothing: somebody was asked, say."""


class Stillness(Enum):
    """What the gate says of a frame."""

    MOVING = "moving"
    HAND = "hand"
    """Still, but an arm reaches into the picture."""
    REST = "rest"


class SettlingGate:
    """Follows the frames of one camera."""

    def __init__(self) -> None:
        self._last: Array | None = None
        self._rest: Array | None = None
        self._before: Array | None = None
        """The rest before what reached in for so long that it was taken for a thing."""
        self._still = 0

    @property
    def is_settling(self) -> bool:
        """Whether the last frame was like the one before it: a rest begins, or goes on."""
        return self._still > 0

    def feed(self, image: Image) -> Stillness:
        """Take the next frame and judge it."""
        small = _shrunk(image)
        last, self._last = self._last, small
        if last is None or last.shape != small.shape:
            self._still = 0
            self.forget_rest()
            return Stillness.MOVING
        change = _difference(small, last)
        level = _beyond_noise(change, NOISE_TIMES, MOTION_LEVEL, MOST_LEVEL)
        if np.count_nonzero(change > level) > MOTION_PIXELS:
            self._still = 0
            return Stillness.MOVING
        self._still += 1
        if self._still < STILL_FRAMES:
            return Stillness.MOVING
        if self._arm_in_view(small):
            return Stillness.HAND
        self._rest = small
        return Stillness.REST

    def forget_rest(self) -> None:
        """Take nothing that differs from the last rest for an arm: that one was no table."""
        self._rest = self._before = None

    def _arm_in_view(self, small: Array) -> bool:
        if self._rest is None or not self._reaches_in(small, self._rest):
            return False
        if self._before is not None and not self._reaches_in(small, self._before):
            return False  # an arm that has rested there is taken away
        if is_blank(small):
            return False  # an arm stands out; the lens is covered
        if self._still >= ARM_PATIENCE:
            self._before = self._rest
            return False
        return True

    @staticmethod
    def _reaches_in(small: Array, rest: Array) -> bool:
        return reaches_in(_difference(small, rest) > ARM_LEVEL)


def reaches_in(changed: Array) -> bool:
    """Return whether a changed region, shape (H, W) bool, hangs together from the picture's edge.

    >>> table = np.zeros((120, 160), bool)
    >>> table[50:70, 60:90] = True
    >>> reaches_in(table)
    False
    >>> table[50:70, 60:] = True
    >>> reaches_in(table)
    True
    """
    mask = cv2.morphologyEx(changed.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    if mask.mean() > ARM_MOST:
        return False
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=4)
    edge = np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])
    at_edge = set(edge.tolist()) - {0}
    return any(stats[k, cv2.CC_STAT_AREA] > ARM_SHARE * mask.size for k in at_edge)


class Tumbling:
    """Remembers when something moved since the last rest while no arm reached in."""

    def __init__(self) -> None:
        self._rest: Array | None = None
        self._last: Array | None = None
        self._last_s = 0.0
        self._between_s: tuple[float, float] | None = None

    def feed(self, image: Image, time_s: float = 0.0) -> None:
        """Take the next picture, exposed at `time_s`."""
        small = _shrunk(image)
        last, self._last = self._last, small
        last_s, self._last_s = self._last_s, time_s
        if last is None or self._rest is None or not last.shape == self._rest.shape == small.shape:
            return
        change = _difference(small, last)
        moved = change > _beyond_noise(change, NOISE_TIMES, MOTION_LEVEL, MOST_LEVEL)
        if np.count_nonzero(moved) > MOTION_PIXELS:
            changed = _difference(small, self._rest) > ARM_LEVEL
            if not _at_edge(changed | moved) and not reaches_in(changed | moved):
                self._between_s = last_s, time_s

    def end(self, image: Image) -> tuple[float, float] | None:
        """Take the picture of a rest; return between which two something tumbled last before it.

        ``None``: nothing did.
        """
        between_s, self._between_s = self._between_s, None
        self._rest = _shrunk(image)
        return between_s


def _at_edge(changed: Array) -> bool:
    """Tell whether a change touches the edge of the picture: fingers, before the arm is seen."""
    edge = np.concatenate([changed[0], changed[-1], changed[:, 0], changed[:, -1]])
    return bool(np.count_nonzero(edge) > 2)


class Restlessness:
    """Has a camera's picture not come to rest for long (`RESTLESS_S`)? Then people are told so."""

    def __init__(self) -> None:
        self._since_s = self._last_s = -math.inf

    def lasts(self, is_moving: bool, time_s: float) -> bool:
        """Take whether the next picture moves, and its time; return true once for each unrest.

        >>> unrest = Restlessness()
        >>> [unrest.lasts(True, time_s) for time_s in (0.0, 20.0, 40.0, 60.0, 80.0)]
        [False, False, False, True, False]
        """
        has_looked_away, self._last_s = time_s - self._last_s > UNSEEN_S, time_s
        if not is_moving or has_looked_away:
            self._since_s = time_s
        if time_s - self._since_s < RESTLESS_S:
            return False
        self._since_s = math.inf  # until the next rest
        return True


class LongExposure:
    """The mean of the last pictures of a table at rest: most of the noise of a dim room is gone."""

    def __init__(self) -> None:
        self._mean: Array | None = None
        self._count = 0

    @property
    def is_long(self) -> bool:
        """Whether it holds as many pictures as make a difference (`EXPOSURES`)."""
        return self._count >= EXPOSURES

    @property
    def picture(self) -> Image:
        """What was seen, (H, W, 3) uint8; there must have been a picture since `end`."""
        assert self._mean is not None
        return np.rint(self._mean).astype(np.uint8)

    def add(self, image: Image) -> None:
        """Take the next picture of the rest; one of another size begins anew."""
        if self._mean is None or self._mean.shape != image.shape:
            self._mean, self._count = image.astype(np.float32), 1
            return
        self._count += 1
        # Once it is long, older pictures fade out: the light may have been changed.
        cv2.accumulateWeighted(image, self._mean, 1 / min(self._count, EXPOSURES))

    def end(self) -> None:
        """Forget what was seen: something moves."""
        self._mean, self._count = None, 0


class ChangeWatch:
    """Has a still picture changed since it was last read? For what the gate's motion misses."""

    LEVEL = 5.0
    """Levels of change, averaged over a small window, that are worth a new reading."""
    NOISE_TIMES, MOST_LEVEL = 8.0, 10.0
    """In a dim room it is so many times what half of the picture changes; more than the second is
    always worth it, though the whole picture may have changed."""

    def __init__(self) -> None:
        self._told: Array | None = None

    def differs(self, image: Image) -> bool:
        """Return whether a picture differs from the one remembered last (or none is)."""
        seen = _window_means(image)
        if self._told is None or self._told.shape != seen.shape:
            return True
        change = seen - self._told
        # A light that dims everywhere alike is no change.
        change = np.abs(change - np.median(change[::4, ::4], axis=(0, 1)))
        level = _beyond_noise(change, self.NOISE_TIMES, self.LEVEL, self.MOST_LEVEL)
        return bool(change.max() > level)

    def remember(self, image: Image) -> None:
        """Keep a picture as the one that has been read."""
        self._told = _window_means(image)


def _beyond_noise(change: Array, times: float, least: float, most: float) -> float:
    """Return from which level on a change, shape (H, W) or (H, W, 3), is more than noise.

    It is so many times what half of the picture changes, within bounds.
    """
    return float(np.clip(times * np.median(change[::4, ::4]), least, most))


def _window_means(image: Image) -> Array:
    small = cv2.resize(image, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    return cv2.blur(small, (5, 5)).astype(np.float32)


def _shrunk(image: Image) -> Array:
    height, width = image.shape[:2]
    size = (max(8, width // SHRINK), max(8, height // SHRINK))
    # Every other pixel first: averaging all of them would cost more.
    half = ((width + 1) // 2, (height + 1) // 2)
    fewer = cv2.resize(image, half, interpolation=cv2.INTER_NEAREST)
    return cv2.resize(fewer, size, interpolation=cv2.INTER_AREA)


def _difference(one: Array, other: Array) -> Array:
    """Return the largest change of any colour, shape (H, W); a red on a blue may be equally bright.

    A step of the exposure moves all pixels alike and is taken off.
    """
    change = cv2.subtract(one, other, dtype=cv2.CV_16S)
    common = np.median(change[::4, ::4], axis=(0, 1)).astype(np.int16)
    blue, green, red = (
        np.abs(plane - shared) for plane, shared in zip(cv2.split(change), common, strict=True)
    )
    return np.asarray(np.maximum(np.maximum(blue, green), red))
