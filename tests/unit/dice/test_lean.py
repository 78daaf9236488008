"""Dice seen from the side: the number of the next side is not told for the one on top."""

from __future__ import annotations

import numpy as np
import pytest

from companion.rules.layout import Die
from vision.dice.lean import LeanTeller, together
from vision.dice.reading import DiceReader
from vision.virtual.dice import DiePose, posed_corners_mm

TWENTIES = (
    DiePose("d20", 7, 60, 50, 10),
    DiePose("d20", 18, 110, 80, 100),
    DiePose("d20", 12, 160, 110, 200),
)


def boxes(tray, dice):
    found = []
    for die in dice:
        pixels = tray.lens.project(posed_corners_mm(die))
        (x, y), (x1, y1) = pixels.min(axis=0), pixels.max(axis=0)
        found.append((float(x), float(y), float(x1 - x), float(y1 - y)))
    return found


def test_what_is_told_of_one_die_alone_is_drawn_to_what_is_usual() -> None:
    (lean,), (spread,) = together(np.array([40.0]), np.array([8.0]))
    assert 6 < lean < 40
    assert 2 < spread < 8


def test_more_dice_tell_the_camera_s_tilt_better() -> None:
    one, many = (together(np.full(n, 36.0), np.full(n, 8.0)) for n in (1, 6))
    assert many[0][0] > one[0][0]
    assert many[1][0] < one[1][0]
    odd = together(np.array([10.0, 38.0, 38.0, 38.0]), np.array([9.0, 4.0, 4.0, 4.0]))
    assert odd[0][0] > 20  # it is seen as the others are


@pytest.mark.parametrize("tilt", [0.0, 8.0])
def test_from_above_no_die_is_doubted(make_tray, tilt) -> None:
    tray = make_tray(tray_tilt_deg=tilt)
    picture, places = tray.picture(*TWENTIES), boxes(tray, TWENTIES)
    assert LeanTeller().from_above(picture, places, ["icosahedron"] * 3).tolist() == [1.0] * 3


def test_from_the_side_icosahedra_are_doubted_and_cubes_are_not(make_tray) -> None:
    tray = make_tray(tray_tilt_deg=34.0)
    picture, places = tray.picture(*TWENTIES), boxes(tray, TWENTIES)
    assert max(LeanTeller().from_above(picture, places, ["icosahedron"] * 3)) < 0.75
    assert LeanTeller().from_above(picture, places, ["cube", "", "cube"]).tolist() == [1.0] * 3


def test_what_lies_there_and_is_no_die_says_nothing_of_the_tilt(make_tray) -> None:
    tray = make_tray(tray_tilt_deg=34.0)
    picture, places = tray.picture(*TWENTIES), boxes(tray, TWENTIES)
    teller, beside = LeanTeller(), [(5.0, 5.0, 90.0, 90.0)]
    told = teller.from_above(picture, [*places, *beside], [*["icosahedron"] * 3, ""])
    alone = teller.from_above(picture, places, ["icosahedron"] * 3)
    assert told[:3] == pytest.approx(alone)
    assert told[3] == 1.0


def test_a_picture_from_the_side_is_asked_about_and_not_guessed(make_tray) -> None:
    truth = {Die(die.kind, die.face) for die in TWENTIES}
    reader = DiceReader()
    aside = reader.read(make_tray(tray_tilt_deg=34.0).picture(*TWENTIES), ("d20",))
    assert len(aside) == 3
    assert all(die.p_above < 1 for die in aside)
    assert not any(die.is_answered and die.best[0] not in truth for die in aside)
