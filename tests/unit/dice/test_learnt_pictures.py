"""Pictures that are learnt from: how their dice lean, and where a finder sees them."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmarks.dice_training import found
from benchmarks.dice_training.falling import COCKED, FLAT, HARDLY, ON_ANOTHER
from benchmarks.dice_training.pictures import (
    FOUND,
    SKIPPED,
    drawn_pictures,
    real_photographs,
    traced_trays,
    with_leans,
)
from vision.dice.kinds import NOTHING
from vision.virtual.dice import DiePose

DICE = DiePose("d6", 2, 60, 50, 10), DiePose("d6", 5, 160, 110, 70)
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


@pytest.mark.parametrize(
    ("label", "kind", "face"),
    [
        ({"kind": "d20", "value": 4}, "cannon", 4),
        ({"kind": "d20", "die": "d20", "value": 17}, "d20", 17),
        ({"kind": "d4", "value": 3}, "sail", 3),
        ({"kind": "d100", "die": "d100", "value": "00"}, "d100", 0),
    ],
)
def test_a_traced_d20_is_a_cannonball_unless_it_is_said_which_die_it_is(
    tmp_path: Path, label, kind, face
) -> None:
    dice = [{**TRACED["dice"][0], **label}]
    (tmp_path / "4.json").write_text(json.dumps({**TRACED, "dice": dice}))
    ((die,),) = (known.dice for known in traced_trays(tmp_path))
    assert (die.kind, die.face) == (kind, face)


@pytest.mark.parametrize(
    ("lies", "kind"),
    [(FLAT, "colour"), (COCKED, NOTHING), (ON_ANOTHER, NOTHING), (HARDLY, SKIPPED)],
)
def test_a_die_thrown_into_a_tray_is_told_if_it_lies_flat(
    tmp_path: Path, lies: str, kind: str
) -> None:
    thrown = {**TRACED, "dice": [{**TRACED["dice"][0], "lies": lies}]}
    (tmp_path / "4.json").write_text(json.dumps(thrown))
    (known,) = traced_trays(tmp_path)
    assert [(die.kind, die.die, die.lies) for die in known.dice] == [(kind, "colour", lies)]


def test_a_tray_that_was_photographed_empty_too_is_read_without_its_dice(tmp_path: Path) -> None:
    (tmp_path / "4.json").write_text(json.dumps(TRACED))
    (known,) = traced_trays(tmp_path)
    for name, grey in (("4.jpg", 40), ("4.empty.jpg", 200)):
        cv2.imwrite(str(tmp_path / name), np.full((8, 8, 3), grey, np.uint8))
    assert (known.read().mean(), known.read_empty().mean()) == pytest.approx((40, 200), abs=2)
    (tmp_path / "4.empty.jpg").unlink()
    with pytest.raises(OSError, match=r"4\.empty\.jpg is no picture"):
        known.read_empty()


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


def drawn(folder: Path, *dice: tuple[str, tuple[float, ...]]):
    """Return a picture with dice at these boxes."""
    label = {"image": "0.jpg", "dice": [{"kind": k, "value": 1, "box": b} for k, b in dice]}
    (folder / "labels.jsonl").write_text(json.dumps(label) + "\n")
    (picture,) = drawn_pictures(folder)
    return picture


def test_a_found_box_is_that_of_the_die_it_covers_most(tmp_path: Path) -> None:
    dice = ("d6", (10, 10, 20, 20)), ("nothing", (26, 14, 20, 20)), ("d20", (100, 10, 20, 20))
    assert [box for _, box in drawn(tmp_path, *dice).as_found()] == [box for _, box in dice]
    pile, beside, nowhere = [22, 12, 24, 24], [11, 9, 20, 20], [60, 60, 20, 20]
    (tmp_path / FOUND).write_text(json.dumps({"0.jpg": [pile, beside, nowhere]}))
    told = [(die.kind, list(box)) for die, box in drawn(tmp_path, *dice).as_found()]
    assert told == [("nothing", pile), ("d6", beside)]


def test_it_is_noted_where_the_finder_sees_dice(tmp_path: Path, tray) -> None:
    picture = drawn(tmp_path, *(("d6", box) for box in tray.boxes(DICE)))
    cv2.imwrite(str(picture.path), tray.picture(*DICE))
    found.main([str(tmp_path)])
    (picture,) = drawn_pictures(tmp_path)
    for die, box in picture.as_found():
        assert box != die.box
        assert box == pytest.approx(die.box, abs=6)
    assert len(picture.found) == len(DICE)
