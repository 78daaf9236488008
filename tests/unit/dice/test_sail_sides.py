"""The sides of a tetrahedron, laid flat, tell what its top corner is worth."""

from __future__ import annotations

import numpy as np
import pytest

from companion.rules.layout import Die
from vision.dice.base import fit_base, seek_base
from vision.dice.floor import BareFloor, SeenFloor
from vision.dice.kinds import KINDS, SIGNS
from vision.dice.sail import SailTeller, side_views
from vision.dice.teller import Odds
from vision.dice.tray import TrayView
from vision.virtual.dice import DiePose, posed_corners_mm


def base_of(turn, edge=20.0, centre=(60.0, 50.0)):
    angles = turn + np.arange(3) * 2 * np.pi / 3
    return np.array(centre) + edge / 3**0.5 * np.stack([np.cos(angles), np.sin(angles)], 1)


@pytest.mark.parametrize("turn", [0.0, 0.4, 1.9])
def test_a_triangle_is_its_own_base(turn):
    base = fit_base(base_of(turn, edge=21.2))
    assert base.centre_mm == pytest.approx([60, 50], abs=0.1)
    assert np.angle(np.exp(3j * (base.turn - turn))) == pytest.approx(0, abs=0.03)
    assert base.edge_mm == pytest.approx(20.0, abs=0.3)
    assert base.misfit_mm < 0.3


def test_a_square_is_no_base():
    square = np.array([[0.0, 0.0], [16, 0], [16, 16], [0, 16]])
    base = fit_base(square)
    assert base.misfit_mm > 2.0 or abs(base.edge_mm - 20) > 3.5


def test_three_sides_are_seen_from_above_and_fewer_from_aside():
    picture = np.zeros((720, 960, 3), np.uint8)
    to_picture = np.diag([3.0, 3.0, 1.0])
    base = fit_base(base_of(0.3))
    above = np.array([60.0, 50.0, 380.0])
    assert len(side_views(picture, to_picture, base, above)) == 3
    assert len(side_views(picture, to_picture, base, np.array([500.0, 50.0, 380.0]))) < 3


def seen(tray, pose, *others):
    """Return what a sail teller is given of a die whose kind is known and whose face is not."""
    view = TrayView((220.0, 160.0), tray.corners_px, (960, 720), float(tray.lens.matrix[0, 0]))
    picture = tray.picture(pose, *others)
    floor = SeenFloor(picture, view, BareFloor(view.rectify(tray.empty())))
    kinds = np.zeros(len(KINDS))
    kinds[KINDS.index("sail")] = 1.0
    pixels = tray.lens.project(posed_corners_mm(pose))
    (x, y), (x1, y1) = pixels.min(axis=0), pixels.max(axis=0)
    box = (float(x), float(y), float(x1 - x), float(y1 - y))
    return floor, box, Odds(kinds, np.full(len(SIGNS), 1 / len(SIGNS)))


@pytest.mark.parametrize("face", [2, 3, 4])
def test_a_sail_is_told_from_its_sides(tray, face):
    odds, base = SailTeller().told(*seen(tray, DiePose("sail", face, 70, 60, 25)))
    assert base is not None
    assert base.centre_mm == pytest.approx([70, 60], abs=0.8)
    told = odds.faces(("sail",))
    assert max(told, key=lambda die: told[die]) == Die("sail", face)
    assert told[Die("sail", face)] > 0.8


@pytest.mark.parametrize("face", [2, 3, 4])
def test_a_sail_that_touches_a_die_is_sought_by_its_edges(tray, face):
    sail, cube = DiePose("sail", face, 70, 60, 25), DiePose("d6", 4, 84, 63, 40)
    floor, box, odds = seen(tray, sail, cube)
    alone = seek_base(floor.rectified, box, floor.view)
    assert alone.centre_mm == pytest.approx([70, 60], abs=0.8)
    told = SailTeller().told(floor, box, odds)[0].faces(("sail",))
    assert max(told, key=lambda die: told[die]) == Die("sail", face)
    assert told[Die("sail", face)] > 0.8


def test_the_bare_floor_is_no_sail(tray):
    floor, box, odds = seen(tray, DiePose("sail", 3, 70, 60, 25))
    empty = tray.empty()
    bare = BareFloor(floor.view.rectify(empty))
    told, _ = SailTeller().told(SeenFloor(empty, floor.view, bare), box, odds)
    assert told.signs.sum() < 0.5


def test_other_dice_are_left_as_they_are(tray):
    floor, box, odds = seen(tray, DiePose("sail", 3, 70, 60, 25))
    cube = Odds(np.roll(odds.kinds, KINDS.index("d6") - KINDS.index("sail")), odds.signs)
    assert SailTeller().told(floor, box, cube) == (cube, None)
