"""Optional rules of PirateWars in play: own ships and charts, grounds, rigs, loot."""

from __future__ import annotations

import copy
from dataclasses import replace
from importlib import resources
from typing import Any

import pytest

from companion.errors import BadOptions
from companion.rules.deeds import Deed
from companion.rules.game import Ruling
from companion.rules.layout import Pose
from companion.rules.pirate_wars.actions import (
    ChooseShip,
    FireGun,
    Haul,
    Sail,
    SetSails,
    StrikeSail,
)
from companion.rules.pirate_wars.ashore.loot import CHESTS, STOWED
from companion.rules.pirate_wars.built.charts import built_in
from companion.rules.pirate_wars.built.rigging import rig
from companion.rules.pirate_wars.built.ship_reading import stock_ship, write_design
from companion.rules.pirate_wars.built.vessels import PARTY
from companion.rules.pirate_wars.fighting.close_quarters import gun_throws
from companion.rules.pirate_wars.options import FULL, read_options, write_options
from companion.rules.pirate_wars.pieces import ADRIFT, AGROUND, NOWHERE, TACK, WRECKED, Ship
from companion.rules.pirate_wars.sailing.seamanship import under_way
from companion.rules.pirate_wars.setup import launched
from companion.rules.pirate_wars.stages import Fight, Throw
from companion.rules.pirate_wars.state import fleet
from tests.unit.rules.pirate_wars.moves import ahead, turned
from tests.unit.rules.pirate_wars.squadron import (
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


def check(fight: Battle, action: Deed) -> Ruling:
    return GAME.check(fight.state, action)


CHARTS_FILE = (
    resources.files("companion.rules.pirate_wars.built").joinpath("charts.toml").read_text("utf-8")
)


# -- ships and charts of one's own --------------------------------------------------------------


def swan(**changes: Any) -> dict[str, Any]:
    """Return a ship of somebody's own, as the shipyard keeps it."""
    return write_design(stock_ship(SCHOONER)) | {"id": "swan", "title": "Black Swan"} | changes


def test_a_ship_of_ones_own_can_be_commanded() -> None:
    """PWR-98 to PWR-106: what the shipyard made is offered beside the models."""
    state = GAME.setup(["Ann", "Bob"], {"own_ships": [swan()]})
    assert ChooseShip(P[0], "swan") in GAME.legal_actions(state, P[0])
    state = GAME.apply(state, ChooseShip(P[0], "swan")).state
    assert GAME.from_json(GAME.to_json(state)) == state
    assert (state.sides, state.ships[0].sf, state.ships[0].chests) == (("pirate",), 8, 4)


@pytest.mark.parametrize(
    ("ships", "said"),
    [
        ([swan(cargo=5)], "Black Swan may not sail: There is room for 9 tons"),
        ([swan(withheld=2)], "PWR-112"),
        ([swan(), swan()], "There is a ship 'swan' already"),
        ([swan(id=SCHOONER)], "give yours its own id"),
        ([{"id": "swan"}], "ship 1 lacks the field 'title'"),
        ("swan", "Give a list of up to 12 ships"),
    ],
)
def test_what_may_not_be_built_may_not_sail(ships: object, said: str) -> None:
    """PWR-104, PWR-112: the set-up refuses it with the sentence of the shipyard."""
    with pytest.raises(BadOptions) as raised:
        GAME.setup(["Ann", "Bob"], {"own_ships": ships})
    assert said in str(raised.value)
    assert raised.value.option == "own_ships"


def test_overloading_is_played_with_where_chosen() -> None:
    """PWR-112, T14: an overloaded schooner sails 48 dots."""
    options = {"own_ships": [swan(withheld=2)], "overloading": True}
    design = read_options(options).designs["swan"]
    assert design.speed == 48
    assert design.speed_labels == (48, 40, 32, 24, 16, 8, 8, 8)
    own = ship(SCHOONER, 0, (1500, 1500, 90))._replace(design="swan")
    far = ship(FLAGSHIP, 1, (300, 300, 90))
    for sails, dots in ((8, 48), (7, 40), (3, 8), (1, 8)):
        line = battle(own._replace(sf=sails), far, options=options)
        assert line.ships[0].left == dots


def test_oversailing_is_played_with_where_chosen() -> None:
    """PWR-111: ten sail factors on a hull for eight."""
    ten = write_design(replace(stock_ship(SCHOONER), masts=rig(12, 10)))["mast"]
    fast = swan(mast=ten, cannon=[], extras={}, cargo=0)
    with pytest.raises(BadOptions, match="PWR-100"):
        read_options({"own_ships": [fast]})
    assert read_options({"own_ships": [fast], "oversailing": True}).designs["swan"].speed == 80


def test_charts_of_ones_own() -> None:
    """PWR-69: a musket that reaches farther; the record keeps the whole chart."""
    data = copy.deepcopy(dict(built_in("charts")))
    data["weapon"]["musket"]["range"] = 60
    options = read_options({"own_charts": data})
    assert options.charts.weapons["musket"].range == 60
    assert read_options(write_options(options)) == options
    text = CHARTS_FILE.replace('title = "musket", dice = 1', 'title = "musket", dice = 2')
    as_file = read_options({"own_charts": text})
    assert as_file.charts.weapons["musket"].dice == 2
    assert read_options(write_options(as_file)) == as_file
    assert write_options(as_file)["own_charts"] == text
    with pytest.raises(BadOptions, match="The charts file is no TOML"):
        read_options({"own_charts": "mine"})
    with pytest.raises(BadOptions, match="content of a charts file"):
        read_options({"own_charts": 3})
    with pytest.raises(BadOptions, match="the charts file lacks the field 'defaults'"):
        read_options({"own_charts": "title = 'mine'"})
    data["weapon"]["musket"]["range"] = -1
    with pytest.raises(BadOptions, match="must be 1 to 1000, not -1"):
        read_options({"own_charts": data})


def test_loading_is_no_matter_of_charts() -> None:
    """PWR-80: the text says how long it takes, so another number would mean nothing."""
    data = copy.deepcopy(dict(built_in("charts")))
    data["weapon"]["cannon-ball"]["reload"] = 6
    with pytest.raises(BadOptions, match=r"cannon-ball\.reload must be 2, not 6"):
        read_options({"own_charts": data})


def test_muskets_of_a_boarding_are_those_of_the_chart() -> None:
    """PWR-60: a table's own dice and target numbers count there, too."""
    data = copy.deepcopy(dict(built_in("charts")))
    data["weapon"]["musket"] |= {"dice": 2, "target": 1}
    fight = tasks(ship(FLAGSHIP, 0), ship(SCHOONER, 1), options={"own_charts": data})
    marines = crew_of(("marine", "deck", 4, True))
    assert gun_throws(fight.state, Fight((0, 1), True, (marines, ()))) == (Throw(0, 8, 1),)


def test_a_critical_hit_takes_all_dice_of_the_chart() -> None:
    """PWR-72: with two dice both."""
    data = copy.deepcopy(dict(built_in("charts")))
    data["weapon"]["cannon-ball"]["dice"] = 2
    fight = tasks(
        ship(SCHOONER, 0, (1500, 1500, 0)),
        ship(FLAGSHIP, 1, (1500, 1100, 0)),
        slot=0,
        options={"own_charts": data},
    )
    gun = next(a.gun for a in fight.legal() if isinstance(a, FireGun))
    fight.fire(0, gun, "ball", 1).done().roll(1, 1)
    assert fight.asked() == "critical_hit"


# -- running aground ----------------------------------------------------------------------------

ROCK = {"kind": "island", "x_mm": 1500, "y_mm": 1500, "across_dots": 16, "depth_dots": 0}


def reef(depth: int, y_mm: int = 1500, across: int = 40) -> dict[str, Any]:
    return ROCK | {"kind": "reef", "depth_dots": depth, "across_dots": across, "y_mm": y_mm}


def among(name: str, at: tuple[float, float, float], *ground: Any, **options: Any) -> Battle:
    """Return a ship among islands and reefs, the wind astern, an enemy far away."""
    chosen = {"grounding": FULL, "terrain": list(ground), "losses": "order"} | options
    enemy = ship(RUNNER, 1, (300, 300, 0))
    wind = "E" if at[2] == 180 else "W"
    return battle(ship(name, 0, at), enemy, wind=wind, options=chosen)


def sail(fight: Battle, *path: Pose) -> Battle:
    return fight.do(Sail(fight.player, 0, path))


def east_of(dots: float, name: str, y_mm: float = 1500.0) -> tuple[float, float, float]:
    """Return the pose of a ship heading west whose bow is so far from the rock's shore."""
    half = stock_ship(name).length / 2
    return 1500 + 64 + (dots + half) * 8, y_mm, 180.0


def test_a_flagship_strikes_a_rock_head_on() -> None:
    """PWR-107, PWR-109, T12: 16 dots, then 44 left are six points; she has four and stays there."""
    start = east_of(16, FLAGSHIP)
    fight = among(FLAGSHIP, start, ROCK)
    assert fight.ships[0].left == 60
    sail(fight, ahead(Pose(*start), 16))
    lying = fight.ships[0]
    assert (lying.fate, lying.hf, lying.left) == (AGROUND, 0, 0)
    assert lying.pose != NOWHERE
    assert lying.crew
    assert "lies there for good" in fight.told()
    # She is out of the game: her side commands nothing any more.
    assert fleet(fight.state, 0) == []


def test_she_lies_in_the_way_of_others() -> None:
    """PWR-107: a wreck on the ground is on the table and in the layout."""
    wreck = ship(FLAGSHIP, 1, (1500, 1500, 90), fate=AGROUND, hf=0, sf=0)
    other = ship(FLAGSHIP, 1, (300, 300, 0))
    fight = battle(ship(RUNNER, 0, (1100, 1500, 0)), wreck, other, wind="W")
    assert 2 in GAME.layout(fight.state).pieces
    ruling = check(fight, Sail(P[0], 0, (ahead(fight.ships[0].pose, 48),)))
    assert ruling.rule == "PWR-48"


def test_a_stranded_crew_has_a_page() -> None:
    """PWR-107: it may still take to the launches; of a wreck that is left there is none."""
    for crew, pages in ((crew_of(("sailor", "deck", 3)), [1, 2, 3]), ((), [1, 3])):
        wreck = ship(FLAGSHIP, 1, (1500, 1500, 90), fate=AGROUND, hf=0, sf=0, crew=crew)
        fight = battle(ship(RUNNER, 0, (1100, 1500, 0)), wreck, ship(FLAGSHIP, 1, (300, 300, 0)))
        assert [sheet.tag for sheet in GAME.view(fight.state, None).sheets] == pages


def test_nearness_counts_head_on_where_chosen() -> None:
    """PWR-109: with the switch a narrow ship loses two points more."""
    start = east_of(44, FLAGSHIP)
    for chosen, left in ((False, 2), (True, 0)):
        fight = among(FLAGSHIP, start, ROCK, head_on_proximity=chosen)
        sail(fight, ahead(Pose(*start), 44))
        assert fight.ships[0].hf == left


AHEAD = ROCK | {"x_mm": 1380, "across_dots": 40}
"""An island 53.5 dots ahead of a schooner at x = 600; after a leap it is 5.5 dots away."""
ON_THE_WAY = reef(8, across=10) | {"x_mm": 900}
BESIDE = ROCK | {"x_mm": 900, "y_mm": 1500 + (6 + 7) * 8 + 32, "across_dots": 8}
"""An island that is passed at seven dots on the way there, two HF for a wide hull."""


@pytest.mark.parametrize("legs", [(53.5,), (48, 5.5)])
@pytest.mark.parametrize(
    ("ground", "proximity", "lost"),
    [
        ([AHEAD], False, 2),
        ([ON_THE_WAY, AHEAD], False, 2 + 2),
        ([AHEAD, BESIDE], False, 2 + 2),
        ([AHEAD], True, 2 + 3),
    ],
)
def test_one_way_costs_what_its_leaps_cost(
    legs: tuple[float, ...], ground: list[dict[str, Any]], proximity: bool, lost: int
) -> None:
    """PWR-108 to PWR-110: 10.5 dots left are two points head on; what lies on the way counts too.

    The nearness that a rest between the leaps has cost is no more than that.
    """
    start = (600.0, 1500.0, 0.0)
    fight = among(SCHOONER, start, *ground, head_on_proximity=proximity)
    for dots in legs:
        sail(fight, ahead(fight.ships[0].pose, dots))
    assert 6 - fight.ships[0].hf == lost


def test_nearness_paid_in_a_move_before_does_not_soften_a_rock() -> None:
    """PWR-109: she lay two dots off it; head on costs what the movement left costs."""
    start = east_of(2, RUNNER)
    fight = among(RUNNER, start, ROCK)
    fight.state = fight.state._replace(
        ships=(fight.ships[0]._replace(used=1, left=16), fight.ships[1])
    )
    sail(fight, ahead(Pose(*start), 2))
    assert 3 - fight.ships[0].hf == 2


def test_a_shore_that_is_brushed_costs_the_nearness_that_is_left() -> None:
    """PWR-108, PWR-109: a rock abeam, seven dots off after a leap, is no more than two points."""
    start = (1000.0, 1500.0, 0.0)
    rock = ROCK | {"x_mm": 1440, "y_mm": 1500 + 32 + 10 + 64}
    lost = []
    for legs in ((50,), (32, 18)):
        fight = among(FLAGSHIP, start, rock)
        for dots in legs:
            sail(fight, ahead(fight.ships[0].pose, dots))
        lost.append(4 - fight.ships[0].hf)
    assert lost == [2, 2]


@pytest.mark.parametrize(("gap", "lost"), [(13, 0), (10, 1), (6, 2), (2, 3)])
def test_passing_an_island_costs_by_the_band(gap: float, lost: int) -> None:
    """PWR-108, T12: a schooner six dots off loses two; once, not for every leap."""
    y = 1500 + (8 + gap + 6) * 8
    start = (1500.0 + 500, y, 180.0)
    fight = among(SCHOONER, start, ROCK | {"across_dots": 17})
    sail(fight, ahead(Pose(*start), 64))
    assert 6 - fight.ships[0].hf == lost


def test_reefs_by_depth_and_hull() -> None:
    """PWR-110, T13: a Runner crosses a reef of depth 8 for one point, a Man of War for two."""
    for name, lost, tacks in ((RUNNER, 1, 48), (MAN_OF_WAR, 2, 64)):
        start = east_of(4, name)
        fight = among(name, start, reef(8, across=16))
        whole = stock_ship(name).hull_factor
        sail(fight, ahead(Pose(*start), tacks))
        assert whole - fight.ships[0].hf == lost


def test_from_a_reef_into_shallower_water() -> None:
    """PWR-110, T13: the Runner loses the difference, one point more."""
    start = east_of(4, RUNNER)
    fight = among(RUNNER, start, reef(8, across=16), reef(4, across=8))
    sail(fight, ahead(Pose(*start), 48))
    assert 3 - fight.ships[0].hf == 2


# -- headings by sails --------------------------------------------------------------------------


def test_square_sails_do_not_tack() -> None:
    """PWR-117: 45 degrees off the wind a Flagship tacks; with the rule she is adrift there."""
    for chosen, way in ((False, TACK), (True, ADRIFT)):
        options = {"sail_types": chosen}
        fight = battle(
            ship(FLAGSHIP, 0, (1500, 1500, 315)),
            ship(RUNNER, 1, (300, 300, 315)),
            wind="N",
            options=options,
        )
        assert fight.ships[0].way == way
        assert fight.ships[1].way == TACK  # gaff and jib


@pytest.mark.parametrize(
    ("name", "turn", "struck", "rule"),
    [
        (FLAGSHIP, -45, False, "PWR-117"),
        (FLAGSHIP, -2, False, ""),  # no turn that could be measured
        (FLAGSHIP, 90, False, ""),
        (FLAGSHIP, -90, True, ""),
        (RUNNER, -90, False, ""),  # gaff and jib
    ],
)
def test_square_sails_do_not_turn_into_the_wind_on_the_way(
    name: str, turn: float, struck: bool, rule: str
) -> None:
    """PWR-117: who sails straight across the wind turns off it, never up into it."""
    mine = ship(name, 0, (1500, 1500, 0), struck=struck)
    other = ship(SCHOONER, 1, (300, 300, 0))
    fight = battle(mine, other, wind="N", options={"sail_types": True})
    leap = stock_ship(name).length
    path = (turned(fight.state, 0, ahead(mine.pose, leap), turn),)
    ruling = check(fight, Sail(P[0], 0, path))
    assert (ruling.rule if not ruling else "") == rule
    offered = [a.path[0].heading_deg for a in fight.legal() if isinstance(a, Sail)]
    assert any(heading > 180 for heading in offered) == (name == RUNNER or struck)


def test_a_flagship_strikes_her_square_sail_to_tack() -> None:
    """PWR-117: two sailors, and she sails as if two sail factors fewer: 36 dots, tacking 18."""
    fight = tasks(
        ship(RUNNER, 0, (300, 300, 0)),
        ship(FLAGSHIP, 1, (1500, 1500, 315), sf=5, used=5),
        options={"sail_types": True},
    )
    strike = StrikeSail(P[1], 1)
    assert strike in fight.legal()
    fight.do(strike)
    assert sum(n for hand, n in fight.ships[1].crew if hand.busy) == 2
    moved = under_way(fight.state, 1)
    assert (moved.way, moved.used, moved.left) == (TACK, 3, 18)
    fight.do(strike)
    assert not fight.ships[1].struck


def test_a_struck_sail_needs_no_shortening() -> None:
    """PWR-31, PWR-117: of five SF three are not struck, so one hand more keeps her at two."""
    flagship = ship(FLAGSHIP, 1, (1500, 1500, 315), used=3, struck=True)
    few = crew_of(("sailor", "deck", 5), ("imperial-captain", "deck", 1))
    fight = tasks(
        ship(RUNNER, 0, (300, 300, 0)),
        flagship._replace(crew=few, tested=("adrift", "captain_lost", "half_lost")),
        options={"sail_types": True},
    )
    fight.do(SetSails(P[1], 1, 2)).done().done()
    assert (fight.ships[1].sf, fight.ships[1].wanted) == (5, 2)
    assert "shorten" not in fight.told()


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        (SCHOONER, {"sail_types": True}, "no single square sail"),
        (FLAGSHIP, {}, "Headings do not depend on sails"),
    ],
)
def test_striking_is_refused_where_it_helps_nobody(
    name: str, options: dict[str, Any], said: str
) -> None:
    """PWR-117: the Schooner never heads up, and without the rule nobody strikes."""
    other = RUNNER if name == FLAGSHIP else FLAGSHIP
    fight = tasks(ship(other, 0, (300, 300, 0)), ship(name, 1, (1500, 1500, 0)), options=options)
    ruling = check(fight, StrikeSail(P[1], 1))
    assert (ruling.rule, said in ruling.reason) == ("PWR-117", True)


# -- the revised Renegade Runner ----------------------------------------------------------------


def test_the_revised_runner_turns_three_times() -> None:
    """PWR-23, PWR-44, T15: 64 dots are leaps of 24, 24 and 16, with three turns of 90 degrees."""
    fight = battle(ship(REVISED, 0, (1500, 1500, 0)), ship(FLAGSHIP, 1, (300, 300, 0)), wind="W")
    pose, path = fight.ships[0].pose, []
    for leap in (24, 24, 16):
        pose = turned(fight.state, 0, ahead(pose, leap), 90)
        path.append(pose)
    fight.do(Sail(P[0], 0, tuple(path)))
    assert (fight.ships[0].pose, fight.ships[0].left) == (path[-1], 0)
    assert fight.ships[0].pose.heading_deg == 270


def test_the_runner_comes_revised_where_the_table_chose_so() -> None:
    """PWR-22, PWR-23: one Runner or the other, though the revised breaks PWR-105 twice."""
    for options, there, away in (
        ({}, RUNNER, REVISED),
        ({"revised_runner": True}, REVISED, RUNNER),
    ):
        state = GAME.setup(["Ann", "Bob"], options)
        fight = Battle(state)
        assert ChooseShip(P[0], there) in fight.legal()
        assert "There is no ship called" in check(fight, ChooseShip(P[0], away)).reason
    assert GAME.apply(state, ChooseShip(P[0], REVISED)).state.ships[0].sf == 4


# -- stern chasers ------------------------------------------------------------------------------


def test_stern_chasers_fire_dead_astern() -> None:
    """PWR-105, PWR-68: a design of one's own with a chaser; it bears on whoever tails the ship."""
    chaser = {"mount": "chaser", "side": "stern", "at": -20}
    own = swan(cannon=[chaser], extras={}, cargo=0)
    with pytest.raises(BadOptions, match="only where the table plays with them"):
        read_options({"own_ships": [own]})
    options = {"own_ships": [own], "stern_chasers": True}
    design = read_options(options).designs["swan"]
    tailed = launched(design, P[1])._replace(pose=Pose(1500.0, 1500.0, 0.0))
    for x, y, bears in ((1000, 1500, True), (2000, 1500, False), (1500, 1900, False)):
        fight = tasks(ship(FLAGSHIP, 0, (x, y, 0)), tailed, options=options)
        assert bool(check(fight, FireGun(P[1], 1, 0, "ball", 0, ""))) == bears


# -- hauling loot -------------------------------------------------------------------------------


def alongside(**options: Any) -> Battle:
    """Return two schooners of one captain hull to hull, an enemy far away."""
    return tasks(
        ship(FLAGSHIP, 0, (300, 300, 0)),
        ship(SCHOONER, 1, (1500, 1500, 0)),
        ship(SCHOONER, 1, (1500, 1500 + 12 * 8, 0)),
        options={"hauling": True} | options,
    )


def test_chests_are_hauled_by_two_each() -> None:
    """PWR-130: three chests keep six figures busy."""
    fight = alongside().do(Haul(P[1], 1, 2, CHESTS, 3))
    assert [s.chests for s in fight.ships] == [0, 1, 7]
    assert sum(n for hand, n in fight.ships[1].crew if hand.busy) == 6


def test_a_cannon_is_hauled_by_four_and_stowed() -> None:
    """PWR-130: it leaves its port; on the other ship it is cargo, which can be hauled on."""
    fight = alongside().do(Haul(P[1], 1, 2, 0, 1))
    assert fight.ships[1].guns[0].load == WRECKED
    assert fight.ships[2].stowed == 1
    assert sum(n for hand, n in fight.ships[1].crew if hand.busy) == 4
    fight.do(Haul(P[1], 2, 1, STOWED, 1))
    assert [s.stowed for s in fight.ships] == [0, 1, 0]


def test_those_ashore_help_to_unload_a_cannon() -> None:
    """PWR-130: a team of four; with a cannon in a launch no more than three sit there."""
    isle = {"kind": "island", "x_mm": 1500, "y_mm": 1500, "across_dots": 60, "depth_dots": 0}
    boat = Ship("launch", P[1], 1, 0, crew_of(("pirate", "deck", 3)), (), stowed=1)
    team = Ship(PARTY.id, P[1], 1, 0, crew_of(("pirate", "deck", 2)), ())
    fight = tasks(
        ship(FLAGSHIP, 0, (300, 300, 0)),
        boat._replace(pose=Pose(1228.0, 1500.0, 0.0)),
        team._replace(pose=Pose(1276.0, 1500.0, 0.0)),
        options={"hauling": True, "launches": True, "terrain": [isle]},
    )
    unload = Haul(P[1], 1, 2, STOWED, 1)
    assert unload in fight.legal()
    fight.do(unload)
    assert (fight.ships[1].stowed, fight.ships[2].stowed) == (0, 1)
    busy = [sum(n for hand, n in fight.ships[k].crew if hand.busy) for k in (1, 2)]
    assert busy == [3, 1]


@pytest.mark.parametrize("idle", [{"stunned": True}, {"mood": "mutinous"}, {}])
def test_who_is_in_a_boarding_helps_to_unload_nothing(idle: dict[str, Any]) -> None:
    """PWR-50, PWR-58, PWR-93, PWR-130: nor after a ramming, nor in a mutiny."""
    boat = Ship("launch", P[1], 1, 0, crew_of(("pirate", "deck", 1)), (), chests=1)
    fight = tasks(
        ship(FLAGSHIP, 0, (300, 300, 0)),
        boat._replace(pose=Pose(1500.0, 1500.0, 0.0)),
        ship(SCHOONER, 1, (1500, 1500 + 8 * 8, 0), **idle),
        options={"hauling": True, "launches": True},
    )
    unload = Haul(P[1], 1, 2, CHESTS, 1)
    if not idle:
        assert unload in fight.legal()
        fight.state = fight.state._replace(fought=(0, 2))
    ruling = check(fight, unload)
    assert (ruling.rule, "not 1" in ruling.reason) == ("PWR-130", True)


@pytest.mark.parametrize(
    ("haul", "said"),
    [
        (Haul(P[1], 1, 2, CHESTS, 5), "does not have that"),
        (Haul(P[1], 1, 2, STOWED, 1), "does not have that"),
        (Haul(P[1], 1, 2, 9, 1), "does not have that"),
        (Haul(P[1], 1, 0, CHESTS, 1), "a ship of your own, or to one that nobody holds"),
        (Haul(P[1], 1, 1, CHESTS, 1), "hauled to another ship"),
        (Haul(P[1], 1, 7, CHESTS, 1), "hauled to another ship"),
    ],
)
def test_hauling_is_refused_with_what_would_be_right(haul: Haul, said: str) -> None:
    """PWR-130."""
    ruling = check(alongside(), haul)
    assert (ruling.rule, said in ruling.reason) == ("PWR-130", True)


def test_hauling_needs_hands_contact_and_the_option() -> None:
    """PWR-130: hull to hull; and two figures for each chest."""
    apart = tasks(
        ship(FLAGSHIP, 0, (300, 300, 0)),
        ship(SCHOONER, 1, (1500, 1500, 0)),
        ship(SCHOONER, 1, (1500, 1800, 0)),
        options={"hauling": True},
    )
    assert "hull to hull" in check(apart, Haul(P[1], 1, 2, CHESTS, 1)).reason
    off = alongside(hauling=False)
    assert "not hauled at this table" in check(off, Haul(P[1], 1, 2, CHESTS, 1)).reason
    assert not any(isinstance(action, Haul) for action in off.legal())
    few = alongside()
    crew = few.ships[1].crew[:1]
    short = few.ships[1]._replace(crew=((crew[0][0], 1),))
    few.state = few.state._replace(ships=(few.ships[0], short, few.ships[2]))
    assert "It takes 2 figures" in check(few, Haul(P[1], 1, 2, CHESTS, 1)).reason


def test_firing_real_cannon_balls_is_left_out() -> None:
    """PWR-118 is excluded: where bricks fly, nobody can say from a picture what a ball did.

    A ball that flew past, back or stayed aboard is no die; no option of the game offers it.
    """
    words = " ".join(f"{option.id} {option.text}" for option in GAME.info.options)
    assert "PWR-118" not in words
    assert not any(option.id.startswith("firing") for option in GAME.info.options)
