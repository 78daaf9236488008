"""Hexes, dice, layouts and strict reading: the values all games share."""

from fractions import Fraction
from itertools import product

import pytest

from companion.errors import BadOptions, MalformedAction
from companion.rules.catalogue import GAMES, find_game
from companion.rules.dice import DieKind, pool_distribution
from companion.rules.hexes import (
    DIRECTION_NAMES,
    DIRECTIONS,
    distance,
    hexagon,
    neighbours,
    opposite,
    ray,
    step,
)
from companion.rules.layout import (
    EMPTY,
    CellContent,
    Die,
    Layout,
    cell_name,
    make_layout,
    parse_cell,
)
from companion.rules.reading import (
    read_cell,
    read_choice,
    read_flag,
    read_list,
    read_object,
    read_text,
    read_whole,
)


def test_directions_turn_by_sixty_degrees_and_oppose():
    assert DIRECTION_NAMES == ("E", "NE", "NW", "W", "SW", "SE")
    for index, (q, r) in enumerate(DIRECTIONS):
        assert DIRECTIONS[opposite(index)] == (-q, -r)
        assert distance(DIRECTIONS[index], DIRECTIONS[(index + 1) % 6]) == 1


def test_distance_counts_steps():
    reached = {(0, 0)}
    for steps in range(1, 5):
        reached |= {step(cell, way) for cell in reached for way in range(6)}
        assert {cell for cell in reached if distance((0, 0), cell) == steps} == reached - hexagon(
            steps - 1
        )
        assert reached == hexagon(steps)


def test_rays_and_neighbours():
    assert list(ray((1, -1), 2, 3)) == [(1, -2), (1, -3), (1, -4)]
    assert step((1, -1), 2, 3) == (1, -4)
    assert neighbours((5, 0), 5) == ((5, -1), (4, 0), (4, 1))
    assert len(neighbours((0, 0), 5)) == 6


@pytest.mark.parametrize(("count", "results"), [(0, 1), (1, 3), (2, 6), (6, 28)])
def test_pools_are_multisets_with_exact_odds(count, results):
    sail = DieKind("sail", (2, 3, 3, 4))
    pool = pool_distribution(sail, count)
    assert len(pool) == results
    assert sum(p for _, p in pool) == Fraction(1)
    assert list(pool) == sorted(pool)
    counted = dict.fromkeys((values for values, _ in pool), Fraction(0))
    for faces in product(sail.faces, repeat=count):
        counted[tuple(sorted(faces))] += Fraction(1, 4**count)
    assert counted == dict(pool)


def test_layouts_drop_empty_cells_and_sort_dice():
    layout = make_layout(
        {(0, 0): EMPTY, (1, -2): CellContent(("blue", "red"), "reef")},
        [Die("sail", 3), Die("cannon", 5)],
    )
    assert list(layout.cells) == [(1, -2)]
    assert layout.at((0, 0)) == EMPTY
    assert layout.dice == (Die("cannon", 5), Die("sail", 3))
    assert Layout.from_json(layout.to_json()) == layout
    with pytest.raises(TypeError):
        layout.cells[(0, 0)] = EMPTY


@pytest.mark.parametrize("cell", [(0, 0), (-3, 5), (10, -10)])
def test_cell_names_read_back(cell):
    assert parse_cell(cell_name(cell)) == cell


@pytest.mark.parametrize(
    ("read", "value"),
    [
        (read_whole, 1.0),
        (read_whole, True),
        (read_text, 5),
        (read_flag, 1),
        (read_list, {}),
        (read_cell, "1"),
        (read_cell, "1,2,3"),
        (read_cell, "a,b"),
        (read_cell, 5),
        (lambda v, what: read_choice(v, what, ("reef",)), None),
        (lambda v, what: read_object(v, what, ("a",)), []),
        (lambda v, what: read_object(v, what, ("a",)), {"a": 1, "b": 2}),
    ],
)
def test_strict_reading_names_the_field(read, value):
    with pytest.raises(MalformedAction, match="the thing"):
        read(value, "the thing")


def test_strict_reading_returns_what_fits():
    assert read_whole(3, "x") == 3
    assert read_flag(True, "x") is True
    assert read_cell("-1,2", "x") == (-1, 2)
    assert read_choice("reef", "x", ("reef",)) == "reef"
    assert read_object({"a": 1}, "x", ("a",)) == {"a": 1}


def test_games_have_ids_of_their_own():
    assert len({game.info.id for game in GAMES}) == len(GAMES)
    with pytest.raises(BadOptions, match="the games are: articles-of-war"):
        find_game("chess")


@pytest.mark.parametrize(
    ("names", "complaint"),
    [
        (["Anne", "Anne"], "players have different names"),
        (["Anne", " "], "every player has a name"),
        (["Anne"], r"2 to \d players play"),
    ],
    ids=str,
)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.id)
def test_a_state_from_outside_has_players_who_can_be_told_apart(game, names, complaint):
    written = game.to_json(game.setup(("Anne", "Mary"), {}))
    with pytest.raises(MalformedAction, match=complaint):
        game.from_json(written | {"players": names})
