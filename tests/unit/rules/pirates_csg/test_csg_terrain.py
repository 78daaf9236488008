"""Reefs, fog, sargasso, icebergs and whirlpools: what meets them, and what they hide."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.rules.layout import Pose
from companion.rules.outlines import gap, overlap
from companion.rules.pirates_csg.actions import (
    ComeAbout,
    LeaveFog,
    LoseMast,
    Move,
    Place,
    Scuttle,
    Shoot,
    Surrender,
    Unmark,
)
from companion.rules.pirates_csg.codec import CODEC
from companion.rules.pirates_csg.harbour_actions import BuyShip
from companion.rules.pirates_csg.sailing import segments
from companion.rules.pirates_csg.sea import beam_mm, hull, hull_at, patch, pose_with_bow
from companion.rules.pirates_csg.stages import RollingDrift
from companion.rules.pirates_csg.state import card_of, with_ship
from companion.rules.pirates_csg.terrain import WAYS
from companion.rules.pirates_csg.terrain_data import FOG, ICEBERG, REEF, SARGASSO, WHIRLPOOL
from companion.rules.plane import toward
from companion.table.sentences import done_text
from tests.unit.rules.pirates_csg.shipyard import GAME, TAG, Cruise, P, at_sea

KINDS = (REEF, FOG, SARGASSO, ICEBERG, WHIRLPOOL)


def laid(cruise, *pieces):
    """Return the game with these pieces of terrain alone: kind, x, y, heading."""
    left, found = list(cruise.state.terrain), []
    for kind, *pose in pieces:
        piece = next(t for t in left if t.kind == kind)
        left.remove(piece)
        found.append(replace(piece, pose=Pose(*map(float, pose))))
    return Cruise(cruise.state._replace(terrain=tuple(sorted(found, key=lambda t: t.tag))))


def ahead(cruise, name, mm, heading=0.0):
    """Return the move of a ship straight ahead along x."""
    pose = cruise.ship(name).pose
    return cruise.sail(name, pose.x_mm + mm, pose.y_mm, heading)


def among(kind, mm=70, **values):
    """Return a ship beside a piece of terrain, and the move that meets it."""
    cruise = at_sea({"steadfast": {"bow": (415, 350), **values}}, terrain=True)
    other = [(WHIRLPOOL, 900, 350, 0)] if kind == WHIRLPOOL else []
    cruise = laid(cruise, (kind, 500, 350, 0), *other)
    return cruise, ahead(cruise, "steadfast", mm)


def test_reefs():
    """CSG-27: on contact a die: 1-2 two masts, 3-4 one, 5-6 none."""
    for face, left in ((2, 1), (4, 2), (5, 3)):
        cruise, move = among(REEF)
        cruise.do(move)
        assert cruise.asked() == "roll_reef"
        said = GAME.pending(cruise.state).text
        assert said == "Red: roll for the reef, 1 or 2 costs two masts, 3 or 4 one"
        cruise.roll(face)
        while cruise.asked() == "lose_mast":
            cruise.do(cruise.legal()[0])
        assert len(cruise.ship("steadfast").masts) == left


def test_fog():
    """CSG-27: she is lost, and comes out by one of six exits before her next move."""
    cruise, move = among(FOG)
    cruise.do(move)
    assert cruise.ship("steadfast").lost_in == cruise.state.terrain[0].tag
    assert TAG["steadfast"] not in GAME.layout(cruise.state).pieces
    cruise.end().end()
    assert cruise.refusal(cruise.sail("steadfast", 300, 300, 0)) == "CSG-27"
    cruise.act(LeaveFog, TAG["steadfast"])
    assert GAME.pending(cruise.state).text.endswith("leaves the fog: " + WAYS)
    cruise.roll(4)
    assert TAG["steadfast"] not in GAME.layout(cruise.state).pieces
    ship = cruise.settle().ship("steadfast")
    assert ship.pose.heading_deg == 180
    ship = cruise.ship("steadfast")
    assert (ship.lost_in, ship.done) == (0, ())
    assert cruise.refused(LeaveFog, TAG["steadfast"]) == "CSG-27"


def test_who_is_lost_in_fog_can_do_nothing_there():
    """CSG-27, CSG-24, CSG-75: a derelict that steamed into it is not scuttled either."""
    cruise = laid(at_sea({"hercules": {"masts": 0}}, terrain=True), (FOG, 500, 350, 0))
    fog = cruise.state.terrain[0].tag
    lost = replace(cruise.ship("hercules"), lost_in=fog, docked=0)
    cruise.state = with_ship(cruise.state, lost)
    assert cruise.refused(Scuttle, TAG["hercules"]) == "CSG-27"
    assert not cruise.kinds(Scuttle)
    assert cruise.kinds(LeaveFog)


def test_who_has_sailed_into_fog_is_not_said_to_have_an_action_left():
    """CSG-27, CSG-5: not even a shot with a captain; a move is what takes her out of it."""
    cruise, move = among(FOG, crew=("english-captain",))
    assert "Steadfast may still act" in GAME.pending(cruise.state).text
    assert "no ship has an action left: end the turn" in GAME.pending(cruise.do(move).state).text
    assert "Steadfast may still act" in GAME.pending(cruise.end().end().state).text


def test_a_ship_that_is_lost_in_fog_keeps_her_sheet():
    """CSG-27: nothing lies on the table, so what she carries is to be seen on her sheet alone."""
    cruise, move = among(FOG, coins=(4,))
    view = GAME.view(cruise.do(move).end().end().state, P[0])
    (sheet,) = [sheet for sheet in view.sheets if sheet.title == "Steadfast"]
    assert {"Lost in the fog", "Cargo: 4 gold"} <= {*sheet.lines}
    assert sheet.todo == ("one action: move",)


def test_no_marks_are_taken_out_of_the_fog():
    """CSG-27, CSG-54: a ship that is lost is told that, and not how far the island is."""
    cruise, move = among(FOG, crew=("brother-luis",))
    cruise.do(move)
    assert cruise.refused(Unmark, TAG["steadfast"], 102, False) == "CSG-27"


def test_icebergs_and_whirlpools():
    """CSG-27, CSG-41: a mast; a mast and away to another whirlpool."""
    for kind in (ICEBERG, WHIRLPOOL):
        cruise, move = among(kind)
        cruise.do(move).do(cruise.legal()[0])
        assert len(cruise.ship("steadfast").masts) == 2
        assert cruise.ship("steadfast").pose == move.pose
        cruise.settle()
        assert (cruise.ship("steadfast").pose == move.pose) == (kind == ICEBERG)


def test_the_log_names_the_whirlpool_at_which_a_ship_is_thrown_out():
    """CSG-27: by its tag; she stays where she is if nothing is free around it."""
    cruise, move = among(WHIRLPOOL)
    there = cruise.state.terrain[1]
    assert f"thrown out at the whirlpool with tag {there.tag}" in cruise.do(move).told()
    cruise, move = among(WHIRLPOOL)
    nowhere = replace(there, pose=Pose(-500.0, -500.0, 0.0))
    cruise.state = cruise.state._replace(terrain=(cruise.state.terrain[0], nowhere))
    assert f"tag {there.tag} is free: Steadfast stays where" in cruise.do(move).told()


def test_icebergs_drift():
    """CSG-27: S in a random direction when a round ends."""
    cruise = at_sea({"steadfast": {}}, terrain=True)
    bergs = [t for t in cruise.state.terrain if t.kind == ICEBERG]
    cruise.end().end()
    for _ in bergs:
        assert cruise.asked() == "roll_drift"
        cruise.roll(4).settle()
    after = [t for t in cruise.state.terrain if t.kind == ICEBERG]
    moved = [b.pose.x_mm - a.pose.x_mm for a, b in zip(bergs, after, strict=True)]
    assert set(moved) <= {0.0, -54.0}
    assert cruise.asked() == "turn"


def test_an_iceberg_without_room_is_not_said_to_drift():
    """CSG-27: it stays where it lies, here beside an island, and the table is told so."""
    cruise = at_sea({"steadfast": {}}, terrain=True)
    home = cruise.island(100).pose
    cruise = laid(cruise, (ICEBERG, home.x_mm + 80, home.y_mm, 0), (ICEBERG, 700, 400, 0))
    before = cruise.end().end().state.terrain
    cruise.roll(4)
    assert cruise.told().endswith("has no room to drift and stays where it lies")
    assert cruise.state.terrain == before
    cruise.roll(4)
    assert cruise.told().endswith("drifts west")


def adrift():
    """Return a game in which two icebergs drift, the first one south-west."""
    cruise = laid(at_sea({}, terrain=True), (ICEBERG, 400, 400, 0), (ICEBERG, 700, 400, 0))
    return cruise.end().end().roll(3)


def put(tag, x, y, heading=0.0):
    return Place(P[0], tag, Pose(float(x), float(y), float(heading)))


def test_an_iceberg_is_put_where_it_drifts():
    """CSG-27: it lies where it lay until then, and about where the die says is near enough."""
    cruise = adrift()
    first, second = (t.tag for t in cruise.state.terrain)
    said = f"move the iceberg with tag {first} 54 mm (S) to the south-west"
    assert GAME.pending(cruise.state).text == f"Red: {said}"
    assert cruise.told() == f"The iceberg with tag {first} drifts south-west"
    assert cruise.state.terrain[0].pose.x_mm == 400
    assert GAME.from_json(GAME.to_json(cruise.state)) == cruise.state
    seen = put(first, 360, 440, 20)
    assert GAME.measured(cruise.state, {first: seen.pose}) == (seen,)
    assert GAME.measured(cruise.state, {first: Pose(400.0, 400.0, 0.0)}) == ()
    assert GAME.describe(cruise.state, seen) == (
        f"Red: move the iceberg with tag {first} 57 mm south-west"
    )
    other = GAME.check(cruise.state, put(second, 700, 400))
    assert other.reason == f"First {said}."
    cruise.do(seen)
    assert cruise.state.terrain[0].pose == seen.pose
    assert cruise.state.stage == RollingDrift((second,))
    assert cruise.roll(1).settle().asked() == "turn"


def test_an_iceberg_that_lies_elsewhere_is_to_be_moved_there():
    """CSG-27: the table says how far; "put it back" would be wrong of one that has drifted."""
    cruise = adrift()
    berg = cruise.state.terrain[0].tag
    assert _objection(cruise, berg, 454, 400) == (
        f"The iceberg with tag {berg} is to lie 94 mm farther south-west."
    )
    cruise.settle()
    assert _objection(cruise, berg, 400, 400) == (
        f"The iceberg with tag {berg} is to lie 54 mm farther south-west."
    )
    home = cruise.island(100).pose
    turned = _objection(cruise, 100, home.x_mm, home.y_mm, 15.0)
    assert turned == "Red's home island has been turned: turn it back."


def _objection(cruise, tag, x, y, heading=0.0):
    """Return what is said of a table on which one piece lies elsewhere."""
    layout = GAME.layout(cruise.state)
    moved = replace(layout.pieces[tag], pose=Pose(float(x), float(y), heading))
    return GAME.objection(
        cruise.state, replace(layout, pieces={**layout.pieces, tag: moved})
    ).reason


def test_no_iceberg_is_put_into_anything():
    """CSG-27: what it touches it may overlap by the tolerance."""
    cruise = adrift()
    berg = cruise.state.terrain[0].tag
    land = replace(cruise.island(102), pose=Pose(300.0, 500.0, 0.0))
    cruise.state = cruise.state._replace(
        islands=tuple(land if i.tag == 102 else i for i in cruise.state.islands)
    )
    assert GAME.check(cruise.state, cruise.legal()[0])
    into = GAME.check(cruise.state, put(berg, 355, 465))
    assert into.reason == f"The iceberg with tag {berg} would lie in Island 102."


def test_a_ship_is_put_where_a_whirlpool_throws_her_out():
    """CSG-27: till then she lies where she was sailed to; from there on as after any move."""
    cruise, move = among(WHIRLPOOL)
    other = cruise.state.terrain[1].tag
    steadfast = TAG["steadfast"]
    cruise.do(move)
    assert cruise.asked() == "lose_mast"
    cruise.act(LoseMast, steadfast, 0)
    assert GAME.pending(cruise.state).text == (
        f"Red: put Steadfast out at the whirlpool with tag {other}: "
        "stern 60 mm from the tag, bow east"
    )
    assert cruise.ship("steadfast").pose == move.pose
    assert CODEC.complaint(cruise.state) is None
    assert GAME.from_json(GAME.to_json(cruise.state)) == cruise.state
    exact = cruise.legal()[0].pose
    said = f"Red: put Steadfast out at the whirlpool with tag {other}, bow east"
    assert done_text(GAME, cruise.state, cruise.legal()[0]) == said, "not 480 mm north-west"
    turned = GAME.check(cruise.state, put(steadfast, exact.x_mm, exact.y_mm, 40))
    assert turned.reason == "Steadfast is to lie with her bow east."
    far = GAME.check(cruise.state, put(steadfast, exact.x_mm + 40, exact.y_mm))
    assert far.reason == "Steadfast is to lie 40 mm farther west."
    shore = Pose(exact.x_mm + 40 + 48, exact.y_mm, 0.0)
    land = replace(cruise.island(102), pose=shore)
    cruise.state = cruise.state._replace(
        islands=tuple(land if i.tag == 102 else i for i in cruise.state.islands)
    )
    cruise.act(Place, steadfast, exact)
    assert (cruise.ship("steadfast").docked, cruise.asked()) == (102, "turn")


def test_a_derelict_that_a_whirlpool_sinks_is_put_nowhere():
    """CSG-19, CSG-20, CSG-27: a steamship without masts; another ship keeps her captain in."""
    cruise = at_sea({"hercules": {"bow": (415, 350), "masts": 0}, "tern": {}}, terrain=True)
    cruise = laid(cruise, (WHIRLPOOL, 500, 350, 0), (WHIRLPOOL, 900, 350, 0))
    cruise.do(ahead(cruise, "hercules", 54))
    assert "sinks" in cruise.told()
    assert "thrown out" not in cruise.told()
    assert cruise.asked() == "turn"


@pytest.mark.parametrize("gives_up", [0, 1])
def test_an_iceberg_is_put_though_somebody_surrenders(gives_up):
    """CSG-27, CSG-89: no turn has begun yet; the next in order moves it."""
    fleets = {"tern": {}, "rat": {"owner": 1}, "mouette": {"owner": 2}}
    cruise = at_sea(fleets, gold=(5, 5, 5), terrain=True)
    cruise = laid(cruise, (ICEBERG, 400, 400, 0)).end().end().end().roll(3)
    stage = cruise.state.stage
    cruise.do(Surrender(P[gives_up]))
    assert (cruise.state.stage, cruise.player) == (stage, 1 - gives_up)
    assert CODEC.complaint(cruise.state) is None
    assert cruise.settle().asked() == "turn"


def test_a_ship_that_was_thrown_out_goes_with_who_surrenders():
    """CSG-27, CSG-89: then nothing is to be put anywhere."""
    fleets = {"rat": {"owner": 1}, "mouette": {"owner": 2}}
    cruise = at_sea({"tern": {"bow": (415, 350)}, **fleets}, gold=(5, 5, 5), terrain=True)
    cruise = laid(cruise, (WHIRLPOOL, 500, 350, 0), (WHIRLPOOL, 900, 350, 0))
    cruise.do(ahead(cruise, "tern", 60))
    assert cruise.asked() == "set"
    cruise.do(Surrender(P[0]))
    assert (cruise.asked(), cruise.player) == ("turn", 1)


def test_no_ship_is_bought_into_an_iceberg():
    """CSG-58, CSG-27: where one has drifted there is no berth."""
    cruise = at_sea({"steadfast": {"bow": (600, 300)}}, terrain=True)
    home = cruise.island(100).pose
    cruise = laid(cruise, (ICEBERG, home.x_mm + 80, home.y_mm, 0))
    cruise.act(BuyShip, "tern", 100)
    berg, tern = patch(cruise.state.terrain[0]), cruise.state.deck.ship["tern"]
    berth = pose_with_bow(tern, (home.x_mm + 48, home.y_mm), 180)
    ruling = GAME.check(cruise.state, Place(P[0], TAG["tern"], berth))
    assert (ruling.rule, "would lie in the iceberg" in ruling.reason) == ("CSG-58", True)
    found = [hull_at(tern, place.pose) for place in cruise.kinds(Place)]
    assert [overlap(outline, berg) < 1 for outline in found] == [True] * 3


def test_the_log_names_the_exit_by_which_a_ship_comes_out_of_fog():
    """CSG-27: the next one that is free, if another ship lies at the one that was rolled."""
    for beside, told in ((0, "by exit 1"), (1, "by exit 2, 1 is not free")):
        cruise = at_sea({"steadfast": {"bow": (415, 350)}, "tern": {}}, terrain=True)
        cruise = laid(cruise, (FOG, 500, 350, 0))
        cruise.do(ahead(cruise, "steadfast", 70)).end().end()
        if beside:
            there = replace(cruise.ship("tern"), pose=Pose(590.0, 350.0, 90.0), docked=0)
            cruise.state = with_ship(cruise.state, there)
        cruise.act(LeaveFog, TAG["steadfast"]).roll(1)
        assert cruise.told().endswith(told)
        assert cruise.settle().ship("steadfast").pose.heading_deg == beside * 60


def test_a_ship_in_a_ring_of_others_leaves_the_fog_where_she_is():
    """CSG-27: without a free exit she is out of it all the same, by none of them."""
    cruise = laid(at_sea({"steadfast": {"bow": (415, 350)}}, terrain=True), (FOG, 500, 350, 0))
    lost = replace(cruise.ship("steadfast"), lost_in=cruise.state.terrain[0].tag)
    ring = [
        replace(island, pose=Pose(*toward((500, 350), 60 * number, 100), 0.0))
        for number, island in enumerate(cruise.state.islands)
    ]
    cruise.state = with_ship(cruise.state._replace(islands=tuple(ring)), lost)
    cruise.act(LeaveFog, TAG["steadfast"]).roll(1)
    assert cruise.told().startswith("No exit is free")
    assert (cruise.ship("steadfast").lost_in, cruise.ship("steadfast").pose) == (0, lost.pose)


def test_a_reef_does_not_cost_more_masts_than_there_are():
    """CSG-27, CSG-19: the log tells of what is lost; a derelict that rows has nothing to lose."""
    for masts, face, told in ((1, 1, "1 mast"), (0, 1, "0 masts"), (3, 6, "0 masts")):
        cruise, _ = among(REEF, masts=masts, crew=("english-oarsman",))
        cruise.do(ahead(cruise, "steadfast", 54))
        assert cruise.roll(face).told().startswith(f"The reef costs Steadfast {told}")


def test_sargasso_ends_a_move():
    """CSG-27: neither through it nor deeper in than the tolerance; moves on offer stop at it."""
    for y in (300, 330):
        cruise = laid(at_sea({"minnow": {"bow": (400, 300)}}, terrain=True), (SARGASSO, 460, y, 0))
        ruling = GAME.check(cruise.state, ahead(cruise, "minnow", 160))
        assert (ruling.rule, "stop where she touches it" in ruling.reason) == ("CSG-27", True)
    # Sides that only graze it are let pass, as they are by land; then she has not met it.
    cruise = at_sea({"minnow": {"bow": (400, 300)}}, terrain=True)
    cruise = laid(cruise, (SARGASSO, 460, 334, 0))
    assert "meets" not in cruise.do(ahead(cruise, "minnow", 160)).told()
    cruise, _ = among(SARGASSO)
    assert cruise.refusal(ahead(cruise, "steadfast", 70)) == "CSG-27"
    for mm in (56, 59, 64):
        assert GAME.check(cruise.state, ahead(cruise, "steadfast", mm))
    on_offer = [m for m in cruise.kinds(Move) if m.pose.heading_deg == 0]
    assert [m.pose.x_mm - cruise.ship("steadfast").pose.x_mm for m in on_offer] == [59.0]


def test_no_ship_turns_into_sargasso():
    """CSG-27, CSG-13: on the spot as on the way no deeper than the tolerance; then it holds her."""
    for y, rule in ((58, "CSG-27"), (62, "")):
        cruise = laid(at_sea({"corona": {"bow": (545, 300)}}, terrain=True), (SARGASSO, 500, 0, 0))
        weed = replace(cruise.state.terrain[0], pose=Pose(500.0, 300.0 + y, 0.0))
        cruise.state = cruise.state._replace(terrain=(weed,))
        about = ComeAbout(P[0], TAG["corona"], Pose(500.0, 300.0, 90.0))
        assert about not in cruise.kinds(ComeAbout)
        assert GAME.check(cruise.state, about).rule == rule
    assert cruise.do(about).ship("corona").is_mired


def test_sargasso_holds_until_she_is_out():
    """CSG-27: base move S, and then no longer than she touches it."""
    cruise, move = among(SARGASSO, 59, crew=["english-helmsman"])
    assert segments(cruise.state, cruise.ship("steadfast")) == ("L", "S")
    cruise.do(move)
    assert "meets sargasso weed" in cruise.told()
    # She sails on through it, S by S, and none of these moves meets it anew.
    for mired in (True, True, False):
        assert segments(cruise.state, cruise.ship("steadfast")) == ("S",)
        cruise.end().end()
        assert cruise.refusal(ahead(cruise, "steadfast", 61)) == "CSG-11"
        cruise.do(ahead(cruise, "steadfast", 54))
        assert "meets" not in cruise.told()
        assert cruise.ship("steadfast").is_mired == mired
    assert segments(cruise.state, cruise.ship("steadfast")) == ("L", "S")


def test_who_is_taken_out_of_sargasso_is_out():
    """CSG-27, CSG-25: by a whirlpool, or in tow."""
    cruise = at_sea({"steadfast": {"bow": (475, 350), "is_mired": True}}, terrain=True)
    pools = (WHIRLPOOL, 500, 310, 0), (WHIRLPOOL, 900, 350, 0)
    cruise = laid(cruise, (SARGASSO, 500, 360, 0), *pools)
    cruise.do(cruise.sail("steadfast", 450, 340, 315.0))
    assert "meets a whirlpool" in cruise.told()
    cruise.act(LoseMast, TAG["steadfast"], 0).settle()
    assert not cruise.ship("steadfast").is_mired
    tow = {"bow": (440, 350), "masts": 0, "is_mired": True}
    ships = {"tern": {"bow": (308, 350), "heading": 180.0, "towing": TAG["steadfast"]}}
    cruise = laid(at_sea({**ships, "steadfast": tow}, terrain=True), (SARGASSO, 460, 350, 0))
    move = next(m for m in cruise.kinds(Move) if m.pose.heading_deg == 180)
    assert gap(hull(cruise.state, cruise.ship("steadfast")), patch(cruise.state.terrain[0])) < 0
    assert not cruise.do(move).ship("steadfast").is_mired


@pytest.mark.parametrize(("kind", "masts"), [(FOG, 3), (WHIRLPOOL, 3), (ICEBERG, 1)])
def test_a_tow_that_ends_at_terrain_is_told_of(kind, masts):
    """CSG-25, CSG-27, CSG-19: in fog, by a whirlpool, or with the last mast."""
    tern = {"bow": (345, 350), "masts": 0}
    steadfast = {"bow": (415, 350), "masts": masts, "towing": TAG["tern"]}
    cruise = at_sea({"steadfast": steadfast, "tern": tern}, terrain=True)
    other = [(WHIRLPOOL, 900, 350, 0)] if kind == WHIRLPOOL else []
    cruise = laid(cruise, (kind, 500, 350, 0), *other)
    pose = cruise.ship("tern").pose
    to = ahead(cruise, "steadfast", 54).pose
    tow = replace(pose, x_mm=pose.x_mm + 54)
    cruise.do(Move(P[0], TAG["steadfast"], (), to, tow))
    if kind == WHIRLPOOL:
        cruise.act(LoseMast, TAG["steadfast"], 0).settle()
    assert "Tern is in tow no more" in cruise.told()
    assert cruise.ship("steadfast").towing == 0


@pytest.mark.parametrize("kind", [REEF, FOG, ICEBERG, WHIRLPOOL])
def test_the_hull_meets_what_it_scrapes_over(kind):
    """CSG-27: not the line of her tag alone; what is passed clear of her sides is not met."""
    for y, meets in ((330, True), (336, True), (338, False)):
        cruise = at_sea({"minnow": {"bow": (400, 300)}}, terrain=True)
        cruise = laid(cruise, (kind, 460, y, 0))
        cruise.do(ahead(cruise, "minnow", 160))
        assert ("meets" in cruise.told()) == meets, y


@pytest.mark.parametrize(
    ("beside", "told"),
    [
        (1.4, "Tern clears the reef 200 by 1 mm; measure it if you doubt"),
        (-1.4, "Tern touches the reef 200 by 1 mm; measure it if you doubt"),
        (4.0, ""),
        (-4.0, ""),
    ],
)
def test_a_reef_that_is_only_just_cleared_or_met_is_told(beside, told):
    """CSG-27: where a millimetre decides, people may measure."""
    cruise = at_sea({"tern": {"bow": (415, 350)}}, terrain=True)
    ship = cruise.ship("tern")
    wide = beam_mm(card_of(cruise.state, ship)) / 2
    cruise = laid(cruise, (REEF, ship.pose.x_mm + 70, ship.pose.y_mm + wide + 22 + beside, 0))
    cruise.do(ahead(cruise, "tern", 140))
    assert ("if you doubt" in cruise.told()) == bool(told)
    assert told in cruise.told()
    assert (cruise.asked() == "roll_reef") == (beside < 0)


def test_the_first_piece_that_is_met_counts():
    """CSG-27: in the order of the way, by her hull."""
    cruise = at_sea({"minnow": {"bow": (300, 300)}}, terrain=True)
    cruise = laid(cruise, (REEF, 420, 332, 0), (ICEBERG, 360, 268, 0))
    cruise.do(ahead(cruise, "minnow", 160))
    assert "meets an iceberg" in cruise.told()


def test_a_way_clear_of_terrain_is_taken_first():
    """CSG-27, CSG-11: a ship that may have gone round a reef is not put on it."""
    cruise = at_sea({"tern": {"bow": (300, 300), "crew": ["english-helmsman"]}}, terrain=True)
    pose = cruise.ship("tern").pose
    for kind, x, y, heading in ((REEF, 70, 324, 10.0), (SARGASSO, 60, 300, 20.0)):
        table = laid(cruise, (kind, pose.x_mm + x, y, 0))
        seen = {TAG["tern"]: Pose(pose.x_mm + 150, 300.0, heading)}
        (move,) = GAME.measured(table.state, seen)
        assert move.corners
        table.do(move)
        assert (table.asked(), "meets" in table.told()) == ("turn", False)
    # Where she cannot but have come upon it, the straight way is as good as any.
    table = laid(cruise, (REEF, pose.x_mm + 90, 300, 0))
    seen = {TAG["tern"]: Pose(pose.x_mm + 60, 300.0, 0.0)}
    assert [m.corners for m in GAME.measured(table.state, seen)] == [()]


def shots(*pieces, first="steadfast"):
    """Return the cannons that can be fired bow to bow, among some terrain."""
    ships = {
        first: {"bow": (500, 300)},
        "corona": {"owner": 1, "bow": (582, 300), "heading": 180.0},
    }
    cruise = laid(at_sea(ships, terrain=True), *pieces)
    return cruise, [a.cannon for a in cruise.kinds(Shoot) if a.target == TAG["corona"]]


@pytest.mark.parametrize("kind", KINDS)
def test_terrain_of_every_kind_blocks_a_line_of_fire(kind):
    """CSG-17: like islands and ships; who shoots past ships does not shoot past it."""
    assert shots()[1] == [2]
    cruise, found = shots((kind, 541, 300, 90))
    assert found == []
    assert cruise.refused(Shoot, TAG["steadfast"], 2, TAG["corona"]) == "CSG-17"
    assert shots(first="liberty-bell")[1] == [2]
    assert shots((kind, 541, 300, 90), first="liberty-bell")[1] == []
    assert shots((kind, 541, 345, 90))[1] == [2]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("x", [515, 567])
def test_terrain_that_a_ship_lies_in_does_not_hide_her(kind, x):
    """CSG-17: under the shooter or the target it is not between them; another piece is."""
    assert shots((kind, x, 300, 90))[1] == [2]
    if kind != SARGASSO:
        assert shots((SARGASSO, 541, 300, 90), (kind, x, 300, 90))[1] == []


def test_a_fort_does_not_shoot_through_an_iceberg():
    """CSG-17, CSG-28: the shore it stands on is no ship."""
    fort = {105: {"building": "fort", "owner": 0, "fort": "smugglers", "resource": 1}}
    cruise = at_sea({"tern": {}, "corona": {"owner": 1, "bow": (500, 300)}}, fort, terrain=True)
    shore = cruise.island(105).pose
    ship = replace(cruise.ship("corona"), pose=Pose(shore.x_mm + 140, shore.y_mm, 0.0))
    cruise = Cruise(with_ship(cruise.state, ship))
    assert [a for a in laid(cruise).kinds(Shoot) if a.ship == 105]
    hidden = laid(cruise, (ICEBERG, shore.x_mm + 72, shore.y_mm, 90))
    assert not [a for a in hidden.kinds(Shoot) if a.ship == 105]
    assert hidden.refusal(Shoot(P[0], 105, 0, TAG["corona"])) == "CSG-17"
    iceberg = hidden.state.terrain[-1].tag
    assert hidden.refusal(Shoot(P[0], 105, 0, iceberg)) == "CSG-16"
