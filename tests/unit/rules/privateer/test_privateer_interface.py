"""The game interface: views, layouts, JSON, objections. PRV-7, PRV-23 and what programs rely on."""

import json
from dataclasses import fields
from itertools import product

import pytest

from companion.errors import GameIsOver, MalformedAction
from companion.rules.game import (
    CHANCE,
    Decision,
    PlayerId,
)
from companion.rules.layout import CellContent, make_layout
from companion.rules.privateer.actions import KINDS, Buy, Leave, Sail
from companion.rules.privateer.carrying import CARRIERS
from companion.rules.privateer.codec import STAGES
from companion.rules.privateer.deck import COLOURS
from companion.rules.privateer.effects import CARD_EFFECTS, DrawBounty, Job, Wind
from companion.rules.privateer.needs import NEEDS
from companion.rules.privateer.rules import PHASES
from companion.rules.privateer.state import Finished, SettingWind, State, Trading
from companion.rules.views import CALM
from tests.unit.rules.privateer.voyage import (
    GAME,
    NAMES,
    P,
    house,
    make_voyage,
    start,
    to_colours,
    to_outfit,
    to_turn,
)


def test_info():
    """PRV-1, PRV-3."""
    assert GAME.info.id == "privateer"
    assert GAME.info.profile == "sea-grid"
    assert {option.kind for option in GAME.info.options} <= {"file", "flag", "number"}


def test_every_effect_is_carried_out_or_asked():
    """PRV-64: none is forgotten, whatever comes to the language."""
    assert {*CARD_EFFECTS} <= {*CARRIERS, *NEEDS}


@pytest.mark.parametrize("wind", ["none", "N", "E", "S", "W"])
def test_the_compass(wind):
    """PRV-9, PRV-32: the wind blows to where its marker points, and comes from opposite."""
    weather = GAME.view(make_voyage(wind=wind).state, None).weather
    comes_from = {"none": None, "N": 180, "E": 270, "S": 0, "W": 90}[wind]
    assert weather.wind_from_deg == comes_from
    assert weather.storm_ring == CALM.storm_ring
    assert weather.text


def test_the_layout_shows_ships_only():
    """PRV-36, PRV-7: stacked where they share a square, none before the colours are chosen."""
    assert GAME.layout(start().state).cells == {}
    voyage = make_voyage({"cell": (5, 5)}, {"cell": (5, 5)}, {"cell": (6, 5)})
    cells = GAME.layout(voyage.state).cells
    assert dict(cells) == {
        (5, 5): CellContent(("blue", "red")),
        (6, 5): CellContent(("yellow",)),
    }
    assert GAME.layout(voyage.state).dice == ()


def seen(voyage, **moved):
    """Return the layout with ships moved (colour to cell, ``None``: taken away)."""
    at = {seat.colour: seat.cell for seat in voyage.seats if seat.colour} | moved
    cells = {}
    for colour, cell in at.items():
        if cell is not None:
            cells.setdefault(cell, []).append(colour)
    return make_layout({c: CellContent(tuple(sorted(s))) for c, s in cells.items()})


def test_objections_to_a_wrong_table():
    """PRV-23, PRV-29, PRV-31: the nearest refusal; what is to be done if nothing was."""
    voyage = make_voyage({"cell": (7, 5)}, {"cell": (7, 8)}, wind="W", moves=2)

    def rule(**moved):
        ruling = GAME.objection(voyage.state, seen(voyage, **moved))
        assert ruling.legal or ruling.reason.endswith(".")
        return ruling.rule, ruling.reason

    assert rule() == ("PRV-23", "Red: sail up to 2 moves; wind to the west.")
    assert rule(red=(9, 5))[0] == "PRV-31"
    assert "It takes 4 moves to J6" in rule(red=(9, 5))[1]
    assert rule(red=(0, 0))[0] == "PRV-29"
    assert rule(blue=(7, 9)) == ("PRV-23", "Red sails now; Blue's ship stays at H9.")
    assert rule(red=(6, 5))[0] == ""
    assert rule(red=None)[0] == "PRV-23"


def test_who_sails_before_the_card_is_told_is_asked_for_it():
    """PRV-21: phase 1 comes first."""
    voyage = to_turn()
    ruling = GAME.objection(voyage.state, seen(voyage, red=(4, 1)))
    assert (ruling.rule, ruling.reason) == ("PRV-21", "Red: draw a bounty card.")
    assert GAME.objection(voyage.state, seen(voyage, blue=(9, 1))).rule == "PRV-23"


def test_a_loser_who_is_moved_before_the_die_is_read_is_asked_for_it():
    """PRV-47: the ship must go, so it is not told to stay; the winner's ship stays."""
    voyage = make_voyage({"cell": (7, 5), "cannons": 5}, {"cell": (7, 4)}).sail((7, 4)).roll(6, 1)
    ruling = GAME.objection(voyage.state, seen(voyage, blue=(8, 4)))
    text = "Blue: roll the colour die for the port you are sent to."
    assert (ruling.rule, ruling.reason) == ("PRV-47", text)
    assert GAME.objection(voyage.state, seen(voyage, red=(8, 4))).rule == "PRV-23"


def test_objections_outside_sailing():
    """PRV-13, PRV-23: ships stay where they are; they start on their own ports."""
    voyage = to_turn()
    ruling = GAME.objection(voyage.state, seen(voyage, blue=(12, 3)))
    assert ruling.reason == "Blue's ship belongs at Tortuga now, not at M4."
    assert GAME.objection(voyage.state, seen(voyage)).rule == "PRV-21"
    state = make_voyage().state
    over = state._replace(
        stage=Finished(), seats=(state.seats[0]._replace(ranks=(5, 5, 5, 5)), *state.seats[1:])
    )
    assert GAME.objection(over, GAME.layout(over)).rule == "PRV-65"


def test_objections_while_ships_are_chosen():
    """PRV-2, PRV-13."""
    voyage = start().say("Ann: keep Piet Hein").say("Ben: keep Mary Read")
    for _ in range(6):
        voyage.do(GAME.legal_actions(voyage.state, CHANCE)[0])
    assert GAME.objection(voyage.state, seen(voyage, red=(3, 1))).rule == "PRV-13"
    assert GAME.objection(voyage.state, seen(voyage, brown=(3, 0))).rule == "PRV-2"
    assert GAME.objection(voyage.state, seen(voyage, red=(3, 0))).legal
    two = GAME.objection(voyage.state, seen(voyage, red=(3, 0), blue=(12, 0)))
    assert "one at a time" in two.reason
    voyage.say("Ann: sail the red ship")
    assert "starts on its own port" in GAME.objection(voyage.state, seen(voyage, red=(5, 5))).reason
    assert GAME.objection(voyage.state, seen(voyage)).rule == "PRV-13"


def test_a_finished_game_takes_nothing():
    """PRV-65."""
    state = make_voyage().state
    over = state._replace(
        stage=Finished(), seats=(state.seats[0]._replace(ranks=(5, 5, 5, 5)), *state.seats[1:])
    )
    with pytest.raises(GameIsOver):
        GAME.apply(over, Leave(P[0]))
    with pytest.raises(MalformedAction, match="cannot be done any more"):
        GAME.parse(over, "Red: leave the port")
    assert GAME.view(over, None).phase == "over"


def test_strange_actions_are_still_named():
    """PRV-64: what is not legal here has words, too."""
    state = make_voyage().state
    for kind in KINDS:
        values = {f.name: STRANGE[f.name] for f in fields(kind)}
        if kind.by_chance:
            values["player"] = CHANCE
        assert GAME.describe(state, kind(**values))


STRANGE = {
    "player": P[1],
    "captain": "nobody",
    "card": "none",
    "colour": "pink",
    "cell": (99, 99),
    "foe": PlayerId(7),
    "good": "gold",
    "count": 3,
    "track": "keel",
    "wind": "NE",
    "relic": "none",
    "give": "rum",
    "get": "rum",
    "port": "atlantis",
    "dice": (),
}


def test_states_that_cannot_be():
    """PRV-5, PRV-60: goods and cards are counted; a state from outside must add up."""
    good = GAME.to_json(make_voyage({"cargo": {"rum": 2}, "relics": ["fiddle"]}, {}).state)

    def spoil(change):
        data = json.loads(json.dumps(good))
        change(data)
        with pytest.raises(MalformedAction) as caught:
            GAME.from_json(data)
        return str(caught.value)

    assert "rum has vanished" in spoil(lambda d: d.update(bank=[9, 12, 12, 12, 12, 12]))
    assert "in two places" in spoil(lambda d: d["bounty_pile"].insert(2, "fiddle"))
    assert "purse is not negative" in spoil(lambda d: d["seats"][0].update(silver=-1))
    assert "not on its track" in spoil(lambda d: d["seats"][0].update(ranks=[9, 0, 0, 0]))
    assert "no ship can be" in spoil(lambda d: d["seats"][0].update(cell="0,0"))
    assert "more than it can" in spoil(
        lambda d: (
            d["seats"][0].update(cargo=[2, 9, 0, 0, 0, 0]),
            d.update(bank=[10, 3, 12, 12, 12, 12]),
        )
    )
    assert "the game is over" in spoil(lambda d: d["seats"][0].update(ranks=[5, 5, 5, 5]))
    assert "the game is not over" in spoil(lambda d: d.update(stage={"type": "finished"}))
    assert "in port" in spoil(
        lambda d: (
            d.update(stage={"type": "trading", "renew": False}),
            d["seats"][0].update(cell="5,5"),
        )
    )
    assert "asks something else" in spoil(
        lambda d: d.update(stage={"type": "setting_wind", "jobs": [WIND_JOB]})
    )
    assert "sort its lists" in spoil(lambda d: d.update(options={}))


def test_ships_from_outside_lie_where_play_can_bring_them():
    """PRV-13, PRV-48, PRV-59: in the set-up at home; later a ship's port is its last one."""
    voyage = to_colours()
    for number in range(2):
        voyage.say(f"{NAMES[number]}: sail the {COLOURS[number]} ship")
    rolling, outfitting, sailing = voyage.state, to_outfit().state, make_voyage().state
    others = [("last", 0), ("cell", "5,5"), ("cell", "0,6")]
    for state, (field, value) in [*product([rolling, outfitting], others), (sailing, others[0])]:
        data = json.loads(json.dumps(GAME.to_json(state)))
        data["seats"][1][field] = value
        with pytest.raises(MalformedAction, match="no ship can be"):
            GAME.from_json(data)


WIND_JOB = {"player": 0, "effect": {"do": "wind", "to": "S"}}


def test_json_of_stages_with_jobs():
    """PRV-64: jobs are written in the language of the cards."""
    jobs = (Job(0, Wind("choice")), Job(0, DrawBounty()))
    state = make_voyage(stage=SettingWind(jobs)).state
    data = json.loads(json.dumps(GAME.to_json(state)))
    assert data["stage"] == {
        "type": "setting_wind",
        "jobs": [
            {"player": 0, "effect": {"do": "wind", "to": "choice"}},
            {"player": 0, "effect": {"do": "draw_bounty"}},
        ],
    }
    assert GAME.from_json(data) == state


def test_nothing_asked_depends_on_a_purse():
    """PRV-7: a captain without silver is asked the same as a rich one."""
    for silver in (0, 99):
        voyage = make_voyage({"cell": (11, 0), "silver": silver}, {}).sail((12, 0))
        assert voyage.state.stage == Trading()
        pending = GAME.pending(voyage.state)
        assert isinstance(pending, Decision)
        assert pending.text == "Red: trade and upgrade in Tortuga, then leave"


def test_refusals_do_not_tell_a_purse():
    """PRV-7: the price is told, what is there is not."""
    for silver in (1, 3):
        voyage = make_voyage({"cell": (11, 0), "silver": silver}, {}, slots={"tortuga": "bakers"})
        voyage.sail((12, 0))
        ruling = GAME.check(voyage.state, Buy(P[0], "rum", 2))
        assert ruling.reason == "2 rum cost 6 silver: too much now."
    voyage = make_voyage({"cell": (11, 0), "silver": 1}, {}, slots={"tortuga": "bakers"})
    ruling = GAME.check(voyage.sail((12, 0)).state, Buy(P[0], "rum", 1))
    assert ruling.reason == "1 rum costs 3 silver: too much now."


def test_states_are_values():
    """PRV-23: equal, hashable, and the old one stays after a move."""
    voyage = make_voyage({"cell": (7, 5)})
    before = voyage.state
    twin = GAME.from_json(GAME.to_json(before))
    assert twin == before
    assert hash(twin) == hash(before)
    voyage.do(Sail(P[0], (7, 6)))
    assert before.seats[0].cell == (7, 5)
    assert isinstance(before, State)
    assert {*STAGES.values()} == {*PHASES, Finished}


def test_own_deck_in_a_record():
    """PRV-76: the options of a state hold the whole deck, so it can be read anywhere."""
    mine = house(lambda d: d.update(id="mine"))
    data = GAME.to_json(make_voyage(deck=mine).state)
    assert data["options"]["deck"]["id"] == "mine"
    assert GAME.to_json(make_voyage().state)["options"]["deck"] == "house"
