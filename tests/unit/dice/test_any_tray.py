"""Dice are read in any tray: in a box as it stands, in others wherever they lie."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.audit.rolls import find_kind
from companion.cli import dice_camera
from companion.errors import NotCalibrated
from companion.rules.layout import Die
from vision.dice import reader as tray_reader
from vision.dice.any_tray import AnyTrayReader
from vision.frame import Frame
from vision.virtual.dice import DICE_SETS, DiePose, render_tray
from vision.virtual.light import LIGHTS, Noise
from vision.virtual.scene import Scene
from vision.virtual.soft_tray import SOFT_TRAYS, soft_tray

SIZE_MM = (220.0, 160.0)
KINDS = ("d6", "cannon")
FIRST = (DiePose("d6", 2, 50, 60, 20), DiePose("cannon", 4, 150, 90, 70))
SECOND = (DiePose("d6", 5, 120, 70, 40), DiePose("cannon", 1, 90, 110, 10))


class SoftTray:
    """A tray without upright walls, under a camera that stands still."""

    def __init__(self, shape: str) -> None:
        scene = Scene(dice_set=1)
        self._lens, self._light = scene.tray_lens(SIZE_MM), LIGHTS[scene.light]
        self._rng = np.random.default_rng(3)
        look = (shape, scene.tray_floor, scene.table)
        self._bare = soft_tray(self._lens, self._light, SIZE_MM, look, self._rng)
        self._noise = Noise(self._lens.size_px, scene.noise, self._rng)

    def picture(self, *dice: DiePose) -> np.ndarray:
        laid = render_tray(self._bare, self._lens, self._light, dice, DICE_SETS[1])
        return self._noise.expose(laid, self._rng)


def told(readings) -> dict[Die, tuple[float, float]]:
    return {r.best[0]: r.centre_mm for r in readings if r.best and r.best[1] >= 0.9}


@pytest.fixture
def sought(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, ...]]:
    """Pictures in which a box was looked for, which takes long."""
    pictures = list[tuple[int, ...]]()
    find = tray_reader.find_tray

    def noted(picture, *how):
        pictures.append(picture.shape)
        return find(picture, *how)

    monkeypatch.setattr(tray_reader, "find_tray", noted)
    return pictures


@pytest.mark.parametrize("shape", SOFT_TRAYS)
def test_dice_are_read_where_no_walls_tell_how_the_camera_stands(shape: str, sought: list) -> None:
    tray, reader = SoftTray(shape), AnyTrayReader(SIZE_MM)
    assert reader.read(tray.picture(), KINDS) == ()
    assert reader.note is not None
    assert "put it in the middle" in reader.note
    places = {}
    for dice in (FIRST, SECOND, SECOND):
        before, places = places, told(reader.read(tray.picture(*dice), KINDS))
        assert set(places) == {Die(die.kind, die.face) for die in dice}
        assert reader.note is None, "all is well"
    for die, place in places.items():
        assert place == pytest.approx(before[die], abs=1.5), "a die that lies still seems to"
    (x, y), (x1, y1) = places[Die("d6", 5)], places[Die("cannon", 1)]
    assert np.hypot(x - x1, y - y1) == pytest.approx(50.0, rel=0.3), "in millimetres, roughly"
    for _ in range(2):
        assert reader.read(tray.picture(), KINDS) == ()
    assert len(sought) <= 3, "it is not looked for with each throw"


def test_a_box_that_is_brought_later_is_found(tray, sought: list) -> None:
    reader, table = AnyTrayReader(SIZE_MM), np.full((720, 960, 3), 90, np.uint8)
    for _ in range(3):
        assert reader.read(table, KINDS) == ()
    assert len(sought) == 2, (
        "the first time, and once more when it was plain that no dice lie there"
    )
    assert reader.note is not None
    assert reader.read(tray.empty(), KINDS) == ()
    assert reader.note is None
    places = told(reader.read(tray.picture(*FIRST), KINDS))
    for die in FIRST:
        assert places[Die(die.kind, die.face)] == pytest.approx((die.x_mm, die.y_mm), abs=3.5)
    assert len(sought) == 3


def test_a_tray_that_left_the_picture_is_said(tray) -> None:
    def gone():
        raise NotCalibrated("turn it back")

    with pytest.raises(NotCalibrated, match="turn it back"):
        AnyTrayReader(SIZE_MM).read(tray.empty(), KINDS, gone)


def test_a_picture_of_an_empty_round_tray_stops_no_game() -> None:
    tray = SoftTray("round")
    reader = AnyTrayReader(SIZE_MM, tray.picture())
    assert reader.note is not None
    assert "picture of the empty tray" in reader.note
    assert set(told(reader.read(tray.picture(*FIRST), KINDS))) == {
        Die(die.kind, die.face) for die in FIRST
    }
    assert reader.note is None


def test_a_cocked_die_is_asked_about_on_a_table_too() -> None:
    tray, reader = SoftTray("mat"), AnyTrayReader(SIZE_MM)
    leaning = DiePose("d6", 4, 90, 90, 30, lean_deg=28.0, lean_way_deg=70.0)
    reader.read(tray.picture(), KINDS)
    for dice, expected in ((FIRST, 2), (SECOND, 2), ((FIRST[1], leaning), 1)):
        readings = reader.read(tray.picture(*dice), KINDS)
        assert len(readings) == 2, "it is seen"
        assert len(told(readings)) == expected


def test_small_dice_are_told_after_a_large_one() -> None:
    tray, reader = SoftTray("mat"), AnyTrayReader(SIZE_MM)
    reader.read(tray.picture(), KINDS)
    for dice in (FIRST[1:], FIRST[:1], SECOND[:1]):
        readings = reader.read(tray.picture(*dice), KINDS)
        assert set(told(readings)) == {Die(die.kind, die.face) for die in dice}


def test_every_throw_on_a_mat_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tray, thrown = SoftTray("mat"), (FIRST[:1], SECOND[:1], FIRST[:1])
    pictures = [tray.picture()] * 4
    for dice in thrown:
        away = [tray.picture(replace(dice[0], x_mm=x, turn_deg=3 * x)) for x in (30, 75, 180)]
        pictures += [*away, *(tray.picture(*dice) for _ in range(5))]

    class Camera:
        def read(self) -> Frame | None:
            return Frame("f", 0.0, pictures.pop(0), None, "film") if pictures else None

        def close(self) -> None:
            pass

    monkeypatch.setattr("vision.camera.opening.open_camera", lambda *_, **__: Camera())
    arguments = Namespace(dice=1, camera="v4l2:0", tray="220x160", empty="")
    rolls = list(dice_camera.TrayCamera(find_kind("d6"), arguments).rolls())
    assert [(roll.dice[0].face, roll.doubt) for roll in rolls] == [(2, ""), (5, ""), (2, "")]


def test_an_empty_picture_of_another_size_is_said_and_done_without(tray) -> None:
    small = cv2.resize(tray.empty(), (480, 360), interpolation=cv2.INTER_AREA)
    reader = AnyTrayReader(SIZE_MM, small)
    assert reader.read(tray.empty(), KINDS) == ()
    assert reader.note is not None
    assert "is 480x360, the camera gives 960x720" in reader.note
    assert "without it" in reader.note
    assert set(told(reader.read(tray.picture(*FIRST), KINDS))) == {
        Die(die.kind, die.face) for die in FIRST
    }
    assert reader.note is None


def test_a_picture_of_a_zone_that_was_carried_along_may_be_of_another_size(tray) -> None:
    """Where the tray is in it, is known then; that it was seen empty still helps."""
    reader = AnyTrayReader(SIZE_MM, tray.empty())
    reader.read(tray.empty(), KINDS)
    view = replace(reader.box.view(tray.empty()), picture_px=(960, 700))
    assert told(reader.read(tray.picture(*FIRST)[:700], KINDS, lambda: view))
    assert reader.note is None


def test_what_people_say_of_dice_is_learnt_by_whatever_reads_them(
    tray, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a box, on a table whose place is known, and wherever dice lie."""
    taught: list[tuple[str, dict]] = []

    def learn(name: str):
        return lambda _, picture, said, *__, **___: taught.append((name, dict(said)))

    monkeypatch.setattr(tray_reader.TrayReader, "learn", learn("tray"))
    monkeypatch.setattr("vision.dice.table_reader.TableReader.learn", learn("anywhere"))
    for pictures, name in ((tray, "tray"), (SoftTray("round"), "anywhere")):
        reader = AnyTrayReader(SIZE_MM)
        reader.learn({(0, 0, 30, 30): Die("d6", 2)})
        assert taught == []
        dice = reader.read(pictures.picture(*FIRST), KINDS)
        (die,) = [r for r in dice if r.best and r.best[0] == Die("d6", 2)]
        x, y, width, height = die.box_px
        said = {
            (x + 2, y - 1, width, height): Die("d6", 2),  # seen a little otherwise before
            (x, y, width + 1, height): Die("d6", 5),  # it was another roll then
            (x + 500, y, width, height): Die("d6", 2),  # there is nothing by now
        }
        reader.learn(said)
        assert taught == [(name, {die.box_px: Die("d6", 2)})]
        taught.clear()


def test_what_people_say_is_learnt_from_the_picture_in_which_the_dice_were_read(
    tray, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the next one the tray has left the picture."""

    def gone():
        raise NotCalibrated("turn it back")

    learnt: list[np.ndarray] = []
    monkeypatch.setattr(
        tray_reader.TrayReader, "learn", lambda _, picture, *__, **___: learnt.append(picture)
    )
    reader, picture = AnyTrayReader(SIZE_MM), tray.picture(*FIRST)
    dice = reader.read(picture, KINDS)
    with pytest.raises(NotCalibrated):
        reader.read(picture.copy(), KINDS, gone)
    reader.learn({die.box_px: die.best[0] for die in dice if die.best})
    assert len(learnt) == 1
    assert learnt[0] is picture
