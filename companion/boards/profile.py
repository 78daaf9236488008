"""Board profiles: what a printed board measures, read from TOML in millimetres.

Board frame: origin at the centre of marker 0, x to the right toward marker 1, y down toward
marker 3, z into the table. A new board is a new TOML file, no code.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Any

from companion.errors import BoardError
from companion.rules.hexes import hexagon
from companion.rules.layout import Cell

XY = tuple[float, float]
"""A point of the board frame, millimetres."""


@dataclass(frozen=True, slots=True)
class Marker:
    """An ArUco marker printed on the board."""

    id: int
    centre_mm: XY


@dataclass(frozen=True, slots=True)
class Zone:
    """A named rectangle of the board frame, e.g. the treasure or the shipyard."""

    id: str
    origin_mm: XY
    """Top-left corner."""
    size_mm: XY
    """Width (x) and height (y)."""


@dataclass(frozen=True, slots=True)
class Tray:
    """The dice tray: a rectangle of its own, seen by the board camera or by a second one."""

    size_mm: XY
    """Inside width and height of the floor."""


@dataclass(frozen=True)
class BoardProfile:
    """A board as it is printed. Geometry of the cells by `cell_centre_mm`."""

    id: str
    title: str
    game: str
    """Game it is made for (`GameInfo.id`)."""
    width_mm: float
    height_mm: float
    dictionary: str
    """ArUco dictionary, e.g. ``"DICT_4X4_50"``."""
    marker_side_mm: float
    markers: tuple[Marker, ...]
    marker_inset_mm: float
    """From the board's edge to the origin (centre of marker 0), both axes."""
    grid: str
    """``"hex"`` (pointy top, axial) or ``"square"``."""
    pitch_mm: float
    """Distance between the centres of neighbouring cells."""
    radius: int
    """Hex boards: rings around the centre cell."""
    origin_cell_mm: XY
    """Centre of cell (0, 0)."""
    start_cells: tuple[Cell, ...]
    """Cells printed with a circle."""
    zones: tuple[Zone, ...]
    tray: Tray | None
    options: Mapping[str, object]
    """Options of the game that this print fixes, e.g. its radius."""

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """Every cell of the board, sorted."""
        return tuple(sorted(hexagon(self.radius)))

    def cell_centre_mm(self, cell: Cell) -> XY:
        """Return the centre of a cell in the board frame."""
        x0, y0 = self.origin_cell_mm
        q, r = cell
        return x0 + self.pitch_mm * (q + r / 2), y0 + self.pitch_mm * r * math.sqrt(3) / 2

    def cell_outline_mm(self, cell: Cell) -> tuple[XY, ...]:
        """Return the six corners of a cell, clockwise from its top."""
        x, y = self.cell_centre_mm(cell)
        side = self.pitch_mm / math.sqrt(3)
        turns = (math.radians(60 * k - 90) for k in range(6))
        return tuple((x + side * math.cos(a), y + side * math.sin(a)) for a in turns)


def builtin_profiles() -> tuple[str, ...]:
    """Return the names of the profiles that come with Quarterdeck."""
    folder = resources.files("companion.boards") / "profiles"
    return tuple(sorted(f.name[:-5] for f in folder.iterdir() if f.name.endswith(".toml")))


def load_profile(name_or_path: str) -> BoardProfile:
    """Read a profile by built-in name or by path of a TOML file. Raises `BoardError`."""
    if name_or_path in builtin_profiles():
        folder = resources.files("companion.boards") / "profiles"
        text = (folder / f"{name_or_path}.toml").read_text("utf-8")
    else:
        path = Path(name_or_path)
        if not path.is_file():
            known = ", ".join(builtin_profiles())
            raise BoardError(
                f"no board profile {name_or_path!r}: give a TOML file or one of {known}"
            )
        text = path.read_text("utf-8")
    try:
        return parse_profile(tomllib.loads(text))
    except (tomllib.TOMLDecodeError, BoardError) as error:
        raise BoardError(f"board profile {name_or_path!r}: {error}") from error


def parse_profile(data: Mapping[str, Any]) -> BoardProfile:
    """Build a profile from parsed TOML. Raises `BoardError` naming the field."""
    try:
        board, markers, cells = data["board"], data["markers"], data["cells"]
        profile = BoardProfile(
            id=data["id"],
            title=data["title"],
            game=data["game"],
            width_mm=float(board["width_mm"]),
            height_mm=float(board["height_mm"]),
            dictionary=markers["dictionary"],
            marker_side_mm=float(markers["side_mm"]),
            marker_inset_mm=float(markers["inset_mm"]),
            markers=tuple(Marker(m["id"], _xy(m["centre_mm"])) for m in markers["places"]),
            grid=cells["grid"],
            pitch_mm=float(cells["pitch_mm"]),
            radius=int(cells["radius"]),
            origin_cell_mm=_xy(cells["origin_mm"]),
            start_cells=tuple((int(q), int(r)) for q, r in cells.get("start", [])),
            zones=tuple(
                Zone(z["id"], _xy(z["origin_mm"]), _xy(z["size_mm"])) for z in data.get("zones", [])
            ),
            tray=Tray(_xy(data["tray"]["size_mm"])) if "tray" in data else None,
            options=dict(data.get("options", {})),
        )
    except KeyError as error:
        raise BoardError(f"the field {error.args[0]!r} is missing") from error
    except (TypeError, ValueError, AttributeError) as error:
        raise BoardError(f"a field cannot be read: {error}") from error
    if profile.grid != "hex":
        raise BoardError(f"cells.grid must be 'hex', not {profile.grid!r}")
    if len(profile.markers) < 4:
        raise BoardError(f"at least 4 markers are needed, {len(profile.markers)} are given")
    return profile


def _xy(pair: Any) -> XY:
    x, y = pair
    return float(x), float(y)
