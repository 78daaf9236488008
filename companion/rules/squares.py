"""Square geometry in ``(column, row)``, columns counted to the right and rows downwards."""

from __future__ import annotations

from companion.rules.layout import Cell

DIRECTIONS: tuple[Cell, ...] = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""The four directions in order of rotation: north, east, south, west."""

DIRECTION_NAMES = ("north", "east", "south", "west")


def step(cell: Cell, direction: int) -> Cell:
    """Return the next cell in a direction (0-3)."""
    across, down = DIRECTIONS[direction]
    return cell[0] + across, cell[1] + down


def opposite(direction: int) -> int:
    """Return the direction that points the other way.

    >>> DIRECTION_NAMES[opposite(1)]
    'west'
    """
    return (direction + 2) % 4


def distance(a: Cell, b: Cell) -> int:
    """Return the number of orthogonal steps between two cells."""
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def square_name(cell: Cell, first: Cell = (1, 1)) -> str:
    """Name a cell by column letter and row, as people point at it; `first` is the one called A1.

    >>> square_name((3, 6))
    'C6'
    >>> square_name((3, 6), first=(0, 0))
    'D7'
    """
    return f"{chr(ord('A') + cell[0] - first[0])}{cell[1] - first[1] + 1}"
