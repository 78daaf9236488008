"""Places of an open table, said exactly and as people say them."""

from __future__ import annotations

import pytest

from companion.rules.layout import Placed, Pose
from companion.rules.places import as_aimed, as_meant, as_said, but_for_places, compass, place_text


def ship(x_mm: float, y_mm: float, heading_deg: float) -> Placed:
    return Placed(Pose(x_mm, y_mm, heading_deg), "ship", "Belle")


ISLE = Placed(Pose(300, 100, 0), "island", "Red's home island")


@pytest.mark.parametrize(
    ("end", "words"),
    [
        ((180, 100, 2), "sail Belle 80 mm east"),
        ((180, 100, 181), "sail Belle 80 mm east, bow west"),
        ((60, 60, 225), "sail Belle 57 mm north-west"),
        ((103.4, 100.2, 90), "sail Belle with her bow south"),
    ],
)
def test_a_way_is_told_by_how_far_and_whither(end: tuple[float, float, float], words: str) -> None:
    text = f"sail Belle by 140, 90.5 to {place_text(Pose(*end))}"
    assert as_said(text, {1: ship(100, 100, 0)}, {1: ship(*end)}) == words
    assert but_for_places(text) == but_for_places(words) == "sail Belle "


@pytest.mark.parametrize(
    ("end", "words"),
    [
        ((300, 168, 0), "put Belle 68 mm south of Red's home island, bow east"),
        ((900, 168, 300), "put Belle with her bow north-east"),
    ],
)
def test_a_new_piece_is_put_beside_another(end: tuple[float, float, float], words: str) -> None:
    text = f"put Belle at {place_text(Pose(*end))}"
    assert as_said(text, {9: ISLE}, {9: ISLE, 1: ship(*end)}) == words
    assert but_for_places(words) == "put Belle "


def test_each_place_is_told_of_the_piece_that_went_there() -> None:
    before = {1: ship(100, 100, 0), 2: ship(60, 100, 0), 9: ISLE}
    after = {1: ship(180, 100, 0), 2: ship(140, 130, 0), 9: ISLE}
    places = [place_text(after[tag].pose) for tag in (1, 2)]
    text = f"sail Belle to {places[0]} with her tow at {places[1]}"
    told = "sail Belle 80 mm east with her tow 85 mm east"
    assert as_said(text, before, after) == told


def test_where_the_rules_say_how_far_only_the_bow_is_told() -> None:
    """A ship that turns on her rudder takes her tag along: she has not sailed so far."""
    text = f"Belle falls off by 45 degrees, now at {place_text(Pose(240, 160, 45))}"
    told = "Belle falls off by 45 degrees, bow south-east"
    assert as_said(text, {1: ship(100, 100, 0)}, {1: ship(240, 160, 45)}) == told
    assert but_for_places(text) == but_for_places(told) == "Belle falls off by 45 degrees"


def test_what_may_be_done_is_told_as_what_was_done() -> None:
    pieces = {1: ship(100, 100, 0), 9: ISLE}
    there = place_text(Pose(180, 100, 0))
    told = "sail Belle 80 mm east (aground)"
    assert as_meant(f"sail Belle to {there} (aground)", pieces, 1) == told
    assert as_meant("Belle holds her fire", pieces, 1) == "Belle holds her fire"
    with_tow = f"sail Belle to {there} with her tow at {there}"
    assert as_meant(with_tow, pieces, 1) == "sail Belle 80 mm east with her tow"
    put = f"put Gull at {place_text(Pose(240, 160, 45))}"
    assert as_meant(put, pieces, 2) == as_said(put, pieces, {**pieces, 2: ship(240, 160, 45)})


def test_a_piece_that_stays_is_put_where_it_is_drawn() -> None:
    """A bought ship lies at her first berth already: that was told in millimetres and degrees."""
    text, pieces = "Ann: put the Tern at 240, 160 mm heading 45", {9: ISLE, 2: ship(240, 160, 45)}
    told = "Ann: put the Tern where it is drawn"
    assert as_meant(text, pieces, 2) == as_said(text, pieces, pieces) == told


def test_what_moves_no_piece_is_left_as_it_is() -> None:
    text = "roll by 1, 2 to 3, 4 mm heading 5"
    assert as_said(text, {9: ISLE}, {9: ISLE}) == text


def test_directions_turn_clockwise_from_the_right_of_the_board() -> None:
    names = [compass(45.0 * k) for k in range(8)]
    assert names == sorted(set(names), key=names.index)
    assert names[::2] == ["east", "south", "west", "north"]
    assert compass(359.9) == "east"
    assert compass(67.5) != compass(112.5)


def test_a_way_that_points_at_a_piece_leads_towards_it() -> None:
    """At its nearest edge; of one that is off by a degree, or only turns, the turn is told."""
    rock = Placed(Pose(300, 100, 0), "island", "Island 109", "", ((-50, 20), (50, 20), (0, 60)))
    pieces = {1: ship(100, 100, 0), 2: ISLE, 109: rock}
    for end, words in (
        ((180, 110.7, 7.6), "sail Belle 81 mm east, towards Island 109"),
        ((180, 112.1, 8.6), "sail Belle 81 mm east, turned 9 degrees to starboard"),
        ((180, 100, 0), "sail Belle 80 mm east, straight on"),
        (
            (103, 100.4, 270),
            "sail Belle with her bow north, turned 90 degrees to port",
        ),
    ):
        assert as_aimed(f"sail Belle to {place_text(Pose(*end))}", pieces, 1) == words
    assert as_aimed("sail Belle home", pieces, 1) == "sail Belle home"


def test_one_of_many_places_to_put_a_piece_is_told_from_the_edges() -> None:
    """Nothing is near, and many are alike but for where they are."""
    said = "put Belle 208 mm from the left and 525 mm from the top, bow south-east"
    assert as_aimed("put Belle at 208, 525.2 mm heading 45", {9: ISLE}, 1) == said
