"""Components and ocean: AOW-1 to AOW-11."""

from collections import Counter

import pytest

from companion.errors import BadOptions
from companion.rules.articles_of_war.actions import PlaceFleet, PlaceTile
from companion.rules.articles_of_war.ocean import TILES
from companion.rules.articles_of_war.options import (
    COLOURS,
    FLEET_LIMIT,
    MOST_CANNONS,
    MOST_SAILS,
    OPTION_LIST,
    Options,
    read_options,
)
from companion.rules.articles_of_war.rules import ArticlesOfWar
from companion.rules.game import PlayerId
from companion.rules.hexes import distance

GAME = ArticlesOfWar()


def test_supply_of_the_box():
    """AOW-1."""
    assert (MOST_SAILS, MOST_CANNONS) == (6, 5)
    assert COLOURS == ("red", "blue", "yellow", "green", "gray", "black")


def test_densest_barrel_holds_four_of_each_terrain():
    """AOW-2."""
    assert sorted(TILES) == ["desert", "reef", "volcano"]
    densities = GAME.info.options  # the density is no option but the last player's choice
    assert "density" not in {option.id for option in densities}


def test_sail_die_has_four_faces_two_to_four():
    """AOW-3."""
    assert Options().sail_faces == (2, 3, 3, 4)
    assert read_options({"sail_faces": [2, 2, 3, 4]}).sail.values == (2, 3, 4)
    with pytest.raises(BadOptions, match="sail_faces"):
        read_options({"sail_faces": [1, 2, 3, 4]})


def test_cannon_die_has_twenty_faces_one_to_five():
    """AOW-4."""
    assert Counter(Options().cannon_faces) == dict.fromkeys(range(1, 6), 4)
    with pytest.raises(BadOptions, match="20 whole numbers from 1 to 5"):
        read_options({"cannon_faces": [1, 2, 3]})
    with pytest.raises(BadOptions, match="from 1 to 5"):
        read_options({"cannon_faces": [6] * 20})
    with pytest.raises(BadOptions, match="no tie is ever broken"):
        read_options({"cannon_faces": [3] * 20})


def test_commodore_cards_have_six_different_numbers():
    """AOW-5."""
    assert Options().card_numbers == (1, 2, 3, 4, 5, 6)
    assert read_options({"card_numbers": [6, 5, 4, 3, 2, 1]}).card_numbers[0] == 6
    with pytest.raises(BadOptions, match="different"):
        read_options({"card_numbers": [1, 1, 2, 3, 4, 5]})


def test_three_ships_of_a_colour_at_most():
    """AOW-6."""
    assert FLEET_LIMIT == 3


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_two_to_six_players(players, opening):
    """AOW-7."""
    assert len(opening(players).state.names) == players


@pytest.mark.parametrize("names", [[], ["A"], list("ABCDEFG"), ["A", "A"], ["A", " "]])
def test_other_tables_are_refused(names):
    """AOW-7."""
    with pytest.raises(BadOptions):
        GAME.setup(names, {})


@pytest.mark.parametrize(("radius", "cells"), [(4, 61), (5, 91), (6, 127)])
def test_ocean_is_a_hexagon_of_hexes(radius, cells, opening):
    """AOW-8."""
    ocean = opening(2, radius=radius).state.ocean
    assert len(ocean.cells) == cells
    assert all(distance((0, 0), cell) <= radius for cell in ocean.cells)


def test_start_hexes_lie_on_the_axes():
    """AOW-9."""
    assert Options().start_cells == ((-4, 0), (-4, 4), (0, -4), (0, 4), (4, -4), (4, 0))
    assert read_options({"radius": 6}).start_ring == 5
    assert (5, 0) in read_options({"start_ring": 5}).start_cells
    with pytest.raises(BadOptions, match="on ring 2 to 4"):
        read_options({"radius": 4, "start_ring": 5})


def test_other_start_hexes():
    """AOW-9: six cells of the table's own, in any order."""
    cells = "0,4 4,-4 -4,4 -4,0 0,-4 4,0"
    chosen = read_options({"start_hexes": cells})
    assert chosen.start_cells == Options().start_cells
    own = {"start_hexes": "5,0 5,-5 0,-5 -3,-2 -5,5 1,4"}
    assert read_options(own).start_cells[0] == (-5, 5)
    named = {"start_hexes": "g12 B12 B7 E4 L2 K8"}  # as they are called on the board
    assert read_options(named) == read_options(own)
    assert read_options({"start_hexes": read_options(own).start_hexes}) == read_options(own)
    assert read_options({**own, "start_ring": 5}) == read_options(own)  # 5: as the board prints


@pytest.mark.parametrize(
    ("hexes", "more", "says"),
    [
        ("0,4 4,-4", {}, "six different hexes"),
        ("0,4 4,-4 -4,4 -4,0 0,-4 9,0", {}, "hexes of the ocean"),
        ("0,4 4,-4 -4,4 -4,0 0,-4 east", {}, "written like"),
        ("0,4 4,-4 -4,4 -4,0 0,-4 1,3", {}, "three steps or more apart"),
        ("0,4 4,-4 -4,4 -4,0 0,-4 1,0", {}, "from the centre"),
        (7, {}, "written like"),
    ],
)
def test_start_hexes_that_cannot_be_played_are_refused(hexes, more, says):
    """AOW-9."""
    with pytest.raises(BadOptions, match=says) as caught:
        read_options({"start_hexes": hexes, **more})
    assert caught.value.option == "start_hexes"


def test_cells_off_the_map_are_refused(battle, opening):
    """AOW-9, AOW-10."""
    fight = battle({"red": [(0, 0)], "blue": [(4, 0)]}, sails=(2, 2))
    assert fight.why_not_sail((6, 0), 2, "E") == "AOW-8"
    start = opening(2)
    start.do(start.game.legal_actions(start.state, PlayerId(-1))[0])
    start.do(start.game.legal_actions(start.state, PlayerId(-1))[0])
    assert start.refusal(PlaceFleet(start.player, (9, 9), (0, 1))) == "AOW-16"
    assert start.refusal(PlaceTile(start.player, (0, 1))) == "AOW-16"


def test_only_six_straight_lines(battle):
    """AOW-11: a ship off all six rays is neither reached nor hit."""
    fight = battle({"red": [(0, 0)], "blue": [(2, 1), (1, 1)]}, sails=(3,), cannons=(3,))
    texts = [fight.game.describe(fight.state, action) for action in fight.legal()]
    assert not any("hits Blue" in text or "boards" in text for text in texts)
    from companion.rules.articles_of_war.actions import Sail

    assert fight.refusal(Sail(PlayerId(0), (0, 0), 3, 6)) == "AOW-11"


@pytest.mark.parametrize("option", OPTION_LIST, ids=lambda option: option.id)
def test_every_choice_of_every_option_is_playable(option):
    for choice in option.choices:
        value = list(choice) if isinstance(choice, tuple) else choice
        chosen = {option.id: value}
        if option.id == "start_ring":
            chosen["radius"] = 6
        if choice == "cards":
            chosen["gambit_cards"] = [{"colour": "red", "name": "Red's own"}]
        assert GAME.setup(["A", "B", "C"][: 2 + (option.id == "grudge")], chosen)
    assert option.text.endswith((".", "?"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"raduis": 5}, "did you mean 'radius'"),
        ({"colour": 5}, "they are: desperation"),
        ({"radius": 7}, "radius must be one of 4, 5, 6"),
        ({"radius": "5"}, "radius must be one of"),
        ({"radius": True}, "radius must be one of 4, 5, 6, not true"),
        ({"destructive_moves": "never"}, "destructive_moves must be one of"),
        ({"tie_break": None}, "tie_break must be one of"),
        ({"card_numbers": "123456"}, 'must be 6 whole numbers from 1 to 99, not "123456"'),
        ({"card_numbers": [1, 2]}, "numbers must be 6 whole numbers from 1 to 99, not 2: 1, 2"),
    ],
)
def test_wrong_options_are_named(options, message):
    with pytest.raises(BadOptions, match=message):
        read_options(options)


@pytest.mark.parametrize(
    "options",
    [
        {"battles": 0},
        {"battles": ""},
        {"card_numbers": [1, 2]},
        {"card_numbers": [1, 1, 2, 3, 4, 5]},
        {"cannon_faces": [1, 2]},
        {"start_hexes": "east"},
        {"start_hexes": "G12 B12 B7 E4 L2 N8"},
        {"start_hexes": "1,0 2,0"},
        {"radius": 4, "start_ring": 6},
    ],
)
def test_what_is_typed_in_wrong_is_refused_at_its_field_in_plain_words(options):
    """The start page shows the sentence under the field; ids are no words for people."""
    with pytest.raises(BadOptions) as caught:
        read_options(options)
    assert caught.value.option == list(options)[-1]
    assert "_" not in str(caught.value)
    assert str(caught.value)[0].isupper()
    assert str(caught.value)[-1] == "."
