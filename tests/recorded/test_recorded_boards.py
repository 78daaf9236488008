"""A few of the path-traced pictures, read as they are; all of them in `benchmarks`."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from companion.boards.profile import load_profile
from companion.rules.layout import EMPTY, CellContent
from vision.board.reader import BoardReader
from vision.camera.folder import load_picture, picture_paths
from vision.following import FreeWatch
from vision.frame import Frame

ROOT = Path(os.environ.get("QUARTERDECK_FRAMES") or Path(__file__).parents[3] / "shared" / "frames")
FRAMES = ROOT / "dev"
pytestmark = [
    pytest.mark.frames,
    pytest.mark.skipif(
        not (FRAMES / "hex").is_dir(),
        reason="the path-traced pictures are not here; set QUARTERDECK_FRAMES to their folder",
    ),
]


@pytest.fixture(scope="module")
def profile():
    return load_profile("hex-ocean")


def label_of(path):
    return json.loads(path.with_suffix(".json").read_text())


@pytest.mark.parametrize("name", ["000", "006", "012", "014"])
def test_a_board_is_read_exactly_against_its_empty_picture(profile, name):
    path = FRAMES / "hex" / f"{name}.jpg"
    reader = BoardReader(profile, load_picture(path.with_name(f"{name}.empty.jpg")))
    seen = reader.read(Frame(name, 0, load_picture(path)))
    truth = {
        (c["q"], c["r"]): CellContent((c["ship"],) if c["ship"] else (), c["terrain"])
        for c in label_of(path)["cells"]
    }
    for cell, reading in seen.cells.items():
        assert reading.best == truth.get(cell, EMPTY), cell


def test_an_arm_is_seen_and_hidden_cells_are_not_guessed(profile):
    path = FRAMES / "hex" / "008.jpg"
    reader = BoardReader(profile, load_picture(path.with_name("008.empty.jpg")))
    seen = reader.read(Frame("008", 0, load_picture(path)))
    covered = {(q, r) for q, r, share in label_of(path)["covered_cells"] if share > 0.5}
    assert covered <= seen.occluded
    assert not covered & set(seen.cells)


def test_a_sequence_is_followed(profile):
    folder = FRAMES / "hex_seq" / "00"
    watch = FreeWatch(BoardReader(profile))
    for path in picture_paths(folder)[:6]:
        told = watch.feed(Frame(path.stem, 0, load_picture(path)))
        event = label_of(path)["event"]
        if event["type"] == "move":
            (change,) = told
            assert (change.event, change.ship) == ("moved", event["ship"])
            assert (change.origin, change.target) == (tuple(event["from"]), tuple(event["to"]))
        elif event["type"] == "hand":
            assert [c.event for c in told] == ["hand"]
