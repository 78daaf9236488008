"""What training pictures are drawn with: floors, and lamps that dice mirror."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.dice_training.brush import draw_floor
from benchmarks.dice_training.cubes import Lamp
from benchmarks.dice_training.eye import Eye

SEEDS = range(6)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_floor_has_about_the_colour_that_is_asked_for(seed):
    brown = np.array([38.0, 62, 104])
    floor = draw_floor(np.random.default_rng(seed), 200, sheets=False, base=brown)
    assert np.allclose(np.median(floor, axis=(0, 1)), brown, rtol=0.35)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_lies_level_mirrors_a_ring_around_the_camera(seed):
    rng = np.random.default_rng(seed)
    eye = Eye.random(rng, 352)
    lamp = Lamp.around_camera(rng, eye.place)
    seen_from = -eye.place / np.linalg.norm(eye.place)
    back = seen_from * [1, 1, -1]  # as a level top throws the look back
    assert back @ lamp.way > np.cos(np.radians(15))
    aside = np.cross(lamp.way, [0.3, 1.0, 0.1])
    rim = lamp.way + lamp.wide * aside / np.linalg.norm(aside)
    assert lamp.mirrored(lamp.way[None], 0.02) == pytest.approx(0)
    assert lamp.mirrored(rim[None] / np.linalg.norm(rim), 0.02) > 0.5 * lamp.glow
