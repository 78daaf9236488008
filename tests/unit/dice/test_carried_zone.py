"""A zone of the picture is a place on the table, which a moved camera sees elsewhere."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.dice.zone import LEAST_LEFT, carried, in_picture
from vision.registration import BoardFit

STRAIGHT = BoardFit(
    focal_px=1200.0,
    radial=-0.03,
    rotation=np.array([0.05, 0.0, 0.02]),
    translation_mm=np.array([-330.0, -220.0, 900.0]),
    size_px=(1280, 960),
    error_mm=0.1,
    seen={},
)
BUMPED = replace(
    STRAIGHT,
    rotation=np.array([0.09, -0.03, 0.06]),
    translation_mm=np.array([-360.0, -190.0, 905.0]),
)
ZONE = (0.7, 0.5, 0.95, 0.9)


def test_a_camera_that_stands_still_keeps_its_zone() -> None:
    assert carried(ZONE, STRAIGHT, STRAIGHT) == pytest.approx(ZONE, abs=1e-4)


def test_what_was_in_the_zone_is_in_the_carried_one() -> None:
    rng = np.random.default_rng(3)
    seen = rng.uniform(ZONE[:2], ZONE[2:], (200, 2)) * STRAIGHT.size_px - 0.5
    now = (BUMPED.project(STRAIGHT.to_board(seen)) + 0.5) / BUMPED.size_px
    left, top, right, bottom = carried(ZONE, STRAIGHT, BUMPED)
    assert (now > (left, top)).all()
    assert (now < (right, bottom)).all()
    assert not ((now > ZONE[:2]) & (now < ZONE[2:])).all(), "else nothing had to be carried"
    assert (right - left) * (bottom - top) < 1.5 * 0.25 * 0.4, "it is no larger than it must be"


def test_a_camera_that_is_pushed_aside_shifts_the_zone_by_so_much() -> None:
    flat = replace(STRAIGHT, radial=0.0, rotation=np.zeros(3))
    pushed = replace(flat, translation_mm=flat.translation_mm + np.array([-90, 45, 0]))
    dx, dy = -90 * 1200 / 900 / 1280, 45 * 1200 / 900 / 960
    shifted = (ZONE[0] + dx, ZONE[1] + dy, ZONE[2] + dx, ZONE[3] + dy)
    assert carried(ZONE, flat, pushed) == pytest.approx(shifted, abs=1e-6)


def test_a_zone_that_reaches_out_is_cut_as_long_as_most_is_left() -> None:
    assert in_picture((-0.1, 0.2, 0.3, 0.6)) == (0.0, 0.2, 0.3, 0.6)
    width = 0.4
    just = 1 - width * LEAST_LEFT
    assert in_picture((just - 0.001, 0.2, just + width, 0.6)) is not None
    assert in_picture((just + 0.001, 0.2, just + width, 0.6)) is None
    assert in_picture((1.1, 1.1, 1.3, 1.3)) is None, "two sides that are out make no area"
