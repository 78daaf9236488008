"""A game's dice are thrown into a round tray: its rolls are read without a touch."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

from companion.boards.choice import board_for
from companion.ledger.folder import open_store
from companion.rules.catalogue import find_game
from companion.rules.layout import Die
from companion.service import Service
from companion.setup.looks import Looks
from vision.virtual import Scene, VirtualCamera, VirtualTable
from vision.virtual.soft_tray import soft_tray

GAME, PATIENCE = "ahoy-matey", 30


def test_rolls_in_a_round_tray_are_taken_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def is_round(lens, light, size_mm, floor, table, rng):
        return soft_tray(lens, light, size_mm, ("round", floor, table), rng)

    monkeypatch.setattr("vision.virtual.table.empty_tray", is_round)
    rules, ticks = find_game(GAME), itertools.count()
    rng = np.random.default_rng(4)
    table = VirtualTable(board_for(rules.info, {}), Scene(), rng, lambda: next(ticks) * 0.25)
    with Service(open_store(tmp_path), VirtualCamera(table), Looks(table.empty_board())) as service:
        referee = service.open(GAME, ["Anne", "Bart"], {})
        table.lay(rules.layout(referee.state))
        for _ in range(4):
            assert service.look()
        assert referee.snapshot().health["dice"].startswith("no dice tray is seen")
        for face in (4, 2):
            before = referee.snapshot().version
            table.sweep()
            table.throw([Die("piecepack", face)])
            looks = itertools.count()
            while referee.snapshot().version == before:
                assert next(looks) < PATIENCE, "the roll is not taken down"
                assert service.look()
        assert "dice" not in referee.snapshot().health
        told = [line.text for line in referee.snapshot().log]
        assert any("4" in line for line in told)
