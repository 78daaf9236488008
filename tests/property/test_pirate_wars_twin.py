"""PirateWars against a slow twin: damage charts, speeds, turns, bores, ranges and rakes.

``QUARTERDECK_TWIN`` in the environment sets the number of positions; 10,000 are compared before a
release.
"""

from __future__ import annotations

import os
from collections import Counter
from itertools import combinations
from random import Random

import pytest

from companion.rules.layout import Pose
from companion.rules.pirate_wars.actions import FallOff, Sail
from companion.rules.pirate_wars.built.damage import Chart, reset, struck
from companion.rules.pirate_wars.built.ship_reading import stock_ship
from companion.rules.pirate_wars.fighting import gunnery
from companion.rules.pirate_wars.options import WINDS
from companion.rules.pirate_wars.sailing.drifting import due_drift
from companion.rules.pirate_wars.sailing.seamanship import under_way
from companion.rules.pirate_wars.stages import Attack, FallingOff, Volley
from companion.rules.pirate_wars.state import hull_of
from tests.property import pirate_wars_twin as twin
from tests.unit.rules.pirate_wars.squadron import GAME, REVISED, RUNNER, battle, ship

POSITIONS = int(os.environ.get("QUARTERDECK_TWIN", "300"))
WIND_DEG = {name: (270 + 45 * n) % 360 for n, name in enumerate(WINDS)}
MODELS = sorted(twin.SHIPS)


@pytest.fixture
def random() -> Random:
    return Random(POSITIONS)


def test_the_models_on_paper():
    """PWR-19, PWR-20, PWR-22 to PWR-29, PWR-84, PWR-101: from masts and length to the chart."""
    for name, plain in twin.SHIPS.items():
        design, hull = stock_ship(name), plain["length"] // 8
        sails = twin.sail_factor(plain)
        assert (design.hull_factor, design.sail_factor) == (hull, sails), name
        assert list(design.column) == twin.column(hull, sails), name
        assert [design.speed_at(n) for n in range(sails + 1)] == [
            twin.SAIL_LOSS[hull] * n for n in range(sails + 1)
        ], name


def test_charts_row_by_row(random):
    """PWR-83 to PWR-89: hits and resets on any chart, against rows crossed off one by one."""
    seen = Counter()
    for _ in range(POSITIONS):
        hull, sails = random.randint(3, 10), random.randint(1, 16)
        paper = twin.Chart(hull, sails)
        chart = Chart("".join(twin.column(hull, sails)), hull, sails)
        for _ in range(random.randint(1, 12)):
            if random.random() < 0.25:
                count = random.randint(1, 3)
                paper.open(count)
                opened = reset(chart, count)
                seen["opened"] += opened.sf > chart.sf
                chart = opened
            else:
                what = random.choice(("ball", "shot", "sails", "hull"))
                count = random.randint(1, 4)
                chart, lost = struck(chart, what, count)
                assert lost == paper.hit(what, count)
                seen[what] += lost > 0
                seen["with the hull"] += lost > count
            assert (chart.hf, chart.sf) == (paper.left("H"), paper.left("S"))
            assert list(chart.rows) == [is_open for _, is_open in paper.rows]
    assert min(seen.values()) > POSITIONS / 20, seen


def test_speed_at_the_start_of_a_turn(random):
    """PWR-31, PWR-32, PWR-38 to PWR-42, PWR-47, PWR-85: class by heading, sails and dots."""
    seen = Counter()
    for _ in range(POSITIONS):
        name, wind = random.choice(MODELS), random.choice(WINDS)
        plain = twin.SHIPS[name]
        most = twin.sail_factor(plain)
        can, wanted, last = (random.randint(0, most) for _ in range(3))
        heading = round(random.uniform(0, 359.9), random.choice((-1, 0, 1))) % 360
        fight = battle(ship(name, 0, (900, 900, heading)), ship(MODELS[0], 1), wind=wind)
        it = fight.ships[0]._replace(sf=can, wanted=wanted, used=last)
        after = under_way(fight.state._replace(ships=(it, fight.ships[1])), 0)
        found = after.way, after.used, after.left
        assert found == twin.dots_to_move(plain, can, wanted, last, heading, WIND_DEG[wind])
        seen[after.way] += 1
    assert min(seen[kind] for kind in ("full", "tack", "adrift")) > POSITIONS / 10, seen


def test_drifting_step_by_step(random):
    """PWR-42: eight dots with the wind, then 45 degrees with it on the rudder, until she runs."""
    for _ in range(POSITIONS // 3):
        name, wind = random.choice(MODELS), random.choice(WINDS)
        pose = (1500.0, 1500.0, random.randrange(3600) / 10)
        fight = battle(ship(name, 0, pose), ship(MODELS[0], 1), wind=wind)
        if abs(twin.wrapped(pose[2] - WIND_DEG[wind])) < 0.05:
            continue  # dead in the wind's eye: either side
        drifted = twin.walked(twin.SHIPS[name], pose, WIND_DEG[wind] + 180, 64)
        turn = twin.turned_to_run(pose[2], WIND_DEG[wind], 45)
        x, y, heading = twin.pivoted(twin.SHIPS[name], drifted, turn)
        due = due_drift(fight.state, 0)
        assert (due.x_mm, due.y_mm) == pytest.approx((x, y), abs=0.8)
        assert abs(twin.wrapped(due.heading_deg - heading)) < 0.15


def test_leaps_and_turns(random):
    """PWR-39, PWR-43 to PWR-45, PWR-117: where leaps end and how a ship turns there."""
    seen = Counter()
    for _ in range(POSITIONS):
        name = random.choice(MODELS)
        plain, sails = twin.SHIPS[name], twin.sail_factor(twin.SHIPS[name])
        pose = (1500.0, 1500.0, random.randrange(0, 3600) / 10)
        sf = random.randint(1, sails)
        wind, by_sails = random.choice(WINDS), random.random() < 0.5
        it = ship(name, 0, pose, sf=sf, wanted=sf)
        fight = battle(it, ship(MODELS[0], 1), wind=wind, options={"sail_types": by_sails})
        left = fight.ships[0].left
        if fight.ships[0].way == "adrift" or not left:
            continue
        ends = twin.stops(plain["length"], left)
        far = random.choice(ends) if random.random() < 0.7 else random.randint(1, left + 8)
        if far not in ends and min(abs(far - end) for end in ends) < 2:
            continue
        turn = random.choice((0, 20, 40, 55, 80, 100)) * random.choice((-1, 1))
        ahead = twin.walked(plain, pose, pose[2], round(far * twin.DOT))
        end = twin.pivoted(plain, ahead, turn)
        ruling = GAME.check(fight.state, Sail(0, 0, (Pose(*end).rounded(),)))
        allowed = twin.turn_after(plain["length"], left, far) if far in ends else -1
        now = abs(twin.wrapped(pose[2] + turn - WIND_DEG[wind]))
        if abs(now - 90 + twin.TOLERANCE_DEG) < 0.2:
            continue
        keeps = not by_sails or twin.keeps_off_wind(plain, pose[2], turn, WIND_DEG[wind])
        expected = abs(turn) <= allowed and keeps
        assert bool(ruling) == expected, (name, left, far, turn, ruling)
        seen[allowed, bool(ruling)] += 1
        seen["square"] += abs(turn) <= allowed and not keeps
    assert {(90, True), (90, False), (-1, False), (0, False), (0, True)} <= set(seen), seen
    assert seen["square"], seen


def test_falling_off(random):
    """PWR-44, PWR-46: up to 45 degrees with the wind on the rudder, never past running."""
    seen = Counter()
    for _ in range(POSITIONS):
        name, wind = random.choice(MODELS), random.choice(WINDS)
        pose = (1500.0, 1500.0, float(random.randrange(360)))
        off = twin.wrapped(WIND_DEG[wind] + 180 - pose[2])
        if not 4 < abs(off) < 176:
            continue
        turn = random.randint(-60, 60)
        pivot = twin.pivoted(twin.SHIPS[name], pose, turn)
        fight = battle(ship(name, 0, pose), ship(MODELS[0], 1), wind=wind, stage=FallingOff())
        ruling = GAME.check(fight.state, FallOff(0, 0, Pose(*pivot).rounded()))
        most = abs(twin.turned_to_run(pose[2], WIND_DEG[wind], 45))
        with_wind = turn if off > 0 else -turn
        if min(abs(with_wind), abs(with_wind - most)) > twin.TOLERANCE_DEG + 0.5:
            assert bool(ruling) == (0 < with_wind < most), (name, wind, pose, turn, ruling)
            seen[bool(ruling)] += 1
    assert min(seen[True], seen[False]) > POSITIONS / 20, seen


def gunners(random: Random):
    """Return a battle of three ships, near each other or strewn, and their plain data."""
    wide = random.choice((5000, 14000))
    # A table plays with one Renegade Runner or the other.
    left_out = random.choice((RUNNER, REVISED))
    models = [name for name in MODELS if name != left_out]
    names = [random.choice(models) for _ in range(3)]
    plain = [twin.SHIPS[name] for name in names]
    outlines = [stock_ship(name).outline_mm for name in names]
    while True:
        poses = [
            tuple(8 + random.randrange(steps) / 10 for steps in (wide, wide, 3592)) for _ in names
        ]
        hulls = [twin.hull(*one) for one in zip(plain, outlines, poses, strict=True)]
        if all(twin.apart(*pair) > twin.HAIR_MM for pair in combinations(hulls, 2)):
            break
    ships = [ship(name, side, at) for name, side, at in zip(names, (0, 1, 1), poses, strict=True)]
    fight = battle(*ships)
    return fight, plain, poses, hulls


def test_bores_ranges_and_rakes(random):
    """PWR-67 to PWR-75: what guns bear on, from how far, and from which end."""
    seen = Counter()
    for _ in range(POSITIONS // 3):
        fight, plain, poses, hulls = gunners(random)
        state, mine, target = fight.state, plain[0], hulls[1]
        away = twin.apart(hulls[0], target)
        assert gunnery.ship_dots(state, 0, 1) == pytest.approx(away / twin.DOT, abs=0.01)
        for gun, it in enumerate(state.ships[0].guns):
            start = twin.muzzle(mine, gun, it.side, poses[0])
            far = twin.off(target, start) / twin.DOT
            assert gunnery.gun_dots(state, 0, gun, 1) == pytest.approx(far, abs=0.01)
            if gun >= len(mine["cannon"]):
                continue
            if mine["cannon"][gun]["mount"] == "turntable":
                bears = twin.sees_round(start, poses[0], target, [hulls[2]])
            else:
                course = poses[0][2] + twin.SIDES[it.side]
                bears = twin.looks_along(start, course, target, [hulls[2]])
            if bears is not None:
                assert gunnery.bears(state, 0, gun, 1) == bears, (poses, gun)
                seen["bears", bears] += 1
            raking = twin.rakes(start, plain[1], target, poses[1])
            if raking is not None:
                assert gunnery.is_raking(state, 0, gun, 1) == raking, (poses, gun)
                seen["rakes", raking] += 1
    assert min(seen.values()) > POSITIONS / 60, seen
    assert len(seen) == 4, seen


def test_volleys(random):
    """PWR-69 to PWR-71, PWR-74: range from the closest gun, rakes for all, too near by the gun."""
    seen = Counter()
    for _ in range(POSITIONS // 3):
        fight, plain, poses, hulls = gunners(random)
        state, ammo = fight.state, random.choice(("cannon-ball", "cannon-shot"))
        guns = [gun for gun in range(len(plain[0]["cannon"])) if random.random() < 0.7] or [0]
        starts = {
            gun: twin.muzzle(plain[0], gun, state.ships[0].guns[gun].side, poses[0]) for gun in guns
        }
        far = {gun: twin.off(hulls[1], start) / twin.DOT for gun, start in starts.items()}
        raking = [twin.rakes(start, plain[1], hulls[1], poses[1]) for start in starts.values()]
        attacks = tuple(Attack(0, ammo, gun, "", 1, 1, "") for gun in guns)
        thrown, lost = gunnery.ranged(state, attacks)
        weapon, closest = twin.WEAPONS[ammo], min(far.values())
        edges = [weapon["range"] - closest, *[weapon["nearest"] - d for d in far.values()]]
        if min(map(abs, edges)) < 0.05 or (None in raking and not any(raking)):
            continue
        if closest > weapon["range"]:
            assert (thrown, len(lost)) == ((), len(guns))
            seen["out of range"] += 1
            continue
        assert thrown == tuple(
            Volley(
                attack, weapon["dice"], weapon["target"], far[gun] < weapon["nearest"], any(raking)
            )
            for gun, attack in zip(guns, attacks, strict=True)
        )
        seen["raked" if any(raking) else "thrown"] += 1
        seen["too near"] += any(volley.near for volley in thrown)
    assert len(seen) == 4, seen


def test_hulls_lie_where_the_twin_puts_them(random):
    """The twin takes the outline of a hull as it is; where it lies it reckons by itself."""
    for _ in range(20):
        fight, _, _, hulls = gunners(random)
        for number, corners in enumerate(hulls):
            for (x, y), corner in zip(hull_of(fight.state, number), corners, strict=True):
                assert (x, y) == pytest.approx((corner.real, corner.imag), abs=1e-6)
