"""The open plane: every question has a slow answer that is found another way."""

from math import hypot, isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules import outlines, paths, plane
from companion.rules.layout import Pose

SQUARE = ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0))
NUMBER = st.integers(-60, 60).map(float)
POINT = st.tuples(NUMBER, NUMBER)
POSE = st.builds(Pose, NUMBER, NUMBER, st.integers(0, 359).map(float))
OUTLINE = st.lists(POINT, min_size=3, max_size=9).map(outlines.hull).filter(lambda o: len(o) > 2)


def along(a, b, parts=400):
    return [plane.between(a, b, k / parts) for k in range(parts + 1)]


def rim(outline, parts=60):
    return [
        p
        for a, b in zip(outline, (*outline[1:], outline[0]), strict=True)
        for p in along(a, b, parts)
    ]


def is_inside(p, outline):
    """Count how often a ray to the right leaves the outline."""
    odd = False
    for (x0, y0), (x1, y1) in zip(outline, (*outline[1:], outline[0]), strict=True):
        if (y0 > p[1]) != (y1 > p[1]) and p[0] < x0 + (x1 - x0) * (p[1] - y0) / (y1 - y0):
            odd = not odd
    return odd


def test_headings_run_clockwise_from_the_right():
    assert plane.bearing_deg((0, 0), (1, 0)) == 0
    assert plane.bearing_deg((0, 0), (0, 1)) == 90
    assert plane.normal_deg(-1e-20) == 0
    assert plane.turn_deg(0, 180) == 180
    assert plane.turn_deg(90, 0) == -90


def test_a_turn_about_the_bow_leaves_the_bow_where_it_is():
    bow = (30.0, 0.0)
    before = Pose(100, 50, 0)
    after = plane.turned(before, 90, bow)
    assert plane.on_board(after, bow) == pytest.approx((130, 50))
    assert (after.x_mm, after.y_mm, after.heading_deg) == pytest.approx((130, 20, 90))


@given(POSE, POINT)
def test_board_and_piece_frames_are_inverse(pose, point):
    assert plane.on_piece(pose, plane.on_board(pose, point)) == pytest.approx(point, abs=1e-6)
    assert outlines.outline_at(pose, (point,))[0] == pytest.approx(plane.on_board(pose, point))


@given(POSE, st.integers(-50, 50), st.integers(-180, 180))
def test_ahead_and_turned(pose, mm, deg):
    ahead = plane.advance(pose, mm)
    moved = plane.distance((pose.x_mm, pose.y_mm), (ahead.x_mm, ahead.y_mm))
    assert moved == pytest.approx(abs(mm))
    back = plane.turned(plane.turned(pose, deg, (7.0, 3.0)), -deg, (7.0, 3.0))
    assert (back.x_mm, back.y_mm) == pytest.approx((pose.x_mm, pose.y_mm))


@given(st.lists(POINT, min_size=3, max_size=12))
def test_a_hull_holds_its_points_and_is_convex(points):
    found = outlines.hull(points)
    assert set(found) <= set(points)
    if len(found) > 2:
        assert outlines.is_convex(found)
        assert outlines.is_convex(found[::-1])
        assert all(outlines.depth(p, found) > -1e-9 for p in points)


def test_what_is_not_convex():
    assert not outlines.is_convex(((0, 0), (4, 0), (1, 1), (0, 4)))
    assert not outlines.is_convex(((0, 0), (2, 0), (4, 0), (0, 4)))  # a corner that is none
    assert not outlines.is_convex(((0, 0), (4, 4), (4, 0), (0, 4)))  # crosses itself
    assert not outlines.is_convex(((0, 0), (4, 0)))


@given(POINT, OUTLINE, st.booleans())
def test_depth_is_the_distance_from_the_rim(p, outline, other_way):
    found = outlines.depth(p, outline[::-1] if other_way else outline)
    nearest = min(plane.distance(p, q) for q in rim(outline))
    assert abs(found) == pytest.approx(nearest, abs=1.5)
    if abs(found) > 1e-6:
        assert (found > 0) == is_inside(p, outline)
    near = outlines.nearest_point(p, outline)
    assert plane.distance(p, near) == pytest.approx(max(0.0, -found), abs=1e-9)


@given(OUTLINE, OUTLINE)
def test_the_gap_between_two_outlines(a, b):
    found = outlines.gap(a, b)
    assert found == pytest.approx(outlines.gap(b, a), abs=1e-6)
    assert outlines.overlap(a, b) == pytest.approx(max(0.0, -found), abs=1e-9)
    assert outlines.is_near(a, b, max(found, 0) + 1e-6)
    assert not outlines.is_near(a, tuple((x + 200, y) for x, y in b), 70)
    if found > 0:
        slow = min(hypot(p[0] - q[0], p[1] - q[1]) for p in rim(a, 20) for q in b)
        slow = min(slow, *(hypot(p[0] - q[0], p[1] - q[1]) for p in rim(b, 20) for q in a))
        assert slow - 3 <= found <= slow + 1e-6
        p, q = outlines.nearest_points(a, b)
        assert plane.distance(p, q) == pytest.approx(found)
        assert abs(outlines.depth(p, a)) < 1e-6
        assert abs(outlines.depth(q, b)) < 1e-6


@given(OUTLINE, OUTLINE)
def test_overlapping_outlines_part_when_moved_by_their_depth(a, b):
    deep = outlines.overlap(a, b)
    shifts = [plane.toward((0, 0), deg, deep) for deg in range(360)]
    moved = [min(outlines.gap(tuple((x + dx, y + dy) for x, y in a), b), 0) for dx, dy in shifts]
    assert max(moved) == pytest.approx(0, abs=0.02 * deep + 1e-9)


@given(OUTLINE, OUTLINE, st.integers(0, 359), st.integers(0, 90), st.integers(1, 5), st.booleans())
def test_how_far_an_outline_moves_before_it_lies_in_another(a, b, deg, most, deeper, other_way):
    free = outlines.free_mm(a, deg, most, b[::-1] if other_way else b, deeper)
    allowed = outlines.overlap(a, b) + deeper

    def deep(mm):
        dx, dy = plane.toward((0, 0), deg, mm)
        return outlines.overlap(outlines.swept(a, tuple((x + dx, y + dy) for x, y in a)), b)

    assert 0 <= free <= most
    assert deep(max(0.0, free - 1e-6)) <= allowed + 1e-6
    if free < most:
        assert deep(free) == pytest.approx(allowed, abs=1e-6)
        assert deep(min(most, free + 0.1)) > allowed - 1e-6


@given(OUTLINE, OUTLINE, st.integers(0, 50))
def test_within_a_distance(a, b, mm):
    assert outlines.is_within(a, b, mm) == (outlines.gap(a, b) <= mm)


@given(POINT, POINT, OUTLINE, st.integers(-8, 8), st.booleans())
def test_the_part_of_a_way_that_runs_through_an_outline(a, b, outline, deeper, other_way):
    hit = paths.crossing(a, b, outline[::-1] if other_way else outline, deeper)
    depths = [outlines.depth(p, outline) for p in along(a, b)]
    if hit is None:
        assert max(depths) <= deeper + 1e-6 or deeper < 0
        return
    first, last = hit
    assert 0 <= first < last <= 1
    if deeper >= 0:
        middle = outlines.depth(plane.between(a, b, (first + last) / 2), outline)
        assert middle >= deeper - 1e-6
        for end in (first, last):
            on_edge = outlines.depth(plane.between(a, b, end), outline)
            assert end in (0, 1) or isclose(on_edge, deeper, abs_tol=1e-6)


def test_touching_is_not_crossing():
    assert paths.crossing((-5, 0), (15, 0), SQUARE) is None
    assert paths.crossing((-5, 3), (15, 3), SQUARE) == (0.25, 0.75)
    assert paths.crossing((-5, 3), (15, 3), SQUARE, 4) is None
    assert paths.crossing((-5, -2), (15, -2), SQUARE, -3) is not None
    assert paths.crossing((5, 5), (5, 5), SQUARE) == (0, 1)


def test_the_first_thing_that_is_struck():
    far = tuple((x + 20, y) for x, y in SQUARE)
    found = paths.first_struck((-10, 5), (50, 5), {"far": far, "near": SQUARE})
    assert found == ("near", pytest.approx(1 / 6))
    assert paths.first_struck((-10, 5), (-1, 5), {"near": SQUARE}) is None


def test_a_piece_sweeps_what_it_passes():
    assert set(outlines.swept(SQUARE, tuple((x + 20, y) for x, y in SQUARE))) == {
        (0, 0),
        (30, 0),
        (30, 10),
        (0, 10),
    }


def test_a_straight_way_comes_first_and_others_go_round_corners():
    assert next(paths.ways((0, -5), (10, -5), [SQUARE], 2, 100)) == [(0, -5), (10, -5)]
    path = next(paths.ways((-4, 4), (14, 4), [SQUARE], 2, 100))
    assert len(path) == 4
    assert all(-1 < y < 0 for _, y in path[1:3])  # round the nearer, upper side
    assert paths.is_free(path, [SQUARE])
    assert next(paths.ways((-4, 4), (14, 4), [SQUARE], 1, 100), None) is None
    assert next(paths.ways((-4, 4), (14, 4), [SQUARE], 2, 19), None) is None


@given(POINT, POINT, st.lists(OUTLINE, max_size=3))
def test_ways_are_free_and_no_longer_than_asked(start, end, obstacles):
    found = []
    for path in paths.ways(start, end, obstacles, 1, 150):
        assert paths.is_free(path, obstacles)
        assert paths.length_mm(path) <= 150
        found.append(len(path))
    assert found == sorted(found)


def test_a_rectangle_lies_about_its_tag():
    assert outlines.rectangle(60, 20) == ((-30, -10), (30, -10), (30, 10), (-30, 10))
    assert outlines.centre(outlines.rectangle(60, 20)) == (0, 0)


@given(POINT, POINT, OUTLINE)
def test_how_near_a_way_passes(a, b, outline):
    found = paths.way_gap(a, b, outline)
    slow = min(max(0.0, -outlines.depth(p, outline)) for p in along(a, b))
    assert found <= slow + 1e-9
    assert found == pytest.approx(slow, abs=0.6)
