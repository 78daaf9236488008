"""What is said to a table that no legal line explains."""

import pytest

from companion.rules.ahoy_matey.rules import AhoyMatey
from companion.rules.layout import CellContent, Die, make_layout

GAME = AhoyMatey()


def seen(game, square, moved=(), treasure=None, without=(), rolled=(), added=()):
    """Return the layout of a state after hands have been at the table.

    `moved` are (from, to) squares of single ships, `treasure` likewise the pawn, `without` faces
    that left the tray, `rolled` such that came, `added` (fleet, square) of ships that came.
    """
    layout = GAME.layout(game.state)
    ships = {cell: list(c.ships) for cell, c in layout.cells.items()}
    cargo = {cell: c.cargo for cell, c in layout.cells.items()}
    for start, end in moved:
        ship = ships[square(start)].pop()
        if end:
            ships.setdefault(square(end), []).append(ship)
            if cargo.get(square(start)) and treasure is None:
                cargo[square(end)] = cargo.pop(square(start))
    for fleet, end in added:
        ships.setdefault(square(end), []).append(fleet)
    if treasure:
        del cargo[square(treasure[0])]
        cargo[square(treasure[1])] = "treasure"
    faces = [die.face for die in layout.dice]
    for face in without:
        faces.remove(face)
    cells = {
        cell: CellContent(
            tuple(sorted(ships.get(cell, ()))), layout.at(cell).terrain, cargo.get(cell)
        )
        for cell in {*ships, *cargo}
    }
    return make_layout(cells, [Die("piecepack", face) for face in [*faces, *rolled]])


@pytest.mark.parametrize(
    ("hands", "rule", "words"),
    [
        ({}, "AHM-16", "use ace and 3"),
        ({"moved": [("C6", "C9")], "without": [1]}, "AHM-21", "run of 3, but the ace"),
        ({"moved": [("C6", "C8")], "without": [1]}, "AHM-21", "ace and 3, not 2"),
        ({"moved": [("C6", "E5")], "without": [3]}, "AHM-21", "straight"),
        ({"moved": [("C6", "E8")], "without": [3]}, "AHM-25", "diagonally"),
        ({"moved": [("C5", "G5")], "without": [3]}, "AHM-22", "open sea"),
        ({"moved": [("C6", "C5")], "without": [1]}, "AHM-22", "your own"),
        ({"moved": [("F9", "F8")], "without": [1]}, "AHM-21", "Moons"),
        ({"moved": [("C6", None)]}, "AHM-21", "put it back"),
        ({"moved": [("F9", None)]}, "AHM-23", "put it back"),
        ({"added": [("suns", "north")], "without": [1]}, "AHM-17", "null"),
        ({"added": [("suns", "H3")], "without": [1]}, "AHM-17", "harbour"),
        ({"treasure": ("island", "C6")}, "AHM-30", "anchor"),
        ({"treasure": ("island", "F9")}, "AHM-30", "Only your own"),
        ({"treasure": ("island", "A5")}, "AHM-30", "anchor"),
        ({"without": [3]}, "AHM-21", "no ship has run 3"),
        ({"rolled": [2, 2]}, "AHM-16", "still"),
    ],
)
def test_objections_while_dice_are_used(voyage, square, hands, rule, words):
    """The refusal of the nearest illegal action is told."""
    game = voyage({"suns": ["C6", "C5"], "moons": ["F9"]}, (1, 3), reserve={"suns": 1, "moons": 1})
    ruling = GAME.objection(game.state, seen(game, square, **hands))
    assert not ruling
    assert (ruling.rule, words in ruling.reason) == (rule, True), ruling


@pytest.mark.parametrize(
    ("dice", "move", "rule", "words"),
    [
        ((1, 3), ("C3", "C9"), "AHM-21", "From C3 to C9 it is 6 squares, too far"),
        ((1, 3), ("C3", "C9"), "AHM-21", "the dice show ace and 3."),
        ((0, 3), ("H6", "north"), "AHM-21", "6 squares, too far: the dice show null and 3."),
        ((2, 3), ("C1", "F10"), "AHM-21", "6 squares, too far"),
        ((1, 3), ("H1", "A8"), "AHM-25", "From H1 to A8 it is 7 squares with the wind, too far"),
        ((1, 3), ("H1", "A8"), "AHM-25", "the dice show ace and 3."),
        ((3, 5), ("C3", "C9"), "AHM-22", "6 squares, and no run is longer than 5"),
        ((3, 5), ("H1", "B7"), "AHM-22", "6 squares with the wind, and no run is longer than 5"),
        ((3, 5), ("H10", "H2"), "AHM-22", "a ship of Moons is on H7"),
        ((1, 3), ("C5", "I5"), "AHM-22", "open sea"),
        ((1, 3), ("C3", "I9"), "AHM-25", "only along a trade wind"),
    ],
)
def test_farther_than_the_dice_allow(voyage, square, dice, move, rule, words):
    """AHM-21, AHM-22, AHM-25: no ship is said to be in the way where none is."""
    game = voyage({"suns": [move[0]], "moons": ["H7"]}, dice, reserve={"moons": 1})
    ruling = GAME.objection(game.state, seen(game, square, [move], without=dice))
    assert not ruling
    assert (ruling.rule, words in ruling.reason) == (rule, True), ruling


def test_farther_than_the_dice_allow_on_the_loop_of_winds(voyage, square):
    """AHM-25, AHM-V6: the shorter way round is counted."""
    game = voyage({"suns": ["H1"]}, (1, 3), reserve={"moons": 1}, options={"storm_surge": True})
    ruling = GAME.objection(game.state, seen(game, square, [("H1", "E8")], without=(1, 3)))
    assert (ruling.rule, "it is 6 squares with the wind" in ruling.reason) == ("AHM-25", True)


def test_no_ship_runs_once_the_dice_are_used(voyage, square):
    """AHM-21: while the treasure may still be taken nothing is said of what dice show."""
    game = voyage({"suns": ["E3"], "moons": ["F9"]}, (1,)).run("E3", 1, "south")
    ruling = GAME.objection(game.state, seen(game, square, [("E4", "E3")]))
    assert (ruling.rule, ruling.reason) == ("AHM-21", "No die is left for a run.")


def test_a_treasure_ship_sailed_away_from_home(voyage, square):
    """AHM-34."""
    game = voyage({"suns": ["C6", "A5"]}, (2, 3), treasure="C6")
    ruling = GAME.objection(game.state, seen(game, square, [("C6", "C8")], without=[2]))
    assert ruling.rule == "AHM-34"


def test_a_treasure_left_behind(voyage, square):
    """AHM-30: the pawn stays with what carries it."""
    game = voyage({"suns": ["C6", "A5"], "moons": ["F9"]}, (2, 3), treasure="C6")
    ruling = GAME.objection(game.state, seen(game, square, treasure=("C6", "F9")))
    assert ruling.rule == "AHM-30"


def test_a_treasure_that_is_not_dug_for(voyage, square):
    """AHM-V2: a ship is at the anchor, but the die is rolled before the pawn is moved."""
    game = voyage({"suns": ["E4", "A5"]}, (2, 3), options={"buried_treasure": True})
    ruling = GAME.objection(game.state, seen(game, square, treasure=("island", "E4")))
    assert (ruling.rule, "find the treasure" in ruling.reason) == ("AHM-V2", True)


def test_a_treasure_that_may_be_taken_while_something_else_is_wrong(voyage, square):
    """AHM-21, AHM-30: nobody is told that the ship which takes it is not there."""
    game = voyage({"suns": ["E4", "A5"]}, (2, 3))
    hands = seen(game, square, treasure=("island", "E4"), without=[3])
    ruling = GAME.objection(game.state, hands)
    assert (ruling.rule, "no ship has run 3" in ruling.reason) == ("AHM-21", True)


def test_a_ship_that_has_just_landed_is_at_its_anchor(voyage, square):
    """AHM-V2, AHM-30: it may stand where an enemy did; not at an anchor it takes nothing."""
    ships = {"suns": ["E2", "A5"], "moons": ["E4"]}
    hands = {"moved": [("E4", None), ("E2", "E4")], "treasure": ("island", "E4"), "without": [2]}
    game = voyage(ships, (2, 3), reserve={"moons": 1}, options={"buried_treasure": True})
    ruling = GAME.objection(game.state, seen(game, square, **hands))
    assert (ruling.rule, "find the treasure" in ruling.reason) == ("AHM-V2", True)
    game = voyage(ships, (2, 3), reserve={"moons": 1})
    hands |= {"added": [("moons", "F9")]}
    ruling = GAME.objection(game.state, seen(game, square, **hands))
    assert (ruling.rule, "Moons on F9" in ruling.reason) == ("AHM-21", True)
    hands = {"moved": [("A5", "C5")], "treasure": ("island", "C5"), "without": [2]}
    ruling = GAME.objection(game.state, seen(game, square, **hands))
    assert (ruling.rule, "none is on C5" in ruling.reason) == ("AHM-30", True)


def test_a_treasure_that_sails_with_its_ship_is_where_it_belongs(voyage, square):
    """AHM-30: whatever else is wrong with the table, here a ship of Moons that is gone."""
    game = voyage({"suns": ["C6", "A5"], "moons": ["F9", "G9"]}, (2, 3), treasure="C6")
    hands = seen(game, square, [("C6", "C4"), ("F9", None)], without=[2])
    assert "stays with" not in GAME.objection(game.state, hands).reason


def test_a_strander_is_told_so(voyage, square):
    """AHM-16: the move that strands the other die."""
    game = voyage({"suns": ["B2"], "moons": ["D4"]}, (2, 5), reserve={"moons": 1})
    ruling = GAME.objection(game.state, seen(game, square, [("B2", "D2")], without=[2]))
    assert ruling.rule == "AHM-16"


def test_ships_wait_for_the_roll(voyage, square):
    """AHM-15."""
    game = voyage({"suns": ["C6"], "moons": ["F9"]})
    ruling = GAME.objection(game.state, seen(game, square, [("C6", "C8")]))
    assert ruling.rule == "AHM-15"
    ruling = GAME.objection(game.state, seen(game, square, rolled=[1, 2, 3]))
    assert ruling.reason == "Roll 2 dice."
    ruling = GAME.objection(game.state, seen(game, square))
    assert ruling.reason == "Suns: roll 2 dice."


def test_a_roll_that_moves_pieces_says_which(voyage, square):
    """AHM-V8: the dice lie there, so nobody is asked to roll them; the ship is to be taken away."""
    game = voyage({"suns": ["C9", "H3"]}, options={"hurricane": True})
    said = "The hurricane sinks the ship of Suns on C9: take it off the board."
    for moved in ([], [("H3", None)]):
        ruling = GAME.objection(game.state, seen(game, square, moved, rolled=[2, 2, 2]))
        assert (ruling.rule, ruling.reason) == ("AHM-V8", said)
    both = [("C9", None), ("H3", None)]
    ruling = GAME.objection(game.state, seen(game, square, both, rolled=[2, 2, 2]))
    assert ruling.rule == "AHM-15"


def test_a_roll_that_finds_the_treasure_says_where_it_belongs(voyage, square):
    """AHM-V2, AHM-V17."""
    game = voyage({"suns": ["E4"]}, (2, 3), options={"buried_treasure": True}).take("E4")
    ruling = GAME.objection(game.state, seen(game, square, rolled=[3]))
    said = "The ship on E4 finds the treasure: put it there."
    assert (ruling.rule, ruling.reason) == ("AHM-V2", said)
    hands = seen(game, square, [("E4", "E5")], treasure=("island", "E4"), rolled=[3])
    assert GAME.objection(game.state, hands).rule == "AHM-15"
    game = voyage(
        {"suns": ["E3"], "moons2": ["H8"]}, (1, 2), treasure=[], options={"badly_drawn_map": True}
    ).run("E3", 1, "south")
    ruling = GAME.objection(game.state, seen(game, square, rolled=[4]))
    said = "The treasure is on Skull Island of board 2: put it there."
    assert (ruling.rule, ruling.reason) == ("AHM-V17", said)
    later = GAME.layout(game.roll(4).state)
    assert later.at(square("island 2")).cargo


def test_a_pawn_that_is_not_there_before_the_roll(voyage, square):
    """AHM-13: it has not moved, it is missing; a pawn that someone takes has moved (AHM-15)."""
    game = voyage({"suns": ["E4"], "moons": ["F9"]})
    cells = {(5, 4): CellContent(("suns",)), (6, 9): CellContent(("moons",))}
    ruling = GAME.objection(game.state, make_layout(cells, []))
    said = "The treasure waits on Skull Island: put it there."
    assert (ruling.rule, ruling.reason) == ("AHM-13", said)
    ruling = GAME.objection(game.state, seen(game, square, treasure=("island", "E4")))
    assert ruling.rule == "AHM-15"


def test_a_ship_that_was_only_told_before_the_roll(voyage, square):
    """AHM-15: none has moved; a ship that was deployed or lost by word is to be laid so."""
    game = voyage({"suns": ["C6", "north"], "moons": ["F9"]}, turn=1)
    ruling = GAME.objection(game.state, seen(game, square, [("north", None)]))
    said = "Before the roll a ship of Suns belongs in the north harbour: put it there."
    assert (ruling.rule, ruling.reason) == ("AHM-15", said)
    ruling = GAME.objection(game.state, seen(game, square, added=[("suns", "C9")]))
    said = "Before the roll no ship of Suns belongs on C9: take it away."
    assert (ruling.rule, ruling.reason) == ("AHM-15", said)
    ruling = GAME.objection(game.state, seen(game, square, [("C6", "C9")]))
    assert ruling.reason == "The dice are rolled before any ship or treasure moves."


def test_the_straits_have_one_place_for_pieces(voyage, square):
    """AHM-9: a ship put on the other corner is told where it lies, in whatever it may have run."""
    game = voyage({"suns": ["I10"], "moons": ["F9"]}, (1, 3))
    ruling = GAME.objection(game.state, seen(game, square, [("I10", "J10")], without=[1]))
    said = "The two ends of the straits are one square: what stops there lies on A1, and J10"
    assert (ruling.rule, ruling.reason) == ("AHM-9", f"{said} stays empty.")
    assert game.why_not("J10", 1, "west") == "AHM-9"
    two = voyage({"suns": ["U10"], "moons2": ["H8"]}, (1, 3), options={"pieces_of_eight": True})
    ruling = GAME.objection(two.state, seen(two, square, [("U10", "V10")], without=[1]))
    assert "lies on A1" in ruling.reason


def test_the_nulls_of_a_squall_are_turned_first(voyage, square):
    """AHM-V10: the dice are rolled already, so that is not what the ships wait for."""
    game = voyage({"suns": ["C6"], "moons": ["F9"]}, options={"freak_squall": True}).roll(0, 0)
    ruling = GAME.objection(game.state, seen(game, square, [("C6", "C8")]))
    assert ruling.rule == "AHM-V10"


def test_the_wrong_ship_given_up(voyage, square):
    """AHM-V8."""
    game = voyage({"suns": ["G3", "I3", "H1"]}, options={"hurricane": True}).roll(2, 2, 2)
    ruling = GAME.objection(game.state, seen(game, square, [("H1", None)]))
    assert ruling.rule == "AHM-V8"
    ruling = GAME.objection(game.state, seen(game, square, added=[("suns", "A5")]))
    assert ruling.rule == "AHM-V8"


def test_after_the_end(voyage, square):
    """AHM-44."""
    game = voyage({"suns": ["C6"], "moons": ["C8"]}, (2, 3)).run("C6", 2, "south")
    assert GAME.objection(game.state, seen(game, square)).rule == "AHM-44"
