"""PirateWars looks first at circles and boxes: on random tables that changes no answer."""

from __future__ import annotations

import itertools
from random import Random

import pytest

from companion.rules.layout import Pose
from companion.rules.outlines import depth as inside
from companion.rules.outlines import gap, nearest_points, overlap, swept
from companion.rules.paths import crossing
from companion.rules.pirate_wars.fighting import gunnery
from companion.rules.pirate_wars.sailing import aground, courses, drifting, waters
from companion.rules.pirate_wars.sailing.groundings import crossing_damage, passing_damage
from companion.rules.pirate_wars.sailing.seamanship import dots, mm
from companion.rules.pirate_wars.state import State, afloat, design_of, hull_of
from companion.rules.plane import on_board, toward
from tests.unit.rules.pirate_wars.squadron import GAME

SEA = [900, 700]
GROUNDS = [
    {"kind": "island", "x_mm": 450, "y_mm": 300, "across_dots": 30, "depth_dots": 0},
    {"kind": "island", "x_mm": 700, "y_mm": 600, "across_dots": 8, "depth_dots": 0},
    {"kind": "reef", "x_mm": 200, "y_mm": 500, "across_dots": 24, "depth_dots": 8},
    {"kind": "reef", "x_mm": 650, "y_mm": 150, "across_dots": 16, "depth_dots": 4},
]
STEPS = 14


def table(seed: int, full: bool) -> tuple[State, Random]:
    """Return four ships strewn over a small sea."""
    random = Random(seed)
    options = {"ships_each": 2, "sea_mm": SEA, "terrain": GROUNDS, "wind": "W"}
    state = GAME.setup(["Ann", "Ben"], options | {"grounding": "full" if full else "basic"})
    while GAME.pending(state).phase == "choose_ship":
        state = GAME.apply(
            state, random.choice(GAME.legal_actions(state, state_asked(state)))
        ).state
    ships = [ship._replace(pose=anywhere(random)) for ship in state.ships]
    return state._replace(ships=tuple(ships)), random


def state_asked(state: State):
    return GAME.pending(state).player


def anywhere(random: Random) -> Pose:
    x, y = random.uniform(0, SEA[0]), random.uniform(0, SEA[1])
    return Pose(x, y, random.uniform(0, 360)).rounded()


def everything(state: State, *skip: int):
    """Return all hulls but some, and all islands."""
    hulls = [(n, hull_of(state, n)) for n in afloat(state) if n not in skip]
    return hulls + [(-1, island) for island in state.options.islands]


def plain_free(start, course: float, most: float, other, allowed: float) -> float:
    """Return how far a hull can move, by halving."""

    def lies_in(far: float) -> bool:
        dx, dy = toward((0.0, 0.0), course, far)
        return overlap(swept(start, tuple((x + dx, y + dy) for x, y in start)), other) > deep

    deep = overlap(start, other) + allowed
    if not lies_in(most):
        return most
    low, high = 0.0, most
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if lies_in(middle) else (middle, high)
    return low


def plain_shortage(state: State, number: int, water) -> float:
    draft, worst = design_of(state, number).draft, 0.0
    for ground, shore in state.options.grounds:
        if ground.kind == "island":
            worst = max(worst, draft - max(dots(gap(water, shore)), 0.0))
        elif overlap(water, shore) > 0:
            worst = max(worst, draft - ground.depth_dots)
    return worst


def plain_grounding(state: State, number: int, before: Pose, after: Pose) -> int:
    """PWR-55, with every island and reef looked at."""
    here, there = hull_of(state, number, before), hull_of(state, number, after)
    if plain_shortage(state, number, here) > 0 and not plain_shortage(state, number, there) > 0:
        return 0
    return aground.grounding_damage(plain_shortage(state, number, swept(here, there)))


def plain_full_grounding(state: State, number: int, before: Pose, after: Pose) -> int:
    """PWR-108 and PWR-110, with every island and reef looked at, the bow's way in small steps."""
    design = design_of(state, number)
    here, there = hull_of(state, number, before), hull_of(state, number, after)
    total = 0
    for island in state.options.islands:
        near, now = (
            passing_damage(design.draft, max(dots(gap(water, island)), 0.0))
            for water in (swept(here, there), here)
        )
        total += max(near - now, 0)
    start, end = (on_board(pose, design.bow_mm) for pose in (before, after))
    reefs = [(g.depth_dots, shore) for g, shore in state.options.grounds if g.kind == "reef"]
    marks = {0.0, 1.0}
    for _, shore in reefs:
        marks |= {*(crossing(start, end, shore) or ())}
    ordered = sorted(marks)
    middles = [(a + b) / 2 for a, b in itertools.pairwise(ordered)]
    depths = []
    for part in (0.0, *middles):
        point = (start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1]))
        depths.append(min((d for d, shore in reefs if inside(point, shore) > 0), default=None))
    draft = design.draft
    return total + crossing_damage(draft, depths) - crossing_damage(draft, depths[:1])


@pytest.mark.parametrize("seed", range(60))
def test_what_lies_around_a_ship(seed):
    """PWR-48, PWR-51, PWR-52: nothing that is near is left out."""
    state, random = table(seed, full=False)
    pose, within = anywhere(random), random.choice((0.0, 20.0, 200.0))
    reach = design_of(state, 0).reach_mm
    hull = hull_of(state, 0, pose)
    found = {shape for _, shape in waters.around(state, pose, reach + within, 0, 1)}
    for _, shape in everything(state, 0, 1):
        assert shape in found or gap(hull, shape) > within
    slack = state.options.tolerance_mm
    apart = min((gap(hull, shape), key) for key, shape in everything(state, 0))
    assert courses.touched(state, 0, pose) == (apart[1] if apart[0] <= 2 * slack else None)
    assert courses.is_touching(state, 0, 1) == (
        gap(hull_of(state, 0), hull_of(state, 1)) <= 2 * slack
    )
    now = hull_of(state, 0)
    deep = {
        key
        for key, shape in everything(state, 0)
        if overlap(hull, shape) > max(slack, overlap(now, shape))
    }
    crowding = waters.crowded(state, 0, pose, slack)
    assert crowding in deep if deep else crowding is None
    beside = any(gap(hull, shape) <= drifting.BESIDE_MM for _, shape in everything(state, 0))
    assert drifting._is_beside(state, 0, pose) == beside


@pytest.mark.parametrize("seed", range(60))
def test_how_far_a_ship_can_move(seed):
    """PWR-48: as far as halving finds, sixteen thousand parts of the way fine."""
    state, random = table(seed, full=False)
    course, most, give = random.uniform(0, 360), random.uniform(20, 600), random.choice((0.0, 6.0))
    start = state.ships[0].pose
    free, struck = waters.clear_mm(state, 0, start, course, most, give=give)
    plain, hit = most, None
    for key, shape in everything(state, 0):
        far = plain_free(hull_of(state, 0), course, plain, shape, waters.TOUCHING_MM + give)
        if far < plain:
            plain, hit = far, key
    assert free == pytest.approx(plain, abs=most / 2**STEPS + 1e-6)
    assert struck == hit


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("seed", range(40))
def test_what_the_ground_costs(seed, full):
    """PWR-55, PWR-107 to PWR-110: far grounds cost nothing."""
    state, random = table(seed, full)
    plain = plain_full_grounding if full else plain_grounding
    for number in range(len(state.ships)):
        before = state.ships[number].pose
        after = waters.ahead(before, random.uniform(0, 64))
        cost = aground.grounding(state, number, before, after, True)
        assert cost == plain(state, number, before, after)


def plain_sight(state: State, ship: int, target: int) -> bool:
    """PWR-75, with everything looked at that may stand between."""
    one, other = hull_of(state, ship), hull_of(state, target)
    lines = [nearest_points(one, other), *itertools.product(one, other)]
    feet = [(state.ships[n].pose.x_mm, state.ships[n].pose.y_mm) for n in (ship, target)]
    between = [hull_of(state, n) for n in afloat(state) if n not in (ship, target)]
    between += [
        island
        for island in state.options.islands
        if all(inside(foot, island) <= 0 for foot in feet)
    ]
    return any(all(crossing(*line, shape) is None for shape in between) for line in lines)


@pytest.mark.parametrize("seed", range(60))
def test_what_stands_between_two_ships(seed):
    """PWR-75: what is left out stands in nobody's way."""
    state, _ = table(seed, full=False)
    for ship in range(len(state.ships)):
        for target in range(len(state.ships)):
            if target != ship:
                assert gunnery.sees(state, ship, target) == plain_sight(state, ship, target)


def test_what_these_tables_are_worth():
    """Ships run into each other, into islands and aground, and pass free."""
    struck, costs, seen = set(), set(), set()
    for seed in range(60):
        state, random = table(seed, full=False)
        pose = state.ships[0].pose
        struck.add(min(waters.clear_mm(state, 0, pose, random.uniform(0, 360), mm(60))[1] or 0, 1))
        seen.add(gunnery.sees(state, 0, 3))
        costs.add(aground.grounding(state, 0, pose, waters.ahead(pose, 60), True))
    assert struck == {-1, 0, 1}
    assert len(costs) > 2
    assert seen == {False, True}
