"""The virtual table: pictures that tell the truth, and tell it only as pictures."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.boards.profile import BoardProfile, load_profile
from companion.rules.layout import EMPTY, Cell, CellContent, Die, Layout, make_layout
from vision.frame import Array, Camera, Image
from vision.virtual import Scene, VirtualCamera, VirtualTable
from vision.virtual.pieces import SHIP_COLOURS

OCEAN = load_profile("hex-ocean")
CALM = Scene(noise=0.0)
LAYOUT = make_layout(
    {
        (0, 0): CellContent(("blue", "yellow")),
        (3, -4): CellContent(("red",)),
        (-3, 1): CellContent((), "desert"),
        (2, 1): CellContent(("green",), "reef"),
        (-1, 4): CellContent(("white",)),
    }
)


def make_table(scene: Scene = CALM, seed: int = 1, profile: BoardProfile = OCEAN) -> VirtualTable:
    ticks = iter(range(1000))
    return VirtualTable(profile, scene, np.random.default_rng(seed), lambda: next(ticks) / 10)


def with_changes(layout: Layout, changes: dict[Cell, CellContent]) -> Layout:
    return make_layout({**layout.cells, **changes})


def cell_crop(picture: Image, scene: Scene, cell: Cell, half_px: int = 26) -> Image:
    x, y = scene.board_lens(OCEAN).project(np.array([[*OCEAN.cell_centre_mm(cell), 0]]))[0].round()
    return picture[int(y) - half_px : int(y) + half_px, int(x) - half_px : int(x) + half_px]


def marker_homography(picture: Image) -> Array:
    """Fit board millimetres to pixels by OpenCV's own detector."""
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    known = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    corners, ids, _ = cv2.aruco.ArucoDetector(known, settings).detectMarkers(picture)
    assert ids is not None
    centres = {m.id: np.array(m.centre_mm) for m in OCEAN.markers}
    # Bookworm's OpenCV, 4.11, sees another number among the waves of one picture.
    found = [(int(i), quad) for i, quad in zip(ids.ravel(), corners, strict=True) if i in centres]
    assert sorted(i for i, _ in found) == [0, 1, 2, 3]
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * OCEAN.marker_side_mm / 2
    on_board = np.concatenate([centres[i] + square for i, _ in found])
    in_picture = np.concatenate([quad for _, quad in found]).reshape(-1, 2)
    homography, _ = cv2.findHomography(on_board, in_picture)
    return homography


@pytest.mark.parametrize("seed", [0, 3, 6, 11])
def test_the_markers_give_the_camera_within_half_a_millimetre(seed: int) -> None:
    # Without distortion, which a homography cannot tell.
    scene = replace(Scene.random(np.random.default_rng(seed)), distortion=0.0)
    homography = marker_homography(make_table(scene, seed).frame().board)
    centres = np.array([OCEAN.cell_centre_mm(c) for c in OCEAN.cells])
    truth = scene.board_lens(OCEAN).project(np.c_[centres, np.zeros(len(centres))])
    back = cv2.perspectiveTransform(truth[None], np.linalg.inv(homography))[0]
    assert np.linalg.norm(back - centres, axis=1).max() < 0.5


def test_a_table_is_made_by_its_seed() -> None:
    def evening() -> list[Image]:
        table = make_table(Scene(), 7)
        table.lay(LAYOUT)
        table.throw([Die("cannon", 5), Die("sail", 2)])
        table.reach((200, 200))
        frames = [table.frame(), table.frame()]
        return [p for f in frames for p in (f.board, f.tray) if p is not None]

    first, second = evening(), evening()
    assert len(first) == 4
    assert all(np.array_equal(a, b) for a, b in zip(first, second, strict=True))


def test_frames_are_numbered_timed_and_of_the_promised_size() -> None:
    table = make_table()
    one, two = table.frame(), table.frame()
    assert (one.id, two.id) == ("v000001", "v000002")
    assert (one.time_s, two.time_s) == (0.0, 0.1)
    assert one.board.shape == (960, 1280, 3)
    assert one.tray is not None
    assert one.tray.shape == (720, 960, 3)
    assert one.board.dtype == one.tray.dtype == np.uint8


def test_noise_changes_each_picture_and_nothing_else() -> None:
    table = make_table(Scene(noise=2.0))
    one, two = (table.frame().board.astype(int) for _ in range(2))
    assert (one != two).any()
    assert np.abs(one - two).mean() < 4


def test_unmoved_pieces_keep_their_pose_to_the_pixel() -> None:
    table = make_table()
    table.lay(LAYOUT)
    before, ships = table.frame().board, table.ships
    moved = with_changes(LAYOUT, {(3, -4): EMPTY, (3, -1): CellContent(("red",))})
    table.lay(moved)
    after = table.frame().board
    assert table.layout == moved
    for cell in [(0, 0), (-3, 1), (2, 1), (-1, 4)]:
        assert np.array_equal(cell_crop(before, CALM, cell), cell_crop(after, CALM, cell))
        for colour in LAYOUT.at(cell).ships:
            assert table.ships[cell, colour] == ships[cell, colour]
    for cell in [(3, -4), (3, -1)]:
        assert not np.array_equal(cell_crop(before, CALM, cell), cell_crop(after, CALM, cell))


def test_a_moved_ship_points_along_its_way() -> None:
    table = make_table()
    table.lay(make_layout({(0, 0): CellContent(("red",))}))
    table.lay(make_layout({(0, 3): CellContent(("red",))}))
    assert table.ships[(0, 3), "red"].heading_deg == pytest.approx(60, abs=20)


def test_a_ship_stands_near_the_middle_of_its_cell() -> None:
    table = make_table()
    for turn in range(20):
        cell = OCEAN.cells[turn * 4]
        table.lay(make_layout({cell: CellContent(("black",))}))
        pose = table.ships[cell, "black"]
        x, y = OCEAN.cell_centre_mm(cell)
        assert np.hypot(pose.x_mm - x, pose.y_mm - y) <= 4


def test_a_ship_may_leave_a_tile_on_which_it_stood() -> None:
    table = make_table()
    table.lay(make_layout({(1, 1): CellContent(("red",), "reef")}))
    assert table.ships[(1, 1), "red"].lift_mm > 0
    table.lay(make_layout({(1, 1): CellContent((), "reef"), (2, 1): CellContent(("red",))}))
    assert table.ships[(2, 1), "red"].lift_mm == 0


def test_two_ships_on_one_cell_are_both_to_be_seen() -> None:
    table = make_table()
    table.lay(LAYOUT)
    crop = cell_crop(table.frame().board, CALM, (0, 0)).reshape(-1, 3).astype(float)
    for colour in ("blue", "yellow"):
        hue = np.array(SHIP_COLOURS[colour], float)
        along = (crop @ hue) / (np.linalg.norm(crop, axis=1) * np.linalg.norm(hue) + 1e-9)
        assert (along > 0.985).sum() > 120, colour
    one, other = table.ships[(0, 0), "blue"], table.ships[(0, 0), "yellow"]
    assert 14 < np.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm) < 22


def test_each_ship_is_seen_against_the_empty_board() -> None:
    table = make_table(replace(CALM, board_style="night"))
    bare = table.frame().board
    for colour in SHIP_COLOURS:
        table.lay(make_layout({(1, 1): CellContent((colour,))}))
        change = np.abs(table.frame().board.astype(int) - bare).max(axis=2)
        assert (cell_crop(change, CALM, (1, 1)) > 12).sum() > 250, colour
        assert (cell_crop(change, CALM, (-3, 1)) == 0).all(), colour


def test_a_hand_covers_what_it_reaches_for_and_moves() -> None:
    table = make_table()
    table.lay(LAYOUT)
    clear = table.frame().board
    x, y = OCEAN.cell_centre_mm((2, 1))
    table.reach((x, y - 30.0), from_deg=90.0)
    covered, moved = table.frame().board, table.frame().board
    changed = np.abs(covered.astype(int) - clear).max(axis=2) > 20
    assert cell_crop(changed, CALM, (2, 1)).mean() > 0.8
    assert changed[-1].any(), "the arm comes in over the near edge"
    assert not changed[:200].any(), "and the far side stays clear"
    assert (np.abs(covered.astype(int) - moved).max(axis=2) > 20).sum() > 500
    table.withdraw()
    assert np.array_equal(table.frame().board, clear)


def test_a_hand_over_the_tray_is_in_the_trays_picture_only() -> None:
    table = make_table()
    clear = table.frame()
    table.reach((110, 80), over="tray")
    reached = table.frame()
    assert np.array_equal(reached.board, clear.board)
    assert clear.tray is not None
    assert reached.tray is not None
    assert (reached.tray != clear.tray).any(axis=2).mean() > 0.1
    with pytest.raises(ValueError, match="'board' or 'tray'"):
        table.reach((0, 0), over="kitchen")


def test_a_bump_moves_the_picture_a_little_and_for_good() -> None:
    table = make_table(replace(CALM, distortion=0.0))
    before = marker_homography(table.frame().board)
    table.bump(shift_mm=4.0, turn_deg=0.4)
    after, later = table.frame().board, table.frame().board
    middle = np.array([[OCEAN.cell_centre_mm((0, 0))]])
    way = cv2.perspectiveTransform(middle, before) - cv2.perspectiveTransform(
        middle, marker_homography(after)
    )
    assert 3 < np.linalg.norm(way) < 10
    assert np.array_equal(after, later)


def test_dimming_darkens_both_pictures_and_can_be_undone() -> None:
    table = make_table()
    bright = table.frame()
    table.dim(0.6)
    dark = table.frame()
    assert bright.tray is not None
    assert dark.tray is not None
    assert dark.board.mean() == pytest.approx(0.6 * bright.board.mean(), rel=0.05)
    assert dark.tray.mean() == pytest.approx(0.6 * bright.tray.mean(), rel=0.05)
    table.dim(1.0)
    assert np.array_equal(table.frame().board, bright.board)


def test_the_empty_pictures_show_nothing_that_lies_about() -> None:
    table = make_table()
    bare = table.frame()
    table.lay(LAYOUT)
    table.throw([Die("cannon", 3)])
    table.set_doubloons(2)
    table.reach((100, 100))
    assert np.array_equal(table.empty_board(), bare.board)
    empty_tray = table.empty_tray()
    assert empty_tray is not None
    assert bare.tray is not None
    assert np.array_equal(empty_tray, bare.tray)
    full = table.frame()
    assert full.tray is not None
    assert not np.array_equal(full.tray, bare.tray)


def test_dice_lie_still_until_they_are_taken() -> None:
    table = make_table()
    table.throw([Die("cannon", 3), Die("cannon", 3), Die("sail", 2)])
    first = table.dice
    table.throw([Die("sail", 4)])
    assert table.dice[:3] == first
    table.take([Die("cannon", 3)])
    assert table.dice == (*first[1:], table.dice[-1])
    with pytest.raises(ValueError, match="no cannon die showing 1"):
        table.take([Die("cannon", 1)])
    table.sweep()
    assert table.dice == ()


def test_a_roll_of_the_same_face_lies_elsewhere() -> None:
    table = make_table()
    table.throw([Die("cannon", 3)])
    first = table.dice
    table.sweep()
    table.throw([Die("cannon", 3)])
    assert table.dice != first


def test_coins_lie_in_the_treasure_zone() -> None:
    table = make_table()
    bare = table.frame().board
    table.set_doubloons(3)
    rows, columns = np.nonzero((table.frame().board != bare).any(axis=2))
    zone = next(z for z in OCEAN.zones if z.id == "treasure")
    (x, y), (w, h) = zone.origin_mm, zone.size_mm
    corners = CALM.board_lens(OCEAN).project(
        np.array([[x, y, 0], [x + w, y, 0], [x + w, y + h, 0], [x, y + h, 0]])
    )
    assert columns.min() > corners[:, 0].min() - 8
    assert columns.max() < corners[:, 0].max() + 8
    assert rows.min() > corners[:, 1].min() - 8
    assert rows.max() < corners[:, 1].max() + 8
    assert len(rows) > 2000


def test_a_board_without_a_tray_has_one_picture() -> None:
    table = make_table(profile=replace(OCEAN, tray=None))
    assert table.frame().tray is None
    assert table.empty_tray() is None
    with pytest.raises(ValueError, match="no dice tray"):
        table.throw([Die("sail", 2)])


def test_the_camera_is_a_camera() -> None:
    camera: Camera = VirtualCamera(make_table())
    frame = camera.read()
    assert frame is not None
    assert frame.source == "virtual"
    camera.close()
    camera.close()


def test_a_scene_refuses_what_it_cannot_show() -> None:
    with pytest.raises(ValueError, match="light must be one of ceiling, lamp, window, evening"):
        Scene(light="candle")
    with pytest.raises(ValueError, match="dice_set must be 0 to"):
        Scene(dice_set=99)


def test_random_scenes_differ_and_repeat() -> None:
    scenes = [Scene.random(np.random.default_rng(seed)) for seed in range(20)]
    assert len(set(scenes)) == 20
    assert {s.board_style for s in scenes} == {"deep", "chart", "night"}
    assert scenes[3] == Scene.random(np.random.default_rng(3))
