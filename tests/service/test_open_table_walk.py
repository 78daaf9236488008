"""A race on the virtual open table: from the picture of a moved ship to the line of the log."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from companion.rules.layout import Pose
from companion.table.heights import Heights
from companion.table.observation import Observation
from companion.table.referee import Referee
from tests.table.regatta import Launch, Sail, open_regatta
from vision.pipeline import Watcher
from vision.tags.reader import TagReader
from vision.virtual.camera import VirtualCamera
from vision.virtual.scene import Scene
from vision.virtual.table import VirtualTable


class Evening:
    """A referee who watches a virtual table."""

    def __init__(self, referee: Referee) -> None:
        ticks = itertools.count()
        self.referee = referee
        rng = np.random.default_rng(5)
        self.table = VirtualTable(referee.profile, Scene(), rng, lambda: next(ticks) * 0.25)
        heights = Heights(referee.game, lambda: referee.state)
        self._watcher = Watcher(TagReader(referee.profile, heights))
        self._camera = VirtualCamera(self.table)

    def look(self, times: int = 5) -> None:
        for _ in range(times):
            seen = self._watcher.feed(self._camera.read())
            if isinstance(seen, Observation):
                self.referee.observe(seen)

    def move(self, action: Sail | Launch) -> Pose:
        """Reach in, put the ship where the action has it, take the hand away; return the truth."""
        game = self.referee.game
        after = game.apply(self.referee.state, action).state
        self.table.reach((action.to.x_mm, action.to.y_mm))
        self.look(2)
        self.table.lay(game.layout(after))
        self.look(2)
        self.table.withdraw()
        self.look()
        tag = action.tag if isinstance(action, Sail) else 10 + action.player
        return self.table.tagged[tag].pose


def test_ships_are_put_out_and_sail_from_pictures_alone() -> None:
    evening = Evening(open_regatta({"launch": True}))
    evening.look()
    told = 0
    for action in (
        Launch(0, Pose(110.0, 210.0, 10.0)),
        Launch(1, Pose(120.0, 520.0, 350.0)),
        Sail(0, 10, Pose(240.0, 270.0, 40.0)),
        Sail(1, 11, Pose(270.0, 470.0, 20.0)),
        Sail(0, 10, Pose(400.0, 340.0, 80.0)),
    ):
        truth = evening.move(action)
        told += 1
        log = evening.referee.snapshot().log
        assert len(log) == told, [entry.text for entry in log]
        pieces = evening.referee.snapshot().layout.pieces
        recorded = pieces[action.tag if isinstance(action, Sail) else 10 + action.player].pose
        off = math.dist((recorded.x_mm, recorded.y_mm), (truth.x_mm, truth.y_mm))
        assert off < 4
        turned = (recorded.heading_deg - truth.heading_deg + 180) % 360 - 180
        assert abs(turned) < 1
    assert evening.referee.snapshot().question is None


def test_heights_are_known_of_what_stands_there_and_of_what_comes_next() -> None:
    referee = open_regatta({"launch": True})
    heights = Heights(referee.game, lambda: referee.state)
    assert heights() == {10: 0.0}
    state = referee.game.apply(referee.state, Launch(0, Pose(100.0, 200.0, 0.0))).state
    later = Heights(referee.game, lambda: state)
    assert later() == {10: 0.0, 11: 0.0}
    assert later() is later(), "looked up once a state"


@pytest.mark.parametrize("options", [{}, {"dice": True}])
def test_where_nothing_is_measured_only_what_stands_is_known(options: dict[str, object]) -> None:
    referee = open_regatta(options)
    assert set(Heights(referee.game, lambda: referee.state)()) == {10, 11}
