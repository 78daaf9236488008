from __future__ import annotations

import json

import cv2
import numpy as np
import pytest

from companion.cli import see
from companion.errors import CompanionError
from companion.rules.layout import CellContent

FLEET = {(0, -3): CellContent(("red",)), (2, -4): CellContent((), "desert")}
MOVED = {(1, -3): CellContent(("red",)), (2, -4): CellContent((), "desert")}


@pytest.fixture
def folder(tmp_path, draw_board):
    for name, cells in (("0", {}), ("1", FLEET), ("2", MOVED)):
        cv2.imwrite(str(tmp_path / f"{name}.jpg"), draw_board(cells))
    return tmp_path


def test_see_prints_one_object_a_picture_and_goes_on_after_a_bad_one(run, folder, tmp_path):
    (tmp_path / "bad.jpg").write_bytes(b"no picture")
    lines = run("see", "board", "--empty", folder / "0.jpg", "--json", tmp_path / "bad.jpg",
                tmp_path / "none.jpg", folder / "1.jpg", status=1)  # fmt: skip
    bad, missing, good = map(json.loads, lines)
    assert set(good) == {"image", "readable", "reason", "fit_error_mm", "cells", "occluded"}
    assert good["image"] == str(folder / "1.jpg")
    assert good["readable"] is True
    assert good["reason"] is None
    assert good["fit_error_mm"] < 0.8
    assert {k: (v["ship"], v["terrain"]) for k, v in good["cells"].items()} == {
        "0,-3": ("red", None),
        "2,-4": (None, "desert"),
    }
    assert all(0.5 < v["p"] <= 1 for v in good["cells"].values())
    assert good["occluded"] == []
    assert bad["readable"] is False
    assert "damaged" in bad["reason"]
    assert "there is no picture" in missing["reason"]
    assert bad["cells"] == {}
    assert bad["fit_error_mm"] is None


def test_a_picture_without_a_board_is_not_read(run, tmp_path):
    cv2.imwrite(str(tmp_path / "grey.png"), np.full((240, 320, 3), 90, np.uint8))
    (told,) = run("see", "board", tmp_path / "grey.png", status=1)
    assert "unreadable" in told


def test_see_without_json_is_a_table_for_people(run, folder):
    lines = run("see", "board", "--empty", folder / "0.jpg", folder / "1.jpg")
    assert "markers fit to" in lines[0]
    assert [line.split()[:2] for line in lines[1:]] == [["D7", "red"], ["C9", "desert"]]


def test_watch_tells_the_changes(run, folder):
    told = [json.loads(line) for line in run("watch", "--frames", folder, "--free", "--json")]
    assert set(told[0]) == {"image", "event", "ship", "from", "to", "terrain", "cargo", "reason"}
    assert told[0]["event"] == "empty_board"
    assert told[-1] == {
        "image": "2",
        "event": "moved",
        "ship": "red",
        "from": "0,-3",
        "to": "1,-3",
        "terrain": None,
        "cargo": None,
        "reason": None,
    }


def test_watch_in_words(run, folder):
    lines = run("watch", "--frames", folder, "--free", "--empty", folder / "0.jpg")
    assert lines[-1] == "2: the red ship moved from D7 to D8"


def test_a_missing_empty_picture_is_a_named_error(run, folder):
    with pytest.raises(CompanionError, match="there is no picture"):
        run("see", "board", "--empty", folder / "nothing.jpg", folder / "1.jpg")


def test_every_event_is_documented_in_the_help():
    for event in ("moved", "gone", "appeared", "terrain_gone", "terrain_appeared", "hand",
                  "camera_moved", "light_changed", "empty_board", "unreadable"):  # fmt: skip
        assert event in see.WATCH_NOTES


def test_a_look_is_taught_and_used(run, folder):
    layout = {"cells": [{"cell": "0,-3", "ships": ["red"], "terrain": None}], "dice": []}
    (folder / "1.json").write_text(json.dumps(layout))
    words = ("--empty", folder / "0.jpg")
    pair = f"{folder / '1.jpg'}={folder / '1.json'}"
    told = run("see", "teach", *words, "--out", folder / "look.json", pair)
    assert told == ["learnt from so many ships: red 1"]
    (line,) = run(
        "see", "board", *words, "--look", folder / "look.json", "--json", folder / "2.jpg"
    )
    assert json.loads(line)["cells"]["1,-3"]["ship"] == "red"


def test_a_layout_that_cannot_be_read_is_named(run, folder):
    with pytest.raises(CompanionError, match="layout"):
        run(
            "see", "teach", "--out", folder / "look.json", f"{folder / '1.jpg'}={folder / 'x.json'}"
        )
