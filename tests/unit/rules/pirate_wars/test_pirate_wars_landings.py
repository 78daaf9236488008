"""Launches, landing parties and fortresses of PirateWars in play."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from companion.rules.deeds import Deed
from companion.rules.game import Ruling
from companion.rules.layout import Pose
from companion.rules.pirate_wars.actions import (
    Cross,
    Disembark,
    FireGun,
    LoadArms,
    Lower,
    PlaceShip,
    Sail,
    Scuttle,
    Swim,
)
from companion.rules.pirate_wars.built.vessels import LAUNCH, PARTY, SAILING_LAUNCH, SMALL
from companion.rules.pirate_wars.crew import Crew, Hand, crew_size, make_crew
from companion.rules.pirate_wars.fighting.gunnery import ranged
from companion.rules.pirate_wars.pieces import (
    ADRIFT,
    AFLOAT,
    AGROUND,
    FULL,
    GONE,
    SINKING,
    Gun,
    Ship,
    Shoal,
)
from companion.rules.pirate_wars.sailing.drifting import due_drift
from companion.rules.pirate_wars.sailing.held import why_held
from companion.rules.pirate_wars.sailing.seamanship import under_way, wind_from
from companion.rules.pirate_wars.stages import Attack, Tasking
from companion.rules.pirate_wars.state import Hit
from tests.unit.rules.pirate_wars.moves import ahead, turned
from tests.unit.rules.pirate_wars.squadron import (
    FLAGSHIP,
    GAME,
    RUNNER,
    SCHOONER,
    Battle,
    P,
    battle,
    ship,
    tasks,
)

ISLAND = {"kind": "island", "x_mm": 1500, "y_mm": 1500, "across_dots": 60, "depth_dots": 0}
SHORE_MM = 240
"""Half of its width."""
FORT = {
    "x_mm": 1500,
    "y_mm": 1500,
    "width_dots": 12,
    "depth_dots": 12,
    "cannons": 2,
    "door_dots": 0,
    "captain": 1,
}


def check(fight: Battle, action: Deed) -> Ruling:
    return GAME.check(fight.state, action)


def hands(**counts: int) -> Crew:
    """Return figures on deck, weapons loaded where they have any."""
    names = {name.replace("_", "-"): n for name, n in counts.items()}
    return make_crew(Counter({Hand(k, "deck", k != "pirate"): n for k, n in names.items()}))


def small(
    design: str, player: int, at: tuple[float, float, float], crew: Crew, **changes: Any
) -> Ship:
    """Return a launch or a landing party."""
    built = SMALL[design]
    new = Ship(design, P[player], built.hull_factor, built.sail_factor, crew, ())
    return new._replace(pose=Pose(*map(float, at)), wanted=built.sail_factor, **changes)


def ashore_battle(*pieces: Ship, stage: Any = None, **options: Any) -> Battle:
    """Return a battle with an island and launches; a Flagship of the first captain far away."""
    chosen = {"launches": True, "terrain": [ISLAND], "losses": "order"} | options
    enemy = ship(FLAGSHIP, 0, (300, 300, 0))
    return battle(enemy, *pieces, stage=stage, order=(1, 0), options=chosen)


# -- lowering -----------------------------------------------------------------------------------


def lowering(**options: Any) -> Battle:
    chosen = {"launches": True} | options
    return tasks(
        ship(FLAGSHIP, 0, (300, 300, 0)), ship(SCHOONER, 1, (1500, 1500, 0)), options=chosen
    )


CREW = (("first-mate", 1), ("pirate", 6))


def test_a_launch_is_lowered_with_seven() -> None:
    """PWR-113, PWR-114, PWR-115: four launches for 34 figures; one action; it moves next turn."""
    fight = lowering()
    assert fight.ships[1].boats == 34 // 8
    fight.do(Lower(P[1], 1, CREW, 0))
    assert fight.asked() == "set_down"
    place = fight.legal()[0]
    fight.do(place)
    assert fight.asked() == "tasks"
    assert [s.design for s in fight.ships] == [FLAGSHIP, SCHOONER, LAUNCH.id]
    assert (fight.ships[1].boats, fight.aboard(1), fight.aboard(2)) == (3, 27, 7)
    assert all(hand.busy for hand, _ in fight.ships[2].crew)
    assert fight.ships[2].left == 0
    assert 3 in GAME.layout(fight.state).pieces
    assert GAME.layout(fight.state).pieces[3].kind == "launch"
    assert GAME.from_json(GAME.to_json(fight.state)) == fight.state


def test_where_a_launch_is_set_down_is_measured() -> None:
    """PWR-114: beside its ship; the place that is seen is taken, another is refused."""
    fight = lowering().do(Lower(P[1], 1, CREW, 0))
    near = Pose(1500.0, 1500.0 + 8 * 8 + 20, 10.0)
    assert GAME.measured(fight.state, {3: near}) == (PlaceShip(P[1], 2, near),)
    far = Pose(1500.0, 1800.0, 0.0)
    assert GAME.measured(fight.state, {3: far}) == ()
    assert "within 4 dots" in check(fight, PlaceShip(P[1], 2, far)).reason
    assert "cannot stand in" in check(fight, PlaceShip(P[1], 2, Pose(1500.0, 1500.0, 0.0))).reason
    assert fight.refusal(PlaceShip(P[1], 1, near)) == "PWR-114"


def test_no_launch_is_set_down_beyond_the_edge() -> None:
    """PWR-114, PWR-140: whose middle is off the sea would have left the battle."""
    chosen = {"launches": True}
    fight = tasks(
        ship(FLAGSHIP, 0, (300, 300, 0)), ship(SCHOONER, 1, (1500, 20, 0)), options=chosen
    )
    fight.do(Lower(P[1], 1, CREW, 0))
    off = Pose(1500.0, 20.0 - 8 * 8 - 10, 0.0)
    assert GAME.measured(fight.state, {3: off}) == ()
    assert "not beyond its edge" in check(fight, PlaceShip(P[1], 2, off)).reason
    assert min(place.pose.y_mm for place in fight.legal()) > 0


@pytest.mark.parametrize(
    ("lower", "rule", "said"),
    [
        (Lower(P[1], 1, (("pirate", 8),), 0), "PWR-115", "holds 7 figures"),
        (Lower(P[1], 1, (("pirate", 4),), 2), "PWR-115", "a chest takes two seats"),
        (Lower(P[1], 1, (("pirate", 40),), 0), "PWR-114", "does not have those figures"),
        (Lower(P[1], 1, (("marine", 1),), 0), "PWR-114", "does not have those figures"),
        (Lower(P[1], 1, (), 0), "PWR-114", "Say which figures go"),
        (Lower(P[1], 1, (("pirate", 1),), 9), "PWR-115", "has 4 chests"),
        (Lower(P[1], 1, (("pirate", 1), ("first-mate", 1)), 0), "PWR-114", "in order"),
    ],
)
def test_lowering_is_refused_with_what_would_be_right(lower: Lower, rule: str, said: str) -> None:
    """PWR-114, PWR-115."""
    ruling = check(lowering(), lower)
    assert (ruling.rule, said in ruling.reason) == (rule, True), ruling


def test_launches_are_an_option_and_run_out() -> None:
    """PWR-113: without the option nobody lowers any; with none aboard neither."""
    assert (
        "not used at this table" in check(lowering(launches=False), Lower(P[1], 1, CREW, 0)).reason
    )
    fight = lowering()
    for name in ("pirate", "pirate", "pirate", "pirate"):
        fight.do(Lower(P[1], 1, ((name, 1),), 0))
        fight.do(fight.legal()[0])
    assert check(fight, Lower(P[1], 1, CREW, 0)).rule == "PWR-113"


def test_sailing_launches_hold_four() -> None:
    """PWR-116: where they are chosen, every launch has a mast."""
    fight = lowering(launch_sails=True)
    five = Lower(P[1], 1, (("pirate", 5),), 0)
    assert "holds 4 figures" in check(fight, five).reason
    fight.do(Lower(P[1], 1, (("pirate", 4),), 0))
    assert fight.ships[2].design == SAILING_LAUNCH.id
    assert (fight.ships[2].sf, fight.ships[2].wanted) == (1, 1)


# -- rowing and sailing -------------------------------------------------------------------------


def rowing(at: tuple[float, float, float] = (800, 800, 0), **options: Any) -> Battle:
    boat = small(LAUNCH.id, 1, at, hands(pirate=4))
    return ashore_battle(boat, ship(SCHOONER, 1, (2500, 2500, 0)), **options)


def test_a_launch_rows_against_the_wind_and_may_stop_short() -> None:
    """PWR-113: 24 dots whatever the wind, turns like a ship, nothing of it need be used."""
    fight = rowing(at=(800, 800, 270), wind="N")
    boat = fight.ships[1]
    assert (boat.left, boat.way) == (24, "full")
    end = turned(fight.state, 1, ahead(boat.pose, 10), 90)
    fight.do(Sail(P[1], 1, (end,)))
    assert (fight.ships[1].pose, fight.ships[1].left) == (end, 0)
    assert fight.ships[1].moved


def test_a_launch_rows_astern_at_half_speed() -> None:
    """PWR-113: twelve dots astern, straight."""
    fight = rowing()
    start = fight.ships[1].pose
    assert check(fight, Sail(P[1], 1, (ahead(start, -12),)))
    far = check(fight, Sail(P[1], 1, (ahead(start, -14),)))
    assert "10 mm too far" in far.reason
    assert "12 dots left astern" in far.reason
    twisted = turned(fight.state, 1, ahead(start, -8), 30)
    assert check(fight, Sail(P[1], 1, (twisted,))).rule == "PWR-113"


def test_what_a_launch_cannot_do() -> None:
    """PWR-113: too far, sideways, turned too much, through a hull."""
    fight = rowing()
    start = fight.ships[1].pose
    for pose, said in (
        (ahead(start, 26), "10 mm too far"),
        (Pose(start.x_mm + 40, start.y_mm + 20, 0.0), "too far to the side"),
        (turned(fight.state, 1, ahead(start, 3), 80), "may turn up to 45"),
        (turned(fight.state, 1, ahead(start, 8), 120), "may turn up to 90"),
    ):
        ruling = check(fight, Sail(P[1], 1, (pose,)))
        assert (ruling.rule, said in ruling.reason) == ("PWR-113", True), ruling


def test_a_launch_put_aside_or_too_far_astern_is_told_so() -> None:
    """PWR-113: nobody had turned it, and it was "47 degrees too much"."""
    fight = rowing()
    start, layout = fight.ships[1].pose, GAME.layout(fight.state)
    for pose, said in (
        (replace(start, y_mm=start.y_mm + 60), "54 mm too far to the side: row the launch ahead"),
        (replace(start, x_mm=start.x_mm - 110), "8 mm too far: the launch has 12 dots left astern"),
    ):
        pieces = {**layout.pieces, 2: replace(layout.pieces[2], pose=pose)}
        assert said in GAME.objection(fight.state, replace(layout, pieces=pieces)).reason


def test_a_launch_does_not_spin_by_short_strokes() -> None:
    """PWR-44, PWR-113: it turns like a ship: by 45 degrees only where it hardly moves at all."""
    fight = rowing()
    start = fight.ships[1].pose
    once = turned(fight.state, 1, ahead(start, 1), 45)
    twice = turned(fight.state, 1, ahead(once, 1), 45)
    assert check(fight, Sail(P[1], 1, (once,)))
    assert "may turn up to 0" in check(fight, Sail(P[1], 1, (once, twice))).reason
    far = turned(fight.state, 1, ahead(start, 8), 90)
    assert check(fight, Sail(P[1], 1, (far, turned(fight.state, 1, ahead(far, 8), 90))))


def test_a_launch_turns_onto_no_hull() -> None:
    """PWR-51, PWR-113: beside a ship it cannot turn so far that it would lie upon her."""
    beside = small(LAUNCH.id, 1, (2500 - 9 * 8, 2500, 90), hands(pirate=4))
    fight = ashore_battle(beside, ship(SCHOONER, 1, (2500, 2500, 90)))
    stop = ahead(beside.pose, 8)
    ruling = check(fight, Sail(P[1], 1, (turned(fight.state, 1, stop, -90),)))
    assert ruling.rule == "PWR-51"
    assert ruling.reason == "The launch cannot turn so far: the Skull's Eye Schooner is in the way."
    assert check(fight, Sail(P[1], 1, (turned(fight.state, 1, stop, 90),)))
    headings = {a.path[-1].heading_deg for a in fight.legal() if isinstance(a, Sail) if a.ship == 1}
    assert 0 not in headings
    assert {90, 180} <= headings


def test_a_launch_seen_round_a_corner_is_taken_to_have_rowed_there() -> None:
    """PWR-113: the way with one turn is found from where it is seen."""
    fight = rowing()
    start = fight.ships[1].pose
    end = ahead(turned(fight.state, 1, ahead(start, 10), 90), 10)
    (found,) = GAME.measured(fight.state, {2: end})
    assert isinstance(found, Sail)
    assert (len(found.path), found.path[-1]) == (2, end)


@pytest.mark.parametrize(
    "strokes",
    [((12, 45), (12, 45)), ((10, 90), (14, 0)), ((6, 90), (6, 90)), ((7, 90), (8, 90), (7, 45))],
    ids=str,
)
def test_a_launch_may_turn_on_its_way_and_again_at_its_end(
    strokes: tuple[tuple[int, int], ...],
) -> None:
    """PWR-44, PWR-113: however it got where it is seen, a way that it may go is found."""
    fight = rowing()
    path = [fight.ships[1].pose]
    for stroke, turn in strokes:
        path.append(turned(fight.state, 1, ahead(path[-1], stroke), turn).rounded())
    assert check(fight, Sail(P[1], 1, tuple(path[1:])))
    (found,) = GAME.measured(fight.state, {2: path[-1]})
    assert fight.do(found).ships[1].pose == path[-1]


def test_a_launch_is_not_seen_farther_than_it_rows() -> None:
    """PWR-113: no way of 24 dots leads back to where it was, nor round the other way about."""
    fight = rowing()
    start = fight.ships[1].pose
    for seen in (
        turned(fight.state, 1, ahead(start, 1), 180),
        turned(fight.state, 1, ahead(start, 18), 170),
        ahead(turned(fight.state, 1, ahead(start, 12), 90), 24),
    ):
        assert GAME.measured(fight.state, {2: seen.rounded()}) == ()


def test_the_ground_does_a_launch_no_harm() -> None:
    """PWR-113: it lies against the shore and is whole."""
    start = (1500 - SHORE_MM - 100, 1500, 0)
    fight = rowing(at=start)
    free = 1500 - SHORE_MM - 32
    fight.do(Sail(P[1], 1, (Pose(float(free), 1500.0, 0.0),)))
    assert fight.ships[1].hf == 1


def test_a_launch_under_sail_needs_the_wind() -> None:
    """PWR-116: 36 dots before it, 18 tacking, adrift against it."""
    boat = small(SAILING_LAUNCH.id, 1, (800, 800, 0), hands(pirate=4))
    for wind, left, way in (("W", 36, "full"), ("NE", 18, "tack"), ("E", 8, "adrift")):
        fight = ashore_battle(boat)
        state = fight.state._replace(wind=battle(boat, ship(RUNNER, 0), wind=wind).state.wind)
        sailing = under_way(state, 1)
        assert (sailing.left, sailing.way) == (left, way)


def test_a_launch_that_is_hit_by_a_ball_sinks() -> None:
    """PWR-113: one hull factor; a ball is a point harder to land."""
    attack = Attack(0, "cannon-ball", 0, "", 1, 1, "")
    boat = small(LAUNCH.id, 1, (500, 500, 0), hands(pirate=4))
    fight = tasks(
        ship(FLAGSHIP, 0, (500, 300, 0), guns=(Gun("starboard"), Gun("starboard"))),
        boat,
        ship(RUNNER, 1, (2000, 2000, 0)),
        slot=0,
        options={"launches": True, "losses": "order"},
    )
    (volley,), _ = ranged(fight.state, (attack,))
    assert volley.target == 1
    (shot,), _ = ranged(fight.state, (attack._replace(weapon="cannon-shot"),))
    assert shot.target == 3
    fight.fire(0, 0, "ball", 1).done().roll(1, 2, 6)
    assert fight.ships[1].fate in (SINKING, "sunk")


def test_shot_kills_two_for_each_success_in_a_launch() -> None:
    """PWR-126: two successes, four figures."""
    boat = small(LAUNCH.id, 1, (500, 500, 0), hands(pirate=7))
    fight = tasks(
        ship(FLAGSHIP, 0, (500, 300, 0), guns=(Gun("starboard"), Gun("starboard"))),
        boat,
        ship(RUNNER, 1, (2000, 2000, 0)),
        slot=0,
        options={"launches": True, "losses": "order"},
    )
    fight.fire(0, 0, "shot", 1).done().roll(1, 2, 6)
    assert (fight.aboard(1), fight.ships[1].fate) == (3, AFLOAT)


def test_figures_in_a_launch_have_no_railing() -> None:
    """PWR-75, PWR-114: marines hit them at 4, where a railing makes it 2."""
    attack = Attack(0, "musket", -1, "marine", 3, 1, "deck")
    boat = small(LAUNCH.id, 1, (500, 500, 0), hands(pirate=4))
    fight = tasks(ship(FLAGSHIP, 0, (500, 300, 0)), boat, options={"launches": True}, slot=0)
    (volley,), _ = ranged(fight.state, (attack,))
    assert volley.target == 4


# -- ashore -------------------------------------------------------------------------------------


def test_figures_go_ashore_from_a_launch_that_came_the_turn_before() -> None:
    """PWR-114, PWR-123: not in the turn in which it landed."""
    landing = Disembark(P[1], 1, (("pirate", 5),), 0)
    fresh = at_shore(moved=True)
    assert "came here in this turn; figures leave her in the next" in check(fresh, landing).reason
    fight = at_shore().do(landing)
    assert fight.asked() == "set_down"
    fight.do(fight.legal()[0])
    party = fight.ships[3]
    assert (party.design, crew_size(party.crew)) == (PARTY.id, 5)
    assert GAME.layout(fight.state).pieces[4].kind == "party"
    at_sea = ashore_battle(small(LAUNCH.id, 1, (500, 2000, 0), hands(pirate=5)), stage=Tasking())
    at_sea.state = at_sea.state._replace(slot=0)
    assert "does not lie at a shore" in check(at_sea, landing).reason


def at_shore(**changes: Any) -> Battle:
    boat = small(
        LAUNCH.id,
        1,
        (1500 - SHORE_MM - 32, 1500, 0),
        hands(pirate=5, pirate_captain=1),
        **changes,
    )
    fight = ashore_battle(boat, ship(SCHOONER, 1, (2600, 2600, 0)), stage=Tasking())
    fight.state = fight.state._replace(slot=0)
    assert fight.player == 1
    return fight


def walking(crew: Crew, **options: Any) -> Battle:
    party = small(PARTY.id, 1, (1400, 1500, 0), crew)
    return ashore_battle(party, ship(SCHOONER, 1, (2600, 2600, 0)), **options)


def test_parties_walk_24_dots_and_18_with_a_peg_leg() -> None:
    """PWR-123: the slowest of them sets the pace."""
    assert walking(hands(pirate=3)).ships[1].left == 24
    assert walking(hands(pirate=3, pirate_captain=1)).ships[1].left == 18
    fight = walking(hands(pirate=3))
    there = Pose(1400.0, 1500.0 + 24 * 8, 0.0)
    far = check(fight, Sail(P[1], 1, (Pose(1400.0, 1500.0 + 26 * 8, 0.0),)))
    assert (far.rule, "10 mm too far" in far.reason) == ("PWR-123", True)
    assert GAME.measured(fight.state, {2: there}) == (Sail(P[1], 1, (there,)),)
    fight.do(Sail(P[1], 1, (there,)))
    assert fight.ships[1].moved


def test_a_party_that_went_aside_is_told_how_far_is_too_far() -> None:
    """PWR-123: figures need not turn first, as a ship does: they have walked straight."""
    fight = walking(hands(pirate=3))

    def said(dots: int) -> str:
        seen = GAME.layout(fight.state)
        party = replace(seen.pieces[2], pose=Pose(1400.0, 1500.0 + dots * 8, 0.0))
        return GAME.objection(fight.state, replace(seen, pieces={**seen.pieces, 2: party})).reason

    assert said(26) == "10 mm too far: the landing party walks up to 24 dots."
    assert said(-20) == ""


def test_nobody_walks_on_water() -> None:
    """PWR-123: a party stays on its island."""
    party = small(PARTY.id, 1, (1500 - SHORE_MM + 20, 1500, 0), hands(pirate=3))
    fight = ashore_battle(party, ship(SCHOONER, 1, (2600, 2600, 0)))
    wet = check(fight, Sail(P[1], 1, (Pose(1500.0 - SHORE_MM - 60, 1500.0, 0.0),)))
    assert "nobody walks on water" in wet.reason


def test_who_has_walked_does_not_load() -> None:
    """PWR-123: muskets stay empty in the turn of a march."""
    crew = make_crew(Counter({Hand("pirate-musket", "deck", False): 2}))
    for moved, legal in ((True, False), (False, True)):
        party = small(PARTY.id, 1, (1400, 1500, 0), crew, moved=moved)
        fight = ashore_battle(party, ship(SCHOONER, 1, (2600, 2600, 0)), stage=Tasking())
        fight.state = fight.state._replace(slot=0)
        assert bool(check(fight, LoadArms(P[1], 1, "pirate-musket", 1))) == legal
        page = GAME.view(fight.state, None).sheets[1]
        assert ("load 2 muskets and pistols" in page.todo) == legal


def test_a_party_goes_back_to_its_launch_and_is_no_more() -> None:
    """PWR-114, PWR-115: as many as it seats; loot comes along."""
    party = small(PARTY.id, 1, (1500 - SHORE_MM + 20, 1500, 0), hands(pirate=3), chests=1)
    boat = small(LAUNCH.id, 1, (1500 - SHORE_MM - 32, 1500, 0), hands(first_mate=1))
    fight = ashore_battle(party, boat, ship(SCHOONER, 1, (2600, 2600, 0)), stage=Tasking())
    fight.state = fight.state._replace(slot=0)
    fight.do(Cross(P[1], 1, 2, (("pirate", 3),), 1))
    assert (fight.ships[1].fate, fight.aboard(2), fight.ships[2].chests) == (GONE, 4, 1)
    full = ashore_battle(
        small(PARTY.id, 1, (1500 - SHORE_MM + 20, 1500, 0), hands(pirate=3)),
        small(LAUNCH.id, 1, (1500 - SHORE_MM - 32, 1500, 0), hands(pirate_pistol=5)),
        stage=Tasking(),
    )
    full.state = full.state._replace(slot=0)
    assert check(full, Cross(P[1], 1, 2, (("pirate", 3),), 0)).rule == "PWR-115"


def under_fire(*hits: Hit) -> Battle:
    """Return figures ashore, a launch at that shore and a ship beside another launch, all hit."""
    schooner = ship(SCHOONER, 1, (600, 1500, 90), crew=hands(pirate=5, first_mate=1))
    beside = small(LAUNCH.id, 1, (680, 1500, 90), hands(pirate=2, first_mate=1))
    walkers = small(PARTY.id, 1, (1500, 1500 - SHORE_MM + 10, 0), hands(pirate=5))
    waiting = small(LAUNCH.id, 1, (1500, 1500 - SHORE_MM - 25, 0), hands(pirate=2))
    line = ashore_battle(schooner, beside, walkers, waiting, stage=Tasking())
    line.state = line.state._replace(hits=hits, slot=0)
    return line


@pytest.mark.parametrize(
    ("hit", "start", "target", "free"),
    [
        (Hit(2, "ball", 1), 2, 1, 0),
        (Hit(2, "shot", 1), 2, 1, 1),
        (Hit(3, "shot", 1), 3, 4, 3),
        (Hit(3, "ball", 4), 3, 4, 1),
        (Hit(1, "shot", 4), 1, 2, 2),
    ],
)
def test_nobody_leaves_before_a_cannon_takes_effect(
    hit: Hit, start: int, target: int, free: int
) -> None:
    """PWR-36: out of a launch, off a shore or a ship; as many stay as were hit, wherever it was."""
    line = under_fire(hit)
    crossing = [Cross(P[1], start, target, (("pirate", n),), 0) for n in (free, free + 1)]
    assert not free or check(line, crossing[0])
    assert line.refusal(crossing[1]) == "PWR-36"
    landing = Disembark(P[1], 4, (("pirate", 1),), 0)
    assert check(line, landing)
    sinking = under_fire(Hit(4, "ball", 1))
    ruling = check(sinking, landing)
    assert (ruling.rule, "nobody leaves her before" in ruling.reason) == ("PWR-36", True)


def test_those_go_who_were_not_hit() -> None:
    """PWR-36: where plain hands of one station were hit, as many of others can still be sent."""
    crew = make_crew(
        Counter(
            {Hand("pirate", "castle"): 4, Hand("pirate", "deck"): 6, Hand("first-mate", "helm"): 1}
        )
    )
    hurt = ship(SCHOONER, 1, (1500, 1500, 0), crew=crew)
    line = tasks(ship(FLAGSHIP, 0, (300, 300, 0)), hurt, options={"launches": True})
    hits = (Hit(1, "figures", 4, "castle"), Hit(1, "figures", 1, "helm"))
    line.state = line.state._replace(hits=hits)
    # The First Mate stays; it keeps nobody else from being offered.
    lowered = {action.figures for action in line.legal() if isinstance(action, Lower)}
    assert lowered == {(("pirate", 1),)}
    assert line.refusal(Lower(P[1], 1, (("pirate", 7),), 0)) == "PWR-36"
    line.do(Lower(P[1], 1, (("pirate", 6),), 0))
    assert [hand.station for hand, _ in line.ships[1].crew] == ["helm", "castle"]


def test_loot_is_offered_to_be_taken_along() -> None:
    """PWR-114, PWR-115, PWR-135: none of it, or as much as there is room for; else it is lost."""
    walkers = small(PARTY.id, 1, (1500 - SHORE_MM + 20, 1500, 0), hands(pirate=3), chests=2)
    boat = small(LAUNCH.id, 1, (1500 - SHORE_MM - 32, 1500, 0), hands(first_mate=1), chests=1)
    schooner = ship(SCHOONER, 1, (2600, 2600, 0))
    landing = small(LAUNCH.id, 1, (1500, 1500 - SHORE_MM - 25, 0), hands(pirate=1), chests=1)
    line = ashore_battle(walkers, boat, schooner, landing, stage=Tasking())
    line.state = line.state._replace(slot=0)
    taken = {
        (type(action), action.figures[0][1], action.chests)
        for action in line.legal()
        if isinstance(action, Cross | Disembark) or (isinstance(action, Lower) and action.ship == 3)
    }
    # Four seats are left in the launch: one and a chest, or three.
    assert {
        (Cross, 1, 0),
        (Cross, 1, 1),
        (Cross, 3, 0),
        (Disembark, 1, 0),
        (Disembark, 1, 1),
    } <= taken
    assert not {(Cross, 1, 2), (Cross, 3, 1)} & taken
    assert {(Lower, 1, 3), (Lower, 7, 0)} <= taken
    assert all(check(line, action) for action in line.legal())


@pytest.mark.parametrize("chests", [0, 2])
def test_a_party_that_is_dead_stands_in_nobodys_way(chests: int) -> None:
    """PWR-123, PWR-126: its tag goes; with chests it marks where they lie. Two fall, not six."""
    walkers = small(PARTY.id, 1, (1500, 1500 - SHORE_MM + 10, 0), hands(pirate=2), chests=chests)
    line = ashore_battle(ship(SCHOONER, 1, (600, 1500, 90)), walkers, stage=Tasking())
    line.state = line.state._replace(hits=(Hit(2, "shot", 3),), slot=0)
    line.done()
    said = [happening.text for happening in line.happenings]
    assert "The landing party loses 2 figures" in said
    gone = "Nobody of the landing party is left: take its tag off the table" in said
    there = 3 in GAME.layout(line.state).pieces
    assert (gone, there, line.ships[2].chests) == (not chests, bool(chests), chests)
    assert GAME.from_json(GAME.to_json(line.state)) == line.state


def test_an_empty_launch_is_hoisted_by_its_ship() -> None:
    """PWR-114: who was in it is aboard again."""
    boat = small(LAUNCH.id, 1, (1500, 1500 + 8 * 8 + 20, 0), hands(pirate=3))
    fight = ashore_battle(ship(SCHOONER, 1, (1500, 1500, 0)), boat, stage=Tasking(), terrain=[])
    fight.state = fight.state._replace(slot=0)
    before = fight.aboard(1)
    fight.do(Cross(P[1], 2, 1, (("pirate", 3),), 0))
    assert (fight.aboard(1), fight.ships[1].boats) == (before + 3, 5)
    assert fight.ships[2].fate == GONE


def test_a_launch_and_powder_do_not_go_together() -> None:
    """PWR-76, PWR-114: nobody rows away in a launch alongside before the Captain fires."""
    boat = small(LAUNCH.id, 1, (800, 2600 - 60, 0), hands(pirate=1))
    fight = ashore_battle(ship(SCHOONER, 1, (800, 2600, 0)), boat, stage=Tasking())
    fight.state = fight.state._replace(slot=0)
    assert Scuttle(P[1], 1) in fight.legal()
    fight.do(Cross(P[1], 1, 2, (("pirate", 4),), 0))
    ruling = check(fight, Scuttle(P[1], 1))
    assert (ruling.rule, "has used a launch" in ruling.reason) == ("PWR-114", True)


def test_mutineers_take_nobody_in_from_a_launch() -> None:
    """PWR-78, PWR-93: no more than out of the water, least of all their Captain."""
    boat = small(LAUNCH.id, 1, (800, 2600 - 60, 0), hands(pirate_captain=1))
    fight = ashore_battle(ship(SCHOONER, 1, (800, 2600, 0), mood="mutinous"), boat, stage=Tasking())
    fight.state = fight.state._replace(slot=0)
    ruling = check(fight, Cross(P[1], 2, 1, (("pirate-captain", 1),), 0))
    assert (ruling.rule, "takes nobody in" in ruling.reason) == ("PWR-93", True)


def test_a_hoisted_launch_brings_its_cargo_once() -> None:
    """PWR-115, PWR-130: nothing of it stays with a launch that is aboard again."""
    boat = small(LAUNCH.id, 1, (1500, 1500 + 8 * 8 + 20, 0), hands(pirate=3), stowed=1)
    fight = ashore_battle(ship(SCHOONER, 1, (1500, 1500, 0)), boat, stage=Tasking(), terrain=[])
    fight.state = fight.state._replace(slot=0)
    fight.do(Cross(P[1], 2, 1, (("pirate", 3),), 0))
    assert (fight.ships[1].stowed, fight.ships[2].stowed) == (1, 0)


@pytest.mark.parametrize(
    ("target", "said"),
    [(0, "another piece of their side"), (2, "dots from"), (9, "another piece")],
)
def test_crossing_is_refused_with_what_would_be_right(target: int, said: str) -> None:
    """PWR-114: to one's own, near enough."""
    fight = at_shore()
    ruling = check(fight, Cross(P[1], 1, target, (("pirate", 1),), 0))
    assert (ruling.rule, said in ruling.reason) == ("PWR-114", True), ruling


def test_the_crew_of_a_stranded_ship_takes_to_the_launches() -> None:
    """PWR-107, PWR-114: it can do nothing else."""
    wreck = ship(SCHOONER, 1, (800, 2000, 0), fate=AGROUND, hf=0, sf=0)
    fight = ashore_battle(wreck, ship(RUNNER, 1, (2600, 2600, 0)), stage=Tasking())
    fight.state = fight.state._replace(slot=0)
    fight.do(Lower(P[1], 1, (("pirate", 7),), 0))
    fight.do(fight.legal()[0])
    assert fight.aboard(3) == 7
    assert check(fight, FireGun(P[1], 1, 0, "ball", 0, "")).rule == "PWR-107"


def test_swimmers_climb_into_a_launch() -> None:
    """PWR-78: as into a ship."""
    boat = small(LAUNCH.id, 1, (800, 800, 0), hands(pirate=2))
    shoal = Shoal(P[1], 1, "pirate", (("pirate", 2),), 830.0, 830.0, fresh=False)
    fight = battle(
        ship(FLAGSHIP, 0, (300, 300, 0)),
        boat,
        stage=Tasking(),
        order=(1, 0),
        shoals=(shoal,),
        options={"launches": True},
    )
    fight.do(Swim(P[1], 0, 1))
    assert fight.aboard(1) == 4
    many = shoal._replace(figures=(("pirate", 4),))
    fight.state = fight.state._replace(shoals=(many,))
    ruling = check(fight, Swim(P[1], 0, 1))
    assert (ruling.rule, "no room for all" in ruling.reason) == ("PWR-115", True)


def test_a_party_is_shot_at_in_the_open() -> None:
    """PWR-126: shot from the Flagship's cannon kills two for each success."""
    party = small(PARTY.id, 1, (1532, 1700, 0), hands(pirate=8))
    places = (ship(FLAGSHIP, 0, (1500, 1900, 0), guns=(Gun("port"), Gun("port"))), party)
    fight = battle(
        *places,
        ship(RUNNER, 1, (2600, 2600, 0)),
        stage=Tasking(),
        order=(0, 1),
        slot=0,
        options={"launches": True, "terrain": [ISLAND], "losses": "order"},
    )
    bearing = next(g for g in (0, 1) if check(fight, FireGun(P[0], 0, g, "shot", 1, "")))
    fight.fire(0, bearing, "shot", 1).done().roll(2, 3, 6)
    assert fight.aboard(1) == 4


def test_who_is_fought_from_the_shore_does_not_drift() -> None:
    """PWR-53, PWR-123: a landing party is not dragged into the sea by the ship it boards."""
    men = small(PARTY.id, 0, (1500 - SHORE_MM + 8, 1500, 0), hands(marine=5))
    near = ship(SCHOONER, 1, (1500 - SHORE_MM - 60, 1500, 90))
    fight = ashore_battle(men, near)
    tied = fight.state._replace(engaged=((1, 2),), wind=wind_from("E"))
    fight.state = tied._replace(ships=tuple(under_way(tied, n) for n in range(3)))
    assert fight.ships[2].way == ADRIFT
    assert due_drift(fight.state, 2) == near.pose
    said = "The Skull's Eye Schooner cannot drift: the landing party holds her"
    assert why_held(fight.state, 2).text == said


def test_a_launch_that_drifted_has_moved() -> None:
    """PWR-114: figures leave her in the next turn only."""
    boat = small(SAILING_LAUNCH.id, 1, (1500 - SHORE_MM - 96, 1500, 270), hands(pirate=4))
    fight = ashore_battle(boat, launch_sails=True)
    assert fight.ships[1].way == ADRIFT
    fight.drift(1)
    assert fight.ships[1].moved


@pytest.mark.parametrize(("crew", "way"), [({"marine": 4}, ADRIFT), ({"sailor": 1}, FULL)])
def test_marines_sail_no_launch(crew: dict[str, int], way: str) -> None:
    """PWR-9, PWR-116: she sails like a ship."""
    boat = small(SAILING_LAUNCH.id, 1, (1500 - SHORE_MM - 96, 1500, 90), hands(**crew))
    fight = ashore_battle(boat, launch_sails=True)
    blown = fight.state._replace(wind=wind_from("N"))
    assert under_way(blown, 1).way == way


def test_ways_that_end_alike_against_a_hull_are_offered_once() -> None:
    """PWR-48: it is no matter whether she came about sooner or later."""
    boat = small(SAILING_LAUNCH.id, 1, (553.6, 659.9, 90), hands(pirate=4))
    near = ship(FLAGSHIP, 1, (536.9, 509.4, 315))
    fight = ashore_battle(boat, near, launch_sails=True)
    ways = [action for action in fight.legal() if isinstance(action, Sail) and action.ship == 1]
    ends = [way.path[-1] for way in ways]
    assert len(ends) == len(set(ends)) > 0
