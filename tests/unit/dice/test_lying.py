"""Dice that lean on something or lie on another: they are asked about."""

from __future__ import annotations

import numpy as np
import pytest

from companion.table.unsure_dice import COCKED
from vision.dice.aspect import DOUBTS
from vision.dice.kinds import SHAPES
from vision.dice.lying import LyingTeller
from vision.dice.memory import TrayMemory
from vision.dice.reading import DiceReader
from vision.virtual.dice import DiePose

CUBES = (
    DiePose("d6", 2, 60, 50, 10),
    DiePose("d6", 5, 160, 50, 70),
    DiePose("d6", 3, 60, 115, 30),
    DiePose("d6", 6, 160, 115, 55),
)
"""Around the middle."""
FLAT = DiePose("d6", 4, 110, 82, 25)


def cocked(way):
    return DiePose("d6", 4, 110, 82, 25, lean_deg=38.0, lean_way_deg=way)


@pytest.mark.parametrize("tilt", [0.0, 16.0])
@pytest.mark.parametrize("way", [15.0, 60.0])
def test_a_cocked_die_lies_otherwise_than_those_beside_it(make_tray, tilt, way) -> None:
    tray, dice = make_tray(tray_tilt_deg=tilt), (*CUBES, cocked(way))
    leans = tray.leans_deg((*CUBES, FLAT))
    shown = tray.picture(*dice), tray.boxes(dice), leans, ["cube"] * 5
    otherwise = LyingTeller().otherwise(*shown).sum(axis=1)
    assert otherwise[4] > 2.7 * otherwise[:4].max()


@pytest.mark.parametrize("tilt", [0.0, 12.0])
def test_where_the_camera_is_known_a_cocked_die_needs_none_beside_it(make_tray, tilt) -> None:
    tray, teller = make_tray(tray_tilt_deg=tilt), LyingTeller()
    otherwise = []
    for die in (FLAT, cocked(60.0)):
        picture, leans = tray.picture(die), tray.leans_deg((FLAT,))
        told = teller.otherwise(picture, tray.boxes((die,)), leans, ["cube"], True)
        otherwise.append(told.sum())
    assert otherwise[1] > 7 * otherwise[0]


@pytest.mark.parametrize("tilt", [0.0, 14.0])
def test_it_is_answered_for_the_shape_that_the_die_has(make_tray, tilt) -> None:
    dice = tuple(DiePose("d10", 7, 50 + 40 * k, 80, 25 * k) for k in range(4))
    tray, teller = make_tray(tray_tilt_deg=tilt), LyingTeller()
    shown = tray.picture(*dice), tray.boxes(dice), tray.leans_deg(dice)
    as_d10, as_cube = (
        np.log(teller.otherwise(*shown, [s] * 4, True).sum(axis=1))
        for s in ("trapezohedron", "cube")
    )
    assert as_d10.max() < 0
    assert as_d10.mean() < as_cube.mean() - 1


@pytest.mark.parametrize("kind", ["d20", "cannon", "d12", "d10", "d8"])
def test_in_a_tray_a_numbered_die_half_under_a_card_is_doubted(tray, kind) -> None:
    dice = tuple(DiePose(kind, 3, 50 + 60 * k, 80, 25 * k) for k in range(3))
    picture, boxes = tray.picture(*dice).copy(), tray.boxes(dice)
    x, y, wide, high = boxes[1]
    card = np.s_[int(y - 0.4 * high) : int(y + 1.4 * high), int(x + wide / 2) : int(x + 1.5 * wide)]
    picture[card] = 60, 120, 200
    seen = picture, tray.aspect(dice), [SHAPES[kind]] * 3
    doubts = DiceReader().views_in_tray(*seen, TrayMemory()).doubts.sum(axis=1)
    assert doubts[1] > 0.3
    assert max(doubts[0], doubts[2]) < 0.05


def test_nobody_looks_how_that_lies_which_is_no_die(tray) -> None:
    shapes = ["cube", "", "cube", ""]
    otherwise = LyingTeller().otherwise(
        tray.picture(*CUBES), tray.boxes(CUBES), tray.leans_deg(CUBES), shapes
    )
    assert (otherwise == 0).all(axis=1).tolist() == [False, True, False, True]


@pytest.mark.parametrize(("tilt", "way"), [(0.0, 310.0), (0.0, 220.0), (16.0, 130.0)])
def test_a_cocked_die_among_plain_ones_is_asked_about_in_any_picture(make_tray, tilt, way) -> None:
    tray = make_tray(tray_tilt_deg=tilt)
    seen = DiceReader().read(tray.picture(*CUBES, cocked(way)), ("d6",))
    assert sorted(die.best[0].face for die in seen if die.is_answered) == [2, 3, 5, 6]
    assert len(seen) == 5


@pytest.mark.parametrize(("kind", "is_doubted"), [("d20", False), ("d10", False), ("d6", True)])
def test_whether_a_numbered_die_leans_its_sides_alone_tell(
    make_tray, monkeypatch, kind, is_doubted
) -> None:
    def leaning(_self, _picture, boxes, *_others, **_more):
        return np.tile([0.0, 90.0, 0.0], (len(boxes), 1))

    dice = tuple(DiePose(kind, 3, 50 + 60 * k, 80, 25 * k) for k in range(3))
    tray = make_tray()
    monkeypatch.setattr(LyingTeller, "otherwise", leaning)
    seen = tray.picture(*dice), tray.aspect(dice), [SHAPES[kind]] * 3
    doubts = DiceReader().views_in_tray(*seen, TrayMemory()).doubts[:, DOUBTS.index(COCKED)]
    assert (doubts > 0.1).tolist() == [is_doubted] * 3


@pytest.mark.parametrize("knows_camera", [True, False])
@pytest.mark.parametrize("kind", ["d6", "d20"])
def test_a_die_that_does_not_lie_plainly_is_looked_at_again(
    tray, count_looks, kind, knows_camera
) -> None:
    """Numbered dice only where it is known how the camera stands."""
    teller = LyingTeller()
    dice = (*CUBES[:2], DiePose(kind, 4, 110, 82, 25, lean_deg=30.0, lean_way_deg=40.0))
    leans, shapes = tray.leans_deg(dice), [SHAPES[die.kind] for die in dice]
    seen = count_looks(teller)
    teller.otherwise(tray.picture(*dice), tray.boxes(dice), leans, shapes, knows_camera)
    assert seen() == (8 if knows_camera or kind == "d6" else 3)
