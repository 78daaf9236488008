"""Ways a ship can go: the standard ones that are offered, and those that a picture shows."""

from __future__ import annotations

from collections.abc import Iterator
from math import acos, degrees

from companion.rules.game import PlayerId, Ruling
from companion.rules.layout import Pose
from companion.rules.pirate_wars.actions import Sail
from companion.rules.pirate_wars.courses import judged, leaps, turn_allowed
from companion.rules.pirate_wars.seamanship import (
    DRIFT_DOTS,
    DRIFT_TURN,
    dots,
    mm,
    running,
    turned_with_wind,
)
from companion.rules.pirate_wars.state import State, design_of, mate_of
from companion.rules.pirate_wars.waters import ahead, clear_mm, crowded, is_off_table, swung
from companion.rules.plane import (
    XY,
    bearing_deg,
    distance,
    on_board,
    pose_at,
    toward,
)

TURNS = (-90.0, -45.0, 45.0, 90.0)
STRAIGHT_MM = 1.0


def manoeuvres(state: State, player: PlayerId, number: int) -> tuple[Sail, ...]:
    """Return the standard manoeuvres of a ship under way; never none.

    Straight ahead, one turn after one of the leaps, coming about; and straight ahead for a leap
    only. Those that leave the sea are offered only where none stays on it.
    """
    length, left = design_of(state, number).length, state.ships[number].left
    ways = [*_plans(state, number, leaps(left, length))]
    paths = {_sailed(state, number, way) for way in ways}
    if left > length:
        paths.add(_sailed(state, number, (0.0,)))
    legal = [p for p in paths if not isinstance(judged(state, number, p), Ruling)]
    staying = [p for p in legal if not is_off_table(state, p[-1])]
    return tuple(sorted(Sail(player, number, path) for path in staying or legal))


def _plans(state: State, number: int, parts: list[int]) -> Iterator[tuple[float, ...]]:
    """Yield the turn after each leap."""
    still = (0.0,) * len(parts)
    yield still
    for place, leap in enumerate(parts):
        allowed = turn_allowed(state, number, leap)
        for turn in TURNS:
            if abs(turn) > allowed:
                continue
            yield (*still[:place], turn, *still[place + 1 :])
            if place and abs(turn) == max(TURNS):
                yield (*still[: place - 1], turn, turn, *still[place + 1 :])


def _sailed(state: State, number: int, turns: tuple[float, ...]) -> tuple[Pose, ...]:
    """Return the poses of a plan, cut short where the ship runs into something."""
    ship, length = state.ships[number], design_of(state, number).length
    pose, left = ship.pose, ship.left
    path: list[Pose] = []
    for turn in turns:
        leap = min(length, left)
        free, struck = clear_mm(state, number, pose, pose.heading_deg, mm(leap))
        if struck is not None:
            return (*path, ahead(pose, dots(free)).rounded())
        pose = swung(state, number, ahead(pose, leap), turn).rounded()
        left -= leap
        if is_off_table(state, pose):
            return (*path, pose)
        if turn:
            path.append(pose)
    return tuple(path) if path and path[-1] == pose else (*path, pose)


def _xy(pose: Pose) -> XY:
    return pose.x_mm, pose.y_mm


def drifted(state: State, number: int) -> dict[int, Pose]:
    """Return where a ship adrift goes, and the one lashed to it (PWR-42, PWR-53).

    Eight dots with the wind, less where something is in the way, then 45 degrees with it. Lashed
    ships keep their headings, or the lashings would not hold.
    """
    assert state.wind is not None
    course, mate = running(state.wind), mate_of(state, number)
    pair = (number,) if mate is None else (number, mate)
    way = min(
        clear_mm(state, n, state.ships[n].pose, course, mm(DRIFT_DOTS), pair)[0] for n in pair
    )
    poses = {}
    for n in pair:
        before = state.ships[n].pose
        x, y = toward(_xy(before), course, way)
        poses[n] = Pose(x, y, before.heading_deg).rounded()
    if mate is None:
        swung_pose = turned_with_wind(state, number, poses[number], DRIFT_TURN)
        if crowded(state, number, swung_pose, state.options.tolerance_mm) is None:
            poses[number] = swung_pose
    return poses


def measured_paths(state: State, number: int, seen: Pose) -> tuple[tuple[Pose, ...], ...]:
    """Return the paths, leap by leap, that bring a ship to where it is seen.

    The first way runs along the keel, the last ends where the rudder is now; with the lengths of
    the leaps between known, at most one more way is free, and two circles say where it ends.
    """
    design, ship = design_of(state, number), state.ships[number]
    parts = leaps(ship.left, design.length)
    rudder = design.rudder_mm
    goal = on_board(seen, rudder)
    start = on_board(ship.pose, rudder)
    found: list[tuple[Pose, ...]] = [(seen,)]
    for count in range(1, len(parts) + 1):
        for first in range(1, count + 1):
            corner = toward(start, ship.pose.heading_deg, mm(sum(parts[:first])))
            found += _bent_once(corner, goal, rudder, seen)
            for second in range(first + 1, count):
                arms = mm(sum(parts[first:second])), mm(sum(parts[second:count]))
                found += _bent_twice(corner, goal, arms, rudder, seen)
    paths = dict.fromkeys(tuple([pose.rounded() for pose in path]) for path in found)
    return tuple(p for p in paths if not isinstance(judged(state, number, p), Ruling))


def _bent_once(corner: XY, goal: XY, rudder: XY, seen: Pose) -> list[tuple[Pose, ...]]:
    """Return the path that turns at a corner toward the goal."""
    if distance(corner, goal) < STRAIGHT_MM:
        return []
    return [(pose_at(corner, bearing_deg(corner, goal), rudder), seen)]


def _bent_twice(
    corner: XY, goal: XY, arms: tuple[float, float], rudder: XY, seen: Pose
) -> list[tuple[Pose, ...]]:
    """Return the paths that turn at a corner and again where two arms meet."""
    apart = distance(corner, goal)
    if apart < STRAIGHT_MM:
        return []
    cosine = (arms[0] ** 2 + apart**2 - arms[1] ** 2) / (2 * arms[0] * apart)
    if abs(cosine) > 1:
        # A hair out of reach: the arms are all but straight.
        return []
    bend, course = degrees(acos(cosine)), bearing_deg(corner, goal)
    paths: list[tuple[Pose, ...]] = []
    for heading in (course - bend, course + bend):
        elbow = toward(corner, heading, arms[0])
        first = pose_at(corner, heading, rudder)
        paths.append((first, pose_at(elbow, bearing_deg(elbow, goal), rudder), seen))
    return paths
