"""What a board can be printed with, hexes, squares or nothing: where cells lie, which touch."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from companion.rules.hexes import DIRECTIONS, hexagon
from companion.rules.layout import Cell

XY = tuple[float, float]
"""A point of the board frame, millimetres."""

_AROUND = tuple((x, y) for y in (-1, 0, 1) for x in (-1, 0, 1) if (x, y) != (0, 0))


@dataclass(frozen=True)
class Grid:
    """Cells in the plane. Made by `hex_grid`, `square_grid` or `open_table`."""

    cells: tuple[Cell, ...]
    """Every cell of the board, sorted."""
    pitch_mm: float
    """Distance between the centres of neighbouring cells."""
    origin_mm: XY
    """Centre of cell (0, 0), be it on the board or not."""
    place: Callable[[Cell], XY]
    """Centre of a cell in pitches from that of cell (0, 0)."""
    corners: tuple[XY, ...]
    """Corners of a cell in pitches from its centre, clockwise from its top (left)."""
    steps: tuple[Cell, ...]
    """From a cell to those that touch it."""

    def centre_mm(self, cell: Cell) -> XY:
        """Return the centre of a cell in the board frame."""
        (x0, y0), (x, y) = self.origin_mm, self.place(cell)
        return x0 + self.pitch_mm * x, y0 + self.pitch_mm * y

    def outline_mm(self, cell: Cell) -> tuple[XY, ...]:
        """Return the corners of a cell in the board frame, clockwise from its top (left)."""
        x, y = self.centre_mm(cell)
        return tuple((x + self.pitch_mm * dx, y + self.pitch_mm * dy) for dx, dy in self.corners)

    @property
    def is_hex(self) -> bool:
        """Whether its cells are hexes."""
        return len(self.corners) == 6

    def around(self, cell: Cell) -> tuple[Cell, ...]:
        """Return the cells of the board that touch a cell."""
        x, y = cell
        return tuple(c for dx, dy in self.steps if (c := (x + dx, y + dy)) in self._known)

    @cached_property
    def rim(self) -> frozenset[Cell]:
        """The cells at the edge of the board or beside a gap in it."""
        return frozenset(c for c in self.cells if len(self.around(c)) < len(self.steps))

    @cached_property
    def _known(self) -> frozenset[Cell]:
        return frozenset(self.cells)


def hex_grid(radius: int, pitch_mm: float, origin_mm: XY) -> Grid:
    """Return hexes with their tops pointed, so many rings around (0, 0), axial coordinates.

    >>> len(hex_grid(5, 42.0, (0.0, 0.0)).cells)
    91
    """
    turns = [math.radians(60 * k - 90) for k in range(6)]
    side = 1 / math.sqrt(3)
    corners = tuple((side * math.cos(a), side * math.sin(a)) for a in turns)
    cells = tuple(sorted(hexagon(radius)))
    return Grid(cells, pitch_mm, origin_mm, _hex_place, corners, DIRECTIONS)


def square_grid(cells: frozenset[Cell], pitch_mm: float, origin_mm: XY) -> Grid:
    """Return the given squares, (column, row) to the right and down; corners touch, too.

    >>> square_grid(frozenset({(1, 1), (2, 1), (2, 3)}), 30.0, (0.0, 0.0)).around((1, 1))
    ((2, 1),)
    """
    corners = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
    return Grid(tuple(sorted(cells)), pitch_mm, origin_mm, _square_place, corners, _AROUND)


def open_table() -> Grid:
    """Return the grid of a table without cells.

    >>> open_table().cells
    ()
    """
    return Grid((), 0.0, (0.0, 0.0), _square_place, (), ())


def _hex_place(cell: Cell) -> XY:
    q, r = cell
    return q + r / 2, r * math.sqrt(3) / 2


def _square_place(cell: Cell) -> XY:
    return float(cell[0]), float(cell[1])
