"""Cards, options, fleets, the lay-out of the sea, who begins, and how a game ends."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from companion.cards.files import builtin_text, read_cards
from companion.errors import BadOptions, CardError, IllegalAction
from companion.rules.catalogue import find_game
from companion.rules.layout import Pose, make_layout
from companion.rules.options import playable
from companion.rules.pirates_csg.actions import (
    DoneBuying,
    EndTurn,
    LayOut,
    LoseMast,
    PickFleet,
    Shoot,
    Surrender,
)
from companion.rules.pirates_csg.codec import CODEC
from companion.rules.pirates_csg.deck import ABILITIES, COLOURS
from companion.rules.pirates_csg.deck_reading import read_deck
from companion.rules.pirates_csg.harbour_actions import BuyShip, Hire
from companion.rules.pirates_csg.laying_out import (
    home_places,
    standard_layout,
)
from companion.rules.pirates_csg.options import OPTION_LIST, house_deck
from companion.rules.pirates_csg.sea import pose_with_bow
from companion.rules.pirates_csg.stages import (
    Finished,
    LosingMast,
    OnTurn,
    RollingDrift,
    RollingMarket,
    RollingOrder,
)
from companion.rules.pirates_csg.state import card_of
from companion.rules.pirates_csg.terrain import drifting
from tests.unit.rules.pirates_csg.shipyard import (
    FISH,
    GAME,
    HOUSE,
    METALS,
    NAMES,
    TAG,
    Cruise,
    P,
    at_sea,
    house,
    start,
    under_way,
)

DECK = house_deck()


# Cards


def test_the_house_deck_is_as_cards_are():
    """CSG-1, CSG-2, CSG-3, CSG-7, CSG-76: fields in the ranges of the print run; tags in order."""
    for number, card in enumerate(DECK.ships):
        assert card.tag == 10 + number
        assert 1 <= card.masts <= 5
        assert all(1 <= c.rank <= 6 and c.reach in "SL" for c in card.cannons)
        assert set(card.move) <= {"S", "L"}
        assert card.bow_mm[0] == max(x for x, _ in card.outline_mm)
    for fort in DECK.forts:
        assert 2 <= fort.cost <= 5
        assert 2 <= len(fort.cannons) <= 6
    types = {"clipper", "gunboat", "steamship"}
    assert {a.do for c in DECK.ships for a in c.abilities} >= types


def test_generic_crew():
    """CSG-5: costs as printed, at least one nation has each."""
    costs = {
        "Captain": 3,
        "Helmsman": 2,
        "Explorer": 1,
        "Cannoneer": 2,
        "Shipwright": 2,
        "Oarsman": 1,
        "Musketeer": 3,
        "Firepot Specialist": 2,
        "Stinkpot Specialist": 2,
        "Chainshot Specialist": 2,
        "Smokepot Specialist": 3,
    }
    found = {}
    for card in DECK.crew:
        if card.is_generic:
            found[card.title.split(" ", 1)[1]] = card.cost
    assert found == costs


def test_every_ability_is_on_a_card():
    """CSG-6, CSG-29, CSG-30: the whole vocabulary is used by the house deck."""
    used = {a.do for card in (*DECK.ships, *DECK.crew) for a in card.abilities}
    assert used == set(ABILITIES)


def test_oarsmen_take_no_space():
    """CSG-4, CSG-5: other crew takes one space each."""
    from companion.rules.pirates_csg.abilities import space

    cruise = at_sea({"steadfast": {"crew": ["english-captain", "english-oarsman"]}})
    assert space(cruise.state, cruise.ship("steadfast")) == 3


FAULTS = [
    (lambda d: d["ship"][2].update(cannons=["9S"]), "ship[2].cannons"),
    (lambda d: d["ship"][2].update(move="L+X"), "ship[2].move"),
    (lambda d: d["ship"][2].update(nation="martian"), "ship[2].nation"),
    (lambda d: d["ship"][2].update(cost="6"), "ship[2].cost"),
    (lambda d: d["ship"][2].update(id="grey-heron"), "ship[2].id"),
    (lambda d: d["ship"][2].update(cannons=["3S"] * 6), "ship[2].cannons"),
    (lambda d: d["ship"][2].update(sails=3), "ship[2].sails"),
    (lambda d: d["ship"][2].update(abilities=["flying"]), "ship[2].abilities[0].do"),
    (lambda d: d["ship"][0]["abilities"][0].pop("amount"), "ship[0].abilities[0]"),
    (lambda d: d["crew"][1].update(generic="yes"), "crew[1].generic"),
    (lambda d: d["crew"][1].pop("title"), "crew[1]"),
    (
        lambda d: d["hull"][0].update(outline_mm=[[0, 0], [9, 9], [9, 0], [0, 9]]),
        "hull[0].outline_mm",
    ),
    (lambda d: d["hull"][0].update(tag_height_mm=-1), "hull[0].tag_height_mm"),
    (lambda d: d["nation"][0].update(minor=3), "nation[0].minor"),
    (lambda d: d["treasure"][0].update(gold=99), "treasure[0].gold"),
    (lambda d: d["fort"][0].update(cannons=[]), "fort[0].cannons"),
    (lambda d: d["fleet"][0].update(ships={}), "fleet[0].ships"),
    (lambda d: d["fleet"][0]["ships"].update(rat=[]), "fleet[3].ships.rat"),
    (lambda d: d["fleet"][0]["ships"].update(tern=["english-captain"] * 3), "fleet[0].ships.tern"),
    # Oarsmen of another nation do not serve aboard, so they take space like others.
    (lambda d: d["fleet"][0]["ships"].update(tern=["french-oarsman"] * 4), "fleet[0].ships.tern"),
    (lambda d: d["fleet"][0]["ships"].update(corona=[]), "fleet[0].ships"),
    (lambda d: d["fleet"].pop(), "fleet"),
]


@pytest.mark.parametrize(("spoil", "path"), FAULTS, ids=[path for _, path in FAULTS])
def test_a_fault_in_a_deck_is_found(spoil, path):
    """CSG-1, CSG-4, CSG-7: each is told with its key; no game begins with it."""
    with pytest.raises(CardError) as caught:
        read_deck(house(spoil))
    assert caught.value.path == path
    with pytest.raises(BadOptions, match="cannot be played"):
        GAME.setup(NAMES[:2], {"deck": house(spoil)})


def test_a_fault_is_told_with_its_line():
    """CSG-1: a card file of one's own."""
    text = builtin_text("csg-house").replace('cannons = ["4L"]', 'cannons = ["7L"]', 1)
    line = text.splitlines().index('cannons = ["7L"]') + 1
    with pytest.raises(CardError, match=rf"^line {line}: ship\[2\].cannons: a cannon is") as caught:
        read_cards(text, read_deck)
    assert caught.value.line == line


def test_a_deck_of_ones_own():
    """CSG-1: its ships are played with, and it goes with the state."""

    def change(data):
        data["ship"][0]["title"] = "Nautilus"

    text = builtin_text("csg-house").replace('title = "Steadfast"', 'title = "Nautilus"')
    assert GAME.setup(NAMES[:2], {"deck": text}).deck.ships[0].title == "Nautilus"
    state = GAME.setup(NAMES[:2], {"deck": house(change)})
    assert GAME.layout(state).pieces[10].name == "Nautilus"
    assert GAME.from_json(GAME.to_json(state)) == state


# Options


def test_every_option_has_a_default_that_is_played():
    """CSG-39: the game starts at once, for two to six."""
    assert playable(find_game("pirates-csg"), {}) == [2, 3, 4, 5, 6]
    assert len({option.id for option in OPTION_LIST}) == len(OPTION_LIST)
    assert all(option.text.endswith(".") for option in OPTION_LIST)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("rounds", 0),
        ("short_mm", 90),
        ("tolerance_mm", 0),
        ("sea_mm", [100, 100]),
        ("sea_mm", 7),
        ("islands", 7),
        ("build_points", 3),
        ("deck", "mine"),
        ("spacing_mm", 9999),
        ("upkeep_default", "beg"),
    ],
)
def test_what_cannot_be_played_is_refused(option, value):
    """CSG-2, CSG-37, CSG-39: with the option at fault."""
    with pytest.raises(BadOptions) as caught:
        GAME.setup(NAMES[:2], {option: value})
    assert caught.value.option == option


def test_islands_that_do_not_fit():
    """CSG-39, CSG-31: a sea has room for so many; the least water between them is an option."""
    with pytest.raises(BadOptions, match="do not fit") as caught:
        GAME.setup(NAMES[:6], {"islands": 6, "sea_mm": [800, 600]})
    assert caught.value.option == "islands"
    GAME.setup(NAMES[:6], {"islands": 5, "spacing_mm": 10})


@pytest.mark.parametrize("fleets", ["ready", "choose"])
def test_fleets_that_find_no_room_at_home(fleets):
    """CSG-42: the lay-out that is drawn must be one that may be played."""
    crowded = {"islands": 3, "sea_mm": [500, 900], "spacing_mm": 0, "fleets": fleets}
    with pytest.raises(BadOptions, match="do not find room at home") as caught:
        GAME.setup(NAMES[:6], crowded)
    assert caught.value.option == "sea_mm"
    GAME.setup(NAMES[:2], crowded)


def test_ready_fleets_need_their_points():
    """CSG-37: fewer build points than a ready fleet costs are refused."""
    with pytest.raises(BadOptions, match="ready fleets cost up to"):
        GAME.setup(NAMES[:2], {"build_points": 20})


# Fleets


def test_ready_fleets():
    """CSG-37, CSG-42, CSG-32: forty gold at most, the rest is the treasury; docked at home."""
    state = GAME.setup(NAMES[:6], {})
    for seat, fleet in enumerate(DECK.fleets[:6]):
        ships = [s for s in state.ships if s.owner == seat]
        assert state.seats[seat].gold == 40 - DECK.fleet_cost(fleet) >= 0
        assert {s.card for s in ships} == {name for name, _ in fleet.ships}
        assert {s.docked for s in ships} == {100 + seat}
    assert len({s.card for s in state.ships}) == len(state.ships)


def test_choosing_fleets():
    """CSG-37, CSG-32: in order of seats, each once."""
    cruise = start(fleets="choose")
    cruise.act(PickFleet, "brethren")
    assert cruise.player == 1
    assert cruise.refused(PickFleet, "brethren") == "CSG-37"
    cruise.act(PickFleet, "escadre")
    assert cruise.asked() == "lay_out"
    assert cruise.ship("rat").owner == 0


def test_while_the_sea_is_laid_out_pages_say_which_tag_each_ship_bears():
    """That stood in the file of the deck alone."""
    cruise = start()
    lines = {sheet.title: sheet.lines for sheet in GAME.view(cruise.state, None).sheets}
    assert "Bears tag 10" in lines["Steadfast"]
    cruise.do(*cruise.legal())
    pages = GAME.view(cruise.state, None).sheets
    assert not any("tag" in line for sheet in pages for line in sheet.lines)


def test_building_a_fleet():
    """CSG-37, CSG-42: card by card, at least one ship; only at home."""
    cruise = start(fleets="build", build_points=20)
    assert cruise.refused(DoneBuying) == "CSG-37"
    assert cruise.refused(BuyShip, "tern", 102) == "CSG-42"
    cruise.act(BuyShip, "steadfast", 100)
    assert cruise.refused(BuyShip, "grey-heron", 100) == "CSG-58"
    assert cruise.refused(Hire, TAG["tern"], "english-captain") == "CSG-4"
    cruise.act(Hire, TAG["steadfast"], "english-captain").act(DoneBuying)
    assert cruise.player == 1
    assert cruise.gold(0) == 4


# The sea


@pytest.mark.parametrize("players", range(2, 7))
def test_homes_lie_evenly_along_the_edge(players):
    """CSG-39: opposite ends for two, equidistant for more; wild islands by the option."""
    state = GAME.setup(NAMES[:players], {"islands": 3})
    assert len(state.islands) == players * 4
    assert [i.tag for i in state.islands] == [*range(100, 100 + 4 * players)]
    places = home_places(players, (1300, 900))
    if players == 2:
        assert places == ((55, 450), (1245, 450))
    assert all(x in (55, 1245) or y in (55, 845) for x, y in places)
    assert GAME.check(state, standard_layout(state))


def laid(cruise, **moved):
    """Return the lay-out as drawn, with some tags elsewhere."""
    drawn = standard_layout(cruise.state)
    elsewhere = {int(tag[1:]): pose for tag, pose in moved.items()}
    return LayOut(P[0], tuple((tag, elsewhere.get(tag, pose)) for tag, pose in drawn.poses))


def test_laying_out():
    """CSG-39, CSG-42: islands apart and inside, homes at the edge, ships at home."""
    cruise = start()
    tern = cruise.ship("tern").pose
    for rule, moved in (
        ("CSG-39", {"t103": Pose(*cruise_pose(cruise, 102, 60), 0.0)}),
        ("CSG-39", {"t103": Pose(-50.0, 300.0, 0.0)}),
        ("CSG-39", {"t101": Pose(700.0, 300.0, 0.0)}),
        ("CSG-39", {"t101": Pose(160.0, 60.0, 0.0)}),
        ("CSG-42", {f"t{TAG['tern']}": Pose(600.0, 300.0, 0.0)}),
        ("CSG-42", {f"t{TAG['tern']}": cruise.island(100).pose}),
        ("CSG-42", {f"t{TAG['tern']}": cruise.ship("steadfast").pose}),
        # Steadfast lies at home, but a wild island has been laid into her stern.
        ("CSG-42", {"t102": Pose(*cruise_pose(cruise, 100, 130), 0.0)}),
    ):
        assert cruise.refusal(laid(cruise, **moved)) == rule, moved
    assert cruise.refusal(LayOut(P[0], ())) == "CSG-39"
    other = laid(cruise, t103=Pose(650.0, 560.0, 30.0))
    assert GAME.check(cruise.state, other)
    seen = dict(other.poses)
    assert GAME.measured(cruise.state, seen) == (other,)
    del seen[TAG["tern"]]
    assert GAME.measured(cruise.state, seen) == ()
    pieces = GAME.layout(cruise.state).pieces
    ruling = GAME.objection(cruise.state, make_layout({}, (), {t: pieces[t] for t in seen}))
    assert f"Tag {TAG['tern']}, Tern, is not seen yet" in ruling.reason
    cruise.do(other)
    assert cruise.island(103).pose == Pose(650.0, 560.0, 30.0)
    assert cruise.ship("tern").pose == tern
    assert cruise.asked() == "roll_order"


def test_no_ship_begins_off_the_sea_or_in_terrain():
    """CSG-42, CSG-39: she touches her home and lies in nothing else."""
    cruise = start(terrain=True)
    home, tern = cruise.island(100).pose, cruise.ship("tern")
    off = pose_with_bow(card_of(cruise.state, tern), (home.x_mm - 48, home.y_mm), 0)
    ruling = GAME.check(cruise.state, laid(cruise, **{f"t{TAG['tern']}": off}))
    assert (ruling.rule, "would leave the sea" in ruling.reason) == ("CSG-39", True)
    fog = next(t for t in cruise.state.terrain if t.kind == "fog")
    around = Pose(*cruise_pose(cruise, 100, 115), 0.0)
    ruling = GAME.check(cruise.state, laid(cruise, **{f"t{fog.tag}": around}))
    assert (ruling.rule, f"lies in the fog {fog.tag}" in ruling.reason) == ("CSG-42", True)


def cruise_pose(cruise, tag, dx):
    pose = cruise.island(tag).pose
    return pose.x_mm + dx, pose.y_mm


def test_islands_begin_empty_unless_asked():
    """CSG-40: a coin on each, treasures face down on some."""
    plain = GAME.setup(NAMES[:2], {})
    assert all(i == type(i)(i.tag, i.pose, i.home) for i in plain.islands)
    rich = GAME.setup(NAMES[:2], {"island_gold": 3, "treasures": 2})
    wild = rich.islands[2:]
    assert all(i.coins == (3,) for i in wild)
    assert sum(i.hidden for i in wild) == 2
    # A line for each of twelve islands left no room on the big screen for what happened.
    hidden, others = GAME.view(rich, None).notes
    assert hidden == "Islands 102 and 103, each: 3 gold lies there; a treasure lies face down"
    assert others.endswith(" and 109, each: 3 gold lies there")
    deck = house(lambda d: d.update(treasure=d["treasure"][:1]))
    with pytest.raises(BadOptions, match="only 1 unique"):
        GAME.setup(NAMES[:2], {"deck": deck, "treasures": 2})


def test_terrain_lies_in_chains():
    """CSG-41, CSG-27: three reefs side by side, the rest spread; none without the option."""
    assert GAME.setup(NAMES[:2], {}).terrain == ()
    terrain = GAME.setup(NAMES[:2], {"terrain": True}).terrain
    reefs = [t.pose for t in terrain if t.kind == "reef"]
    assert len(reefs) == 3
    for a, b in pairwise(reefs):
        assert abs(a.x_mm - b.x_mm) + abs(a.y_mm - b.y_mm) <= 113
    assert {t.kind for t in terrain} == {"reef", "fog", "sargasso", "iceberg", "whirlpool"}
    crowded = start(6, terrain=True)
    crowded.do(crowded.legal()[0])
    assert "terrain: reef (2), fog (2), sargasso (1)" in crowded.told()


def test_the_highest_begins():
    """CSG-43: a d6 each, ties roll again; then clockwise."""
    cruise = start(3)
    cruise.do(cruise.legal()[0]).roll(4, 6, 6)
    assert cruise.state.stage == RollingOrder((-1, 0, 0))
    assert cruise.player == 1
    cruise.roll(2, 5)
    assert (cruise.state.first, cruise.asked(), cruise.state.round) == (2, "roll_market", 1)
    cruise.market(1, 1).end()
    assert cruise.player == 0
    assert cruise.refusal(EndTurn(P[2])) == "CSG-43"


# How a game ends


def test_time_is_over():
    """CSG-86, CSG-90: after so many rounds the most gold at home wins, not resources."""
    cruise = at_sea(
        {"tern": {}, "steadfast": {"owner": 1}},
        {101: {"stock": {"luxuries": 4}}},
        gold=(8, 7),
        round_=5,
        rounds=5,
    )
    cruise.end().end()
    outcome = GAME.outcome(cruise.state)
    assert (outcome.rule, outcome.placing) == ("CSG-86", ((0,), (1,)))
    with pytest.raises(IllegalAction, match="game is over"):
        GAME.apply(cruise.state, EndTurn(P[0]))


def test_ties_on_time():
    """CSG-90: more ships, then more resources at today's price, else shared."""

    def placing(first, second, **islands):
        given = {int(tag[1:]): values for tag, values in islands.items()}
        ships = {name: {"owner": 0} for name in first} | {name: {"owner": 1} for name in second}
        cruise = at_sea(ships, given, gold=(5, 5), round_=5, rounds=5)
        cruise.end().end()
        return GAME.outcome(cruise.state).placing

    assert placing(["tern"], ["rat", "mouette"]) == ((1,), (0,))
    assert placing(["tern"], ["rat"], t100={"stock": {"fish": 1}}) == ((0,), (1,))
    assert placing(["tern"], ["rat"]) == ((0, 1),)


@pytest.mark.parametrize(
    ("ships", "lands", "gold", "said"),
    [
        (["rat"], {}, (3, 2), "the most gold wins"),
        (["rat", "mouette"], {}, (0, 0), "gold is equal, the most ships win"),
        (["rat"], {100: {"stock": {"fish": 1}}}, (0, 0), "the resources worth most win"),
        (["rat"], {}, (0, 0), "gold, ships and resources are equal"),
    ],
)
def test_what_decided_is_said(ships, lands, gold, said):
    """CSG-90: at 0 to 0 it was not the most gold."""
    fleets = {"tern": {}} | {name: {"owner": 1} for name in ships}
    cruise = at_sea(fleets, lands, gold=gold, round_=5, rounds=5).end()
    purses = tuple(replace(s, gold=g) for s, g in zip(cruise.state.seats, gold, strict=True))
    outcome = GAME.outcome(Cruise(cruise.state._replace(seats=purses)).end().state)
    assert said in outcome.reason


def test_fleet_elimination():
    """CSG-87: at the end of a turn; derelicts still count; islands and gold do not help."""
    cruise = at_sea(
        {"tern": {}, "rat": {"owner": 1, "masts": 0}},
        {102: {"building": "settlement", "owner": 1}},
        gold=(5, 50),
    )
    cruise.end()
    assert cruise.asked() == "turn"
    gone = cruise.state._replace(ships=tuple(s for s in cruise.state.ships if s.owner == 0))
    ended = Cruise(gone).end()
    assert GAME.outcome(ended.state).rule == "CSG-87"
    assert GAME.outcome(ended.state).placing == ((0,), (1,))


def test_with_three_the_others_play_on():
    """CSG-87, CSG-47, CSG-48: who has no ship is out; the next captain opens the rounds."""
    cruise = at_sea(
        {"tern": {"owner": 0}, "rat": {"owner": 1}, "mouette": {"owner": 2}}, gold=(5, 5, 5)
    )
    cruise.end()
    ships = tuple(s for s in cruise.state.ships if s.owner)
    cruise = Cruise(cruise.state._replace(ships=ships)).end()
    assert cruise.state.seats[0].is_out
    assert (cruise.state.first, cruise.player, cruise.state.round) == (1, 2, 2)
    cruise.end()
    assert (cruise.player, cruise.state.round) == (1, 3)


def test_no_round_is_skipped_when_two_go_out_at_once():
    """CSG-47, CSG-48: the one who opened the round, and the one on turn; the others play on."""
    fleets = {"tern": {}, "rat": {"owner": 1}, "mouette": {"owner": 2}, "alcatraz": {"owner": 3}}
    cruise = at_sea(fleets, gold=(5, 5, 5, 5), turn=1, round_=3)
    ships = tuple(s for s in cruise.state.ships if s.owner > 1)
    cruise = Cruise(cruise.state._replace(ships=ships)).end()
    assert (cruise.state.first, cruise.player, cruise.state.round) == (2, 2, 3)
    cruise.end()
    assert (cruise.player, cruise.state.round) == (3, 3)
    cruise.end()
    assert (cruise.player, cruise.state.round) == (2, 4)


def monopoly(**extra):
    """Return a sea whose islands all belong to the first captain, but for what is given."""
    wild = {
        tag: {"resource": FISH, "building": "settlement", "owner": 0} for tag in range(102, 108)
    }
    return at_sea(
        {"tern": {}, "rat": {"owner": 1}}, wild | extra.pop("other", {}), islands=3, **extra
    )


def test_trade_monopoly():
    """CSG-88: every island that produces is one captain's; all must be known first."""
    assert GAME.outcome(monopoly().end().state).rule == "CSG-88"
    unknown = monopoly(other={107: {}}).end()
    assert unknown.asked() == "turn"
    foreign = {107: {"resource": METALS, "building": "settlement", "owner": 1}}
    assert monopoly(other=foreign).end().asked() == "turn"
    fort = {107: {"building": "fort", "owner": 1, "fort": "castillo"}}
    assert GAME.outcome(monopoly(other=fort).end().state).placing == ((0,), (1,))
    assert monopoly(monopoly=False).end().asked() == "turn"


def test_two_conditions_at_once():
    """CSG-91: the captain on turn first; here the last fleet wins before a monopoly."""
    cruise = monopoly(turn=1)
    ships = tuple(s for s in cruise.state.ships if s.owner == 1)
    ended = Cruise(cruise.state._replace(ships=ships)).end()
    assert GAME.outcome(ended.state).rule == "CSG-87"
    assert GAME.outcome(ended.state).placing[0] == (1,)


def test_all_fleets_are_gone_at_once():
    """CSG-91, CSG-87: the captain on turn comes first, and nobody is said to have ships."""
    for turn in (0, 1):
        cruise = at_sea({"tern": {}, "rat": {"owner": 1}}, gold=(5, 50), turn=turn)
        ended = Cruise(cruise.state._replace(ships=())).end()
        outcome = GAME.outcome(ended.state)
        assert (outcome.rule, outcome.placing[0]) == ("CSG-91", (turn,))
        assert outcome.reason.startswith("Nobody has a ship left")
        assert GAME.from_json(GAME.to_json(ended.state)) == ended.state
    stage = Finished("CSG-87")  # how it was written before
    older = GAME.outcome(ended.state._replace(stage=stage))
    assert older.reason == "Nobody has a ship left"


def test_surrender():
    """CSG-89: at any time, by whom ever; the last one wins."""
    cruise = under_way(3)
    assert GAME.asides(start().state) == ()
    assert GAME.asides(cruise.state) == (Surrender(P[0]), Surrender(P[1]), Surrender(P[2]))
    cruise.do(Surrender(P[1]))
    assert not [s for s in cruise.state.ships if s.owner == 1]
    assert cruise.refusal(Surrender(P[1])) == "CSG-89"
    cruise.do(Surrender(P[0]))
    outcome = GAME.outcome(cruise.state)
    assert (outcome.rule, outcome.placing[0]) == ("CSG-89", (2,))


@pytest.mark.parametrize("gives_up", [True, False])
def test_what_waits_to_be_built_is_lost_with_its_captain(gives_up):
    """CSG-60, CSG-61, CSG-7: there is no next turn to build it in; what others wait for stays."""
    waiting = {"camps": (0, 1), "arriving": (("fort:castillo", 1), ("settlement", 0))}
    ships = {"tern": {}, "rat": {"owner": 1}, "mouette": {"owner": 2}}
    cruise = at_sea(ships, {103: waiting}, gold=(5, 5, 5))
    if gives_up:
        cruise.do(Surrender(P[1]))
    else:
        left = tuple(s for s in cruise.state.ships if s.owner != 1)
        cruise = Cruise(cruise.state._replace(ships=left)).end()
    assert "on Island 103 is lost: Blue is out" in cruise.told()
    assert cruise.island(103).arriving == (("settlement", 0),)
    assert "castillo" in cruise.state.gone


def test_a_blockader_that_surrenders_opens_the_port():
    """CSG-81, CSG-89: the log says so, as when she sinks or leaves."""
    cruise = at_sea(
        {
            "tern": {"owner": 1, "docked": 103, "blockade": 103},
            "midnight": {},
            "corona": {"owner": 2},
        },
        {103: {"building": "trading", "owner": 0, "resource": 2}},
        gold=(5, 5, 5),
    )
    cruise.do(Surrender(P[1]))
    assert "Island 103 is open again" in cruise.told()


def test_who_surrenders_on_turn_ends_it():
    """CSG-87, CSG-89: whoever has no ship by then is out; here the last fleet has won."""
    cruise = at_sea({"tern": {}, "rat": {"owner": 1}, "mouette": {"owner": 2}}, gold=(5, 50, 5))
    ships = tuple(s for s in cruise.state.ships if s.owner != 1)
    cruise = Cruise(cruise.state._replace(ships=ships)).do(Surrender(P[0]))
    outcome = GAME.outcome(cruise.state)
    assert (outcome.rule, outcome.placing[0]) == ("CSG-87", (2,))


def test_icebergs_drift_when_the_first_captain_surrenders():
    """CSG-27, CSG-47, CSG-89: the next in order rolls for those that are left."""
    fleets = {"tern": {}, "rat": {"owner": 1}, "mouette": {"owner": 2}}
    cruise = at_sea(fleets, gold=(5, 5, 5), terrain=True)
    bergs = drifting(cruise.state)
    cruise.state = cruise.state._replace(stage=RollingDrift(bergs))
    cruise.do(Surrender(P[0]))
    assert (cruise.state.stage, cruise.state.first, cruise.player) == (RollingDrift(bergs), 1, 1)
    assert CODEC.complaint(cruise.state) is None


@pytest.mark.parametrize(
    ("turn", "until", "terrain", "then"),
    [
        (0, 20, False, OnTurn()),
        (2, 2, False, RollingMarket()),
        (2, 20, True, RollingDrift((205, 209))),
    ],
)
def test_a_mast_is_lost_though_who_fired_surrenders(turn, until, terrain, then):
    """CSG-16, CSG-89: like masts were gone at once; others are chosen before the game goes on."""
    cruise = at_sea(
        {
            "steadfast": {"owner": turn, "bow": (400, 300)},
            "corona": {"owner": 1, "bow": (440, 300), "heading": 180.0},
        },
        gold=(5, 5, 5),
        turn=turn,
        terrain=terrain,
    )
    cruise.state = cruise.state._replace(until=until)
    cruise.act(Shoot, TAG["steadfast"], 0, TAG["corona"]).roll(6)
    cruise.do(Surrender(P[turn]))
    assert (cruise.asked(), cruise.player) == ("lose_mast", 1)
    assert CODEC.complaint(cruise.state) is None
    assert GAME.from_json(GAME.to_json(cruise.state)) == cruise.state
    both = Cruise(cruise.state).do(Surrender(P[1]))
    assert GAME.outcome(both.state).rule == "CSG-89"
    cruise.act(LoseMast, TAG["corona"], 0)
    assert cruise.ship("corona").masts == (1, 2, 3, 4)
    assert cruise.state.stage == then


def test_icebergs_drift_though_two_surrender_over_a_mast():
    """CSG-27, CSG-89: who takes the next turn over goes while a hit of the last is still open."""
    fleets = {"tern": {}, "corona": {"owner": 1}, "mouette": {"owner": 2}, "minnow": {"owner": 3}}
    cruise = at_sea(fleets, gold=(5, 5, 5, 5), terrain=True)
    drift = LosingMast(TAG["corona"], RollingDrift(drifting(cruise.state)))
    cruise.state = cruise.state._replace(stage=drift)
    cruise.do(Surrender(P[0]))
    assert (cruise.state.stage, cruise.state.turn, cruise.state.first) == (drift, 1, 1)
    cruise.do(Surrender(P[1]))
    assert (cruise.state.stage, cruise.state.turn) == (drift.then, 2)
    assert CODEC.complaint(cruise.state) is None


def test_nothing_else_is_done_in_a_phase():
    """CSG-43, CSG-44, CSG-51: what is not asked for is refused with the rule of the moment."""
    cruise = start()
    assert cruise.refusal(EndTurn(P[0])) == "CSG-39"
    assert cruise.refusal(EndTurn(P[1])) in ("CSG-39", "CSG-43")
    assert cruise.refusal(Surrender(P[0])) == "CSG-89"
    assert cruise.refusal(EndTurn(P[4])) == "CSG-39"


@pytest.mark.parametrize(
    ("more", "words"),
    [(2, "for 2 more rounds"), (1, "for 1 more round"), (0, "this round"), (-1, "rolled anew")],
)
def test_how_long_the_market_lasts_is_told(more, words):
    """CSG-46: also in the round in which it is due to be rolled."""
    state = under_way().state
    notes = GAME.view(state._replace(until=state.round + more), None).notes
    assert [words in note for note in notes if note.startswith("Market")] == [True]


def test_what_everybody_sees():
    """CSG-53, CSG-56: nothing is hidden; pieces by tag, owners by colour."""
    cruise = under_way()
    layout = GAME.layout(cruise.state)
    assert layout.pieces[TAG["tern"]].colour == COLOURS[0]
    assert layout.pieces[100].kind == "island"
    assert layout.pieces[101].colour == COLOURS[1]
    assert layout.pieces[102].colour == ""
    view = GAME.view(cruise.state, None)
    assert view.seats[0].scores["gold"] == 5
    assert any("Market" in note for note in view.notes)
    assert replace(view) == GAME.view(cruise.state, P[1])
    assert HOUSE["notice"].startswith("Ships, crew")


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("sea_mm", [], "Width and height of the sea must be 2 whole numbers from 500 to 4000, not"),
        ("rounds", "", "Rounds: 1 to 200 rounds, a whole number."),
    ],
)
def test_what_is_typed_wrong_is_refused_in_the_words_of_the_page(option, value, said):
    with pytest.raises(BadOptions) as raised:
        GAME.setup(("Ann", "Bob"), {option: value})
    assert str(raised.value).startswith(said)
    assert raised.value.option == option
