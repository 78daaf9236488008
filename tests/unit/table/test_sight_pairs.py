"""A boarding whose two hulls look like one must not pass for a ship that left the map (AOW-37)."""

from __future__ import annotations

from companion.rules.layout import CellContent
from companion.table.observation import CellReading, Observation
from companion.table.sight import CONTRADICTION, Sight

HERE = (1, 4)
PAIR = CellContent(("black", "gray"))
SEEN = Observation(
    frame_id="f1",
    time_s=0.0,
    cells={HERE: CellReading({("black",): 0.99, ("gray",): 0.01}, {None: 1.0})},
    dice=None,
    fit_error_mm=0.3,
)


def test_a_second_ship_may_be_overlooked_where_there_was_none() -> None:
    sight = Sight(SEEN)
    assert sight.cost(HERE, CellContent(("black",))) == 0
    assert 1 < sight.cost(HERE, PAIR) < CONTRADICTION
    assert sight.is_contradicted(HERE, CellContent(("blue", "red")))


def test_a_single_ship_is_taken_at_its_word_where_there_were_two() -> None:
    assert Sight(SEEN, frozenset({HERE})).is_contradicted(HERE, PAIR)


def test_where_no_ship_leaves_a_crowd_may_hide_any_of_its_ships() -> None:
    """Ports full of ships: what is partly seen is all there, but nothing is put there unseen."""
    crowd = CellContent(("black", "blue", "red"))
    fleet = frozenset({"black", "blue", "green", "red", "yellow"})
    stays, goes = Sight(SEEN, fleet=fleet), Sight(SEEN)
    assert not stays.is_contradicted(HERE, crowd)
    assert goes.is_contradicted(HERE, crowd)
    assert stays.is_contradicted(HERE, CellContent(("blue", "green", "yellow")))
    assert stays.cost(HERE, crowd) > stays.cost(HERE, CellContent(("black",)))


def test_a_ship_that_is_not_in_the_game_is_a_print() -> None:
    reading = CellReading({("black", "red"): 0.9, ("black",): 0.1}, {None: 1.0})
    seen = Observation("f1", 0.0, {HERE: reading}, None, 0.3)
    here = CellContent(("black",))
    assert Sight(seen).is_contradicted(HERE, here)
    assert Sight(seen, fleet=frozenset({"black", "blue"})).cost(HERE, here) == 0
