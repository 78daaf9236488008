from __future__ import annotations

import json

import numpy as np
import pytest

from companion.errors import NotCalibrated
from companion.rules.layout import CellContent
from vision.board.look import Look, hull_tone, learn_look, load_look
from vision.board.reader import BoardReader
from vision.board.ships import SHIPS, SOME, ShipSet
from vision.frame import Frame

SEA = np.full((1, 32, 32, 3), 0.4, np.float32)
BLUE, TEAL = np.array([0.7, 0.3, 0.2]), np.array([0.5, 0.5, 0.2])


def ship_of(tone):
    cell = SEA.copy()
    cell[0, 12:20, 8:24] = tone
    return cell


def answers(some=6.0, **fits):
    out = np.zeros((1, ShipSet.outputs))
    out[0, : len(SHIPS)] = [fits.get(name, -12.0) for name in SHIPS]
    out[0, SOME] = some
    return out


@pytest.fixture
def look():
    return learn_look({"blue": [BLUE, BLUE + 0.02], "green": [TEAL]})


def test_a_taught_tone_settles_a_doubt(look):
    weighed = look.weigh(answers(blue=1.0, green=0.5), ShipSet(), ship_of(TEAL), SEA)
    assert weighed[0, :7].argmax() == SHIPS.index("green")


def test_what_was_not_taught_is_left_to_the_net(look):
    weighed = look.weigh(answers(black=5.0), ShipSet(), ship_of(BLUE), SEA)
    assert weighed[0, SHIPS.index("black")] == 5.0


def test_a_look_makes_no_ship_of_the_sea(look):
    before = answers(some=-3.0, blue=3.0)
    assert (look.weigh(before, ShipSet(), ship_of(BLUE), SEA) == before).all()


def test_a_bare_cell_has_no_tone():
    assert hull_tone(SEA[0], SEA[0]) is None


def test_a_look_is_saved_and_loaded(look, tmp_path):
    path = tmp_path / "look.json"
    path.write_text(json.dumps(look.to_json()))
    again = load_look(path)
    assert set(again.tones) == {"blue", "green"}
    assert np.allclose(again.tones["blue"], look.tones["blue"])


@pytest.mark.parametrize(
    "text",
    ["", "[]", '{"version": 9, "ships": {}}', '{"version": 1, "ships": {"red": {"mean": [1]}}}'],
)
def test_a_broken_look_is_named(tmp_path, text):
    path = tmp_path / "look.json"
    path.write_text(text)
    with pytest.raises(NotCalibrated, match="look"):
        load_look(path)


def test_tones_are_learnt_from_a_picture(draw_board, profile):
    fleet = {(0, -3): "red", (3, -1): "blue"}
    picture = draw_board({cell: CellContent((ship,)) for cell, ship in fleet.items()})
    reader = BoardReader(profile, draw_board())
    look = learn_look(reader.sample_tones(Frame("f", 0, picture), fleet))
    assert isinstance(look, Look)
    assert look.tones["red"][0].argmax() == 2  # blue, green, red
    assert look.tones["blue"][0].argmax() == 0
    taught = BoardReader(profile, draw_board(), look).read(Frame("f", 0, picture))
    assert taught.cells[0, -3].ships["red",] > 0.9
