"""Hex geometry in axial coordinates ``(q, r)``, pointy tops (AOW-10)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from companion.rules.layout import Cell, cell_name

DIRECTIONS: tuple[Cell, ...] = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
"""The six directions in order of rotation: E, NE, NW, W, SW, SE."""

DIRECTION_NAMES = ("E", "NE", "NW", "W", "SW", "SE")


def opposite(direction: int) -> int:
    """Return the direction that points the other way.

    >>> DIRECTION_NAMES[opposite(0)]
    'W'
    """
    return (direction + 3) % 6


def hex_name(cell: Cell) -> str:
    """Name a cell by the letter of its row and the number of its line from NW to SE.

    The centre is G7 on a board of any radius up to six; where no letter is left, a cell is
    written as AOW-10 counts it.

    >>> hex_name((0, 0)), hex_name((4, -5)), hex_name((0, -200))
    ('G7', 'B11', '0,-200')
    """
    q, r = cell
    row = ord("G") + r
    if not ord("A") <= row <= ord("Z"):
        return cell_name(cell)
    return f"{chr(row)}{q + 7}"


def parse_hex(name: str) -> Cell:
    """Read a cell written by `hex_name`; raises `ValueError` on anything else.

    >>> parse_hex("b11")
    (4, -5)
    """
    row, line = name[:1].upper(), name[1:]
    if not ("A" <= row <= "M" and line.isascii() and line.isdigit()):
        raise ValueError(name)
    return int(line) - 7, ord(row) - ord("G")


def distance(a: Cell, b: Cell) -> int:
    """Return the number of steps between two cells."""
    dq, dr = a[0] - b[0], a[1] - b[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


def step(cell: Cell, direction: int, length: int = 1) -> Cell:
    """Return the cell `length` steps away in a direction (0-5)."""
    dq, dr = DIRECTIONS[direction]
    return cell[0] + dq * length, cell[1] + dr * length


def ray(cell: Cell, direction: int, length: int) -> Iterator[Cell]:
    """Yield the `length` cells passed in a straight line, the start not included."""
    dq, dr = DIRECTIONS[direction]
    q, r = cell
    for _ in range(length):
        q, r = q + dq, r + dr
        yield q, r


@cache
def hexagon(radius: int) -> frozenset[Cell]:
    """Return the cells of a regular hexagon of hexes around ``(0, 0)``.

    >>> len(hexagon(5))
    91
    """
    span = range(-radius, radius + 1)
    return frozenset((q, r) for q in span for r in span if abs(q + r) <= radius)


@cache
def neighbours(cell: Cell, radius: int) -> tuple[Cell, ...]:
    """Return the adjacent cells that are on a board of this radius, in direction order."""
    board = hexagon(radius)
    return tuple(c for d in range(6) if (c := step(cell, d)) in board)
