"""A dim ring for the pictures that are read."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack


class Shade:
    """Dims the ring for the pictures that are read, and lets it shine again afterwards.

    It stays dim for a few frames at least: the change of light itself may look like motion, and
    must not end what it was made for. Where nothing can be read it shines again after a while.

    Parameters
    ----------
    dark_enough : callable, optional
        Returns a context in which the ring is dim (`hardware.ring_driver.RingDriver.dark_enough`);
        without it there is no ring.
    """

    FRAMES = 6
    MOST_FRAMES = 40
    """Dim ones before one reading."""

    def __init__(
        self, dark_enough: Callable[[], AbstractContextManager[None]] | None = None
    ) -> None:
        self._dark_enough = dark_enough
        self._dimmed = ExitStack()
        self._left = 0
        self._waited = 0
        self._since_s = -math.inf
        """When it was dimmed last, monotonic seconds."""

    def follow(self, is_about_to_read: bool) -> None:
        """Dim or not, before the next frame is taken."""
        if self._dark_enough is None:
            return
        self._waited = self._waited + 1 if is_about_to_read else 0
        is_wanted = 0 < self._waited <= self.MOST_FRAMES
        if is_wanted and not self._left:
            self._dimmed.enter_context(self._dark_enough())
            self._left, self._since_s = self.FRAMES, time.monotonic()
        elif self._left and not is_wanted:
            self._left -= 1
            if not self._left:
                self._dimmed.close()

    def is_too_late_for(self, exposed_s: float) -> bool:
        """Whether the ring is dim, but was not yet when a picture was exposed (`Frame.time_s`).

        picamera2 keeps the last pictures for whoever asks next.
        """
        return bool(self._left) and exposed_s < self._since_s

    def close(self) -> None:
        """Let the ring shine."""
        self._left = 0
        self._dimmed.close()
