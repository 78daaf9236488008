"""The reader on rendered trays: right, steady, and never a guess."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.errors import NotCalibrated
from companion.rules.layout import Die
from vision.dice.reader import TrayReader, each_once
from vision.dice.reading import DiceReader, SeenDie
from vision.dice.tray import TrayView
from vision.virtual.dice import DiePose, posed_corners_mm

SURE = 0.9
SIZE_MM = (220.0, 160.0)
GAME = ("sail", "cannon")
ROLL = (
    DiePose("cannon", 4, 40, 40, 10, 0),
    DiePose("cannon", 2, 105, 45, 70, 1),
    DiePose("cannon", 5, 170, 110, 200, 2),
    DiePose("sail", 3, 75, 110, 30, 0),
    DiePose("sail", 2, 185, 40, 250, 0),
    DiePose("sail", 4, 35, 120, 130, 0),
)


def near(readings, pose):
    away = [np.hypot(r.centre_mm[0] - pose.x_mm, r.centre_mm[1] - pose.y_mm) for r in readings]
    return readings[int(np.argmin(away))]


def sure(reading):
    return reading.p >= SURE


def test_six_dice_are_read_where_they_lie(tray, reader):
    readings = reader.read(tray.picture(*ROLL), GAME)
    assert len(readings) == 6
    for pose in ROLL:
        reading = near(readings, pose)
        assert np.hypot(reading.centre_mm[0] - pose.x_mm, reading.centre_mm[1] - pose.y_mm) < 3.0
        assert reading.best is not None
        assert reading.best[0] == Die(pose.kind, pose.face)


@pytest.mark.parametrize("face", range(6))
def test_a_piecepack_die_is_read(tray, reader, face):
    (reading,) = reader.read(tray.picture(DiePose("piecepack", face, 100, 80, 30)), ("piecepack",))
    assert sure(reading)
    assert reading.best[0] == Die("piecepack", face)
    assert reading.look.endswith("piecepack")


def test_the_box_in_the_picture_holds_the_die(tray, reader):
    (reading,) = reader.read(tray.picture(ROLL[0]), GAME)
    x, y, width, height = reading.box_px
    middle = tray.lens.project(np.array([[ROLL[0].x_mm, ROLL[0].y_mm, -11.0]]))[0]
    assert x < middle[0] < x + width
    assert y < middle[1] < y + height
    assert 50 < width < 130


def test_an_unmoved_die_stays_where_it_is_in_every_picture(tray, reader):
    seen = [
        [near(readings, pose).centre_mm for pose in ROLL]
        for readings in (reader.read(tray.picture(*ROLL), GAME) for _ in range(6))
    ]
    spread = np.ptp(np.array(seen), axis=0)
    assert spread.max() < 1.0


def test_a_neighbour_that_is_taken_away_does_not_move_a_die(tray, reader):
    beside = (DiePose("sail", 3, 100, 80, 0), DiePose("cannon", 1, 126, 80, 0))
    both = near(reader.read(tray.picture(*beside), GAME), beside[0]).centre_mm
    alone = near(reader.read(tray.picture(beside[0]), GAME), beside[0]).centre_mm
    assert np.hypot(both[0] - alone[0], both[1] - alone[1]) < 2.0


def test_an_empty_tray_holds_nothing(tray, reader):
    assert reader.read(tray.empty(), GAME) == ()


def test_a_dimmer_lamp_is_no_die(tray, reader):
    dim = (tray.empty() * 0.8).astype(np.uint8)
    assert reader.read(dim, GAME) == ()


def test_expected_kinds_rule_the_others_out(tray, reader):
    picture = tray.picture(*ROLL)
    narrowed = reader.read(picture, ("cannon",))
    assert {die.kind for r in narrowed for die in r.faces} <= {"cannon"}
    for pose in ROLL[3:]:
        assert not sure(near(narrowed, pose))


def test_probabilities_never_exceed_one(tray, reader):
    for expect in (None, GAME, ("sail",)):
        for reading in reader.read(tray.picture(*ROLL), expect):
            assert 0 <= sum(reading.faces.values()) <= 1 + 1e-6


def test_a_hand_over_the_tray_is_never_a_roll(tray, reader):
    picture = tray.picture(*ROLL)
    arm = np.array([[330, 720], [380, 250], [520, 180], [610, 260], [640, 720]])
    cv2.fillPoly(picture, [arm], (120, 150, 205))
    covered = [p for p in ROLL if _under(arm, tray, p)]
    assert covered
    readings = reader.read(picture, GAME)
    for pose in covered:
        at = tray.lens.project(np.array([[pose.x_mm, pose.y_mm, -8.0]]))[0]
        over = [r for r in readings if _holds(r.box_px, at)]
        assert over
        assert not any(sure(r) for r in over)


def _holds(box, point):
    x, y, width, height = box
    return x <= point[0] <= x + width and y <= point[1] <= y + height


def _under(arm, tray, pose):
    at = tray.lens.project(np.array([[pose.x_mm, pose.y_mm, -8.0]]))[0]
    return cv2.pointPolygonTest(arm.astype(np.float32), tuple(map(float, at)), False) > 0


def test_dice_on_top_of_one_another_are_not_guessed(tray, reader):
    heap = (DiePose("cannon", 3, 100, 80, 0), DiePose("cannon", 5, 109, 84, 50))
    told = [r.best[0].face for r in reader.read(tray.picture(*heap), GAME) if sure(r)]
    assert len(told) <= 1
    assert set(told) <= {3, 5}


def test_a_die_by_the_wall_is_not_lost_in_a_tray_that_was_found_too_small(tray):
    floor = np.array([[16, 16, 0], [204, 16, 0], [204, 144, 0], [16, 144, 0]], float)
    view = TrayView(SIZE_MM, tray.lens.project(floor), (960, 720), float(tray.lens.matrix[0, 0]))
    picture = tray.picture(DiePose("d6", 5, 10, 80, 0), DiePose("d6", 2, 120, 150, 30))
    told = [r.best[0].face for r in TrayReader(SIZE_MM).read(picture, ("d6",), view) if r.best]
    assert sorted(told) == [2, 5]


@pytest.mark.parametrize("times", [0.7, 1.5])
def test_sails_are_told_where_the_tray_is_said_to_be_larger_or_smaller_than_it_is(tray, times):
    """Their edges are sought in wrong places then; they are looked at by their boxes as well."""
    dice = [DiePose("sail", 2 + n % 3, 30 + 40 * n, 40 + n % 2 * 70, 23 * n) for n in range(5)]
    size_mm = (220.0 * times, 160.0 * times)
    view = TrayView(size_mm, tray.corners_px, (960, 720), float(tray.lens.matrix[0, 0]))
    readings = TrayReader(size_mm).read(tray.picture(*dice), ("sail",), view=view)
    assert [r.best[0].face for r in readings if r.best[1] >= SURE] == [d.face for d in dice]


def test_without_an_empty_picture_dice_are_still_found(tray):
    view = TrayView(SIZE_MM, tray.corners_px, (960, 720), float(tray.lens.matrix[0, 0]))
    readings = TrayReader(SIZE_MM).read(tray.picture(*ROLL), GAME, view)
    assert len(readings) == 6


def test_a_picture_without_a_tray_is_told():
    rng = np.random.default_rng(0)
    blank = rng.normal(128, 3, (720, 960, 3)).astype(np.uint8)
    with pytest.raises(NotCalibrated, match="tray"):
        TrayReader((220.0, 160.0), blank)


@pytest.mark.parametrize("zoom", [1, 3])
def test_dice_of_any_size_are_found_without_a_tray(tray, zoom):
    pose = DiePose("d6", 5, 110, 80, 20)
    picture = tray.picture(pose)
    pixels = tray.lens.project(posed_corners_mm(pose))
    (x, y), (x1, y1) = pixels.min(axis=0), pixels.max(axis=0)
    half = (480 / zoom, 360 / zoom)
    middle = np.clip([(x + x1) / 2, (y + y1) / 2], half, [960 - half[0], 720 - half[1]])
    left, top = (round(float(v)) for v in middle - half)
    part = picture[top : top + round(2 * half[1]), left : left + round(2 * half[0])]
    (die,) = DiceReader().read(np.ascontiguousarray(part), ("d6",))
    assert die.is_answered
    assert die.best[0] == Die("d6", 5)
    assert die.box[2] == pytest.approx(x1 - x, rel=0.25)


def test_a_sail_of_which_a_side_looks_like_another_is_told_once():
    def sail(face, p):
        return SeenDie((0, 0, 40, 40), {Die("sail", face): p})

    whole, side, other = (
        (sail(3, 0.99), (165, 135)),
        (sail(2, 0.97), (166, 137)),
        (sail(4, 0.6), (150, 120)),
    )
    cube = (SeenDie((0, 0, 40, 40), {Die("d6", 3): 0.95}), (165, 135))
    assert each_once([side, other, whole, cube]) == [other, whole, cube]
    assert each_once([whole, whole]) == [whole]
    assert each_once([]) == []


def test_an_empty_picture_of_another_size_than_the_camera_gives_is_refused(tray) -> None:
    half = cv2.resize(tray.empty(), (480, 360), interpolation=cv2.INTER_AREA)
    reader = TrayReader(SIZE_MM, half)
    with pytest.raises(
        NotCalibrated, match=r"is 480x360, the camera gives 960x720: .* same camera and zone"
    ):
        reader.read(tray.picture(*ROLL), GAME)
