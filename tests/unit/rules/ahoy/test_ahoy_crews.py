"""Alliances, the ghost, and games on two boards: AHM-V11 to AHM-V18."""

import pytest

from companion.rules.ahoy_matey.actions import Deploy, LieTo, TossCoin
from companion.rules.ahoy_matey.rules import AhoyMatey
from companion.rules.ahoy_matey.uses import ends_game
from companion.rules.game import CHANCE

GAME = AhoyMatey()


def owners(game):
    return {fleet.colour: fleet.player for fleet in game.state.fleets}


def test_dominion(voyage):
    """AHM-V11: the ports of one wind against those of the other; any of six ships moves."""
    ships = {"suns": ["C6"], "arms": ["C8"], "moons": ["F9"], "crowns": ["G9"]}
    game = voyage(ships, (1, 2), options={"dominion": True})
    assert owners(game) == {"suns": 0, "crowns": 1, "moons": 1, "arms": 0}
    assert {a.start for a in game.legal()} == {(3, 6), (3, 8)}
    # Fleets of one alliance are no prey for each other, and share no square.
    assert game.why_not("C6", 2, "south") == "AHM-22"
    assert GAME.describe(game.state, game.legal()[0]).startswith("Captain 0: ")


def test_dominion_brings_the_treasure_to_the_harbour_of_the_ship(voyage):
    """AHM-V11: north's ship to the north, not to the allied west."""
    ships = {"suns": ["B8"], "arms": ["E9"], "moons": ["F9"], "crowns": ["G9"]}
    game = voyage(ships, (2,), treasure="B8", options={"dominion": True})
    assert game.why_not("B8", 2, "west") == "AHM-34"
    ships = {"suns": ["E9"], "arms": ["B8"], "moons": ["F9"], "crowns": ["G9"]}
    game = voyage(ships, (2,), treasure="B8", options={"dominion": True})
    game.run("B8", 2, "west")
    assert GAME.outcome(game.state).placing == ((0,), (1,))


def test_an_ally_in_the_harbour_is_in_the_way(voyage):
    """AHM-V11, AHM-19: no two fleets share a square."""
    game = voyage(
        {"suns": ["west"], "arms": ["E9"]},
        (0,),
        reserve={"arms": 2, "suns": 1},
        options={"dominion": True},
    )
    assert game.refusal(Deploy(0, "arms")) == "AHM-19"
    game.deploy("suns")
    assert game.ships("suns") == ["north", "west"]


def test_armada(opening):
    """AHM-V12: the two harbours of one end of the winds against those of the other."""
    game = opening(armada=True)
    assert owners(game) == {"suns": 0, "crowns": 0, "moons": 1, "arms": 1}
    assert GAME.view(game.state, None).seats[0].colours == ("suns", "crowns")


def test_allies_capture_only_the_others(voyage):
    """AHM-V12: all of the other alliance's ships must go."""
    game = voyage(
        {"suns": ["C6"], "crowns": ["C9"], "moons": ["C8"], "arms": []},
        (2, 1),
        options={"armada": True},
    )
    game.run("C6", 2, "south")
    assert game.asked() == "over"
    assert game.rules() == ["AHM-23", "AHM-44"]


def lose_crowns(voyage, **more):
    """Let Suns capture the last ship of Crowns among three."""
    ships = {"suns": ["C6"], "crowns": ["C8"], "moons": ["F9"]}
    game = voyage(ships, (2, 3), players=3, options={"ghost_fleet": True} | more)
    return game.run("C6", 2, "south")


def test_the_ghost_fleet(voyage):
    """AHM-V13: whoever first loses all returns with the empty harbour's suit and three turns."""
    game = lose_crowns(voyage)
    assert "AHM-V13" in game.rules()
    assert game.player == 0
    game.run("C8", 3, "north")
    for _ in range(3):
        assert game.player == 1
        assert [f.colour for f in game.state.fleets_under(1)] == ["crowns", "arms"]
        game.roll(3, 4)
    assert game.player == 2
    assert game.reserve("arms") == 3


def test_the_ghosts_sail_from_the_west(voyage):
    """AHM-V13: and are captured for good."""
    game = lose_crowns(voyage).run("C8", 3, "north").roll(0, 4)
    assert game.refusal(Deploy(2, "moons")) == "AHM-V13"
    game.deploy("arms")
    assert game.ships("arms") == ["west"]
    game.run("west", 4, "east")
    assert game.ships("arms") == ["D8"]


def test_only_one_ghost_sails(voyage):
    """AHM-V13: the second who loses all is out."""
    game = lose_crowns(voyage).run("C8", 3, "north")
    for _ in range(3):
        game.roll(3, 4)
    assert game.player == 2
    game.roll(1, 1).run("F9", 1, "west").run("E9", 1, "west")
    assert game.player == 0
    game.roll(4, 1).run("C5", 4, "south")
    game.run("C9", 1, "east")
    assert game.state.afloat[2] == 0
    assert game.player == 1


def test_nobody_wins_by_capture_before_the_ghost_has_sailed(voyage):
    """AHM-V13: the last opponent may not have been the last."""
    game = lose_crowns(voyage)
    assert game.asked() == "sail"
    assert game.state.ghost == 1
    assert game.state.extra_turns == 3
    assert game.state.resume_after == 0


def test_counting_ahead_knows_the_ghosts_to_come(voyage):
    """AHM-V13, AHM-16: with nobody else on the board the game is not over before they sailed."""
    ships = {"suns": ["C6"], "crowns": [], "moons": []}
    for options, over in (({"ghost_fleet": True}, False), ({}, True)):
        state = voyage(ships, (2, 3), players=3, options=options).state
        assert ends_game(state.crew, state.position) == over


def test_brethren(voyage):
    """AHM-V14: north's ships carry to the south."""
    game = voyage(
        {"suns": ["C9"], "moons": ["H9"]}, (2,), treasure="C9", options={"brethren": True}
    )
    game.run("C9", 2, "south")
    assert game.asked() == "over"
    assert GAME.outcome(game.state).placing == ((0,), (1,))


def test_brethren_need_the_other_harbour_empty(voyage):
    """AHM-V14, AHM-39: of the ships that are at home there, the reserve included."""
    options = {"brethren": True}
    for ships, reserve in (({"moons": ["H9"]}, {"moons": 1}), ({"moons": ["south"]}, {})):
        game = voyage(
            {"suns": ["C9", "A4"], **ships}, (2,), treasure="C9", reserve=reserve, options=options
        )
        assert game.why_not("C9", 2, "south") == "AHM-39"
    game = voyage({"suns": ["H2", "A4"]}, (2,), treasure="H2", options=options)
    assert game.why_not("H2", 2, "north") in ("AHM-24", "AHM-34")


@pytest.mark.parametrize(("ship", "run"), [("C9", (2, "south")), ("B8", (2, "west"))])
def test_brethren_do_not_join_their_own_in_the_other_harbour(voyage, ship, run):
    """AHM-39, AHM-V14: it is not empty either while ships of the treasure's own fleet lie there."""
    player, fleet, goal = {"C9": (0, "suns", "south"), "B8": (1, "crowns", "west")}[ship]
    ships = {"suns": ["F1"], "crowns": ["F2"], "moons": ["F9"]} | {fleet: [ship, goal, "A4"]}
    options = {"brethren": True, "strength_in_numbers": True}
    game = voyage(ships, (run[0], 5), treasure=ship, players=3, turn=player, options=options)
    assert game.why_not(ship, *run) == "AHM-39"
    assert game.action(ship, *run).treasure
    ships[fleet].remove(goal)
    game = voyage(ships, (run[0], 5), treasure=ship, players=3, turn=player, options=options)
    game.run(ship, *run)
    assert GAME.outcome(game.state).placing[0] == (player,)


def test_brethren_and_the_empty_harbour(voyage):
    """AHM-V14: with three players the east carries to the west, where nobody is at home."""
    ships = {"crowns": ["B8"], "suns": ["E9"], "moons": ["F9"]}
    game = voyage(ships, (2,), treasure="B8", players=3, turn=1, options={"brethren": True})
    game.run("B8", 2, "west")
    assert GAME.outcome(game.state).placing == ((1,), (0, 2))


def test_pieces_of_eight(opening):
    """AHM-V15, AHM-V20: two boards, four dice, and a coin for the island."""
    game = opening(2, pieces_of_eight=True).roll(4).roll(2)
    assert game.asked() == "toss"
    assert game.state.position.treasures == ()
    assert [p for _, p in GAME.chance_outcomes(game.state)] == [0.5, 0.5]
    assert game.refusal(TossCoin(CHANCE, 3)) == "AHM-V15"
    game.do(TossCoin(CHANCE, 2))
    assert game.treasure() == "island 2"
    assert GAME.pending(game.state).dice == ("piecepack",) * 4


@pytest.mark.parametrize("players", range(2, 9))
def test_seats_at_two_boards(opening, players):
    """AHM-V15: everyone has a harbour of their own, as evenly on both boards as can be."""
    fleets = opening(players, pieces_of_eight=True).state.fleets
    assert [fleet.player for fleet in fleets] == list(range(players))
    assert len({fleet.harbour for fleet in fleets}) == players
    second = sum(fleet.colour.endswith("2") for fleet in fleets)
    assert second in (players // 2, (players + 1) // 2)


def test_from_board_to_board(voyage):
    """AHM-V15: the inside straits lead across; a carrier heads for the shorter way home."""
    ships = {"suns": ["I10"], "moons2": ["south 2"]}
    game = voyage(ships, (3, 3, 3, 3), options={"pieces_of_eight": True})
    game.run("I10", 3, "east")
    assert game.ships("suns") == ["O1"]
    game = voyage(
        {"suns": ["O1"], "moons2": ["south 2"]},
        (3,),
        treasure="O1",
        options={"pieces_of_eight": True},
    )
    assert game.runs("O1", 3) == {"west"}


def test_doubloons(voyage):
    """AHM-V16: both treasures must come home."""
    game = voyage(
        {"suns": ["H3", "A4"], "moons2": ["H8"]},
        (3, 5),
        treasure=["H3", "island 2"],
        options={"doubloons": True},
    )
    game.run("H3", 3, "north")
    assert game.rules() == ["AHM-38"]
    assert GAME.view(game.state, None).seats[0].scores["treasures"] == 1
    assert GAME.layout(game.state).at((8, 0)).cargo == "treasure"
    # The ship is free again, and the harbour must be empty before the second can come.
    game.run("north", 5, "south")
    assert GAME.layout(game.state).at((8, 0)).cargo == "treasure"


def test_both_doubloons_home_win(voyage):
    """AHM-V16: for whoever has both."""
    game = voyage(
        {"suns": ["H3"], "moons2": ["H8"]},
        (3, 5),
        treasure=["H3", "north"],
        options={"doubloons": True},
    )
    game.run("H3", 3, "north")
    assert GAME.outcome(game.state).placing == ((0,), (1,))


def test_a_doubloon_each_is_a_shared_victory(voyage):
    """AHM-V16: one each by two players."""
    game = voyage(
        {"suns": ["H3"], "moons2": ["H8"]},
        (3, 5),
        treasure=["H3", "south 2"],
        options={"doubloons": True},
    )
    game.run("H3", 3, "north")
    assert GAME.outcome(game.state).placing == ((0, 1),)
    said = "Both treasures are home: Suns and Moons II share the victory"
    assert game.happenings[-1].text == said
    assert GAME.outcome(game.state).reason == "Suns and Moons II brought the treasures home"


def test_a_ship_may_carry_both_doubloons(voyage):
    """AHM-V16, AHM-33: by capturing the other carrier, and brings both home."""
    game = voyage(
        {"suns": ["H4"], "moons2": ["H3"]},
        (1, 3),
        treasure=["H4", "H3"],
        reserve={"moons2": 1},
        options={"doubloons": True},
    )
    game.run("H4", 1, "north")
    assert GAME.view(game.state, None).notes[0] == "Suns has both treasures on H3"
    game.run("H3", 3, "north")
    assert GAME.outcome(game.state).placing == ((0,), (1,))
    said = "Both treasures are home in the north harbour of board 1"
    assert GAME.view(game.state, None).notes[0] == said


def test_escaping_one_curse_of_two(voyage):
    """AHM-V3, AHM-V16: the other treasure's curse goes on holding the ship, and it is said so."""
    game = voyage(
        {"suns": ["Q4", "H3"], "moons2": ["H8"]},
        (1, 2),
        treasure=["Q4", "island 2"],
        cursed=["Q4"],
        options={"doubloons": True, "cursed_treasure": True},
    )
    game.take("Q4").roll(5)
    said = game.happenings[0].text
    assert said == "Suns escapes this curse, but the other treasure's still holds it on Q4"
    assert game.why_not("Q4", 1, "north", treasure=True) == "AHM-V3"
    said = "Suns has both treasures on Q4, held by the curse"
    assert GAME.view(game.state, None).notes[0] == said


def test_a_null_that_can_do_nothing_is_not_said_to_deploy(voyage):
    """AHM-18, AHM-V3: the only ship is held by the curse and none is in reserve."""
    game = voyage(
        {"suns": ["Q4"], "moons2": ["H8"]},
        (0,),
        treasure=["Q4", "island 2"],
        cursed=["Q4"],
        options={"doubloons": True, "cursed_treasure": True},
    )
    ruling = GAME.check(game.state, LieTo(game.player))
    assert (ruling.rule, "deploy" in ruling.reason) == ("AHM-18", False)


@pytest.mark.parametrize(("face", "island"), [(2, "island"), (3, "island 2")])
def test_the_badly_drawn_map(voyage, face, island):
    """AHM-V17: the first ship at an anchor rolls; up to 2 it is here, else there."""
    ships = {"suns": ["E3"], "moons2": ["H8"]}
    game = voyage(ships, (1, 2), treasure=[], options={"badly_drawn_map": True})
    game.run("E3", 1, "south")
    assert game.asked() == "chart"
    game.roll(face)
    assert game.treasure() == island
    assert game.rules() == ["AHM-V17"]
    game.take("E4") if island == "island" else game.why_no_take("E4")


def test_nothing_is_taken_off_an_unknown_island(voyage):
    """AHM-V17: before the map is read nobody can say that the treasure is not here either."""
    ships = {"suns": ["E4"], "moons2": ["H8"]}
    game = voyage(ships, (1, 2), treasure=[], options={"badly_drawn_map": True})
    assert game.why_no_take("E4") == "AHM-V17"


def test_world_domination(opening):
    """AHM-V18: four players with a harbour and a fleet on each board; a coin for the island."""
    game = opening(4, world_domination=True)
    assert owners(game) == {
        **{"suns": 0, "crowns": 1, "moons": 2, "arms": 3},
        **{"suns2": 0, "crowns2": 1, "moons2": 2, "arms2": 3},
    }
    assert game.state.options.dice == 4
    game.roll(5).roll(1).roll(1).roll(1)
    assert game.asked() == "toss"


def test_world_domination_delivers_to_the_ships_own_harbour(voyage):
    """AHM-V18: a ship of the second board brings the treasure home to that board."""
    ships = {"suns": ["C6"], "suns2": ["T3"], "crowns": ["E9"]}
    game = voyage(ships, (3, 5), treasure="T3", players=4, options={"world_domination": True})
    game.run("T3", 3, "north")
    assert GAME.outcome(game.state).placing == ((0,), (1, 2, 3))


@pytest.mark.parametrize("name", ["pieces_of_eight", "doubloons", "badly_drawn_map"])
def test_world_domination_with_any_treasure(opening, name):
    """AHM-V18: the treasure by coin toss, on both islands or by the map."""
    game = opening(4, world_domination=True, **{name: True}).roll(5).roll(1).roll(1).roll(1)
    asked = {"pieces_of_eight": "toss", "doubloons": "roll", "badly_drawn_map": "roll"}
    assert game.asked() == asked[name]
