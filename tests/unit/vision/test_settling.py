from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.settling import (
    ARM_PATIENCE,
    EXPOSURES,
    ChangeWatch,
    LongExposure,
    Restlessness,
    SettlingGate,
    Stillness,
    Tumbling,
)


@pytest.fixture
def table():
    rng = np.random.default_rng(3)
    rough = rng.integers(60, 160, (60, 80, 3)).astype(np.uint8)
    return cv2.resize(rough, (1280, 960), interpolation=cv2.INTER_CUBIC)


def noisy(image, seed):
    noise = np.random.default_rng(seed).integers(0, 9, (120, 160, 3), np.uint8)
    return cv2.add(image, np.tile(noise, (8, 8, 1))[: image.shape[0], : image.shape[1]])


def with_box(image, x, y, w, h, colour=(90, 120, 190)):
    changed = image.copy()
    cv2.rectangle(changed, (x, y), (x + w, y + h), colour, -1)
    return changed


def settle(gate, image, count=3, start=0):
    return [gate.feed(noisy(image, start + k)) for k in range(count)]


def test_a_still_table_comes_to_rest_and_noise_does_not_wake_it(table):
    states = settle(SettlingGate(), table, 10)
    assert states[:2] == [Stillness.MOVING] * 2
    assert states[2:] == [Stillness.REST] * 8


def in_a_dim_room(image, seed):
    """Return a picture with noise of 18 levels in every pixel."""
    noise = np.random.default_rng(seed).normal(0, 18, image.shape)
    return np.clip(image + noise, 0, 255).astype(np.uint8)


def test_in_a_dim_room_a_table_comes_to_rest_and_a_ship_that_moves_wakes_it(table):
    gate = SettlingGate()
    states = [gate.feed(in_a_dim_room(table, k)) for k in range(8)]
    assert states[2:] == [Stillness.REST] * 6
    moved = with_box(table, 600, 400, 60, 30, (0, 0, 0))
    assert gate.feed(in_a_dim_room(moved, 8)) is Stillness.MOVING
    assert gate.feed(in_a_dim_room(table, 9)) is Stillness.MOVING


def test_an_arm_that_fills_most_of_the_picture_is_motion(table):
    gate = SettlingGate()
    settle(gate, table)
    rough = np.random.default_rng(9).integers(0, 256, (24, 32, 3)).astype(np.uint8)
    arm = cv2.resize(rough, (1100, 960), interpolation=cv2.INTER_CUBIC)
    for shift in (0, 40):
        picture = table.copy()
        picture[:, shift : shift + 1100] = arm
        assert gate.feed(picture) is Stillness.MOVING


def test_a_moving_ship_is_motion(table):
    gate = SettlingGate()
    settle(gate, table)
    assert gate.feed(with_box(table, 600, 400, 60, 30, (0, 0, 0))) is Stillness.MOVING
    assert gate.feed(with_box(table, 680, 400, 60, 30, (0, 0, 0))) is Stillness.MOVING


def test_a_still_arm_from_the_edge_is_a_hand_until_it_is_gone(table):
    gate = SettlingGate()
    settle(gate, table)
    arm = with_box(table, 700, 400, 579, 120, (200, 220, 250))
    assert settle(gate, arm, 6)[-4:] == [Stillness.HAND] * 4
    assert settle(gate, table, 4)[-1] is Stillness.REST


def test_a_covered_lens_is_no_arm_nor_is_what_is_seen_when_it_is_uncovered(table):
    gate = SettlingGate()
    table[:, :300] = 240
    settle(gate, table)
    black = np.full_like(table, 3)
    assert settle(gate, black, 5)[2:] == [Stillness.REST] * 3
    gate.forget_rest()
    assert settle(gate, table, 5)[2:] == [Stillness.REST] * 3


def test_a_ship_put_down_is_no_hand(table):
    gate = SettlingGate()
    settle(gate, table)
    assert settle(gate, with_box(table, 600, 400, 60, 30, (0, 0, 0)), 4)[-1] is Stillness.REST


def test_what_lies_on_the_edge_for_long_is_no_hand_any_more(table):
    gate = SettlingGate()
    settle(gate, table)
    napkin = with_box(table, 900, 0, 200, 200, (250, 250, 250))
    states = settle(gate, napkin, ARM_PATIENCE + 3)
    assert Stillness.HAND in states
    assert states[-1] is Stillness.REST


def test_an_arm_that_has_rested_in_the_picture_may_be_taken_away_again_and_again(table):
    """Its absence was taken for another arm, for as long."""
    gate = SettlingGate()
    settle(gate, table)
    arm = with_box(table, 700, 400, 579, 120, (200, 220, 250))
    for _ in range(2):
        states = settle(gate, arm, ARM_PATIENCE + 3)
        assert states[2:-4] == [Stillness.HAND] * (len(states) - 6)
        assert states[-1] is Stillness.REST
        assert settle(gate, table, 4)[-2:] == [Stillness.REST] * 2
    other = with_box(table, 0, 600, 500, 130, (200, 220, 250))
    assert settle(gate, other, 4)[-1] is Stillness.HAND


def test_a_dimmed_lamp_is_neither_motion_for_long_nor_a_hand(table):
    gate = SettlingGate()
    settle(gate, table)
    dim = (table * 0.6).astype(np.uint8)
    assert settle(gate, dim, 5)[-1] is Stillness.REST


def test_a_picture_of_another_size_starts_anew(table):
    gate = SettlingGate()
    settle(gate, table)
    assert gate.feed(table[:480, :640]) is Stillness.MOVING


def test_change_watch_sees_a_ship_but_no_noise(table):
    watch = ChangeWatch()
    assert watch.differs(table)
    watch.remember(noisy(table, 1))
    assert not watch.differs(noisy(table, 2))
    assert watch.differs(with_box(table, 600, 400, 45, 20, (0, 0, 0)))


def test_in_a_dim_room_nothing_is_read_anew_until_something_lies_there(table):
    watch = ChangeWatch()
    watch.remember(in_a_dim_room(table, 1))
    assert not any(watch.differs(in_a_dim_room(table, k)) for k in range(2, 8))
    assert watch.differs(in_a_dim_room(with_box(table, 600, 400, 45, 20, (0, 0, 0)), 8))


def test_a_table_all_of_which_is_another_is_read_anew(table):
    watch = ChangeWatch()
    watch.remember(table)
    assert watch.differs(table[::-1])


def test_no_unrest_is_told_of_a_minute_in_which_nobody_looked():
    unrest = Restlessness()
    assert not any(unrest.lasts(True, time_s) for time_s in (0, 10, 100, 110, 120, 130, 140, 150))
    assert unrest.lasts(True, 160)


def test_unrest_begins_anew_after_a_rest():
    unrest = Restlessness()
    assert not any(unrest.lasts(time_s != 50, time_s) for time_s in range(0, 110, 10))
    assert unrest.lasts(True, 110)
    assert not any(unrest.lasts(True, time_s) for time_s in range(120, 200, 10))


def test_a_long_exposure_shows_what_noise_hides(table):
    noise, exposure = np.random.default_rng(8), LongExposure()
    off = []
    for _ in range(EXPOSURES):
        assert not exposure.is_long
        seen = np.clip(table + noise.normal(0, 10, table.shape), 0, 255).astype(np.uint8)
        exposure.add(seen)
        off.append(float((exposure.picture - table.astype(float)).std()))
    assert exposure.is_long
    assert off[-1] < 1.1 * off[0] / np.sqrt(EXPOSURES)


def test_a_long_exposure_is_one_picture_at_first_and_follows_the_light(table):
    exposure = LongExposure()
    exposure.add(table)
    assert (exposure.picture == table).all()
    bright = cv2.add(table, np.full_like(table, 60))
    for _ in range(4 * EXPOSURES):
        exposure.add(bright)
    assert np.abs(exposure.picture - bright.astype(float)).max() < 2
    exposure.add(table[:100])  # the tray's zone is another one now
    assert (exposure.picture == table[:100]).all()
    exposure.end()
    assert not exposure.is_long


def test_tumbling_is_told_by_the_two_pictures_between_which_it_was_seen_last():
    def tray(x):
        picture = np.full((480, 640, 3), 60, np.uint8)
        picture[200:260, x : x + 60] = 220
        return picture

    tumbling = Tumbling()
    tumbling.feed(tray(100), 1.0)
    assert tumbling.end(tray(100)) is None
    for second, x in enumerate((100, 180, 300, 300, 300), 2):
        tumbling.feed(tray(x), float(second))
    assert tumbling.end(tray(300)) == (3.0, 4.0)
    tumbling.feed(tray(300), 9.0)
    assert tumbling.end(tray(300)) is None
