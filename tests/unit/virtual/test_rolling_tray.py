"""The virtual tray that rolls its dice by itself."""

from __future__ import annotations

import pytest

from companion.errors import CameraUnavailable
from vision.dice.legible import NEEDED_PX, sign_px
from vision.settling import SettlingGate, Stillness
from vision.virtual.dice import posed_corners_mm
from vision.virtual.roller import RESTING, TUMBLING, RollingTray


def test_its_camera_shows_the_numbers_of_a_d20_large_enough():
    tray = RollingTray("d20", range(1, 21), 6, (220.0, 160.0), 3)
    while not tray.shown:
        picture = tray.read().board
    assert picture.shape == tray.empty.shape
    for die in tray._dice:
        pixels = tray._lens.project(posed_corners_mm(die))
        width, height = pixels.max(axis=0) - pixels.min(axis=0)
        assert sign_px("d20", (0.0, 0.0, width, height)) > NEEDED_PX


def test_it_throws_again_after_the_dice_have_lain():
    tray = RollingTray("d6", range(1, 7), 6, (220.0, 160.0), 3)
    shown = []
    for _ in range(RESTING - 1):
        tray.read()  # it lies empty
    for _ in range(2 * (TUMBLING + RESTING)):
        tray.read()
        shown.append(tray.shown)
    rests = shown[TUMBLING : TUMBLING + RESTING], shown[2 * TUMBLING + RESTING :]
    assert all(len(set(rest)) == 1 for rest in rests)
    assert rests[0][0] != rests[1][0]


def test_more_dice_than_there_is_room_for_are_said() -> None:
    tray = RollingTray("d6", (1, 2, 3, 4, 5, 6), 90, (220.0, 160.0), 1)
    for _ in range(RESTING - 1):
        tray.read()
    with pytest.raises(CameraUnavailable, match="in the tray: throw fewer, or choose a larger"):
        tray.read()


def test_it_lies_empty_long_enough_to_be_seen_so() -> None:
    tray, gate = RollingTray("d6", range(1, 7), 2, (220.0, 160.0), 1), SettlingGate()
    stills = []
    while True:
        frame = tray.read()
        if tray.shown:
            break
        stills.append(gate.feed(frame.board))
    assert stills[-1] is Stillness.REST


def test_a_die_that_cannot_be_drawn_is_said_at_once() -> None:
    for kind, faces in (("gem", (1,)), ("d6", (7,))):
        with pytest.raises(CameraUnavailable, match=f"cannot throw a {kind}"):
            RollingTray(kind, faces, 1, (220.0, 160.0), 1)
