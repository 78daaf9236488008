"""A tray that is fixed to the board is where the markers say, however the camera was bumped."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import pytest

from companion.boards.profile import BoardProfile, Tray, load_profile
from companion.errors import NotCalibrated
from companion.rules.layout import Die
from vision.camera.zone import board_picture, cut_zone
from vision.dice.placing import ZoneWatch, floor_view, placed_view, table_in_zone, zone_sight
from vision.dice.reader import TrayReader
from vision.dice.tray_search import find_tray
from vision.frame import Frame, Image
from vision.registration import BoardFit, register
from vision.virtual.beside import in_tray, put_beside
from vision.virtual.boards import BoardOnTable
from vision.virtual.dice import DiePose, render_tray
from vision.virtual.lens import Lens
from vision.virtual.light import LIGHTS
from vision.virtual.prints import DICE_SETS
from vision.virtual.tray import empty_tray

TRAY = Tray((220.0, 160.0), (505.0, 250.0))
"""To the right of the hex ocean."""
ZONE = (0.55, 0.3, 1.0, 1.0)
DICE = (
    DiePose("d6", 2, 50, 40, 20),
    DiePose("d6", 6, 160, 100, 70),
    DiePose("sail", 3, 100, 80, 9),
)
STRAIGHT = Lens((2560, 1920), 2.9, 900.0, (340.0, 210.0), tilt_deg=3.0, k1=-0.03)
BUMPED = replace(STRAIGHT, target_mm=(358.0, 196.0), turn_deg=2.0, tilt_deg=6.0)


@dataclass(frozen=True)
class Table:
    """A board and a tray under one camera."""

    profile: BoardProfile
    board: BoardOnTable
    pictures: dict[Lens, Image] = field(default_factory=dict)

    def whole(self, lens: Lens) -> Image:
        """Return the camera's full picture."""
        if lens not in self.pictures:
            self.pictures[lens] = self._exposed(lens)
        return self.pictures[lens]

    def _exposed(self, lens: Lens) -> Image:
        light, rng = LIGHTS["ceiling"], np.random.default_rng(2)
        over_tray = in_tray(lens, TRAY.place_mm)
        bare = empty_tray(over_tray, light, TRAY.size_mm, "green felt", "wood", rng)
        tray = render_tray(bare, over_tray, light, DICE, DICE_SETS[1])
        return put_beside(self.board.picture(lens, light), tray, over_tray, TRAY.size_mm)

    def look(self, lens: Lens, zone=ZONE) -> tuple[Frame, BoardFit]:
        """Return what a camera with this zone gives, and where the board is in it."""
        whole = self.whole(lens)
        frame = Frame("1", 0.0, board_picture(whole), cut_zone(whole, zone), tray_zone=zone)
        fit = register(frame.board, self.profile)
        assert isinstance(fit, BoardFit)
        return frame, fit


def floor_px(lens: Lens) -> np.ndarray:
    """Return the true corners of the tray's floor in the full picture."""
    w, h = TRAY.size_mm
    floor = np.array([[0, 0, 0], [w, 0, 0], [w, h, 0], [0, h, 0]], float)
    return in_tray(lens, TRAY.place_mm).project(floor)


@pytest.fixture(scope="module")
def table() -> Table:
    profile = load_profile("hex-ocean")
    rng = np.random.default_rng(1)
    return Table(profile, BoardOnTable(profile, "deep", "wood", rng))


@pytest.mark.parametrize("lens", [STRAIGHT, BUMPED])
def test_its_corners_are_told_by_the_board_s_markers(table: Table, lens: Lens) -> None:
    frame, fit = table.look(lens)
    view = placed_view(fit, frame, TRAY)
    assert view is not None
    truth = floor_px(lens) - np.round(np.array(ZONE[:2]) * lens.size_px)
    mm = np.linalg.norm(view.corners_px - truth, axis=1) / lens.px_per_mm
    assert mm.max() < 4.0, "the farthest corner is 230 mm beside the nearest marker"
    camera = in_tray(lens, TRAY.place_mm).position_mm * [1, 1, -1]
    assert np.linalg.norm(view.camera_mm - camera) < 60, "it is far beside the tray"


def test_its_dice_are_read_before_and_after_a_bump(table: Table) -> None:
    reader = TrayReader(TRAY.size_mm)
    for lens in (STRAIGHT, BUMPED):
        frame, fit = table.look(lens)
        readings = reader.read(frame.tray, ("d6", "sail"), placed_view(fit, frame, TRAY))
        told = {r.best[0]: r.centre_mm for r in readings if r.best and r.best[1] >= 0.9}
        for die in DICE:
            assert told[Die(die.kind, die.face)] == pytest.approx((die.x_mm, die.y_mm), abs=3.5)


def test_a_tray_out_of_its_zone_is_said(table: Table) -> None:
    frame, fit = table.look(STRAIGHT, (0.75, 0.3, 1.0, 1.0))
    with pytest.raises(NotCalibrated, match="show on /setup where it is"):
        placed_view(fit, frame, TRAY)


def test_where_nobody_knows_its_place_it_is_looked_for(table: Table) -> None:
    frame, fit = table.look(STRAIGHT)
    assert placed_view(fit, frame, Tray(TRAY.size_mm)) is None
    assert placed_view(fit, replace(frame, tray_zone=None), TRAY) is None
    assert placed_view(fit, replace(frame, tray=None), TRAY) is None


CLOSE_ZONE = (0.6, 0.4, 1.0, 0.95)
"""The tray fills most of it."""


def test_a_tray_at_the_side_is_found_where_the_camera_s_axis_is_known(table: Table) -> None:
    frame, fit = table.look(STRAIGHT, CLOSE_ZONE)
    truth = floor_px(STRAIGHT) - np.round(np.array(CLOSE_ZONE[:2]) * STRAIGHT.size_px)
    off = [
        np.linalg.norm(find_tray(frame.tray, TRAY.size_mm, sight).corners_px - truth, axis=1).max()
        for sight in (zone_sight(fit, frame), None)
    ]
    assert off[0] < 3.0 * STRAIGHT.px_per_mm
    assert off[0] < off[1] / 2, "else it is thought to be under the camera"


ANYWHERE = Tray(TRAY.size_mm)
"""Nobody has said where it stands."""


def test_a_tray_that_stands_anywhere_is_looked_for_again_after_a_bump(table: Table) -> None:
    reader = TrayReader(TRAY.size_mm)
    watch = ZoneWatch(reader, table.profile, ANYWHERE)
    views = []
    for lens in (STRAIGHT, STRAIGHT, BUMPED, BUMPED):
        frame, fit = table.look(lens, CLOSE_ZONE)
        assert watch.is_aimed(frame, fit), "its zone cannot be aimed elsewhere"
        views.append(watch.view(frame, fit) or reader.view(frame.tray))
    assert views[1] is views[0], "nothing has moved"
    assert views[3] is views[2], "it is looked for once"
    truth = placed_view(fit, frame, TRAY)
    assert truth is not None
    moved, stale = (np.linalg.norm(v.corners_px - truth.corners_px, axis=1) for v in views[2:0:-1])
    assert moved.max() < 6.0 * BUMPED.px_per_mm
    assert stale.max() > 15.0 * BUMPED.px_per_mm


def test_a_tray_that_left_its_zone_is_said_until_it_is_seen(table: Table) -> None:
    watch = ZoneWatch(TrayReader(TRAY.size_mm), table.profile, ANYWHERE)
    frame, fit = table.look(STRAIGHT, CLOSE_ZONE)
    watch.view(frame, fit)
    away, bumped = table.look(BUMPED, CLOSE_ZONE)
    for _ in range(2):
        with pytest.raises(NotCalibrated, match="no dice tray is seen"):
            watch.view(replace(away, tray=np.full_like(away.tray, 90)), bumped)
    assert watch.view(away, bumped) is not None


SNUG_ZONE = (0.66, 0.53, 0.96, 0.84)
"""The tray fills all of it."""
FAR_BUMPED = replace(STRAIGHT, target_mm=(310.0, 175.0), turn_deg=-2.0)
TURNED_AWAY = replace(STRAIGHT, target_mm=(170.0, 210.0))


def aimed(table: Table, place: Tray) -> tuple[ZoneWatch, list]:
    """Return a watch over the tray, and where it has its camera aimed, latest last."""
    zones = [SNUG_ZONE]
    watch = ZoneWatch(TrayReader(TRAY.size_mm), table.profile, place, zones.append)
    frame, fit = table.look(STRAIGHT, SNUG_ZONE)
    assert watch.is_aimed(frame, fit)
    watch.view(frame, fit)
    return watch, zones


@pytest.mark.parametrize("place", [TRAY, ANYWHERE], ids=["placed", "anywhere"])
def test_the_zone_goes_along_with_the_camera(table: Table, place: Tray) -> None:
    watch, zones = aimed(table, place)
    stale, fit = table.look(FAR_BUMPED, SNUG_ZONE)
    outside = floor_px(FAR_BUMPED) / FAR_BUMPED.size_px
    assert (outside > SNUG_ZONE[2:]).any(), "else the zone might as well stay"
    assert not watch.is_aimed(stale, fit)
    assert len(zones) == 2
    frame, fit = table.look(FAR_BUMPED, zones[-1])
    assert watch.is_aimed(frame, fit)
    assert len(zones) == 2
    truth = floor_px(FAR_BUMPED) - np.round(np.array(zones[-1][:2]) * FAR_BUMPED.size_px)
    view = watch.view(frame, fit)
    assert view is not None
    off = np.linalg.norm(view.corners_px - truth, axis=1)
    assert off.max() < 5.0 * FAR_BUMPED.px_per_mm
    assert view.picture_px == frame.tray.shape[1::-1]


def test_bumped_back_the_zone_is_the_first_again(table: Table) -> None:
    watch, zones = aimed(table, TRAY)
    for lens in (FAR_BUMPED, STRAIGHT):
        frame, fit = table.look(lens, zones[-1])
        assert not watch.is_aimed(frame, fit)
    assert zones[-1] == pytest.approx(SNUG_ZONE, abs=0.002), "it does not grow from bump to bump"


@pytest.mark.parametrize("place", [TRAY, ANYWHERE], ids=["placed", "anywhere"])
def test_a_zone_that_has_left_the_picture_is_said(table: Table, place: Tray) -> None:
    watch, zones = aimed(table, place)
    frame, fit = table.look(TURNED_AWAY, SNUG_ZONE)
    assert watch.is_aimed(frame, fit), "there is nowhere to aim at"
    assert zones == [SNUG_ZONE]
    for see in (watch.view, watch.table):
        with pytest.raises(NotCalibrated, match="turn it back"):
            see(frame, fit)
    frame, fit = table.look(STRAIGHT, SNUG_ZONE)
    watch.is_aimed(frame, fit)
    is_left_to_the_reader = watch.view(frame, fit) is None
    assert is_left_to_the_reader is (place is ANYWHERE)


def test_a_camera_of_its_own_is_not_followed(table: Table) -> None:
    frame, fit = table.look(STRAIGHT, CLOSE_ZONE)
    alone = replace(frame, tray_zone=None)
    assert zone_sight(fit, alone) is None
    watch = ZoneWatch(TrayReader(TRAY.size_mm), table.profile, TRAY)
    assert watch.is_aimed(alone, fit)
    assert watch.view(alone, fit) is None


def test_the_table_in_a_zone_is_where_the_markers_say(table: Table) -> None:
    watch, zones = aimed(table, ANYWHERE)
    corners = []
    for lens in (STRAIGHT, FAR_BUMPED):
        frame, fit = table.look(lens, zones[-1])
        if not watch.is_aimed(frame, fit):
            frame, fit = table.look(lens, zones[-1])
        view = watch.table(frame, fit)
        assert view is not None
        seen = floor_px(lens) - np.round(np.array(zones[-1][:2]) * lens.size_px)
        corners.append([view.to_floor((float(x), float(y))) for x, y in seen])
    assert len(zones) == 2, "else it was not bumped"
    w, h = TRAY.size_mm
    for four in np.array(corners):
        sides = np.linalg.norm(np.roll(four, -1, axis=0) - four, axis=1)
        assert sides == pytest.approx([w, h, w, h], abs=4.0), "millimetres are true"
    assert np.array(corners[1]) == pytest.approx(np.array(corners[0]), abs=4.0)


def test_dice_in_a_zone_without_a_tray_are_read(table: Table) -> None:
    frame, fit = table.look(STRAIGHT, CLOSE_ZONE)
    watch = ZoneWatch(TrayReader(TRAY.size_mm), table.profile, ANYWHERE)
    view = watch.table(frame, fit)
    assert view is not None
    readings = TrayReader(view.size_mm).read(frame.tray, ("d6", "sail"), view)
    told = {r.best[0]: r.centre_mm for r in readings if r.best and r.best[1] >= 0.9}
    assert set(told) == {Die(die.kind, die.face) for die in DICE}
    (x, y), (x1, y1) = told[Die("d6", 2)], told[Die("d6", 6)]
    assert np.hypot(x1 - x, y1 - y) == pytest.approx(np.hypot(110, 60), abs=4.0)


@pytest.mark.parametrize("turn_deg", [0.0, 15.0, 45.0, 180.0])
def test_no_part_of_a_zone_is_left_out_because_the_camera_is_turned(
    table: Table, turn_deg: float
) -> None:
    frame, fit = table.look(replace(STRAIGHT, turn_deg=turn_deg), ZONE)
    view = floor_view(fit, frame, table_in_zone(fit, frame))
    assert view is not None
    assert frame.tray is not None
    tall, wide = frame.tray.shape[:2]
    shown = abs(float(cv2.contourArea(view.corners_px.astype(np.float32)))) / (wide * tall)
    assert 0.85 < shown <= 1.0


def test_another_part_of_the_table_is_looked_at_once_the_zone_shows_that(table: Table) -> None:
    watch = ZoneWatch(TrayReader(TRAY.size_mm), table.profile, ANYWHERE)
    views = [watch.table(*table.look(lens, SNUG_ZONE)) for lens in (STRAIGHT, FAR_BUMPED)]
    assert all(view is not None for view in views)
    frame, fit = table.look(STRAIGHT, SNUG_ZONE)
    assert watch.table(replace(frame, tray_zone=None), fit) is None, "a camera of its own"
