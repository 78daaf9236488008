"""Parts of the tag reader; whole pictures are in test_open_table.py and test_recorded_tags.py."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.boards.profile import load_profile
from companion.table.observation import Unreadable
from vision.frame import Frame
from vision.registration import BoardFit, marker_corners
from vision.tags.align import Placing, align
from vision.tags.camera import fit_together
from vision.tags.codes import codes_of
from vision.tags.detect import detect_tags
from vision.tags.reader import TagReader
from vision.tags.squares import dark_squares

CLOTH = load_profile("open-table")
CODES = codes_of("DICT_APRILTAG_36h11")
DICTIONARY = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)


def drawn(tag: int, side: float, turn_deg: float = 0.0, at: tuple[float, float] = (30, 30)):
    """Return a tag on white paper in linear light, (60, 60), by eightfold samples."""
    over, unit = 8, 32
    modules = cv2.aruco.generateImageMarker(DICTIONARY, tag, 8).astype(np.float32) / 255
    large = np.kron(np.pad(modules, 2, constant_values=1.0), np.ones((unit, unit), np.float32))
    angle, scale = math.radians(turn_deg), side / 8 / unit * over
    turn = scale * np.array(
        [[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]]
    )
    middle = (np.array(at) + 0.5) * over - 0.5
    how = np.column_stack([turn, middle - turn @ np.array([6 * unit - 0.5, 6 * unit - 0.5])])
    fine = cv2.warpAffine(0.02 + 0.8 * large, how, (60 * over, 60 * over), borderValue=0.15)
    return cv2.GaussianBlur(cv2.resize(fine, (60, 60), interpolation=cv2.INTER_AREA), (0, 0), 0.5)


def coded(light: np.ndarray) -> np.ndarray:
    return np.round(255 * light ** (1 / 2.2)).astype(np.uint8)


@pytest.mark.parametrize("turn_deg", [0, 33, 91, 200, 290])
def test_a_small_tag_is_found_as_one_square_with_its_number(turn_deg: float) -> None:
    gray = coded(drawn(17, 19.0, turn_deg))
    squares = dark_squares(gray, (14, 28))
    assert len(squares) == 1
    assert np.abs(squares[0].mean(axis=0) - 30).max() < 1.0
    inside = cv2.getPerspectiveTransform(
        squares[0].astype(np.float32), np.array([[0, 0], [80, 0], [80, 80], [0, 80]], np.float32)
    )
    patch = cv2.resize(
        cv2.warpPerspective(gray, inside, (80, 80)), (8, 8), interpolation=cv2.INTER_AREA
    )
    match = CODES.match(patch[None].astype(np.float32))[0]
    assert match.tag == 17
    assert match.score > match.second + 0.1
    corner = np.roll(squares[0], match.turns, axis=0)[0] - 30
    own = math.degrees(math.atan2(corner[1], corner[0]))
    assert (own - (225 + turn_deg) + 180) % 360 - 180 == pytest.approx(0, abs=6)


def test_a_square_of_the_wrong_size_is_no_tag() -> None:
    gray = coded(drawn(17, 19.0))
    assert len(dark_squares(gray, (24, 36))) == 0
    assert len(dark_squares(np.full((60, 60), 120, np.uint8), (14, 28))) == 0


def test_a_tag_is_laid_on_to_a_fiftieth_of_a_pixel_however_sharp_the_lens() -> None:
    for soft in (0.0, 0.5):
        light = drawn(23, 20.5, 77.0, at=(30.3, 29.6))
        if soft:
            light = cv2.GaussianBlur(light, (0, 0), soft)
        start = Placing(
            np.array([[31.0, 29.0]]), np.eye(2)[None], np.radians([72.0]), np.array([2.45])
        )
        found, score = align(light.astype(np.float32), CODES, [23], start)
        assert np.abs(found.middles[0] - (30.3, 29.6)).max() < 0.02
        assert math.degrees(found.turns[0]) == pytest.approx(77, abs=0.15)
        assert found.sizes[0] * 8 == pytest.approx(20.5, rel=0.002)
        assert score[0] > 0.97


def test_the_wrong_number_agrees_badly() -> None:
    start = Placing(np.array([[30.0, 30.0]]), np.eye(2)[None], np.array([0.0]), np.array([2.5]))
    _, scores = align(drawn(23, 20.0).astype(np.float32), CODES, [24], start)
    assert scores[0] < 0.7


def camera(focal_px: float, height_mm: float) -> BoardFit:
    """Return a camera straight above the middle of the cloth."""
    place = np.array([-650.0, -450.0, height_mm])
    corners = dict(zip(range(4), marker_corners(CLOTH), strict=True))
    fit = BoardFit(focal_px, -0.02, np.zeros(3), place, (1280, 960), 0.2, {})
    return replace(fit, seen={k: fit.project(c) for k, c in corners.items()})


def test_tags_of_known_height_tell_how_far_the_camera_is() -> None:
    """From straight above the markers cannot; what is high would stand centimetres off."""
    true = camera(1500.0, 1800.0)
    wrong = replace(camera(1500.0 * 0.75, 1800.0 * 0.75), seen=true.seen)
    places = [(120, 120, 0.3), (1180, 120, 2.0), (1180, 780, 4.0), (120, 780, 5.0), (500, 300, 1.0)]
    square = 12.0 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    quads = []
    for x, y, heading in places:
        cos, sin = math.cos(heading), math.sin(heading)
        flat = square @ np.array([[cos, sin], [-sin, cos]]) + (x, y)
        quads.append(true.project(np.column_stack([flat, np.full(4, -110.0)])))
    corners = dict(zip(range(4), marker_corners(CLOTH), strict=True))
    for heights, limit_mm in (([110.0] * 5, 2.5), ([None] * 5, 8.0)):
        found = fit_together(wrong, corners, np.array(quads), 24.0, heights)
        for place, (x, y, heading) in zip(found, places, strict=True):
            assert math.dist((place.x_mm, place.y_mm), (x, y)) < limit_mm
            assert place.heading_rad % (2 * math.pi) == pytest.approx(heading, abs=0.005)
    alone = wrong.to_board(quads[0].mean(axis=0)[None], 110.0)[0]
    assert math.dist(alone, (120, 120)) > 10


@pytest.mark.parametrize("dark", [1.0, 0.3])
def test_a_shadow_across_a_tag_does_no_harm(dark: float) -> None:
    light = drawn(19, 19.2, 25.0, at=(30.2, 29.7))
    y, x = np.mgrid[0:60, 0:60]
    light[x + 0.4 * y > 43] *= dark
    picture = np.full((960, 1280), 100, np.uint8)
    picture[400:460, 600:660] = coded(light)
    (found,) = detect_tags(picture, camera(1200.0, 1500.0), CODES, 24.0)
    assert found.tag == 19
    assert found.p > 0.99
    assert np.abs(found.corners_px.mean(axis=0) - (630.2, 429.7)).max() < (
        0.05 if dark == 1 else 0.3
    )


def test_nothing_at_all_is_no_tag() -> None:
    bare = np.full((960, 1280), 90, np.uint8)
    assert detect_tags(bare, camera(1200.0, 1500.0), CODES, 24.0) == []


def test_a_table_without_markers_is_unreadable() -> None:
    seen = TagReader(CLOTH).read(Frame("dark", 0.0, np.zeros((960, 1280, 3), np.uint8)))
    assert isinstance(seen, Unreadable)


def test_a_board_of_cells_has_no_tags_to_read() -> None:
    with pytest.raises(ValueError, match="stand on cells"):
        TagReader(load_profile("hex-ocean"))
