"""Dice that do not lie flat and alone in the tray are asked about, those beside them are not."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.dice.outline import (
    FITS,
    JUDGED,
    LIES_ON,
    MISFITS,
    Flatness,
    contours_of,
    fit,
    outline_of,
)
from vision.dice.reader import TrayReader
from vision.dice.reading import SURE
from vision.dice.tray import TrayView, on_floor, to_rectified
from vision.virtual.dice import DiePose, posed_corners_mm
from vision.virtual.roller import RollingTray

PLAIN = DiePose("d6", 3, 60, 50, 20)
LOWER = DiePose("d6", 5, 152, 96, 40)
UPPER = DiePose("d6", 2, 155, 93, 75, high_mm=16.0)
COCKED = DiePose("d6", 4, 150, 95, 10, lean_deg=35.0, lean_way_deg=60.0)
KINDS = ("d6", "piecepack", "cannon", "sail")
NUMBERED = ("d8", "d10", "d12", "d20")
OF_SHAPE = {
    "cube": "d6",
    "icosahedron": "cannon",
    "tetrahedron": "sail",
    "octahedron": "d8",
    "trapezohedron": "d10",
    "dodecahedron": "d12",
}


@pytest.fixture(scope="module")
def reader(tray):
    """Return a reader of its own: it remembers how the dice looked."""
    return TrayReader((220.0, 160.0), tray.empty())


def told(readings):
    return [r.best[0].face for r in readings if r.p >= SURE]


def asked(readings):
    return [r.centre_mm for r in readings if r.p < SURE]


@pytest.mark.parametrize(
    "awkward",
    [
        (COCKED,),
        (replace(COCKED, kind="piecepack"),),
        (LOWER, UPPER),
        (LOWER, replace(UPPER, kind="piecepack")),
        (LOWER, replace(UPPER, kind="cannon")),
        (LOWER, replace(UPPER, kind="sail")),
    ],
    ids=["cocked d6", "cocked piecepack", "d6", "piecepack", "cannon", "sail"],
)
def test_what_is_cocked_or_lies_on_another_is_asked_about(tray, reader, awkward):
    readings = reader.read(tray.picture(PLAIN, *awkward), KINDS)
    assert told(readings) == [3]
    top = awkward[-1]
    assert np.hypot(*np.subtract(asked(readings)[0], (top.x_mm, top.y_mm))) < 15


@pytest.mark.parametrize("kind", ["d8", "d10", "d12"])
def test_a_numbered_die_on_another_is_asked_about_and_one_on_the_floor_told(tray, reader, kind):
    """Looked at alone it lies flat: what is seen of the lower die makes the outline another."""
    upper = replace(UPPER, kind=kind, turn_deg=30.0)
    lower = replace(LOWER, x_mm=159, y_mm=95)
    assert told(reader.read(tray.picture(lower, upper), NUMBERED)) == []
    alone = replace(upper, high_mm=0.0)
    assert told(reader.read(tray.picture(alone), NUMBERED)) == [alone.face]


def test_a_die_that_hides_the_one_below_is_asked_about_once_its_like_were_seen(tray):
    """It covers the lower one, and its looks are those of one that lies flat."""
    reader, kinds = TrayReader((220.0, 160.0), tray.empty()), ("cannon",)
    on = (DiePose("d6", 5, 110, 80, 40), DiePose("cannon", 2, 110, 80, 75, high_mm=16.0))
    for x_mm in (40.0, 180.0):
        assert told(reader.read(tray.picture(DiePose("cannon", 3, x_mm, 60, x_mm)), kinds)) == [3]
    assert told(reader.read(tray.picture(*on), kinds)) == []
    assert told(reader.read(tray.picture(replace(on[1], high_mm=0.0)), kinds)) == [2]


def test_a_tray_whose_empty_picture_nobody_took_is_known_once_it_was_seen_empty(tray):
    reader, stacked = TrayReader((220.0, 160.0)), (LOWER, replace(UPPER, kind="cannon"))
    assert reader.read(tray.picture(*stacked), KINDS)  # by looks alone
    assert reader.read(tray.empty(), KINDS) == ()
    assert asked(reader.read(tray.picture(*stacked), KINDS))
    assert told(reader.read(tray.picture(PLAIN), KINDS)) == [3]


LEANING = (
    DiePose("d12", 1, 40, 80, 185, lean_deg=24.0, lean_way_deg=250.0),
    DiePose("d8", 3, 110, 80, 259, lean_deg=30.0, lean_way_deg=350.0),
    DiePose("colour", 5, 180, 40, 148, lean_deg=38.0, lean_way_deg=200.0),
    DiePose("sail", 3, 106, 56, 57, lean_deg=26.0, lean_way_deg=260.0),
)
"""By looks alone all of them would be told."""


@pytest.mark.parametrize("leaning", LEANING, ids=[die.kind for die in LEANING])
def test_without_an_outline_it_is_seen_that_a_die_leans(tray, leaning):
    """No outlines are judged before the tray was seen empty."""
    kinds, lies = (leaning.kind,), replace(leaning, lean_deg=0.0)
    assert told(TrayReader((220.0, 160.0)).read(tray.picture(lies), kinds)) == [lies.face]
    readings = TrayReader((220.0, 160.0)).read(tray.picture(leaning), kinds)
    assert asked(readings)
    assert not told(readings)


@pytest.mark.parametrize("kind", ["cannon", "d20"])
@pytest.mark.parametrize("place", [(110.0, 80.0, 200.0), (180.0, 120.0, 75.0)])
def test_an_icosahedron_that_leans_is_asked_about(tray, reader, kind, place):
    """Its outline is about that of one that lies flat, and its number is as plain."""
    flat = DiePose(kind, 3, *place)
    assert told(reader.read(tray.picture(flat), (kind,))) == [3]
    for way_deg in (110.0, 290.0):
        leaning = replace(flat, lean_deg=16.0, lean_way_deg=way_deg)
        assert asked(reader.read(tray.picture(leaning), (kind,)))


@pytest.mark.parametrize("place", [(25.0, 22.0), (110.0, 80.0), (195.0, 140.0)])
@pytest.mark.parametrize("kind", ["d6", "piecepack", "cannon", "sail"])
def test_what_lies_flat_is_told_wherever_it_lies(tray, reader, place, kind):
    readings = reader.read(tray.picture(DiePose(kind, 3, *place, 50)), (kind,))
    assert told(readings) == [3]


def test_dice_far_aside_are_told_where_a_wide_camera_sees_them():
    size_mm = (420.0, 320.0)
    camera = RollingTray("d6", (1, 2, 3, 4, 5, 6), 20, size_mm, 5)
    reader = TrayReader(size_mm, camera.empty)
    readings = reader.read(camera.read().tray, ("d6",))
    for _ in range(2):
        readings = reader.read(camera.read().tray, ("d6",))
    assert sorted(told(readings)) == list(camera.shown)


@pytest.mark.parametrize("kind", ["d6", "piecepack", "cannon", "sail"])
def test_a_die_that_plainly_lies_flat_is_told_though_a_shadow_spoils_its_outline(
    tray, monkeypatch, kind
):
    """Those of coloured lamps do; what is around a cocked die is other, whatever its outline."""
    reader = TrayReader((220.0, 160.0), tray.empty())
    monkeypatch.setattr(Flatness, "worths", lambda self, outlines, view: [MISFITS] * len(outlines))
    assert told(reader.read(tray.picture(DiePose(kind, 3, 60, 50, 20)), (kind,))) == [3]
    monkeypatch.setattr(Flatness, "worths", lambda self, outlines, view: [FITS] * len(outlines))
    assert asked(reader.read(tray.picture(replace(COCKED, lean_deg=45.0)), KINDS))


def view_of(tray):
    return TrayView((220.0, 160.0), tray.corners_px, (960, 720), float(tray.lens.matrix[0, 0]))


def mask_of(view, *dice):
    """Return a mask of what the corners of dice cover, and their boxes in the picture."""
    mask, boxes = np.zeros(view.rectified_px[::-1], np.uint8), []
    for die in dice:
        corners = posed_corners_mm(die) * [1, 1, -1]
        hull = cv2.convexHull(to_rectified(on_floor(corners, view.camera_mm)).astype(np.float32))
        cv2.fillConvexPoly(mask, np.round(hull).astype(np.int32), (255,))
        seen = view.project(corners)
        boxes.append((*seen.min(axis=0), *np.ptp(seen, axis=0)))
    return mask, boxes


@pytest.mark.parametrize("shape", JUDGED)
def test_a_flat_die_fits_its_shape_and_a_leaning_one_does_not(tray, shape):
    view = view_of(tray)
    flat = DiePose(OF_SHAPE[shape], 3, 180, 120, 33)
    mask, (box,) = mask_of(view, flat)
    assert fit(outline_of(contours_of(mask), view, box), shape, view).misfit_mm < 0.25
    mask, (box,) = mask_of(view, replace(flat, lean_deg=30.0, lean_way_deg=80.0))
    outline = outline_of(contours_of(mask), view, box)
    is_alike = shape in ("icosahedron", "trapezohedron")  # however a round thing leans
    worth = FITS if is_alike else MISFITS
    assert Flatness().worths([(outline, OF_SHAPE[shape])], view) == [worth]
    assert fit(outline, shape, view).misfit_mm > 0.3


def test_where_all_outlines_are_poor_one_as_poor_is_no_reason_for_a_doubt(tray):
    view = view_of(tray)
    mask, (box,) = mask_of(view, DiePose("d6", 3, 180, 120, 33))
    poor = outline_of(contours_of(mask), view, box) * [1.12, 1.0]  # a side's shadow with it
    among = Flatness()
    assert among.worths([(poor, "d6")], view) == [MISFITS]
    others = [(poor - [5.0 * k, 0.0], "d6") for k in range(1, 21)]
    assert among.worths(others, view).count(FITS) > 10
    assert among.worths([(poor, "d6"), (poor * [1.3, 1.0], "d6")], view) == [FITS, MISFITS]


def flat_at(view, x_mm, y_mm, high_mm=0.0, size=1.0, kind="cannon"):
    """Return the outline of a die that lies flat so high, so many times as large as most."""
    pose = DiePose(kind, 3, x_mm / size, y_mm / size, 7 * x_mm, high_mm=high_mm / size)
    corners = posed_corners_mm(pose) * [size, size, -size]
    return cv2.convexHull(on_floor(corners, view.camera_mm).astype(np.float32))[:, 0], kind


@pytest.mark.parametrize("kind", OF_SHAPE.values())
def test_what_lies_flat_on_another_looks_larger_than_its_like(tray, kind):
    view = view_of(tray)
    for places in (((30, 30), (190, 40)), ((100, 80), (180, 130))):
        among = Flatness()
        plain = [flat_at(view, *place, kind=kind) for place in places]
        assert among.worths(plain, view) == [FITS, FITS]
        for place in ((40, 120), (130, 60)):
            assert among.worths([flat_at(view, *place, 16.0, kind=kind)], view) == [LIES_ON]
            assert among.worths([flat_at(view, *place, kind=kind)], view) == [FITS]


def test_a_die_larger_than_its_like_is_soon_known(tray):
    """Seen at three places; one that lies there for long counts once."""
    view, among = view_of(tray), Flatness()
    among.worths([flat_at(view, 20.0 + 40 * k, 30.0) for k in range(5)], view)
    for x_mm in (40.0, 80.0, 120.0):
        larger = [flat_at(view, x_mm, 100.0, size=1.06)]
        assert [among.worths(larger, view) for _ in range(5)] == [[LIES_ON]] * 5
    assert among.worths([flat_at(view, 160.0, 100.0, size=1.06)], view) == [FITS]


def test_dice_of_quite_another_size_are_not_doubted(tray):
    view, among = view_of(tray), Flatness()
    among.worths([flat_at(view, 20.0 + 40 * k, 30.0, size=0.8) for k in range(5)], view)
    assert among.worths([flat_at(view, 60.0, 100.0)], view) == [FITS]


def test_sizes_are_compared_though_it_is_learnt_what_a_millimetre_is(tray):
    view, among, more = view_of(tray), Flatness(), 1.06
    corners = view.to_pixels(np.array([[0, 0], [220, 0], [220, 160], [0, 160]]) / more)
    other = replace(view, corners_px=corners)
    assert other.camera_mm[2] == pytest.approx(more * view.camera_mm[2])
    among.worths([flat_at(view, 20.0 + 40 * k, 30.0) for k in range(3)], view)
    outline, kind = flat_at(view, 40.0, 60.0)
    assert among.worths([(more * outline, kind)], other) == [FITS]
    assert among.worths([(more * outline, kind)], view) == [LIES_ON]


def test_a_cocked_die_that_lies_there_for_long_is_asked_about_as_long(tray):
    reader = TrayReader((220.0, 160.0), tray.empty())
    picture = tray.picture(COCKED)
    assert all(asked(reader.read(picture, KINDS)) for _ in range(20))


def test_the_outline_of_dice_that_touch_is_not_judged(tray):
    view = view_of(tray)
    mask, boxes = mask_of(view, DiePose("d6", 3, 100, 80), DiePose("d6", 3, 115.5, 80))
    assert outline_of(contours_of(mask), view, boxes[0], boxes[1:]) is None
    assert outline_of(contours_of(mask), view, boxes[0]) is not None


def test_an_outline_that_is_seen_in_part_is_not_judged(tray):
    view = view_of(tray)
    mask, (box,) = mask_of(view, DiePose("d6", 3, 100, 80))
    x, _ = to_rectified(np.array([97.0, 80.0]))
    mask[:, : int(x)] = 0  # that side has the colour of the floor
    assert outline_of(contours_of(mask), view, box) is None


def test_a_leaning_die_rests_on_its_lowest_corner_and_one_on_another_lies_higher():
    corners, flat = posed_corners_mm(COCKED), posed_corners_mm(replace(COCKED, lean_deg=0.0))
    assert corners[:, 2].max() == pytest.approx(0)
    assert np.sum(np.isclose(corners[:, 2], 0)) == 1
    assert np.sum(np.isclose(flat[:, 2], 0)) == 4
    assert posed_corners_mm(UPPER)[:, 2].max() == pytest.approx(-16.0)
