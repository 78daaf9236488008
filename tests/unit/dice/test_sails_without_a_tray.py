"""Tetrahedra where no tray tells how the camera stands: the table under each is made up for it."""

from __future__ import annotations

import numpy as np
import pytest

from companion.rules.layout import Die
from vision.dice.no_tray import SIDE_MM, table_under
from vision.dice.reading import DiceReader
from vision.virtual.dice import DiePose

PICTURE_PX = (960, 720)
MIDDLE_MM = np.array([[SIDE_MM / 2, SIDE_MM / 2, 0.0]])


@pytest.fixture(scope="module")
def dice_reader():
    return DiceReader()


@pytest.mark.parametrize("lean_deg", [(0.0, 0.0), (25.0, 0.0), (-10.0, 30.0), (0.0, -40.0)])
@pytest.mark.parametrize("corner", [(430, 310), (60, 40), (820, 600)])
def test_the_table_is_seen_as_the_die_is_said_to_be(corner, lean_deg):
    table = table_under((*corner, 100, 90), lean_deg, PICTURE_PX)
    assert table.leans_deg(MIDDLE_MM)[0] == pytest.approx(lean_deg, abs=0.3)
    assert table.project(MIDDLE_MM)[0] == pytest.approx([corner[0] + 50, corner[1] + 45], abs=0.5)
    upright = table_under((*corner, 100, 90), (0.0, 0.0), PICTURE_PX)
    far, near = (np.linalg.norm(t.camera_mm - MIDDLE_MM[0]) for t in (table, upright))
    assert far == pytest.approx(near, rel=0.01)


def test_on_the_table_a_tetrahedron_is_about_as_large_as_its_box():
    table = table_under((430, 310, 100, 90), (0.0, 0.0), PICTURE_PX)
    left, right = table.project(MIDDLE_MM + np.array([[-10, 0, 0], [10, 0, 0]]))
    assert 95 < right[0] - left[0] < 115


@pytest.mark.parametrize(("kind", "faces"), [("sail", (2, 3, 4)), ("d4", (1, 2, 4))])
@pytest.mark.parametrize("tilt", [0, 20])
def test_they_are_told_in_any_picture(make_tray, dice_reader, kind, faces, tilt):
    places = zip(faces, ((60, 70, 20), (110, 95, 75), (165, 60, 140)), strict=True)
    poses = [DiePose(kind, face, *place) for face, place in places]
    seen = dice_reader.read(make_tray(tray_tilt_deg=tilt).picture(*poses), (kind,))
    assert [die.best[0] for die in seen if die.is_answered] == [Die(kind, face) for face in faces]


def test_one_that_leans_on_its_edge_is_asked_about(tray, dice_reader):
    poses = [DiePose("sail", 2, 60, 70, 20), DiePose("sail", 4, 150, 80, 75, lean_deg=35)]
    flat, leaning = dice_reader.read(tray.picture(*poses), ("sail",))
    assert flat.is_answered
    assert not leaning.is_answered
