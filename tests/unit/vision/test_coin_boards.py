"""Boards of coins: what the reader makes of the virtual table's pictures."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest

from companion.boards.profile import load_profile
from companion.cli import main
from companion.errors import NotCalibrated
from companion.rules.layout import CellContent, make_layout
from companion.table.observation import CellReading, Unreadable
from vision.board.coins import CoinSet, at_most
from vision.board.look import learn_look
from vision.board.patches import blind_cells, lone_cells
from vision.board.reader import BoardReader
from vision.following import BoardMemory, Change
from vision.virtual import Scene, VirtualTable

SEA = load_profile("piecepack-sea")
TWO = load_profile("piecepack-two-seas")
LAID = {
    (8, 0): CellContent(("suns", "suns", "suns")),
    (1, 1): CellContent(("arms",)),
    (4, 6): CellContent(("crowns",), cargo="treasure"),
    (7, 8): CellContent(("moons",)),
    (3, 3): CellContent((), "wreck"),
}
SEEN = {**LAID, (8, 0): CellContent(("suns",))}


def a_table(profile=SEA, seed=0, **scene):
    return VirtualTable(profile, Scene(**scene), np.random.default_rng(seed), lambda: 0.0)


def seen(observation):
    assert not isinstance(observation, Unreadable)
    found = {cell: r.best for cell, r in observation.cells.items()}
    return {cell: content for cell, content in found.items() if content != CellContent()}


@pytest.mark.parametrize(
    ("seed", "style"),
    [(0, "deep"), (8, "chart"), (7, "night")],
    ids=["painted", "rimmed", "barrel"],
)
def test_a_game_is_read_against_the_empty_sea(seed, style):
    table = a_table(seed=seed, board_style=style, tilt_deg=11.0)
    reader = BoardReader(SEA, table.empty_board())
    table.lay(make_layout(LAID))
    observation = reader.read(table.frame())
    assert seen(observation) == SEEN
    assert set(observation.cells) == set(SEA.cells)
    for reading in observation.cells.values():
        for odds in (reading.ships, reading.terrain, reading.cargo):
            assert sum(odds.values()) == pytest.approx(1)


def test_the_treasure_is_seen_on_the_island():
    table = a_table()
    reader = BoardReader(SEA, table.empty_board())
    table.lay(make_layout({(5, 5): CellContent((), cargo="treasure")}))
    assert seen(reader.read(table.frame())) == {(5, 5): CellContent((), None, "treasure")}


def test_a_pawn_on_a_bare_coin_hides_its_suit_and_says_so():
    table = a_table(seed=5)
    reader = BoardReader(SEA, table.empty_board())
    table.lay(make_layout({(4, 6): CellContent(("crowns",), cargo="treasure")}))
    told = reader.read(table.frame()).cells[4, 6]
    assert told.cargo["treasure"] > 0.9
    assert told.ships[("crowns",)] > 0.05
    assert max(told.ships.values()) < 0.8


def test_two_packs_are_told_apart_where_both_are_in_play():
    cells = {
        (c, 3 + k): CellContent((fleet,))
        for k, suit in enumerate(("suns", "crowns", "moons", "arms"))
        for c, fleet in ((2, suit), (15, f"{suit}2"))
    }
    table = a_table(TWO)
    reader = BoardReader(TWO, table.empty_board())
    table.lay(make_layout(cells))
    assert seen(reader.read(table.frame())) == cells


def test_a_hand_hides_what_it_covers():
    table = a_table()
    reader = BoardReader(SEA, table.empty_board())
    table.lay(make_layout(LAID))
    table.reach(SEA.cell_centre_mm((5, 7)), from_deg=90.0)
    observation = reader.read(table.frame())
    assert {(5, 8), (5, 9), (5, 10)} & observation.occluded
    told = seen(observation)
    assert {c: told.get(c) for c in LAID if c not in observation.occluded} == {
        c: content for c, content in SEEN.items() if c not in observation.occluded
    }
    assert len(observation.occluded) < 40


def test_prints_that_occur_once_are_left_out_when_in_doubt():
    harbours = {mark.cell for mark in SEA.marks if mark.kind == "harbour"}
    anchors = {mark.cell for mark in SEA.marks if mark.kind == "anchor"}
    assert lone_cells(SEA) == {(1, 1), (10, 10), *SEA.impassable, *harbours, *anchors}
    winds = {mark.cell for mark in SEA.marks if mark.kind == "wind"}
    assert blind_cells(SEA) == {*SEA.impassable, *harbours, *(anchors & winds)}
    assert lone_cells(load_profile("hex-ocean")) == {(0, 0)}
    scores = np.zeros((len(SEA.cells), CoinSet.outputs))
    scores[:, 0] = 9.0
    scores[:, 7] = -9.0
    scores[SEA.cells.index((5, 5)), 7] = 1.0
    told = CoinSet().read(scores, SEA, frozenset({(5, 5), (6, 6)}))
    assert (5, 5) not in told
    assert (6, 6) in told


def test_no_ship_lies_on_land():
    scores = np.zeros((len(SEA.cells), CoinSet.outputs))
    scores[:, 1] = 3.0
    told = CoinSet().read(scores, SEA, frozenset())
    assert told[2, 2].ships["suns",] > 0.5
    assert told[5, 5].ships[()] > 0.99


def test_one_pack_goes_by_its_suit_whatever_it_looks_like():
    scores = np.zeros((len(SEA.cells), CoinSet.outputs))
    scores[:, 4], scores[:, 6] = 9.0, 9.0
    told = CoinSet().read(scores, SEA, frozenset())[2, 2].ships
    assert told["arms",] > 0.9
    two = np.tile(scores[:1], (len(TWO.cells), 1))
    told = CoinSet().read(two, TWO, frozenset())[2, 2].ships
    assert max(told, key=told.get) == ("arms2",)


def test_there_are_no_more_treasures_than_crosses():
    one = at_most(np.array([4.0, 3.0, -9.0]), 1)
    assert one.sum() < 1
    assert one[0] > 0.7
    two = at_most(np.array([4.0, 3.0, -9.0]), 2)
    assert two[0] > 0.95
    assert two[1] > 0.9
    assert two[2] < 1e-3


def test_a_look_taught_for_other_pieces_is_refused():
    look = learn_look({"green": [np.array([0.5, 0.5, 0.2])]})
    table = a_table()
    with pytest.raises(NotCalibrated, match="'green', which is no ship of this board"):
        BoardReader(SEA, table.empty_board(), look).read(table.frame())


def reading(ships=(), terrain=None, cargo=None):
    return CellReading({ships: 1.0}, {terrain: 1.0}, {cargo: 1.0})


def test_the_treasure_moves_with_its_carrier():
    memory = BoardMemory(SEA)
    memory.take_in({(4, 5): reading(("suns",), cargo="treasure"), (2, 5): reading()})
    told = memory.take_in({(4, 5): reading(), (2, 5): reading(("suns",), cargo="treasure")})
    assert told == [
        Change("moved", "suns", (4, 5), (2, 5)),
        Change("cargo_moved", None, (4, 5), (2, 5), cargo="treasure"),
    ]
    gone = memory.take_in({(2, 5): reading(("suns",))})
    assert gone == [Change("cargo_gone", None, (2, 5), cargo="treasure")]


def test_a_wreck_is_not_gone_when_its_captor_lies_on_it():
    memory = BoardMemory(SEA)
    first = memory.take_in({(4, 5): reading(terrain="wreck")})
    assert first == [Change("terrain_appeared", None, None, (4, 5), "wreck")]
    assert memory.take_in({(4, 5): reading(("arms",))}) == [
        Change("appeared", "arms", None, (4, 5))
    ]
    assert memory.take_in({(4, 5): reading(terrain="wreck")}) == [Change("gone", "arms", (4, 5))]


def test_see_and_watch_work_on_squares(tmp_path, capsys):
    table = a_table()
    moved = {**LAID, (9, 8): LAID[7, 8]}
    del moved[7, 8]
    for name, cells in (("0", {}), ("1", LAID), ("2", moved)):
        table.lay(make_layout(cells))
        cv2.imwrite(str(tmp_path / f"{name}.png"), table.frame().board)
    words = ["--profile", "piecepack-sea", "--json"]
    empty = str(tmp_path / "0.png")
    assert main(["see", "board", *words, "--empty", empty, str(tmp_path / "1.png")]) == 0
    cells = json.loads(capsys.readouterr().out)["cells"]
    assert cells["4,6"]["cargo"] == "treasure"
    assert {key: (v["ship"], v["terrain"]) for key, v in cells.items()} == {
        "8,0": ("suns", None),
        "1,1": ("arms", None),
        "4,6": ("crowns", None),
        "7,8": ("moons", None),
        "3,3": (None, "wreck"),
    }
    assert main(["watch", "--frames", str(tmp_path), "--free", *words]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert told[0]["event"] == "empty_board"
    assert {k: told[-1][k] for k in ("image", "event", "ship", "from", "to")} == {
        "image": "2",
        "event": "moved",
        "ship": "moons",
        "from": "7,8",
        "to": "9,8",
    }
    assert len(told) == 1 + 6 + 1
