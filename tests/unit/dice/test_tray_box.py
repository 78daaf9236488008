"""The tray as an open box: its edges, its geometry, and where it is found."""

from __future__ import annotations

import json
import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.errors import NotCalibrated
from vision.dice.edges import Edges
from vision.dice.open_box import homographies_of, lying_at, nearest_turn, seen
from vision.dice.tray import TrayView
from vision.dice.tray_search import find_tray

SIZE_MM = (220.0, 160.0)
LENS = np.array([[700.0, 0, 319.5], [0, 700.0, 239.5], [0, 0, 1.0]])
AXES = cv2.Rodrigues(np.array([0.12, -0.08, 0.05]))[0]
REST = np.array([6.0, -4.0, 380.0, 22.0, 8.0])
ROOT = Path(os.environ.get("QUARTERDECK_FRAMES") or Path(__file__).parents[4] / "shared" / "frames")
FRAMES = ROOT / "dev" / "dice"


def drawn(floor: int, wall: int, top: int, around: int) -> np.ndarray:
    """Return a picture of a tray in four greys, and noise."""
    foot, inner, outer = seen(AXES[None], REST[None], SIZE_MM, LENS)[0]
    picture = np.full((480, 640, 3), around, np.uint8)
    for quad, grey in ((outer, top), (inner, wall), (foot, floor)):
        cv2.fillConvexPoly(picture, np.round(quad).astype(np.int32), (grey,) * 3)
    noise = np.random.default_rng(1).normal(0, 1, picture.shape)
    return np.clip(cv2.GaussianBlur(picture, (0, 0), 0.8) + noise, 0, 255).astype(np.uint8)


def test_foot_and_upper_edge_are_nested_and_the_foot_is_farther_away():
    foot, inner, outer = seen(AXES[None], REST[None], SIZE_MM, LENS)[0]
    areas = [cv2.contourArea(quad.astype(np.float32)) for quad in (foot, inner, outer)]
    assert areas == sorted(areas)
    height = REST[2]
    assert areas[0] / areas[1] == pytest.approx((height / (height + 22)) ** 2, abs=0.01)


def test_a_rectangle_is_placed_where_it_is_seen():
    inner = seen(AXES[None], REST[None], SIZE_MM, LENS)[0, 1]
    (axes,), (middle,), (misfit,) = lying_at(homographies_of(inner[None], SIZE_MM), LENS)
    assert misfit < 1e-4
    assert middle == pytest.approx(REST[:3], abs=0.05)
    assert nearest_turn(axes) == pytest.approx([0.12, -0.08, 0.05], abs=1e-3)


def test_a_rectangle_of_other_proportions_misfits():
    inner = seen(AXES[None], REST[None], (220.0, 175.0), LENS)[0, 1]
    assert lying_at(homographies_of(inner[None], SIZE_MM), LENS)[2][0] > 0.05


def test_a_faint_edge_in_the_dark_is_as_plain_as_one_of_the_same_share_in_the_light():
    square = np.array([[200.0, 150], [440, 150], [440, 330], [200, 330]])
    worths = []
    for dark, light in ((8, 28), (92, 196)):
        picture = np.full((480, 640, 3), dark, np.uint8)
        cv2.fillConvexPoly(picture, square.astype(np.int32), (light,) * 3)
        worths.append(Edges(picture).worth(square - 0.5, 36))
    assert worths[0] == pytest.approx(worths[1], rel=0.1)
    assert worths[0].min() > 1


def test_where_no_edge_runs_there_is_none():
    edges = Edges(np.full((480, 640, 3), 77, np.uint8))
    assert edges.worth(np.array([[200.0, 150], [440, 150], [440, 330], [200, 330]]), 36).max() == 0
    assert [edges.lines(side, 6) for side in range(4)] == [[], [], [], []]


def test_the_sides_of_the_box_are_among_the_lines():
    edges = Edges(drawn(90, 40, 150, 20))
    quads = seen(AXES[None], REST[None], SIZE_MM, LENS)[0]
    for side in range(4):
        lines = np.array([line for line, _ in edges.lines(side, 6)])
        lines /= np.linalg.norm(lines[:, :2], axis=1, keepdims=True)
        for quad in quads:
            middle = np.array([*(quad[side] + quad[(side + 1) % 4]) / 2, 1.0])
            assert np.abs(lines @ middle).min() < 2.5


@pytest.mark.parametrize(
    "greys",
    [(90, 40, 150, 20), (14, 10, 60, 120)],
    ids=["plain", "black in black"],
)
def test_the_upper_edge_is_not_taken_for_the_foot(greys):
    found = find_tray(drawn(*greys), SIZE_MM)
    foot, inner, _ = seen(AXES[None], REST[None], SIZE_MM, LENS)[0]
    off = np.linalg.norm(found.corners_px - foot, axis=1).max()
    assert off < 0.7 * np.linalg.norm(inner - foot, axis=1).min()


def test_a_tray_is_found_though_each_lamp_lights_another_wall():
    """All its edges are plain; it was refused, for the tops of its walls differ."""
    picture = drawn(70, 52, 62, 50)
    foot, inner, outer = seen(AXES[None], REST[None], SIZE_MM, LENS)[0]
    for side, grey in ((0, 140), (1, 30), (3, 110)):
        after = (side + 1) % 4
        top = np.stack([inner[side], inner[after], outer[after], outer[side]])
        cv2.fillConvexPoly(picture, np.round(top).astype(np.int32), (grey,) * 3)
    found = find_tray(cv2.GaussianBlur(picture, (0, 0), 0.8), SIZE_MM)
    assert np.linalg.norm(found.corners_px - foot, axis=1).max() < 2.5


def test_four_lines_are_no_tray():
    picture = np.full((480, 640, 3), 60, np.uint8)
    cv2.rectangle(picture, (150, 110), (490, 370), (130, 130, 130), -1)
    with pytest.raises(NotCalibrated, match="no dice tray is seen"):
        find_tray(picture, SIZE_MM)


@pytest.mark.frames
@pytest.mark.skipif(
    not FRAMES.is_dir(),
    reason="the path-traced pictures are not here; set QUARTERDECK_FRAMES to their folder",
)
@pytest.mark.parametrize("name", ["022", "032"])  # of the half for choosing
def test_path_traced_trays_are_found(name):
    label = json.loads((FRAMES / f"{name}.json").read_text("utf-8"))
    found = find_tray(cv2.imread(str(FRAMES / f"{name}.jpg")), SIZE_MM)
    corners = np.array(label["tray"]["corners_px"])
    truth = TrayView(SIZE_MM, corners, found.picture_px, found.focal_px)
    ideal = np.array([[0.0, 0], [220, 0], [220, 160], [0, 160]])
    on_floor = np.array([truth.to_floor((float(x), float(y))) for x, y in found.corners_px])
    off = min(np.linalg.norm(np.roll(on_floor, k, axis=0) - ideal, axis=1).max() for k in (0, 2))
    assert off < 5.0
