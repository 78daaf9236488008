"""How launches are rowed and landing parties walk; measured and judged (PWR-113, PWR-123, 124).

Unlike ships they may stop short: whatever they do not use of their movement is lost.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from math import cos, radians, sin

from companion.rules.game import PlayerId, Ruling
from companion.rules.layout import Pose
from companion.rules.outlines import centre, depth, overlap, swept
from companion.rules.phases import no
from companion.rules.pirate_wars.actions import Sail
from companion.rules.pirate_wars.ashore.storming import forts, may_pass, places_around, way_out
from companion.rules.pirate_wars.built.fort_inside import NO_WAY
from companion.rules.pirate_wars.sailing.courses import (
    MOST_TURN,
    SHORT_TURN,
    Course,
    keel_way,
    refuse_crowding,
)
from companion.rules.pirate_wars.sailing.held import LITTLE, has_stayed
from companion.rules.pirate_wars.sailing.seamanship import ANGLE_TOLERANCE, dots, mm
from companion.rules.pirate_wars.sailing.waters import (
    ahead,
    around,
    clear_mm,
    is_off_table,
    leaving_once,
    swung,
)
from companion.rules.pirate_wars.state import State, afloat, design_of, hull_of, with_ship
from companion.rules.pirate_wars.words import ship_name, verb_of
from companion.rules.plane import (
    XY,
    bearing_deg,
    between,
    distance,
    on_board,
    place,
    pose_at,
    toward,
    turn_deg,
)
from companion.rules.words import capital

MOST_LEGS = 4
TURNS = (0.0, -90.0, -45.0, 45.0, 90.0)
SHARES = (1.0, 0.5)
"""Parts of a movement that are offered."""
MOST_CORNERS = 2
"""On the way to where a launch is seen: of ways with more, one with two leads to the same place."""
CORNERS = (-45.0, 45.0, -90.0, 90.0)
"""Turns that are tried at all corners but the last."""
HALVINGS = 8

# Launches under oars


def judged_row(state: State, number: int, path: tuple[Pose, ...]) -> Course | Ruling:
    """Return where oars bring a launch, or why it may not go so (PWR-113)."""
    ship = state.ships[number]
    if not 1 <= len(path) <= MOST_LEGS:
        return no("PWR-113", f"A launch makes up to {MOST_LEGS} strokes in a turn.")
    course = Course(ship.pose, ship.left)
    for pose in path:
        result = _stroke(state, number, course, pose, alone=len(path) == 1)
        if isinstance(result, Ruling):
            return result
        course = result
    return course._replace(left=0, is_gone=is_off_table(state, course.pose))


def _stroke(
    state: State, number: int, course: Course, pose: Pose, *, alone: bool
) -> Course | Ruling:
    """Judge one straight way and the turn at its end; astern only at half speed, all the way."""
    name, slack = ship_name(state, number), state.options.tolerance_mm
    start = course.pose
    along, across = keel_way(state, number, start, pose)
    if abs(across) > slack:
        over = round(abs(across) - slack)
        return no("PWR-113", f"{over} mm too far to the side: row {name} ahead or astern.")
    back = along < -slack
    most = mm(course.left) / 2 if back else mm(course.left)
    if abs(along) > most + slack:
        over = round(abs(along) - most - slack)
        astern = " astern" if back else ""
        return no("PWR-113", f"{over} mm too far: {name} has {dots(most):g} dots left{astern}.")
    turn = abs(turn_deg(start.heading_deg, pose.heading_deg))
    long = 2 * abs(along) > design_of(state, number).length_mm
    # Who moves less than half a length in all turns by half as much; short strokes turn nothing.
    allowed = MOST_TURN if long and not back else SHORT_TURN if alone and not back else 0.0
    if turn > allowed + ANGLE_TOLERANCE:
        over = round(turn - allowed)
        return no("PWR-113", f"{over} degrees too much: {name} may turn up to {allowed:g} there.")
    if back and not alone:
        return no("PWR-113", f"Astern {name} goes straight and does nothing else.")
    heading = start.heading_deg + (180 if back else 0)
    free, struck = clear_mm(state, number, start, heading, abs(along))
    if abs(along) > free + slack:
        over = round(abs(along) - free - slack)
        what = "the shore" if struck is None or struck < 0 else ship_name(state, struck)
        return no("PWR-113", f"{over} mm too far: {name} stops where she touches {what}.")
    crowding = refuse_crowding(state, number, pose) if turn > ANGLE_TOLERANCE else None
    if crowding is not None:
        return crowding
    used = round(dots(abs(along)))
    return Course(pose.rounded(), max(course.left - used, 0))


def rowed_ways(state: State, player: PlayerId, number: int) -> tuple[Sail, ...]:
    """Return some ways of a launch: ahead, turned, astern; it may stay where it is as well."""
    ship = state.ships[number]
    paths: set[tuple[Pose, ...]] = set()
    free, _ = clear_mm(state, number, ship.pose, ship.pose.heading_deg, mm(ship.left))
    for share in SHARES:
        stop = ahead(ship.pose, dots(min(free, mm(ship.left) * share)))
        for turn in TURNS:
            paths.add((swung(state, number, stop, turn).rounded(),))
    astern, _ = clear_mm(state, number, ship.pose, ship.pose.heading_deg + 180, mm(ship.left) / 2)
    paths.add((ahead(ship.pose, -dots(astern)).rounded(),))
    return _legal(state, player, number, paths)


def _legal(
    state: State, player: PlayerId, number: int, paths: set[tuple[Pose, ...]]
) -> tuple[Sail, ...]:
    judge = judged_row if design_of(state, number).kind == "launch" else judged_walk
    results = {path: judge(state, number, path) for path in paths}
    legal = [
        path
        for path, course in sorted(results.items(), key=lambda item: item[0])
        if isinstance(course, Course) and not has_stayed(state, number, path[-1], LITTLE)
    ]
    return tuple(sorted(Sail(player, number, path) for path in leaving_once(state, legal)))


def rowed_paths(state: State, number: int, seen: Pose) -> tuple[tuple[Pose, ...], ...]:
    """Return the way under oars with fewest turns that brings a launch to where it is seen.

    It may turn on its way and again at its end. Whichever way it goes, it comes to the same.
    """
    ways = (
        [(seen.rounded(),)],
        _one_corner(state, number, seen),
        *(_bent(state, number, seen, corners) for corners in range(1, MOST_CORNERS + 1)),
    )
    legal = (p for p in chain(*ways) if isinstance(judged_row(state, number, p), Course))
    return tuple(islice(legal, 1))


def _one_corner(state: State, number: int, seen: Pose) -> Iterator[tuple[Pose, ...]]:
    """Yield the way that turns where the old keel line and the new one cross."""
    rudder, start = design_of(state, number).rudder_mm, state.ships[number].pose
    p, q = on_board(start, rudder), on_board(seen, rudder)
    a, b = radians(start.heading_deg), radians(seen.heading_deg)
    sine = sin(b - a)
    if abs(sine) < 0.05:
        return
    way = ((q[0] - p[0]) * sin(b) - (q[1] - p[1]) * cos(b)) / sine
    if way > 0:
        corner = (p[0] + way * cos(a), p[1] + way * sin(a))
        yield pose_at(corner, seen.heading_deg, rudder).rounded(), seen.rounded()


def _bent(state: State, number: int, seen: Pose, corners: int) -> Iterator[tuple[Pose, ...]]:
    """Yield ways with so many corners that turn once more where they end, shortest strokes first.

    A dot apart, with two corners two: so near to one that is not tried lies one that is.
    """
    ship, design = state.ships[number], design_of(state, number)
    rudder, slack = design.rudder_mm, state.options.tolerance_mm
    goal, shortest = on_board(seen, rudder), design.length // 2 + 1

    def strokes(at: XY, heading: float, left: int, more: int) -> Iterator[tuple[Pose, ...]]:
        for stroke in range(shortest, left - shortest + 1, corners):
            corner = toward(at, heading, mm(stroke))
            for turn in CORNERS if more else ():
                bent = pose_at(corner, heading + turn, rudder).rounded()
                for rest in strokes(corner, heading + turn, left - stroke, more - 1):
                    yield bent, *rest
            course = bearing_deg(corner, goal)
            bends = turn_deg(heading, course), turn_deg(course, seen.heading_deg)
            is_near = distance(corner, goal) <= mm(left - stroke) + slack
            if not more and is_near and max(map(abs, bends)) <= MOST_TURN + ANGLE_TOLERANCE:
                yield pose_at(corner, course, rudder).rounded(), seen.rounded()

    return strokes(on_board(ship.pose, rudder), ship.pose.heading_deg, ship.left, corners - 1)


# Landing parties


def judged_walk(state: State, number: int, path: tuple[Pose, ...]) -> Course | Ruling:
    """Return where figures ashore walk to, or why they cannot (PWR-123, PWR-124)."""
    name, slack = ship_name(state, number), state.options.tolerance_mm
    ship, walks = state.ships[number], verb_of(state, number, "walks")
    if len(path) != 1:
        return no("PWR-123", f"{capital(name)} {walks} straight from place to place.")
    if ship.is_inside and path[0] == ship.pose:
        return Course(ship.pose, 0)  # it stays within
    start, end = place(ship.pose), place(path[0])
    way = mm(way_out(state, number, path[0])) if ship.is_inside else distance(start, end)
    over = round(way - mm(ship.left) - slack)
    if way >= mm(NO_WAY):
        return no("PWR-124", f"{capital(name)} cannot get out: enemies are in the way.")
    if over > 0:
        return no("PWR-123", f"{over} mm too far: {name} {walks} up to {ship.left} dots.")
    if not any(
        depth(start, shore) > -slack and depth(end, shore) > -slack
        for shore in state.options.islands
    ):
        stays = verb_of(state, number, "stays")
        return no("PWR-123", f"{capital(name)} {stays} on the island: nobody walks on water.")
    blocked = _in_the_way(state, number, path[0])
    if blocked is not None:
        stops = verb_of(state, number, "stops")
        return no("PWR-123", f"{capital(name)} {stops} on meeting {blocked}.")
    pose = path[0].rounded()
    return Course(pose, _left_at_doors(state, number, pose, dots(way)))


def _left_at_doors(state: State, number: int, pose: Pose, used: float) -> int:
    """Return what is left of a walk: lost, but before doors one can go on into (PWR-121)."""
    ship = state.ships[number]
    if ship.is_inside or pose == ship.pose or not state.options.forts:
        return 0
    there = with_ship(state, number, ship._replace(pose=pose))
    at_doors = any(may_pass(there, number, fort) for fort in forts(state))
    return max(ship.left - round(used), 0) if at_doors else 0


def _in_the_way(state: State, number: int, pose: Pose) -> str | None:
    """Return the name of what figures would stand in or walk through, ``None`` if nothing.

    Around others they step, but stone lets nobody through (PWR-120, PWR-121).
    """
    here, reach = hull_of(state, number, pose), design_of(state, number).reach_mm
    for other, shape in around(state, pose, reach, number):
        if other >= 0 and overlap(here, shape) > state.options.tolerance_mm:
            return ship_name(state, other)
    if state.ships[number].is_inside:
        return None
    way = swept(hull_of(state, number), here)
    walls = (
        n for n in forts(state) if overlap(way, hull_of(state, n)) > state.options.tolerance_mm
    )
    return next((ship_name(state, n) for n in walls), None)


def walked_ways(state: State, player: PlayerId, number: int) -> tuple[Sail, ...]:
    """Return some ways ashore: toward whatever stands near, and around the compass."""
    ship = state.ships[number]
    here = place(ship.pose)
    goals = [centre(hull_of(state, n)) for n in afloat(state) if n != number]
    goals += [toward(here, 45.0 * k, mm(ship.left)) for k in range(8)]
    paths: set[tuple[Pose, ...]] = set()
    if ship.is_inside:
        paths |= {(place,) for place in places_around(state, ship.fort)}
        return _legal(state, player, number, paths)
    for goal in goals:
        paths.add((_as_far_as_legal(state, number, goal),))
    return _legal(state, player, number, paths)


def _as_far_as_legal(state: State, number: int, goal: XY) -> Pose:
    """Return the farthest place on the way to a goal that figures can walk to."""
    ship = state.ships[number]
    here = place(ship.pose)
    far = min(distance(here, goal), mm(ship.left))
    end = toward(here, bearing_deg(here, goal), far)
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        part = (low + high) / 2
        x, y = between(here, end, part)
        pose = Pose(x, y, ship.pose.heading_deg).rounded()
        legal = isinstance(judged_walk(state, number, (pose,)), Course)
        low, high = (part, high) if legal else (low, part)
    x, y = between(here, end, low)
    return Pose(x, y, ship.pose.heading_deg).rounded()


def walked_paths(state: State, number: int, seen: Pose) -> tuple[tuple[Pose, ...], ...]:
    """Return the way ashore to where a party is seen, if it can be walked."""
    path = (seen.rounded(),)
    return (path,) if isinstance(judged_walk(state, number, path), Course) else ()
