"""The parts of the dice reader, each by itself."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from benchmarks.dice_training.tables import seen_from
from companion.errors import NotCalibrated
from vision.dice.edges import Edges
from vision.dice.floor import BareFloor, SeenFloor, things_on
from vision.dice.tray import MARGIN_MM, PX_PER_MM, TrayView, to_rectified
from vision.dice.tray_search import find_tray
from vision.virtual.dice import DiePose
from vision.virtual.light import LIGHTS
from vision.virtual.scene import Scene
from vision.virtual.tray import empty_tray

SIZE_MM = (220.0, 160.0)


def view_of(tray):
    return TrayView(SIZE_MM, tray.corners_px, (960, 720), float(tray.lens.matrix[0, 0]))


@pytest.mark.parametrize("place", [(20.0, 15.0), (110.0, 80.0), (205.0, 150.0)])
def test_the_top_of_a_die_is_seen_farther_outward_than_its_middle(make_tray, place):
    tray = make_tray(tray_tilt_deg=8.0)
    middle, top = tray.lens.project(np.array([[*place, -9.0], [*place, -18.0]]))
    view = view_of(tray)
    under = view.under(tuple(middle), 9.0)
    assert view.project(np.array([[*under, 18.0]]))[0] == pytest.approx(top, abs=0.7)
    if place != (110.0, 80.0):
        assert np.linalg.norm(top - middle) > 3


@pytest.mark.parametrize("place", [(20.0, 15.0), (110.0, 80.0), (205.0, 150.0)])
def test_how_a_die_is_seen_is_known_from_where_the_camera_stands(make_tray, place):
    tray = make_tray(tray_tilt_deg=14.0)
    die = DiePose("d6", 3, *place, 20)
    far, up = seen_from(die, tray.lens)
    true = far * np.array([np.cos(np.radians(up)), np.sin(np.radians(up))])
    assert view_of(tray).leans_deg(np.array([[*place, 8.0]]))[0] == pytest.approx(true, abs=0.7)
    assert far > 5


@pytest.mark.parametrize(
    ("floor", "light", "tilt"),
    [("green felt", "ceiling", 6.0), ("red felt", "lamp", 10.0), ("wood", "window", 3.0)],
)
def test_the_tray_is_found_in_its_empty_picture(make_tray, floor, light, tilt):
    tray = make_tray(tray_floor=floor, light=light, tray_tilt_deg=tilt)
    found = find_tray(tray.empty(), SIZE_MM)
    # The near wall hides its own foot; 12 px are 4 mm.
    assert np.linalg.norm(found.corners_px - tray.corners_px, axis=1).max() < 12


@pytest.mark.parametrize("index", [12, 14])
def test_the_edge_of_a_hard_shadow_is_not_taken_for_the_wall(index):
    rng, size_mm = np.random.default_rng((50000, index)), (280.0, 210.0)
    scene = Scene.random(rng)
    lens, light = scene.tray_lens(size_mm), LIGHTS[scene.light]
    bare = empty_tray(lens, light, size_mm, scene.tray_floor, scene.table, rng)
    (w, h), found = size_mm, find_tray(bare, size_mm)
    truth = lens.project(np.array([[0, 0, 0], [w, 0, 0], [w, h, 0], [0, h, 0]]))
    assert np.linalg.norm(found.corners_px - truth, axis=1).max() < 5 * lens.px_per_mm


@pytest.mark.parametrize("size_mm", [(420.0, 320.0), (220.0, 160.0)])
def test_how_wide_the_lens_is_is_found_with_the_tray(size_mm):
    """The virtual camera stands as far from any tray: a large one is seen by a wide lens."""
    scene = Scene()
    lens = scene.tray_lens(size_mm)
    light, rng = LIGHTS[scene.light], np.random.default_rng(3)
    bare = empty_tray(lens, light, size_mm, scene.tray_floor, scene.table, rng)
    (w, h), found = size_mm, find_tray(bare, size_mm)
    truth = lens.project(np.array([[0, 0, 0], [w, 0, 0], [w, h, 0], [0, h, 0]]))
    assert np.linalg.norm(found.corners_px - truth, axis=1).max() < 2.5
    assert found.focal_px == pytest.approx(lens.matrix[0, 0], rel=0.15)


def test_noise_does_not_move_the_tray(tray):
    corners = [find_tray(tray.empty(), SIZE_MM).corners_px for _ in range(2)]
    assert np.linalg.norm(corners[0] - corners[1], axis=1).max() < 4


def test_no_tray_in_a_plain_picture():
    with pytest.raises(NotCalibrated):
        find_tray(np.full((720, 960, 3), 90, np.uint8), SIZE_MM)


def test_the_camera_is_where_the_lens_is(tray):
    camera = view_of(tray).camera_mm
    truth = tray.lens.position_mm * [1, 1, -1]
    assert np.linalg.norm(camera - truth) < 12


def test_the_corner_of_the_floor_is_rectified_to_the_inner_corner_of_the_margin():
    assert to_rectified(np.array([0.0, 0.0])) == pytest.approx([MARGIN_MM * PX_PER_MM - 0.5] * 2)


def test_a_point_of_the_floor_is_rectified_to_its_place(tray):
    marked = tray.empty()
    at = tray.lens.project(np.array([[60.0, 50.0, 0.0]]))[0]
    cv2.circle(marked, tuple(int(v) for v in np.round(at)), 6, (255, 0, 255), -1)
    rectified = view_of(tray).rectify(marked).astype(int)
    pink = rectified[..., 2] - rectified[..., 1]
    rows, columns = np.nonzero(pink > 120)
    at_px = to_rectified(np.array([60.0, 50.0]))
    assert [columns.mean(), rows.mean()] == pytest.approx(at_px, abs=1.5 * PX_PER_MM)


def test_a_tray_is_rectified_in_strips_as_it_would_be_at_once(tray, monkeypatch):
    picture = np.random.default_rng(3).integers(0, 255, (720, 960, 3), np.uint8)
    in_strips = view_of(tray).rectify(picture)
    monkeypatch.setattr("vision.dice.tray._STRIP", 10_000)
    assert np.array_equal(in_strips, view_of(tray).rectify(picture))


def test_a_shadow_is_floor_and_a_thing_is_not():
    rng = np.random.default_rng(3)
    floor = np.full((470, 620, 3), (40, 90, 30), np.float32)
    seen = floor + rng.normal(0, 2, floor.shape)
    seen[150:220, 100:180] *= 0.6
    seen[250:300, 300:350] = (40, 40, 200)
    mask = BareFloor(floor).differs(np.clip(seen, 0, 255).astype(np.uint8))
    assert mask[185, 140] == 0
    assert mask[275, 325] == 255
    assert mask.mean() / 255 < 0.02


def test_dust_is_no_thing():
    mask = np.zeros((470, 620), np.uint8)
    cv2.circle(mask, (450, 300), 24, 255, -1)
    cv2.circle(mask, (580, 50), 3, 255, -1)
    assert things_on(mask) == ((426, 276, 475, 325),)


def test_a_point_of_the_picture_lies_on_the_floor_where_it_is_seen(tray):
    view = view_of(tray)
    seen = tray.lens.project(np.array([[60.0, 50.0, 0.0]]))[0]
    assert view.to_floor((float(seen[0]), float(seen[1]))) == pytest.approx([60, 50], abs=1.5)


def test_edges_around_a_place_are_those_of_the_whole_tray(tray):
    seen = SeenFloor(tray.picture(DiePose("sail", 3, 70, 60, 25)), view_of(tray))
    x, y = to_rectified(np.array([70.0, 60.0]))
    lines = [np.array([(x + dx, y + dy) for dx in range(-30, 31, 3)]) for dy in (-20, 20)]
    whole = Edges(seen.rectified).between(*lines, 2.0, 9)
    assert whole.max() > 1
    assert seen.edges_around((70.0, 60.0), 24.0).between(*lines, 2.0, 9) == pytest.approx(whole)


def test_edges_at_the_side_of_the_tray_are_those_of_its_nearest_part(tray):
    seen = SeenFloor(tray.empty(), view_of(tray))
    line = np.array([10.0, 10.0]), np.array([40.0, 10.0])
    assert np.isfinite(seen.edges_around((-60.0, -60.0), 24.0).between(*line, 2.0, 3))
