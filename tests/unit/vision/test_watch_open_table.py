"""The way of a frame on an open table: camera, settling, tags, observation."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import numpy as np
import pytest

from companion.boards.profile import load_profile
from companion.rules.layout import Die, Layout, Placed, Pose, make_layout
from companion.table.observation import Observation
from vision.dice.reader import TrayReader
from vision.pipeline import Watcher
from vision.tags.reader import TagReader
from vision.virtual.camera import VirtualCamera
from vision.virtual.scene import Scene
from vision.virtual.table import VirtualTable

CLOTH = load_profile("open-table")
HULL = ((-60, -20), (50, -20), (80, 0), (50, 20), (-60, 20))


def laid(*places: tuple[float, float, float]) -> Layout:
    pieces = {
        10 + k: Placed(Pose(*place), "ship", f"ship {k}", "red", HULL, 80)
        for k, place in enumerate(places)
    }
    return make_layout({}, (), pieces)


@pytest.fixture(scope="module")
def table() -> VirtualTable:
    ticks = itertools.count()
    return VirtualTable(CLOTH, Scene(), np.random.default_rng(3), lambda: next(ticks) * 0.25)


@pytest.fixture(scope="module")
def watcher(table: VirtualTable) -> Watcher:
    tray = TrayReader(CLOTH.tray.size_mm, table.empty_tray())
    tags = TagReader(CLOTH, lambda: {10: 80.0, 11: 80.0})
    return Watcher(tags, lambda frame, _: tray.read(frame.tray, ("d6",)))


def look(table: VirtualTable, watcher: Watcher, times: int = 5) -> Iterator[Observation]:
    camera = VirtualCamera(table)
    told = (watcher.feed(camera.read()) for _ in range(times))
    return (t for t in told if t is not None)


def test_each_rest_is_told_once_with_its_tags_and_dice(
    table: VirtualTable, watcher: Watcher
) -> None:
    table.lay(laid((300, 300, 20), (900, 500, 200)))
    (first,) = look(table, watcher)
    assert sorted(first.tags) == [10, 11]
    assert first.dice == ()
    assert first.cells == {}
    table.reach((500, 300))
    assert list(look(table, watcher)) == []
    table.lay(laid((380, 330, 45), (900, 500, 200)))
    assert list(look(table, watcher)) == []
    table.withdraw()
    (second,) = look(table, watcher)
    pose = second.tags[10].pose
    assert math.dist((pose.x_mm, pose.y_mm), (380, 330)) < 6
    assert abs(pose.heading_deg - 45) < 3
    still = [seen.tags[11].pose for seen in (first, second)]
    assert math.dist(*((p.x_mm, p.y_mm) for p in still)) < 0.5


def test_thirty_dice_are_read_beside_it(table: VirtualTable, watcher: Watcher) -> None:
    """PirateWars throws up to thirty at once."""
    thrown = tuple(Die("d6", 1 + k % 6) for k in range(30))
    table.throw(thrown)
    seen = list(look(table, watcher))[-1]
    assert len(seen.dice) == 30
    right = sorted(reading.best[0] for reading in seen.dice if reading.best)
    assert right == sorted(thrown)
