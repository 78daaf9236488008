"""Running and capturing."""

import pytest

from companion.rules.ahoy_matey.actions import Run, Take
from companion.rules.ahoy_matey.rules import AhoyMatey

GAME = AhoyMatey()


def test_two_runs_by_one_ship_or_one_each(voyage):
    """AHM-21: straight, exactly as long as the die shows; back again with the other if liked."""
    game = voyage({"suns": ["C6", "F9"]}, (2, 2))
    game.run("C6", 2, "south").run("C8", 2, "north")
    assert game.ships("suns") == ["C6", "F9"]
    game = voyage({"suns": ["C6", "F9"]}, (1, 3)).run("C6", 1, "north").run("F9", 3, "east")
    assert game.ships("suns") == ["C5", "I9"]
    game = voyage({"suns": ["C6"]}, (1, 3))
    assert game.why_not("C6", 2, "south") == "AHM-21"
    assert game.refusal(Run(game.player, (3, 6), 3, 7)) == "AHM-21"
    assert game.refusal(Run(game.player, (3, 6), 3, 2, ships=2)) == "AHM-21"
    assert game.why_not("D8", 3, "south") == "AHM-21"
    assert game.refusal(Run(game.player, (3, 6), 0, 0)) == "AHM-18"


def test_runs_end_at_land_and_edge(voyage):
    """AHM-5, AHM-6, AHM-22: not over the island, the gaps or the edge."""
    game = voyage({"suns": ["C5", "G2", "J3"]}, (4, 4))
    assert game.why_not("C5", 4, "east") == "AHM-6"
    assert game.why_not("C5", 4, "west") == "AHM-5"
    assert game.why_not("G2", 4, "east") == "AHM-5"
    assert game.why_not("J3", 4, "north") == "AHM-5"
    assert game.refusal(Run(game.player, (5, 5), 4, 0)) == "AHM-6"


def test_runs_pass_no_ship(voyage):
    """AHM-22: neither an own ship nor an enemy is passed, and no own ship joined."""
    game = voyage({"suns": ["C6", "C8"], "moons": ["F6"]}, (2, 4))
    assert game.why_not("C6", 4, "south") == "AHM-22"
    assert game.why_not("C6", 2, "south") == "AHM-22"
    game = voyage({"suns": ["C3"], "moons": ["F3"]}, (4, 4))
    assert game.why_not("C3", 4, "east") == "AHM-22"


def test_no_own_ship_is_joined_even_in_the_harbour(voyage):
    """AHM-22: leaving and coming back beside another is no exception."""
    game = voyage({"suns": ["north", "H3"]}, (3, 3))
    assert game.why_not("H3", 3, "north") == "AHM-22"


def test_own_ship_in_the_wind(voyage):
    """T9, AHM-22, AHM-25: with own ships on (2,8) and (1,8) nothing gets past them."""
    game = voyage({"suns": ["H2", "H1", "G2"]}, (1, 2))
    assert game.why_not("G2", 1, "east") == "AHM-22"
    assert game.why_not("G2", 1, "NE") == "AHM-22"
    assert game.why_not("H2", 2, "north") == "AHM-22"


def test_capture(voyage):
    """T10, AHM-23: landing captures, with either die; running on is barred."""
    game = voyage({"suns": ["I4"], "moons": ["F4"]}, (3, 4), reserve={"moons": 1})
    assert game.why_not("I4", 4, "west") == "AHM-22"
    game.run("I4", 3, "west")
    assert game.ships("suns") == ["F4"]
    assert game.ships("moons") == []
    assert game.rules() == ["AHM-23"]


def test_captured_ships_are_out_for_good(voyage):
    """AHM-41: they go neither to the reserve nor back; own ships are no prey."""
    game = voyage({"suns": ["I4", "H4"], "moons": ["F4"]}, (1, 2), reserve={"moons": 1})
    before = game.state.captured[0]
    assert game.why_not("I4", 1, "west") == "AHM-22"
    game.run("H4", 2, "west")
    assert game.state.captured[0] == before + 1
    assert game.reserve("moons") == 1
    assert game.state.afloat == (2, 1)


def test_two_on_the_ace_square_leave_one_by_one(voyage):
    """AHM-21: one die moves one ship where stacks are not played."""
    game = voyage({"suns": ["north", "north"]}, (2, 3))
    assert game.why_not("north", 2, "south", ships=2) == "AHM-21"
    game.run("north", 3, "south").run("north", 2, "south")
    assert game.ships("suns") == ["H2", "H3"]


def test_two_on_the_ace_square_are_captured_together(voyage):
    """AHM-42: one landing takes both."""
    game = voyage({"suns": ["C9"], "moons": ["south", "south"]}, (2,), reserve={"moons": 1})
    game.run("C9", 2, "south")
    assert game.ships("moons") == []
    assert game.ships("suns") == ["south"]
    assert game.rules() == ["AHM-42"]
    assert game.state.captured[0] == 3 - 1 + 2


def test_any_ship_may_enter_any_harbour(voyage):
    """AHM-24: by exact count in the line through the end of the wind, and not beyond."""
    game = voyage({"suns": ["H3", "G8", "C3"]}, (2, 4))
    assert game.why_not("H3", 4, "north") == "AHM-24"
    game = voyage({"suns": ["H9", "G3"]}, (4, 3))
    game.run("G3", 4, "east")
    assert game.ships("suns") == ["H9", "east"]
    assert game.runs("east", 3) == {"west"}
    assert game.why_not("east", 3, "south") == "AHM-24"


def test_running_with_the_wind(voyage):
    """T7, AHM-25: from (2,7) the wind leads 3 to (5,4), but north-east only 1."""
    game = voyage({"suns": ["G2"]}, (1, 3))
    assert "SW" in game.runs("G2", 3)
    assert "NE" in game.runs("G2", 1)
    assert game.why_not("G2", 3, "NE") == "AHM-25"
    game.run("G2", 3, "SW")
    assert game.ships("suns") == ["D5"]
    assert "SW" in game.runs("D5", 1)


def test_no_diagonals_off_the_wind(voyage):
    """AHM-25: only a ship that stands in the wind."""
    game = voyage({"suns": ["C5"]}, (1, 3))
    assert game.why_not("C5", 1, "NE") == "AHM-25"


def test_standing_in_the_wind_is_enough(voyage):
    """AHM-26: it does not matter when the ship came there; arriving with the first die will do."""
    game = voyage({"suns": ["G1"]}, (1, 3)).run("G1", 1, "south")
    assert "SW" in game.runs("G2", 3)


def test_winds_hinder_nobody(voyage):
    """AHM-27: a run crosses them like any water."""
    game = voyage({"suns": ["H4"]}, (5, 5)).run("H4", 5, "west")
    assert game.ships("suns") == ["C4"]


def test_capture_with_the_wind(voyage):
    """AHM-25: the same rules of passing and capturing hold on the wind."""
    game = voyage({"suns": ["G2"], "moons": ["E4"]}, (2, 3), reserve={"moons": 1})
    assert game.why_not("G2", 3, "SW") == "AHM-22"
    game.run("G2", 2, "SW")
    assert game.rules() == ["AHM-23"]


def test_a_ship_in_the_straits_is_at_both_ends(voyage):
    """AHM-28: it can be captured from either side and blocks both."""
    game = voyage({"suns": ["C1", "I10"], "moons": ["straits"]}, (2, 4), reserve={"moons": 1})
    assert game.why_not("C1", 4, "west") == "AHM-22"
    assert "west" in game.runs("C1", 2)
    game = voyage({"suns": ["H10"], "moons": ["straits"]}, (2, 4), reserve={"moons": 1})
    game.run("H10", 2, "east")
    assert game.ships("suns") == ["straits"]
    assert game.ships("moons") == []


def test_running_through_the_straits(voyage):
    """AHM-9: the straits are one square of a run, which keeps its direction."""
    game = voyage({"suns": ["C1"]}, (4, 4)).run("C1", 4, "west")
    assert game.ships("suns") == ["H10"]


@pytest.mark.parametrize(
    ("suns", "moons", "start", "words"),
    [
        (["H1"], ["C6"], "C6", "a ship of Moons is on C6; yours is on H1."),
        (["H1"], ["south"] * 2, "south", "2 ships of Moons are in the south harbour; yours"),
        (["H1"], ["straits"], "straits", "a ship of Moons is in the straits; yours"),
        (["H1", "straits"], [], "C4", "no ship is on C4; yours are in the straits and on H1."),
        (["north", "north"], [], "C4", "no ship is on C4; yours are in the north harbour."),
        ([], ["C6"], "C6", "a ship of Moons is on C6; you have none on the board."),
    ],
)
def test_where_ships_are_is_said_in_plain_words(voyage, suns, moons, start, words):
    """AHM-21: on a square, in a harbour and in the straits, one ship or several."""
    game = voyage({"suns": suns, "moons": moons}, (1, 3), reserve={"suns": 1, "moons": 1})
    ruling = GAME.check(game.state, game.action(start, 3, "north"))
    assert (ruling.rule, words in ruling.reason) == ("AHM-21", True), ruling


@pytest.mark.parametrize(
    ("start", "where"),
    [("C5", "on C5"), ("straits", "in the straits"), ("north", "in the north harbour")],
)
def test_a_ship_that_is_not_there_is_named_by_its_place(voyage, start, where):
    """AHM-25, AHM-30: neither in the wind nor at an anchor."""
    game = voyage({"suns": [start]}, (1, 3), reserve={"moons": 1})
    ruling = GAME.check(game.state, game.action(start, 3, "NE"))
    assert ruling.reason == f"Only a ship in the Roaring 40s runs diagonally, not one {where}."
    ruling = GAME.check(game.state, Take(game.player, game.action(start, 3, "NE").start))
    assert ruling.reason.endswith(f"beside Skull Island, not {where}.")


def test_several_ships_in_the_way(voyage):
    """AHM-22: 2 ships "are" in the way."""
    game = voyage({"suns": ["H3"], "moons": ["H1", "H1"]}, (3, 4), reserve={"moons": 1})
    ruling = GAME.check(game.state, game.action("H3", 3, "north"))
    assert ruling.reason == "A run does not pass a ship: 2 ships of Moons are on H1."


def test_ships_captured_in_a_harbour(voyage):
    """AHM-42: they lie in it, not on it."""
    game = voyage({"suns": ["C9"], "moons": ["south", "south"]}, (2,), reserve={"moons": 1})
    later = GAME.apply(game.state, game.action("C9", 2, "south"))
    assert later.happenings[0].text == "Suns captures 2 ships of Moons in the south harbour"
