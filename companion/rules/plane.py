"""Geometry of the open table, in millimetres. Shared by the games that are played with a ruler.

Board frame: x to the right, y down, as on the profile; headings run clockwise from +x as seen from
above and point where the bow points. An outline is a convex polygon, its corners in order; in the
frame of a piece x points to the bow and y to starboard, the origin lies under the tag. A hollow
piece is several outlines.

Pure Python on purpose: outlines have four to twelve corners, and `docs/benchmarks.md` shows what
Shapely takes for the same questions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import atan2, cos, degrees, hypot, inf, radians, sin, sqrt
from typing import TypeVar

from companion.rules.layout import Pose

XY = tuple[float, float]
Outline = tuple[XY, ...]
"""Corners of a convex polygon, three or more, in order either way round."""
K = TypeVar("K")

TOLERANCE_MM = 6.0
"""How far a measured move may be out of bounds before it is refused."""

HAIR_MM = 1e-6
"""What lies so near touches: no farther do the last digits of reckoning reach."""

CLEAR_MM = 1.0
"""How far round a corner `ways` passes."""


# Angles


def normal_deg(deg: float) -> float:
    """Return an angle as a heading, 0 <= heading < 360.

    >>> normal_deg(-90)
    270.0
    """
    return float(deg % 360) % 360


def turn_deg(before: float, after: float) -> float:
    """Return the turn from one heading to another, -180 < turn <= 180, clockwise positive.

    >>> turn_deg(350, 20), turn_deg(20, 350)
    (30.0, -30.0)
    """
    turn = (after - before) % 360
    return float(turn - 360 if turn > 180 else turn)


def bearing_deg(start: XY, end: XY) -> float:
    """Return the heading from one point to another; 0 where they are the same.

    >>> bearing_deg((0, 0), (0, 5))
    90.0
    """
    return normal_deg(degrees(atan2(end[1] - start[1], end[0] - start[0])))


def off_bow_deg(pose: Pose, point: XY) -> float:
    """Return where a point lies off the bow, -180 to 180; positive is to starboard.

    Decides arcs of fire: broadsides bear on 90 and -90, chasers on 0.
    """
    return turn_deg(pose.heading_deg, bearing_deg((pose.x_mm, pose.y_mm), point))


def contact_deg(pose: Pose, struck: Pose) -> float:
    """Return the angle at which one piece meets another, 0 to 180.

    0: bow against bow, 90: square into the side, 180: from right astern.
    """
    return 180 - abs(turn_deg(pose.heading_deg, struck.heading_deg))


# Points and poses


def place(pose: Pose) -> XY:
    """Return where the tag of a piece lies."""
    return pose.x_mm, pose.y_mm


def distance(a: XY, b: XY) -> float:
    """Return the distance between two points."""
    return hypot(b[0] - a[0], b[1] - a[1])


def toward(start: XY, heading_deg: float, mm: float) -> XY:
    """Return the point so far from another in a direction."""
    angle = radians(heading_deg)
    return start[0] + mm * cos(angle), start[1] + mm * sin(angle)


def between(a: XY, b: XY, part: float) -> XY:
    """Return the point that lies at a part of the way from `a` (0) to `b` (1)."""
    return a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])


def advance(pose: Pose, mm: float) -> Pose:
    """Return the pose so far straight ahead; astern if `mm` is negative."""
    x, y = toward((pose.x_mm, pose.y_mm), pose.heading_deg, mm)
    return Pose(x, y, pose.heading_deg)


def turned(pose: Pose, deg: float, pivot: XY = (0.0, 0.0)) -> Pose:
    """Return the pose after a turn, clockwise positive, about a point of the piece."""
    return pose_at(on_board(pose, pivot), pose.heading_deg + deg, pivot)


def on_board(pose: Pose, point: XY) -> XY:
    """Return a point of a piece in the board frame."""
    angle = radians(pose.heading_deg)
    c, s = cos(angle), sin(angle)
    return pose.x_mm + c * point[0] - s * point[1], pose.y_mm + s * point[0] + c * point[1]


def on_piece(pose: Pose, point: XY) -> XY:
    """Return a point of the board in the frame of a piece."""
    angle = radians(pose.heading_deg)
    c, s = cos(angle), sin(angle)
    dx, dy = point[0] - pose.x_mm, point[1] - pose.y_mm
    return c * dx + s * dy, c * dy - s * dx


def pose_at(point: XY, heading_deg: float, pivot: XY = (0.0, 0.0)) -> Pose:
    """Return the pose in which a point of the piece (its bow, say) lies at `point`."""
    x, y = on_board(Pose(0.0, 0.0, heading_deg), pivot)
    return Pose(point[0] - x, point[1] - y, normal_deg(heading_deg))


def outline_at(pose: Pose, outline: Outline) -> Outline:
    """Return the outline of a piece in the board frame."""
    angle = radians(pose.heading_deg)
    c, s, x0, y0 = cos(angle), sin(angle), pose.x_mm, pose.y_mm
    return tuple([(x0 + c * x - s * y, y0 + s * x + c * y) for x, y in outline])


# Outlines


def rectangle(length_mm: float, width_mm: float) -> Outline:
    """Return a rectangle around the tag, its length along the heading."""
    x, y = length_mm / 2, width_mm / 2
    return (-x, -y), (x, -y), (x, y), (-x, y)


def hull(points: Iterable[XY]) -> Outline:
    """Return the convex hull of points, clockwise as seen from above.

    >>> hull([(0, 0), (2, 0), (1, 1), (2, 2), (0, 2)])
    ((0, 0), (2, 0), (2, 2), (0, 2))
    """
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return tuple(ordered)
    return (*_half_hull(ordered), *_half_hull(ordered[::-1]))


def _half_hull(ordered: Sequence[XY]) -> list[XY]:
    chain: list[XY] = []
    for p in ordered:
        while len(chain) > 1 and _side(chain[-2], chain[-1], p) <= 0:
            chain.pop()
        chain.append(p)
    return chain[:-1]


def _side(a: XY, b: XY, p: XY) -> float:
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])


def is_convex(outline: Outline) -> bool:
    """Say whether corners are those of a convex polygon, in order and none too many."""
    found = hull(outline)
    if len(outline) < 3 or len(found) != len(outline):
        return False
    # The same round, either way, from whichever corner.
    start = found.index(outline[0])
    again = found[start:] + found[:start]
    return outline in (again, (again[0], *again[:0:-1]))


def swept(before: Outline, after: Outline) -> Outline:
    """Return what a piece passes over when it moves straight, without turning."""
    return hull((*before, *after))


def centre(outline: Outline) -> XY:
    """Return the mean of the corners."""
    n = len(outline)
    return sum(x for x, _ in outline) / n, sum(y for _, y in outline) / n


def point_to_line(p: XY, a: XY, b: XY) -> float:
    """Return the distance of a point from the line between two others."""
    return distance(p, nearest_on_line(p, a, b))


def nearest_on_line(p: XY, a: XY, b: XY) -> XY:
    """Return the point of the line between two others that is nearest to `p`."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length2 = dx * dx + dy * dy
    if not length2:
        return a
    part = ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length2
    part = 0.0 if part < 0 else 1.0 if part > 1 else part
    return a[0] + part * dx, a[1] + part * dy


def nearest_point(p: XY, outline: Outline) -> XY:
    """Return the point of an outline, inside included, that is nearest to `p`."""
    if depth(p, outline) >= 0:
        return p
    best, found = inf, p
    for a, b in _edges(outline):
        q = nearest_on_line(p, a, b)
        d2 = (q[0] - p[0]) ** 2 + (q[1] - p[1]) ** 2
        if d2 < best:
            best, found = d2, q
    return found


def _edges(outline: Outline) -> Iterator[tuple[XY, XY]]:
    last = outline[-1]
    for corner in outline:
        yield last, corner
        last = corner


def depth(p: XY, outline: Outline) -> float:
    """Return how deep a point lies inside an outline; minus its distance where it lies outside."""
    nearest2, inside = inf, True
    sign = _round(outline)
    px, py = p
    ax, ay = outline[-1]
    for bx, by in outline:
        ex, ey, fx, fy = bx - ax, by - ay, px - ax, py - ay
        if (ex * fy - ey * fx) * sign < 0:
            inside = False
        part = (ex * fx + ey * fy) / (ex * ex + ey * ey)
        part = 0.0 if part < 0 else 1.0 if part > 1 else part
        qx, qy = fx - part * ex, fy - part * ey
        nearest2 = min(nearest2, qx * qx + qy * qy)
        ax, ay = bx, by
    return sqrt(nearest2) if inside else -sqrt(nearest2)


def gap(a: Outline, b: Outline) -> float:
    """Return the distance between two outlines; minus how deep they overlap.

    The depth is the shortest way that parts them. Touching is 0.
    """
    apart = _apart(a, b)
    if apart <= HAIR_MM:
        return apart
    return sqrt(min(_nearest(a, b, _round(b))[0], _nearest(b, a, _round(a))[0]))


def is_within(a: Outline, b: Outline, mm: float) -> bool:
    """Say whether two outlines lie no farther apart than so much; cheap where they are far."""
    return is_near(a, b, mm) and gap(a, b) <= mm


def is_near(a: Outline, b: Outline, within_mm: float) -> bool:
    """Say whether two outlines may lie within so much of each other: their boxes do.

    Asked before `gap` where most pieces are far away, it saves nine tenths of the time.
    """
    ax, bx = [x for x, _ in a], [x for x, _ in b]
    if min(ax) - max(bx) > within_mm or min(bx) - max(ax) > within_mm:
        return False
    ay, by = [y for _, y in a], [y for _, y in b]
    return min(ay) - max(by) <= within_mm and min(by) - max(ay) <= within_mm


def overlap(a: Outline, b: Outline) -> float:
    """Return how deep two outlines overlap; 0 if they do not. Cheaper than `gap`."""
    return max(0.0, -_apart(a, b)) if is_near(a, b, 0.0) else 0.0


def _apart(a: Outline, b: Outline) -> float:
    """Return minus how deep two outlines overlap; more than 0 where they do not."""
    apart = _parted(a, b)
    return apart if apart > 0 else max(apart, _parted(b, a))


def _parted(a: Outline, b: Outline) -> float:
    """Return minus how deep the best side of `a` cuts into `b`; more than 0 if one parts them."""
    best, sign = -inf, _round(a)
    x0, y0 = a[-1]
    for x1, y1 in a:
        length = hypot(x1 - x0, y1 - y0) * sign
        nx, ny = (y1 - y0) / length, (x0 - x1) / length
        best = max(best, min([nx * x + ny * y for x, y in b]) - nx * x0 - ny * y0)
        if best > 0:
            return best
        x0, y0 = x1, y1
    return best


def free_mm(
    moved: Outline, heading_deg: float, most_mm: float, other: Outline, deeper_mm: float
) -> float:
    """Return how far an outline can move straight before it lies too deep in another.

    Parameters
    ----------
    moved, other : Outline
        What moves and what stands still. What is passed over counts, not the end alone.
    heading_deg : float
        Where it moves; it does not turn.
    most_mm : float
        How far at most.
    deeper_mm : float
        How much deeper than now it may lie in the other, more than 0.
    """
    c, s = cos(radians(heading_deg)), sin(radians(heading_deg))
    along, across = [c * x + s * y for x, y in moved], [c * y - s * x for x, y in moved]
    there = [c * x + s * y for x, y in other]
    if min(there) > max(along) + most_mm or max(there) < min(along):
        return most_mm
    there = [c * y - s * x for x, y in other]
    beside = max(min(there) - max(across), min(across) - max(there))
    if beside > 0:
        return most_mm
    # What parts them, side by side, and how much of that a millimetre of the way takes away.
    sides = [*_sides(moved, other, c, s), *_sides(other, moved, -c, -s)]
    deep = deeper_mm + max(0.0, -max(parted for parted, _ in sides))
    if beside >= -deep or any(loss <= 0 and parted >= -deep for parted, loss in sides):
        return most_mm
    free = max([(parted + deep) / loss for parted, loss in sides if loss > 0], default=0.0)
    return min(most_mm, max(0.0, free))


def _sides(a: Outline, b: Outline, c: float, s: float) -> Iterator[tuple[float, float]]:
    """Yield by how much each side of `a` parts it from `b`, and what of that is lost on a way."""
    sign = _round(a)
    x0, y0 = a[-1]
    for x1, y1 in a:
        length = hypot(x1 - x0, y1 - y0) * sign
        nx, ny = (y1 - y0) / length, (x0 - x1) / length
        yield min([nx * x + ny * y for x, y in b]) - nx * x0 - ny * y0, nx * c + ny * s
        x0, y0 = x1, y1


def nearest_points(a: Outline, b: Outline) -> tuple[XY, XY]:
    """Return the two points, of `a` and of `b`, that lie nearest where they do not overlap."""
    apart = _apart(a, b) > HAIR_MM
    to_b, p, q = _nearest(a, b, _round(b) if apart else 0.0)
    to_a, r, t = _nearest(b, a, _round(a) if apart else 0.0)
    return (p, q) if to_b <= to_a else (t, r)


def _nearest(corners: Outline, outline: Outline, sign: float) -> tuple[float, XY, XY]:
    """Return the corner nearest to the sides of an outline: distance squared, corner, point.

    Where the outline holds none of them, `sign` says which way round it goes: then sides that face
    away from a corner are not looked at. Else it is 0.
    """
    best, found = inf, (corners[0], outline[0])
    sides = [(ax, ay, bx - ax, by - ay) for (ax, ay), (bx, by) in _edges(outline)]
    # No calls in here: it is asked for a hundred pairs at a time.
    for px, py in corners:
        for ax, ay, dx, dy in sides:
            fx, fy = px - ax, py - ay
            if (dy * fx - dx * fy) * sign < 0:
                continue
            part = (fx * dx + fy * dy) / (dx * dx + dy * dy or 1.0)
            part = 0.0 if part < 0 else 1.0 if part > 1 else part
            qx, qy = fx - part * dx, fy - part * dy
            d2 = qx * qx + qy * qy
            if d2 < best:
                best, found = d2, ((px, py), (px - qx, py - qy))
    return best, *found


# Ways and lines of sight


def crossing(a: XY, b: XY, outline: Outline, deeper_mm: float = 0.0) -> tuple[float, float] | None:
    """Return the part of the way from `a` to `b` that lies deeper than so much in an outline.

    As fractions of the way, first and last; ``None`` if it only touches. With a negative
    `deeper_mm` passing nearer than that counts as well (corners stay square).
    """
    first, last = 0.0, 1.0
    ax, ay = a
    dx, dy = b[0] - ax, b[1] - ay
    sign = _round(outline)
    x0, y0 = outline[-1]
    for x1, y1 in outline:
        ex, ey = x1 - x0, y1 - y0
        length = hypot(ex, ey) * sign
        # How deep the way begins behind this side, and how that grows along it.
        begin = (ex * (ay - y0) - ey * (ax - x0)) / length - deeper_mm
        grow = (ex * dy - ey * dx) / length
        if grow > 0:
            first = max(first, -begin / grow)
        elif grow < 0:
            last = min(last, -begin / grow)
        elif begin <= 0:
            return None
        if first >= last:
            return None
        x0, y0 = x1, y1
    return first, last


def way_gap(a: XY, b: XY, outline: Outline) -> float:
    """Return how near a straight way passes by an outline; 0 if it runs through."""
    if crossing(a, b, outline):
        return 0.0
    ends = max(0.0, -max(depth(a, outline), depth(b, outline)))
    return min(ends, *(point_to_line(corner, a, b) for corner in outline))


def _round(outline: Outline) -> float:
    """Return 1 for a clockwise outline as seen from above, -1 for the other way."""
    (x0, y0), (x1, y1) = outline[0], outline[1]
    for x2, y2 in outline[2:]:
        cross = (x1 - x0) * (y2 - y0) - (y1 - y0) * (x2 - x0)
        if cross:
            return 1.0 if cross > 0 else -1.0
    return 1.0


def first_struck(
    a: XY, b: XY, obstacles: Mapping[K, Outline], deeper_mm: float = 0.0
) -> tuple[K, float] | None:
    """Return what a straight way strikes first and at which part of it, ``None`` if nothing.

    A line of fire is such a way; the shooter and the target are not among its obstacles.
    """
    found: tuple[K, float] | None = None
    for key, outline in obstacles.items():
        hit = crossing(a, b, outline, deeper_mm)
        if hit and (found is None or hit[0] < found[1]):
            found = key, hit[0]
    return found


def is_free(path: Sequence[XY], obstacles: Iterable[Outline], deeper_mm: float = 0.0) -> bool:
    """Say whether no leg of a path runs deeper than so much into any obstacle."""
    legs = list(pairwise(path))
    return not any(crossing(a, b, outline, deeper_mm) for outline in obstacles for a, b in legs)


def length_mm(path: Sequence[XY]) -> float:
    """Return the length of a path."""
    return sum(distance(a, b) for a, b in pairwise(path))


def ways(
    start: XY,
    end: XY,
    obstacles: Sequence[Outline],
    most_corners: int,
    reach_mm: float,
    deeper_mm: float = 0.0,
    clear_mm: float = CLEAR_MM,
) -> Iterator[list[XY]]:
    """Yield free paths that turn at corners of obstacles only: fewest turns first, then shortest.

    None is longer than `reach_mm`. Corners are passed `clear_mm` away. The shortest way round
    convex obstacles runs along their corners, so where none of these is short enough, none is.
    """
    corners = [c for outline in obstacles for c in _passed_corners(outline, clear_mm)]
    begun: list[list[XY]] = [[start]]
    for turns in range(most_corners + 1):
        done = [[*path, end] for path in begun]
        short = [path for path in done if length_mm(path) <= reach_mm]
        yield from sorted(
            (p for p in short if _last_is_free(p, obstacles, deeper_mm)), key=length_mm
        )
        if turns < most_corners:
            longer = [[*p, c] for p in begun for c in corners if c not in p]
            within = [p for p in longer if length_mm([*p, end]) <= reach_mm]
            begun = [p for p in within if _last_is_free(p, obstacles, deeper_mm)]


def _last_is_free(path: Sequence[XY], obstacles: Iterable[Outline], deeper_mm: float) -> bool:
    return is_free(path[-2:], obstacles, deeper_mm)


def _passed_corners(outline: Outline, clear_mm: float) -> list[XY]:
    """Return the corners of an outline, moved away from its middle."""
    middle = centre(outline)
    return [toward(c, bearing_deg(middle, c), clear_mm) for c in outline]
