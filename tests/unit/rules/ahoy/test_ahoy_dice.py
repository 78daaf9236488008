"""The turn: rolling, nulls, and using as many dice as can be used."""

from fractions import Fraction

from companion.rules.ahoy_matey.actions import Deploy, Done, LieTo, Run
from companion.rules.ahoy_matey.options import DIE
from companion.rules.ahoy_matey.uses import most_uses
from companion.rules.deeds import roll
from companion.rules.game import PlayerId
from companion.rules.layout import Die


def test_a_die_shows_null_ace_and_2_to_5(voyage):
    """AHM-1: six faces; two dice are rolled at once, 21 results."""
    assert DIE.faces == (0, 1, 2, 3, 4, 5)
    game = voyage({"suns": ["C6"]})
    outcomes = game.game.chance_outcomes(game.state)
    assert len(outcomes) == 21
    assert sum(p for _, p in outcomes) == 1
    assert dict(outcomes)[roll(Die("piecepack", 0), Die("piecepack", 4))] == Fraction(2, 36)
    assert game.refusal(roll(Die("piecepack", 0), Die("piecepack", 6))) == "AHM-1"
    game.roll(1, 1)
    assert game.game.pending(game.state).text == "Suns: use ace and ace"
    assert game.refusal(roll(Die("piecepack", 0))) == "AHM-15"


def test_dice_are_rolled_before_anything_is_chosen(voyage):
    """AHM-15: no ship moves before the roll; then the player chooses order and ship."""
    game = voyage({"suns": ["C6", "F9"]})
    assert game.why_not("C6", 2, "north") == "AHM-15"
    game.roll(1, 3)
    assert game.asked() == "sail"
    assert {(a.start, a.die) for a in game.legal()} == {
        (start, die) for start in ((3, 6), (6, 9)) for die in (1, 3)
    }
    game.run("F9", 3, "west")
    assert {a.die for a in game.legal()} == {1}


def test_opening_roll_null_and_four(voyage):
    """T5, AHM-16, AHM-17: with no ship out, the null deploys and the 4 moves that ship."""
    game = voyage({}).roll(0, 4)
    assert game.legal() == (Deploy(PlayerId(0), "suns"),)
    game.deploy()
    assert game.ships("suns") == ["north"]
    assert game.texts() == ["4 south from the north harbour to H4"]
    game.run("north", 4, "south")
    assert game.ships("suns") == ["H4"]
    assert game.asked() == "roll"
    assert game.player == 1


def test_opening_roll_without_a_null(voyage):
    """T5, AHM-16: nothing can be done, the turn passes."""
    game = voyage({}).roll(3, 4)
    assert game.player == 1
    assert game.rules() == ["AHM-16"]


def test_two_nulls_deploy_two_ships(voyage):
    """T5, AHM-17, AHM-19: both stand on the ace square."""
    game = voyage({}).roll(0, 0).deploy()
    # With a ship on the board the second null may also move it no square (AHM-18).
    assert game.legal() == (Deploy(PlayerId(0), "suns"), LieTo(PlayerId(0)))
    game.deploy()
    assert game.ships("suns") == ["north", "north"]
    assert game.reserve("suns") == 1
    assert game.player == 1


def test_a_null_may_be_no_move(voyage):
    """T6, AHM-18: with a ship out, deploying is a choice; the 2 must be used."""
    game = voyage({"suns": ["H4"]}, (0, 2), reserve={"suns": 1})
    nulls = [a for a in game.legal() if not isinstance(a, Run)]
    assert nulls == [Deploy(PlayerId(0), "suns"), LieTo(PlayerId(0))]
    before = game.state.position
    game.lie_to()
    assert game.state.position == before
    assert game.state.dice == (2,)
    assert game.refusal(Done(PlayerId(0))) == "AHM-16"
    game.run("H4", 2, "south")
    assert game.player == 1


def test_a_null_cannot_be_a_move_without_ships(voyage):
    """AHM-18: with no own ship on the board deploying is the only use."""
    game = voyage({}, (0, 0))
    assert game.refusal(LieTo(PlayerId(0))) == "AHM-18"
    game = voyage({"suns": ["C6"]}, (0, 3))
    assert game.refusal(Deploy(PlayerId(0), "suns")) == "AHM-13"
    game = voyage({"suns": ["C6"]}, (3,), reserve={"suns": 1})
    assert game.refusal(Deploy(PlayerId(0), "suns")) == "AHM-17"
    assert game.refusal(LieTo(PlayerId(0))) == "AHM-18"
    assert game.refusal(Deploy(PlayerId(0), "moons")) == "AHM-17"


def test_deploying_beside_an_own_ship(voyage):
    """AHM-19: an own ship on the ace square is no hindrance."""
    game = voyage({"suns": ["north"]}, (0,), reserve={"suns": 2}).deploy()
    assert game.ships("suns") == ["north", "north"]


def test_deploying_onto_an_enemy(voyage):
    """AHM-20: the enemy on the ace square is captured."""
    game = voyage({"suns": ["C6"], "moons": ["north"]}, (0,), reserve={"suns": 1, "moons": 1})
    game.deploy()
    assert game.ships("suns") == ["C6", "north"]
    assert game.ships("moons") == []
    assert game.rules() == ["AHM-20"]
    # One of the suns and one of the moons were gone before.
    assert game.state.captured == (3, 0)


def test_a_first_use_that_strands_the_other_die_is_refused(voyage):
    """T17, AHM-16: from B2 the 5 is usable only before the 2, so 2 first is rejected."""
    game = voyage({"suns": ["B2"], "moons": ["D4"]}, (2, 5), reserve={"moons": 1})
    assert game.runs("B2", 2) == set()
    assert game.why_not("B2", 2, "east") == "AHM-16"
    assert game.why_not("B2", 2, "south") == "AHM-16"
    assert game.runs("B2", 5) == {"east", "south"}
    game.run("B2", 5, "east")
    assert game.runs("G2", 2) == {"west", "south", "SW"}


def test_a_lone_die_strands_nothing(voyage):
    """AHM-16: the same 2 is free once it is the only die."""
    game = voyage({"suns": ["B2"], "moons": ["D4"]}, (2,), reserve={"moons": 1})
    assert game.runs("B2", 2) == {"east", "south"}


def test_when_either_die_but_not_both_can_be_used(voyage):
    """AHM-16: the player chooses which; the treasure ship on A2 cannot use both 3 and 5."""
    game = voyage({"suns": ["A2"]}, (3, 5), treasure="A2")
    assert most_uses(game.state.crew, game.state.position, (3, 5)) == 1
    assert {action.die for action in game.legal()} == {3, 5}
    game.run("A2", 3, "east")
    assert game.player == 1
    assert game.rules() == ["AHM-16"]


def test_only_dice_that_can_still_be_used_are_named(voyage):
    """AHM-16: the turn cannot end while the 3 has a use; the 5 has none."""
    game = voyage({"suns": ["A5"], "moons": ["A3", "C5"]}, (3, 5))
    assert {a.die for a in game.legal()} == {3}
    assert game.game.check(game.state, Done(game.player)).reason.endswith(": 3 can still be used.")


def test_a_use_that_wins_needs_no_other(voyage):
    """AHM-16, AHM-44: bringing the treasure home first is legal though the 2 could go first."""
    game = voyage({"suns": ["H3", "C6"]}, (2, 3), treasure="H3")
    assert game.runs("H3", 3) == {"north"}
    game.run("H3", 3, "north")
    assert game.asked() == "over"


def test_a_line_that_wins_may_leave_dice_over(voyage):
    """AHM-16, AHM-44, AHM-V20: two of three dice win, all three in another order do not."""
    game = voyage(
        {"arms": ["H5"], "moons": ["C6", "south"]},
        (1, 3, 5),
        treasure="H5",
        players=4,
        turn=3,
        options={"hurricane": True},
        reserve={"suns": 0, "crowns": 0},
    )
    assert most_uses(game.state.crew, game.state.position, (1, 3, 5)) == 3
    assert "SW" in game.runs("H5", 3)
    game.run("H5", 3, "SW").run("E8", 5, "west")
    assert game.game.outcome(game.state).placing[0] == (3,)


def test_four_dice_are_used_as_far_as_can_be(voyage):
    """AHM-V20: the most dice of any order count, with four as with two."""
    options = {"pieces_of_eight": True}
    # Only the null frees a ship, and from the harbour the way leads south alone.
    game = voyage({"moons2": ["south 2"]}, (0, 4, 4, 5), options=options)
    assert most_uses(game.state.crew, game.state.position, (0, 4, 4, 5)) == 4
    assert [type(action) for action in game.legal()] == [Deploy]
    game.deploy()
    assert game.runs("north", 5) == {"south"}
    crowded = {"suns": ["north"], "moons2": ["H2"]}
    game = voyage(crowded, (3, 3, 4, 5), options=options)
    assert most_uses(game.state.crew, game.state.position, (3, 3, 4, 5)) == 0


def test_taking_may_leave_a_die_without_use(voyage):
    """AHM-16, AHM-30: taking is free at any time; no use is judged by what taking would bar."""
    game = voyage({"suns": ["E4"]}, (5,))
    assert "east" in game.runs("E4", 5)
    game.take("E4")
    assert game.rules() == ["AHM-30", "AHM-16"]
    assert game.player == 1


def test_a_null_that_strands_the_other_die_is_refused(voyage):
    """AHM-16: with the only ship shut in, the null must bring out the one that uses the 5."""
    ships = {"suns": ["A8"], "moons": ["A7", "B8", "B7"]}
    game = voyage(ships, (0, 5), reserve={"suns": 1, "moons": 0})
    assert [type(action) for action in game.legal()] == [Deploy]
    assert game.refusal(LieTo(PlayerId(0))) == "AHM-16"
    # The other way round: a ship in the strait of the harbour's mouth is shut in by the deployed.
    ships = {"suns": ["H5"], "moons": ["G5", "I5", "H6", "G6"]}
    game = voyage(ships, (0, 5), reserve={"suns": 1, "moons": 0})
    assert game.runs("H5", 5) == {"north"}
    assert game.refusal(Deploy(PlayerId(0), "suns")) == "AHM-16"


def test_a_treasure_run_that_strands_the_other_die_is_refused(voyage):
    """AHM-16: from A5 only 1 north leaves a way home of 5; 1 east leaves none."""
    game = voyage({"suns": ["A5"]}, (1, 5), treasure="A5")
    assert game.texts() == ["1 north from A5 to A4"]
    assert game.why_not("A5", 1, "east") == "AHM-16"
    game.run("A5", 1, "north").run("A4", 5, "east")
    assert game.treasure() == "F4"


def test_no_bonus_for_doubles(voyage):
    """AHM-29: a pair is two dice and no more."""
    game = voyage({"suns": ["C6"]}).roll(2, 2).run("C6", 2, "south").run("C8", 2, "east")
    assert game.player == 1


def test_dice_that_cannot_be_used_are_lost(voyage):
    """AHM-16: the turn ends by itself with the die that fits nowhere."""
    game = voyage({"suns": ["north"], "moons": ["H2"]}).roll(2, 5)
    assert game.texts() == ["2 south from the north harbour to H2, captures a ship of Moons"]
