from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.rules.layout import CellContent
from companion.table.observation import Observation, Unreadable
from vision.blank import BLANK
from vision.board.reader import BoardReader
from vision.frame import Frame
from vision.pipeline import Watcher
from vision.settling import RESTLESS

RED = {(0, -3): CellContent(("red",))}
RED_MOVED = {(2, -3): CellContent(("red",))}


@pytest.fixture(scope="module")
def pictures(draw_board):
    return {
        "start": draw_board(RED),
        "moved": draw_board(RED_MOVED),
        "bumped": draw_board(RED_MOVED, turn_deg=4.0),
        "blind": draw_board(RED, without_markers=[0, 1]),
        "arm": with_arm(draw_board(RED)),
    }


@pytest.fixture
def watcher(draw_board, profile):
    return Watcher(BoardReader(profile, draw_board()))


def with_arm(image):
    arm = image.copy()
    cv2.line(arm, (1279, 500), (700, 470), (120, 160, 220), 130)
    return arm


def feed(watcher, image, times=4, tray=None):
    """Feed one picture some times; return what was told."""
    told = [watcher.feed(Frame(f"{k}", float(k), image, tray)) for k in range(times)]
    return [t for t in told if t is not None]


def ships(observation):
    best = {c: r.best.ships for c, r in observation.cells.items()}
    return {c: s for c, s in best.items() if s}


def test_each_rest_is_told_once(watcher, pictures):
    told = feed(watcher, pictures["start"], 8)
    assert [ships(o) for o in told] == [{(0, -3): ("red",)}]
    told = feed(watcher, pictures["moved"], 8)
    assert [ships(o) for o in told] == [{(2, -3): ("red",)}]


def test_it_is_behind_from_a_motion_on_until_the_rest_is_told(watcher, pictures):
    feed(watcher, pictures["start"])
    assert not watcher.is_behind
    for _ in range(2):
        assert watcher.feed(Frame("moved", 9.0, pictures["moved"])) is None
        assert watcher.is_behind
    assert watcher.feed(Frame("moved", 9.0, pictures["moved"])) is not None
    assert not watcher.is_behind


def test_it_is_not_behind_where_nothing_can_be_told(watcher, pictures):
    feed(watcher, pictures["start"])
    assert feed(watcher, pictures["blind"]) == []  # a hand may pass the lens
    assert watcher.is_behind
    assert len(feed(watcher, pictures["blind"], 5)) == 1
    assert not watcher.is_behind


def test_nothing_is_told_while_an_arm_is_in_view(watcher, pictures):
    feed(watcher, pictures["start"])
    assert feed(watcher, pictures["arm"], 6) == []
    told = feed(watcher, pictures["moved"])
    assert [ships(o) for o in told] == [{(2, -3): ("red",)}]


def test_an_arm_that_was_there_from_the_start_is_seen_too(watcher, pictures):
    assert feed(watcher, pictures["arm"], 6) == []


def test_an_unreadable_rest_is_told_once_and_read_as_soon_as_it_can_be(watcher, pictures):
    told = feed(watcher, pictures["blind"], 6)
    assert [type(t) for t in told] == [Unreadable]
    told = feed(watcher, pictures["start"], 6)
    assert [type(t) for t in told] == [Observation]


def test_a_lens_is_told_to_be_covered_after_a_while_and_read_through_at_once_when_it_is_not(
    watcher, pictures
):
    start = pictures["start"] // 3
    start[:, :150] = 150  # by itself, what has become of that would pass for an arm
    black = np.full_like(start, 4)
    assert [type(told) for told in feed(watcher, start)] == [Observation]
    assert feed(watcher, black, 4) == []
    assert [told.reason for told in feed(watcher, black, 5)] == [BLANK]
    assert [type(told) for told in feed(watcher, start)] == [Observation]


def test_a_picture_without_rest_for_a_minute_is_told_once_and_again_after_a_rest(watcher, pictures):
    def unrest(start_s, times):
        turns = [pictures["moved"], pictures["start"]] * times
        frames = (Frame("f", start_s + 7.0 * k, turn) for k, turn in enumerate(turns))
        return [told for frame in frames if (told := watcher.feed(frame)) is not None]

    feed(watcher, pictures["start"])
    assert unrest(10, 4) == []
    assert [told.reason for told in unrest(66, 8)] == [RESTLESS]
    assert [type(told) for told in feed(watcher, pictures["start"], 6)] == [Observation]
    assert [told.reason for told in unrest(300, 8)] == [RESTLESS]


def test_a_rest_whose_tray_was_out_of_aim_is_told_by_the_next_frames(draw_board, profile, pictures):
    aims, read = [False, True], []

    def read_dice(frame, fit):
        read.append(frame.tray)
        return ()

    watcher = Watcher(BoardReader(profile, draw_board()), read_dice, lambda *_: aims.pop(0))
    beside, on_tray = (np.full((90, 120, 3), grey, np.uint8) for grey in (60, 160))
    assert feed(watcher, pictures["start"], 3, beside) == []
    assert aims == [True]
    told = feed(watcher, pictures["start"], 5, on_tray)
    assert [o.dice for o in told] == [()]
    assert [tray.mean() for tray in read] == [160]


def test_after_a_bump_the_board_is_read_where_it_lies_now(watcher, pictures):
    feed(watcher, pictures["moved"])
    told = feed(watcher, pictures["bumped"], 45)
    assert [ships(o) for o in told] == [{(2, -3): ("red",)}]


def test_the_tray_is_read_and_a_change_in_it_is_a_new_rest(draw_board, profile, pictures):
    watcher = Watcher(
        BoardReader(profile, draw_board()), dice=lambda frame, _: (int(frame.tray.max()),)
    )
    empty, rolled = np.zeros((480, 640, 3), np.uint8), np.zeros((480, 640, 3), np.uint8)
    rolled[200:260, 300:360] = 250
    told = feed(watcher, pictures["start"], tray=empty)
    assert [o.dice for o in told] == [(0,)]
    told = feed(watcher, pictures["start"], tray=rolled)
    assert [o.dice for o in told] == [(250,)]


def test_what_is_left_open_in_the_tray_is_read_in_all_pictures_of_the_rest(
    draw_board, profile, pictures
):
    noise = np.random.default_rng(5)
    read = []
    watcher = Watcher(
        BoardReader(profile, draw_board()), dice=lambda frame, _: read.append(frame.tray) or ()
    )

    def rest(grey, times):
        read.clear()
        for _ in range(times):
            tray = np.clip(noise.normal(grey, 12, (480, 640, 3)), 0, 255).astype(np.uint8)
            feed(watcher, pictures["start"], 1, tray)
            watcher.look_again()
        return [float(tray.std()) for tray in read]

    one, *more = rest(90, 12)
    assert 11 < one < 13
    assert more == sorted(more, reverse=True)
    assert more[-1] < one / 2
    feed(watcher, pictures["arm"], 1, np.zeros((480, 640, 3), np.uint8))
    (again, *_) = rest(90, 4)  # another rest, read anew
    assert 11 < again < 13


def test_what_lay_in_the_tray_does_not_show_through_what_lies_there_now(
    draw_board, profile, pictures
):
    read = []
    watcher = Watcher(
        BoardReader(profile, draw_board()), dice=lambda frame, _: read.append(frame.tray) or ()
    )
    before = np.full((480, 640, 3), 40, np.uint8)
    now = before.copy()
    now[200:260, 300:360] = 49  # in so little light that the motion gate misses it
    for tray in [before] * 12 + [now] * 3:
        feed(watcher, pictures["start"], 1, tray)
        watcher.look_again()
    assert [int(tray.max()) for tray in read] == [40] * 10 + [49] * 3


def test_without_a_tray_the_dice_are_unknown(watcher, pictures):
    assert feed(watcher, pictures["start"])[0].dice is None


@pytest.mark.parametrize(
    ("way", "arm", "has_tumbled"),
    [
        (((60, 30), (80, 50), (90, 60)), False, True),
        (((60, 30), (80, 50), (90, 60)), True, False),
        (((30, 20),), False, False),
    ],
    ids=["tumbles", "is pushed", "lies"],
)
def test_what_tumbles_in_the_tray_is_told_from_what_a_hand_moves(
    draw_board, profile, pictures, way, arm, has_tumbled
):
    def tray(x, y, arm=False):
        picture = np.full((240, 320, 3), 60, np.uint8)
        picture[2 * y : 2 * y + 30, 2 * x : 2 * x + 30] = 220
        if arm:
            picture[2 * y + 20 :, 2 * x : 2 * x + 60] = 150
        return picture

    watcher = Watcher(BoardReader(profile, draw_board()), lambda *_: ())
    told = feed(watcher, pictures["start"], 8, tray(30, 20))
    assert [o.has_tumbled for o in told] == [False]
    for place in way:
        assert feed(watcher, pictures["start"], 1, tray(*place, arm)) == []
    watcher.look_again()
    told = feed(watcher, pictures["start"], 8, tray(*way[-1]))
    assert [o.has_tumbled for o in told] == [has_tumbled]


def test_without_a_tray_nobody_knows_whether_anything_tumbled(watcher, pictures):
    assert [o.has_tumbled for o in feed(watcher, pictures["start"])] == [None]


def test_another_look_that_is_wanted_while_a_picture_is_read_is_taken(
    draw_board, profile, pictures
):
    """A trial ends, say, and the game is to know what lies in its tray."""
    wanted = [True]

    def read_dice(frame, fit):
        if wanted:
            wanted.clear()
            watcher.look_again()
        return ()

    watcher = Watcher(BoardReader(profile, draw_board()), read_dice)
    empty = np.zeros((480, 640, 3), np.uint8)
    assert len(feed(watcher, pictures["start"], 8, empty)) == 2
