"""A few of the path-traced open tables, read as they are; all of them in `benchmarks`."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path

import pytest

from companion.boards.profile import load_profile
from vision.camera.folder import load_picture
from vision.frame import Frame
from vision.tags.reader import TagReader

ROOT = Path(os.environ.get("QUARTERDECK_FRAMES") or Path(__file__).parents[3] / "shared" / "frames")
TAGS = ROOT / "dev" / "tags"
pytestmark = [
    pytest.mark.frames,
    pytest.mark.skipif(
        not TAGS.is_dir(),
        reason="the path-traced pictures are not here; set QUARTERDECK_FRAMES to their folder",
    ),
]


@pytest.mark.parametrize("name", ["001", "004"])  # a tag in glare; a camera straight above
@pytest.mark.parametrize(("known", "limit_mm"), [(True, 4.0), (False, 9.0)])
def test_all_tags_are_read_and_where_they_are(name: str, known: bool, limit_mm: float) -> None:
    ships = json.loads((TAGS / f"{name}.json").read_text())["ships"]
    heights = {s["tag_id"]: s["height_mm"] for s in ships if known}
    reader = TagReader(load_profile("open-table"), lambda: heights)
    seen = reader.read(Frame(name, 0, load_picture(TAGS / f"{name}.jpg")))
    assert seen.cells == {}
    assert sorted(seen.tags) == sorted(s["tag_id"] for s in ships)
    for ship in ships:
        reading = seen.tags[ship["tag_id"]]
        assert reading.p > 0.999
        off = math.dist((reading.pose.x_mm, reading.pose.y_mm), (ship["x_mm"], ship["y_mm"]))
        assert off < limit_mm
        turned = (reading.pose.heading_deg - ship["heading_deg"] + 180) % 360 - 180
        assert abs(turned) < 1.0
