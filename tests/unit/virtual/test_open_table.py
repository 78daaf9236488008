"""The virtual open table: pieces where a layout has them, tags that a reader reads."""

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.boards.profile import load_profile
from companion.rules.layout import Layout, Placed, Pose, make_layout
from vision.frame import Frame
from vision.registration import register
from vision.tags.reader import TagReader
from vision.virtual.scene import Scene
from vision.virtual.table import VirtualTable

CLOTH = load_profile("open-table")
HULL = (
    (-90, -18),
    (-80, -24),
    (50, -24),
    (90, -8),
    (105, 0),
    (90, 8),
    (50, 24),
    (-80, 24),
    (-90, 18),
)
ISLE = tuple((70 * math.cos(k / 5 * math.pi), 60 * math.sin(k / 5 * math.pi)) for k in range(10))
TOWER = ((-40, -40), (40, -40), (40, 40), (-40, 40))
BOAT = ((-25, -10), (15, -10), (28, 0), (15, 10), (-25, 10))
PIECES = {
    10: Placed(Pose(300, 250, 30), "ship", "Gull", "red", HULL, 90),
    11: Placed(Pose(900, 200, 200), "ship", "Kite", "blue", HULL, 60),
    14: Placed(Pose(220, 600, 330), "launch", "Boat", "green", BOAT, 25),
    20: Placed(Pose(650, 430, 0), "island", "Isle", "", ISLE, 3),
    22: Placed(Pose(320, 800, 0), "reef", "Reef", "", ISLE, 2),
    23: Placed(Pose(980, 700, 15), "fort", "Fort", "red", TOWER, 45),
    30: Placed(Pose(600, 720, 80), "kraken", "Nobody drew it", "", TOWER, 20),
}


def table(pieces: dict[int, Placed], seed: int = 1, **scene: object) -> VirtualTable:
    made = VirtualTable(CLOTH, Scene(**scene), np.random.default_rng(seed))
    made.lay(layout(pieces))
    return made


def layout(pieces: dict[int, Placed]) -> Layout:
    return make_layout({}, (), pieces)


@pytest.fixture(scope="module")
def laid() -> VirtualTable:
    return table(PIECES)


def test_every_kind_of_piece_is_read_where_it_stands(laid: VirtualTable) -> None:
    truth = laid.tagged
    reader = TagReader(CLOTH, lambda: {tag: piece.height_mm for tag, piece in truth.items()})
    seen = reader.read(laid.frame())
    assert sorted(seen.tags) == sorted(PIECES)
    for tag, reading in seen.tags.items():
        pose = truth[tag].pose
        assert math.dist((reading.pose.x_mm, reading.pose.y_mm), (pose.x_mm, pose.y_mm)) < 4
        assert abs((reading.pose.heading_deg - pose.heading_deg + 180) % 360 - 180) < 1


def test_a_tag_is_painted_to_a_twentieth_of_a_pixel(laid: VirtualTable) -> None:
    frame, truth = laid.frame(), laid.tagged
    fit = register(frame.board, CLOTH)
    lens = Scene().board_lens(CLOTH)
    for placed in TagReader(CLOTH).find(frame, fit):
        piece = truth[placed.seen.tag]
        point = np.array([[piece.pose.x_mm, piece.pose.y_mm, -piece.height_mm]])
        off = placed.seen.corners_px.mean(axis=0) - lens.project(point)[0]
        assert np.abs(off).max() < 0.05


def test_people_put_pieces_down_nearly_where_they_should(laid: VirtualTable) -> None:
    for tag, piece in laid.tagged.items():
        wanted = PIECES[tag].pose
        off = math.dist((piece.pose.x_mm, piece.pose.y_mm), (wanted.x_mm, wanted.y_mm))
        assert 0 < off < 4
        assert replace(piece, pose=wanted) == PIECES[tag]


def test_a_piece_that_stays_is_not_touched() -> None:
    one = table(PIECES)
    before = one.tagged
    moved = {**PIECES, 10: replace(PIECES[10], pose=Pose(400, 300, 60))}
    one.lay(layout({tag: piece for tag, piece in moved.items() if tag != 11}))
    after = one.tagged
    assert after.keys() == PIECES.keys() - {11}
    assert after[10].pose != before[10].pose
    assert all(after[tag].pose == before[tag].pose for tag in after if tag != 10)


def test_a_tag_seen_before_is_read_when_a_spar_touches_it() -> None:
    one = table({10: PIECES[10]})
    picture = one.frame().board
    reader = TagReader(CLOTH, lambda: {10: 90.0})
    clear = reader.read(Frame("clear", 0.0, picture)).tags[10].pose
    (seen,) = reader.find(Frame("clear", 0.0, picture), register(picture, CLOTH))
    corner = seen.seen.corners_px[0]
    away = corner - seen.seen.corners_px.mean(axis=0)
    ends = [np.round(corner + s * away).astype(int).tolist() for s in (-0.1, 3.0)]
    touched = picture.copy()
    cv2.line(touched, ends[0], ends[1], (14, 16, 18), 6)
    assert TagReader(CLOTH).read(Frame("new", 0.0, touched)).tags == {}
    pose = reader.read(Frame("touched", 0.0, touched)).tags[10].pose
    assert math.dist((pose.x_mm, pose.y_mm), (clear.x_mm, clear.y_mm)) < 2
    covered = picture.copy()
    cv2.circle(
        covered,
        np.round(seen.seen.corners_px.mean(axis=0)).astype(int).tolist(),
        9,
        (60, 60, 60),
        -1,
    )
    assert reader.read(Frame("covered", 0.0, covered)).tags == {}


def test_of_two_tags_with_one_number_neither_is_read_and_none_beside_the_cloth() -> None:
    one = table({k: PIECES[k] for k in (10, 20)})
    picture = one.frame().board
    lens = Scene().board_lens(CLOTH)

    def cut(x_mm: float, y_mm: float) -> tuple[slice, slice]:
        x, y = np.round(lens.project(np.array([[x_mm, y_mm, -3.0]]))[0]).astype(int)
        return slice(y - 16, y + 17), slice(x - 16, x + 17)

    isle = one.tagged[20].pose
    stamp = picture[cut(isle.x_mm, isle.y_mm)].copy()
    picture[cut(700.0, -130.0)] = stamp
    beside = TagReader(CLOTH).read(Frame("beside", 0.0, picture))
    assert sorted(beside.tags) == [10, 20]
    picture[cut(1000.0, 300.0)] = stamp
    twice = TagReader(CLOTH).read(Frame("twice", 0.0, picture))
    assert sorted(twice.tags) == [10]


def test_no_tag_is_read_on_an_empty_cloth() -> None:
    empty = table({})
    seen = TagReader(CLOTH).read(empty.frame())
    assert seen.tags == {}
    assert seen.cells == {}


def test_a_hand_hides_tags_and_makes_none() -> None:
    one = table(PIECES)
    one.reach((300, 160), 90.0)
    seen = TagReader(CLOTH).read(one.frame())
    assert 10 not in seen.tags
    assert set(seen.tags) < set(PIECES)
