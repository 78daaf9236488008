"""Islands and reefs: where ships run aground (PWR-55, PWR-107), as a host lays them out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.errors import BadOptions
from companion.rules import outlines, plane
from companion.rules.game import Option
from companion.rules.layout import Pose
from companion.rules.options import check_limits
from companion.rules.pirate_wars.built.ships import DOT_MM

TERRAIN = ("island", "reef")
MOST_TERRAIN = 12
FIRST_TERRAIN_TAG = 101
"""Tag of the first island or reef; ships are tagged from 1."""
CORNERS = 12
"""Islands and reefs are taken for regular polygons with so many corners."""


@dataclass(frozen=True, slots=True)
class Ground:
    """An island or a reef: where ships run aground (PWR-55)."""

    kind: str
    """One of `TERRAIN`."""
    x_mm: int
    y_mm: int
    across_dots: int
    """Its width."""
    depth_dots: int
    """Depth of a reef; 0 for an island."""

    @property
    def reach_mm(self) -> float:
        """Return how far its shore is from its tag, at most."""
        return self.across_dots * DOT_MM / 2

    @property
    def outline_mm(self) -> plane.Outline:
        """Return its shore in its own frame."""
        corners = range(CORNERS)
        return tuple([plane.toward((0, 0), 360 * k / CORNERS, self.reach_mm) for k in corners])

    @property
    def pose(self) -> Pose:
        """Return where its tag lies."""
        return Pose(float(self.x_mm), float(self.y_mm), 0.0)

    def is_near(self, start: plane.XY, end: plane.XY, mm: float) -> bool:
        """Tell whether any part of it may lie within so much of a straight way."""
        return outlines.point_to_line((self.x_mm, self.y_mm), start, end) <= self.reach_mm + mm

    @property
    def shore(self) -> plane.Outline:
        """Return its outline on the table."""
        return outlines.outline_at(self.pose, self.outline_mm)


GROUND_FIELDS = (
    Option("kind", "island", TERRAIN, "Land, or a reef under water.", "What"),
    Option("x_mm", 650, (), "Middle, millimetres to the right of marker 0.", "Right"),
    Option("y_mm", 450, (), "Middle, millimetres below marker 0.", "Down"),
    Option("across_dots", 16, (), "Width in dots, 2 to 80.", "Width"),
    Option("depth_dots", 8, (), "Depth of a reef in dots, 0 to 12.", "Depth"),
)


def read_terrain(items: object, sea: tuple[int, int]) -> tuple[Ground, ...]:
    """Return the islands and reefs of a sea of this width and height. Raises `BadOptions`."""
    if not isinstance(items, tuple) or len(items) > MOST_TERRAIN:
        raise BadOptions(f"Give a list of up to {MOST_TERRAIN} islands and reefs.", "terrain")
    return tuple([_read_ground(item, n, sea) for n, item in enumerate(items, 1)])


def _read_ground(item: object, number: int, sea: tuple[int, int]) -> Ground:
    what = f"Island or reef {number}"
    fields = {f.id for f in GROUND_FIELDS}
    if not isinstance(item, Mapping) or set(item) != fields:
        raise BadOptions(f"{what} needs the fields {', '.join(sorted(fields))}.", "terrain")
    if item["kind"] not in TERRAIN:
        raise BadOptions(f"{what} is an island or a reef, not {item['kind']!r}.", "terrain")
    limits = {
        "x_mm": range(sea[0] + 1),
        "y_mm": range(sea[1] + 1),
        "across_dots": range(2, 81),
        "depth_dots": range(13),
    }
    check_limits("terrain", what, item, limits, GROUND_FIELDS)
    depth = item["depth_dots"] if item["kind"] == "reef" else 0
    return Ground(item["kind"], item["x_mm"], item["y_mm"], item["across_dots"], depth)
