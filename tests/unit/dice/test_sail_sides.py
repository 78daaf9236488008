"""The sides of a tetrahedron, laid flat, tell what its top corner is worth."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.rules.layout import Die
from vision.dice import tetrahedron_tops
from vision.dice.floor import SeenFloor
from vision.dice.kinds import KINDS, SIGNS
from vision.dice.teller import Odds
from vision.dice.tetrahedra import Base, corners_mm, seek_bases
from vision.dice.tetrahedron_tops import TetrahedronTeller, side_views
from vision.dice.tray import TrayView
from vision.virtual.dice import DiePose, posed_corners_mm

SAIL = DiePose("sail", 3, 70, 60, 25)
CUBE = DiePose("d6", 4, 87, 64, 40)


def seen(tray, pose, *others, hidden=()):
    """Return what a sail teller is given of a die whose kind is known and whose face is not."""
    view = TrayView((220.0, 160.0), tray.corners_px, (960, 720), float(tray.lens.matrix[0, 0]))
    picture = tray.picture(pose, *others)
    for place, radius_px in hidden:
        at = tray.lens.project(np.array([place]))[0]
        cv2.circle(picture, tuple(int(v) for v in np.round(at)), radius_px, (90, 90, 90), -1)
    kinds = np.zeros(len(KINDS))
    kinds[KINDS.index("sail")] = 1.0
    pixels = tray.lens.project(posed_corners_mm(pose))
    (x, y), (x1, y1) = pixels.min(axis=0), pixels.max(axis=0)
    box = (float(x), float(y), float(x1 - x), float(y1 - y))
    return SeenFloor(picture, view), box, Odds(kinds, np.full(len(SIGNS), 1 / len(SIGNS)))


def likeliest(odds, expect=("sail",)):
    told = odds.faces(expect)
    die = max(told, key=lambda die: told[die])
    return die, told[die]


def test_a_tetrahedron_has_edges_of_one_length():
    corners = corners_mm(Base(np.array([60.0, 50.0]), 0.4))
    apart = np.linalg.norm(corners[:, None] - corners[None], axis=2)
    assert apart[np.triu_indices(4, 1)] == pytest.approx(20)
    assert corners[3] == pytest.approx([60, 50, 16.33], abs=0.01)


@pytest.mark.parametrize("others", [(), (CUBE,)], ids=["alone", "touching"])
def test_where_a_sail_stands_is_sought_by_its_edges(tray, others):
    floor, box, _ = seen(tray, SAIL, *others)
    base = next(seek_bases(floor, box))
    assert base.centre_mm == pytest.approx([70, 60], abs=0.8)
    away = corners_mm(base)[:, None, :2] - posed_corners_mm(SAIL)[None, :, :2]
    assert np.linalg.norm(away, axis=2).min(axis=0).max() < 1.5


def test_a_box_that_is_off_does_not_hide_where_a_sail_stands(tray):
    floor, (x, y, width, height), _ = seen(tray, SAIL)
    base = next(seek_bases(floor, (x + 6, y - 8, width, 0.7 * height)))
    assert base.centre_mm == pytest.approx([70, 60], abs=0.8)


def test_bases_to_choose_from_differ(tray):
    floor, box, _ = seen(tray, SAIL)
    bases = seek_bases(floor, box)
    one, other = next(bases), next(bases)
    turned = abs(np.angle(np.exp(3j * (one.turn - other.turn)))) / 3
    assert np.linalg.norm(one.centre_mm - other.centre_mm) > 0.5 or turned > 0.05


def test_three_corners_of_three_sides_are_seen_from_above_and_fewer_from_aside():
    picture = np.zeros((720, 960, 3), np.uint8)
    to_picture, base = np.diag([3.0, 3.0, 1.0]), Base(np.array([60.0, 50.0]), 0.3)
    camera = np.array([60.0, 50.0, 380.0])
    above = side_views(picture, to_picture, base, camera)
    assert sorted(corner for corner, _ in above) == [0, 0, 1, 1, 2, 2, 3, 3, 3]
    assert [c for c, _ in side_views(picture, to_picture, base, camera, (3,))] == [3, 3, 3]
    assert len(side_views(picture, to_picture, base, np.array([500.0, 50.0, 380.0]))) < 9


@pytest.mark.parametrize("others", [(), (CUBE,)], ids=["alone", "touching"])
@pytest.mark.parametrize("face", [2, 3, 4])
def test_a_sail_is_told_from_its_sides(tray, face, others):
    odds, base = TetrahedronTeller().told(*seen(tray, DiePose("sail", face, 70, 60, 25), *others))
    assert base is not None
    assert base.centre_mm == pytest.approx([70, 60], abs=0.8)
    die, probability = likeliest(odds)
    assert die == Die("sail", face)
    assert probability > 0.9


@pytest.mark.parametrize("face", [2, 3, 4])
def test_what_is_not_at_the_foot_is_on_top(tray, face):
    """Of 2, 3, 3 and 4 three are read at the foot where a reflection hides the top."""
    top = (70.0, 60.0, -16.33)
    odds, _ = TetrahedronTeller().told(
        *seen(tray, DiePose("sail", face, 70, 60, 25), hidden=[(top, 12)])
    )
    assert likeliest(odds)[0] == Die("sail", face)


@pytest.mark.parametrize("others", [(), (CUBE,)], ids=["alone", "touching"])
@pytest.mark.parametrize("face", [1, 2, 3, 4])
def test_a_d4_is_told_from_its_sides(tray, face, others):
    odds, _ = TetrahedronTeller().told(
        *seen(tray, DiePose("d4", face, 70, 60, 25), *others), ("d4",)
    )
    die, probability = likeliest(odds, ("d4",))
    assert die == Die("d4", face)
    assert probability > 0.9


def test_what_is_not_plain_is_read_once_more_from_places_beside(tray, monkeypatch):
    looked_at = []

    def views(picture, to_picture, base, camera_mm, which):
        looked_at.append((base.centre_mm, tuple(which)))
        return side_views(picture, to_picture, base, camera_mm, which)

    monkeypatch.setattr(tetrahedron_tops, "side_views", views)
    floor, box, odds = seen(tray, SAIL)
    TetrahedronTeller().told(floor, box, odds, ("sail",))
    assert [which for _, which in looked_at] == [(3,)]
    looked_at.clear()
    TetrahedronTeller().told(SeenFloor(tray.empty(), floor.view), box, odds, ("sail",))
    beside = [centre for centre, which in looked_at if len(which) == 4]
    assert len(beside) == 8
    apart = [min(np.hypot(*(a - b)) for b, which in looked_at if which == (3,)) for a in beside]
    assert apart == pytest.approx([0.55] * 8)


@pytest.mark.parametrize("kind", ["sail", "d4"])
def test_a_sail_and_a_d4_are_told_apart_by_their_corners(tray, kind):
    told, _ = TetrahedronTeller().told(*seen(tray, DiePose(kind, 2, 70, 60, 25)), None)
    assert told.kinds[KINDS.index(kind)] > 0.8


@pytest.mark.parametrize("face", [2, 3, 4])
def test_a_sail_that_is_called_a_d4_is_told_as_one(tray, face):
    """Its corners, two of which are 3, are no reason not to."""
    odds, _ = TetrahedronTeller().told(*seen(tray, DiePose("sail", face, 70, 60, 25)), ("d4", "d6"))
    die, probability = likeliest(odds, ("d4", "d6"))
    assert die == Die("d4", face)
    assert probability > 0.9


def test_a_d4_is_never_called_a_sail_with_a_one(tray):
    """Where only sails can lie, what shows a 1 on top is asked about."""
    odds, _ = TetrahedronTeller().told(*seen(tray, DiePose("d4", 1, 70, 60, 25)), ("sail",))
    assert all(p < 0.9 for p in odds.faces(("sail",)).values())


def test_the_bare_floor_is_no_sail(tray):
    floor, box, odds = seen(tray, SAIL)
    told, base = TetrahedronTeller().told(SeenFloor(tray.empty(), floor.view), box, odds)
    assert base is None
    assert told.signs.sum() < 0.5


def test_other_dice_are_left_as_they_are(tray):
    floor, box, odds = seen(tray, SAIL)
    cube = Odds(np.roll(odds.kinds, KINDS.index("d6") - KINDS.index("sail")), odds.signs)
    assert TetrahedronTeller().told(floor, box, cube) == (cube, None)
    assert TetrahedronTeller().told(floor, box, odds, ("d6",)) == (odds, None)
