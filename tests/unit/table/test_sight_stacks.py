"""What coins hide when they lie on one another."""

from companion.rules.layout import CellContent
from companion.table.observation import CellReading, Observation
from companion.table.sight import Sight

CELL = (3, 4)


def sight(ships: dict, terrain: dict) -> Sight:
    reading = CellReading(ships, terrain, {None: 1.0})
    return Sight(Observation("f", 0.0, {CELL: reading}, None, 0.3))


def test_a_stack_looks_like_one_ship() -> None:
    seen = sight({("suns",): 1.0}, {None: 1.0})
    assert seen.cost(CELL, CellContent(("suns", "suns", "suns"))) == 0


def test_a_captor_hides_the_wreck_it_lies_on() -> None:
    seen = sight({("suns",): 1.0}, {None: 1.0})
    assert seen.cost(CELL, CellContent(("suns",), "wreck")) == 0
    assert seen.probability(CELL, CellContent(("suns",), "wreck")) == 1


def test_a_wreck_on_its_own_is_seen() -> None:
    assert sight({(): 1.0}, {None: 1.0}).is_contradicted(CELL, CellContent((), "wreck"))
    assert not sight({(): 1.0}, {"wreck": 1.0}).is_contradicted(CELL, CellContent((), "wreck"))
    assert sight({("suns",): 1.0}, {None: 1.0}).is_contradicted(
        CELL, CellContent(("suns",), "reef")
    )
