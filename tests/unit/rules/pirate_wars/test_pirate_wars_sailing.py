"""Wind, speeds, leaps and turns; sails carried, shortened, lost and reset."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.rules.layout import Pose
from companion.rules.pirate_wars.actions import (
    Done,
    Drift,
    FallOff,
    Post,
    ResetSails,
    Sail,
    SetSails,
)
from companion.rules.pirate_wars.built.damage import Chart, reset
from companion.rules.pirate_wars.pieces import ADRIFT, FULL, TACK
from companion.rules.pirate_wars.sailing.drifting import due_drift
from companion.rules.pirate_wars.sailing.manoeuvres import manoeuvres, measured_paths
from companion.rules.pirate_wars.sailing.seamanship import carried, under_way, way_at, wind_from
from companion.rules.pirate_wars.stages import FallingOff
from tests.unit.rules.pirate_wars.moves import ahead, turned
from tests.unit.rules.pirate_wars.squadron import (
    BARRACUDA,
    CLIPPER,
    FLAGSHIP,
    GAME,
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

FAR = ship(FLAGSHIP, 1, (300, 300, 0))


def sailing(design: str = SCHOONER, heading: float = 0, wind: str = "N", **changes) -> Battle:
    """Return a battle in which the first ship has the sea for itself."""
    return battle(ship(design, 0, (1500, 1500, heading), **changes), FAR, wind=wind)


def path(line: Battle, *legs: tuple[float, float]) -> tuple[Pose, ...]:
    """Return the poses of legs, each so many dots and then a turn."""
    pose, poses = line.ships[0].pose, []
    for dots, turn in legs:
        pose = turned(line.state, 0, ahead(pose, dots), turn)
        poses.append(pose)
    return tuple(poses)


def go(line: Battle, *legs: tuple[float, float]) -> Battle:
    return line.do(Sail(P[0], 0, path(line, *legs)))


def refused(line: Battle, *legs: tuple[float, float]) -> str:
    return line.refusal(Sail(P[0], 0, path(line, *legs)))


@pytest.mark.parametrize(
    ("heading", "way", "dots"),
    [(0, FULL, 64), (90, FULL, 64), (180, FULL, 64), (315, TACK, 32), (300, ADRIFT, 8)],
)
def test_the_three_speeds(heading: float, way: str, dots: int) -> None:
    """PWR-38, PWR-40, PWR-42: full from abeam to running, half to 45 degrees, then adrift."""
    ship_now = sailing(heading=heading).ships[0]
    assert (ship_now.way, ship_now.left) == (way, dots)


def test_headings_are_measured() -> None:
    """PWR-40: 45 degrees is tack and 90 is full; a measured heading has the benefit of doubt."""
    wind = wind_from("E")
    assert [way_at(a, wind) for a in (90, 88, 45, 43, 40)] == [FULL, FULL, TACK, TACK, ADRIFT]


def test_without_crew_or_sails_a_ship_is_adrift() -> None:
    """PWR-40: no crew, no sails: adrift, whatever the heading."""
    assert sailing(crew=()).ships[0].way == ADRIFT
    assert sailing(sf=0).ships[0].way == ADRIFT
    assert sailing(stunned=True).ships[0].way == ADRIFT


def test_half_speeds_round_down() -> None:
    """PWR-47: 5 sails of a Flagship less one, 48 dots, are 24 on the tack; 35 of 70 are whole."""
    assert sailing(FLAGSHIP, heading=315).ships[0].left == 30
    odd = battle(ship("red-beards-runner", 0, (1500, 1500, 315), sf=5, hf=5), FAR)
    assert odd.ships[0].left == 25
    assert (2 * 12 + 1) // 2 == 12


def test_the_heading_at_the_start_counts() -> None:
    """PWR-41: turned into the wind in mid-move, a ship goes on at the speed it began with."""
    line = sailing()
    go(line, (48, -90))
    assert (line.ships[0].way, line.ships[0].left) == (FULL, 16)
    go(line, (16, 0))
    assert line.ships[0].left == 0


def test_the_whole_speed_is_moved() -> None:
    """PWR-39, PWR-43: leaps of one length, then what remains; neither less nor more."""
    line = sailing()
    assert refused(line, (40, 0)) == "PWR-43"
    assert refused(line, (64, 0), (8, 0)) == "PWR-39"
    assert refused(line, (70, 0)) == "PWR-39"
    ruling = GAME.check(line.state, Sail(P[0], 0, path(line, (70, 0))))
    assert ruling.reason.startswith("42 mm too far")
    go(line, (48, 0))
    assert line.asked() == "move"
    assert line.player == P[0]
    go(line, (16, 0))
    assert line.ships[0].left == 0


def test_a_ship_under_way_goes_on_before_others() -> None:
    """PWR-35, PWR-39: a side moves its ships in any order, one after the other."""
    two = battle(
        ship(SCHOONER, 0, (1500, 1500, 0)),
        ship(SCHOONER, 0, (1500, 700, 0)),
        FAR,
        options={"ships_each": 2},
    )
    second = Sail(P[0], 1, (ahead(two.ships[1].pose, 64),))
    assert GAME.check(two.state, second)
    go(two, (48, 45))
    assert two.refusal(second) == "PWR-39"
    assert {action.ship for action in two.legal()} == {0}


def test_a_leap_is_straight() -> None:
    """PWR-43: what lies off the keel is refused, with the excess beyond the tolerance."""
    line = sailing()
    pose = ahead(line.ships[0].pose, 64)
    aside = replace(pose, y_mm=pose.y_mm + 15)
    ruling = GAME.check(line.state, Sail(P[0], 0, (aside,)))
    assert ruling.rule == "PWR-43"
    assert "9 mm too far to the side" in ruling.reason
    assert GAME.check(line.state, Sail(P[0], 0, (replace(pose, y_mm=pose.y_mm + 5),)))


@pytest.mark.parametrize("turn", [-90, -45, 30, 90])
def test_turns_after_a_leap(turn: float) -> None:
    """PWR-44, PWR-45: up to 90 degrees on the rudder after a leap, never before it."""
    line = sailing()
    go(line, (48, turn))
    assert line.ships[0].pose.heading_deg == turn % 360


def test_turns_that_are_too_wide_or_come_too_early() -> None:
    """PWR-44, PWR-45: no more than 90 degrees; no turn first; none after a rest of 16 dots."""
    line = sailing()
    assert refused(line, (48, 100)) == "PWR-44"
    assert refused(line, (0, 45)) == "PWR-43"
    assert refused(line, (48, 0), (16, 45)) == "PWR-44"
    assert refused(line, (64, 45)) == "PWR-44"
    ruling = GAME.check(line.state, Sail(P[0], 0, path(line, (48, 100))))
    assert ruling.reason == "10 degrees too much: the Skull's Eye Schooner may turn up to 90."


def test_the_revised_runner_turns_three_times() -> None:
    """PWR-44: T15: 64 dots of 24: leaps of 24, 24 and 16, and each is more than half."""
    line = sailing(REVISED, heading=180, wind="E")
    legs = ((24, 90), (24, 90), (16, 90))
    go(line, *legs)
    assert line.ships[0].pose.heading_deg == (180 + 270) % 360
    straight = sailing(REVISED, wind="W")
    assert {len(p) for p in (a.path for a in straight.legal())} == {1, 2, 3}


def test_a_short_move_allows_45_degrees() -> None:
    """PWR-44: a move of less than half a length turns up to 45 degrees."""
    line = sailing(BARRACUDA, sf=2, hf=6)
    assert line.ships[0].left == 16
    assert refused(line, (16, 60)) == "PWR-44"
    go(line, (16, 45))


def test_a_hit_rudder() -> None:
    """PWR-77: with its rudder hit a ship cannot turn in its next move, then it can again."""
    line = sailing(steering=False)
    assert refused(line, (48, 45)) == "PWR-77"
    go(line, (48, 0), (16, 0))
    assert line.ships[0].steering


def test_adrift() -> None:
    """PWR-42: eight dots with the wind and 45 degrees with it, until the ship runs."""
    line = sailing(heading=270, wind="N")
    assert line.refusal(Sail(P[0], 0, (ahead(line.ships[0].pose, 8),))) == "PWR-42"
    headings = []
    pose = line.ships[0].pose
    for _ in range(5):
        line.drift(0)
        after = line.ships[0].pose
        headings.append(after.heading_deg)
        if after.heading_deg == pose.heading_deg:
            assert (after.x_mm, after.y_mm) == (pose.x_mm, pose.y_mm + 64)
        pose = after
        again = line.state.ships[0]._replace(left=8, way=ADRIFT)
        line = Battle(line.state._replace(ships=(again, line.ships[1]), slot=0))
    assert headings == [315, 0, 45, 90, 90]


def left_over() -> Battle:
    """Return three captains, the third with nothing left but an empty ship."""
    return battle(
        ship(SCHOONER, 0, (600, 1500, 0), wanted=1),
        ship(FLAGSHIP, 1, (1500, 2500, 0), wanted=1),
        ship(RUNNER, 2, (2400, 1500, 180), crew=()),
        wind="N",
        order=(0, 1),
    )


def test_an_empty_ship_of_a_captain_who_is_out_drifts() -> None:
    """PWR-40, PWR-42: who moves last lets her drift, each turn, until she runs."""
    line = left_over()
    while line.state.round < 4:
        line.step()
    # Three drifts of eight dots; the turns on the rudder take her middle a length farther.
    lies = line.ships[2].pose
    assert (lies.y_mm > 1500 + 3 * 64, lies.heading_deg, line.ships[2].left) == (True, 90, 0)


def test_only_who_moves_last_lets_her_drift() -> None:
    """PWR-35, PWR-42: the page of the ship and the objection say so, too."""
    line = left_over()
    due = due_drift(line.state, 2)
    assert line.refusal(Drift(P[0], 2, due)) == "PWR-35"
    line.do(line.legal()[0])
    assert line.player == P[1]
    assert Drift(P[1], 2, due) in line.legal()
    sheet = next(sheet for sheet in GAME.view(line.state, None).sheets if sheet.tag == 3)
    assert sheet.todo == ("drift with the wind",)
    seen = GAME.layout(line.state)
    aside = replace(seen.pieces[3], pose=Pose(2200.0, 1500.0, 180.0))
    moved = replace(seen, pieces={**seen.pieces, 3: aside})
    assert GAME.objection(line.state, moved).rule == "PWR-42"
    line.do(Drift(P[1], 2, due))
    assert (line.ships[2].pose, line.ships[2].left) == (due, 0)


@pytest.mark.parametrize("heading", [268.5, 270.0, 271.5])
def test_dead_in_the_wind_a_ship_swings_to_either_side(heading: float) -> None:
    """PWR-42: which side is the nearer hangs on less than can be measured, so both are offered."""
    line = sailing(heading=heading, wind="N")
    ends = [action.pose.heading_deg for action in line.legal() if isinstance(action, Drift)]
    assert ends == [heading - 45, heading + 45]
    assert all(GAME.check(line.state, action) for action in line.legal())
    due = due_drift(line.state, 0)
    straight = turned(line.state, 0, due, heading - due.heading_deg)
    for side in (-45, 45):
        swung = turned(line.state, 0, straight, side).rounded()
        assert GAME.check(line.state, Drift(P[0], 0, swung)), side
        assert GAME.measured(line.state, {1: swung}) == (Drift(P[0], 0, swung),)
    aside = sailing(heading=290, wind="N")
    due = due_drift(aside.state, 0)
    assert aside.legal() == (Drift(P[0], 0, due),)
    back = turned(aside.state, 0, due, -90).rounded()
    assert "degrees off" in GAME.check(aside.state, Drift(P[0], 0, back)).reason


@pytest.mark.parametrize("heading", [268.5, 270.0, 271.5])
@pytest.mark.parametrize("fall", [15, 45])
def test_a_drift_from_the_winds_eye_and_a_fall_are_found(heading: float, fall: float) -> None:
    """PWR-42, PWR-46: whichever way she swung; a fall goes on to that side, so it tells which."""
    line = sailing(heading=heading, wind="N")
    for action, side in zip(line.legal(), (-1, 1), strict=True):
        assert isinstance(action, Drift)
        seen = turned(line.state, 0, action.pose, side * fall)
        assert GAME.measured(line.state, {1: seen}) == (action,)


@pytest.mark.parametrize(("beside", "heading"), [(-60, 315.0), (60, 225.0)])
def test_dead_in_the_wind_a_ship_swings_to_the_side_that_is_free(beside, heading) -> None:
    """PWR-42: a hull under one quarter holds her on that side alone; she may swing to the other."""
    astern = ship(FLAGSHIP, 1, (1500 + beside, 1800, 90))
    line = battle(ship(SCHOONER, 0, (1500, 1500, 270)), astern, wind="N")
    (only,) = line.legal()
    assert isinstance(only, Drift)
    assert only.pose.heading_deg == heading
    assert GAME.measured(line.state, {1: only.pose}) == (only,)
    assert line.do(only).ships[0].pose == only.pose


def test_a_drift_off_the_sea_is_offered_once() -> None:
    """PWR-42, PWR-140: where she is gone whichever way she swings; one way may keep her at sea."""

    def said(x: float, y: float) -> list[str]:
        line = battle(ship(SCHOONER, 0, (x, y, 270)), FAR, wind="N")
        return [GAME.describe(line.state, action).split(" Schooner ")[1] for action in line.legal()]

    assert said(1500, 2990) == ["drift off the sea"]
    assert [text[:13] for text in said(20, 1500)] == ["drift off the", "drift, now at"]


def test_drifts_that_are_none() -> None:
    """PWR-42: too far, too short, aside, turned too little: the excess is said."""
    line = sailing(heading=270, wind="N")
    due = due_drift(line.state, 0)
    assert (due.heading_deg, round(line.ships[0].pose.y_mm)) == (315, 1500)

    def said(pose: Pose) -> str:
        ruling = GAME.check(line.state, Drift(P[0], 0, pose))
        assert ruling.rule in ("", "PWR-42")
        return ruling.reason

    assert said(due) == ""
    assert said(replace(due, y_mm=due.y_mm + 4, x_mm=due.x_mm - 4)) == ""
    eight = "the Skull's Eye Schooner drifts 8 dots with the wind."
    assert said(replace(due, y_mm=due.y_mm + 20)) == f"8 mm too far: {eight}"
    assert said(replace(due, y_mm=due.y_mm - 20)) == f"8 mm too short: {eight}"
    assert "3 mm too far aside" in said(replace(due, x_mm=due.x_mm + 15))
    unturned = turned(line.state, 0, due, -45)
    assert said(unturned).endswith("until she runs: 45 degrees off.")
    assert said(turned(line.state, 0, due, 30)).endswith("30 degrees off.")


def test_a_hull_in_the_way_of_a_drift() -> None:
    """PWR-42: beside another ship a drift may end short, and turn less."""
    own = ship(FLAGSHIP, 0, (1500, 1500, 270))
    line = battle(own, ship(SCHOONER, 1, (1500, 1500 + (16 + 6 + 5) * 8, 0)), wind="N")
    due = due_drift(line.state, 0)
    assert 1500 < due.y_mm < 1545
    assert line.legal() == (Drift(P[0], 0, due),)  # to the other side she would lie on her
    for pose in (due, replace(due, y_mm=due.y_mm - 12)):
        assert GAME.check(line.state, Drift(P[0], 0, pose))
    far = GAME.check(line.state, Drift(P[0], 0, replace(due, y_mm=due.y_mm + 40)))
    way = "drifts 5 dots with the wind, to what lies in her way."
    assert (far.rule, far.reason[-len(way) :]) == ("PWR-42", way)


def test_falling_off() -> None:
    """PWR-46: up to 45 degrees toward running, never past it, never into the wind, once."""
    line = sailing(heading=0, wind="N")
    go(line, (64, 0))
    line.do(Sail(P[1], 1, (ahead(line.ships[1].pose, 60),)))
    assert line.asked() == "fall_off"

    def fall(deg: float) -> FallOff:
        return FallOff(P[0], 0, turned(line.state, 0, line.ships[0].pose, deg))

    assert line.refusal(fall(60)) == "PWR-46"
    assert line.refusal(fall(-20)) == "PWR-46"
    moved = fall(45).pose
    off = FallOff(P[0], 0, replace(moved, x_mm=moved.x_mm + 20))
    assert line.refusal(off) == "PWR-44"
    line.do(fall(45))
    assert line.ships[0].pose.heading_deg == 45
    assert line.player == P[1]
    line.do(Done(P[1]))
    assert line.asked() == "tasks"


@pytest.mark.parametrize("side", [-1, 1])
def test_falling_off_from_the_winds_eye_to_either_side(side: int) -> None:
    """PWR-46: the worked example turns into the wind and falls off; one side alone was known."""
    line = sailing(heading=0, wind="N")
    corner = turned(line.state, 0, ahead(line.ships[0].pose, 48), -90)
    end = ahead(corner, 16)
    seen = turned(line.state, 0, end, 45 * side)
    assert [path[-1] for path in measured_paths(line.state, 0, seen)] == [end]
    line.do(Sail(P[0], 0, (corner, end)))
    line.do(Sail(P[1], 1, (ahead(line.ships[1].pose, 60),)))
    falls = {action.pose.heading_deg for action in line.legal() if isinstance(action, FallOff)}
    assert falls == {225.0, 240.0, 255.0, 285.0, 300.0, 315.0}
    line.do(FallOff(P[0], 0, seen))


def test_no_falling_off_over_the_edge() -> None:
    """PWR-46: a turn that would take the ship's middle off the sea is refused."""
    edge = ship(SCHOONER, 0, (2700, 2900, 350), left=0)
    line = battle(edge, FAR, stage=FallingOff(), wind="N")
    over = turned(line.state, 0, line.ships[0].pose, 45)
    assert over.y_mm > 3000
    assert line.refusal(FallOff(P[0], 0, over)) == "PWR-46"
    assert {a.pose.heading_deg for a in line.legal() if isinstance(a, FallOff)} == {5.0, 20.0}


def test_near_the_edge_a_ship_may_leave_or_stay() -> None:
    """PWR-140: sailing off the sea is one of the ways that are offered, in plain words."""
    line = battle(ship(SCHOONER, 0, (2600, 1500, 0)), FAR, wind="W")
    said = [GAME.describe(line.state, action) for action in line.legal()]
    assert said.count("Captain 0: sail the Skull's Eye Schooner off the sea") == 1
    assert len(said) == len(set(said)) > 3


def test_no_falling_past_running() -> None:
    """PWR-46: a ship thirty degrees from running turns thirty degrees at most."""
    line = sailing(heading=60, wind="N")
    go(line, (64, 0))
    line.do(Sail(P[1], 1, (ahead(line.ships[1].pose, 60),)))
    assert line.refusal(FallOff(P[0], 0, turned(line.state, 0, line.ships[0].pose, 40))) == "PWR-46"
    turns = {a.pose.heading_deg for a in line.legal() if isinstance(a, FallOff)}
    assert turns == {75.0, 90.0}


def test_sails_carried() -> None:
    """PWR-31, PWR-32: fewer than are open, by two a turn, but from adrift as many as wanted.

    Going adrift knows no such limit either.
    """
    own = ship(SCHOONER, 0)
    assert carried(own) == 8
    assert carried(own._replace(wanted=5)) == 5
    assert carried(own._replace(wanted=3, used=8)) == 6
    assert carried(own._replace(wanted=8, used=3)) == 5
    assert carried(own._replace(wanted=8, used=3, sf=4)) == 4
    assert carried(own._replace(sf=2, used=8)) == 2
    assert carried(own._replace(wanted=1, used=8)) == 6
    assert carried(own._replace(wanted=0, used=8)) == 0
    assert sailing(wanted=0, used=8).ships[0].way == ADRIFT
    line = sailing(wanted=5)
    assert line.ships[0].left == 40


def test_sails_nobody_handles_drop() -> None:
    """PWR-30, PWR-81: a sailor for each sail factor, or the excess is lost; nobody dies of it."""
    crew = crew_of(("imperial-captain", "deck", 1), ("sailor", "deck", 2), ("marine", "deck", 4))
    line = tasks(ship(FLAGSHIP, 0, (1500, 1500, 90), crew=crew), FAR, slot=0)
    line.done()
    # The Captain and two sailors; marines never sail.
    assert line.hulls()[0] == (4, 3)
    assert line.aboard(0) == 7
    assert "2 SF drop" in line.told()


def test_whoever_has_a_task_does_not_sail() -> None:
    """PWR-56, PWR-81: one task a figure; those posted elsewhere do not sail in this phase."""
    crew = crew_of(("pirate", "deck", 3))
    own = ship(RUNNER, 0, (1500, 1500, 90), crew=crew)
    line = tasks(own, FAR, slot=0)
    ruling = GAME.check(line.state, Post(P[0], 0, "pirate", "deck", "helm", 4))
    assert ruling.reason == "Only 3 of those on deck are free to go."
    line.do(Post(P[0], 0, "pirate", "deck", "helm", 2))
    ruling = GAME.check(line.state, Post(P[0], 0, "pirate", "deck", "helm", 2))
    assert ruling.reason == "Only 1 of those on deck is free to go."
    line.done()
    assert line.ships[0].sf == 1


def test_sails_are_worked_on_deck_and_aloft() -> None:
    """PWR-81: one at the helm, the rest on deck and in the castles; nobody from the gun deck."""
    below = ("pirate", "guns", 20)
    crew = crew_of(("pirate", "deck", 2), ("pirate", "castle", 2), below)
    line = tasks(ship(SCHOONER, 0, (1500, 1500, 90), crew=crew), FAR, slot=0).done()
    assert line.ships[0].sf == 4
    assert "4 SF drop" in line.told()
    steered = crew_of(("pirate", "deck", 1), ("pirate", "helm", 1), ("pirate", "castle", 2), below)
    assert line.ships[0].crew == steered


def test_sails_are_reset_by_those_who_work_them() -> None:
    """PWR-81, PWR-82: hands on the gun deck reset no sail; they come up first, which is a task."""
    below = ("pirate", "guns", 20)
    crew = crew_of(("pirate", "deck", 2), below)
    own = ship(SCHOONER, 0, (1500, 1500, 90), crew=crew, sf=0)
    line = tasks(own, FAR, slot=0)
    assert line.refusal(ResetSails(P[0], 0, 2)) == "PWR-82"
    line.do(Post(P[0], 0, "pirate", "guns", "deck", 4))
    assert line.refusal(ResetSails(P[0], 0, 2)) == "PWR-82"
    assert GAME.check(line.state, ResetSails(P[0], 0, 1))


def test_shortening_sail_takes_hands() -> None:
    """PWR-31: one more sailor for each sail factor not carried; without them more is carried."""
    crew = crew_of(("pirate", "deck", 9))
    own = ship(SCHOONER, 0, (1500, 1500, 90), crew=crew)
    line = tasks(own, FAR, slot=0).do(SetSails(P[0], 0, 5)).done()
    assert line.ships[0].wanted == 7
    said = "The Skull's Eye Schooner has 1 hand to shorten sail: 7 SF stay set, not 5"
    assert [h.rule for h in line.happenings if h.text == said] == ["PWR-31"]
    many = ship(SCHOONER, 0, (1500, 1500, 90))
    line = tasks(many, FAR, slot=0)
    assert line.refusal(SetSails(P[0], 0, 8)) == "PWR-31"
    assert line.refusal(SetSails(P[0], 0, 9)) == "PWR-31"
    assert line.do(SetSails(P[0], 0, 5)).done().ships[0].wanted == 5


def test_sails_that_drop_need_no_shortening() -> None:
    """PWR-31, PWR-81: with five of eight left, six stay ordered: nothing is shortened any more."""
    known = ("adrift", "captain_lost", "half_lost", "three_quarters_lost")
    crew = crew_of(("pirate", "deck", 5))
    own = ship(SCHOONER, 0, (1500, 1500, 90), crew=crew, tested=known)
    line = tasks(own, FAR, slot=0).do(SetSails(P[0], 0, 6)).done()
    assert (line.ships[0].sf, line.ships[0].wanted) == (5, 6)
    # All four hands reset sails, and all sails drop: she is not set adrift by her order for one.
    crew = crew_of(("pirate", "deck", 4))
    own = ship(SCHOONER, 0, (1500, 1500, 90), crew=crew, sf=3, tested=known)
    line = tasks(own, FAR, slot=0).do(SetSails(P[0], 0, 1)).do(ResetSails(P[0], 0, 2)).done()
    assert (line.ships[0].sf, line.ships[0].wanted, carried(line.ships[0])) == (2, 1, 1)


def test_refused_orders_to_the_sails_say_what_is_true() -> None:
    """PWR-31: of eight SF three are open: eight are ordered, not carried; nine there never were."""
    line = tasks(ship(SCHOONER, 0, (1500, 1500, 90), sf=3), FAR, slot=0)
    said = [GAME.check(line.state, SetSails(P[0], 0, sails)).reason for sails in (8, 9)]
    assert said == ["So many are ordered already.", "The Skull's Eye Schooner was built with 8 SF."]
    assert GAME.check(line.state, SetSails(P[0], 0, 3))


def test_resetting_sails() -> None:
    """PWR-82, PWR-83, PWR-89: two figures a sail factor, as many as there are hands for."""
    own = ship(SCHOONER, 0, (1500, 1500, 90), sf=3)
    line = tasks(own, FAR, slot=0)
    assert line.refusal(ResetSails(P[0], 0, 6)) == "PWR-82"
    line.do(ResetSails(P[0], 0, 5)).done()
    assert line.ships[0].sf == 8
    assert "resets 5 SF" in line.told()


def test_no_more_sails_than_hull_once_the_hull_is_hit() -> None:
    """PWR-83: sails above the first hull factor are lost with it; after that SF is at most HF."""
    hurt = ship(SCHOONER, 0, (1500, 1500, 90), sf=5, hf=5)
    assert tasks(hurt, FAR, slot=0).refusal(ResetSails(P[0], 0, 1)) == "PWR-83"
    assert reset(Chart("SSSHSHSHSHSHSH", 6, 3), 9).sf == 8
    assert reset(Chart("SSSHSHSHSHSHSH", 5, 3), 9).sf == 5


def test_too_few_hands_to_reset() -> None:
    """PWR-82: a single figure resets nothing."""
    own = ship(RUNNER, 0, (1500, 1500, 90), crew=crew_of(("pirate", "deck", 1)), sf=1)
    assert tasks(own, FAR, slot=0).refusal(ResetSails(P[0], 0, 1)) == "PWR-82"


def test_standard_manoeuvres_are_legal_and_one_leaves_the_sea() -> None:
    """PWR-44, PWR-140: what is offered is legal; of the ways off the sea there is one."""
    line = sailing(REVISED, wind="W")
    offered = manoeuvres(line.state, P[0], 0)
    assert len(offered) > 10
    assert all(GAME.check(line.state, action) for action in offered)
    corner = battle(
        ship(CLIPPER, 0, (2990, 1500, 0)), FAR, wind="W", options={"sea_mm": (3000, 3000)}
    )
    (leaving,) = (a for a in corner.legal() if isinstance(a, Sail))
    assert GAME.describe(corner.state, leaving) == (
        "Captain 0: sail the Caribbean Clipper off the sea"
    )
    corner.do(leaving)
    assert corner.ships[0].fate == "gone"


@pytest.mark.parametrize("design", [SCHOONER, REVISED, FLAGSHIP, CLIPPER])
@pytest.mark.parametrize("wind", ["W", "NE"])
def test_measured_paths_find_every_standard_manoeuvre(design: str, wind: str) -> None:
    """PWR-43: the leaps that lead to where a ship is seen are found from the two poses alone."""
    line = sailing(design, wind=wind)
    for action in manoeuvres(line.state, P[0], 0):
        end = action.path[-1]
        seen = replace(end, x_mm=end.x_mm + 1.5, y_mm=end.y_mm - 1.5)
        paths = measured_paths(line.state, 0, seen)
        assert paths, action
        assert any(len(found) <= len(action.path) for found in paths)
        left = {line.do_left(Sail(P[0], 0, found)) for found in paths}
        assert line.do_left(action) in left


def test_nothing_is_measured_where_no_way_leads() -> None:
    """PWR-43: a ship lifted over the table has sailed nowhere."""
    line = sailing()
    assert GAME.measured(line.state, {1: Pose(1500, 900, 180)}) == ()
    assert under_way(line.state, 0).left == 64
