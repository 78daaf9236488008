"""Layouts, words, JSON and refusals of the wrong kind of thing."""

import json
from dataclasses import fields
from pathlib import Path

import pytest

from companion.errors import IllegalAction, MalformedAction, NotYourTurn
from companion.rules.ahoy_matey.actions import KINDS, Deploy, Run, SetPair, Take, TossCoin
from companion.rules.ahoy_matey.rules import AhoyMatey
from companion.rules.catalogue import find_game
from companion.rules.deeds import Roll, roll
from companion.rules.game import CHANCE, PlayerId
from companion.rules.layout import CellContent, Die

GAME = AhoyMatey()


def test_the_game_is_in_the_catalogue():
    game = find_game("ahoy-matey")
    assert game.info.title == "Ahoy, Matey!"
    assert game.info.profile == "piecepack-sea"
    assert [kind.id for kind in game.info.dice] == ["piecepack"]


def test_the_layout_at_the_start(opening):
    """AHM-13: reserves are off the board; the pawn stands on the island."""
    layout = GAME.layout(opening().state)
    assert dict(layout.cells) == {(5, 5): CellContent(cargo="treasure")}
    assert layout.dice == ()


def test_the_layout_in_play(voyage):
    """Ships by fleet, stacks repeated, the treasure on its ship, unused dice in the tray."""
    game = voyage({"suns": ["north", "north", "C6"], "moons": ["straits"]}, (0, 3), treasure="C6")
    layout = GAME.layout(game.state)
    assert dict(layout.cells) == {
        (8, 0): CellContent(("suns", "suns")),
        (3, 6): CellContent(("suns",), cargo="treasure"),
        (1, 1): CellContent(("moons",)),
    }
    assert layout.dice == (Die("piecepack", 0), Die("piecepack", 3))
    game.lie_to()
    later = GAME.layout(game.state)
    assert later.cells == layout.cells
    assert later.dice == (Die("piecepack", 3),)


def test_the_layout_of_two_boards(voyage):
    game = voyage(
        {"suns": ["C6"], "moons2": ["O6", "inside straits"]},
        treasure="island 2",
        options={"pieces_of_eight": True},
    )
    assert set(GAME.layout(game.state).cells) == {(3, 6), (15, 6), (13, 1), (17, 5)}


def test_taking_moves_the_pawn(voyage):
    """AHM-31: taking shows as the pawn on the coin, and no die is used."""
    game = voyage({"suns": ["E4"]}, (1,)).take("E4")
    layout = GAME.layout(game.state)
    assert layout.at((5, 5)).cargo is None
    assert layout.at((5, 4)).cargo == "treasure"
    assert layout.dice == (Die("piecepack", 1),)


def test_what_everybody_sees(voyage):
    game = voyage({"suns": ["C6"], "moons": ["F9"]}, (1, 2), treasure="C6", reserve={"moons": 2})
    view = GAME.view(game.state, None)
    assert view == GAME.view(game.state, PlayerId(1))
    assert [(s.name, s.colours, dict(s.scores), s.ships) for s in view.seats] == [
        ("Captain 0", ("suns",), {"captured": 2, "ships left": 1}, 1),
        ("Captain 1", ("moons",), {"captured": 0, "ships left": 3}, 1),
    ]
    assert view.notes == ("Suns has the treasure on C6", "In reserve: Moons 2")
    assert view.phase == "sail"


def test_words_of_actions(voyage):
    game = voyage({"suns": ["C6", "E4"], "moons": ["C8"]}, (0, 2), reserve={"suns": 1, "moons": 1})
    texts = game.texts()
    assert "a null deploys a ship of Suns" in texts
    assert "a null moves no ship" in texts
    assert "2 south from C6 to C8, captures a ship of Moons" in texts
    assert "2 south-west with the wind from E4 to C6" not in texts
    assert "2 north-east with the wind from E4 to G2" in texts
    assert "take the treasure from E4" in texts
    assert GAME.describe(game.state, roll(Die("piecepack", 4), Die("piecepack", 0))) == (
        "Suns rolls null and 4"
    )


def test_words_can_be_read_back(voyage):
    game = voyage({"suns": ["C6", "E4"]}, (0, 2), reserve={"suns": 1})
    for action in game.legal():
        assert GAME.parse(game.state, GAME.describe(game.state, action)) == action
    with pytest.raises(MalformedAction, match="nearest"):
        GAME.parse(game.state, "Suns: 2 north from C7 to C5")


@pytest.mark.parametrize("kind", KINDS)
def test_every_action_as_json(kind):
    """Each kind of action survives the way through JSON."""
    samples = {
        "variant": "hurricane",
        "board": 2,
        "dice": (Die("piecepack", 0),),
        "low": 1,
        "high": 2,
        "fleet": "moons2",
        "start": (3, 6),
        "ship": (3, 6),
        "die": 4,
        "course": 5,
        "ships": 2,
        "treasure": True,
    }
    names = [field.name for field in fields(kind) if field.name != "player"]
    action = kind(PlayerId(0), **{name: samples[name] for name in names})
    data = json.loads(json.dumps(GAME.action_to_json(action)))
    assert GAME.action_from_json(data) == action


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"type": "runn", "player": 0}, "did you mean 'run'"),
        ({"type": "deploy", "player": 0}, "lacks the field 'fleet'"),
        ({"type": "deploy", "player": 0, "fleet": "sun"}, "did you mean 'suns'"),
        ({"type": "take", "player": 0, "ship": "C6"}, "two whole numbers"),
        ([], "must be a JSON object"),
    ],
)
def test_actions_that_cannot_be_read(data, words):
    with pytest.raises(MalformedAction, match=words):
        GAME.action_from_json(data)


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("ships", [{"cell": "5,5", "fleet": "suns", "size": 1}], "on a square of the sea"),
        ("ships", [{"cell": "3,6", "fleet": "arms", "size": 1}], "of a fleet in play"),
        ("reserve", [9, 3], "more ships"),
        ("reserve", [1, 0], "come or gone"),
        ("treasures", [{"place": "3,3", "cursed": False}], "an island, a ship or home"),
        ("treasures", [], "missing or too many"),
        ("wrecks", ["3,3"], "no wrecks"),
        ("barred", ["5,4"], "no anchor is barred"),
        ("dice", [7], "no such face"),
        ("dice", [], "nothing can be done"),
        ("player", 5, "sits at the table"),
        ("first", 5, "who began sits at the table"),
        ("turns", 0, "first round"),
        ("ghost", 0, "no ghost"),
        ("rolls_again", True, "nobody rolls again"),
        ("options", {"armada": True, "dominion": True}, "different ways"),
    ],
)
def test_states_that_cannot_be(voyage, field, value, words):
    """What play cannot reach is not read."""
    state = voyage({"suns": ["C6"], "moons": ["F9"]}, (1, 2)).state
    data = GAME.to_json(state) | {field: value}
    with pytest.raises(MalformedAction, match=words):
        GAME.from_json(data)


def test_nobody_digs_without_a_ship(voyage):
    """A stage that speaks of a ship needs the ship."""
    game = voyage({"suns": ["E4"]}, (1,), options={"buried_treasure": True}).take("E4")
    data = GAME.to_json(game.state)
    data["stage"]["ship"] = "6,4"
    with pytest.raises(MalformedAction, match="on its square"):
        GAME.from_json(data)


def test_what_is_not_asked_for_is_refused(voyage):
    game = voyage({"suns": ["C6"], "moons": ["F9"]}, (1, 2))
    assert game.refusal(SetPair(PlayerId(0), 1, 2)) == "AHM-15"
    assert game.refusal(TossCoin(CHANCE, 1)) == "AHM-15"
    assert game.refusal(Roll(PlayerId(0), ())) == "AHM-15"
    with pytest.raises(NotYourTurn):
        GAME.apply(game.state, Run(PlayerId(1), (6, 9), 1, 0))
    with pytest.raises(IllegalAction, match="AHM-30"):
        GAME.apply(game.state, Take(PlayerId(0), (3, 6)))
    assert GAME.legal_actions(game.state, PlayerId(1)) == ()
    assert GAME.legal_actions(game.state, CHANCE) == ()


def test_a_refusal_changes_nothing(voyage):
    game = voyage({"suns": ["C6"]}, (3, 4))
    before = GAME.to_json(game.state)
    with pytest.raises(IllegalAction):
        GAME.apply(game.state, Deploy(PlayerId(0), "suns"))
    assert GAME.to_json(game.state) == before


def test_playing_on_ends_the_turn(voyage):
    """AHM-30: once no die is left the next roll says that the treasure was left."""
    game = voyage({"suns": ["E3"]}, (1,)).run("E3", 1, "south")
    pending = GAME.pending(game.state)
    assert GAME.describe(game.state, pending.passing).endswith("end the turn")
    assert pending.passing in game.legal()


def test_the_documents_name_every_action_and_option_of_ahoy_matey():
    """docs/record.md lists the actions, docs/rulings.md the options."""
    docs = Path(__file__).parents[4] / "docs"
    actions = (docs / "record.md").read_text("utf-8").split("## Actions of *Ahoy, Matey!*")[1]
    assert not [kind.name for kind in KINDS if f"`{kind.name}`" not in actions]
    rulings = (docs / "rulings.md").read_text("utf-8").split("\n## Ahoy, Matey!\n")[1]
    assert not [option.id for option in GAME.info.options if f"`{option.id}`" not in rulings]
