"""Photographs with less left of them, by which the reader of dice is tried."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from benchmarks.accuracy_sent import WAYS, main
from benchmarks.dice_training.pictures import as_jpeg

BLUE, RED = (110, 70, 60), (70, 72, 100)
"""About as dark as each other."""


def die_of(side_px: int) -> np.ndarray:
    """Return a picture of a blue die with one red pip, which is as dark."""
    picture = np.full((2 * side_px, 2 * side_px, 3), 190, np.uint8)
    low, far = side_px // 2, side_px // 2 + side_px
    cv2.rectangle(picture, (low, low), (far, far), BLUE, -1)
    cv2.circle(picture, (side_px, side_px), side_px // 9, RED, -1)
    return picture


def redness(picture: np.ndarray) -> float:
    """Return by how much redder than the die its pip is."""
    side = len(picture) // 2
    pip, beside = picture[side, side].astype(float), picture[side, side - side // 3].astype(float)
    return float((pip[2] - pip[0]) - (beside[2] - beside[0]))


def test_jpeg_takes_more_of_a_small_pip_in_another_colour_than_of_a_large_one():
    large, small = die_of(240), die_of(24)
    assert redness(as_jpeg(large, 30)) > 0.9 * redness(large)
    assert redness(as_jpeg(small, 30)) < 0.3 * redness(small)


@pytest.mark.parametrize("way", [name for name in WAYS if name != "as it is"])
def test_each_way_changes_a_photograph_and_keeps_its_size(way):
    picture = die_of(60)
    changed = WAYS[way](picture)
    assert changed.shape == picture.shape
    assert changed.dtype == np.uint8
    assert not np.array_equal(changed, picture)


def test_a_folder_that_is_not_there_is_said(tmp_path, capsys):
    with pytest.raises(SystemExit):
        main(["--folder", str(tmp_path / "dcie")])
    assert "dcie the right folder?" in capsys.readouterr().err
