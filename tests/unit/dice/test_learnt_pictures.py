"""How dice lean in pictures that are learnt from: of path-traced trays and of photographs."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks.dice_training.pictures import (
    real_photographs,
    traced_trays,
    with_leans,
)

TRACED = {
    "index": 4,
    "camera": {
        "fx": 996.03631,
        "fy": 996.03631,
        "cx": 479.28013,
        "cy": 356.03386,
        "R": [
            [0.97745, 0.01301, 0.21075],
            [0.0132, 0.99238, -0.12248],
            [-0.21074, 0.1225, 0.96984],
        ],
        "t": [-119.05411, -82.45422, 432.63822],
    },
    "dice": [
        {
            "kind": "colour",
            "value": "green",
            "bbox_px": [240.92956, 468.68748, 290.07353, 516.43389],
            "centre_px": [265.72442, 492.25241],
            "top_px": [257.95687, 496.98515],
            "x_mm": 25.77034,
            "y_mm": 141.98533,
            "visible": 0.96755,
        }
    ],
}
"""Labels of a path-traced tray, one die of them. Its camera's third axis points into the table."""


def test_in_a_path_traced_tray_a_die_leans_from_its_middle_to_its_top(tmp_path: Path) -> None:
    (tmp_path / "4.json").write_text(json.dumps(TRACED))
    (known,) = traced_trays(tmp_path)
    (die,) = known.dice
    label = TRACED["dice"][0]
    away = np.subtract(label["top_px"], label["centre_px"])
    up_deg = np.degrees(np.arctan2(away[1], away[0]))
    assert die.up_deg == pytest.approx(up_deg, abs=3)
    turn, move = np.array(TRACED["camera"]["R"]), np.array(TRACED["camera"]["t"])
    across, along, far = -turn.T @ move - [label["x_mm"], label["y_mm"], -8.0]
    assert die.lean_deg == pytest.approx(
        np.degrees(np.arctan2(np.hypot(across, along), -far)), abs=1
    )
    assert die.leans_deg == pytest.approx(die.lean_deg * away / np.hypot(*away), abs=1)


def test_photographed_dice_lean_as_was_told_and_such_as_came_later_as_the_others(
    tmp_path: Path,
) -> None:
    dice = [{"kind": "d6", "value": v, "box": [10 * v, 10, 8, 8]} for v in (1, 2, 3)]
    entry = {"image": "some/one.jpg", "dice": dice}
    (tmp_path / "manifest.jsonl").write_text(json.dumps(entry) + "\n")
    leans = tmp_path / "leans.json"
    leans.write_text(json.dumps({"some/one.jpg": [[6.0, 8.0], [0.0, -12.0]]}))
    (known,) = with_leans(real_photographs(tmp_path), leans)
    first, second, later = (die.leans_deg for die in known.dice)
    assert first == pytest.approx((6, 8))
    assert second == pytest.approx((0, -12))
    assert later == pytest.approx((3, -2))
    leans.write_text("{}")
    (untold,) = with_leans(real_photographs(tmp_path), leans)
    assert [die.leans_deg for die in untold.dice] == [(0.0, 0.0)] * 3
