"""Ramming, contact without damage, lashed ships, running aground."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.rules import outlines
from companion.rules.pirate_wars.actions import Board, Done, Drift, Sail, ShipDeed
from companion.rules.pirate_wars.built.ships import DOT_MM
from companion.rules.pirate_wars.pieces import ADRIFT
from companion.rules.pirate_wars.sailing.aground import grounding_damage, shortage
from companion.rules.pirate_wars.sailing.contact import ram_damage
from companion.rules.pirate_wars.sailing.courses import impact_deg, is_touching
from companion.rules.pirate_wars.sailing.drifting import due_drift
from companion.rules.pirate_wars.sailing.seamanship import under_way
from companion.rules.pirate_wars.sailing.waters import clear_mm
from companion.rules.pirate_wars.state import hull_of
from tests.unit.rules.pirate_wars.moves import ahead, turned
from tests.unit.rules.pirate_wars.squadron import (
    BARRACUDA,
    CLIPPER,
    FLAGSHIP,
    GAME,
    MAN_OF_WAR,
    REVISED,
    RUNNER,
    SCHOONER,
    Battle,
    P,
    battle,
    crew_of,
    ship,
    tasks,
)

FAR = (2700, 2700, 0)


def crossing(design: str, target: str, gap_dots: float, **changes) -> Battle:
    """Return a ship that heads for the side of another, so many dots away."""
    it = ship(target, 1, (1500, 1500, 90), **changes)
    beam = 8 if target in (FLAGSHIP, RUNNER) else 12
    length = 24 if design == RUNNER else 48
    x = 1500 - (beam / 2 + gap_dots + length / 2) * DOT_MM
    mover = ship(design, 0, (x, 1500, 0))
    third = ship(FLAGSHIP, 1, FAR)
    return battle(mover, it, third, wind="W", options={"ships_each": 2})


def strike(line: Battle, dots: float, number: int = 0) -> Battle:
    return line.do(Sail(P[0], number, (ahead(line.ships[number].pose, dots),)))


@pytest.mark.parametrize(
    ("own", "sails", "target", "damage"),
    [(6, 7, 4, (1, 4)), (3, 3, 6, (2, 2)), (6, 8, 6, (1, 4)), (4, 1, 4, (1, 1))],
)
def test_damage_of_a_ramming(own: int, sails: int, target: int, damage: tuple[int, int]) -> None:
    """PWR-49: one hull factor, two against a larger ship; half the sails for the target."""
    assert ram_damage(own, sails, target) == damage


def test_a_ramming() -> None:
    """PWR-48, PWR-49, PWR-50: bow into the side; both are adrift and have no tasks."""
    line = strike(crossing(RUNNER, SCHOONER, 20), 20)
    assert "at 90 degrees" in line.told()
    line.lose_any()
    assert line.hulls()[:2] == [(3 - 2, 1), (6 - 2, 4)]
    assert [s.stunned for s in line.ships] == [True, True, False]
    assert (line.ships[0].left, line.ships[0].used) == (0, 0)
    # The target has not moved yet: it drifts.
    assert (line.ships[1].way, line.ships[1].left) == (ADRIFT, 8)
    assert under_way(line.state, 0).way == ADRIFT


def test_nobody_has_a_task_after_a_ramming() -> None:
    """PWR-50, PWR-52: no tasks in that round; boarding may begin in the next one."""
    one, other = ship(SCHOONER, 0, (1500, 1500, 0)), ship(FLAGSHIP, 1, (1500, 1580, 0))
    stunned = tasks(one._replace(stunned=True), other._replace(stunned=True), slot=0)
    assert [type(action) for action in stunned.legal()] == [Done]
    assert stunned.refusal(Board(P[0], 0, 1)) == "PWR-50"
    half = tasks(one, other._replace(stunned=True), slot=0)
    assert half.refusal(Board(P[0], 0, 1)) == "PWR-52"
    assert GAME.check(tasks(one, other, slot=0).state, Board(P[0], 0, 1))


@pytest.mark.parametrize("wind", ["W", "NW", "SW", "N", "S"])
@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("has_moved", [True, False])
def test_either_ship_may_board_in_the_round_after_a_ramming(
    wind: str, first: int, has_moved: bool
) -> None:
    """PWR-50, PWR-52: ships drift as one after a ramming, whoever moves first."""
    line = battle(*crossing(RUNNER, MAN_OF_WAR, 20).ships, wind=wind, options={"ships_each": 2})
    if has_moved:
        target = line.ships[1]._replace(left=0)
        line = Battle(line.state._replace(ships=(line.ships[0], target, line.ships[2])))
    strike(line, 20).lose_any()
    assert line.state.rammed == ((0, 1),)
    line.until("tasks").until("move", first).until("tasks", first)
    assert line.state.round == 2
    assert [ship.pose.heading_deg for ship in line.ships[:2]] == [0, 90]
    assert GAME.check(line.state, Board(line.player, line.player, 1 - line.player))
    # From now on each goes its own way.
    assert line.state.rammed == ()


def test_ships_are_caught_in_one_other_at_a_time() -> None:
    """PWR-50, PWR-52: a second ram sets adrift as well; nobody hangs on a wreck."""
    target = ship(MAN_OF_WAR, 1, (1500, 1500, 90))
    rams = [ship(RUNNER, 0, (1500 - 35 * DOT_MM, 1500 + y, 0)) for y in (-60, 60)]
    line = battle(*rams, target, ship(SCHOONER, 1, FAR), wind="W", options={"ships_each": 2})
    for number in (0, 1):
        line.do(Sail(P[0], number, (ahead(line.ships[number].pose, 17),))).lose_any()
    assert [s.stunned for s in line.ships] == [True, True, True, False]
    assert line.state.rammed == ((0, 2),)
    assert GAME.from_json(GAME.to_json(line.state)) == line.state
    wreck = target._replace(fate="aground", hf=0, sf=0)
    line = battle(*rams, wreck, ship(SCHOONER, 1, FAR), wind="W", options={"ships_each": 2})
    for number in (0, 1):
        line.do(Sail(P[0], number, (ahead(line.ships[number].pose, 17),))).lose_any()
    assert line.state.rammed == ()


def test_ships_that_hang_together_come_apart_though_both_are_rammed_again() -> None:
    """PWR-50: to the end of the next movement; whoever rams one that is held hangs nowhere."""
    held = [ship(MAN_OF_WAR, 1, (1500, y, 90)) for y in (1200, 1800)]
    rams = [ship(RUNNER, 0, (1500 - 35 * DOT_MM, y, 0)) for y in (1200, 1800)]
    for again in (False, True):
        line = battle(*rams, *held, wind="W", options={"ships_each": 2})
        pair = (3, 2) if again else (2, 3)  # of the last turn, of this one
        line.state = line.state._replace(rammed=(pair,))
        for number in (0, 1):
            line.do(Sail(P[0], number, (ahead(line.ships[number].pose, 17),))).lose_any()
        assert [s.stunned for s in line.ships] == [True] * 4
        assert line.state.rammed == (pair,)
        line.until("tasks")
        assert line.state.rammed == (() if again else (pair,))


def test_who_has_sunk_by_a_ramming_holds_nobody() -> None:
    """PWR-42, PWR-54: the ship that rammed drifts alone in the next turn, and turns."""
    near = crossing(SCHOONER, FLAGSHIP, 20, hf=2, sf=2).ships[:2]
    other = ship(FLAGSHIP, 1, (300, 2700, 0))
    line = strike(battle(*near, other, wind="N", options={"ships_each": 2}), 20).lose_any()
    line.until("tasks").until("move").until("tasks")
    assert line.ships[1].fate == "sunk"
    assert line.ships[0].pose.heading_deg == 45


def test_a_ship_stops_where_it_strikes() -> None:
    """PWR-48: sailing through another hull is refused, and so is turning after the impact."""
    line = crossing(SCHOONER, FLAGSHIP, 20)
    start = line.ships[0].pose
    through = GAME.check(line.state, Sail(P[0], 0, (ahead(start, 64),)))
    assert through.rule == "PWR-48"
    assert "mm too far: the Skull's Eye Schooner stops where she touches" in through.reason
    turning = turned(line.state, 0, ahead(start, 20), 30)
    assert line.refusal(Sail(P[0], 0, (turning,))) == "PWR-48"
    assert line.refusal(Sail(P[0], 0, (ahead(start, 12),))) == "PWR-43"
    assert GAME.check(line.state, Sail(P[0], 0, (ahead(start, 20.4),)))


def test_too_little_movement_left_to_ram() -> None:
    """PWR-48: where the movement ends short of the hull nothing is struck."""
    line = crossing(SCHOONER, FLAGSHIP, 66)
    strike(line, 64)
    assert line.told() == ""
    assert line.hulls()[1] == (4, 5)


def test_a_glancing_contact() -> None:
    """PWR-51, PWR-52: less than 45 degrees: contact, no damage; boarding in this very round."""
    target = ship(FLAGSHIP, 1, (1500, 1500, 0))
    mover = ship(SCHOONER, 0, (1200, 1300, 20))
    line = battle(mover, target, wind="W")
    free = [a for a in line.legal() if isinstance(a, Sail) and len(a.path) == 1]
    contact = [a for a in free if GAME.apply(line.state, a).state.ships[0].left == 0]
    line.do(min(contact, key=lambda a: a.path[-1].x_mm))
    # The Flagship, wedged at her bow, cannot move on when her turn comes.
    assert line.rules() == ["PWR-51", "PWR-48"]
    assert not line.ships[0].stunned
    assert is_touching(line.state, 0, 1)


def test_angles_of_impact() -> None:
    """PWR-48, PWR-51: to the side it is the angle between the keels; bow on stern it is across."""
    target = ship(FLAGSHIP, 1, (1500, 1500, 0))
    for heading, place, angle in (
        (90, (1500, 1230), 90),
        (60, (1400, 1280), 60),
        (10, (1300, 1440), 10),
        (0, (1170, 1500), 90),
        (180, (1830, 1500), 90),
    ):
        line = battle(ship(SCHOONER, 0, (*place, heading)), target, wind="W")
        assert round(impact_deg(line.state, 0, 1)) == angle, heading


def test_who_touches_already_does_not_move() -> None:
    """PWR-48: a ship that lies against another has nowhere to go, and rams nobody each turn."""
    mover, it = ship(SCHOONER, 0, (1274, 1500, 0)), ship(FLAGSHIP, 1, (1500, 1500, 90))
    line = battle(mover, it, ship(SCHOONER, 0, (500, 500, 0)), wind="W", options={"ships_each": 2})
    held = ahead(line.ships[0].pose, 0.2)
    ruling = GAME.check(line.state, Sail(P[0], 0, (held,)))
    assert (ruling.rule, ruling.reason) == (
        "PWR-48",
        "The Skull's Eye Schooner (1) cannot move: the Imperial Flagship lies right ahead.",
    )
    assert {action.ship for action in line.legal()} == {2}
    assert not GAME.measured(line.state, {1: held})
    strike(line, 64, 2)
    assert line.told() == (
        "The Skull's Eye Schooner (1) cannot move: the Imperial Flagship lies right ahead"
    )
    assert (line.player, line.hulls()[1]) == (P[1], (4, 5))


def test_a_way_of_a_few_millimetres_need_not_be_made() -> None:
    """PWR-48: with 9 mm to go a ship may be pushed up to the hull, or the side plays on."""
    line = crossing(SCHOONER, FLAGSHIP, 9 / DOT_MM)
    assert line.legal() == (Done(P[0]),)
    assert GAME.pending(line.state).passing == Done(P[0])
    assert GAME.pending(line.state).text.endswith(", or go on")
    pushed = ahead(line.ships[0].pose, 9 / DOT_MM)
    assert Sail(P[0], 0, (pushed,)) in GAME.measured(line.state, {1: pushed})
    assert not GAME.measured(line.state, {1: ahead(line.ships[0].pose, 0.4)})
    before = line.ships[0].pose
    line.done()
    assert (line.ships[0].pose, line.ships[0].left, line.player) == (before, 0, P[1])
    assert line.rules() == []


def test_who_has_a_way_to_go_cannot_pass() -> None:
    """PWR-39: a ship moves its whole speed."""
    line = crossing(SCHOONER, FLAGSHIP, 20)
    ruling = GAME.check(line.state, Done(P[0]))
    assert (ruling.rule, ruling.reason) == (
        "PWR-39",
        "The Skull's Eye Schooner has 64 dots to move.",
    )
    assert GAME.pending(line.state).passing is None


def test_a_ship_that_turned_up_to_a_hull_has_moved() -> None:
    """PWR-48: what is left of her movement is lost; no second leg is made of an error."""
    mover, target = ship(SCHOONER, 0, (900, 1000, 0)), ship(FLAGSHIP, 1, (1092, 1500, 0))
    line = battle(mover, target, wind="W")
    corner = turned(line.state, 0, ahead(mover.pose, 48), 90)
    free, struck = clear_mm(line.state, 0, corner, 90, 500)
    assert struck == 1
    nearer = mover._replace(pose=replace(mover.pose, y_mm=999 + free).rounded())
    line = battle(nearer, target, wind="W")
    corner = turned(line.state, 0, ahead(line.ships[0].pose, 48), 90)
    near = replace(corner, x_mm=corner.x_mm + 2, y_mm=corner.y_mm - 3)
    ways = GAME.measured(line.state, {1: near})
    assert {len(way.path) for way in ways if way.path[-1] == near} == {1}
    line.do(Sail(P[0], 0, (near,)))
    assert (line.ships[0].pose, line.player) == (near, P[1])


def test_sunk_by_ramming_at_the_end_of_movement() -> None:
    """PWR-54: the ship stays until all have moved, then it goes down with its crew."""
    line = crossing(SCHOONER, FLAGSHIP, 20, hf=2, sf=2)
    strike(line, 20)
    line.lose_any()
    assert line.ships[1].hf == 0
    assert line.ships[1].fate in ("afloat", "sinking")
    assert line.asked() == "move"
    line.do(Sail(P[1], 2, (ahead(line.ships[2].pose, 60),)))
    while line.asked() in ("fall_off", "lose_figures"):
        line.lose_any() if line.asked() == "lose_figures" else line.done()
    assert line.ships[1].fate == "sunk"
    assert 2 not in GAME.layout(line.state).pieces


def test_lashed_ships_drift_together() -> None:
    """PWR-53: both go eight dots with the wind and keep their headings."""
    one, other = ship(SCHOONER, 0, (1500, 1500, 0)), ship(FLAGSHIP, 1, (1500, 1580, 0))
    line = battle(one, other, wind="N", engaged=[(0, 1)])
    assert [s.way for s in line.ships] == [ADRIFT, ADRIFT]
    line.drift(0)
    for number, y in ((0, 1564), (1, 1644)):
        pose = line.ships[number].pose
        assert (pose.x_mm, pose.y_mm, pose.heading_deg) == (1500, y, 0)
    assert [s.left for s in line.ships] == [0, 0]
    assert line.asked() == "tasks" or line.asked() == "commit"


def test_drifting_stops_at_a_hull() -> None:
    """PWR-42: what drifts against another ship stops there."""
    upwind = ship(FLAGSHIP, 0, (1500, 1500, 270))
    line = battle(upwind, ship(SCHOONER, 1, (1500, 1500 + (16 + 6 + 3) * DOT_MM, 0)), wind="N")
    line.drift(0)
    assert 1500 < line.ships[0].pose.y_mm <= 1500 + 3 * DOT_MM + 1


def island(x: int, y: int, across: int = 16, kind: str = "island", depth: int = 0):
    return {"kind": kind, "x_mm": x, "y_mm": y, "across_dots": across, "depth_dots": depth}


@pytest.mark.parametrize(
    ("missing", "damage"), [(6, 2), (4, 2), (3.9, 1), (1, 1), (8, 3), (12, 4), (0, 0)]
)
def test_damage_of_running_aground(missing: float, damage: int) -> None:
    """PWR-55: one for running aground and one more for every four dots short of the draft."""
    assert grounding_damage(missing) == damage


def test_shallow_water() -> None:
    """PWR-33, PWR-55: narrow ships draw 8 dots, wide ones 12; reefs are as deep as they are."""
    near = 1500 + round((8 + 4 + 10) * DOT_MM)
    for design, missing in ((FLAGSHIP, 0.0), (SCHOONER, 12 - 8.0)):
        line = battle(
            ship(design, 0, (1500, 1500, 0)),
            ship(FLAGSHIP, 1, FAR),
            options={"terrain": [island(1500, near)]},
        )
        found = shortage(line.state, 0, hull_of(line.state, 0))
        assert found == pytest.approx(missing, abs=0.3), design
    reef = [island(1500, 1500, kind="reef", depth=5)]
    line = battle(
        ship(FLAGSHIP, 0, (1500, 1500, 0)), ship(FLAGSHIP, 1, FAR), options={"terrain": reef}
    )
    assert shortage(line.state, 0, hull_of(line.state, 0)) == 8 - 5


def test_every_length_through_shallow_water_costs_again() -> None:
    """PWR-55: a leap into the shallows and another one on: twice; the rest of the way: no more."""
    reef = [island(1500, 1500, across=80, kind="reef", depth=6)]
    start = (1500 - (40 + 12) * DOT_MM - 5, 1500, 0)
    line = battle(
        ship("renegade-runner-revised", 0, start),
        ship(FLAGSHIP, 1, FAR),
        wind="W",
        options={"terrain": reef},
    )
    line.do(Sail(P[0], 0, (ahead(line.ships[0].pose, 64),)))
    assert line.told().count("runs aground") == 2
    assert line.hulls()[0][0] == 3 - 2


@pytest.mark.parametrize(
    ("design", "depth", "lost"),
    [
        (FLAGSHIP, 8, 0),
        (FLAGSHIP, 7, 1),
        (FLAGSHIP, 4, 2),
        (SCHOONER, 12, 0),
        (SCHOONER, 8, 2),
        (SCHOONER, 4, 3),
    ],
)
def test_upon_a_reef(design: str, depth: int, lost: int) -> None:
    """PWR-55: shallower than the draft costs one, and one more for every four dots less."""
    line = battle(
        ship(design, 0, (1000, 1500, 0)),
        ship(FLAGSHIP, 1, FAR),
        wind="W",
        options={"terrain": [island(1400, 1500, kind="reef", depth=depth)]},
    )
    hull, length = line.hulls()[0][0], line.state.options.designs[design].length
    line.do(Sail(P[0], 0, (ahead(line.ships[0].pose, length),)))
    assert line.hulls()[0][0] == hull - lost


def test_out_of_shallow_water() -> None:
    """PWR-55: a leap that leads out of shallow water is no full length through it."""
    start = 1500 - (8 + 12 - 4) * DOT_MM, 1500, 0
    line = battle(
        ship(REVISED, 0, start),
        ship(FLAGSHIP, 1, FAR),
        wind="W",
        options={"terrain": [island(1500, 1500, kind="reef", across=16, depth=4)]},
    )
    # She lies four dots in the shallows; 24 on she still does, 24 more and she is out of them.
    line.do(Sail(P[0], 0, (ahead(line.ships[0].pose, 48),)))
    assert line.told().count("runs aground") == 1
    assert line.hulls()[0][0] == 3 - 2


def test_an_island_stops_a_ship() -> None:
    """PWR-55: no ship sails over land; against the shore the whole draft is missing."""
    line = battle(
        ship(MAN_OF_WAR, 0, (1000, 1500, 0)),
        ship(SCHOONER, 1, FAR),
        wind="W",
        options={"terrain": [island(1500, 1500)]},
    )
    over = Sail(P[0], 0, (ahead(line.ships[0].pose, 64),))
    assert line.refusal(over) == "PWR-48"
    ashore = [a for a in line.legal() if isinstance(a, Sail) and len(a.path) == 1]
    line.do(min(ashore, key=lambda a: a.path[-1].x_mm))
    line.lose_any()
    # One, and three more for the twelve dots.
    assert line.hulls()[0][0] == 6 - 4
    assert line.ships[0].left == 0


def test_the_hull_touches_where_it_says() -> None:
    """PWR-48: the outline is that of the ship as it was built."""
    line = crossing(BARRACUDA, FLAGSHIP, 10)
    strike(line, 10)
    hulls = [hull_of(line.state, n) for n in (0, 1)]
    assert abs(outlines.gap(*hulls)) < 1


def over_a_reef(hf: int, sf: int, **options: object) -> Battle:
    """Return a Revised Runner that has a reef and then the side of a Clipper ahead."""
    mover = ship(REVISED, 0, (1000, 1500, 0), hf=hf, sf=sf)
    target = ship(CLIPPER, 1, (1000 + 48 * DOT_MM, 1500, 90))
    reef = [island(1000 + 17 * 8, 1500, across=4, kind="reef", depth=4)]
    return battle(mover, target, wind="W", options={"terrain": reef, "losses": "order"} | options)


def test_sails_that_the_ground_has_cost_do_not_ram() -> None:
    """PWR-49: half of the sails the rammer has left, whether or not she rested on the way."""
    for stops in ((30,), (24, 6)):
        line = over_a_reef(3, 4)
        for dots in stops:
            strike(line, dots)
        # Two HF to the reef leave her one HF and one SF; that one rams, and costs the last HF.
        assert "rams the Caribbean Clipper at 90 degrees: 1 HF for her, 1 for it" in line.told()
        assert line.hulls() == [(0, 0), (3, 3)], stops


@pytest.mark.parametrize("grounding", ["basic", "full"])
def test_who_breaks_on_the_ground_rams_nobody(grounding: str) -> None:
    """PWR-48, PWR-107: one way costs what its leaps cost; it is told once."""
    line = strike(over_a_reef(2, 2, grounding=grounding), 30)
    assert line.hulls() == [(0, 0), (4, 4)]
    assert [s.stunned for s in line.ships] == [False, False]
    assert line.told().count("runs aground") == 1
    assert line.told().count("for good") == (grounding == "full")
    assert "lies against the Caribbean Clipper: no damage" in line.told()


def test_a_hull_that_is_broken_breaks_once() -> None:
    """PWR-107: the second reef on the way has nothing left to break."""
    reefs = [island(1000 + x * 8, 1500, across=4, kind="reef", depth=4) for x in (17, 41)]
    mover = ship(REVISED, 0, (1000, 1500, 0), hf=2, sf=2)
    options = {"terrain": reefs, "grounding": "full", "losses": "order"}
    line = battle(mover, ship(FLAGSHIP, 1, FAR), wind="W", options=options)
    strike(line, 32)
    assert (line.ships[0].fate, line.hulls()[0]) == ("aground", (0, 0))
    assert line.told().count("runs aground") == line.told().count("for good") == 1


def test_a_hull_broken_by_a_ram_is_no_wreck_on_the_ground() -> None:
    """PWR-54, PWR-107: lashed to another it drifts over a reef, and sinks all the same."""
    pair = (
        ship(MAN_OF_WAR, 0, (1500, 1500, 0)),
        ship(FLAGSHIP, 1, (1500, 1580, 0), hf=0, sf=0),
        ship(FLAGSHIP, 1, (1500, 2500, 0)),
        ship(FLAGSHIP, 0, (1500, 500, 0)),
    )
    options = {
        "terrain": [island(1500 + 20 * 8, 1580, across=4, kind="reef", depth=4)],
        "grounding": "full",
        "losses": "order",
        "ships_each": 2,
    }
    line = battle(*pair, wind="W", engaged=[(0, 1)], options=options)
    line.drift(0)
    assert line.ships[1].fate == "afloat"
    line.until("tasks")
    assert line.ships[1].fate == "sunk"


def test_a_boarding_rests_where_a_ship_was_rammed() -> None:
    """PWR-50: the rammed ship has no tasks in that round, not even the melee under way."""
    near = crossing(SCHOONER, MAN_OF_WAR, 20).ships
    lashed = ship(BARRACUDA, 0, (1500 + 12 * DOT_MM, 1500, 90))
    options = {"ships_each": 2, "losses": "order"}
    fleet = (*near[:2], lashed, ship(FLAGSHIP, 1, (1500, 300, 180)))
    line = battle(*fleet, wind="W", engaged=[(2, 1)], options=options)
    strike(line, 20)
    line.until("tasks")
    assert (line.state.round, line.state.engaged) == (1, ((2, 1),))
    for _ in range(2):
        # Her foe's Captain may go to the powder; else the three of them do nothing.
        assert {a.ship for a in line.legal() if isinstance(a, ShipDeed)} <= {2, 3}
        line.done()
    line.until("commit")
    assert (line.state.round, line.state.engaged) == (2, ((2, 1),))


def test_a_ship_that_leaves_the_sea_rams_nobody_there() -> None:
    """PWR-48, PWR-140: her middle is over the edge before her bow is at the other hull."""
    mover, target = ship(SCHOONER, 0, (2990, 978, 60)), ship(MAN_OF_WAR, 1, (2990, 1300, 0))
    line = battle(mover, target, ship(FLAGSHIP, 0, (300, 300, 0)), wind="W")
    said = "Captain 0: sail the Skull's Eye Schooner off the sea"
    leaving = [a for a in line.legal() if GAME.describe(line.state, a) == said]
    line.do(leaving[0])
    assert (line.ships[0].fate, line.hulls()[1]) == ("gone", (6, 8))
    assert line.rules() == ["PWR-140"]


def test_who_cannot_move_is_told_why() -> None:
    """PWR-54: a broken ship sinks where she lies; another has not "begun to move"."""
    broken = ship(RUNNER, 0, (1500, 2000, 0), hf=0, sf=0)
    mover = ship(SCHOONER, 0, (1000, 1000, 0))
    line = battle(mover, broken, ship(FLAGSHIP, 1, FAR), wind="W", options={"ships_each": 2})
    ruling = GAME.check(line.state, Drift(P[0], 1, due_drift(line.state, 1)))
    said = "The Renegade Runner has no hull left: she sinks where she lies."
    assert (ruling.rule, ruling.reason) == ("PWR-54", said)
    empty = ship(SCHOONER, 0, (1500, 1500, 90), crew=())
    lee = ship(FLAGSHIP, 1, (1500, 1500 + 224, 0))
    line = battle(empty, mover, lee, wind="N", options={"ships_each": 2})
    ruling = GAME.check(line.state, Drift(P[0], 0, ahead(empty.pose, 8)))
    said = "The Skull's Eye Schooner (1) cannot drift: the Imperial Flagship lies to leeward."
    assert (ruling.rule, ruling.reason) == ("PWR-42", said)


def test_no_more_is_told_to_be_lost_than_there_was() -> None:
    """PWR-49, PWR-88: a hull of two, a crew of two, and one ship that nobody is aboard of."""
    few = crew_of(("sailor", "deck", 2))
    for crew, figures in ((few, " and 2 figures"), ((), "")):
        line = crossing(SCHOONER, MAN_OF_WAR, 20, hf=2, sf=2, crew=crew)
        strike(line, 20)
        assert "1 HF for her, 2 for it" in line.told()
        texts = [happening.text for happening in line.happenings]
        assert f"The Man of War loses 2 HF and 2 SF{figures}" in texts
