"""Outlines on the open table: what touches, how near, how deep, and how far till it meets.

An outline is a convex polygon, its corners in order (`companion.rules.plane`); a hollow piece is
several.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import cos, hypot, inf, radians, sin, sqrt

from companion.rules.layout import Pose
from companion.rules.plane import HAIR_MM, XY, Outline, distance


def outline_at(pose: Pose, outline: Outline) -> Outline:
    """Return the outline of a piece in the board frame."""
    angle = radians(pose.heading_deg)
    c, s, x0, y0 = cos(angle), sin(angle), pose.x_mm, pose.y_mm
    return tuple([(x0 + c * x - s * y, y0 + s * x + c * y) for x, y in outline])


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


def winding(outline: Outline) -> float:
    """Return 1 for a clockwise outline as seen from above, -1 for the other way."""
    (x0, y0), (x1, y1) = outline[0], outline[1]
    for x2, y2 in outline[2:]:
        cross = (x1 - x0) * (y2 - y0) - (y1 - y0) * (x2 - x0)
        if cross:
            return 1.0 if cross > 0 else -1.0
    return 1.0


def depth(p: XY, outline: Outline) -> float:
    """Return how deep a point lies inside an outline; minus its distance where it lies outside."""
    nearest2, inside = inf, True
    sign = winding(outline)
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
    return sqrt(min(_nearest(a, b, winding(b))[0], _nearest(b, a, winding(a))[0]))


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
    best, sign = -inf, winding(a)
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
    sign = winding(a)
    x0, y0 = a[-1]
    for x1, y1 in a:
        length = hypot(x1 - x0, y1 - y0) * sign
        nx, ny = (y1 - y0) / length, (x0 - x1) / length
        yield min([nx * x + ny * y for x, y in b]) - nx * x0 - ny * y0, nx * c + ny * s
        x0, y0 = x1, y1


def nearest_points(a: Outline, b: Outline) -> tuple[XY, XY]:
    """Return the two points, of `a` and of `b`, that lie nearest where they do not overlap."""
    apart = _apart(a, b) > HAIR_MM
    to_b, p, q = _nearest(a, b, winding(b) if apart else 0.0)
    to_a, r, t = _nearest(b, a, winding(a) if apart else 0.0)
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
