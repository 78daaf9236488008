"""Keeps the ring saying what the table is about, about twenty times a second."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from companion.errors import HardwareError
from companion.table.ring import DARK, NORTH, RGB, dimmed, ring_colours, ring_sign
from companion.table.snapshot import Snapshot
from hardware.ring import Ring

_LOG = logging.getLogger(__name__)

PERIOD_S = 0.05
DIM = 0.08
"""Share of brightness left while a picture is taken."""
NORTH_S = 12.0
"""So long the ring points north for who is turning it."""
_JOIN_S = 2.0


class RingDriver:
    """A small thread between the table's snapshots and the lamps.

    ``table.subscribe(driver.show)`` feeds it; `tick` lights the lamps once and is all that the
    thread does. A ring that fails, with whatever error, is left alone from then on, and `failure`
    says why: lamps never disturb a game.

    Parameters
    ----------
    ring : closed together with the driver.
    clock : monotonic seconds.
    on_failure : told once, in whatever thread lit the lamps, why they stay dark.
    """

    def __init__(
        self,
        ring: Ring,
        clock: Callable[[], float] = time.monotonic,
        on_failure: Callable[[str], None] = lambda text: None,
    ) -> None:
        self._ring = ring
        self._clock = clock
        self._on_failure = on_failure
        self._lock = threading.Lock()
        """Of what is to be shown."""
        self._lighting = threading.Lock()
        """Held while the lamps are lit, which may take long: whoever has news does not wait."""
        self._sign = DARK
        self._since_s = clock()
        self._north_until_s = self._since_s
        self._exposures = 0
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self.failure = ""
        """Why the lamps stay dark; empty while they work."""

    def start(self) -> None:
        """Begin to light the lamps; a second call does nothing."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="ring", daemon=True)
            self._thread.start()

    def show(self, snapshot: Snapshot) -> None:
        """Take the newest snapshot; returns at once."""
        sign = ring_sign(snapshot)
        with self._lock:
            if sign != self._sign:
                self._sign, self._since_s = sign, self._clock()

    def point_north(self) -> None:
        """Point north for `NORTH_S`, whatever the table is about; returns at once.

        Raises `HardwareError` if the lamps have failed.
        """
        if self.failure:
            raise HardwareError(self.failure)
        with self._lock:
            self._north_until_s = self._clock() + NORTH_S

    @contextmanager
    def dark_enough(self) -> Iterator[None]:
        """Keep the lamps dim while a picture is taken; they are dim when the body begins."""
        with self._lock:
            self._exposures += 1
        try:
            self.tick()
            yield
        finally:
            with self._lock:
                self._exposures -= 1

    def tick(self) -> None:
        """Light the lamps as they should be now; a closed ring stays dark."""
        with self._lighting:  # all the time, so that no bright frame overtakes a dim one
            if self.failure or self._stopping.is_set() or self._ring.leds == 0:
                return
            with self._lock:
                colours = self._colours()
            try:
                self._ring.show(colours)
                return
            except Exception as error:  # noqa: BLE001 - gpiozero, lgpio, a terminal: each its own
                self.failure = f"It stopped working ({error}); the game goes on without it."
                _LOG.warning("LED ring: %s", self.failure)
        # Without the lock: who is told may show the driver a new snapshot at once.
        self._on_failure(self.failure)

    def close(self) -> None:
        """End the thread, darken the lamps unless they hang; may be called twice."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(_JOIN_S)
            self._thread = None
        if not self._lighting.acquire(timeout=_JOIN_S):  # some thread is lighting them for good
            _LOG.warning("the LED ring did not close: it hangs")
            return
        try:
            self._ring.close()
        except Exception as error:  # noqa: BLE001 - as in `tick`
            _LOG.warning("the LED ring did not close: %s", error)
        finally:
            self._lighting.release()

    def _colours(self) -> tuple[RGB, ...]:
        now_s = self._clock()
        sign = NORTH if now_s < self._north_until_s else self._sign
        colours = ring_colours(sign, self._ring.leds, now_s - self._since_s)
        return dimmed(colours, DIM) if self._exposures else colours

    def _run(self) -> None:
        while not self._stopping.wait(PERIOD_S):
            self.tick()
