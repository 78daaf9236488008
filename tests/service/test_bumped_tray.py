"""One camera over board and tray is knocked against; the next roll is read with no touch."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

from companion.boards.choice import board_for
from companion.ledger.folder import open_store
from companion.rules.catalogue import find_game
from companion.rules.game import ChanceRoll
from companion.rules.layout import Die
from companion.service import Service
from companion.setup.looks import Looks
from companion.table.referee import Referee
from vision.camera.zone import ZonedCamera, board_picture, cut_zone
from vision.virtual import Scene, VirtualCamera, VirtualTable
from vision.virtual.scene import WHOLE_PX

GAME = "ahoy-matey"
TRAY_AT = (420.0, 120.0)
PATIENCE = 55
"""So many looks at most until a roll is taken down: for 40 of them a bump might be an arm."""


def snug_zone(table: VirtualTable) -> tuple[float, float, float, float]:
    """Return a zone that is wider than the tray's floor by a tenth on either side."""
    corners = table.tray_px / WHOLE_PX
    low, high = corners.min(axis=0), corners.max(axis=0)
    room = 0.1 * (high - low)
    (left, top), (right, bottom) = low - room, high + room
    return float(left), float(top), float(right), float(bottom)


class Evening:
    """A game that begins with a roll of each captain, before one camera."""

    def __init__(self, folder: Path, is_placed: bool, is_aimed: bool = True) -> None:
        rules, ticks = find_game(GAME), itertools.count()
        self.table = VirtualTable(
            board_for(rules.info, {}),
            Scene(fill=0.74, tray_at_mm=TRAY_AT),
            np.random.default_rng(4),
            lambda: next(ticks) * 0.25,
        )
        self.zone = snug_zone(self.table)
        empty = self.table.empty_board()
        looks = Looks(
            board_picture(empty), cut_zone(empty, self.zone), TRAY_AT if is_placed else None
        )
        camera = ZonedCamera(VirtualCamera(self.table), self.zone)
        if not is_aimed:
            camera.aim = lambda zone: None  # type: ignore[method-assign]
        self.service = Service(open_store(folder), camera, looks)
        self.referee: Referee = self.service.open(GAME, ["Anne", "Bart"], {})
        self.table.lay(rules.layout(self.referee.state))
        self.look(4)

    def look(self, times: int) -> None:
        """Let the service see so many pictures."""
        for _ in range(times):
            assert self.service.look()

    def roll(self, face: int) -> bool:
        """Throw the next captain's die; say whether it is taken down without a touch."""
        before = self.referee.snapshot().version
        self.table.sweep()
        self.look(4)
        self.table.throw([Die("piecepack", face)])
        for _ in range(PATIENCE):
            self.look(1)
            if self.referee.snapshot().version > before:
                return True
        return False

    def bump(self) -> None:
        """Knock against the camera, so that the tray is not wholly in its zone any more."""
        self.table.bump(shift_mm=60.0, turn_deg=2.0)
        now = self.table.tray_px / WHOLE_PX
        left, top, right, bottom = self.zone
        assert ((now < (left, top)) | (now > (right, bottom))).any()
        assert (now > 0).all()
        assert (now < 1).all(), "else nobody could read it"


@pytest.mark.parametrize("is_placed", [False, True], ids=["looked for", "placed"])
def test_after_a_bump_the_next_roll_is_read(tmp_path: Path, is_placed: bool) -> None:
    evening = Evening(tmp_path, is_placed)
    with evening.service:
        assert evening.roll(4)
        evening.bump()
        assert evening.roll(2)
        rolled = [line.text for line in evening.referee.snapshot().log][-2:]
        pending = evening.referee.game.pending(evening.referee.state)
        assert not (isinstance(pending, ChanceRoll) and pending.phase == "first"), rolled
        assert "dice" not in evening.referee.snapshot().health


def test_a_zone_that_stays_loses_the_tray_and_dice_still_in_it_are_read(tmp_path: Path) -> None:
    evening = Evening(tmp_path, False, is_aimed=False)
    with evening.service:
        assert evening.roll(4)
        evening.bump()
        evening.table.sweep()
        evening.look(PATIENCE)
        told = evening.referee.snapshot().health["dice"]
        assert told.startswith("no dice tray is seen")
        assert told.endswith("I read dice wherever they lie in it")
        assert evening.roll(2)
        assert "dice" not in evening.referee.snapshot().health
