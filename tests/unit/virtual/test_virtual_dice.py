"""The virtual dice are true solids: what lies up is the value, and it is where it should be."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from vision.dice.kinds import FACES
from vision.frame import Image
from vision.polyhedra import normals
from vision.virtual.dice import DiePose, face_on_top, posed_corners_mm, render_tray, scatter
from vision.virtual.lens import Lens
from vision.virtual.light import LIGHTS
from vision.virtual.prints import DICE_SETS
from vision.virtual.solids import (
    CANNON_HEIGHT_MM,
    SOLID_KINDS,
    TETRAHEDRON_EDGE_MM,
    solid_of,
)

TRAY_MM = (220.0, 160.0)
LENS = Lens((480, 360), 1.5, 370.0, (110.0, 80.0), 6.0)
FLOOR = np.full((360, 480, 3), (60, 110, 40), np.uint8)

EVERY_CANNON = [(face, way) for face in range(1, 6) for way in range(4)]
EVERY_TETRAHEDRON = [("sail", 2, 0), ("sail", 3, 0), ("sail", 3, 1), ("sail", 4, 0)]
EVERY_TETRAHEDRON += [("d4", face, 0) for face in range(1, 5)]


def picture(*dice: DiePose, look: int = 0) -> Image:
    return render_tray(FLOOR, LENS, LIGHTS["ceiling"], dice, DICE_SETS[look])


@pytest.mark.parametrize(("face", "way"), EVERY_CANNON)
def test_the_top_side_of_a_cannonball_shows_its_face(face: int, way: int) -> None:
    solid = solid_of("cannon")
    corners = posed_corners_mm(DiePose("cannon", face, 50, 60, 33.0, way))
    up = int(np.argmin(normals(corners, solid.sides)[:, 2]))
    assert solid.prints[up] == (face,)
    assert normals(corners, solid.sides)[up] == pytest.approx([0, 0, -1])
    assert corners[:, 2].max() == pytest.approx(0)
    assert corners[:, 2].min() == pytest.approx(-CANNON_HEIGHT_MM)


@pytest.mark.parametrize(("kind", "face", "way"), EVERY_TETRAHEDRON)
def test_the_top_corner_of_a_tetrahedron_reads_its_face_on_every_visible_side(
    kind: str, face: int, way: int
) -> None:
    solid = solid_of(kind)
    corners = posed_corners_mm(DiePose(kind, face, 50, 60, 200.0, way))
    top = int(np.argmin(corners[:, 2]))
    visible = [
        (side, printed)
        for side, printed, normal in zip(
            solid.sides, solid.prints, normals(corners, solid.sides), strict=True
        )
        if normal[2] < 0
    ]
    assert len(visible) == 3
    assert all(printed[side.index(top)] == face for side, printed in visible)
    assert corners[top, :2] == pytest.approx([50, 60])
    assert corners[top, 2] == pytest.approx(-TETRAHEDRON_EDGE_MM * np.sqrt(2 / 3))


def test_all_ways_to_show_a_face_are_different_sides() -> None:
    ways = {
        tuple(np.round(posed_corners_mm(DiePose("cannon", f, 0, 0, 0, w))[0], 3))
        for f, w in EVERY_CANNON
    }
    assert len(ways) == 20


def test_a_cannonball_has_each_value_four_times_and_never_twice_at_a_corner() -> None:
    solid = solid_of("cannon")
    assert Counter(printed[0] for printed in solid.prints) == dict.fromkeys(range(1, 6), 4)
    for corner in range(12):
        around = [p[0] for s, p in zip(solid.sides, solid.prints, strict=True) if corner in s]
        assert sorted(around) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("kind", ["d6", "d6_numeral", "piecepack", "colour", "d8", "d12", "d20"])
def test_opposite_sides_of_an_ordinary_die_add_up_to_the_same(kind: str) -> None:
    solid = solid_of(kind)
    outward = normals(solid.corners_mm, solid.sides)
    sums = {
        solid.prints[k][0] + solid.prints[int(np.argmin(outward @ outward[k]))][0]
        for k in range(len(solid.sides))
    }
    assert len(sums) == 1
    assert sorted(printed[0] for printed in solid.prints) == sorted(FACES[kind])


@pytest.mark.parametrize("kind", SOLID_KINDS)
def test_each_face_of_a_die_can_be_thrown_and_shows(kind: str) -> None:
    """Whatever lies up: the same die another way round gives another picture."""
    shown = {
        face: picture(DiePose(kind, face, 110, 80, 10), look=2)
        for face in {value for value, _ in solid_of(kind).ups}
    }
    for face, other in combinations(shown, 2):
        assert np.abs(shown[face].astype(int) - shown[other]).max() > 40, (face, other)


@pytest.mark.parametrize("kind", SOLID_KINDS)
def test_a_die_that_lies_flat_has_its_face_on_top(kind: str) -> None:
    for face in {value for value, _ in solid_of(kind).ups}:
        assert face_on_top(DiePose(kind, face, 50.0, 40.0, turn_deg=77.0, way=2)) == face


@pytest.mark.parametrize(("lean_deg", "others"), [(20.0, False), (40.0, True)])
def test_a_d10_that_leans_far_enough_has_its_neighbours_face_on_top(lean_deg, others) -> None:
    """Two sides that share the upper corner are 49 degrees apart."""
    leaning = [
        DiePose("d10", 4, 50.0, 40.0, 0.0, 0, 0.0, lean_deg, way) for way in range(0, 360, 9)
    ]
    shown = {face_on_top(pose) for pose in leaning}
    assert 4 in shown
    assert (len(shown) > 1) is others


def test_a_die_that_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match=r"shows \[2, 3, 4\], never 1"):
        posed_corners_mm(DiePose("sail", 1, 0, 0))
    with pytest.raises(ValueError, match="there are sail, d4, cannon, d6"):
        solid_of("d7")


def test_a_die_is_painted_where_it_lies_and_in_its_colours() -> None:
    shown = picture(DiePose("cannon", 4, 60, 50, 10))
    changed = np.abs(shown.astype(int) - FLOOR).max(axis=2) > 25
    rows, columns = np.nonzero(changed)
    x, y = LENS.project(np.array([[60, 50, -CANNON_HEIGHT_MM / 2]]))[0]
    assert (columns.mean(), rows.mean()) == pytest.approx((x, y), abs=3.5)  # with its shadow
    inside = shown[round(y) - 8 : round(y) + 9, round(x) - 8 : round(x) + 9].reshape(-1, 3)
    body = np.array(DICE_SETS[0].cannon_body)
    assert np.median(np.abs(inside - body * LIGHTS["ceiling"].level).max(axis=1)) < 45


def test_the_number_is_not_mirrored() -> None:
    """A 4 seen from above has its open corner on the left, its upright on the right."""
    big = Lens((400, 400), 12.0, 2000.0, (0.0, 0.0))
    floor = np.full((400, 400, 3), 255, np.uint8)
    up = normals(posed_corners_mm(DiePose("cannon", 4, 0, 0)), solid_of("cannon").sides)
    side = solid_of("cannon").sides[int(np.argmin(up[:, 2]))]
    first = posed_corners_mm(DiePose("cannon", 4, 0, 0))[side[0]]
    # Turn the die until its number stands upright in the picture.
    turn = -90 - float(np.degrees(np.arctan2(first[1], first[0])))
    shown = render_tray(floor, big, LIGHTS["ceiling"], [DiePose("cannon", 4, 0, 0, turn)])
    ink = shown[155:245, 155:245].min(axis=2) > 200
    columns = np.flatnonzero(ink.any(axis=0))
    upright = int(np.argmax(ink.sum(axis=0)))
    assert upright > columns.mean()


def test_the_picture_is_made_by_its_poses_alone() -> None:
    poses = scatter([("cannon", 2), ("sail", 3)], TRAY_MM, np.random.default_rng(4))
    again = scatter([("cannon", 2), ("sail", 3)], TRAY_MM, np.random.default_rng(4))
    assert poses == again
    assert np.array_equal(picture(*poses), picture(*again))
    assert not np.array_equal(picture(*poses), picture(*poses, look=1))
    assert (picture() == FLOOR).all()


def test_thrown_dice_lie_apart_and_inside() -> None:
    rng = np.random.default_rng(8)
    lying = scatter([("cannon", 1)] * 4, TRAY_MM, rng)
    thrown = scatter([("sail", 2), ("cannon", 5)] * 3, TRAY_MM, rng, lying)
    places = np.array([(d.x_mm, d.y_mm) for d in lying + thrown])
    gaps = np.linalg.norm(places[:, None] - places[None], axis=2)
    reach = [
        np.hypot(*(posed_corners_mm(d)[:, :2] - (d.x_mm, d.y_mm)).T).max() for d in lying + thrown
    ]
    assert (gaps > np.add.outer(reach, reach))[~np.eye(10, dtype=bool)].all()
    assert (places > 17).all()
    assert (places < np.array(TRAY_MM) - 17).all()


def test_a_full_tray_takes_no_more() -> None:
    with pytest.raises(ValueError, match="no room for one more die"):
        scatter([("cannon", 1)] * 200, TRAY_MM, np.random.default_rng(1))
