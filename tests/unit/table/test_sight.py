"""What a camera above overlooks: a second hull that touches another, what lies under a coin.

A boarding whose two hulls look like one must not pass for a ship that left the map (AOW-37).
"""

from __future__ import annotations

from companion.rules.layout import Cell, CellContent, make_layout
from companion.table.observation import CellReading, Observation
from companion.table.sight import CONTRADICTION, Fleet, Sight

HERE = (1, 4)
PAIR = CellContent(("black", "gray"))
SEEN = Observation(
    frame_id="f1",
    time_s=0.0,
    cells={HERE: CellReading({("black",): 0.99, ("gray",): 0.01}, {None: 1.0})},
    dice=None,
    fit_error_mm=0.3,
)


def contradicts(sight: Sight, cell: Cell, content: CellContent) -> bool:
    return not sight.agrees_there(frozenset({cell}), make_layout({cell: content}))


def test_a_second_ship_may_be_overlooked_where_there_was_none() -> None:
    sight = Sight(SEEN)
    assert sight.cost(HERE, CellContent(("black",))) == 0
    assert 1 < sight.cost(HERE, PAIR) < CONTRADICTION
    assert contradicts(sight, HERE, CellContent(("blue", "red")))


def test_a_single_ship_is_taken_at_its_word_where_there_were_two() -> None:
    assert contradicts(Sight(SEEN, frozenset({HERE})), HERE, PAIR)


def test_where_no_ship_leaves_a_crowd_may_hide_any_of_its_ships() -> None:
    """Ports full of ships: what is partly seen is all there, but nothing is put there unseen."""
    crowd = CellContent(("black", "blue", "red"))
    fleet = Fleet(frozenset({"black", "blue", "green", "red", "yellow"}), stays=True)
    stays, goes = Sight(SEEN, fleet=fleet), Sight(SEEN)
    assert not contradicts(stays, HERE, crowd)
    assert contradicts(goes, HERE, crowd)
    assert contradicts(stays, HERE, CellContent(("blue", "green", "yellow")))
    assert stays.cost(HERE, crowd) > stays.cost(HERE, CellContent(("black",)))


def test_a_ship_that_is_not_in_the_game_is_a_print() -> None:
    reading = CellReading({("black", "red"): 0.9, ("black",): 0.1}, {None: 1.0})
    seen = Observation("f1", 0.0, {HERE: reading}, None, 0.3)
    here = CellContent(("black",))
    assert contradicts(Sight(seen), HERE, here)
    assert Sight(seen, fleet=Fleet(frozenset({"black", "blue"}), stays=True)).cost(HERE, here) == 0


def test_where_ships_come_and_go_what_looks_like_no_fleet_of_the_game_is_one_of_them() -> None:
    """A pawn that stands on a coin hides its sign (Ahoy, Matey!)."""
    reading = CellReading({("crowns",): 0.7, ("suns",): 0.2, ("moons",): 0.1, (): 0.0}, {None: 1.0})
    seen = Observation("f1", 0.0, {HERE: reading}, None, 0.3)
    fleet = Fleet(frozenset({"suns", "moons"}), stays=False)
    suns, moons = (CellContent((colour,)) for colour in ("suns", "moons"))
    sight = Sight(seen, fleet=fleet)
    assert sight.cost(HERE, suns) == 0
    assert 0 < sight.cost(HERE, moons) < CONTRADICTION
    assert contradicts(sight, HERE, CellContent())


THERE = (5, 5)
ONE_OF_EACH = Fleet(frozenset({"blue", "red"}), stays=True)
BLUE_ALONE = CellContent(("blue",))


def seen_here_and_red_there(red_too: float, there: float) -> Observation:
    here = CellReading({("blue", "red"): red_too, ("blue",): 1 - red_too}, {None: 1.0})
    red = CellReading({("red",): there, (): 1 - there}, {None: 1.0})
    return Observation("f1", 0.0, {HERE: here, THERE: red}, None, 0.3)


def test_a_ship_that_lies_elsewhere_is_not_seen_beside_another() -> None:
    seen = seen_here_and_red_there(0.87, there=0.99)
    assert contradicts(Sight(seen), HERE, BLUE_ALONE)
    sight = Sight(seen, fleet=ONE_OF_EACH)
    assert sight.cost(HERE, BLUE_ALONE) == 0
    assert sight.cost(THERE, CellContent(("red",))) == 0


def test_a_ship_that_is_hardly_seen_elsewhere_has_moved_here() -> None:
    sight = Sight(seen_here_and_red_there(0.87, there=0.05), fleet=ONE_OF_EACH)
    assert contradicts(sight, HERE, BLUE_ALONE)
    assert sight.cost(HERE, CellContent(("blue", "red"))) == 0


def test_a_ship_seen_beyond_doubt_in_two_places_contradicts_both() -> None:
    sight = Sight(seen_here_and_red_there(0.999, there=0.999), fleet=ONE_OF_EACH)
    assert contradicts(sight, HERE, BLUE_ALONE)
    assert contradicts(sight, THERE, CellContent())


def of_coins(ships: dict, terrain: dict) -> Sight:
    return Sight(Observation("f", 0.0, {HERE: CellReading(ships, terrain, {None: 1.0})}, None, 0.3))


def test_a_stack_looks_like_one_ship() -> None:
    sight = of_coins({("suns",): 1.0}, {None: 1.0})
    assert sight.cost(HERE, CellContent(("suns", "suns", "suns"))) == 0


def test_a_captor_hides_the_wreck_it_lies_on() -> None:
    sight = of_coins({("suns",): 1.0}, {None: 1.0})
    assert sight.cost(HERE, CellContent(("suns",), "wreck")) == 0


def test_a_wreck_on_its_own_is_seen() -> None:
    wreck, on_a_reef = CellContent((), "wreck"), CellContent(("suns",), "reef")
    assert contradicts(of_coins({(): 1.0}, {None: 1.0}), HERE, wreck)
    assert not contradicts(of_coins({(): 1.0}, {"wreck": 1.0}), HERE, wreck)
    assert contradicts(of_coins({("suns",): 1.0}, {None: 1.0}), HERE, on_a_reef)
