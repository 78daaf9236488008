"""A table before a camera of which nothing is known, seen from far and from near."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.dice.reader import TrayReader
from vision.dice.reading import SURE
from vision.dice.table_reader import TableReader
from vision.virtual.roller import RollingTray


@pytest.mark.parametrize(("shrunk", "is_held"), [(1.0, True), (0.25, False)])
def test_a_table_is_held_against_itself_without_dice_unless_they_are_tiny_in_it(
    monkeypatch: pytest.MonkeyPatch, shrunk: float, is_held: bool
) -> None:
    tray = RollingTray("d6", (1, 2, 3, 4, 5, 6), 5, (220.0, 160.0), 3)
    thrown = [tray.read() for _ in range(6)][-1]
    assert thrown is not None
    held: list[bool] = []
    monkeypatch.setattr(TrayReader, "was_bare", lambda *_: held.append(True))
    reader = TableReader()
    reader.read(_far(tray.empty, shrunk), ("d6",))
    readings = reader.read(_far(thrown.board, shrunk), ("d6",))
    assert [die.p >= SURE for die in readings] == [True] * 5
    assert bool(held) is is_held


def _far(picture: np.ndarray, shrunk: float) -> np.ndarray:
    """Return a picture as a small part of a mat of 1280x960 pixels; as it is if not shrunk."""
    if shrunk == 1.0:
        return picture
    small = cv2.resize(picture, None, fx=shrunk, fy=shrunk, interpolation=cv2.INTER_AREA)
    mat = np.random.default_rng(0).normal((60, 90, 50), 3, (960, 1280, 3))
    mat = np.clip(mat, 0, 255).astype(np.uint8)
    top, left = (mat.shape[0] - small.shape[0]) // 2, (mat.shape[1] - small.shape[1]) // 2
    mat[top : top + small.shape[0], left : left + small.shape[1]] = small
    return mat
