from __future__ import annotations

import cv2

from companion.rules.layout import CellContent
from vision.board.reader import BoardReader
from vision.following import Change, FreeWatch
from vision.frame import Frame

START = {(0, -3): CellContent(("red",)), (3, -1): CellContent(("blue",))}
MOVED = {(0, -3): CellContent(("red",)), (1, 1): CellContent(("blue",))}


def follow(profile, *pictures):
    watch = FreeWatch(BoardReader(profile))
    return [watch.feed(Frame(str(k), 0, p)) for k, p in enumerate(pictures)]


def test_a_first_picture_without_pieces_is_the_empty_board(draw_board, profile):
    first, second, third = follow(profile, draw_board(), draw_board(START), draw_board(MOVED))
    assert first == [Change("empty_board")]
    assert set(second) == {
        Change("appeared", "red", None, (0, -3)),
        Change("appeared", "blue", None, (3, -1)),
    }
    assert third == [Change("moved", "blue", (3, -1), (1, 1))]


def test_a_hand_holds_everything_until_it_is_gone(draw_board, profile):
    arm = draw_board(START)
    cv2.line(arm, (1279, 500), (700, 470), (120, 160, 220), 130)
    told = follow(profile, draw_board(), draw_board(START), arm, draw_board(MOVED))
    assert told[2] == [Change("hand")]
    assert told[3] == [Change("moved", "blue", (3, -1), (1, 1))]


def test_a_bump_and_a_new_light_are_told_and_move_no_ship(draw_board, profile):
    told = follow(
        profile,
        draw_board(),
        draw_board(START),
        draw_board(START, turn_deg=4.0),
        draw_board(START, turn_deg=4.0, light=(0.4, 0.6, 0.8)),
    )
    assert told[2] == [Change("camera_moved")]
    assert told[3] == [Change("light_changed")]


def test_an_unreadable_picture_is_told_with_its_reason(draw_board, profile):
    told = follow(profile, draw_board(), draw_board(without_markers=[1, 2]), draw_board(START))
    assert told[1][0].event == "unreadable"
    assert "two of four markers" in told[1][0].reason
    assert len(told[2]) == 2
