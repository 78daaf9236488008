"""Dice that are small in their picture are found all the same."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.dice.finder import COARSE_PX, SEEN_PX, DieFinder
from vision.dice.reading import DiceReader, SeenDie, like_each_other
from vision.virtual.dice import scatter

FACES = (1, 3, 4, 6)


@pytest.fixture(scope="module")
def dice():
    return scatter([("d6", face) for face in FACES], (220.0, 160.0), np.random.default_rng(8))


@pytest.fixture(scope="module")
def rolled(tray, dice):
    return tray.picture(*dice)


def test_dice_in_a_corner_of_a_large_picture_are_read(rolled):
    large = np.full((2000, 2800, 3), 120, np.uint8)
    large[900 : 900 + rolled.shape[0], 1500 : 1500 + rolled.shape[1]] = rolled
    seen = DiceReader().read(large, ("d6",))
    assert sorted(die.best[0].face for die in seen if die.is_answered) == list(FACES)
    small = [max(die.box[2:]) * SEEN_PX / 2800 for die in seen if die.is_answered]
    assert max(small) < 18  # at its usual size the network would hardly see them


@pytest.mark.parametrize("seed", [0, 1, 5])
def test_dice_that_lie_close_together_far_away_are_no_large_die(tray, seed):
    lying = scatter([("d6", face) for face in FACES], (95.0, 95.0), np.random.default_rng(seed))
    far = cv2.copyMakeBorder(tray.picture(*lying), *[570] * 4, cv2.BORDER_REPLICATE)
    seen = DiceReader().read(far, ("d6",))
    assert sorted(die.best[0].face for die in seen if die.is_answered) == list(FACES)
    assert len(seen) == len(FACES)


@pytest.mark.parametrize("seed", [2, 3, 4, 6])
def test_dice_that_are_tiny_in_a_photograph_of_the_whole_table_are_read(tray, seed):
    lying = scatter([("d6", face) for face in FACES], (95.0, 95.0), np.random.default_rng(seed))
    table = cv2.copyMakeBorder(tray.picture(*lying), *[1520] * 4, cv2.BORDER_REPLICATE)
    seen = DiceReader().read(table, ("d6",))
    assert sorted(die.best[0].face for die in seen if die.is_answered) == list(FACES)


def test_groups_within_a_group_far_away_are_told_apart(tray):
    faces = (1, 2, 3, 4, 5, 6, 1, 2)
    lying = scatter([("d6", face) for face in faces], (200.0, 140.0), np.random.default_rng(6))
    table = cv2.copyMakeBorder(tray.picture(*lying), *[1520] * 4, cv2.BORDER_REPLICATE)
    seen = DiceReader().read(table, ("d6",))
    assert sorted(die.best[0].face for die in seen if die.is_answered) == sorted(faces)


def test_specks_beside_a_die_that_is_told_are_no_dice(rolled):
    seen = DiceReader().read(rolled, ("d6",))
    die = seen[0]
    speck = SeenDie((10.0, 10.0, 0.2 * die.box[2], 0.2 * die.box[3]), {})
    hidden = SeenDie((10.0, 10.0, 0.6 * die.box[2], 0.6 * die.box[3]), {})
    assert like_each_other((die, speck, hidden)) == (die, hidden)


def test_what_is_told_and_far_smaller_than_the_dice_is_asked_about(rolled):
    seen = DiceReader().read(rolled, ("d6",))
    crumb = replace(seen[0], box=(10.0, 10.0, 0.4 * seen[0].box[2], 0.4 * seen[0].box[3]))
    *dice, asked = like_each_other((*seen, crumb))
    assert tuple(dice) == seen
    assert asked.box == crumb.box
    assert not asked.is_answered
    assert asked.best[0] == crumb.best[0]


def test_a_small_picture_is_not_enlarged(rolled, monkeypatch):
    sizes = []
    look = DieFinder.find_at
    monkeypatch.setattr(
        DieFinder, "find_at", lambda self, p, size: sizes.append(size) or look(self, p, size)
    )
    DieFinder().find(cv2.resize(rolled, (480, 360)))
    assert max(sizes) == SEEN_PX


@pytest.mark.parametrize("share", [0.35, 0.55, 0.75])
def test_a_die_that_fills_the_picture_is_read(tray, share):
    lying = scatter([("d6", 4)], (220.0, 160.0), np.random.default_rng(5))
    picture = tray.picture(*lying)
    (whole,) = DiceReader().read(picture, ("d6",))
    x, y, width, height = whole.box
    wide = width / share
    how = np.array(
        [
            [wide / 960, 0, x + width / 2 - wide / 2],
            [0, wide / 960, y + height / 2 - wide * 3 / 8],
        ]
    )
    near = cv2.warpAffine(
        picture, how, (960, 720), flags=cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    told = [die for die in DiceReader().read(near, ("d6",)) if die.is_answered]
    assert [die.best[0].face for die in told] == [4]
    assert max(told[0].box[2:]) == pytest.approx(share * 960, rel=0.3)


def test_a_picture_whose_dice_are_told_is_not_looked_at_more_coarsely(rolled, monkeypatch):
    sizes = []
    look = DieFinder.find_at
    monkeypatch.setattr(
        DieFinder, "find_at", lambda self, p, size: sizes.append(size) or look(self, p, size)
    )
    DiceReader().read(rolled, ("d6",))
    assert min(sizes) == COARSE_PX
