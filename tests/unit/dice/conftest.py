"""Rendered trays for the dice tests; nothing is stored."""

from __future__ import annotations

from zlib import crc32

import numpy as np
import pytest

from benchmarks.dice_training.tables import box_of, seen_from
from vision.dice.aspect import Aspect
from vision.dice.reader import TrayReader
from vision.virtual.dice import DICE_SETS, render_tray
from vision.virtual.light import LIGHTS, Noise
from vision.virtual.scene import Scene
from vision.virtual.tray import empty_tray

SIZE_MM = (220.0, 160.0)


class Tray:
    """A virtual tray under a camera that stands still."""

    def __init__(self, scene: Scene, seed: int = 5):
        rng = np.random.default_rng(seed)
        self._seed = seed
        self.scene = scene
        self.lens = scene.tray_lens(SIZE_MM)
        self.light = LIGHTS[scene.light]
        self._bare = empty_tray(self.lens, self.light, SIZE_MM, scene.tray_floor, scene.table, rng)
        self._noise = Noise(self.lens.size_px, scene.noise, rng)
        w, h = SIZE_MM
        self.corners_px = self.lens.project(
            np.array([[0, 0, 0], [w, 0, 0], [w, h, 0], [0, h, 0]], float)
        )

    def _exposed(self, clean, *shown):
        """Expose; what shows the same is the same, whichever tests ran before."""
        rng = np.random.default_rng((self._seed, crc32(repr(shown).encode())))
        return self._noise.expose(clean, rng)

    def empty(self):
        return self._exposed(self._bare)

    def picture(self, *dice):
        look = DICE_SETS[self.scene.dice_set]
        clean = render_tray(self._bare, self.lens, self.light, dice, look)
        return self._exposed(clean, *dice)

    def boxes(self, dice):
        return [box_of(die, self.lens) for die in dice]

    def leans_deg(self, dice):
        """Return how dice that lie flat are seen (N, 2): up is where what stands upright leads."""
        far, up = np.array([seen_from(die, self.lens) for die in dice]).T
        return far[:, None] * np.stack([np.cos(np.radians(up)), np.sin(np.radians(up))], axis=1)

    def aspect(self, dice):
        """Return how dice are seen by who knows the tray; their tops are in the middle."""
        boxes = self.boxes(dice)
        return Aspect(1.0, boxes, boxes, self.leans_deg(dice))


@pytest.fixture(scope="session")
def make_tray():
    return lambda **scene: Tray(Scene(**{"dice_set": 1, **scene}))


@pytest.fixture(scope="session")
def tray(make_tray):
    return make_tray()


@pytest.fixture(scope="session")
def reader(tray):
    return TrayReader(SIZE_MM, tray.empty())


@pytest.fixture
def count_looks(monkeypatch):
    """Return what makes a teller of one network count how many crops that is shown."""

    def counted(teller):
        network, shown = teller._network, list[int]()

        def told(crops):
            shown.append(len(crops))
            return type(network).told(network, crops)

        monkeypatch.setattr(network, "told", told)
        return lambda: sum(shown)

    return counted
