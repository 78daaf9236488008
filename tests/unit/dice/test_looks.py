"""By what they look like dice are told apart, and what people call that."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.rules.layout import Die
from vision.dice.looks import LookBook
from vision.dice.reading import SeenDie
from vision.dice.tones import colour_name
from vision.virtual.dice import posed_corners_mm, render_tray, scatter
from vision.virtual.light import LIGHTS
from vision.virtual.prints import DICE_SETS
from vision.virtual.scene import Scene
from vision.virtual.tray import empty_tray


def seen_die(kind: str, face: int, box: tuple[float, float, float, float]) -> SeenDie:
    return SeenDie(box, {Die(kind, face): 0.99})


def painted(*dice: tuple[tuple[int, int, int], int]) -> np.ndarray:
    picture = np.full((100, 80 * len(dice), 3), 90, np.uint8)
    for k, (colour, size) in enumerate(dice):
        picture[20 : 20 + size, 80 * k + 10 : 80 * k + 10 + size] = colour
        picture[30:36, 80 * k + 20 : 80 * k + 26] = 255
    return picture


def test_a_die_keeps_its_look_in_another_light_and_place() -> None:
    book = LookBook()
    green, red = (50, 135, 45), (40, 35, 190)
    picture = painted((green, 40), (red, 40))
    looks = [book.look(picture, seen_die("d6", 2, (80 * k + 10, 20, 40, 40))) for k in (0, 1)]
    assert looks == ["green d6", "red d6"]
    dim = (painted((red, 40), (green, 40)) * 0.85).astype(np.uint8)
    again = [book.look(dim, seen_die("d6", 5, (80 * k + 10, 20, 40, 40))) for k in (0, 1)]
    assert again == ["red d6", "green d6"]


def test_a_larger_die_of_the_same_colour_is_another_one() -> None:
    book = LookBook()
    green = (50, 135, 45)
    picture = painted((green, 30), (green, 60))
    small = book.look(picture, seen_die("d6", 2, (10, 20, 30, 30)))
    large = book.look(picture, seen_die("d6", 2, (90, 20, 60, 60)))
    assert (small, large) == ("green d6", "green d6 2")


@pytest.mark.parametrize("turned", [42, 57])
def test_a_die_keeps_its_look_when_it_is_turned_or_in_the_shade(turned: int) -> None:
    book = LookBook()
    lit, shaded = painted(((222, 234, 238), 40)), painted(((120, 128, 130), turned))
    first = book.look(lit, seen_die("sail", 2, (10, 20, 40, 40)))
    again = book.look(shaded, seen_die("sail", 3, (10, 20, turned, turned)))
    assert first == again == "white sail"


def test_a_side_s_own_colour_is_not_the_colour_of_the_die() -> None:
    book = LookBook()
    sides = [painted((colour, 40)) for colour in ((50, 135, 45), (40, 35, 190))]
    dice = [seen_die("colour", face, (10, 20, 40, 40)) for face in (3, 1)]
    assert [book.look(side, die) for side, die in zip(sides, dice, strict=True)] == ["", ""]


def test_a_die_that_cannot_be_told_has_no_look() -> None:
    doubtful = SeenDie((10, 20, 40, 40), {Die("d6", 2): 0.5})
    assert LookBook().look(painted(((50, 135, 45), 40)), doubtful) == ""


@pytest.mark.parametrize("floor", ["black felt", "red felt"])
@pytest.mark.parametrize("light", LIGHTS)
def test_a_colour_has_the_name_that_people_give_it_in_any_light(light: str, floor: str) -> None:
    """Blue sails were black in most lights, yellow ones brown in the evening, white cubes grey."""
    rng = np.random.default_rng(7)
    scene = Scene(light=light, tray_floor=floor)
    size_mm = (150.0, 110.0)
    lens, lamp = scene.tray_lens(size_mm), LIGHTS[light]
    bare = empty_tray(lens, lamp, size_mm, floor, scene.table, rng)
    dice = scatter([("sail", 3), ("cannon", 4), ("d6", 1)], size_mm, rng)
    called = []
    for look in DICE_SETS[:2]:
        picture = render_tray(bare, lens, lamp, dice, look)
        for die in dice:
            seen = lens.project(posed_corners_mm(die))
            box = (*seen.min(axis=0), *np.ptp(seen, axis=0))
            called.append(colour_name(picture, box))
    assert called == ["yellow", "purple", "white", "blue", "white", "white"]


def test_what_lies_beside_a_turned_die_is_not_its_colour() -> None:
    """Of a small red six that stood on its corner in the picture more white than red was seen."""
    picture = np.full((60, 60, 3), (200, 205, 205), np.uint8)
    cv2.fillConvexPoly(picture, np.array([(30, 10), (50, 30), (30, 50), (10, 30)]), (40, 35, 190))
    for along in (-1, 0, 1):
        for across in (-1, 1):
            pip = 30 + 6 * (along + across), 30 + 6 * (along - across)
            cv2.circle(picture, pip, 4, (235, 235, 235), -1)
    assert LookBook().look(picture, seen_die("d6", 6, (7, 7, 46, 46))) == "red d6"
