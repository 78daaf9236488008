"""The virtual camera's projection agrees with OpenCV's and with itself."""

import cv2
import numpy as np
import pytest

from vision.virtual.lens import Lens
from vision.virtual.light import LIGHTS, Noise

LENS = Lens((640, 480), 1.2, 800.0, (260.0, 240.0), 14.0, 200.0, 5.0, -0.08)


def test_projection_is_opencvs() -> None:
    points = np.array([[0, 0, 0], [520, 0, -20], [520, 480, 0], [0, 480, -7.5], [260, 240, -40]])
    rotation, _ = cv2.Rodrigues(LENS.rotation)
    shift = -LENS.rotation @ LENS.position_mm
    expected, _ = cv2.projectPoints(
        points.astype(float), rotation, shift, LENS.matrix, LENS.distortion
    )
    assert np.allclose(LENS.project(points), expected.reshape(-1, 2), atol=1e-6)


def test_pixels_lead_back_to_the_plane() -> None:
    where = LENS.plane_mm()
    rows, columns = np.array([3, 200, 470]), np.array([5, 333, 630])
    seen = where[rows, columns]
    pixels = LENS.project(np.c_[seen, np.zeros(3)])
    assert np.allclose(pixels, np.c_[columns, rows], atol=0.05)


def test_straight_above_x_is_right_and_y_is_down() -> None:
    lens = Lens((640, 480), 1.5, 800.0, (100.0, 50.0))
    middle, right, below = lens.project(np.array([[100, 50, 0], [110, 50, 0], [100, 60, 0]]))
    assert np.allclose(middle, [319.5, 239.5])
    assert np.allclose(right - middle, [15, 0])
    assert np.allclose(below - middle, [0, 15])


def test_what_is_high_leans_away_from_the_camera() -> None:
    low, high = LENS.project(np.array([[400, 100, 0], [400, 100, -30]]))
    foot = LENS.project(np.array([[*LENS.position_mm[:2], 0]]))[0]
    assert np.linalg.norm(high - foot) > np.linalg.norm(low - foot) + 2


@pytest.mark.parametrize("kind", sorted(LIGHTS))
def test_light_is_one_on_the_flat_table_and_less_in_the_shade(kind: str) -> None:
    flat, away = LIGHTS[kind].shade(np.array([[0, 0, -1], [0, 0, 1]], float))
    assert flat == pytest.approx(1)
    assert away == pytest.approx(LIGHTS[kind].ambient)


def test_noise_has_its_deviation_and_is_fresh_each_time() -> None:
    rng = np.random.default_rng(5)
    noise, grey = Noise((320, 240), 3.0, rng), np.full((240, 320, 3), 120, np.uint8)
    one, other = noise.expose(grey, rng), noise.expose(grey, rng)
    assert float(one.std()) == pytest.approx(3, rel=0.1)
    assert (one != other).any()
