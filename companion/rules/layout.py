"""The layout: where each piece should lie. The one currency of the whole house.

Rules derive it from a state, vision measures it with probabilities, the web draws it, the virtual
table renders it into pictures.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from types import MappingProxyType
from typing import Any

Cell = tuple[int, int]
"""A cell of a grid: axial ``(q, r)`` on hexes, ``(col, row)`` on squares."""


Spot = Cell | int
"""A place where something may lie: a cell, or the tag of a piece on an open table."""


def cell_name(cell: Cell) -> str:
    """Write a cell as ``"q,r"``.

    >>> cell_name((-3, 5))
    '-3,5'
    """
    return f"{cell[0]},{cell[1]}"


def parse_cell(text: str) -> Cell:
    """Read a cell written by `cell_name`; raises `ValueError` on anything else.

    >>> parse_cell("-3,5")
    (-3, 5)
    """
    first, second = text.split(",")
    return int(first), int(second)


@dataclass(frozen=True, slots=True, order=True)
class Die:
    """A die as it lies: its kind (`companion.rules.dice`) and the face that counts."""

    kind: str
    face: int


@dataclass(frozen=True, slots=True)
class CellContent:
    """What lies on one cell."""

    ships: tuple[str, ...] = ()
    """Colours of the ships, sorted: two that fight a boarding, or one colour as often as its ships
    are stacked here."""
    terrain: str | None = None
    """``"volcano"``, ``"desert"``, ``"reef"``, ``"wreck"`` or ``None`` for open sea."""
    cargo: str | None = None
    """What stands on the ship or the island here: ``"treasure"`` or ``None``."""


EMPTY = CellContent()


@dataclass(frozen=True, slots=True, order=True)
class Pose:
    """Where a piece stands on an open table: the middle of its tag, projected down to the table.

    Board frame: origin at the centre of marker 0, x to the right, y down, millimetres.
    """

    x_mm: float
    y_mm: float
    heading_deg: float
    """Direction of the bow, clockwise from +x as seen from above, 0 <= heading < 360."""

    def rounded(self) -> Pose:
        """Return the pose as states keep it: to a tenth of a millimetre and of a degree."""
        heading = round(self.heading_deg % 360, 1) % 360
        return Pose(round(self.x_mm, 1), round(self.y_mm, 1), heading)


@dataclass(frozen=True, slots=True)
class Placed:
    """A tagged piece on an open table."""

    pose: Pose
    kind: str
    """``"ship"``, ``"island"``, ``"fort"``, ``"launch"``, ``"reef"``, ..."""
    name: str
    colour: str = ""
    """Colour of its owner's fleet; empty for what nobody owns."""
    outline_mm: tuple[tuple[float, float], ...] = ()
    """Corners of its hull or shore in its own frame: x toward the bow, y to starboard, origin
    under the tag."""
    height_mm: float = 0.0
    """Height of the tag above the table."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the pieces lie, on cells or on an open table, and the dice unspent in the tray."""

    cells: Mapping[Cell, CellContent] = field(default_factory=lambda: MappingProxyType({}))
    """Occupied cells only."""
    dice: tuple[Die, ...] = ()
    """Rolled dice that wait to be spent, sorted. Other dice may lie about; they mean nothing."""
    pieces: Mapping[int, Placed] = field(default_factory=lambda: MappingProxyType({}))
    """Pieces of an open table by the number of their tag; none on a board of cells."""

    def at(self, cell: Cell) -> CellContent:
        """Return what should lie on a cell; `EMPTY` where nothing should."""
        return self.cells.get(cell, EMPTY)

    def changed_cells(self, other: Layout) -> frozenset[Cell]:
        """Return the cells on which another layout has something else."""
        there = other.cells
        # What neither touched is mostly one and the same object: so told much quicker than by `!=`.
        changed = {
            cell
            for cell, content in self.cells.items()
            if (now := there.get(cell)) is not content and now != content
        }
        return frozenset(changed | (there.keys() - self.cells.keys()))

    def changed(self, other: Layout) -> frozenset[Spot]:
        """Return the cells and pieces that lie otherwise in another layout."""
        tags = self.pieces.keys() | other.pieces.keys()
        moved = (t for t in tags if self.pieces.get(t) != other.pieces.get(t))
        return frozenset[Spot](moved) | self.changed_cells(other)

    def to_json(self) -> dict[str, Any]:
        """Return the layout as JSON values, cells in order of their coordinates."""
        return {
            "cells": [
                {
                    "cell": cell_name(cell),
                    "ships": list(c.ships),
                    "terrain": c.terrain,
                    "cargo": c.cargo,
                }
                for cell, c in sorted(self.cells.items())
            ],
            "dice": [{"kind": d.kind, "face": d.face} for d in self.dice],
            "pieces": [
                {"tag": tag, **asdict(piece), "pose": asdict(piece.pose)}
                for tag, piece in sorted(self.pieces.items())
            ],
        }

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Layout:
        """Read what `to_json` wrote."""
        return make_layout(
            {
                parse_cell(c["cell"]): CellContent(tuple(c["ships"]), c["terrain"], c.get("cargo"))
                for c in data["cells"]
            },
            (Die(d["kind"], d["face"]) for d in data["dice"]),
            {p["tag"]: _placed(p) for p in data.get("pieces", ())},
        )


def _placed(data: Mapping[str, Any]) -> Placed:
    rest = {key: data[key] for key in ("kind", "name", "colour", "height_mm")}
    outline = tuple((x, y) for x, y in data["outline_mm"])
    return Placed(Pose(**data["pose"]), outline_mm=outline, **rest)


def make_layout(
    cells: Mapping[Cell, CellContent],
    dice: Iterable[Die] = (),
    pieces: Mapping[int, Placed] = MappingProxyType({}),
) -> Layout:
    """Build a layout: empty cells dropped, dice sorted, the mappings made read-only."""
    occupied = {cell: content for cell, content in cells.items() if content != EMPTY}
    return Layout(MappingProxyType(occupied), tuple(sorted(dice)), MappingProxyType(dict(pieces)))
