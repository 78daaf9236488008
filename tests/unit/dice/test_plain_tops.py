"""Tops without a sign: colour dice, and nulls of piecepack dice."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.dice_training.tables import box_of
from companion.rules.layout import Die
from vision.dice.box_network import as_lit, light_of
from vision.dice.kinds import COLOURS, FACES
from vision.dice.reader import TrayReader
from vision.dice.teller import DieTeller
from vision.virtual.dice import DICE_SETS, DiePose

SURE = 0.9
SIZE_MM = (220.0, 160.0)
AT_THE_SIDE = (190.0, 130.0, 25.0)
"""Place (mm) and turn of a die of which the camera sees two sides, besides its top."""


@pytest.fixture(scope="module")
def teller():
    return DieTeller()


def told(teller, tray, pose, expect):
    (odds,) = teller.tell(tray.picture(pose), [box_of(pose, tray.lens)], expect)
    faces = odds.faces(expect)
    assert sum(faces.values()) <= 1 + 1e-6
    return faces


@pytest.mark.parametrize("face", FACES["colour"])
def test_a_colour_is_told_among_all_kinds(teller, tray, face):
    faces = told(teller, tray, DiePose("colour", face, *AT_THE_SIDE), None)
    assert faces.get(Die("colour", face), 0) > SURE, COLOURS[face]


def test_a_white_top_is_a_colour_dies_where_its_sides_have_colours(teller, tray):
    both = ("colour", "piecepack")
    white, null = Die("colour", COLOURS.index("white")), Die("piecepack", 0)
    coloured = told(teller, tray, DiePose("colour", white.face, *AT_THE_SIDE), both)
    assert coloured[white] > SURE
    plain = told(teller, tray, DiePose("piecepack", 0, *AT_THE_SIDE), both)
    assert plain.get(null, 0) > plain.get(white, 0)


def test_a_top_without_a_sign_is_a_null_where_no_colour_die_can_lie(teller, tray):
    faces = told(teller, tray, DiePose("piecepack", 0, *AT_THE_SIDE), ("piecepack", "d6"))
    assert faces[Die("piecepack", 0)] > SURE


def test_a_top_that_the_light_has_washed_out_is_no_null(teller, make_tray):
    """Whatever is printed there looks blank: five of six sides of such a die bear something."""
    tray, null = make_tray(dice_set=0), DiePose("piecepack", 0, *AT_THE_SIDE)
    assert told(teller, tray, null, ("piecepack",))[Die("piecepack", 0)] > SURE
    picture = tray.picture(null)
    x, y, width, height = (round(v) for v in box_of(null, tray.lens))
    top = picture[y : y + height, x : x + width]
    top[top.min(axis=2) > 0.8 * top.min(axis=2).max()] = 255
    for expect in (("piecepack",), ("piecepack", "d6"), ("piecepack", "colour"), None):
        (odds,) = teller.tell(picture, [(x, y, width, height)], expect)
        assert odds.faces(expect).get(Die("piecepack", 0), 0) < SURE, expect


def test_a_black_top_without_a_sign_is_a_null_if_the_outline_shows_all_of_the_die(make_tray):
    """By itself it looks as if something lay over the die."""
    tray = make_tray(dice_set=4, tray_floor="green felt", tray_tilt_deg=3.0)
    null = DiePose("piecepack", 0, 190.0, 40.0, 50.0)
    cocked = replace(null, lean_deg=35.0, lean_way_deg=60.0)

    def read(pose, empty):
        (reading,) = TrayReader(SIZE_MM, empty).read(tray.picture(pose), ("piecepack",))
        return reading.faces.get(Die("piecepack", 0), 0.0)

    assert read(null, tray.empty()) > SURE > read(null, None)
    assert read(cocked, tray.empty()) < SURE


@pytest.mark.parametrize("dice_set", range(len(DICE_SETS)))
@pytest.mark.parametrize("turn", [0.0, 50.0])
def test_an_ace_is_told_whatever_suit_stands_on_it(teller, make_tray, dice_set, turn):
    tray, ace = make_tray(dice_set=dice_set), DiePose("piecepack", 1, 120.0, 90.0, turn)
    faces = told(teller, tray, ace, ("piecepack",))
    assert faces.get(Die("piecepack", 1), 0) > SURE, DICE_SETS[dice_set].suit


def test_a_sign_on_top_is_left_to_the_first_look(teller, tray):
    faces = told(teller, tray, DiePose("piecepack", 4, *AT_THE_SIDE), ("colour", "piecepack"))
    assert faces[Die("piecepack", 4)] > SURE


WHITE_LIGHT, WARM_LIGHT = np.array([0.8, 0.8, 0.8]), np.array([0.4, 0.6, 0.8])


def test_a_dark_side_is_shown_darker_than_a_bright_one():
    """Brown is a dark orange: evened they would be the same."""
    orange = np.full((4, 4, 3), (30, 120, 235), np.uint8)
    bright, dark = (as_lit(side, WHITE_LIGHT) for side in (orange, orange // 2))
    assert np.allclose(dark[..., :3].mean(), bright[..., :3].mean() / 2 - 0.75, atol=0.02)
    assert (dark[..., 3:] < bright[..., 3:]).all()
    assert bright[0, 0, :3].argmax() == 2


def test_against_the_light_a_side_has_the_colour_that_it_has_by_day():
    """A candle makes yellow orange: beside what else it shines upon it is yellow still."""
    yellow = np.full((4, 4, 3), (40, 200, 230), np.uint8)
    by_candle = (yellow * (WARM_LIGHT / WHITE_LIGHT)).round().astype(np.uint8)
    day, candle = as_lit(yellow, WHITE_LIGHT), as_lit(by_candle, WARM_LIGHT)
    assert np.abs(candle[..., :3] - day[..., :3]).max() > 0.5
    assert np.abs(candle[..., 3:] - day[..., 3:]).max() < 0.15


def test_the_light_of_a_picture_is_how_bright_its_brighter_places_are():
    picture = np.full((480, 640, 3), 20, np.uint8)
    picture[:, :200] = (100, 150, 200)
    assert np.allclose(light_of(picture), np.array([100, 150, 200]) / 255)
    assert np.allclose(light_of(picture[:, 300:]), 20 / 255)
    assert light_of(picture[:1, :1]).shape == (3,)
