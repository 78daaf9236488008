from __future__ import annotations

import numpy as np
import pytest

from companion.errors import NotCalibrated
from companion.rules.layout import CellContent
from companion.table.observation import Unreadable
from vision.board.patches import PatchGrid, even_light
from vision.board.reader import BoardReader
from vision.board.ships import SHIPS, SOME, groups_of, read_cell
from vision.frame import Frame

FLEET = {
    (0, -3): CellContent(("red",)),
    (3, -1): CellContent(("blue",)),
    (-3, 2): CellContent(("yellow",)),
    (1, 2): CellContent(("green",)),
    (-2, -1): CellContent(("black",)),
    (2, -4): CellContent((), "desert"),
}


def seen(observation):
    found = {cell: r.best for cell, r in observation.cells.items()}
    return {cell: content for cell, content in found.items() if content != CellContent()}


@pytest.mark.parametrize(
    "light", [(1.0, 1.0, 1.0), (0.35, 0.55, 0.75)], ids=["daylight", "warm lamp"]
)
def test_a_fleet_is_read_against_the_empty_board(draw_board, profile, light):
    reader = BoardReader(profile, draw_board())
    observation = reader.read(Frame("f1", 4.5, draw_board(FLEET, tilt_deg=15.0, light=light)))
    assert seen(observation) == FLEET
    assert observation.frame_id == "f1"
    assert observation.time_s == 4.5
    assert observation.dice is None
    assert observation.fit_error_mm < 0.8
    assert observation.occluded == frozenset()


def test_every_cell_has_probabilities_that_sum_to_one(draw_board, profile):
    observation = BoardReader(profile, draw_board()).read(Frame("f", 0, draw_board(FLEET)))
    assert set(observation.cells) == set(profile.cells)
    for reading in observation.cells.values():
        assert sum(reading.ships.values()) == pytest.approx(1)
        assert sum(reading.terrain.values()) == pytest.approx(1)


def test_the_board_may_lie_the_other_way_round(draw_board, profile):
    reader = BoardReader(profile, draw_board())
    assert seen(reader.read(Frame("f", 0, draw_board(FLEET, turn_deg=181.0)))) == FLEET


def test_a_frame_without_a_board_is_unreadable_and_leaves_the_fit(draw_board, profile):
    reader = BoardReader(profile, draw_board())
    reader.read(Frame("f1", 0, draw_board()))
    fit = reader.fit
    told = reader.read(Frame("f2", 0, np.zeros((960, 1280, 3), np.uint8)))
    assert isinstance(told, Unreadable)
    assert told.frame_id == "f2"
    assert reader.fit is fit


def test_an_unusable_empty_picture_is_refused(profile):
    with pytest.raises(NotCalibrated, match="empty board cannot be used: I see nothing"):
        BoardReader(profile, np.zeros((960, 1280, 3), np.uint8))


def answers(some=12.0, **fits):
    """Return a net's answers for a cell: ships that fit, and that there is any (log-odds)."""
    out = np.zeros(13)
    out[:7] = [fits.get(name, -12.0) for name in SHIPS]
    out[SOME] = some
    return out


SEA = np.array([12.0, 0.0, 0.0, 0.0])
PAIRS, FLEETS = groups_of(2), groups_of(6)
EVEN = np.zeros(7)


def test_answers_become_one_ship():
    reading = read_cell(answers(red=3.0), SEA, EVEN, PAIRS)
    assert reading.best.ships == ("red",)
    assert reading.ships["red",] > 0.99
    assert reading.terrain == pytest.approx({None: 1.0}, abs=1e-3)


def test_two_colours_that_fit_are_a_boarding():
    reading = read_cell(answers(red=7.0, blue=7.0), SEA, EVEN, PAIRS)
    assert reading.best.ships == ("blue", "red")


def test_three_lie_together_only_where_a_fleet_may():
    three = answers(red=5.0, blue=5.0, gray=5.0)
    assert max(map(len, read_cell(three, SEA, EVEN, PAIRS).ships)) == 2
    fleet = read_cell(three, SEA, EVEN, FLEETS).ships
    assert max(fleet, key=fleet.get) == ("blue", "gray", "red")


def test_doubt_of_a_ship_is_shared_out():
    reading = read_cell(answers(some=0.0, blue=0.0), SEA, EVEN, PAIRS)
    assert reading.ships["blue",] == pytest.approx(0.5, abs=0.01)
    assert reading.ships[()] == pytest.approx(0.5, abs=0.01)


def test_doubt_of_a_colour_is_no_doubt_of_a_ship():
    reading = read_cell(answers(gray=-6.0, white=-6.5), SEA, EVEN, PAIRS)
    assert 0.55 < reading.ships["gray",] < 0.65
    assert reading.ships["gray",] + reading.ships["white",] > 0.98


def test_a_ship_that_is_unlikely_before_one_looks_leaves_the_others_or_none():
    no_merchant = EVEN.copy()
    no_merchant[SHIPS.index("white")] = -5.0
    gray_or_white = answers(some=2.0, gray=-6.0, white=-5.5)
    ships = read_cell(gray_or_white, SEA, EVEN, PAIRS).ships
    assert max(ships, key=ships.get) == ("white",)
    ships = read_cell(gray_or_white, SEA, no_merchant, PAIRS).ships
    assert max(ships, key=ships.get) == ("gray",)
    ships = read_cell(answers(some=2.0, white=3.0), SEA, no_merchant, PAIRS).ships
    assert max(ships, key=ships.get) == ()


def test_no_ship_lies_on_a_volcano():
    reading = read_cell(answers(some=1.0, red=3.0), np.array([0.0, 6.0, 0.0, 0.0]), EVEN, PAIRS)
    assert reading.terrain["volcano"] > 0.9
    assert reading.ships[()] > 0.9


def test_an_arm_over_two_ninths_of_the_board_does_not_bend_the_light():
    line = np.linspace(-200, 200, 9)
    x, y = (axis.ravel() for axis in np.meshgrid(line, line))
    grid = PatchGrid(np.zeros((81, 32, 32, 2)), np.column_stack([x, y]), 1.06)
    bare = np.full((81, 32, 32, 3), 0.4)
    light = np.exp(-0.3 + 0.001 * x)[:, None, None, None] * np.array([0.8, 1.0, 1.1])
    seen = bare * light
    arm = x > 100
    seen[arm] = [0.1, 0.1, 0.1]
    evened = even_light(seen, bare, grid)
    assert np.abs(evened[~arm] / bare[~arm] - 1).max() < 0.06
