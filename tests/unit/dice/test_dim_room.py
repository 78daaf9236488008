"""In a dim room noise hides what a die shows: a rest is read in several pictures together."""

from __future__ import annotations

import numpy as np
import pytest

from companion.rules.layout import Die
from vision.dice.reader import TrayReader
from vision.dice.rolls import RollWatch
from vision.virtual.dice import DiePose

SIZE_MM = (220.0, 160.0)

LIGHT, NOISE = 0.2, 8.0
FACES = (2, 3, 4, 5)


@pytest.fixture
def shot_in(tray):
    """Return a function that makes one that photographs dice, with other noise each time."""

    def camera(light, levels):
        noise = np.random.default_rng(3)

        def shoot(*dice):
            clean = tray.picture(*dice) if dice else tray.empty()
            seen = clean * np.float32(light) + noise.normal(0, levels, clean.shape)
            return np.clip(seen, 0, 255).astype(np.uint8)

        return shoot

    return camera


def lying(turn_deg):
    places = [(40.0 + 45 * k, 60.0 + 20 * (k % 2)) for k in range(len(FACES))]
    return [
        DiePose("colour", face, *at, turn_deg * k)
        for k, (face, at) in enumerate(zip(FACES, places, strict=True))
    ]


def test_what_noise_hides_in_one_picture_is_told_by_all_of_a_rest(shot_in):
    shot = shot_in(LIGHT, NOISE)
    reader = TrayReader(SIZE_MM, shot())
    watch = RollWatch(lambda picture: reader.read(picture, ("colour",)), len(FACES))
    at_first = reader.read(shot(*lying(25)), ("colour",))
    assert any(die.p < 0.9 for die in at_first)
    assert_told(watch, shot)


def test_a_throw_is_told_though_noise_changes_every_pixel_much(shot_in):
    shot = shot_in(0.8, 20.0)
    reader = TrayReader(SIZE_MM, shot())
    assert_told(RollWatch(lambda picture: reader.read(picture, ("colour",)), len(FACES)), shot)


def assert_told(watch, shot):
    """Throw the dice: they are to be told, once and for sure."""
    for _ in range(4):
        assert watch.feed(shot()) is None
    for turn_deg in (70, 110):
        assert watch.feed(shot(*lying(turn_deg))) is None
    told = [watch.feed(shot(*lying(25))) for _ in range(14)]
    (roll,) = [roll for roll in told if roll is not None]
    assert roll.is_certain
    assert sorted(die.best[0] for die in roll.dice) == [Die("colour", face) for face in FACES]
