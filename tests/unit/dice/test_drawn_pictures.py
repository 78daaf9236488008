"""What training pictures are drawn with: floors, and lamps that dice mirror."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.dice_training.brush import draw_floor
from benchmarks.dice_training.cubes import Lamp
from benchmarks.dice_training.eye import Eye
from benchmarks.dice_training.solids import make_solid, rolled_again

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


def test_a_die_that_is_rolled_again_shows_another_of_its_numbers_and_lies_on_the_floor():
    rng = np.random.default_rng(5)
    die, shown = make_solid("d12", rng), set()
    for _ in range(60):
        again = rolled_again(die, rng)
        top = max(again.sides, key=lambda side: side.normal[2])
        assert top.normal[2] == pytest.approx(1)
        assert top.prints[0].text.rstrip("._") == str(again.face)
        assert again.corners[:, 2].min() == pytest.approx(0)
        assert again.is_told
        shown.add(again.face)
    assert shown > {1, 2, 12}
    cocked = rolled_again(die, rng, tilt_deg=25.0)
    assert np.degrees(np.arccos(cocked.up[2])) == pytest.approx(25)
    assert not cocked.is_told
