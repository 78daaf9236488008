"""The close views: sides of a tetrahedron, top of an icosahedron."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.dice.cannon import top_view
from vision.dice.network import SideNetwork, TopNetwork
from vision.dice.sail import fit_base, side_views
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


@pytest.mark.parametrize("face", [2, 3, 4])
def test_a_sail_is_told_from_its_sides(tray, face):
    pose = DiePose("sail", face, 70, 60, 25)
    corners = posed_corners_mm(pose)
    base = fit_base(corners[np.argsort(-corners[:, 2])[:3], :2])
    picture = tray.picture(pose)
    flat = np.array([[0, 0, 0], [220, 0, 0], [220, 160, 0], [0, 160, 0]], float)
    to_picture = _homography(flat[:, :2], tray.lens.project(flat))
    camera = tray.lens.position_mm * [1, 1, -1]
    odds = SideNetwork().values(side_views(picture, to_picture, base, camera))
    assert odds.argmax() == face - 1


def _homography(source, target):
    return cv2.getPerspectiveTransform(source.astype(np.float32), target.astype(np.float32))


@pytest.mark.parametrize("face", [1, 2, 3, 4, 5])
def test_a_cannonball_is_told_from_its_top(tray, face):
    pose = DiePose("cannon", face, 120, 70, 40)
    picture = tray.picture(pose)
    flat = np.array([[0, 0, 0], [220, 0, 0], [220, 160, 0], [0, 160, 0]], float)
    to_picture = _homography(flat[:, :2], tray.lens.project(flat))
    camera = tray.lens.position_mm * [1, 1, -1]
    view = top_view(picture, to_picture, np.array([120.0, 70.0]), camera)
    assert TopNetwork().values(view).argmax() == face


def test_no_views_tell_nothing():
    assert SideNetwork().values([]) == pytest.approx([1, 0, 0, 0])
