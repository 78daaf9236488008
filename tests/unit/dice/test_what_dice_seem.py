"""A die that is asked about is reported as what it seems: cocked, stacked, half hidden, unclear."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.rules.layout import Die
from companion.table.unsure_dice import (
    COCKED,
    HALF_HIDDEN,
    NO_DIE,
    STACKED,
    UNCLEAR,
    said_of,
)
from vision.dice.aspect import DOUBTS
from vision.dice.finder import Found
from vision.dice.kinds import KINDS, SIGNS
from vision.dice.legible import advice_on_picture
from vision.dice.reader import TrayReader
from vision.dice.reading import DiceReader, SeenDie, like_each_other, seen_as
from vision.dice.teller import Odds
from vision.virtual.dice import DiePose
from vision.virtual.roller import RollingTray

PLAIN = tuple(DiePose("d20", 7 + k, 40.0 + 45 * k, 40.0, 31.0 * k) for k in range(4))


def seems(sure: float, nothing: float = 0.0, **doubts: float) -> str:
    """Return what a d20 seems that is told so surely before it is doubted."""
    kinds, signs = np.zeros(len(KINDS)), np.zeros(len(SIGNS))
    kinds[[KINDS.index("d20"), KINDS.index("nothing")]] = 1 - nothing, nothing
    signs[[SIGNS.index("17"), SIGNS.index("11")]] = sure, 1 - sure
    each = np.array([doubts.get(what.replace("-", "_"), 0.0) for what in DOUBTS])
    found = Found((0.0, 0.0, 60.0, 60.0), 0.99)
    return seen_as(Odds(kinds, signs, each), found, ("d20",)).seems


def test_what_is_told_seems_nothing_else() -> None:
    assert seems(0.99) == ""
    assert seems(0.99, cocked=0.05) == ""


@pytest.mark.parametrize("what", [HALF_HIDDEN, COCKED, STACKED])
def test_the_doubt_that_weighs_most_is_named(what: str) -> None:
    weights = {"half_hidden": 0.1, "cocked": 0.1, "stacked": 0.1, what.replace("-", "_"): 0.4}
    assert seems(0.99, **weights) == what


def test_without_a_doubt_how_it_lies_its_sign_is_unclear_or_it_is_covered() -> None:
    assert seems(0.6, cocked=0.02) == UNCLEAR
    assert seems(0.99, nothing=0.5) == HALF_HIDDEN


def test_a_crumb_is_said_to_be_none() -> None:
    die = SeenDie((0.0, 0.0, 60.0, 60.0), {Die("d6", 3): 0.99})
    crumb = SeenDie((99.0, 0.0, 20.0, 20.0), {Die("d6", 1): 0.99})
    assert [one.seems for one in like_each_other([die, replace(die), crumb])] == ["", "", NO_DIE]


@pytest.mark.parametrize(
    ("awkward", "what"),
    [
        ([DiePose("d20", 4, 110, 110, 20, lean_deg=17.0, lean_way_deg=60.0)], COCKED),
        ([DiePose("d6", 5, 110, 110, 40), DiePose("d20", 4, 113, 107, 75, high_mm=16.0)], STACKED),
    ],
)
def test_in_a_tray_it_is_told_which_way_a_die_lies(make_tray, awkward, what) -> None:
    tray = make_tray()
    readings = TrayReader((220.0, 160.0), tray.empty()).read(
        tray.picture(*PLAIN, *awkward), ("d20", "d6")
    )
    asked = {r.seems for r in readings if r.centre_mm[1] > 75}
    assert what in asked
    assert [r.seems for r in readings if r.centre_mm[1] < 75] == [""] * 4


def test_what_lies_in_a_tray_and_is_no_die_is_said_to_be_none(make_tray) -> None:
    tray = make_tray()
    picture = tray.picture(*PLAIN).copy()
    picture[440:500, 430:540] = 40, 200, 240  # a card
    readings = TrayReader((220.0, 160.0), tray.empty()).read(picture, ("d20",))
    assert [r.seems for r in readings if r.best is None] == [NO_DIE]


def test_people_are_told_each_reason_once() -> None:
    assert said_of([COCKED]) == "a die is cocked"
    assert said_of([UNCLEAR, COCKED, UNCLEAR]) == (
        "what a die shows is not plain, and a die is cocked"
    )
    assert said_of([""]) == "a die is cocked, covered or not plain"


def test_numerals_that_are_too_small_to_be_read_are_asked_about(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tray = RollingTray("cannon", (1, 2, 3, 4, 5) * 4, 3, (220.0, 160.0), 2)
    thrown = [tray.read() for _ in range(8)][-1]
    assert thrown is not None
    near, far = (
        cv2.resize(thrown.board, None, fx=fx, fy=fx, interpolation=cv2.INTER_AREA)
        for fx in (0.25, 0.16)
    )
    reader = DiceReader()
    assert all(die.is_answered for die in reader.read(near, ("cannon",)))
    seen = reader.read(far, ("cannon",))
    assert [die.seems for die in seen if not die.is_answered] == [UNCLEAR] * len(seen)
    assert "I need 18" in str(advice_on_picture(seen, far))
    monkeypatch.setattr("vision.dice.reading._LEAST_NUMBERED_PX", 0.0)
    assert any(die.is_answered for die in reader.read(far, ("cannon",))), "they look plain enough"
