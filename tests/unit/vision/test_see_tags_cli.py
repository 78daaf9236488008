"""`quarterdeck see tags` on the virtual open table."""

from __future__ import annotations

import json
import math

import cv2
import numpy as np
import pytest

from companion.boards.profile import load_profile
from companion.errors import BoardError
from companion.rules.layout import Placed, Pose, make_layout
from vision.virtual.scene import Scene
from vision.virtual.table import VirtualTable

HULL = ((-60, -20), (50, -20), (80, 0), (50, 20), (-60, 20))


@pytest.fixture(scope="module")
def table():
    made = VirtualTable(load_profile("open-table-small"), Scene(), np.random.default_rng(4))
    places = {12: Pose(200, 150, 350), 31: Pose(600, 450, 90)}
    made.lay(
        make_layout({}, (), {t: Placed(p, "ship", "", "red", HULL, 90) for t, p in places.items()})
    )
    return made


def test_one_object_a_picture_and_a_bad_one_stops_nothing(run, table, tmp_path):
    frame = table.frame()
    cv2.imwrite(str(tmp_path / "sea.png"), frame.board)
    (tmp_path / "bad.jpg").write_bytes(b"no picture")
    cv2.imwrite(str(tmp_path / "dark.png"), np.zeros((480, 640, 3), np.uint8))
    names = [tmp_path / name for name in ("bad.jpg", "dark.png", "sea.png")]
    options = ("--profile", "open-table-small", "--height", "12=90", "--json")
    bad, dark, sea = (json.loads(line) for line in run("see", "tags", *options, *names, status=1))
    assert [bad["readable"], dark["readable"], sea["readable"]] == [False, False, True]
    assert "nothing but one colour" in dark["reason"]
    assert bad["tags"] == dark["tags"] == []
    assert [tag["id"] for tag in sea["tags"]] == [12, 31]
    for tag in sea["tags"]:
        truth = table.tagged[tag["id"]].pose
        assert math.dist((tag["x_mm"], tag["y_mm"]), (truth.x_mm, truth.y_mm)) < 8
        assert abs((tag["heading_deg"] - truth.heading_deg + 180) % 360 - 180) < 1
        assert tag["p"] > 0.99
        x, y = tag["centre_px"]
        assert 0 < x < 1280
        assert 0 < y < 960
    assert sea["tags"][0]["height_mm"] == pytest.approx(90, abs=3)
    lines = run("see", "tags", "--profile", "open-table-small", names[2])
    assert lines[1].startswith("  tag 12 ")


def test_a_board_of_cells_is_for_see_board(run, tmp_path):
    with pytest.raises(BoardError, match="stand on cells"):
        run("see", "tags", "--profile", "hex-ocean", tmp_path / "x.png")


@pytest.mark.parametrize(
    "words", [("see", "board", "x.png"), ("watch", "--free", "--frames", "x")], ids=["see", "watch"]
)
def test_an_open_table_is_for_see_tags(run, words):
    with pytest.raises(BoardError, match="has no cells"):
        run(*words, "--profile", "open-table")


def test_a_height_that_cannot_be_read_is_explained(run, capsys):
    with pytest.raises(SystemExit):
        run("see", "tags", "--height", "12:90", "x.png")
    assert "not like 12=85" in capsys.readouterr().err
