from __future__ import annotations

from companion.boards.profile import load_profile
from companion.table.observation import CellReading
from vision.following import BoardMemory, Change

SEA = {None: 1.0}
OCEAN = load_profile("hex-ocean")


def reading(ships, terrain=SEA):
    return CellReading(ships, terrain)


def holding(**cells):
    """A memory that already knows ships, written as q_r="colour" with m for minus."""
    memory = BoardMemory(OCEAN)
    memory.take_in({parse(k): reading({(v,): 1.0}) for k, v in cells.items()})
    return memory


def parse(key):
    q, r = key.removeprefix("c").split("_")
    return int(q.replace("m", "-")), int(r.replace("m", "-"))


def test_a_new_ship_appears():
    memory = BoardMemory(OCEAN)
    changes = memory.take_in({(0, 1): reading({("red",): 0.99, (): 0.01})})
    assert changes == [Change("appeared", "red", None, (0, 1))]
    assert memory.ships == {(0, 1): ("red",)}


def test_gone_here_and_there_is_one_move():
    memory = holding(c0_0="red")
    seen = {(0, 0): reading({(): 1.0}), (2, 0): reading({("red",): 1.0})}
    assert memory.take_in(seen) == [Change("moved", "red", (0, 0), (2, 0))]
    assert memory.ships == {(2, 0): ("red",)}


def test_a_doubtful_change_is_not_believed():
    memory = holding(c0_0="blue")
    assert memory.take_in({(0, 0): reading({("black",): 0.9, ("blue",): 0.1})}) == []
    assert memory.ships == {(0, 0): ("blue",)}


def test_a_ship_keeps_its_colour_when_it_lands_in_bad_light():
    memory = holding(c0_0="blue")
    seen = {(0, 0): reading({(): 1.0}), (1, 0): reading({("black",): 0.95, ("blue",): 0.05})}
    assert memory.take_in(seen) == [Change("moved", "blue", (0, 0), (1, 0))]
    assert memory.ships == {(1, 0): ("blue",)}


def test_two_of_a_colour_are_matched_nearest_first():
    memory = holding(c0_0="red", cm3_0="red")
    seen = {
        (0, 0): reading({(): 1.0}),
        (-3, 0): reading({(): 1.0}),
        (1, 0): reading({("red",): 1.0}),
        (-4, 0): reading({("red",): 1.0}),
    }
    assert set(memory.take_in(seen)) == {
        Change("moved", "red", (0, 0), (1, 0)),
        Change("moved", "red", (-3, 0), (-4, 0)),
    }


def test_a_boarder_moves_in_beside_the_enemy_and_the_loser_goes():
    memory = holding(c0_0="red", c2_0="blue")
    both = {(0, 0): reading({(): 1.0}), (2, 0): reading({("blue", "red"): 0.98, ("red",): 0.02})}
    assert memory.take_in(both) == [Change("moved", "red", (0, 0), (2, 0))]
    assert memory.ships == {(2, 0): ("blue", "red")}
    assert memory.take_in({(2, 0): reading({("red",): 1.0})}) == [Change("gone", "blue", (2, 0))]


def test_hidden_cells_are_left_as_they_were():
    memory = holding(c0_0="red")
    assert memory.take_in({}) == []
    assert memory.ships == {(0, 0): ("red",)}


def test_terrain_comes_and_goes():
    memory = BoardMemory(OCEAN)
    tile = {(1, 1): reading({(): 1.0}, {"reef": 1.0})}
    assert memory.take_in(tile) == [Change("terrain_appeared", None, None, (1, 1), "reef")]
    assert memory.take_in(tile) == []
    bare = {(1, 1): reading({(): 1.0})}
    assert memory.take_in(bare) == [Change("terrain_gone", None, (1, 1), None, "reef")]
