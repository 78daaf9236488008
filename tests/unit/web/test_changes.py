"""What changed between two layouts."""

from __future__ import annotations

from companion.rules.layout import CellContent, Layout, Placed, Pose, make_layout
from tests.web.doubles import LAYOUT, moved
from web.changes import Change, change_between


def ships(**places: list[tuple[int, int]]) -> Layout:
    return make_layout({cell: CellContent((c,)) for c, cells in places.items() for cell in cells})


def test_nothing_changed() -> None:
    assert not change_between(LAYOUT, LAYOUT)


def test_a_ship_sailed() -> None:
    change = change_between(LAYOUT, moved(LAYOUT, (4, 0), (1, 0)))
    assert change == Change((("red", (4, 0), (1, 0)),))


def test_a_ship_was_lost_and_another_came() -> None:
    change = change_between(ships(red=[(0, 0)], blue=[(3, 0)]), ships(red=[(0, 0), (0, 1)]))
    assert change == Change((), ((0, 1),), (("blue", (3, 0)),))


def test_two_like_ships_are_paired_by_nearness() -> None:
    change = change_between(ships(red=[(0, 0), (3, 0)]), ships(red=[(0, 1), (4, 0)]))
    assert sorted(change.moved) == [("red", (0, 0), (0, 1)), ("red", (3, 0), (4, 0))]


def test_a_boarder_joins_its_enemy() -> None:
    before = ships(red=[(0, 0)], blue=[(2, 0)])
    after = make_layout({(2, 0): CellContent(("blue", "red"))})
    assert change_between(before, after) == Change((("red", (0, 0), (2, 0)),))


def test_a_tile_was_placed() -> None:
    after = make_layout({**LAYOUT.cells, (0, 1): CellContent((), "reef")})
    assert change_between(LAYOUT, after) == Change((), ((0, 1),))


def test_json_names_cells() -> None:
    change = Change((("red", (0, 0), (0, 1)),), ((2, -2),), (("blue", (3, 0)),))
    assert change.to_json() == {
        "moved": [["red", "0,0", "0,1"]],
        "came": ["2,-2"],
        "gone": [["blue", "3,0"]],
        "pieces": [],
    }


def test_pieces_of_an_open_table_leave_a_wake() -> None:
    def lying(*xs: float) -> Layout:
        poses = {10 + k: Placed(Pose(x, 0.0, 90.0), "ship", "A ship") for k, x in enumerate(xs)}
        return make_layout({}, pieces=poses)

    change = change_between(lying(0.0, 50.0), lying(0.0, 80.0))
    assert change.pieces == ((11, Pose(50.0, 0.0, 90.0), Pose(80.0, 0.0, 90.0)),)
    assert change.to_json()["pieces"][0][0] == 11
    assert not change_between(lying(0.0), lying(0.0, 80.0)), "a piece that came has no wake"
