"""Moves on the open sea: templates, obstacles, docking, tows, pins."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.rules.layout import Pose, make_layout
from companion.rules.pirates_csg.actions import (
    CastOff,
    ComeAbout,
    EndTurn,
    Explore,
    Move,
    Ram,
    Repair,
    Shoot,
    Tow,
)
from companion.rules.pirates_csg.harbour_actions import Load, Unload
from companion.rules.pirates_csg.sailing import excess_mm, segments
from companion.rules.pirates_csg.state import find_ship, with_ship
from companion.rules.plane import toward, turned
from tests.unit.rules.pirates_csg.shipyard import FISH, GAME, TAG, Cruise, P, at_sea, tokens


def middle(cruise, name):
    pose = cruise.ship(name).pose
    return pose.x_mm, pose.y_mm


def ahead(cruise, name, mm, turn=0.0, *, heading=None):
    """Return the move of a ship so far in a direction off her bow."""
    pose = cruise.ship(name).pose
    way = pose.heading_deg + turn
    x, y = toward(middle(cruise, name), way, mm)
    return cruise.sail(name, x, y, way if heading is None else heading)


def test_a_ship_moves_her_template_and_not_more():
    """CSG-11, CSG-2: L is 86 mm and measured from tag to tag, with 6 mm of tolerance."""
    cruise = at_sea({"steadfast": {"bow": (500, 400)}})
    assert cruise.refusal(ahead(cruise, "steadfast", 93)) == "CSG-11"
    ruling = GAME.check(cruise.state, ahead(cruise, "steadfast", 99))
    assert "13 mm too far" in ruling.reason
    assert "moves L, 86 mm" in ruling.reason
    cruise.do(ahead(cruise, "steadfast", 91.5, -30))
    assert cruise.ship("steadfast").pose.heading_deg == 330
    assert cruise.ship("steadfast").done == ("move",)


def test_a_ship_may_stop_short():
    """CSG-12: any shorter move is allowed."""
    cruise = at_sea({"steadfast": {"bow": (500, 400)}})
    for mm in (10, 40, 70):
        assert GAME.check(cruise.state, ahead(cruise, "steadfast", mm, -60))


def test_the_millimetres_of_a_card_are_an_option():
    """CSG-2: the table measures its own cards."""
    cruise = at_sea({"steadfast": {"bow": (500, 400)}}, long_mm=100)
    cruise.do(ahead(cruise, "steadfast", 104))


def test_segments_in_any_order():
    """CSG-11: a ship of S+L turns after S or after L."""
    cruise = at_sea({"tern": {"bow": (500, 400)}})
    start = middle(cruise, "tern")
    for first, second in ((54, 86), (86, 54)):
        corner = toward(start, 0, first)
        end = toward(corner, 90, second)
        assert GAME.check(cruise.state, cruise.sail("tern", *end, 90, corner))
    corner = toward(start, 0, 86)
    far = cruise.sail("tern", *toward(corner, 90, 80), 90, corner)
    assert cruise.refusal(far) == "CSG-11"
    three = cruise.sail("tern", *toward(corner, 0, 30), 0, toward(start, 0, 30), corner)
    assert cruise.refusal(three) == "CSG-11"


@pytest.mark.parametrize(
    ("legs", "sides", "over"),
    [
        ((86.0,), (86,), 0),
        ((140.0,), (54, 86), 0),
        ((60.0, 80.0), (54, 86), 6),
        ((54.0, 140.0), (54, 54, 86), 0),
        ((54.0, 54.0, 54.0), (86, 54), None),
        ((0.0,), (54,), 0),
    ],
)
def test_how_legs_are_matched_with_segments(legs, sides, over):
    """CSG-11, CSG-12: each segment lies in one leg; the best way counts."""
    assert excess_mm(legs, sides) == over


def test_a_ship_lies_along_the_way_she_came():
    """CSG-11: direction changes between segments only, so not after the last."""
    cruise = at_sea({"steadfast": {"bow": (500, 400)}, "tern": {"bow": (500, 600)}})
    assert cruise.refusal(ahead(cruise, "steadfast", 80, 0, heading=60)) == "CSG-11"
    assert GAME.check(cruise.state, ahead(cruise, "steadfast", 80, 0, heading=15))
    # With a segment to spare she may turn at the end.
    assert GAME.check(cruise.state, ahead(cruise, "tern", 50, 0, heading=90))


def test_turns_may_be_limited():
    """CSG-11: the option of 90 degrees before each part."""
    cruise = at_sea({"steadfast": {"bow": (500, 400)}}, turn_limit=90)
    assert cruise.refusal(ahead(cruise, "steadfast", 60, 180)) == "CSG-11"
    assert GAME.check(cruise.state, ahead(cruise, "steadfast", 60, -90))


def test_no_way_is_offered_twice():
    """To the bow of an enemy who lies a hair off dead ahead, and dead ahead, are one to a hand."""
    foe = {"owner": 1, "bow": (800, 401.5), "heading": 180.0}
    cruise = at_sea({"steadfast": {"bow": (500, 400)}, "tern": foe})
    ways = sorted(move.pose.heading_deg for move in cruise.kinds(Move))
    assert [way for way in ways if way < 1 or way > 359] == [0]


def test_nothing_is_passed_through():
    """CSG-11: islands and ships are in the way; touching stops."""
    cruise = at_sea(
        {
            "tern": {"bow": (500, 400)},
            "steadfast": {"owner": 1, "bow": (560, 430), "heading": 90.0},
        }
    )
    through = ahead(cruise, "tern", 130)
    assert cruise.refusal(through) == "CSG-11"
    assert "pass through Steadfast" in GAME.check(cruise.state, through).reason
    into = ahead(cruise, "tern", 58)
    assert cruise.refusal(into) == "CSG-11"
    touching = ahead(cruise, "tern", 49)
    cruise.do(touching)


def test_a_path_leads_around():
    """CSG-11: what is seen is explained by a way around what stands between."""
    cruise = at_sea(
        {
            "tern": {"bow": (500, 380)},
            "steadfast": {"owner": 1, "bow": (520, 452), "heading": 90.0},
        }
    )
    seen = {TAG["tern"]: Pose(575.0, 400.0, 37.0)}
    (move,) = GAME.measured(cruise.state, seen)
    assert len(move.corners) == 1
    assert GAME.check(cruise.state, move)
    straight = Move(P[0], TAG["tern"], (), seen[TAG["tern"]])
    assert not GAME.check(cruise.state, straight)


def test_a_straight_move_is_measured():
    """CSG-11: from the old pose to the seen one; nothing moved, nothing measured."""
    cruise = at_sea({"steadfast": {"bow": (500, 400)}})
    move = ahead(cruise, "steadfast", 70, 25)
    assert GAME.measured(cruise.state, {TAG["steadfast"]: move.pose}) == (move,)
    assert GAME.measured(cruise.state, {TAG["steadfast"]: cruise.ship("steadfast").pose}) == ()
    far = ahead(cruise, "steadfast", 170)
    assert GAME.measured(cruise.state, {TAG["steadfast"]: far.pose}) == ()


def test_who_has_only_turned_at_the_end_is_told_so():
    """CSG-11: not that the way was too long, for it was not."""
    cruise = at_sea({"grey-heron": {"bow": (500, 400), "crew": ("english-helmsman",)}})
    along = ahead(cruise, "grey-heron", 130, 20)
    assert GAME.check(cruise.state, along)
    ruling = GAME.check(cruise.state, ahead(cruise, "grey-heron", 130, 20, heading=0))
    assert ruling.rule == "CSG-11"
    assert "not after the last. Lay her along the way she came." in ruling.reason


def test_the_table_hears_how_far_too_far():
    """CSG-11: the objection says the measured excess; a rival's ship is put back."""
    cruise = at_sea({"steadfast": {"bow": (500, 400)}, "corona": {"owner": 1, "bow": (800, 200)}})
    pieces = dict(GAME.layout(cruise.state).pieces)
    tag = TAG["steadfast"]

    def seen(tag, pose):
        return make_layout({}, (), {**pieces, tag: replace(pieces[tag], pose=pose)})

    ruling = GAME.objection(cruise.state, seen(tag, ahead(cruise, "steadfast", 101).pose))
    assert (ruling.rule, "15 mm too far" in ruling.reason) == ("CSG-11", True)
    rival = GAME.objection(cruise.state, seen(TAG["corona"], Pose(700, 300, 0)))
    assert "Blue's" in rival.reason
    island = GAME.objection(cruise.state, seen(103, Pose(10, 10, 0)))
    assert island.rule == "CSG-39"
    assert GAME.objection(cruise.state, GAME.layout(cruise.state)).rule == "CSG-9"


def test_coming_about():
    """CSG-13: instead of a move she turns on the spot."""
    cruise = at_sea({"steadfast": {"bow": (500, 400)}})
    pose = cruise.ship("steadfast").pose
    turned = Pose(pose.x_mm, pose.y_mm, 180)
    away = Pose(pose.x_mm + 20, pose.y_mm, 180)
    assert cruise.refused(ComeAbout, TAG["steadfast"], away) == "CSG-13"
    assert GAME.measured(cruise.state, {TAG["steadfast"]: turned}) == (
        ComeAbout(P[0], TAG["steadfast"], turned),
    )
    cruise.act(ComeAbout, TAG["steadfast"], turned)
    assert cruise.refusal(ahead(cruise, "steadfast", 50)) == "CSG-9"


def test_touching_an_island_docks():
    """CSG-14: a ship that ends her move touching an island is docked there; leaving undocks."""
    cruise = at_sea({"tern": {"docked": 102}})
    pose = cruise.ship("tern").pose
    out = toward((pose.x_mm, pose.y_mm), pose.heading_deg + 180, 70)
    cruise.do(cruise.sail("tern", *out, pose.heading_deg + 180))
    assert cruise.ship("tern").docked == 0
    cruise.end().end()
    cruise.do(cruise.sail("tern", pose.x_mm, pose.y_mm, pose.heading_deg))
    assert cruise.ship("tern").docked == 102
    assert "docks at Island 102" in cruise.told()


def test_the_sea_has_an_edge():
    """CSG-39: nobody sails off the table."""
    cruise = at_sea({"tern": {"bow": (650, 20), "heading": 270.0}})
    assert cruise.refusal(ahead(cruise, "tern", 60)) == "CSG-39"


def test_one_action_a_ship():
    """CSG-9, CSG-10: a second action is refused; every ship has her own."""
    cruise = at_sea({"tern": {"docked": 102}, "steadfast": {"bow": (500, 400)}})
    cruise.act(Explore, TAG["tern"], 102).roll(1)
    cruise.do(cruise.legal()[-1])
    assert cruise.refusal(ahead(cruise, "tern", 50, 180)) == "CSG-9"
    cruise.do(ahead(cruise, "steadfast", 50))


def test_a_derelict_does_not_sail_unless_oars_move_her():
    """CSG-19, CSG-5, CSG-77: an oarsman moves a derelict S."""
    cruise = at_sea({"steadfast": {"bow": (500, 400), "masts": 0}})
    assert cruise.refusal(ahead(cruise, "steadfast", 20)) == "CSG-19"
    cruise = at_sea({"steadfast": {"bow": (500, 400), "masts": 0, "crew": ["english-oarsman"]}})
    assert segments(cruise.state, cruise.ship("steadfast")) == ("S",)
    cruise.do(ahead(cruise, "steadfast", 54))


def test_t18_steamship():
    """T18, CSG-75, CSG-76, CSG-77: S without masts; L+S with all; oars add nothing."""
    cruise = at_sea({"hercules": {"bow": (500, 400), "masts": 0}})
    assert segments(cruise.state, cruise.ship("hercules")) == ("S",)

    def change(data):
        data["ship"][TAG["hercules"] - 10]["move"] = "L"

    from tests.unit.rules.pirates_csg.shipyard import house

    cruise = at_sea({"hercules": {"bow": (500, 400)}}, deck=house(change))
    assert segments(cruise.state, cruise.ship("hercules")) == ("L", "S")
    cruise = at_sea({"hercules": {"bow": (500, 400), "masts": 2}}, deck=house(change))
    assert segments(cruise.state, cruise.ship("hercules")) == ("L",)


def test_helmsman_clipper_and_gunboat():
    """CSG-5, CSG-73, CSG-74: +S each; a gunboat never sails farther than printed."""
    cruise = at_sea(
        {
            "grey-heron": {"bow": (400, 400), "crew": ["english-helmsman"]},
            "gaviota": {"bow": (600, 400), "tokens": {"fish": 1}},
            "widowmaker": {"bow": (800, 400), "crew": ["pirate-helmsman"]},
        }
    )

    def moves(name):
        return segments(cruise.state, cruise.ship(name))

    assert moves("grey-heron") == ("L", "S")
    assert moves("gaviota") == ("S", "S", "S")
    assert moves("widowmaker") == ("L",)
    empty = at_sea({"gaviota": {"bow": (600, 400)}})
    assert segments(empty.state, empty.ship("gaviota")) == ("S", "S")


def test_crew_of_another_nation_does_not_help():
    """CSG-4: abilities work under their own flag only, unless a card says otherwise."""
    cruise = at_sea({"grey-heron": {"bow": (400, 400), "crew": ["french-helmsman"]}})
    assert segments(cruise.state, cruise.ship("grey-heron")) == ("L",)


def test_the_page_of_a_ship_says_what_she_can_do_now():
    """CSG-5, CSG-19: with who serves aboard, not what is printed alone."""
    ships = {
        "grey-heron": {"bow": (500, 400), "crew": ["english-helmsman"]},
        "steadfast": {"bow": (500, 520), "masts": 0, "crew": ["english-musketeer"]},
        "tern": {"bow": (500, 250)},
    }
    pages = {sheet.title: sheet.lines for sheet in GAME.view(at_sea(ships).state, None).sheets}
    assert pages["Grey Heron"][0] == "Moves L+S; L is printed on her card"
    assert pages["Steadfast"][:3] == (
        "Cannot move; L is printed on her card",
        "Cannons: 3S",
        "Derelict: a further hit sinks her",
    )
    assert pages["Tern"][0] == "Moves S+L"


def test_a_captain_moves_and_shoots():
    """CSG-5, CSG-9: with one action; without a captain it is one or the other."""
    ships = {
        "steadfast": {"bow": (500, 400), "crew": ["english-captain"]},
        "grey-heron": {"bow": (500, 520)},
        "corona": {"owner": 1, "bow": (620, 450), "heading": 90.0},
    }
    cruise = at_sea(ships)
    cruise.do(ahead(cruise, "steadfast", 60)).do(ahead(cruise, "grey-heron", 60))
    assert GAME.check(cruise.state, Shoot(P[0], TAG["steadfast"], 0, TAG["corona"]))
    assert cruise.refused(Shoot, TAG["grey-heron"], 0, TAG["corona"]) == "CSG-9"
    assert "Red: Steadfast may still act; then" in GAME.pending(cruise.state).text
    todo = {sheet.tag: sheet.todo for sheet in GAME.view(cruise.state, P[0]).sheets}
    assert (todo[TAG["steadfast"]], todo[TAG["grey-heron"]]) == (("still shoot",), ())


def test_a_tow():
    """CSG-25: at speed S, the derelict beside her; brought home it is the tower's."""
    cruise = at_sea(
        {
            "tern": {"docked": 102},
            "corona": {"owner": 1, "masts": 0, "bow": (300, 450), "heading": 180.0},
            "grey-heron": {"bow": (245, 430), "heading": 180.0},
        }
    )
    assert cruise.refused(Tow, TAG["tern"], TAG["corona"]) == "CSG-25"
    # The home island lies at the left end; she is towed there stern to bow.
    home = cruise.island(100)
    from companion.rules.pirates_csg.manoeuvres import berths
    from companion.rules.pirates_csg.sea import pose_with_bow
    from companion.rules.pirates_csg.state import with_ship
    from tests.unit.rules.pirates_csg.shipyard import Cruise

    state = cruise.state
    berth = next(p for p in berths(state, TAG["grey-heron"], 100) if p.heading_deg == 180)
    start = Pose(berth.x_mm + 50, berth.y_mm, 180.0)
    state = with_ship(state, replace(cruise.ship("grey-heron"), pose=start))
    card = state.deck.ship["corona"]
    behind = pose_with_bow(card, (start.x_mm + 28, start.y_mm), 180)
    cruise = Cruise(with_ship(state, replace(cruise.ship("corona"), pose=behind)))
    cruise.act(Tow, TAG["grey-heron"], TAG["corona"])
    assert segments(cruise.state, cruise.ship("grey-heron")) == ("S",)
    assert cruise.refused(Tow, TAG["grey-heron"], TAG["corona"]) == "CSG-25"
    alone = Move(P[0], TAG["grey-heron"], (), berth)
    assert cruise.refusal(alone) == "CSG-25"
    left = replace(alone, tow=behind)
    assert cruise.refusal(left) == "CSG-25"
    brought = replace(alone, tow=pose_with_bow(card, (berth.x_mm + 28, berth.y_mm), 180))
    cruise.do(brought)
    assert cruise.ship("corona").owner == 0
    assert cruise.ship("corona").docked == home.tag
    assert "brought in" in cruise.told()


@pytest.mark.parametrize("owner", [0, 1])
def test_the_table_hears_of_the_tower_and_not_of_her_tow(owner):
    """CSG-25, CSG-11: a move that is too long is not blamed on the derelict she takes along."""
    cruise = at_sea(
        {
            "tern": {"owner": owner, "bow": (345, 300), "masts": 0},
            "mouette": {"bow": (400, 300)},
            "grey-heron": {"owner": 1},
        }
    )
    assert TAG["tern"] < TAG["mouette"]
    cruise.act(Tow, TAG["mouette"], TAG["tern"])
    pieces = dict(GAME.layout(cruise.state).pieces)
    for tag in (TAG["mouette"], TAG["tern"]):
        pose = pieces[tag].pose
        moved = Pose(pose.x_mm + 90, pose.y_mm, pose.heading_deg)
        pieces[tag] = replace(pieces[tag], pose=moved)
    ruling = GAME.objection(cruise.state, make_layout({}, (), pieces))
    assert (ruling.rule, ruling.reason[:16]) == ("CSG-11", "36 mm too far: M")


def test_casting_off():
    """CSG-25: the tow may be let go."""
    cruise = at_sea(
        {
            "tern": {"bow": (500, 400)},
            "corona": {"owner": 1, "masts": 0, "bow": (592, 400)},
        }
    )
    assert cruise.refused(CastOff, TAG["tern"]) == "CSG-25"
    cruise.act(Tow, TAG["tern"], TAG["corona"])
    cruise.act(CastOff, TAG["tern"])
    assert cruise.ship("tern").towing == 0


def towed_home(**prize):
    """Return the game after a derelict was towed to the first captain's home."""
    for x in range(90, 200, 6):
        tow = {"bow": (x + 56, 450), "heading": 180.0, "masts": 0, **prize}
        tern = {"bow": (x, 450), "heading": 180.0, "towing": TAG["bargain"]}
        cruise = at_sea({"tern": tern, "bargain": tow})
        for move in cruise.kinds(Move):
            after = Cruise(cruise.state).do(move)
            if after.ship("tern").docked == 100:
                return after
    raise AssertionError


def test_an_own_derelict_brought_home_is_repaired_at_once():
    """CSG-25, CSG-9, CSG-26: she is not new, so she has her action."""
    cruise = towed_home()
    assert cruise.ship("bargain").docked == 100
    assert "brought in" not in cruise.told()
    cruise.act(Repair, TAG["bargain"], 0)
    assert not cruise.ship("bargain").is_derelict


def test_the_log_says_that_a_repair_ends_a_tow():
    """CSG-25: "The tow ends when they part or a mast of the derelict is repaired"."""
    rat = {"bow": (446, 300), "masts": 0, "crew": ("pirate-shipwright",)}
    cruise = at_sea({"tern": {"bow": (500, 300), "towing": TAG["rat"]}, "rat": rat})
    cruise.act(Repair, TAG["rat"], 0)
    assert cruise.ship("tern").towing == 0
    assert "Bilge Rat is in tow no more" in cruise.told()


def test_what_is_towed_home_is_brought_in_once():
    """CSG-36, CSG-25: not stored tokens that a derelict loads and that stay at home with her."""
    cruise = towed_home(tokens={"fish": 1})
    assert cruise.ship("bargain").brought == tokens(fish=1)
    cruise.act(Unload, TAG["bargain"], FISH, 1).end().end()
    cruise.act(Load, TAG["bargain"], FISH, 1).act(Tow, TAG["tern"], TAG["bargain"])
    poses = [cruise.ship(name).pose for name in ("tern", "bargain")]
    beside, astern = (replace(pose, x_mm=pose.x_mm + 3) for pose in poses)
    cruise.do(Move(P[0], TAG["tern"], (), beside, astern))
    assert (cruise.ship("bargain").docked, cruise.ship("bargain").brought) == (100, tokens())


@pytest.mark.parametrize(
    ("building", "port", "prize", "docked"),
    [("military", 0, 0, 102), ("military", 1, 0, 0), ("trading", 0, 0, 0), ("military", 0, 1, 0)],
)
def test_a_derelict_is_towed_to_a_military_port(building, port, prize, docked):
    """CSG-71, CSG-25, CSG-26: an own one to an own port, to be repaired there as at home."""
    cruise = at_sea(
        {
            "tern": {"bow": (560, 300), "heading": 180.0, "towing": TAG["grey-heron"]},
            "grey-heron": {"owner": prize, "bow": (614, 300), "heading": 180.0, "masts": 0},
            "mouette": {"owner": 1},
        },
        {102: {"pose": Pose(490, 300, 0), "building": building, "owner": port}},
    )
    heron = cruise.ship("grey-heron")
    x, tow = cruise.ship("tern").pose.x_mm - 22, heron.pose
    in_port = Pose(x, 300, 180)
    cruise.act(Move, TAG["tern"], (), in_port, replace(tow, x_mm=tow.x_mm - 22))
    assert cruise.ship("tern").docked == 102
    assert (cruise.ship("grey-heron").docked, cruise.ship("grey-heron").owner) == (docked, prize)
    assert (cruise.ship("tern").towing == 0) == bool(docked)
    assert bool(GAME.check(cruise.state, Repair(P[0], heron.tag, 0))) == bool(docked)


def test_a_privateer_towed_home_is_home():
    """CSG-85, CSG-25: her service ends there; she does not become her captain's for good."""
    cruise = towed_home(hired=2)
    assert find_ship(cruise.state, TAG["bargain"]) is None
    assert (cruise.ship("tern").towing, cruise.state.gone) == (0, ())
    assert "has done her service" in cruise.told()


def test_a_prize_brought_home_is_new():
    """CSG-25, CSG-58: an enemy's derelict gets no action on this turn."""
    cruise = towed_home(owner=1)
    assert cruise.ship("bargain").owner == 0
    assert cruise.refused(Repair, TAG["bargain"], 0) == "CSG-58"


def test_a_tow_that_rows_off_is_in_tow_no_more():
    """CSG-25: the derelict must touch the ship; one with oarsmen moves S on her own."""
    wreck = {"owner": 1, "masts": 0, "bow": (556, 300), "heading": 180.0}
    cruise = at_sea(
        {
            "tern": {"bow": (500, 300), "heading": 180.0},
            "steadfast": wreck | {"crew": ("english-oarsman",)},
        }
    )
    cruise.act(Tow, TAG["tern"], TAG["steadfast"]).act(EndTurn)
    cruise.do(ahead(cruise, "steadfast", 54, 180))
    assert cruise.ship("tern").towing == 0
    assert "in tow no more" in cruise.told()


def test_a_ship_that_comes_about_may_lose_her_tow():
    """CSG-25, CSG-13: as long as they touch it holds."""
    ships = {
        "tern": {"bow": (500, 300), "heading": 180.0, "towing": TAG["steadfast"]},
        "steadfast": {"owner": 1, "masts": 0, "bow": (556, 300), "heading": 180.0},
    }
    for turn, towing in ((8, TAG["steadfast"]), (90, 0)):
        cruise = at_sea(ships)
        pose = cruise.ship("tern").pose
        cruise.act(ComeAbout, TAG["tern"], turned(pose, turn).rounded())
        assert cruise.ship("tern").towing == towing


def test_who_turns_away_from_her_tow_brings_nobody_home():
    """CSG-25, CSG-13: a derelict off her stern is no prize of whom it does not touch any more."""
    ships = {"hercules": {}, "tern": {"owner": 1, "bow": (183, 450), "heading": 180.0, "masts": 0}}
    for turn, owner in ((0, 0), (180, 0), (150, 1)):
        cruise = at_sea(ships).act(Tow, TAG["hercules"], TAG["tern"])
        pose = cruise.ship("hercules").pose
        cruise.act(ComeAbout, TAG["hercules"], turned(pose, turn).rounded())
        assert (cruise.ship("hercules").docked, cruise.ship("hercules").towing) == (100, 0)
        assert cruise.ship("tern").owner == owner
        assert ("in tow no more" in cruise.told()) == bool(owner)


def ramming(**options):
    """Return a rammer whose bow touches, after her move."""
    cruise = at_sea(
        {
            "steadfast": {"bow": (500, 400)},
            "corona": {"owner": 1, "bow": (570, 440), "heading": 90.0, "masts": 3},
        },
        **options,
    )
    return cruise.do(ahead(cruise, "steadfast", 57))


def test_ramming():
    """CSG-21, CSG-79: more than the target's masts takes one; once, and after a move."""
    still = at_sea(
        {
            "steadfast": {"bow": (500, 400)},
            "corona": {"owner": 1, "bow": (516, 440), "heading": 90.0},
        }
    )
    assert still.refused(Ram, TAG["steadfast"], TAG["corona"]) == "CSG-21"
    cruise = ramming().act(Ram, TAG["steadfast"], TAG["corona"])
    assert len(cruise.roll(3).ship("corona").masts) == 3
    assert cruise.refused(Ram, TAG["steadfast"], TAG["corona"]) == "CSG-21"
    cruise = ramming().act(Ram, TAG["steadfast"], TAG["corona"]).roll(4)
    assert cruise.asked() == "lose_mast"
    cruise.do(cruise.legal()[0])
    assert len(cruise.ship("corona").masts) == 2
    assert ramming(ramming="off").refused(Ram, TAG["steadfast"], TAG["corona"]) == "CSG-21"


@pytest.mark.parametrize(
    ("done", "why"),
    [
        ((), "has not moved this turn"),
        (("move", "ram"), "has rammed this turn"),
        (("board", "move"), "has boarded this turn"),
    ],
)
def test_who_may_not_ram_hears_one_reason(done, why):
    """CSG-21: after a move, once a turn, before she boards; what stands against it is told."""
    cruise = ramming()
    cruise.state = with_ship(cruise.state, replace(cruise.ship("steadfast"), done=done))
    ruling = GAME.check(cruise.state, Ram(P[0], TAG["steadfast"], TAG["corona"]))
    assert (ruling.rule, why in ruling.reason) == ("CSG-21", True)


def test_a_derelict_does_not_ram():
    """CSG-19, CSG-75: one that steams may touch another, as she may not board it."""
    cruise = at_sea(
        {
            "hercules": {"bow": (500, 300), "masts": 0, "done": ("move",)},
            "gaviota": {"owner": 1, "bow": (563, 300)},
        }
    )
    assert cruise.refused(Ram, TAG["hercules"], TAG["gaviota"]) == "CSG-19"


def test_pinning():
    """CSG-22: a rammed ship cannot move while the bow touches her; an option."""
    cruise = ramming().act(Ram, TAG["steadfast"], TAG["corona"]).roll(1).act(EndTurn)
    away = ahead(cruise, "corona", 50)
    assert cruise.refusal(away) == "CSG-22"
    # Once the bow has left her she is free, even where it comes back without a ram.
    bow_on = cruise.ship("steadfast").pose
    cruise.act(EndTurn).do(ahead(cruise, "steadfast", 60, 180))
    assert not cruise.ship("corona").pinned_by
    cruise.act(EndTurn).act(EndTurn)
    cruise.do(cruise.sail("steadfast", bow_on.x_mm, bow_on.y_mm, bow_on.heading_deg)).act(EndTurn)
    assert GAME.check(cruise.state, away)
    free = ramming(pinning=False).act(Ram, TAG["steadfast"], TAG["corona"]).roll(1).act(EndTurn)
    assert GAME.check(free.state, ahead(free, "corona", 50))


def test_two_ships_pin_one():
    """CSG-22: who was rammed twice is held until the last of the bows has left her."""
    ships = {
        "corona": {"owner": 1, "bow": (700, 400)},
        "midnight": {"bow": (660, 419), "heading": 270.0, "done": ("move",)},
        "black-gull": {"bow": (640, 381), "heading": 90.0, "done": ("move",)},
    }
    for first, second in (("midnight", "black-gull"), ("black-gull", "midnight")):
        cruise = at_sea(ships)
        for name in (first, second):
            cruise.act(Ram, TAG[name], TAG["corona"]).roll(1)
        cruise.end()
        ruling = GAME.check(cruise.state, ahead(cruise, "corona", 50))
        assert (ruling.rule, "Black Gull and Midnight" in ruling.reason) == ("CSG-22", True)
        cruise.end().do(ahead(cruise, second, 60, 180)).end()
        assert cruise.refusal(ahead(cruise, "corona", 50)) == "CSG-22"
        cruise.end().do(ahead(cruise, first, 60, 180)).end()
        assert GAME.check(cruise.state, ahead(cruise, "corona", 50))


def test_nobody_is_said_to_be_pinned_without_pins():
    """CSG-22: where the table plays without, a ram leaves nothing to be told of."""
    for pinning in (True, False):
        cruise = ramming(pinning=pinning).act(Ram, TAG["steadfast"], TAG["corona"])
        (sheet,) = [s for s in GAME.view(cruise.state, None).sheets if "Corona" in s.title]
        assert any("Pinned by Steadfast" in line for line in sheet.lines) == pinning
