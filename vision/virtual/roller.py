"""A virtual tray that rolls its dice by itself: a camera for tests and for trying things out."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from companion.boards.profile import XY
from companion.errors import CameraUnavailable
from vision.frame import Frame
from vision.virtual.dice import DiePose, render_tray, scatter
from vision.virtual.light import LIGHTS, Noise
from vision.virtual.prints import DICE_SETS
from vision.virtual.scene import TRAY_PX, Scene
from vision.virtual.solids import solid_of
from vision.virtual.tray import empty_tray

TUMBLING, RESTING = 2, 4
"""Pictures of dice that roll, and of dice that lie, in turn."""
_FINER = 1.5
"""A camera that has nothing to look at but the tray shows it so much larger than `TRAY_PX`: a d20's
numbers must be some 18 pixels tall."""


class RollingTray:
    """Takes pictures of dice that are thrown again and again, as `vision.frame.Camera` promises.

    Parameters
    ----------
    kind : str
        Kind of the dice, one of `vision.virtual.solids.SOLID_KINDS`.
    faces : sequence of int
        What is printed on their faces; each is as likely.
    count : int
        Dice thrown at once.
    size_mm : XY
        Inside of the tray.
    seed : int
        Of everything random.

    Raises
    ------
    CameraUnavailable
        For dice that cannot be drawn, here; when they are thrown, for more than the tray has room
        for.
    """

    def __init__(
        self,
        kind: str,
        faces: Sequence[int],
        count: int,
        size_mm: XY,
        seed: int,
    ) -> None:
        self._kind, self._faces, self._count, self._size_mm = kind, faces, count, size_mm
        try:
            for face in faces:
                solid_of(kind).ways(face)
        except ValueError as error:
            raise CameraUnavailable(f"the virtual tray cannot throw a {kind}: {error}") from error
        self._rng = np.random.default_rng(seed)
        self._scene = Scene()
        self._light = LIGHTS[self._scene.light]
        usual = self._scene.tray_lens(size_mm)
        self._lens = replace(
            usual,
            size_px=(round(_FINER * TRAY_PX[0]), round(_FINER * TRAY_PX[1])),
            px_per_mm=_FINER * usual.px_per_mm,
        )
        self.empty = empty_tray(
            self._lens, self._light, size_mm, self._scene.tray_floor, self._scene.table, self._rng
        )
        """The tray without dice."""
        self._noise = Noise(self._lens.size_px, self._scene.noise, self._rng)
        self._dice: tuple[DiePose, ...] = ()
        self._laid = self.empty
        self._frames = TUMBLING + 1
        """Pictures taken, as if there had been a throw before: at first the tray lies empty."""

    @property
    def shown(self) -> tuple[int, ...]:
        """The truth: what the dice show, sorted."""
        return tuple(sorted(die.face for die in self._dice))

    def read(self) -> Frame:
        """Return the next picture; it never ends."""
        if self._frames % (TUMBLING + RESTING) <= TUMBLING:  # the last throw comes to rest
            faces = self._rng.choice(np.array(self._faces), size=self._count)
            thrown = [(self._kind, int(face)) for face in faces]
            try:
                self._dice = scatter(thrown, self._size_mm, self._rng)
            except ValueError as error:
                raise CameraUnavailable(f"{error}: throw fewer, or choose a larger one") from error
            look = DICE_SETS[self._scene.dice_set]
            self._laid = render_tray(self.empty, self._lens, self._light, self._dice, look)
        self._frames += 1
        picture = self._noise.expose(self._laid, self._rng)
        return Frame(f"v{self._frames:06d}", time.monotonic(), picture, picture, "virtual")

    def close(self) -> None:
        """Nothing is held, so nothing is let go."""
