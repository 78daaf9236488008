"""Ways a ship can go: the standard ones that are offered, and those that a picture shows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from math import acos, degrees, sqrt

from companion.rules.game import PlayerId, Ruling
from companion.rules.layout import Pose
from companion.rules.pirate_wars.actions import Sail
from companion.rules.pirate_wars.sailing.courses import (
    MOST_TURN,
    Course,
    judged,
    leaps,
    touched,
    turn_allowed,
)
from companion.rules.pirate_wars.sailing.held import LITTLE
from companion.rules.pirate_wars.sailing.seamanship import (
    ANGLE_TOLERANCE,
    before_falling_off,
    dots,
    mm,
)
from companion.rules.pirate_wars.sailing.waters import (
    ahead,
    clear_mm,
    is_off_table,
    leaving_once,
    swung,
)
from companion.rules.pirate_wars.state import State, design_of
from companion.rules.plane import (
    XY,
    advance,
    bearing_deg,
    distance,
    on_board,
    on_piece,
    pose_at,
    toward,
    turn_deg,
)

TURNS = (-90.0, -45.0, 45.0, 90.0)
Clear = Callable[[Pose, int], tuple[float, int | None]]
"""How far a ship can go of a leap, and what it touches then."""
STRAIGHT_MM = 1.0
DOUBTFUL_MM = (-2.5, 2.5)
"""How far ahead of where it is seen a ship may stand."""


def manoeuvres(state: State, player: PlayerId, number: int) -> tuple[Sail, ...]:
    """Return the standard manoeuvres of a ship under way; never none.

    Straight ahead, one turn after one of the leaps, coming about; and straight ahead for a leap
    only. Of those that leave the sea one is offered: it does not matter how she leaves.
    """
    length, left = design_of(state, number).length, state.ships[number].left

    @cache
    def clear(pose: Pose, leap: int) -> tuple[float, int | None]:
        # Most plans begin alike.
        return clear_mm(state, number, pose, pose.heading_deg, mm(leap))

    ways = [*_plans(state, number, leaps(left, length))]
    paths = {_sailed(state, number, way, clear) for way in ways}
    if left > length:
        paths.add(_sailed(state, number, (0.0,), clear))
    legal = _simplest(state, number, sorted(paths))
    return tuple(sorted(Sail(player, number, path) for path in leaving_once(state, legal)))


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


def _sailed(state: State, number: int, turns: tuple[float, ...], clear: Clear) -> tuple[Pose, ...]:
    """Return the poses of a plan, cut short where the ship runs into something."""
    ship, length = state.ships[number], design_of(state, number).length
    pose, left = ship.pose, ship.left
    path: list[Pose] = []
    for turn in turns:
        leap = min(length, left)
        free, struck = clear(pose, leap)
        if struck is not None:
            # Beside what is in the way, after a turn, there is next to nothing to go.
            is_little = free <= LITTLE * state.options.tolerance_mm
            return tuple(path) if path and is_little else (*path, ahead(pose, dots(free)).rounded())
        pose = swung(state, number, ahead(pose, leap), turn).rounded()
        left -= leap
        if is_off_table(state, pose):
            return (*path, pose)
        if turn:
            path.append(pose)
    return tuple(path) if path and path[-1] == pose else (*path, pose)


def measured_paths(state: State, number: int, seen: Pose) -> tuple[tuple[Pose, ...], ...]:
    """Return the paths, leap by leap, that bring a ship to where it is seen.

    The first way runs along the keel, the last ends where the rudder is now; with the lengths of
    the leaps between known, at most one more way is free, and two circles say where it ends.
    Beside another hull a few millimetres decide whether she touches: there she is also taken to
    stand a little farther ahead or astern, for the table to say which it was. Where no path leads,
    she may have fallen off the wind at its end.
    """
    found = [_paths_to(state, number, seen)]
    if touched(state, number, seen) is not None:
        found += [_paths_to(state, number, advance(seen, by)) for by in DOUBTFUL_MM]
    every = [path for paths in found for path in paths]
    legal = _simplest(state, number, dict.fromkeys(every))
    return tuple(legal or _simplest(state, number, _before_falling_off(state, number, every)))


def _before_falling_off(
    state: State, number: int, paths: Iterable[tuple[Pose, ...]]
) -> Iterator[tuple[Pose, ...]]:
    """Yield paths without the turn at their end, if that was a turn with the wind."""
    for path in paths:
        course = path[-2] if len(path) > 1 else state.ships[number].pose
        for end in before_falling_off(state, number, path[-1], course.heading_deg):
            yield (*path[:-1], end)


def _paths_to(state: State, number: int, seen: Pose) -> list[tuple[Pose, ...]]:
    """Return paths to a pose, whether or not they are legal.

    A last way that something cut short has a length that nobody knows, but the heading seen.
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
            found.append((pose_at(corner, seen.heading_deg, rudder), seen))
            for second in range(first + 1, count):
                arms = mm(sum(parts[first:second])), mm(sum(parts[second:count]))
                found += _bent_twice(corner, goal, arms, rudder, seen)
                found += _bent_to_end(corner, goal, arms[0], rudder, seen)
    return [tuple([pose.rounded() for pose in path]) for path in found]


def _simplest(
    state: State, number: int, paths: Iterable[tuple[Pose, ...]]
) -> list[tuple[Pose, ...]]:
    """Return the legal paths; of those that come to the same the one that turns least often."""
    best: dict[Course, tuple[Pose, ...]] = {}
    for path in sorted(paths, key=len):
        course = judged(state, number, path)
        if not isinstance(course, Ruling):
            best.setdefault(course, path)
    return list(best.values())


def guessed_path(state: State, number: int, seen: Pose) -> tuple[Pose, ...]:
    """Return the way a ship was probably meant to go, to say what is wrong with it.

    Straight on where it lies ahead of the keel, else with a turn after the first leap; straight
    to where no turn that is allowed leads, if she has not been turned farther herself.
    """
    design, ship = design_of(state, number), state.ships[number]
    start, goal = (on_board(pose, design.rudder_mm) for pose in (ship.pose, seen))
    keel = ship.pose.heading_deg
    is_ahead = abs(turn_deg(keel, bearing_deg(start, goal))) <= ANGLE_TOLERANCE
    if is_ahead or distance(start, goal) <= mm(design.length) / 2:
        return (seen,)
    leap = leaps(ship.left, design.length)[0]
    corner = toward(start, keel, mm(leap))
    bend = abs(turn_deg(keel, bearing_deg(corner, goal)))
    if bend > MOST_TURN + ANGLE_TOLERANCE and abs(turn_deg(keel, seen.heading_deg)) <= MOST_TURN:
        return (seen,)
    bent = _bent_once(corner, goal, design.rudder_mm, seen)
    return tuple([pose.rounded() for pose in bent[0]]) if bent else (seen,)


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


def _bent_to_end(
    corner: XY, goal: XY, arm: float, rudder: XY, seen: Pose
) -> list[tuple[Pose, ...]]:
    """Return the paths that turn at a corner and, an arm farther on, to the heading seen."""
    heading = seen.heading_deg
    along, across = on_piece(Pose(*corner, heading), goal)
    if abs(across) > arm:
        return []
    paths: list[tuple[Pose, ...]] = []
    for reach in (sqrt(arm**2 - across**2), -sqrt(arm**2 - across**2)):
        if along - reach < 0:
            continue
        elbow = toward(goal, heading, reach - along)
        first = pose_at(corner, bearing_deg(corner, elbow), rudder)
        paths.append((first, pose_at(elbow, heading, rudder), seen))
    return paths
