"""Where everything lies: outlines on the board, contacts, ranges and lines of fire."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from companion.rules.layout import Pose
from companion.rules.outlines import (
    gap,
    is_near,
    nearest_point,
    nearest_points,
    outline_at,
    overlap,
    point_to_line,
)
from companion.rules.paths import crossing, way_gap
from companion.rules.pirates_csg.deck import ShipCard
from companion.rules.pirates_csg.state import (
    Island,
    Ship,
    State,
    Terrain,
    card_of,
    find_island,
    find_ship,
    island_of,
)
from companion.rules.pirates_csg.terrain_data import SARGASSO, TERRAIN_OUTLINE_MM
from companion.rules.plane import ERROR_MM, XY, Outline, between, distance, on_board, place, pose_at
from companion.rules.words import if_close

MAST_MM = 3.0
"""Half the width of a mast, where a ship's own masts stand in the way (CSG-17)."""
HALF_SIGHTS = 2
"""Points of each side of a hull that are tried for a line of fire besides its corners."""
HAIR_MM = 0.3
"""Poses are kept to a tenth of a millimetre, so pieces that touch may overlap by a hair."""

_outline_at = lru_cache(maxsize=4096)(outline_at)


def hull(state: State, ship: Ship) -> Outline:
    """Return the outline of a ship on the board."""
    return _outline_at(ship.pose, card_of(state, ship).outline_mm)


def hull_at(card: ShipCard, pose: Pose) -> Outline:
    """Return the outline of a ship that lay at a pose."""
    return _outline_at(pose, card.outline_mm)


def shore(state: State, island: Island) -> Outline:
    """Return the outline of an island on the board."""
    return _outline_at(island.pose, state.deck.island_mm)


def patch(terrain: Terrain) -> Outline:
    """Return the outline of a piece of terrain on the board."""
    return _outline_at(terrain.pose, TERRAIN_OUTLINE_MM)


def bow(state: State, ship: Ship) -> XY:
    """Return where the foremost point of a ship is."""
    return on_board(ship.pose, card_of(state, ship).bow_mm)


def beam_mm(card: ShipCard) -> float:
    """Return how wide a ship is."""
    sides = [y for _, y in card.outline_mm]
    return max(sides) - min(sides)


def pose_with_bow(card: ShipCard, point: XY, heading_deg: float) -> Pose:
    """Return the pose of a ship whose bow is at a point."""
    return pose_at(point, heading_deg, card.bow_mm).rounded()


def afloat(state: State) -> Iterator[Ship]:
    """Yield the ships that lie on the table: all but those lost in fog."""
    return (ship for ship in state.ships if not ship.lost_in)


def outline_of(state: State, tag: int) -> Outline | None:
    """Return the outline of a ship or an island in play."""
    ship = find_ship(state, tag)
    if ship is not None:
        return None if ship.lost_in else hull(state, ship)
    island = find_island(state, tag)
    return shore(state, island) if island else None


def obstacles(state: State, *without: int) -> dict[int, Outline]:
    """Return what a ship cannot pass through: islands and other ships, by tag (CSG-11)."""
    found = {i.tag: shore(state, i) for i in state.islands if i.tag not in without}
    for ship in afloat(state):
        if ship.tag not in without:
            found[ship.tag] = hull(state, ship)
    return found


def near_obstacles(
    state: State, points: Sequence[XY], within_mm: float, *without: int
) -> dict[int, Outline]:
    """Return the obstacles that may lie within so much of the box around some points."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    left, right, top, bottom = min(xs), max(xs), min(ys), max(ys)

    def is_close(pose: Pose, radius_mm: float) -> bool:
        far = radius_mm + within_mm
        across = left - far <= pose.x_mm <= right + far
        return across and top - far <= pose.y_mm <= bottom + far

    radius = state.deck.island_radius_mm
    found = {
        i.tag: shore(state, i)
        for i in state.islands
        if is_close(i.pose, radius) and i.tag not in without
    }
    for ship in afloat(state):
        if ship.tag not in without and is_close(ship.pose, card_of(state, ship).radius_mm):
            found[ship.tag] = hull(state, ship)
    return found


def weeds(state: State, ship: Ship) -> dict[int, Outline]:
    """Return the sargasso that ends a ship's move: all that she does not lie at yet (CSG-27)."""
    found = {t.tag: patch(t) for t in state.terrain if t.kind == SARGASSO}
    here = hull(state, ship) if found else ()
    return {tag: weed for tag, weed in found.items() if not touches(state, here, weed)}


def runs_into(a: XY, b: XY, outline: Outline, clear_mm: float) -> bool:
    """Say whether a ship that needs so much water to either side cannot pass an outline."""
    if clear_mm <= 0:
        return crossing(a, b, outline, -clear_mm) is not None
    return way_gap(a, b, outline) < clear_mm - HAIR_MM


def touches(state: State, a: Outline, b: Outline) -> bool:
    """Say whether two pieces touch, as nearly as people lay them."""
    tolerance = state.options.tolerance_mm
    return is_near(a, b, tolerance) and gap(a, b) <= tolerance


def ships_touch(state: State, a: Ship, b: Ship) -> bool:
    """Say whether two ships touch."""
    return not (a.lost_in or b.lost_in) and touches(state, hull(state, a), hull(state, b))


def if_nearly(state: State, a: Outline, b: Outline) -> str:
    """Say how near two pieces come to touching where less keeps them apart than is measured."""
    tolerance = state.options.tolerance_mm
    if not is_near(a, b, tolerance + ERROR_MM):
        return ""
    apart = gap(a, b)
    close = if_close(apart - tolerance) if apart > tolerance else ""
    return f", {apart:.0f} mm away: too far{close}" if close else ""


def bow_touches(state: State, ship: Ship, target: Ship) -> bool:
    """Say whether the bow of a ship touches another (CSG-21)."""
    if ship.lost_in or target.lost_in:
        return False
    return touches(state, bow_tip(state, ship), hull(state, target))


def bow_tip(state: State, ship: Ship) -> Outline:
    """Return a tiny outline around the bow of a ship, which is a point: its gap is what counts."""
    x, y = bow(state, ship)
    return (x - 0.1, y), (x + 0.1, y), (x, y + 0.1)


def islands_touched(state: State, ship: Ship) -> list[Island]:
    """Return the islands a ship touches, the nearest first."""
    outline = hull(state, ship)
    tolerance = state.options.tolerance_mm
    near = near_obstacles(state, outline, tolerance, *(s.tag for s in state.ships))
    gaps = sorted((gap(outline, land), tag) for tag, land in near.items())
    return [island_of(state, tag) for apart, tag in gaps if apart <= tolerance]


def may_reach(state: State, shooter: int, target: int, mm: float) -> bool:
    """Say whether two pieces may lie within so much of each other; cheaper than `range_mm`."""
    (a, a_mm), (b, b_mm) = _round_about(state, shooter), _round_about(state, target)
    return distance(a, b) <= mm + a_mm + b_mm


def _round_about(state: State, tag: int) -> tuple[XY, float]:
    """Return a circle that a ship or an island lies in: its centre and its radius."""
    ship = find_ship(state, tag)
    if ship is not None:
        return place(ship.pose), card_of(state, ship).radius_mm
    return place(island_of(state, tag).pose), state.deck.island_radius_mm


def range_mm(state: State, shooter: int, target: int) -> float | None:
    """Return the distance between two pieces, hull to hull; ``None`` if one is not there."""
    a, b = outline_of(state, shooter), outline_of(state, target)
    return None if a is None or b is None else max(0.0, gap(a, b))


def with_tolerance(state: State, reach_mm: int, apart_mm: float) -> str:
    """Say how far the tolerance goes, too, where less than is measured puts a piece beyond it."""
    most = reach_mm + state.options.tolerance_mm
    close = if_close(apart_mm - most)
    return f", {most} with the tolerance: too far{close}" if close else ""


def line_of_fire(
    state: State, shooter: int, target: int, cannon: int, reach_mm: float, ignore_ships: bool
) -> tuple[bool, bool]:
    """Say whether a free line leads from a cannon to a target, and whether it is a tie.

    The line between the nearest points is looked along first, then lines between points around
    both outlines that are no longer than the range (CSG-17). A line that only grazes something
    within the tolerance is a tie and goes to the shooter. Terrain of all kinds is in the way like
    islands and ships, but not where the shooter or the target lies in it.
    """
    a, b = outline_of(state, shooter), outline_of(state, target)
    assert a is not None
    assert b is not None
    box = _box(a, b)
    outlines = [
        outline
        for tag, outline in obstacles(state, shooter, target).items()
        if is_near(box, outline, 0) and not (ignore_ships and find_ship(state, tag))
    ]
    outlines += [o for o in map(patch, state.terrain) if is_near(box, o, 0) and not _is_in(o, a, b)]
    deep = float(state.options.tolerance_mm)
    grazed = False
    for start, end in _sights(state, shooter, cannon, a, b, reach_mm):
        if all(crossing(start, end, o) is None for o in outlines):
            return True, False
        grazed = grazed or all(crossing(start, end, o, deep) is None for o in outlines)
    return grazed, grazed


def _is_in(terrain: Outline, *hulls: Outline) -> bool:
    """Say whether one of some hulls lies in a piece of terrain."""
    return any(overlap(hull, terrain) > HAIR_MM for hull in hulls)


def _box(a: Outline, b: Outline) -> Outline:
    xs, ys = [x for x, _ in (*a, *b)], [y for _, y in (*a, *b)]
    left, right, top, bottom = min(xs), max(xs), min(ys), max(ys)
    return (left, top), (right, top), (right, bottom), (left, bottom)


def _sights(
    state: State, shooter: int, cannon: int, a: Outline, b: Outline, reach_mm: float
) -> Iterator[tuple[XY, XY]]:
    """Yield the lines a cannon may be aimed along, the shortest first."""
    ship = find_ship(state, shooter)
    if ship is not None and state.options.own_masts_block and cannon < card_of(state, ship).masts:
        yield from _past_own_masts(state, ship, cannon, a, b, reach_mm)
        return
    yield nearest_points(a, b)
    for p in _rim(a):
        for q in _rim(b):
            if (p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2 <= reach_mm * reach_mm:
                yield p, q


def _rim(outline: Outline) -> list[XY]:
    parts = HALF_SIGHTS + 1
    last, found = outline[-1], []
    for corner in outline:
        found += [between(last, corner, k / parts) for k in range(1, parts + 1)]
        last = corner
    return found


def _past_own_masts(
    state: State, ship: Ship, cannon: int, a: Outline, b: Outline, reach_mm: float
) -> Iterator[tuple[XY, XY]]:
    """Yield lines from the cannon's mast that no other standing mast is in the way of.

    From where they leave the hull they are no longer than the range and the tolerance (CSG-16).
    """
    start = _mast(state, ship, cannon)
    others = [_mast(state, ship, k) for k in ship.masts if k != cannon]
    most = reach_mm + state.options.tolerance_mm
    for end in (nearest_point(start, b), *_rim(b)):
        aboard = crossing(start, end, a)
        outside = distance(start, end) * (1 - (aboard[1] if aboard else 0))
        if outside <= most and all(point_to_line(m, start, end) > MAST_MM for m in others):
            yield start, end


def _mast(state: State, ship: Ship, number: int) -> XY:
    """Return where a mast stands: they are spread evenly along the keel, bow first."""
    card = card_of(state, ship)
    xs = [x for x, _ in card.outline_mm]
    part = (number + 1) / (card.masts + 1)
    return on_board(ship.pose, (max(xs) - part * (max(xs) - min(xs)), 0.0))
