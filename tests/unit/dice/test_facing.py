"""Which way the sides of dice face: whether they lie flat, and how the camera sees them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.dice.facing import FacingTeller, LensMemory, UsualFacing
from vision.dice.kinds import SHAPES
from vision.dice.lean import Leaning
from vision.dice.memory import TrayMemory
from vision.dice.reading import DiceReader
from vision.dice.teller import DieTeller
from vision.virtual.dice import DiePose

KINDS = ("cannon", "d20", "d12", "d10", "d8")
AROUND = ((45.0, 35.0), (175.0, 35.0), (110.0, 80.0), (45.0, 125.0), (175.0, 125.0))


@pytest.fixture(scope="module")
def teller():
    return FacingTeller()


def flat_dice(kind: str) -> tuple[DiePose, ...]:
    return tuple(DiePose(kind, 3, *at, 25.0 * k) for k, at in enumerate(AROUND))


def shown(tray, dice):
    """Return how some dice are shown: picture, boxes, leans of flat ones (N, 2), shapes."""
    shapes = [SHAPES[die.kind] for die in dice]
    return tray.picture(*dice), tray.boxes(dice), tray.leans_deg(dice), shapes


@pytest.mark.parametrize("tilt", [0.0, 14.0])
@pytest.mark.parametrize("kind", KINDS)
def test_what_leans_faces_otherwise_than_what_lies_flat(make_tray, teller, kind, tilt) -> None:
    tray, dice = make_tray(tray_tilt_deg=tilt), flat_dice(kind)
    picture, boxes, leans, shapes = shown(tray, dice)
    (flat,) = teller.flat(picture, boxes, leans[None], shapes)
    leaning = [replace(d, lean_deg=16.0, lean_way_deg=70.0 * k) for k, d in enumerate(dice)]
    picture, boxes, _, _ = shown(tray, leaning)
    (cocked,) = teller.flat(picture, boxes, leans[None], shapes)
    assert np.median(flat) > 2
    assert np.median(cocked) < -0.5


def test_each_camera_has_its_answers(tray, teller) -> None:
    picture, boxes, leans, shapes = shown(tray, flat_dice("cannon"))
    true, other = teller.flat(
        picture, boxes, np.stack([leans, leans + np.array([16.0, 0.0])]), shapes
    )
    assert true.min() > 1
    assert other.max() < 0


@pytest.mark.parametrize("times", [0.6, 1.0, 1.65])
def test_dice_tell_the_lens_where_the_tray_tells_another(tray, teller, times) -> None:
    """A tray is seen much alike through a wide lens from near and through a long one from afar."""
    lenses = LensMemory()
    for turn in range(2):
        dice = [replace(d, turn_deg=d.turn_deg + 40 * turn) for d in flat_dice("cannon")]
        dice = [replace(d, x_mm=d.x_mm + 6 * turn) for d in dice]
        picture, boxes, leans, shapes = shown(tray, dice)
        odds, flat = teller.in_tray(picture, boxes, leans / times, shapes, lenses)
    flat_share = (odds * (flat > 1)).sum(axis=0).mean()
    assert flat_share > 0.7, "most are seen to lie flat under the likely lenses"


@pytest.mark.parametrize(("leaning_deg", "lenses"), [(0.0, 1), (20.0, 5)])
def test_a_throw_of_plain_dice_is_looked_at_under_one_lens_alone(
    tray, teller, leaning_deg, lenses
) -> None:
    """No other could be told to be likelier: each look costs time."""
    first, *others = flat_dice("cannon")
    cocked = replace(first, lean_deg=leaning_deg)
    odds, flat = teller.in_tray(*shown(tray, [cocked, *others]), LensMemory())
    assert flat.shape == (lenses, 5)
    assert odds.sum(axis=0) == pytest.approx(np.ones(5))


@pytest.mark.parametrize(("leaning_deg", "looks"), [(0.0, 5), (12.0, 10)])
def test_in_a_tray_a_die_that_does_not_face_plainly_is_looked_at_again(
    tray, count_looks, leaning_deg, looks
) -> None:
    first, *others = flat_dice("cannon")
    dice, lenses = [replace(first, lean_deg=leaning_deg), *others], LensMemory()
    lenses.odds = np.array([1.0, 0, 0, 0, 0])  # the lens is known
    teller = FacingTeller()
    seen = count_looks(teller)
    (mean,) = teller.in_tray(*shown(tray, dice), lenses)[1]
    assert seen() == looks
    picture, boxes, leans, shapes = shown(tray, dice)
    (once,) = teller.flat(picture, boxes, leans[None], shapes)
    assert (mean[0] != pytest.approx(once[0])) == (looks > 5)
    assert mean[1:] == pytest.approx(once[1:])


def test_dice_that_were_not_thrown_again_say_nothing_new() -> None:
    lenses, places = LensMemory(), np.array([[100.0, 100.0], [300.0, 200.0]])
    says = np.array([[-1.0], [-3.0], [-3.0], [-3.0], [2.0]]) * np.ones(2)
    lenses.taken_in(places, says)
    once = lenses.odds
    lenses.taken_in(places, says)
    assert lenses.odds == pytest.approx(once)
    lenses.taken_in(places + 50, says)
    assert lenses.odds[4] > once[4]


def test_a_die_that_leans_does_not_vouch_for_the_lens_through_which_it_would_lie_flat() -> None:
    places = np.array([[100.0, 100.0], [300.0, 200.0], [200.0, 300.0]])
    flat = np.array([[-2.0, 1.0, 1.0], *[[-2.0, -1.0, 0.0]] * 3, [2.5, -1.0, -1.0]])
    lenses = LensMemory()
    for_leaning, for_second, _ = lenses.taken_in(places, flat).T
    alone = LensMemory()
    alone.taken_in(places[1:], flat[:, 1:])
    assert for_leaning == pytest.approx(alone.odds)
    assert for_leaning[4] < lenses.odds[4] < for_second[4]


def test_a_lens_that_was_thought_unlikely_is_looked_at_again(tray, teller) -> None:
    lenses, dice = LensMemory(), flat_dice("cannon")
    wrong = np.array([[-3.0], [3.0], [-3.0], [-3.0], [-3.0]]) * np.ones(5)
    lenses.taken_in(np.zeros((5, 2)), wrong)
    assert lenses.odds[1] > 0.95
    for turn in range(12):
        thrown = [replace(d, x_mm=d.x_mm + 4 * (turn % 2), turn_deg=31.0 * turn) for d in dice]
        picture, boxes, leans, shapes = shown(tray, thrown)
        teller.in_tray(picture, boxes, leans, shapes, lenses)
    assert lenses.odds[0] > 0.5


def usual_after(throws: int, facing: float, place_px: float = 40.0) -> UsualFacing:
    """Return what is usual once so many throws of a die have faced so."""
    usual = UsualFacing()
    for throw in range(throws):
        place = np.array([[100.0 + place_px * throw, 80.0]])
        usual.doubts(place, ["icosahedron"], np.array([facing]))
    return usual


ONE, HERE = ["icosahedron"], np.array([[20.0, 20.0]])


@pytest.mark.parametrize(("facing", "least", "most"), [(1.5, 0.3, 9.0), (4.0, 0.0, 0.02)])
def test_what_faces_far_less_plainly_than_its_like_is_doubted(facing, least, most) -> None:
    score = np.array([facing])
    assert usual_after(0, 6.0).doubts(HERE, ONE, score)[0] < 0.01, "nothing is usual yet"
    assert least <= usual_after(8, 6.0).doubts(HERE, ONE, score)[0] <= most


def test_where_all_dice_face_poorly_none_is_doubted_for_it() -> None:
    """Numerals may be dim, or dice of an odd make."""
    assert usual_after(20, 2.0).doubts(HERE, ONE, np.array([1.5]))[0] < 0.01


def test_a_die_of_an_odd_make_is_asked_about_three_times() -> None:
    """Among others its sides face poorly, whoever throws it."""
    usual, odd = usual_after(12, 6.0), np.array([1.5])
    throws = [float(usual.doubts(HERE + 60.0 * k, ONE, odd)[0]) for k in range(5)]
    assert [doubt > 0.1 for doubt in throws] == [True, True, True, False, False]


def test_only_what_lay_flat_elsewhere_and_has_its_shape_makes_plain_dice_usual() -> None:
    for unlike in (
        usual_after(8, 6.0, place_px=0.0),  # one die that nobody threw again
        usual_after(20, -4.0),  # cocked ones
    ):
        assert unlike.doubts(HERE, ONE, np.array([1.5]))[0] < 0.01
    others = usual_after(8, 6.0).doubts(
        np.repeat(HERE, 3, axis=0), ["octahedron", "cube", ""], np.array([1.5, np.inf, np.inf])
    )
    assert others[0] < 0.01
    assert others[1:].tolist() == [0, 0]


def test_a_cocked_die_is_asked_about_once_its_tray_has_shown_plain_ones(make_tray) -> None:
    """It leans so little that by itself it may be told."""
    tray, reader = make_tray(), DiceReader()
    memory = TrayMemory()
    leaning = replace(flat_dice("d20")[2], lean_deg=12.5, lean_way_deg=200.0)
    (x, y), shape = (leaning.x_mm, leaning.y_mm), [SHAPES["d20"]]

    def doubt(die: DiePose, memory: TrayMemory) -> float:
        views = reader.views_in_tray(tray.picture(die), tray.aspect([die]), shape, memory)
        return float(views.doubts.sum())

    fresh = doubt(leaning, TrayMemory())
    for turn in range(6):
        plain = replace(
            leaning, lean_deg=0.0, x_mm=x - 60 + 22 * turn, y_mm=y - 30, turn_deg=50.0 * turn
        )
        assert doubt(plain, memory) < 0.05
    assert doubt(leaning, memory) > 3 * fresh


@pytest.mark.parametrize("off_deg", [(10.0, 0.0), (-7.0, 8.0)])
def test_a_camera_known_roughly_is_known_better_by_the_dice(make_tray, teller, off_deg) -> None:
    tray, dice = make_tray(tray_tilt_deg=10.0), [*flat_dice("d20")[:3], *flat_dice("d12")[3:]]
    picture, boxes, leans, shapes = shown(tray, dice)
    rough = Leaning(1.0, leans + np.array(off_deg))
    (nearer,) = teller.held_against(picture, boxes, [rough], shapes)
    assert np.hypot(*(nearer.leans_deg - leans).T).mean() < 6


def test_of_several_cameras_the_one_is_likeliest_that_the_dice_tell(tray, teller) -> None:
    picture, boxes, leans, shapes = shown(tray, flat_dice("d12"))
    wrong = Leaning(0.6, leans + np.array([25.0, 0.0]))
    first, second = teller.held_against(picture, boxes, [wrong, Leaning(0.4, leans)], shapes)
    assert np.hypot(*(first.leans_deg - leans).T).mean() < 4
    assert first.p > 0.9
    assert first.p + second.p == pytest.approx(1)


def test_without_numbered_dice_a_camera_stays_as_likely_as_it_was(tray, teller) -> None:
    cameras = [Leaning(0.7, np.zeros((2, 2))), Leaning(0.3, np.full((2, 2), 9.0))]
    boxes = [(20.0, 20.0, 40.0, 40.0), (120.0, 20.0, 40.0, 40.0)]
    assert teller.held_against(tray.empty(), boxes, cameras, ["cube", ""]) == tuple(cameras)


def test_the_teller_doubts_less_where_others_judge_how_dice_lie(tray) -> None:
    dice = (DiePose("cannon", 3, 60, 60), DiePose("d6", 4, 160, 100))
    picture, boxes, _, shapes = shown(tray, dice)
    views = DiceReader().views_in_tray(picture, tray.aspect(dice), shapes, TrayMemory())
    telling, kinds = DieTeller(), ("cannon", "d6")
    judged = [one.nothing_worth for one in telling.tell(picture, boxes, kinds, lambda _: views)]
    assert [worth < 1 for worth in judged] == [True, False], "cubes are not asked about"
    assert [one.nothing_worth for one in telling.tell(picture, boxes, kinds)] == [1, 1]
