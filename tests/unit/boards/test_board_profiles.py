"""Boards in millimetres: grids, prints and the choice among them."""

import math
import tomllib
from importlib import resources

import pytest

from companion.boards.choice import board_for, boards_of
from companion.boards.profile import (
    BoardProfile,
    Tags,
    Tray,
    builtin_profiles,
    load_profile,
    parse_profile,
)
from companion.cards.files import builtin_text
from companion.errors import BadOptions, BoardError
from companion.rules.catalogue import find_game
from companion.rules.dice import DieKind
from companion.rules.game import GameInfo
from companion.rules.hexes import distance

SEA = load_profile("piecepack-sea")
TWO = load_profile("piecepack-two-seas")


def toml(name: str) -> dict:
    text = resources.files("companion.boards") / "profiles" / f"{name}.toml"
    return tomllib.loads(text.read_text("utf-8"))


def marked(profile: BoardProfile, kind: str) -> set[tuple[int, int]]:
    return {mark.cell for mark in profile.marks if mark.kind == kind}


@pytest.mark.parametrize("name", builtin_profiles())
def test_all_cells_lie_on_the_board_and_apart(name: str) -> None:
    profile = load_profile(name)
    inset = profile.marker_inset_mm
    for cell in profile.cells:
        for x, y in profile.cell_outline_mm(cell):
            assert 0 < x + inset < profile.width_mm
            assert 0 < y + inset < profile.height_mm
    centres = [profile.cell_centre_mm(cell) for cell in profile.cells]
    for at, centre in enumerate(centres):
        near = min(math.dist(centre, other) for other in centres[at + 1 :] or [(9e9, 0)])
        assert near > profile.pitch_mm - 1e-6


@pytest.mark.parametrize("name", builtin_profiles())
def test_no_cell_reaches_under_a_marker(name: str) -> None:
    profile = load_profile(name)
    half = profile.marker_side_mm / 2
    for marker in profile.markers:
        x0, y0 = marker.centre_mm
        for cell in profile.cells:
            x, y = profile.cell_centre_mm(cell)
            corners = [*profile.cell_outline_mm(cell), (x, y)]
            assert not any(abs(px - x0) < half and abs(py - y0) < half for px, py in corners)


@pytest.mark.parametrize(
    ("name", "radius", "count"), [("hex-ocean-4", 4, 61), ("hex-ocean-6", 6, 127)]
)
def test_smaller_and_greater_oceans(name: str, radius: int, count: int) -> None:
    profile = load_profile(name)
    assert len(profile.cells) == count
    assert profile.options == {"radius": radius, "start_ring": radius}
    assert {distance((0, 0), cell) for cell in marked(profile, "circle")} == {radius}
    assert len(marked(profile, "circle")) == 6


def test_the_sea_of_ahoy_matey() -> None:
    """AHM-5 to AHM-10, as the digest derives them."""
    harbours = {m.text: m.cell for m in SEA.marks if m.kind == "harbour"}
    assert harbours == {"N": (8, 0), "E": (11, 3), "S": (3, 11), "W": (0, 8)}
    assert SEA.impassable == {(5, 5), (6, 5), (5, 6), (6, 6)}
    assert len(SEA.cells) == 88 + 4 + 4
    assert {(9, 1), (10, 2), (1, 9), (2, 10)}.isdisjoint(SEA.cells)
    winds = {(c, r) for c, r in SEA.cells if c + r in (9, 13)} - SEA.impassable
    winds = {(c, r) for c, r in winds if 1 <= c <= 10 and 1 <= r <= 10}
    assert marked(SEA, "wind") == winds
    beside = {c for cell in SEA.impassable for c in SEA.grid.around(cell)} - SEA.impassable
    straight = {(c, r) for c, r in beside if c in (5, 6) or r in (5, 6)}
    assert marked(SEA, "anchor") == straight
    assert marked(SEA, "strait") == {(1, 1), (10, 10)}


def test_two_seas_are_one_sea_twice() -> None:
    """AHM-V15: the second has the same cells twelve columns further."""
    assert set(TWO.cells) == {*SEA.cells, *((c + 12, r) for c, r in SEA.cells)}
    for kind in ("wind", "anchor", "treasure", "skull"):
        one = marked(SEA, kind)
        assert marked(TWO, kind) == {*one, *((c + 12, r) for c, r in one)}


def test_squares_lie_to_the_right_and_down() -> None:
    x, y = SEA.cell_centre_mm((3, 4))
    assert SEA.cell_centre_mm((4, 6)) == (x + SEA.pitch_mm, y + 2 * SEA.pitch_mm)
    half = SEA.pitch_mm / 2
    assert SEA.cell_outline_mm((3, 4))[0] == (x - half, y - half)
    assert SEA.cell_outline_mm((3, 4))[2] == (x + half, y + half)


def test_the_rim_has_the_edge_and_the_gaps() -> None:
    assert {(1, 1), (1, 5), (9, 3), (8, 3), (8, 2)} <= SEA.grid.rim
    assert SEA.grid.rim.isdisjoint({(2, 2), (7, 3), (5, 5)})
    ocean = load_profile("hex-ocean")
    assert ocean.grid.rim == {c for c in ocean.cells if distance((0, 0), c) == 5}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"grid": "triangle"}, "cells.grid must be 'hex', 'square' or 'open', not 'triangle'"),
        ({"blocks": [[1, 1, 10]]}, "a field cannot be read"),
        ({"impassable": [[50, 1]]}, r"no cell \[50, 1\] to be marked or impassable"),
        ({"marks": [{"kind": "kraken", "cells": []}]}, "a mark is one of circle, .*'kraken'"),
        ({"pitch_mm": 0}, "pitch_mm is a length in millimetres, not 0"),
        ({"pitch_mm": math.nan}, "pitch_mm is a length in millimetres, not nan"),
        ({"origin_mm": [0, math.inf]}, r"a place is two numbers of millimetres, not \[0, inf\]"),
    ],
)
def test_what_a_board_cannot_be_is_refused(change: dict, message: str) -> None:
    data = toml("piecepack-sea")
    data["cells"].update(change)
    with pytest.raises(BoardError, match=message):
        parse_profile(data)


@pytest.mark.parametrize("name", ["open-table", "open-table-small"])
def test_an_open_table_has_tags_and_no_cells(name: str) -> None:
    profile = load_profile(name)
    assert profile.is_open
    assert profile.cells == ()
    assert profile.tags == Tags("DICT_APRILTAG_36h11", 24.0)
    assert profile.games == ("pirates-csg", "pirate-wars")
    far = profile.markers[2].centre_mm
    assert far == (profile.width_mm - 100, profile.height_mm - 100)


@pytest.mark.parametrize(
    "change",
    [{"tags": None}, {"pieces": {"set": "ships"}}, {"cells": {**toml("hex-ocean")["cells"]}}],
)
def test_half_an_open_table_is_refused(change: dict) -> None:
    data = {**toml("open-table"), **change}
    with pytest.raises(BoardError, match=r"an open table has .* all three"):
        parse_profile({key: value for key, value in data.items() if value is not None})


@pytest.mark.parametrize("name", ["pirates-csg", "pirate-wars"])
def test_two_games_are_played_on_one_table(name: str) -> None:
    tables = boards_of(game(name, "open-table"))
    assert [table.id for table in tables] == ["open-table", "open-table-small"]
    assert board_for(game(name, "open-table"), {}).id == "open-table"
    assert board_for(game(name, "open-table"), {"sea_mm": [800, 600]}).id == "open-table-small"
    assert board_for(game(name, "open-table"), {"sea_mm": (1300, 900)}).id == "open-table"
    info = find_game(name).info
    title = next(option.title for option in info.options if option.id == "sea_mm")
    said = f"No board is printed for “{title}” 700 x 500; there are open-table: “{title}” 1300 x"
    with pytest.raises(BadOptions, match=said) as caught:
        board_for(info, {"sea_mm": [700, 500]})
    assert caught.value.option == "sea_mm"


def test_unknown_pieces_are_refused() -> None:
    with pytest.raises(BoardError, match=r"pieces\.set must be one of 'ships', .*, not 'cards'"):
        parse_profile({**toml("piecepack-sea"), "pieces": {"set": "cards"}})


def game(name: str, profile: str) -> GameInfo:
    return GameInfo(name, name, (2, 4), (), (DieKind("sail", (1, 2)),), profile)


ARTICLES = game("articles-of-war", "hex-ocean")


@pytest.mark.parametrize(
    ("options", "board"),
    [
        ({}, "hex-ocean"),
        ({"radius": 4}, "hex-ocean-4"),
        ({"radius": 6, "start_ring": None}, "hex-ocean-6"),
        ({"radius": 5, "start_ring": 5, "tie_break": "shared"}, "hex-ocean"),
        ({"start_ring": 4}, "hex-ocean-4"),
    ],
)
def test_the_board_that_fits_is_taken(options: dict, board: str) -> None:
    assert board_for(ARTICLES, options).id == board


def test_a_game_has_its_own_boards_default_first() -> None:
    assert [b.id for b in boards_of(ARTICLES)] == ["hex-ocean", "hex-ocean-4", "hex-ocean-6"]
    assert boards_of(game("ahoy-matey", "piecepack-sea"))[0] == SEA


def test_where_no_board_fits_it_says_what_there_is() -> None:
    with pytest.raises(BadOptions, match="No board is printed for “start_ring” 3; there are"):
        board_for(ARTICLES, {"radius": 5, "start_ring": 3})


@pytest.mark.parametrize(
    ("options", "board"),
    [
        ({}, "piecepack-sea"),
        ({"flotilla": True, "pieces_of_eight": False}, "piecepack-sea"),
        ({"pieces_of_eight": True}, "piecepack-two-seas"),
        ({"world_domination": True, "flotilla": True}, "piecepack-two-seas"),
    ],
)
def test_a_board_made_for_an_option_is_taken_with_it_only(options: dict, board: str) -> None:
    assert board_for(game("ahoy-matey", "piecepack-sea"), options).id == board


def test_cells_are_named_as_they_are_printed() -> None:
    assert [SEA.name_of(cell) for cell in ((1, 1), (10, 10), (8, 0))] == ["A1", "J10", "harbour N"]
    assert load_profile("hex-ocean").name_of((-3, 5)) == "L4"


@pytest.mark.parametrize("name", builtin_profiles())
def test_no_two_cells_have_the_same_name(name: str) -> None:
    profile = load_profile(name)
    names = [profile.name_of(cell) for cell in profile.cells]
    assert len({*names}) == len(names)


def test_of_two_boards_a_harbour_says_on_which_it_is() -> None:
    seas = load_profile("piecepack-two-seas")
    said = [seas.name_of(cell) for cell in ((0, 8), (12, 8))]
    assert said == ["harbour W of board 1", "harbour W of board 2"]


DECK = builtin_text("privateer-house")
PRIVATEER = find_game("privateer").info


def test_the_board_has_the_sea_of_the_house_deck() -> None:
    assert board_for(PRIVATEER, {}).id == "sea-grid"
    assert board_for(PRIVATEER, {"deck": DECK.replace("House deck", "Ours", 1)}).id == "sea-grid"


@pytest.mark.parametrize(
    ("line", "other", "said"),
    [
        ("width = 16", "width = 17", "column 16, row 0 is open sea for the cards and no sea on"),
        ("cell = [3, 0]", "cell = [4, 0]", "column 3, row 0 is open sea for the cards and a port"),
        ("[7, 1], ", "", "column 7, row 1 is open sea for the cards and a merchant on the board"),
    ],
)
def test_cards_for_another_sea_are_refused_where_they_are_chosen(
    line: str, other: str, said: str
) -> None:
    assert DECK.count(line) == 1
    with pytest.raises(BadOptions, match=said) as refusal:
        board_for(PRIVATEER, {"deck": DECK.replace(line, other)})
    assert refusal.value.option == "deck"
    assert "Let the file have the sea and the ports of the house deck" in str(refusal.value)


def test_a_tray_may_be_fixed_to_the_board() -> None:
    folder = resources.files("companion.boards") / "profiles"
    data = tomllib.loads((folder / "hex-ocean.toml").read_text("utf-8"))
    assert parse_profile(data).tray == Tray((220.0, 160.0), None)
    data["tray"]["place_mm"] = [505, 250]
    assert parse_profile(data).tray == Tray((220.0, 160.0), (505.0, 250.0))
    data["tray"]["place_mm"] = 505
    with pytest.raises(BoardError):
        parse_profile(data)
