"""The layout: where each piece should lie. The one currency of the whole house.

Rules derive it from a state, vision measures it with probabilities, the web draws it, the virtual
table renders it into pictures.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

Cell = tuple[int, int]
"""A cell of a grid: axial ``(q, r)`` on hexes, ``(col, row)`` on squares."""


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


@dataclass(frozen=True, slots=True)
class Layout:
    """Which piece lies on which cell, and which dice lie unspent in the tray."""

    cells: Mapping[Cell, CellContent] = field(default_factory=lambda: MappingProxyType({}))
    """Occupied cells only."""
    dice: tuple[Die, ...] = ()
    """Rolled dice that wait to be spent, sorted. Other dice may lie about; they mean nothing."""

    def at(self, cell: Cell) -> CellContent:
        """Return what should lie on a cell; `EMPTY` where nothing should."""
        return self.cells.get(cell, EMPTY)

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
        )


def make_layout(cells: Mapping[Cell, CellContent], dice: Iterable[Die] = ()) -> Layout:
    """Build a layout: empty cells dropped, dice sorted, the mapping made read-only."""
    occupied = {cell: content for cell, content in cells.items() if content != EMPTY}
    return Layout(MappingProxyType(occupied), tuple(sorted(dice)))
