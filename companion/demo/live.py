"""The demo in real time: the virtual table plays, phones follow."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from companion.demo.captains import Captains
from companion.demo.evening import Evening
from companion.demo.phone import HttpPhone
from companion.table.snapshot import Snapshot
from vision.frame import Camera, Frame

PICTURES_PER_S = 10.0


class Paced:
    """A camera that takes its time, as real ones do."""

    def __init__(self, camera: Camera, per_s: float = PICTURES_PER_S) -> None:
        self._camera, self._period_s = camera, 1 / per_s
        self._next_s = time.monotonic()

    def read(self) -> Frame | None:
        """Return the next frame when it is due."""
        now = time.monotonic()
        time.sleep(max(0.0, self._next_s - now))
        self._next_s = max(now, self._next_s) + self._period_s
        return self._camera.read()

    def close(self) -> None:
        """Let the camera go."""
        self._camera.close()


class Teller:
    """Prints the log of a game as it grows; a listener of the table."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._told = 0
        self._question: int | None = None

    def __call__(self, snapshot: Snapshot) -> None:
        """Tell what is new."""
        for entry in snapshot.log:
            if entry.seq > self._told:
                sure = "" if entry.p is None else f"  ({entry.p:.0%} sure)"
                self._say(f"  {entry.text}{sure}")
                for consequence in entry.consequences:
                    self._say(f"      {consequence}")
                self._told = entry.seq
        question = snapshot.question
        if question is not None and question.id != self._question:
            self._question = question.id
            self._say(f"  ? {question.text}")


class LiveCaptains:
    """Captains playing in a thread of their own, at a pace that can be watched."""

    def __init__(self, evening: Evening, address: str, pace_s: float) -> None:
        self._evening, self._address, self._pace_s = evening, address, pace_s
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._play, name="captains", daemon=True)
        self.failure: Exception | None = None
        """Why the captains gave up; ``None`` while all is well."""
        self.over = threading.Event()

    def start(self) -> None:
        """Sit down and play."""
        self._thread.start()

    def stop(self) -> None:
        """Leave the table; a game in play stays in the ledger."""
        self._stopping.set()
        self._thread.join(10)

    def _play(self) -> None:
        try:
            self._play_on(self._evening.captains(lambda: HttpPhone(self._address), self._breathe))
        except Exception as error:  # noqa: BLE001 - raised anew where the game's end is awaited
            self.failure = error
        finally:
            self.over.set()

    def _play_on(self, captains: Captains) -> None:
        while not captains.is_over and not self._stopping.is_set():
            captains.step()

    def _breathe(self) -> None:
        self._stopping.wait(self._pace_s)
