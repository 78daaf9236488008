"""Taking the treasure, carrying it, bringing it home."""

from companion.rules.ahoy_matey.actions import Done, LieTo


def test_taking_on_the_way(voyage):
    """T8, AHM-30, AHM-31: 1 with the wind to an anchor, take, and the 2 must lead home."""
    game = voyage({"suns": ["F3"]}, (1, 2)).run("F3", 1, "SW")
    assert game.ships("suns") == ["E4"]
    game.take("E4")
    assert game.treasure() == "E4"
    assert game.state.dice == (2,)
    assert game.rules() == ["AHM-30"]
    assert game.runs("E4", 2) == {"north", "east", "NE"}


def test_taking_is_optional_and_possible_later(voyage):
    """AHM-30: not after landing, but in a later turn before any die is used."""
    game = voyage({"suns": ["E3"], "moons": ["south"]}, (1,)).run("E3", 1, "south")
    assert game.texts() == ["take the treasure from E4", "leave the treasure and end the turn"]
    game.done()
    assert game.player == 1
    game.roll(3, 3).run("south", 3, "north").run("C8", 3, "north").roll(2, 4).take("E4")
    assert game.treasure() == "E4"
    assert game.state.dice == (2, 4)


def test_taking_only_at_an_anchor(voyage):
    """AHM-7, AHM-30: beside the island, by an own ship, while the treasure is there."""
    game = voyage({"suns": ["D4", "F4"], "moons": ["G5"]}, (2, 2))
    assert game.why_no_take("D4") == "AHM-30"
    assert game.why_no_take("G5") == "AHM-30"
    game.take("F4")
    assert game.why_no_take("F4") == "AHM-30"
    game = voyage({"suns": ["D4"]}, (2, 2))
    assert game.refusal(Done(game.player)) == "AHM-16"


def test_who_has_to_land_anew_is_told_so_only_while_there_is_a_treasure(voyage):
    """AHM-30, AHM-V2: once it has left the island that is the reason."""
    options = {"buried_treasure": True}
    barred = voyage({"suns": ["E4"]}, (1, 2), barred=["E4"], options=options)
    assert barred.why_no_take("E4") == "AHM-V2"
    gone = voyage(
        {"suns": ["E4"], "moons": ["C8"]}, (1, 2), treasure="C8", barred=["E4"], options=options
    )
    assert gone.why_no_take("E4") == "AHM-30"


def test_the_pawn_waits_on_the_island(opening):
    """AHM-4, AHM-13: the treasure starts on the island, every ship in reserve."""
    game = opening()
    assert game.treasure() == "island"
    assert game.state.position.ships == ()
    assert game.state.position.reserve == (3, 3)


def test_treasure_run_by_compass(voyage):
    """T11, AHM-34: a carrier of the north on (4,6)."""
    for die, ways in {1: {"north", "east"}, 2: {"north", "east"}, 3: {"north"}}.items():
        game = voyage({"suns": ["F4"]}, (die,), treasure="F4")
        assert game.runs("F4", die) == ways
    game = voyage({"suns": ["F4", "A5"]}, (3,), treasure="F4")
    assert game.why_not("F4", 3, "east") == "AHM-34"
    game = voyage({"suns": ["F4", "A5"]}, (1,), treasure="F4")
    assert game.why_not("F4", 1, "west") == "AHM-34"
    assert game.why_not("F4", 1, "south") == "AHM-6"


def test_treasure_run_with_the_wind(voyage):
    """T12, AHM-34: a carrier of the north on (4,5)."""
    game = voyage({"suns": ["E4", "A5"]}, (3,), treasure="E4")
    assert "NE" in game.runs("E4", 3)
    assert game.why_not("E4", 3, "SW") == "AHM-35"


def test_treasure_run_partly_parallel(voyage):
    """T13, AHM-34, AHM-35: with the wind a step may keep the distance, not by compass."""
    for die in (1, 2):
        game = voyage({"suns": ["G6"]}, (die,), treasure="G6")
        assert "NE" in game.runs("G6", die)
    game = voyage({"suns": ["G6"]}, (2, 1), treasure="G6").run("G6", 2, "NE")
    assert "west" in game.runs("I4", 1)
    # A step that keeps the distance and nothing more is none that leads home.
    game = voyage({"suns": ["H5", "A5"]}, (1,), treasure="H5")
    assert game.why_not("H5", 1, "NE") == "AHM-35"


def test_delivery(voyage):
    """T14, AHM-38, AHM-44: exactly onto the ace square, and the game is won at once."""
    game = voyage({"suns": ["H3"]}, (3, 5), treasure="H3").run("H3", 3, "north")
    assert game.asked() == "over"
    outcome = game.game.outcome(game.state)
    assert outcome.rule == "AHM-44"
    assert outcome.placing == ((0,), (1,))
    assert game.rules() == ["AHM-38", "AHM-44"]
    assert game.game.layout(game.state).at((8, 0)).cargo == "treasure"


def test_the_second_die_may_finish(voyage):
    """AHM-38: what the first die began."""
    game = voyage({"suns": ["F3"]}, (2, 3), treasure="F3")
    game.run("F3", 2, "east").run("H3", 3, "north")
    assert game.asked() == "over"


def test_delivery_needs_an_empty_harbour(voyage):
    """T14, AHM-39: no own ship in it and none in reserve, unless the table plays without that."""
    game = voyage({"suns": ["H3", "A5"]}, (3, 5), treasure="H3", reserve={"suns": 1})
    assert game.why_not("H3", 3, "north") == "AHM-39"
    game = voyage({"suns": ["H3", "north"]}, (3, 5), treasure="H3")
    assert game.why_not("H3", 3, "north") == "AHM-22"
    freely = {"delivery_ignores_reserve": True}
    game = voyage({"suns": ["H3"]}, (3, 5), treasure="H3", reserve={"suns": 1}, options=freely)
    game.run("H3", 3, "north")
    assert game.asked() == "over"


def test_an_enemy_in_the_harbour_is_captured_by_the_landing(voyage):
    """AHM-23, AHM-39: which empties the harbour."""
    game = voyage({"suns": ["H3"], "moons": ["north"]}, (3,), treasure="H3", reserve={"moons": 1})
    game.run("H3", 3, "north")
    assert game.rules() == ["AHM-23", "AHM-38", "AHM-44"]


def test_no_delivery_beyond_the_count(voyage):
    """AHM-38: the harbour is reached exactly or not at all."""
    game = voyage({"suns": ["H3", "A5"]}, (4,), treasure="H3")
    assert game.why_not("H3", 4, "north") == "AHM-24"


def test_home_through_the_straits(voyage):
    """T15, AHM-34: a carrier of the west on (8,10); the fourth player commands the west."""
    game = voyage({"arms": ["J8"]}, (2, 4), treasure="J8", players=4, turn=3)
    assert "south" in game.runs("J8", 2)
    game.run("J8", 2, "south")
    assert game.ships("arms") == ["straits"]
    game.run("straits", 4, "south")
    assert game.ships("arms") == ["A5"]
    assert game.treasure() == "A5"


def test_the_captor_takes_the_treasure(voyage):
    """T16, AHM-32, AHM-34: even in mid-ocean, and is held to the way home at once."""
    game = voyage({"suns": ["C6"], "moons": ["C8"]}, (2, 3), treasure="C8", reserve={"moons": 1})
    game.run("C6", 2, "south")
    assert game.treasure() == "C8"
    assert game.rules() == ["AHM-23", "AHM-32"]
    assert game.runs("C8", 3) == {"north", "east"}


def test_a_carrier_may_capture(voyage):
    """AHM-33: on its way home."""
    game = voyage({"suns": ["H7"], "moons": ["H4"]}, (3,), treasure="H7", reserve={"moons": 1})
    game.run("H7", 3, "north")
    assert game.treasure() == "H4"
    assert game.rules() == ["AHM-23"]


def test_a_carrier_without_a_way_home_stays(voyage):
    """AHM-36: the die goes to another ship, or is lost."""
    game = voyage({"suns": ["H2", "C6"]}, (4,), treasure="H2")
    assert {a.start for a in game.legal()} == {(3, 6)}
    game = voyage({"suns": ["H2"]}, treasure="H2").roll(4, 4)
    assert game.player == 1


def test_a_null_for_the_carrier(voyage):
    """AHM-37: it may be its move."""
    game = voyage({"suns": ["H2"]}, (0,), treasure="H2")
    assert game.legal() == (LieTo(game.player),)
    game.lie_to()
    assert game.treasure() == "H2"


def test_the_treasure_goes_with_its_ship(voyage):
    """AHM-34: a lone ship cannot leave it behind."""
    game = voyage({"suns": ["F4", "A5"]}, (1,), treasure="F4")
    assert game.why_not("F4", 1, "north", treasure=False) == "AHM-34"
    assert game.why_not("A5", 1, "north", treasure=True) == "AHM-30"
