"""Places, headings, angles on the open table, in mm; `outlines` and `paths` build on it.

Board frame: x to the right, y down, as on the profile; headings run clockwise from +x as seen from
above and point where the bow points. An outline is a convex polygon, its corners in order; in the
frame of a piece x points to the bow and y to starboard, the origin lies under the tag. A hollow
piece is several outlines.

Pure Python on purpose: outlines have four to twelve corners, and `docs/benchmarks.md` shows what
Shapely takes for the same questions.
"""

from __future__ import annotations

from math import atan2, cos, degrees, hypot, radians, sin

from companion.rules.layout import Pose

XY = tuple[float, float]
Outline = tuple[XY, ...]
"""Corners of a convex polygon, three or more, in order either way round."""

TOLERANCE_MM = 6.0
"""How far a measured move may be out of bounds before it is refused."""

ERROR_MM = 2.0
"""What a measured place may be off by, one time in ten or so."""

HAIR_MM = 1e-6
"""What lies so near touches: no farther do the last digits of reckoning reach."""


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
    x, y = toward(place(pose), pose.heading_deg, mm)
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
