"""Dice seen from the side: the number of the next side is not told for the one on top."""

from __future__ import annotations

import numpy as np
import pytest

from companion.rules.layout import Die
from vision.dice.lean import LEANS_DEG, CameraMemory, Leaning, LeanTeller, together
from vision.dice.reading import DiceReader
from vision.virtual.dice import DiePose

TWENTIES = (
    DiePose("d20", 7, 60, 50, 10),
    DiePose("d20", 18, 110, 80, 100),
    DiePose("d20", 12, 160, 110, 200),
)
SIZE_PX = (960, 720)
MIDDLE = (480.0, 360.0)
D20 = 20.9
"""Half the angle between two sides of an icosahedron."""


def map_of(x, y, spread=8.0):
    """Return the map of a die that says it is seen with a lean, (L, L)."""
    columns, rows = np.meshgrid(LEANS_DEG, LEANS_DEG)
    return -((columns - x) ** 2 + (rows - y) ** 2) / (2 * spread**2)


def likely(maps, places=None):
    places = np.array([MIDDLE] * len(maps)) if places is None else np.array(places)
    return together(np.array(maps), places, SIZE_PX)


def test_what_is_told_of_one_die_alone_is_drawn_to_what_is_usual() -> None:
    first, *others = likely([map_of(32, 0)])
    assert 6 < first.leans_deg[0, 0] < 32
    assert abs(first.leans_deg[0, 1]) < 1
    assert others
    assert first.p + sum(other.p for other in others) == pytest.approx(1)
    assert all(first.p > other.p for other in others)


def test_more_dice_tell_better_where_the_camera_stands() -> None:
    one, many = likely([map_of(32, 0)])[0], likely([map_of(32, 0)] * 6)[0]
    assert many.leans_deg[0, 0] > one.leans_deg[0, 0]
    assert many.p > one.p
    odd = likely([map_of(0, -32), *[map_of(32, 0, spread=5.0)] * 3])[0]
    assert odd.leans_deg[0, 0] > 20, "it is seen as the others are"


def test_where_two_cameras_are_likely_both_are_thought_of() -> None:
    either = np.logaddexp(map_of(24, 0, spread=4.0), map_of(-24, 0, spread=4.0))
    first, second, *_ = likely([either] * 2)
    assert first.leans_deg[0, 0] * second.leans_deg[0, 0] < -(15**2)
    assert second.p > 0.2


def test_one_die_after_the_other_tells_how_a_camera_stands() -> None:
    memory = CameraMemory()
    rolls = [
        together(map_of(32, 0)[None], np.array([[x, 360.0]]), SIZE_PX, memory)[0]
        for x in (480.0, 500.0, 460.0, 490.0)
    ]
    assert rolls[0].leans_deg[0, 0] < rolls[1].leans_deg[0, 0] < rolls[3].leans_deg[0, 0]
    assert rolls[0].p < rolls[3].p


def test_a_die_that_lies_there_still_is_heard_once() -> None:
    memory, alone = CameraMemory(), likely([map_of(32, 0)])[0]
    for x in (480.0, 481.0, 479.5):
        again = together(map_of(32, 0)[None], np.array([[x, 360.0]]), SIZE_PX, memory)
        assert again[0].leans_deg == pytest.approx(alone.leans_deg, abs=0.5)


def test_a_picture_in_which_more_is_seen_is_no_new_throw() -> None:
    memory, said = CameraMemory(), np.array([1.0, 0.0])
    lies, beside, thrown = [480.0, 360.0], [90.0, 90.0], [300.0, 200.0]
    assert memory.taken_in(np.array([lies]), said).tolist() == [1.0, 0.0]
    assert memory.taken_in(np.array([beside, lies]), said).tolist() == [1.0, 0.0]
    assert memory.taken_in(np.array([thrown]), said).tolist() == [1.6, 0.0]


def test_a_camera_that_was_moved_is_known_anew_after_some_rolls() -> None:
    memory = CameraMemory()
    for x in range(8):
        together(map_of(0, 32)[None], np.array([[400.0 + 9 * x, 360.0]]), SIZE_PX, memory)
    for x in range(8):
        place = np.array([[400.0 + 9 * x, 300.0]])
        last = together(map_of(32, 0)[None], place, SIZE_PX, memory)[0]
    assert last.leans_deg[0, 0] > 20
    assert abs(last.leans_deg[0, 1]) < 10


def test_dice_at_both_sides_of_a_picture_lean_outward() -> None:
    """A camera straight above sees what stands at the left lean to the left."""
    left, right = (90.0, 360.0), (870.0, 360.0)
    leans = likely([map_of(0, 0), map_of(0, 0)], [left, right])[0].leans_deg
    assert leans[0, 0] < -5
    assert leans[1, 0] > 5


def test_the_top_is_sought_where_up_is() -> None:
    leaning = Leaning(1.0, np.array([[30.0, 0.0], [0.0, -30.0], [0.0, 0.0]]))
    places = [(100.0, 100.0, 60.0, 60.0)] * 3
    first, second, third = leaning.tops_of(places, ["icosahedron"] * 3)
    assert first == pytest.approx((112.0, 100.0, 60.0, 60.0))
    assert second == pytest.approx((100.0, 88.0, 60.0, 60.0))
    assert third == places[2]
    assert leaning.tops_of(places, ["cube", "", "tetrahedron"]) == places
    assert leaning.aslant(["icosahedron", "dodecahedron", "icosahedron"]) == [True, False, False]


@pytest.mark.parametrize("tilt", [0.0, 8.0, 34.0])
def test_it_is_told_how_dice_are_seen(make_tray, tilt) -> None:
    tray = make_tray(tray_tilt_deg=tilt)
    picture, places = tray.picture(*TWENTIES), tray.boxes(TWENTIES)
    leaning = LeanTeller().leanings(picture, places, ["icosahedron"] * 3)[0]
    assert np.hypot(*(leaning.leans_deg - tray.leans_deg(TWENTIES)).T).max() < D20
    assert leaning.aslant(["icosahedron"] * 3) == [tilt > D20] * 3


def test_nobody_looks_how_that_is_seen_which_is_no_die(make_tray) -> None:
    tray = make_tray(tray_tilt_deg=34.0)
    picture, places = tray.picture(*TWENTIES), tray.boxes(TWENTIES)
    (leaning,) = LeanTeller().leanings(picture, places, ["", "", ""])
    assert leaning.p == 1
    assert not leaning.leans_deg.any()


def test_what_lies_there_and_is_no_die_says_nothing_of_the_camera(make_tray) -> None:
    tray = make_tray(tray_tilt_deg=34.0)
    picture, places = tray.picture(*TWENTIES), tray.boxes(TWENTIES)
    teller, beside = LeanTeller(), [(5.0, 5.0, 90.0, 90.0)]
    both = teller.leanings(picture, [*places, *beside], [*["icosahedron"] * 3, ""])
    alone = teller.leanings(picture, places, ["icosahedron"] * 3)
    assert both[0].leans_deg[:3] == pytest.approx(alone[0].leans_deg, abs=1e-3)
    assert not both[0].leans_deg[3].any()


@pytest.mark.parametrize("tilt", [20.0, 34.0])
def test_dice_seen_from_the_side_are_told_by_their_tops(make_tray, tilt) -> None:
    seen = DiceReader().read(make_tray(tray_tilt_deg=tilt).picture(*TWENTIES), ("d20",))
    told = {die.best[0] for die in seen if die.is_answered}
    assert told <= {Die(die.kind, die.face) for die in TWENTIES}
    assert len(told) >= 2


CUBES = (
    DiePose("d6", 2, 60, 50, 10),
    DiePose("d6", 5, 160, 50, 70),
    DiePose("d6", 3, 60, 115, 30),
    DiePose("d6", 6, 160, 115, 55),
)
"""Around the middle."""


@pytest.mark.parametrize("tilt", [24.0, 40.0])
def test_pips_of_the_next_side_are_not_counted_with_those_on_top(make_tray, tilt) -> None:
    seen = DiceReader().read(make_tray(tray_tilt_deg=tilt).picture(*CUBES), ("d6",))
    assert sorted(die.best[0].face for die in seen if die.is_answered) == [2, 3, 5, 6]
