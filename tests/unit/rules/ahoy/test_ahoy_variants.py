"""The variants that any table can play: AHM-V1 to AHM-V10."""

from fractions import Fraction

import pytest

from companion.rules.ahoy_matey.actions import GiveUp, Run, SetPair
from companion.rules.ahoy_matey.rules import AhoyMatey

GAME = AhoyMatey()


def start(opening, players=2, **options):
    """Open a game in which the first player rolls highest."""
    game = opening(players, **options).roll(5)
    for _ in range(players - 1):
        game.roll(1)
    return game


def test_isla_diablo(opening):
    """T19, AHM-V1: one ship in the harbour, two on the nearest anchors, none in reserve."""
    game = start(opening, 4, isla_diablo=True)
    assert game.ships("suns") == ["E4", "F4", "north"]
    assert game.ships("arms") == ["D5", "D6", "west"]
    assert game.state.position.reserve == (0, 0, 0, 0)


def test_isla_diablo_first_move_then_take(opening):
    """AHM-V1: a ship must land on an anchor first; the table may play without that."""
    game = start(opening, isla_diablo=True).roll(1, 3)
    assert game.why_no_take("E4") == "AHM-V1"
    assert game.why_not("E4", 1, "east") == "AHM-22"
    game.run("E4", 1, "SW").run("D5", 3, "SW")
    game = start(opening, isla_diablo=True).roll(1, 1).run("E4", 1, "north")
    game.run("E3", 1, "south").take("E4")
    game = start(opening, isla_diablo=True, diablo_take_needs_move=False).roll(1, 3)
    game.take("E4")
    assert game.treasure() == "E4"


def test_isla_diablo_with_four_ships(opening):
    """AHM-V1, AHM-V7: the fourth waits in reserve."""
    game = start(opening, isla_diablo=True, packed_to_the_rafters=True)
    assert game.state.position.reserve == (1, 1)
    assert len(game.ships("suns")) == 3


def test_buried_treasure(voyage):
    """AHM-V2: 4 and 5 find nothing, and the ship must land anew before it digs again."""
    options = {"buried_treasure": True}
    game = voyage({"suns": ["E4"]}, (2, 3), options=options).take("E4")
    assert game.asked() == "dig"
    game.roll(4)
    assert game.rules() == ["AHM-V2"]
    assert game.treasure() == "island"
    assert game.asked() == "sail"
    assert game.why_no_take("E4") == "AHM-V2"
    game.run("E4", 2, "north")
    assert game.state.position.barred == ()
    game = voyage({"suns": ["E4"]}, (2, 3), options=options).take("E4").roll(3)
    assert game.treasure() == "E4"


def test_cursed_from_the_island(voyage):
    """AHM-V3: a null holds the ship; only a null."""
    options = {"cursed_treasure": True}
    game = voyage({"suns": ["E4", "C9"]}, (1, 3), options=options).take("E4")
    assert game.asked() == "curse"
    game.roll(0)
    assert game.state.position.treasures[0].cursed
    assert game.why_not("E4", 1, "north") == "AHM-V3"
    assert {a.start for a in game.legal()} == {(3, 9)}
    game = voyage({"suns": ["E4", "C9"]}, (1, 3), options=options).take("E4").roll(1)
    assert not game.state.position.treasures[0].cursed
    assert "north" in game.runs("E4", 1)


@pytest.mark.parametrize(("face", "cursed"), [(0, True), (1, True), (2, False)])
def test_relief_from_the_curse(voyage, face, cursed):
    """AHM-V3: an own ship lands on the cursed one and takes the treasure; null or ace hold it."""
    game = voyage(
        {"suns": ["E4", "E2"]},
        (1, 2),
        treasure="E4",
        cursed=["E4"],
        options={"cursed_treasure": True},
    )
    game.run("E2", 2, "south")
    assert game.asked() == "curse"
    assert game.ships("suns") == ["E4", "E4"]
    game.roll(face)
    assert game.state.position.treasures[0].cursed == cursed
    # The relieved ship is free in any case, the reliever only if the curse let go.
    assert game.game.check(game.state, game.action("E4", 1, "west", treasure=False))
    loads = {a.treasure for a in game.legal() if isinstance(a, Run)}
    assert loads == ({False} if cursed else {False, True})
    texts = [text for text in game.texts() if "north" in text and "wind" not in text]
    assert len(texts) == (1 if cursed else 2)


@pytest.mark.parametrize("curse", [False, True])
def test_who_joins_a_treasure_ship_takes_nothing(voyage, curse):
    """AHM-V3, AHM-V5: no roll and no relief where no curse holds the ship that is joined."""
    options = {"strength_in_numbers": True, "cursed_treasure": curse}
    game = voyage({"suns": ["E4", "E2"]}, (1, 2), treasure="E4", options=options)
    game.run("E2", 2, "south")
    assert game.asked() == "sail"
    assert game.rules() == []
    assert (game.ships("suns"), game.treasure()) == (["E4", "E4"], "E4")
    assert not game.state.position.treasures[0].cursed


def test_the_curse_after_a_capture(voyage):
    """AHM-V3: the captor rolls, and null or ace hold it; a cursed ship can be captured."""
    options = {"cursed_treasure": True}
    game = voyage(
        {"suns": ["C6"], "moons": ["C8"]},
        (2, 3),
        treasure="C8",
        cursed=["C8"],
        reserve={"moons": 1},
        options=options,
    )
    game.run("C6", 2, "south")
    assert game.state.stage.worse
    game.roll(1)
    assert game.state.position.treasures[0].cursed
    assert game.player == 1


def test_flotilla(opening):
    """AHM-V4: all ships start stacked, move as one, split and join."""
    game = start(opening, flotilla=True)
    assert game.ships("suns") == ["north", "north", "north"]
    game.roll(2, 3)
    game.run("north", 2, "south", ships=3).run("H2", 3, "south", ships=1)
    assert game.ships("suns") == ["H2", "H2", "H5"]
    game.roll(1, 1).run("south", 1, "north", ships=3).run("C10", 1, "north", ships=3)
    game.roll(3, 4).run("H2", 3, "south", ships=2)
    assert game.ships("suns") == ["H5", "H5", "H5"]


def test_strength_in_numbers(voyage):
    """AHM-V5: own ships may be joined, not passed; a captured stack is lost whole."""
    options = {"strength_in_numbers": True}
    game = voyage(
        {"suns": ["C6", "C8"], "moons": ["F8", "F8"]},
        (2, 3),
        reserve={"moons": 1},
        options=options,
    )
    assert game.why_not("C6", 3, "south") == "AHM-22"
    game.run("C6", 2, "south")
    assert game.ships("suns") == ["C8", "C8"]
    assert game.refusal(game.action("C8", 3, "east", ships=3)) == "AHM-21"
    game.run("C8", 3, "east", ships=2)
    assert game.ships("moons") == []
    assert game.ships("suns") == ["F8", "F8"]
    assert game.rules() == ["AHM-V5"]


def test_a_stack_with_the_treasure(voyage):
    """AHM-V5, AHM-34: some may leave freely; with the treasure it is homewards."""
    game = voyage(
        {"suns": ["C6", "C6"]}, (2,), treasure="C6", options={"strength_in_numbers": True}
    )
    ways = {(a.ships, a.treasure, a.course) for a in game.legal()}
    # North leads home (east is the island); one without the treasure may go south as well.
    assert {(1, False, 2), (1, True, 0), (2, True, 0)} <= ways
    assert (2, False, 0) not in ways
    assert (1, True, 2) not in ways
    assert len(set(game.texts())) == len(game.texts())


def test_storm_surge_in_play(voyage):
    """AHM-V6: the wind carries on across the gap."""
    game = voyage({"suns": ["G2"]}, (3, 3), options={"storm_surge": True})
    assert game.runs("G2", 3) >= {"NE", "SW"}
    game.run("G2", 3, "NE")
    assert game.ships("suns") == ["I4"]


def test_packed_to_the_rafters(opening):
    """AHM-V7: four ships each."""
    assert opening(packed_to_the_rafters=True).state.position.reserve == (4, 4)


def test_hurricane_rolls_three_dice(voyage):
    """AHM-V8: one die more, and as many as can be are used."""
    game = voyage({"suns": ["C6"]}, options={"hurricane": True})
    assert len(GAME.pending(game.state).dice) == 3
    outcomes = GAME.chance_outcomes(game.state)
    assert len(outcomes) == 56
    assert sum(p for _, p in outcomes) == Fraction(1)
    game.roll(1, 1, 2).run("C6", 1, "north").run("C5", 1, "north").run("C4", 2, "north")
    assert game.player == 1


def test_a_hurricane_sinks_the_furthest_ship(voyage):
    """T20, AHM-V8: the dice are not used then."""
    game = voyage({"suns": ["C9", "H3"]}, options={"hurricane": True}).roll(4, 4, 4)
    assert game.ships("suns") == ["H3"]
    assert game.rules() == ["AHM-V8", "AHM-V8"]
    assert game.player == 1
    assert game.state.dice == ()


def test_a_hurricane_that_sinks_the_treasure_ends_the_game(voyage):
    """T20, AHM-40, AHM-V8: nobody wins."""
    game = voyage({"suns": ["C9", "H3"]}, treasure="C9", options={"hurricane": True})
    game.roll(4, 4, 4)
    assert game.asked() == "over"
    outcome = GAME.outcome(game.state)
    assert outcome.rule == "AHM-V8"
    assert outcome.placing == ((), (0, 1))
    assert not any(c.cargo for c in GAME.layout(game.state).cells.values())


def test_equally_far_ships_are_the_owners_choice(voyage):
    """AHM-V8: and nothing but one of those."""
    game = voyage({"suns": ["G3", "I3", "H1"]}, options={"hurricane": True}).roll(2, 2, 2)
    assert game.asked() == "give_up"
    assert game.legal() == (GiveUp(0, (7, 3)), GiveUp(0, (9, 3)))
    assert game.refusal(GiveUp(0, (8, 1))) == "AHM-V8"
    game.give_up("I3")
    assert game.ships("suns") == ["G3", "H1"]
    assert game.player == 1


def test_a_hurricane_takes_one_ship_of_a_stack(voyage):
    """AHM-V8, AHM-V5: the treasure stays with the rest."""
    options = {"hurricane": True, "strength_in_numbers": True}
    game = voyage({"suns": ["C9", "C9", "H3"]}, treasure="C9", options=options).roll(4, 4, 4)
    assert game.ships("suns") == ["C9", "H3"]
    assert game.treasure() == "C9"
    assert game.player == 1


def test_the_treasure_may_be_taken_after_a_hurricane(voyage):
    """AHM-30, AHM-V8: the dice are not used, but taking needs none."""
    game = voyage({"suns": ["E4", "C9"]}, options={"hurricane": True}).roll(4, 4, 4)
    assert game.ships("suns") == ["E4"]
    assert game.texts() == ["take the treasure from E4", "leave the treasure and end the turn"]
    game.take("E4")
    assert game.treasure() == "E4"
    assert game.player == 1


def test_a_ship_that_leaves_a_wreck_closes_it(voyage):
    """AHM-16, AHM-V5, AHM-V9: the other ship's 2 would have ended on the square that is left."""
    game = voyage(
        {"suns": ["C5", "C7"], "moons": ["H9"]},
        (1, 2),
        reserve={"moons": 1},
        wrecks=["C5", "A5", "B4", "B6", "B7", "D7", "C8"],
        options={"shipwrecked": True, "strength_in_numbers": True},
    )
    assert game.why_not("C5", 1, "west") == "AHM-16"
    assert game.texts() != []
    for action in game.legal():
        later = game.game.apply(game.state, action).state
        assert later.player == game.player, GAME.describe(game.state, action)


def test_a_hurricane_without_ships_on_the_board(voyage):
    """AHM-V8: nothing is lost but the turn; reserves are safe (AHM-43)."""
    game = voyage({}, options={"hurricane": True}).roll(0, 0, 0)
    assert game.reserve("suns") == 3
    assert game.player == 1


def test_a_hurricane_may_end_the_game(voyage):
    """AHM-44, AHM-V8: whoever is left alone has won."""
    game = voyage({"suns": ["C9"], "moons": ["F9"]}, options={"hurricane": True}).roll(3, 3, 3)
    assert game.asked() == "over"
    assert GAME.outcome(game.state).placing == ((1,), (0,))


def test_shipwrecked(voyage):
    """AHM-V9: the captor may stand on the wreck; once it leaves nobody enters or crosses."""
    game = voyage(
        {"suns": ["C6"], "moons": ["C8"]},
        (2, 1),
        reserve={"moons": 1},
        options={"shipwrecked": True},
    )
    game.run("C6", 2, "south")
    assert game.state.position.wrecks == ((3, 8),)
    assert "AHM-V9" in game.rules()
    assert GAME.layout(game.state).at((3, 8)).terrain == "wreck"
    game.run("C8", 1, "south")
    game = voyage({"suns": ["C6"]}, (2, 3), wrecks=["C8"], options={"shipwrecked": True})
    assert game.why_not("C6", 2, "south") == "AHM-V9"
    assert game.why_not("C6", 3, "south") == "AHM-V9"


def test_a_ship_on_a_wreck_can_be_captured(voyage):
    """AHM-V9: landing on the ship is not entering the wreck."""
    game = voyage(
        {"suns": ["C6"], "moons": ["C8"]},
        (2, 1),
        wrecks=["C8"],
        reserve={"moons": 1},
        options={"shipwrecked": True},
    )
    assert game.run("C6", 2, "south").ships("suns") == ["C8"]


@pytest.mark.parametrize("where", ["straits", "south"])
def test_no_wrecks_in_harbours_and_straits(voyage, where):
    """AHM-V9: there captured ships are taken away."""
    start = {"straits": ("C1", "west"), "south": ("C9", "south")}[where]
    game = voyage(
        {"suns": [start[0]], "moons": [where]},
        (2, 1),
        reserve={"moons": 1},
        options={"shipwrecked": True},
    )
    game.run(start[0], 2, start[1])
    assert game.state.position.wrecks == ()
    assert game.ships("moons") == []


def test_freak_squall(voyage):
    """AHM-V10: two nulls are set as liked and played; then the same player rolls again."""
    game = voyage({"suns": ["C6"]}, options={"freak_squall": True}).roll(0, 0)
    assert game.asked() == "set_pair"
    assert len(game.legal()) == 21
    assert GAME.pending(game.state).passing == SetPair(0, 0, 0)
    assert game.refusal(SetPair(0, 3, 2)) == "AHM-V10"
    game.set_pair(2, 5)
    assert game.state.dice == (2, 5)
    game.run("C6", 2, "north").run("C4", 5, "east")
    assert game.rules() == ["AHM-V10"]
    assert game.asked() == "roll"
    assert game.player == 0
    game.roll(0, 0).set_pair(1, 1).run("H4", 1, "north").run("H3", 1, "north").roll(1, 2)
    game.run("H2", 1, "west").run("G2", 2, "west")
    assert game.player == 1


def test_after_a_squall_who_leaves_the_treasure_rolls_again(voyage):
    """AHM-V10, AHM-30: so the question says, and the choice; the turn is not over yet."""
    game = voyage({"suns": ["C6"]}, options={"freak_squall": True}).roll(0, 0).set_pair(1, 1)
    game.run("C6", 1, "east").run("D6", 1, "north")
    assert GAME.pending(game.state).text == "Suns: take the treasure on D5 or roll again"
    assert game.texts() == ["take the treasure from D5", "leave the treasure and roll again"]
    game.done()
    assert (game.asked(), game.player) == ("roll", 0)


def test_a_squall_in_a_hurricane(voyage):
    """AHM-V10, AHM-V8: two of three dice are set, the third stays; three nulls are a hurricane."""
    options = {"freak_squall": True, "hurricane": True}
    game = voyage({"suns": ["C6"]}, options=options).roll(0, 0, 3).set_pair(4, 4)
    assert game.state.dice == (3, 4, 4)
    game = voyage({"suns": ["C6", "C9"]}, options=options).roll(0, 0, 0)
    assert game.ships("suns") == ["C6"]
