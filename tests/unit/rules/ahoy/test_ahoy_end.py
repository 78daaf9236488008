"""Elimination, victory and draws."""

from companion.rules.ahoy_matey.actions import Done, LieTo
from companion.rules.ahoy_matey.rules import AhoyMatey

GAME = AhoyMatey()


def test_reserves_are_safe(voyage):
    """T18, AHM-43: with a ship in reserve nobody is out."""
    game = voyage({"suns": ["C6"], "moons": ["C8"]}, (2, 3), reserve={"moons": 1})
    game.run("C6", 2, "south")
    assert game.asked() == "sail"
    assert game.state.afloat[1] == 1


def test_capturing_the_last_ship_of_the_last_opponent_wins(voyage):
    """AHM-44: at once, dice left or not."""
    game = voyage({"suns": ["C6"], "moons": ["C8"]}, (2, 3)).run("C6", 2, "south")
    assert game.asked() == "over"
    assert game.rules() == ["AHM-23", "AHM-44"]
    outcome = GAME.outcome(game.state)
    assert outcome.placing == ((0,), (1,))
    assert outcome.reason == "Only Suns has ships left"
    ruling = GAME.check(game.state, Done(0))
    assert ruling.rule == "AHM-44"
    assert GAME.asides(game.state) == ()


def test_the_race_goes_on_among_the_others(voyage):
    """AHM-43: whoever has lost all ships is passed over."""
    ships = {"suns": ["C6"], "crowns": ["C8"], "moons": ["F9"]}
    game = voyage(ships, (2, 3), players=3).run("C6", 2, "south").run("C8", 3, "north")
    assert game.player == 2
    assert game.state.afloat == (1, 0, 1)
    game.roll(1, 1).run("F9", 1, "west").run("E9", 1, "west")
    assert game.player == 0


def test_the_turn_cap(voyage):
    """AHM-45: after so many turns the game is a draw."""
    game = voyage({"suns": ["C6"], "moons": ["F9"]}, options={"turn_cap": 10}, turns=10)
    game.roll(1, 1).run("C6", 1, "north").run("C5", 1, "north")
    assert game.asked() == "over"
    assert game.rules() == ["AHM-45"]
    assert GAME.outcome(game.state).placing == ((), (0, 1))
    assert GAME.check(game.state, LieTo(0)).rule == "AHM-45"
    assert GAME.objection(game.state, GAME.layout(game.state)).rule == "AHM-45"


def test_a_plank_walked_before_the_first_turn(opening):
    """AHM-46: it is the next turn that is forfeited, also if that is the first of all."""
    game = opening()
    game.do(GAME.asides(game.state)[0]).roll(5).roll(1)
    assert game.rules() == ["AHM-14", "AHM-46"]
    assert (game.player, game.asked()) == (1, "roll")
    game.roll(3, 4)
    assert (game.player, game.asked()) == (0, "roll")
    assert game.state.penalties == (0, 0)


def test_a_forfeited_turn_counts(voyage):
    """AHM-45, AHM-46: so the cap is reached whatever happens."""
    game = voyage({"suns": ["C6"], "moons": ["F9"]}, options={"turn_cap": 10}, turns=9)
    game.do(GAME.asides(game.state)[1])
    game.roll(1, 1).run("C6", 1, "north").run("C5", 1, "north")
    assert game.rules() == ["AHM-46", "AHM-45"]
    assert game.asked() == "over"
