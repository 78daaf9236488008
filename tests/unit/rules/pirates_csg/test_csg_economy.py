"""The market, exploring, upkeep, buying, islands and what is built on them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.rules.deeds import roll
from companion.rules.layout import Die, Pose
from companion.rules.pirates_csg.abilities import has, space
from companion.rules.pirates_csg.actions import (
    Board,
    CeaseFire,
    ComeAbout,
    DrawTreasure,
    EndTurn,
    Explore,
    Idle,
    Keep,
    Move,
    Place,
    RollAgain,
    Scuttle,
    Shoot,
    TakeCoin,
    TakeNoMore,
    TakeToken,
    TakeTreasure,
    TryExtra,
    Unmark,
)
from companion.rules.pirates_csg.arrivals import dock
from companion.rules.pirates_csg.codec import CODEC
from companion.rules.pirates_csg.fates import captured
from companion.rules.pirates_csg.harbour_actions import (
    BuyShip,
    BuyUpgrade,
    Convert,
    DeclareBlockade,
    Deliver,
    DiscardStock,
    Hire,
    Load,
    LoadGold,
    RaidGold,
    Trade,
    Unload,
    UnloadGold,
)
from companion.rules.pirates_csg.manoeuvres import berths
from companion.rules.pirates_csg.stages import Berthing
from companion.rules.pirates_csg.state import (
    find_ship,
    price,
    ship_of,
    with_ship,
)
from companion.rules.plane import toward, turned
from tests.unit.rules.pirates_csg.shipyard import (
    FISH,
    GAME,
    LUMBER,
    LUXURIES,
    METALS,
    SPARE,
    SPICES,
    TAG,
    TEXTILES,
    Cruise,
    P,
    at_sea,
    house,
    robbed_of_fish,
    start,
    tokens,
    under_way,
)

TERN = TAG["tern"]


def out_and_back(cruise, name):
    """Return the move that takes a docked ship out, stern first turned round."""
    pose = cruise.ship(name).pose
    out = toward((pose.x_mm, pose.y_mm), pose.heading_deg + 180, 60)
    return cruise.sail(name, *out, pose.heading_deg + 180)


@pytest.mark.parametrize(
    ("row", "prices"),
    [
        (1, (1, 2, 3, 4, 5, 6)),
        (2, (6, 1, 2, 3, 4, 5)),
        (3, (5, 6, 1, 2, 3, 4)),
        (4, (4, 5, 6, 1, 2, 3)),
        (5, (3, 4, 5, 6, 1, 2)),
        (6, (2, 3, 4, 5, 6, 1)),
    ],
)
def test_t4_the_table_of_prices(row, prices):
    """T4, CSG-45: row by row as printed."""
    assert tuple(price(row, resource) for resource in range(6)) == prices


def test_t2_a_row_holds_for_so_many_rounds():
    """T2, CSG-44, CSG-46, CSG-48: 3 and 14: new dice at the start of round 15, not before."""
    cruise = under_way(row=3, rounds=14)
    assert "lumber 5, textiles 6, metals 1, fish 2, spices 3 and luxuries 4" in cruise.told()
    assert (cruise.state.row, cruise.state.until) == (3, 14)
    for _ in range(13):
        cruise.end().end()
        assert cruise.asked() == "turn"
    assert cruise.state.round == 14
    cruise.end()
    assert cruise.state.round == 14
    cruise.end()
    assert (cruise.asked(), cruise.state.round) == ("roll_market", 15)
    assert cruise.refusal(roll(Die("d6", 1))) == "CSG-44"
    assert len(GAME.chance_outcomes(cruise.state)) == 120


def test_t3_a_short_row():
    """T3, CSG-45, CSG-46: 6 and 4: L2 T3 M4 F5 S6 X1 for four rounds."""
    cruise = under_way(row=6, rounds=4)
    assert [price(cruise.state.row, r) for r in range(6)] == [2, 3, 4, 5, 6, 1]
    for _ in range(8):
        cruise.end()
    assert (cruise.asked(), cruise.state.round) == ("roll_market", 5)


@pytest.mark.parametrize(("row", "gold"), [(3, 20), (6, 8)])
def test_t5_conversion(row, gold):
    """T5, CSG-56, CSG-57: stored tokens at today's price, at any time of the own turn."""
    cruise = at_sea({}, {100: {"stock": {"lumber": 4}}}, gold=(0, 0), row=row)
    assert cruise.refused(Convert, LUMBER, 5) == "CSG-56"
    cruise.act(Convert, LUMBER, 4)
    assert cruise.gold(0) == gold
    assert cruise.happenings[0].coins == ((0, gold),)
    assert not any(cruise.island(100).stock)


def test_t1_the_first_to_explore_rolls():
    """T1, CSG-51, CSG-53, CSG-15: a 1 is lumber, for good; up to 4 are loaded; an encampment."""
    cruise = at_sea({"grey-heron": {"docked": 102}, "tern": {"bow": (500, 250)}})
    assert cruise.refused(Explore, TERN, 102) == "CSG-15"
    assert cruise.refused(Explore, TAG["grey-heron"], 103) == "CSG-15"
    assert cruise.refused(Explore, 9, 102) == "CSG-15", "a tag that nothing bears"
    cruise.act(Explore, TAG["grey-heron"], 102).roll(1)
    assert cruise.asked() == "load"
    assert cruise.refused(TakeToken, FISH, 1) == "CSG-51"
    cruise.act(TakeToken, LUMBER, 4)
    island = cruise.island(102)
    assert (island.resource, island.camps) == (LUMBER, (0,))
    assert cruise.ship("grey-heron").tokens[LUMBER] == 4
    assert cruise.asked() == "turn"


def test_later_explorers_load_without_a_roll():
    """CSG-52, CSG-53: anybody; several encampments stand side by side."""
    cruise = at_sea({"tern": {"docked": 102}}, {102: {"resource": FISH, "camps": (1,)}})
    cruise.act(Explore, TERN, 102).act(TakeToken, FISH, 2)
    assert cruise.island(102).camps == (0, 1)
    cruise.act(TakeNoMore)
    assert cruise.ship("tern").tokens[FISH] == 2
    assert cruise.asked() == "turn"


def test_t6_cargo_and_four_of_a_kind():
    """T6, CSG-35: three spaces take three; with two fish aboard two more fit."""
    cruise = at_sea({"tern": {"docked": 102}}, {102: {"resource": FISH, "camps": (0,)}})
    cruise.act(Explore, TERN, 102)
    assert cruise.refused(TakeToken, FISH, 4) == "CSG-35"
    assert max(a.count for a in cruise.kinds(TakeToken)) == 3
    cruise = at_sea({"corona": {"docked": 102, "tokens": {"fish": 2}}}, {102: {"resource": FISH}})
    cruise.act(Explore, TAG["corona"], 102)
    assert max(a.count for a in cruise.kinds(TakeToken)) == 2


def test_who_explores_hears_why_she_does_not_load_that():
    """CSG-51, CSG-15, CSG-35: it does not lie there, or it does not fit; not "one of the two"."""
    wreck = {"bow": (500, 274), "masts": 0, "coins": (3,), "tokens": {"fish": 1}}
    ships = {"tern": {"docked": 102}, "grey-heron": {"bow": (500, 250)}, "corona": wreck}
    cruise = at_sea(ships, {102: {"resource": FISH, "coins": (2,)}})

    def said(kind, *values):
        ruling = GAME.check(cruise.state, kind(P[0], *values))
        return f"{ruling.rule}: {ruling.reason}"

    cruise.act(Explore, TERN, 102).act(TakeToken, FISH, 2)
    assert said(TakeCoin, 5) == "CSG-51: Island 102 does not give that."
    assert said(TakeToken, LUMBER, 2) == "CSG-51: Island 102 does not give that."
    assert said(TakeToken, FISH, 2).startswith("CSG-35: Tern has 1 space free")
    cruise.act(TakeNoMore).act(Explore, TAG["grey-heron"], TAG["corona"])
    assert said(TakeCoin, 5) == "CSG-15: Corona de Oro does not give that."


def test_a_token_is_delivered_by_who_has_it_and_where_she_is_docked():
    """CSG-60: who lies at sea, or has another token aboard, hears which of the two it is."""
    ships = {"tern": {"docked": 102}, "rat": {"bow": (500, 300), "upgrades": ("settlement",)}}
    cruise = at_sea(ships, {102: {"camps": (0,)}})
    for ship, why in (("rat", "at sea"), ("tern", "does not have this token")):
        assert why in GAME.check(cruise.state, Deliver(P[0], TAG[ship], "settlement")).reason


def test_an_explorer_rolls_again():
    """CSG-78, CSG-30: once, and the second result stands; a hoist does the same."""
    for ship, crew in (("grey-heron", ["english-explorer"]), ("lotus", [])):
        cruise = at_sea({ship: {"docked": 102, "crew": crew}})
        cruise.act(Explore, TAG[ship], 102).roll(1)
        assert cruise.asked() == "keep_resource"
        cruise.act(RollAgain).roll(5)
        assert cruise.island(102).resource == SPICES
    kept = at_sea({"lotus": {"docked": 102}}).act(Explore, TAG["lotus"], 102).roll(2)
    kept.act(Keep)
    assert kept.island(102).resource == TEXTILES


def test_an_explorer_docks_and_explores_with_one_action():
    """CSG-78, CSG-5: kept from the base game; an option takes it away."""
    for keeps, rule in ((True, None), (False, "CSG-9")):
        cruise = at_sea(
            {"grey-heron": {"docked": 102, "crew": ["english-explorer"]}},
            explorer_keeps_base=keeps,
        )
        pose = cruise.ship("grey-heron").pose
        cruise.do(out_and_back(cruise, "grey-heron")).end().end()
        cruise.do(cruise.sail("grey-heron", pose.x_mm, pose.y_mm, pose.heading_deg))
        explore = Explore(P[0], TAG["grey-heron"], 102)
        if rule:
            assert cruise.refusal(explore) == rule
        else:
            cruise.do(explore)


def test_an_explorer_docks_before_she_explores():
    """CSG-5: whoever lay there does not sail off as well; derelicts are nowhere to dock."""
    heron, seasoned = TAG["grey-heron"], {"crew": ["english-explorer"]}
    cruise = at_sea({"grey-heron": {"docked": 102, **seasoned}}, {102: {"resource": FISH}})
    cruise.act(Explore, heron, 102).act(TakeNoMore)
    assert cruise.refusal(out_and_back(cruise, "grey-heron")) == "CSG-9"
    wreck = {"owner": 1, "bow": (500, 274), "masts": 0, "tokens": {"fish": 2}}
    moved = {"bow": (500, 250), "done": ("move",), **seasoned}
    cruise = at_sea({"grey-heron": moved, "corona": wreck})
    assert cruise.refused(Explore, heron, TAG["corona"]) == "CSG-9"


def test_an_explorer_explores_with_a_second_move():
    """CSG-5, CSG-6, CSG-9: what belongs to a move does not count, before a roll and after it."""
    fortune = TAG["fortune"]
    cruise = at_sea({"fortune": {"docked": 102, "crew": ["mercenary-explorer"]}})
    pose = cruise.ship("fortune").pose
    cruise.do(out_and_back(cruise, "fortune")).act(TryExtra, fortune).roll(6)
    cruise.do(cruise.sail("fortune", pose.x_mm, pose.y_mm, pose.heading_deg))
    assert "Soldier's Fortune may still act" in GAME.pending(cruise.state).text
    cruise.act(Explore, fortune, 102).roll(1).act(Keep).act(TakeNoMore)
    assert cruise.refused(Explore, fortune, 102) == "CSG-9"
    once = at_sea({"fortune": {"docked": 102, "crew": ["mercenary-explorer"]}}, {})
    once.do(out_and_back(once, "fortune")).end().end()
    once.do(once.sail("fortune", pose.x_mm, pose.y_mm, pose.heading_deg))
    once.act(Explore, fortune, 102).roll(1).act(Keep).act(TakeNoMore)
    once.act(TryExtra, fortune).roll(5)
    assert once.ship("fortune").extra == "move"


def test_derelicts_are_explored_too():
    """CSG-15, CSG-19: who touches one takes what is aboard; a derelict may explore."""
    cruise = at_sea(
        {
            "grey-heron": {"bow": (500, 250), "masts": 0},
            "corona": {"owner": 1, "bow": (500, 274), "masts": 0, "tokens": {"fish": 2}},
            "tern": {"bow": (700, 250)},
        }
    )
    assert cruise.refused(Explore, TERN, TAG["corona"]) == "CSG-15"
    cruise.act(Explore, TAG["grey-heron"], TAG["corona"]).act(TakeToken, FISH, 2)
    assert not any(cruise.ship("corona").tokens)


def test_gold_and_treasures_on_islands():
    """CSG-40, CSG-8, CSG-34: coins lie open, treasures are turned over and told."""
    cruise = at_sea(
        {"grey-heron": {"docked": 102}},
        {102: {"coins": (3,), "hidden": 1, "resource": FISH}},
        treasures=1,
    )
    cruise.act(Explore, TAG["grey-heron"], 102)
    assert cruise.asked() == "draw_treasure"
    assert len(GAME.chance_outcomes(cruise.state)) == 8
    cruise.do(DrawTreasure(-1, "ruby-eye"))
    assert cruise.ship("grey-heron").treasures == ("ruby-eye",)
    cruise.act(TakeCoin, 3).act(TakeNoMore)
    assert cruise.ship("grey-heron").coins == (3,)
    assert cruise.island(102).coins == ()
    full = at_sea(
        {"tern": {"docked": 102, "tokens": {"fish": 3}}}, {102: {"hidden": 1}}, treasures=1
    )
    full.act(Explore, TERN, 102)
    bell = Cruise(full.state).do(DrawTreasure(-1, "drowned-bell"))
    assert "No space for it: it is out of the game" in bell.told()
    full.do(DrawTreasure(-1, "ivory-chess"))
    assert "No space for it: it stays as 5 gold" in full.told()
    assert full.island(102).coins == (5,)
    assert full.state.gone == ("ivory-chess",)


def test_treasures_are_banked_at_home():
    """CSG-8, CSG-56, CSG-6: coins and treasures; one is worth more aboard some ships."""
    cruise = at_sea(
        {"corona": {"coins": (2, 3), "treasures": ("ruby-eye",), "crew": ["dona-ines"]}},
        gold=(1, 0),
    )
    cruise.act(UnloadGold, TAG["corona"])
    assert cruise.gold(0) == 1 + 5 + 6 + 3
    assert cruise.state.gone == ("ruby-eye",)
    assert cruise.refused(UnloadGold, TAG["corona"]) == "CSG-56"


def test_unloading_and_storing():
    """CSG-56, CSG-36: free, at home; abilities for coins add a token."""
    cruise = at_sea(
        {
            "corona": {"tokens": {"fish": 3}},
            "tern": {"docked": 102, "tokens": {"fish": 1}},
            "grey-heron": {"bow": (500, 250), "tokens": {"fish": 1}},
        }
    )
    assert cruise.refused(Unload, TERN, FISH, 1) == "CSG-56"
    assert cruise.refused(Unload, TAG["grey-heron"], FISH, 1) == "CSG-56"
    cruise.act(Unload, TAG["corona"], FISH, 2)
    assert cruise.island(100).stock == tokens(fish=3)
    cruise.act(Unload, TAG["corona"], FISH, 1)
    assert cruise.island(100).stock == tokens(fish=4)
    assert cruise.refused(Load, TAG["corona"], FISH, 5) == "CSG-56"
    cruise.act(Load, TAG["corona"], FISH, 4)
    assert cruise.ship("corona").tokens == tokens(fish=4)
    assert "move" not in cruise.ship("corona").done


def test_stored_tokens_do_not_grow_by_being_loaded_and_unloaded():
    """CSG-36, CSG-56: what she has loaded at home herself is not brought in; other kinds are."""
    corona = TAG["corona"]
    cruise = at_sea({"corona": {"tokens": {"fish": 1}}}, {100: {"stock": {"luxuries": 1}}})
    for _ in range(2):
        cruise.act(Load, corona, LUXURIES, 1).act(Unload, corona, LUXURIES, 1)
        about(cruise, "corona", 5)
        assert cruise.ship("corona").docked == 100
        cruise.end().end()
    assert cruise.island(100).stock == tokens(luxuries=1)
    cruise.act(Unload, corona, FISH, 1).end().end()
    assert cruise.island(100).stock == tokens(fish=2, luxuries=1)
    cruise.act(Load, corona, FISH, 2).act(Unload, corona, FISH, 2)
    assert cruise.island(100).stock == tokens(fish=2, luxuries=1)


def test_what_a_derelict_loaded_at_home_is_not_brought_in():
    """CSG-36, CSG-15: nor does it help to take stored tokens over from her there."""
    wreck = {"masts": 0, "brought": (0,) * 6, "tokens": {"fish": 1}}
    cruise = at_sea({"corona": {}, "tern": wreck})
    beside = replace(cruise.ship("tern"), pose=cruise.ship("corona").pose)
    cruise = Cruise(with_ship(cruise.state, beside))
    cruise.act(Explore, TAG["corona"], TERN).act(TakeToken, FISH, 1)
    cruise.act(Unload, TAG["corona"], FISH, 1)
    assert cruise.island(100).stock == tokens(fish=1)


@pytest.mark.parametrize("masts", [1, 0])
def test_what_was_taken_from_her_at_home_is_not_brought_in(masts):
    """CSG-36: stored tokens do not grow because those she came in with were lost to an enemy."""
    home = {"tokens": {"fish": 2}, "masts": masts, "crew": ["dona-ines"]}
    ships = {"santa-clara": home, "black-gull": {"owner": 1, "bow": (600, 300)}}
    cruise = at_sea(ships, {100: {"stock": {"fish": 2}}}, turn=1)
    pose = cruise.ship("santa-clara").pose
    x, y = toward((pose.x_mm, pose.y_mm), pose.heading_deg + 90, 32)
    beside = replace(cruise.ship("black-gull"), pose=replace(pose, x_mm=x, y_mm=y).rounded())
    cruise.state = with_ship(cruise.state, beside)
    robbed_of_fish(cruise, "black-gull", "santa-clara")
    assert cruise.island(100).stock == tokens(fish=2)


def test_who_has_been_away_brings_tokens_in_again():
    """CSG-36: tokens aboard when she docks at home count, wherever she had loaded them."""
    cruise = at_sea({"corona": {"crew": ["dona-ines"]}}, {100: {"stock": {"luxuries": 2}}})
    cruise.act(Load, TAG["corona"], LUXURIES, 1)
    cruise = back_in(cruise, "corona", 100)
    assert cruise.ship("corona").brought == tokens(luxuries=1)
    assert GAME.from_json(GAME.to_json(cruise.state)) == cruise.state
    cruise.act(Load, TAG["corona"], LUXURIES, 1).act(Unload, TAG["corona"], LUXURIES, 2)
    assert cruise.island(100).stock == tokens(luxuries=5)
    assert cruise.ship("corona").brought == tokens()


def test_tokens_are_brought_in_at_home_only():
    """CSG-36: a ship that has left has brought nothing in; no other state is read."""
    cruise = at_sea({"corona": {"tokens": {"fish": 1}}})
    berth = cruise.ship("corona")
    cruise.do(out_and_back(cruise, "corona"))
    assert cruise.ship("corona").brought == tokens()
    off = with_ship(cruise.state, replace(berth, docked=0))
    assert CODEC.complaint(off) == "only a ship at home has brought tokens in"


def test_t7_upkeep():
    """T7, CSG-49, CSG-50: 2 of 3 at sea cost 2; with 1 gold one of them stays idle next turn."""
    ships = {
        "tern": {"bow": (500, 250)},
        "grey-heron": {"bow": (500, 300), "masts": 0},
        "steadfast": {},
    }
    cruise = at_sea(ships, gold=(5, 9)).end()
    assert cruise.gold(0) == 3
    cruise = at_sea(ships, gold=(1, 9)).end()
    assert (cruise.gold(0), cruise.asked()) == (0, "default")
    assert cruise.refused(Idle, TAG["steadfast"]) == "CSG-50"
    cruise.act(Idle, TERN)
    (sheet,) = [sheet for sheet in GAME.view(cruise.state, None).sheets if sheet.title == "Tern"]
    assert "No action on her captain's next turn" in sheet.lines
    cruise.end()
    assert cruise.refusal(cruise.sail("tern", 520, 250, 0)) == "CSG-50"
    # A ship that has just lain idle is not named again, so there is no choice.
    cruise.end()
    assert "Grey Heron stays idle" in cruise.told()
    assert (cruise.ship("tern").barred, cruise.ship("grey-heron").barred) == (1, 2)
    cruise.end()
    assert (cruise.ship("tern").barred, cruise.ship("grey-heron").barred) == (0, 1)


def test_a_ship_bought_away_from_home_needs_upkeep():
    """CSG-50, CSG-58: who is new may be named; who has just lain idle is not named again."""
    port = {102: {"building": "military", "owner": 0}}
    cruise = at_sea({"tern": {}}, port, gold=(5, 9))
    cruise.act(BuyShip, "bargain", 102)
    cruise.do(cruise.legal()[0]).end()
    assert "Bargain stays idle on Red's next turn for want of upkeep" in cruise.told()
    cruise.end().end()
    assert "Bargain" not in cruise.told()
    assert cruise.ship("bargain").barred == 1


def test_other_ways_with_unpaid_upkeep():
    """CSG-50: scuttled, or owed, as the table likes."""
    ships = {"tern": {"bow": (500, 250)}, "steadfast": {}}
    two = {**ships, "grey-heron": {"bow": (500, 300)}}
    cruise = at_sea(two, gold=(1, 9), upkeep_default="scuttle").end()
    cruise.act(Scuttle, TERN)
    assert cruise.state.gone == ("tern",)
    only = at_sea(ships, gold=(0, 9), upkeep_default="scuttle").end()
    assert only.state.gone == ("tern",)
    owed = at_sea(ships, gold=(0, 9), upkeep_default="debt").end()
    assert (owed.gold(0), owed.asked()) == (-1, "turn")
    assert owed.end().refused(BuyShip, "bargain", 100) == "CSG-58"


def test_t8_what_is_left_of_the_build_points():
    """T8, CSG-37, CSG-49: 36 of 40 spent: 4, then 2, then 0 with two ships at sea."""
    cruise = start(fleets="build")
    for card in ("lady-of-kent", "steadfast"):
        cruise.act(BuyShip, card, 100)
    cruise.act(Hire, TAG["steadfast"], "english-captain")
    cruise.act(Hire, TAG["lady-of-kent"], "english-oarsman")
    cruise.act(Hire, TAG["lady-of-kent"], "english-oarsman")
    cruise.act(Hire, TAG["steadfast"], "english-cannoneer")
    assert cruise.gold(0) == 4
    cruise.do(cruise.legal()[-1])
    cruise.act(BuyShip, "tern", 101)
    cruise.do(cruise.legal()[-1])
    cruise.do(cruise.legal()[0]).roll(6, 1).market(1, 20)
    for gold in (2, 0):
        for name in ("lady-of-kent", "steadfast"):
            if gold == 2:
                cruise.do(out_and_back(cruise, name))
        cruise.end()
        assert cruise.gold(0) == gold
        cruise.end()


def test_buying_a_ship():
    """CSG-58, CSG-32: at home, from home gold; put to dock; acts from the next turn."""
    cruise = at_sea({"tern": {}}, gold=(20, 9), gone=("minnow",))
    assert cruise.refused(BuyShip, "tern", 100) == "CSG-32"
    assert cruise.refused(BuyShip, "minnow", 100) == "CSG-32"
    assert cruise.refused(BuyShip, "nemo", 100) == "CSG-1"
    assert cruise.refused(BuyShip, "rat", 101) == "CSG-58"
    cruise.act(BuyShip, "rat", 100)
    assert cruise.gold(0) == 15
    assert cruise.state.stage == Berthing(TAG["rat"])
    (berth, *_) = cruise.legal()
    afar = Place(P[0], TAG["rat"], berth.pose.__class__(600.0, 300.0, 0.0))
    assert cruise.refusal(afar) == "CSG-58"
    assert cruise.refusal(Place(P[0], TERN, berth.pose)) == "CSG-58"
    assert GAME.measured(cruise.state, {TAG["rat"]: berth.pose}) == (berth,)
    assert GAME.measured(cruise.state, {TAG["rat"]: afar.pose}) == ()
    cruise.do(berth)
    assert cruise.refusal(out_and_back(cruise, "rat")) == "CSG-58"
    cruise.end().end()
    cruise.do(out_and_back(cruise, "rat"))
    poor = at_sea({"tern": {}}, gold=(4, 9))
    assert poor.refused(BuyShip, "rat", 100) == "CSG-58"


def test_some_ships_come_back():
    """CSG-32, CSG-6: an ability returns a ship that was lost."""
    cruise = at_sea({"snow-goose": {"masts": 0}, "tern": {}})
    cruise.act(Scuttle, TAG["snow-goose"])
    assert cruise.state.gone == ()
    cruise.act(BuyShip, "snow-goose", 100)


def test_hiring_crew():
    """CSG-4, CSG-33, CSG-59: not above the ship's cost, into cargo space, named ones once."""
    cruise = at_sea(
        {"tern": {"crew": ["harriet-stone"]}, "steadfast": {}, "grey-heron": {"docked": 102}},
        {103: {"building": "fort", "owner": 0, "fort": "castillo"}},
        gone=("red-annie",),
    )
    hired = TAG["steadfast"]
    assert cruise.refused(Hire, hired, "harriet-stone") == "CSG-33"
    assert cruise.refused(Hire, hired, "red-annie") == "CSG-33"
    assert cruise.refused(Hire, hired, "nobody") == "CSG-4"
    assert cruise.refused(Hire, TERN, "english-captain") == "CSG-4"
    assert cruise.refused(Hire, TAG["grey-heron"], "english-captain") == "CSG-59"
    for _ in range(3):
        cruise.act(Hire, hired, "english-captain")
    assert space(cruise.state, cruise.ship("steadfast")) == 1
    cruise.act(Hire, hired, "english-explorer")
    assert cruise.refused(Hire, hired, "english-explorer") == "CSG-4"
    for _ in range(3):
        cruise.act(Hire, hired, "english-oarsman")
    assert cruise.gold(0) == 20 - 9 - 1 - 3
    fort = at_sea(
        {"tern": {"docked": 103}}, {103: {"building": "fort", "owner": 0, "fort": "castillo"}}
    )
    fort.act(Hire, TERN, "english-explorer")


def test_fleets_of_one_nation():
    """CSG-38: an option; minor nations may sail along as mercenaries."""
    cruise = start(fleets="build", nations="single")
    cruise.act(BuyShip, "tern", 100)
    assert cruise.refused(BuyShip, "rat", 100) == "CSG-38"
    assert cruise.refused(Hire, TERN, "french-explorer") == "CSG-38"
    cruise.act(BuyShip, "sea-wolf", 100)
    mixed = start(fleets="build")
    mixed.act(BuyShip, "tern", 100).act(BuyShip, "rat", 100)


def test_crew_makes_the_nation_of_a_fleet():
    """CSG-38: an Englishman on a mercenary's ship is of the one major nation, too."""
    cruise = start(fleets="build", nations="single")
    cruise.act(BuyShip, "bargain", 100).act(Hire, TAG["bargain"], "english-captain")
    assert cruise.refused(BuyShip, "mouette", 100) == "CSG-38"
    cruise.act(BuyShip, "tern", 100)


@pytest.mark.parametrize("own", ["tern", "bargain"])
def test_a_prize_does_not_change_the_nation_of_a_fleet(own):
    """CSG-38: whoever has taken a Spaniard still buys English ships and crew."""
    cruise = at_sea(
        {own: {}, "alcatraz": {"owner": 1}, "gaviota": {"owner": 1}},
        gold=(40, 20),
        nations="single",
    )
    cruise.state = captured(cruise.state, cruise.ship("alcatraz"), 0)
    assert GAME.from_json(GAME.to_json(cruise.state)) == cruise.state
    cruise.act(Hire, TAG[own], "english-captain").act(BuyShip, "grey-heron", 100)
    cruise.do(cruise.legal()[0])
    assert cruise.refused(BuyShip, "santa-clara", 100) == "CSG-38"


UPGRADED = {102: {"resource": FISH, "camps": (0, 1)}, 103: {"resource": METALS, "camps": (1,)}}


def test_t15_a_settlement_is_delivered():
    """T15, CSG-60, CSG-63, CSG-10: bought at home, carried, built at the owner's next turn."""
    cruise = at_sea({"tern": {}, "grey-heron": {"docked": 103, "upgrades": ("settlement",)}})
    assert cruise.refused(BuyUpgrade, TAG["grey-heron"], "settlement") == "CSG-60"
    assert cruise.refused(BuyUpgrade, TERN, "castle") == "CSG-60"
    cruise.act(BuyUpgrade, TERN, "settlement")
    assert cruise.gold(0) == 10
    assert space(cruise.state, cruise.ship("tern")) == 2

    cruise = at_sea({"tern": {"docked": 102, "upgrades": ("settlement",)}}, UPGRADED)
    cruise.act(Deliver, TERN, "settlement")
    assert cruise.island(102).building == ""
    assert cruise.refused(Deliver, TERN, "settlement") == "CSG-60"
    cruise.end().end()
    assert (cruise.island(102).building, cruise.island(102).owner) == ("settlement", 0)
    assert "has built a settlement on Island 102" in cruise.told()


def test_where_upgrades_can_be_built():
    """CSG-60, CSG-61, CSG-64: on an own encampment, in one line, where nobody else has built."""
    cruise = at_sea(
        {
            "tern": {"docked": 103, "upgrades": ("settlement",)},
            "steadfast": {"docked": 102, "upgrades": ("fort:castillo", "trading")},
            "grey-heron": {"docked": 104, "upgrades": ("military",)},
            "lady-of-kent": {"docked": 105, "upgrades": ("settlement",)},
        },
        UPGRADED
        | {
            104: {"building": "settlement", "owner": 0},
            105: {"building": "settlement", "owner": 1, "camps": (0, 1)},
        },
    )
    assert cruise.refused(Deliver, TERN, "settlement") == "CSG-60"
    assert cruise.refused(Deliver, TAG["steadfast"], "trading") == "CSG-64"
    assert cruise.refused(Deliver, TAG["lady-of-kent"], "settlement") == "CSG-61"
    cruise.act(Deliver, TAG["steadfast"], "fort:castillo")
    cruise.act(Deliver, TAG["grey-heron"], "military").end().end()
    assert cruise.island(102).fort == "castillo"
    assert cruise.island(102).guns == (0, 1, 2, 3)
    assert cruise.island(104).building == "military"
    home = at_sea({"tern": {"upgrades": ("settlement",)}})
    assert "wild islands" in GAME.check(home.state, Deliver(P[0], TERN, "settlement")).reason
    again = at_sea({"tern": {}}, {102: {"building": "fort", "owner": 0, "fort": "castillo"}})
    assert again.refused(BuyUpgrade, TERN, "fort:castillo") == "CSG-7"


def test_nobody_is_told_to_explore_what_a_rival_owns():
    """CSG-61, CSG-63: without an encampment on a rival's island there is none to be had."""
    rival = {102: {"building": "settlement", "owner": 1, "resource": FISH}}
    cruise = at_sea({"tern": {"docked": 102, "upgrades": ("settlement",)}}, rival)
    assert cruise.refused(Explore, TERN, 102) == "CSG-63"
    assert cruise.refused(Deliver, TERN, "settlement") == "CSG-61"


def test_who_comes_too_late_loses_the_token():
    """CSG-61: where another has built meanwhile."""
    cruise = at_sea(
        {"tern": {"docked": 102}},
        {102: {"camps": (0, 1), "arriving": (("settlement", 0), ("settlement", 1))}},
    )
    cruise.end()
    assert cruise.island(102).owner == 1
    cruise.end()
    assert "A settlement cannot be built on Island 102 any more: the token is lost" in cruise.told()
    assert cruise.island(102).arriving == ()


def test_a_fort_may_cost_nothing():
    """CSG-60: cards of the table's own; it is offered to who has no gold left, too."""
    deck = house(lambda data: data["fort"][0].update(cost=0))
    cruise = at_sea({"tern": {}}, gold=(0, 9), deck=deck)
    free = f"fort:{deck['fort'][0]['id']}"
    assert [a.upgrade for a in cruise.kinds(BuyUpgrade)] == [free]


def test_a_fort_that_sinks_as_a_token_is_lost():
    """CSG-60, CSG-7: like ships, forts do not come back."""
    tern = {"owner": 1, "bow": (500, 290), "masts": 0, "upgrades": ("fort:castillo",)}
    ships = {"grey-heron": {"bow": (500, 250)}, "tern": tern, "mouette": {"owner": 1}}
    cruise = at_sea(ships).act(Shoot, TAG["grey-heron"], 0, TERN).roll(6)
    assert cruise.state.gone == ("castillo", "tern")
    cruise.end()
    assert cruise.refused(BuyUpgrade, TAG["mouette"], "fort:castillo") == "CSG-7"


@pytest.mark.parametrize("building", ["", "settlement"])
def test_a_fort_that_finds_no_encampment_is_lost(building):
    """CSG-60, CSG-54, CSG-66: the marks are taken meanwhile, or the town destroyed; it is told."""
    town = {"building": "settlement", "owner": 1, "hits": 2} if building else {}
    cruise = at_sea(
        {"grey-heron": {"docked": 102}, "santa-clara": {"docked": 102, "crew": ["brother-luis"]}},
        {102: {"resource": FISH, "camps": (0, 1), "arriving": (("fort:castillo", 1),), **town}},
    )
    if building:
        cruise.act(Shoot, TAG["grey-heron"], 0, 102).roll(6)
    else:
        cruise.act(Unmark, TAG["santa-clara"], 102, False)
    assert CODEC.complaint(cruise.state) is None
    if cruise.asked() == "fire":
        cruise.act(CeaseFire)
    cruise.end()
    lost = "Castillo del Mar cannot be built on Island 102 any more: the token is lost"
    assert lost in cruise.told()
    assert (cruise.island(102).arriving, cruise.state.gone) == ((), ("castillo",))
    assert cruise.refused(BuyUpgrade, TAG[SPARE[1]], "fort:castillo") == "CSG-7"


def test_t17_a_settlement_controls_its_island():
    """T17, CSG-63, CSG-53: others load there no more; their encampment stays as a mark."""
    cruise = at_sea(
        {"tern": {"docked": 102}},
        {102: {"building": "settlement", "owner": 1, "resource": FISH, "camps": (0, 1)}},
    )
    assert cruise.refused(Explore, TERN, 102) == "CSG-63"
    assert cruise.island(102).camps == (0, 1)
    own = at_sea(
        {"tern": {"docked": 102}}, {102: {"building": "settlement", "owner": 0, "resource": FISH}}
    )
    own.act(Explore, TERN, 102).act(TakeToken, FISH, 3)


def test_a_fort():
    """CSG-62, CSG-28, CSG-7, CSG-72: yields nothing, stores tokens and gold; rivals cannot dock."""
    fort = {102: {"building": "fort", "owner": 0, "fort": "castillo", "resource": FISH}}
    cruise = at_sea({"tern": {"docked": 102, "tokens": {"fish": 1}, "coins": (4,)}}, fort)
    assert cruise.refused(Explore, TERN, 102) == "CSG-62"
    cruise.act(Unload, TERN, FISH, 1).act(UnloadGold, TERN)
    assert cruise.island(102).stock == tokens(fish=1)
    assert cruise.island(102).coins == (4,)
    assert cruise.refused(Convert, FISH, 1) == "CSG-56"
    assert cruise.refused(LoadGold, TERN, 3) == "CSG-28"
    cruise.act(LoadGold, TERN, 4)
    assert cruise.ship("tern").coins == (4,)
    rival = at_sea({"tern": {"docked": 102}}, gold=(9, 9))
    pose = rival.ship("tern").pose
    rival.do(out_and_back(rival, "tern")).end().end()
    from companion.rules.pirates_csg.state import island_of, with_island
    from tests.unit.rules.pirates_csg.shipyard import Cruise

    built = island_of(rival.state, 102).__class__(
        102, rival.island(102).pose, building="fort", owner=1, fort="castillo", guns=(0, 1, 2, 3)
    )
    rival = Cruise(with_island(rival.state, built))
    rival.do(rival.sail("tern", pose.x_mm, pose.y_mm, pose.heading_deg))
    assert rival.ship("tern").docked == 0


def test_t14_trading():
    """T14, CSG-68, CSG-69, CSG-29: two for one; foreigners pay a third; parley does not."""
    port = {102: {"building": "trading", "owner": 0, "resource": LUMBER}}
    own = at_sea({"grey-heron": {"docked": 102, "tokens": {"fish": 4}}}, port)
    own.act(Trade, TAG["grey-heron"], (FISH, FISH), METALS)
    assert own.ship("grey-heron").tokens == tokens(fish=2, metals=1)
    own.act(Trade, TAG["grey-heron"], (METALS, FISH), LUXURIES)
    assert own.refused(Trade, TAG["grey-heron"], (FISH, FISH), METALS) == "CSG-68"
    away = {102: {"building": "trading", "owner": 1, "resource": LUMBER}}
    foreign = at_sea({"grey-heron": {"docked": 102, "tokens": {"fish": 3}}}, away)
    assert foreign.refused(Trade, TAG["grey-heron"], (FISH, FISH), METALS) == "CSG-69"
    assert foreign.refused(Trade, TAG["grey-heron"], (FISH, FISH, FISH), FISH) == "CSG-68"
    foreign.act(Trade, TAG["grey-heron"], (FISH, FISH, FISH), METALS)
    assert foreign.island(102).stock == tokens(fish=1)
    parley = at_sea(
        {"grey-heron": {"docked": 102, "tokens": {"fish": 2}, "crew": ["old-ferrers"]}}, away
    )
    parley.act(Trade, TAG["grey-heron"], (FISH, FISH), SPICES)
    assert not any(parley.island(102).stock)
    nowhere = at_sea({"grey-heron": {"docked": 103, "tokens": {"fish": 2}}}, away)
    assert nowhere.refused(Trade, TAG["grey-heron"], (FISH, FISH), METALS) == "CSG-68"


def test_the_owner_loads_the_fees():
    """CSG-69: free, from the port's stock."""
    stock = {102: {"building": "trading", "owner": 0, "stock": {"fish": 2}}}
    cruise = at_sea({"tern": {"docked": 102}}, stock)
    cruise.act(Load, TERN, FISH, 2)
    assert cruise.ship("tern").tokens == tokens(fish=2)
    foreign = at_sea({"tern": {"owner": 1, "docked": 102}}, stock, turn=1)
    assert foreign.refused(Load, TERN, FISH, 2) == "CSG-56"


def blockaded():
    """Return a blockade of the first captain's port by the second."""
    cruise = at_sea(
        {
            "grey-heron": {"docked": 102, "tokens": {"fish": 2}},
            "corona": {"owner": 1, "docked": 102},
            "alcatraz": {"owner": 1, "docked": 103},
        },
        {
            102: {
                "building": "trading",
                "owner": 0,
                "resource": FISH,
                "stock": {"fish": 1, "metals": 2},
                "coins": (3,),
            },
            103: {"building": "military", "owner": 0},
        },
        turn=1,
    )
    assert cruise.refused(DeclareBlockade, TAG["alcatraz"]) == "CSG-70"
    return cruise.act(DeclareBlockade, TAG["corona"])


def test_a_blockade():
    """CSG-70, CSG-81: no trading, the owner loads nothing; the blockader does, or discards."""
    cruise = blockaded()
    assert cruise.refused(DeclareBlockade, TAG["corona"]) == "CSG-81"
    cruise.act(DiscardStock, TAG["corona"])
    assert not any(cruise.island(102).stock)
    assert cruise.refused(DiscardStock, TAG["corona"]) == "CSG-81"
    cruise.end()
    heron = TAG["grey-heron"]
    assert cruise.refused(Trade, heron, (FISH, FISH), METALS) == "CSG-81"
    assert cruise.refused(Explore, heron, 102) == "CSG-81"
    assert cruise.refused(Load, heron, METALS, 1) == "CSG-81"
    assert cruise.refused(BuyShip, "sea-wolf", 102) == "CSG-81"
    assert cruise.refused(LoadGold, heron, 3) == "CSG-81"
    cruise.end().act(Explore, TAG["corona"], 102).act(TakeToken, FISH, 4).act(TakeNoMore)
    assert cruise.ship("corona").tokens == tokens(fish=4)
    cruise.end().end()
    cruise.do(out_and_back(cruise, "corona"))
    assert "open again" in cruise.told()
    assert cruise.ship("corona").blockade == 0


def test_a_blockader_who_comes_about_has_not_left():
    """CSG-81, CSG-13: the port stays closed until she undocks."""
    cruise = at_sea(
        {"gaviota": {"docked": 102, "blockade": 102}}, {102: {"building": "trading", "owner": 1}}
    )
    cruise.do(cruise.kinds(ComeAbout)[0])
    assert (cruise.ship("gaviota").docked, cruise.ship("gaviota").blockade) == (102, 102)
    assert "open again" not in cruise.told()


@pytest.mark.parametrize("x", [565, 567])
def test_who_comes_about_between_two_islands_has_not_left_either(x):
    """CSG-81, CSG-85: she touches another island, too, or more nearly; she stays where she is."""
    strait = {
        102: {"pose": Pose(500, 300, 0), "building": "trading", "owner": 1},
        103: {"pose": Pose(632, 300, 0), "building": "trading", "owner": 0},
    }
    cruise = at_sea({"gaviota": {"docked": 102, "blockade": 102}, "lotus": {}}, strait)
    between = replace(cruise.ship("gaviota"), pose=Pose(x, 300, 90))
    cruise.state = with_ship(cruise.state, between)
    cruise.act(ComeAbout, between.tag, Pose(566.5, 300, 270))
    assert (cruise.ship("gaviota").docked, cruise.ship("gaviota").blockade) == (102, 102)
    hired = replace(cruise.ship("lotus"), pose=Pose(x, 300, 90), docked=103, hired=1)
    away = replace(between, pose=Pose(300, 600, 0), docked=0, blockade=0)
    cruise.state = with_ship(with_ship(cruise.state, away), hired)
    cruise.act(ComeAbout, hired.tag, Pose(565, 300, 270))
    assert (cruise.ship("lotus").docked, cruise.ship("lotus").hired) == (103, 1)


def test_a_blockader_takes_the_stock_of_the_port():
    """CSG-81, CSG-35: up to her cargo limit, beside what the port produces."""
    cruise = blockaded()
    cruise.act(Explore, TAG["corona"], 102).act(TakeToken, METALS, 2).act(TakeToken, FISH, 2)
    assert cruise.ship("corona").tokens == tokens(fish=2, metals=2)
    assert cruise.island(102).stock == tokens(fish=1)


def test_anybody_loads_what_lies_in_ruins():
    """CSG-28, CSG-66: the stock of a fort or port that is no more; not that of who has built."""
    stored = {"resource": FISH, "camps": (1,), "stock": {"luxuries": 3}}
    cruise = at_sea({"grey-heron": {"docked": 102}}, {102: stored})
    cruise.act(Explore, TAG["grey-heron"], 102).act(TakeToken, LUXURIES, 1).act(TakeToken, FISH, 2)
    assert cruise.ship("grey-heron").tokens == tokens(fish=2, luxuries=1)
    assert cruise.island(102).stock == tokens(luxuries=2)
    built = {"building": "settlement", "owner": 0}
    own = at_sea({"grey-heron": {"docked": 102}}, {102: stored | built})
    own.act(Explore, TAG["grey-heron"], 102)
    assert TakeToken(P[0], LUXURIES, 1) not in own.legal()


def test_a_port_is_open_once_nobody_blockades_it():
    """CSG-81: of two blockaders one loses a boarding; the other still keeps the port closed."""
    closed = {"owner": 1, "docked": 102, "blockade": 102, "masts": 1}
    port = {102: {"building": "trading", "owner": 0}}
    ships = {"grey-heron": {"docked": 102}, "corona": closed}
    for others, opens in (({}, True), ({"alcatraz": closed}, False)):
        cruise = at_sea(ships | others, port)
        pose = cruise.ship("corona").pose
        x, y = toward((pose.x_mm, pose.y_mm), pose.heading_deg + 90, 31)
        beside = replace(cruise.ship("grey-heron"), pose=replace(pose, x_mm=x, y_mm=y).rounded())
        cruise.state = with_ship(cruise.state, beside)
        cruise.act(Board, TAG["grey-heron"], TAG["corona"]).roll(6, 1)
        assert cruise.ship("corona").blockade == 0
        assert ("Island 102 is open again" in cruise.told()) == opens


def test_a_lost_boarding_ends_a_blockade():
    """CSG-81: and so does sinking or becoming a derelict."""
    cruise = blockaded().end()
    corona, heron = cruise.ship("corona"), cruise.ship("grey-heron")
    x, y = toward((corona.pose.x_mm, corona.pose.y_mm), corona.pose.heading_deg + 90, 23)
    beside = replace(heron, pose=replace(corona.pose, x_mm=round(x, 1), y_mm=round(y, 1)))
    cruise.state = with_ship(cruise.state, beside)
    cruise.act(Board, TAG["grey-heron"], TAG["corona"]).roll(6, 1)
    assert cruise.ship("corona").blockade == 0 or len(corona.masts) > 2
    shot = blockaded().end()
    weak = replace(shot.ship("corona"), masts=(0,))
    shot.state = with_ship(with_ship(shot.state, weak), replace(beside, done=()))
    shot.act(Shoot, TAG["grey-heron"], 0, TAG["corona"]).roll(6)
    assert shot.ship("corona").is_derelict
    assert shot.ship("corona").blockade == 0


def test_a_military_port():
    """CSG-71, CSG-59, CSG-72: sells ships and crew for home gold, repairs, still produces."""
    cruise = at_sea(
        {"tern": {"docked": 102}},
        {102: {"building": "military", "owner": 0, "resource": FISH}},
    )
    cruise.act(Hire, TERN, "english-explorer")
    cruise.act(BuyShip, "rat", 102)
    cruise.do(cruise.legal()[0])
    assert cruise.ship("rat").docked == 102
    cruise.act(Explore, TERN, 102).act(TakeToken, FISH, 2)
    assert cruise.refused(Load, TERN, FISH, 1) == "CSG-56"
    assert cruise.refused(UnloadGold, TERN) == "CSG-56"


def raider(**values):
    """Return a raider at the second captain's home on the turn she arrives."""
    return at_sea(
        {"midnight": {"docked": 101, "leave": 1, **values}},
        {101: {"stock": {"fish": 3, "metals": 2}}},
        gold=(9, 1),
    )


def test_raiding():
    """CSG-84: stored resources as they fit, the gold her ability allows; away on her next turn."""
    cruise = raider()
    cruise.act(Load, TAG["midnight"], FISH, 2).act(RaidGold, TAG["midnight"])
    assert cruise.ship("midnight").coins == (1,)
    assert cruise.gold(1) == 0
    assert cruise.refused(RaidGold, TAG["midnight"]) == "CSG-84"
    cruise.end().end()
    assert cruise.refusal(EndTurn(P[0])) == "CSG-84"
    assert GAME.pending(cruise.state).passing is None
    cruise.do(out_and_back(cruise, "midnight")).end()
    other = at_sea({"tern": {"docked": 100}})
    assert other.refused(RaidGold, TERN) == "CSG-84"
    lame = raider(masts=0).end().end()
    lame.end()


def at_the_raid(**values):
    """Return the turn on which the raider must leave; an enemy lies within her range."""
    return raider(**values | {"leave": 2})


def test_a_raider_does_not_come_about_instead_of_leaving():
    """CSG-84: on the spot she still touches the home she must leave, and raids no second time."""
    cruise = at_the_raid()
    pose = cruise.ship("midnight").pose
    about = ComeAbout(P[0], TAG["midnight"], turned(pose, 20).rounded())
    assert cruise.refusal(about) == "CSG-84"
    away = ComeAbout(P[0], TAG["midnight"], turned(pose, 90).rounded())
    assert cruise.do(away).ship("midnight").docked == 0


def test_a_raider_does_not_sail_along_the_shore_instead_of_leaving():
    """CSG-84: no move offered ends at the same home; such a one that is laid is refused."""
    cruise = at_the_raid()
    offered = cruise.kinds(Move)
    assert all(Cruise(cruise.state).do(m).ship("midnight").docked != 101 for m in offered)
    along = [Move(P[0], TAG["midnight"], (), p) for p in berths(cruise.state, TAG["midnight"], 101)]
    assert {cruise.refusal(move) for move in along} == {"CSG-11", "CSG-84"}


def test_a_derelict_that_rows_into_an_enemys_home_hears_why_she_takes_no_gold():
    """CSG-84: "Derelicts raid nobody", on the turn they arrive neither."""
    cruise = at_sea({"midnight": {"docked": 101, "leave": 1, "masts": 0}})
    assert "derelict" in GAME.check(cruise.state, RaidGold(P[0], TAG["midnight"])).reason


def test_a_raider_keeps_her_action_for_leaving():
    """CSG-84, CSG-9: with a captain aboard she may shoot first."""
    cruise = at_the_raid()
    shot = Shoot(P[0], TAG["midnight"], 0, TAG[SPARE[1]])
    assert cruise.refusal(shot) == "CSG-84"
    assert not cruise.kinds(Shoot)
    led = at_the_raid(crew=("pirate-captain",))
    assert GAME.check(led.state, shot)


@pytest.mark.parametrize(
    ("others", "first"),
    [({}, ""), ({"rat": {}}, "Bilge Rat may still act and ")],
)
def test_who_must_leave_is_named(others, first):
    """CSG-84: the turn is not to be ended before, so nobody is told only that she may act."""
    cruise = at_sea({"midnight": {"docked": 101, "leave": 2}, **others})
    said = f"Red: {first}Midnight must leave Blue's home island; then end the turn"
    assert GAME.pending(cruise.state).text == said


def test_a_raider_who_cannot_leave_does_not_raid_anew():
    """CSG-84: gold is taken on the turn of arrival, and turning about is none."""
    cruise = raider(pinned_by=(TAG[SPARE[1]],), barred=2).end().end()
    cruise.state = with_ship(cruise.state, replace(cruise.ship("midnight"), barred=1))
    assert GAME.check(cruise.state, EndTurn(P[0]))
    before = cruise.ship("midnight")
    state, told = dock(cruise.state, replace(before, docked=0, leave=0), before)
    assert ship_of(state, before.tag).leave == 2
    assert Cruise(state).refused(RaidGold, before.tag) == "CSG-84"
    assert "docks at" in told[0].text


def test_only_raiders_dock_at_enemy_homes():
    """CSG-84, CSG-14: others touch the shore and are not docked."""
    for name, docked in (("tern", 0), ("midnight", 101)):
        cruise = at_sea({name: {"bow": (1130, 450)}})
        x = cruise.ship(name).pose.x_mm
        cruise.do(cruise.sail(name, x + 66, 450, 0))
        assert cruise.ship(name).docked == docked


def test_privateers():
    """CSG-85: minor nations, hired in an own trading port; gone when she docks at home or port."""
    port = {102: {"building": "trading", "owner": 0, "resource": FISH}}
    cruise = at_sea({"tern": {"docked": 102}}, port)
    assert cruise.refused(BuyShip, "rat", 102) == "CSG-85"
    assert cruise.refused(Hire, TERN, "english-explorer") == "CSG-85"
    cruise.act(Hire, TERN, "mercenary-explorer")
    cruise.act(BuyShip, "bargain", 102)
    cruise.do(cruise.legal()[0])
    assert cruise.ship("bargain").hired == 1
    pose = cruise.ship("bargain").pose
    cruise.end().end()
    cruise.act(Explore, TAG["bargain"], 102).act(TakeToken, FISH, 2).act(TakeNoMore)
    cruise.end().end()
    cruise.do(out_and_back(cruise, "bargain"))
    assert cruise.ship("bargain").hired == 2
    cruise.end().end()
    cruise.do(cruise.sail("bargain", pose.x_mm, pose.y_mm, pose.heading_deg))
    assert "has done her service" in cruise.told()
    assert cruise.island(102).stock == tokens(fish=2)
    assert "bargain" not in cruise.state.gone
    cruise.act(BuyShip, "bargain", 102)
    minor = at_sea({"sea-wolf": {"docked": 102}}, port)
    assert minor.refused(BuyShip, "bargain", 102) == "CSG-85"
    assert minor.refused(Hire, TAG["sea-wolf"], "viking-captain") == "CSG-85"
    assert not minor.kinds(Hire)
    major = at_sea({"sea-wolf": {"docked": 102}, "tern": {}}, port)
    assert GAME.check(major.state, Hire(P[0], TAG["sea-wolf"], "viking-captain"))


PORT = {102: {"building": "trading", "owner": 0, "resource": FISH}}


def about(cruise, name, deg=20):
    """Let a ship turn a little on the spot, so that she still touches the shore."""
    ship = cruise.ship(name)
    return cruise.do(ComeAbout(cruise.player, ship.tag, turned(ship.pose, deg).rounded()))


def back_in(cruise, name, island):
    """Let a ship lie off an island, and dock there by a move."""
    pose = cruise.ship(name).pose
    x, y = toward((pose.x_mm, pose.y_mm), pose.heading_deg + 180, 50)
    off = replace(cruise.ship(name), pose=Pose(x, y, pose.heading_deg).rounded(), docked=0)
    out = Cruise(with_ship(cruise.state, off))
    out.do(out.sail(name, pose.x_mm, pose.y_mm, pose.heading_deg))
    assert find_ship(out.state, off.tag) is None or out.ship(name).docked == island
    return out


def test_a_privateer_stays_until_she_has_left():
    """CSG-85: hired where she lies, she must leave and dock again; to come about is neither."""
    cruise = at_sea({"tern": {}, "bargain": {"docked": 102, "hired": 1}}, PORT)
    about(cruise, "bargain")
    assert (cruise.ship("bargain").docked, cruise.ship("bargain").hired) == (102, 1)


@pytest.mark.parametrize(
    ("building", "owner", "stays"),
    [
        ("trading", 0, False),
        ("trading", 1, False),
        ("military", 1, False),
        ("settlement", 0, True),
        ("", -1, True),
    ],
)
def test_where_the_service_of_privateers_ends(building, owner, stays):
    """CSG-85: "a military port, or a trading port", whosever it is; crew like ships."""
    port = {103: {"building": building, "owner": owner, "resource": FISH}}
    hands = {"crew": ("mercenary-explorer",), "privateers": ("mercenary-explorer",)}
    cruise = at_sea({"tern": {"docked": 103, **hands}, "bargain": {"bow": (600, 300)}}, port)
    cruise = back_in(cruise, "tern", 103)
    assert bool(cruise.ship("tern").crew) == stays
    hired = at_sea({"tern": {}, "bargain": {"docked": 103, "hired": 2}}, port)
    assert (find_ship(back_in(hired, "bargain", 103).state, TAG["bargain"]) is not None) == stays


@pytest.mark.parametrize(("upgrade", "stays"), [("military", False), ("settlement", True)])
def test_a_port_that_is_built_ends_the_service_of_those_who_lie_there(upgrade, stays):
    """CSG-85: they are docked at a port then, a rival's here; crew like ships."""
    hands = {"crew": ("mercenary-explorer",), "privateers": ("mercenary-explorer",)}
    town = {"building": "settlement", "owner": 1} if upgrade == "military" else {"camps": (1,)}
    ships = {"tern": {"docked": 102, **hands}, "bargain": {"docked": 102, "hired": 2}}
    cruise = at_sea(ships, {102: {**town, "arriving": ((upgrade, 1),)}}).end()
    assert (find_ship(cruise.state, TAG["bargain"]) is not None) == stays
    assert bool(cruise.ship("tern").crew) == stays
    assert ("Bargain has done her service" in cruise.told()) != stays


@pytest.mark.parametrize(("island", "where"), [(100, "Red's home island"), (102, "Island 102")])
def test_what_a_privateer_leaves_behind_is_told(island, where):
    """CSG-85: coins and treasures as well as tokens; at home they are the captain's."""
    cargo = {"tokens": {"fish": 1}, "coins": (3,), "treasures": ("ruby-eye",)}
    lance = {"hired": 2, "docked": island, **cargo}
    cruise = back_in(at_sea({"tern": {}, "free-lance": lance}, PORT), "free-lance", island)
    assert f"what stays at {where}: 1 fish and 9 gold" in cruise.told()
    assert cruise.gold(0) == (29 if island == 100 else 20)
    assert cruise.island(102).coins == (() if island == 100 else (3, 6))


def test_hired_crew_serves_and_goes():
    """CSG-85: members of the hiring nation, until their ship comes home; then free for hire."""
    cruise = at_sea({"tern": {"docked": 102}}, PORT)
    cruise.act(Hire, TERN, "mercenary-explorer").act(Hire, TERN, "mercenary-oarsman")
    assert [h.rule for h in cruise.happenings] == ["CSG-85"]
    tern = cruise.ship("tern")
    assert tern.privateers == ("mercenary-explorer", "mercenary-oarsman")
    assert has(cruise.state, tern, "explorer")
    assert space(cruise.state, tern) == 2
    assert GAME.from_json(GAME.to_json(cruise.state)) == cruise.state
    about(cruise, "tern")
    assert cruise.ship("tern").crew == tern.crew
    home = at_sea({"tern": {"crew": tern.crew, "privateers": tern.privateers}}, PORT)
    home = back_in(home, "tern", 100)
    assert (home.ship("tern").crew, home.ship("tern").privateers) == ((), ())
    assert "did their service" in home.told()
    usual = at_sea({"tern": {"crew": ("mercenary-explorer",)}})
    assert not has(usual.state, usual.ship("tern"), "explorer")
    assert back_in(usual, "tern", 100).ship("tern").crew == ("mercenary-explorer",)


def test_of_two_alike_the_one_who_was_not_hired_in_a_port_stays_for_good():
    """CSG-85: the hired one leaves at the first dock, and nobody at the next."""
    two = {"crew": ("mercenary-explorer",) * 2, "privateers": ("mercenary-explorer",)}
    cruise = back_in(at_sea({"tern": {}, "bargain": {"docked": 100, **two}}), "bargain", 100)
    assert "Mercenary Explorer of Bargain did their service" in cruise.told()
    assert cruise.ship("bargain").crew == ("mercenary-explorer",)
    assert cruise.ship("bargain").privateers == ()
    again = back_in(cruise.end().end(), "bargain", 100)
    assert again.ship("bargain").crew == ("mercenary-explorer",)


def test_crew_of_the_hiring_nation_serves_on_a_privateer():
    """CSG-85, CSG-4: she is a member of that nation; other minor nations' crew is not."""
    crew = ("english-explorer", "viking-captain")
    for hired in (0, 2):
        cruise = at_sea({"tern": {}, "bargain": {"bow": (500, 300), "hired": hired, "crew": crew}})
        ship = cruise.ship("bargain")
        assert has(cruise.state, ship, "explorer") == bool(hired)
        assert not has(cruise.state, ship, "captain")


def test_privateers_may_be_hired_again():
    """CSG-85, CSG-33: the named among them, too."""
    lance = {"docked": 102, "hired": 2, "crew": ("the-stranger",), "privateers": ("the-stranger",)}
    cruise = at_sea({"grey-heron": {"docked": 102}, "free-lance": lance}, PORT)
    cruise = back_in(cruise, "free-lance", 102)
    assert cruise.state.gone == ()
    assert GAME.check(cruise.state, Hire(P[0], TAG["grey-heron"], "the-stranger"))
    assert GAME.check(cruise.state, BuyShip(P[0], "free-lance", 102))


def test_who_is_captured_is_hired_no_more():
    """CSG-85, CSG-4: whoever served aboard because of the hire alone leaves, or takes up space."""
    crew = ("english-oarsman", "mercenary-captain", "viking-oarsman")
    ship = {"hired": 2, "crew": crew, "privateers": crew[1:], "tokens": {"fish": 3}}
    cruise = at_sea({"tern": {}, "free-lance": ship | {"tokens": {"fish": 2}, "masts": 0}})
    state = captured(cruise.state, cruise.ship("free-lance"), 1)
    lost = ship_of(state, TAG["free-lance"])
    assert (lost.crew, lost.privateers, lost.hired) == (("mercenary-captain",), (), 0)
    assert CODEC.complaint(state) is None


def test_states_from_before_ships_kept_all_that_they_keep_now():
    """CSG-85, CSG-36, CSG-22: nobody hired in a port, nothing brought home yet, one pin at most."""
    rammer = TAG[SPARE[1]]
    cruise = at_sea({"tern": {"crew": ("english-captain",), "pinned_by": (rammer,)}})
    data = GAME.to_json(cruise.state)
    for ship in data["ships"]:
        assert ship.pop("privateers") == []
        assert ship.pop("is_prize") is False
        ship["pinned_by"] = rammer if ship["pinned_by"] else 0
        assert ship.pop("brought") == [0] * 6
    assert GAME.from_json(data) == cruise.state


def test_removing_marks():
    """CSG-54, CSG-6: others' encampments within S, and the resource if so chosen; not towns."""
    ships = {"santa-clara": {"docked": 102, "crew": ["brother-luis"]}, "tern": {"docked": 102}}
    islands = {
        102: {"resource": FISH, "camps": (0, 1)},
        103: {"building": "settlement", "owner": 1},
        104: {"resource": FISH, "camps": (1,)},
    }
    clara = TAG["santa-clara"]
    cruise = at_sea(ships, islands)
    assert cruise.refused(Unmark, TERN, 102, False) == "CSG-54"
    assert cruise.refused(Unmark, clara, 103, False) == "CSG-54"
    assert cruise.refused(Unmark, clara, 104, False) == "CSG-54"
    cruise.act(Unmark, clara, 102, True)
    assert (cruise.island(102).camps, cruise.island(102).resource) == ((0,), -1)
    assert cruise.refused(Unmark, clara, 102, False) == "CSG-54"
    cruise.act(Explore, TERN, 102).roll(6)
    assert cruise.island(102).resource == LUXURIES
    marks = at_sea(ships, islands).act(Unmark, clara, 102, False)
    assert marks.island(102).resource == FISH


def test_what_is_removed_from_an_island_is_told_as_it_was():
    """CSG-54: where nobody else has an encampment only what the island produced is taken."""
    luis = {"docked": 102, "crew": ["brother-luis"]}
    for camps, clears, what in (
        ((0,), True, "takes what it produced from"),
        ((0, 1), True, "takes the marks of others and what it produced from"),
        ((1,), False, "takes the marks of others from"),
    ):
        cruise = at_sea({"santa-clara": luis}, {102: {"resource": FISH, "camps": camps}})
        cruise.act(Unmark, TAG["santa-clara"], 102, clears)
        assert f"{what} Island 102" in cruise.told()


def test_treasures_of_a_derelict():
    """CSG-15, CSG-34: a unique treasure is cargo like any other."""
    cruise = at_sea(
        {
            "grey-heron": {"bow": (500, 250)},
            "corona": {"owner": 1, "bow": (500, 274), "masts": 0, "treasures": ("ruby-eye",)},
        }
    )
    cruise.act(Explore, TAG["grey-heron"], TAG["corona"]).act(TakeTreasure, "ruby-eye")
    assert cruise.ship("grey-heron").treasures == ("ruby-eye",)
