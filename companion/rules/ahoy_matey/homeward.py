"""Which runs bring the treasure nearer to a harbour (AHM-34 to 36)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from math import inf
from typing import NamedTuple

from companion.rules.ahoy_matey.sea import (
    FIRST_CORNER,
    LAST_CORNER,
    WIND_NORTH_EAST,
    Sea,
    at_home,
    board_of,
    is_strait,
)
from companion.rules.layout import Cell
from companion.rules.squares import distance

ACROSS = distance(FIRST_CORNER, LAST_CORNER)
"""Steps from one strait of a board to the other."""

Lengths = tuple[frozenset[int], ...]
"""By number of the course: the lengths of the runs a treasure ship may make along it."""


class Ways(NamedTuple):
    """How far it is home, islands and gaps left aside."""

    direct: float
    """Without passing a strait; infinite from another board."""
    round_the_world: float
    """Through one strait or more, the shorter way about."""

    @property
    def distance(self) -> float:
        """How far it is: directly if that can be, else through the straits."""
        return self.round_the_world if self.direct == inf else self.direct


@cache
def ways_home(sea: Sea, cell: Cell, harbour: Cell) -> Ways:
    """Return how far a square is from a harbour; a strait counts at each of its ends."""
    home, goal = board_of(harbour), at_home(harbour)
    direct = round_the_world = inf
    for board, place in _ends(sea, cell):
        if board == home:
            direct = min(direct, distance(place, goal))
        onward = (home - board) % sea.boards or sea.boards
        back = (board - home) % sea.boards or sea.boards
        round_the_world = min(
            round_the_world,
            distance(place, LAST_CORNER) + ACROSS * (onward - 1) + distance(FIRST_CORNER, goal),
            distance(place, FIRST_CORNER) + ACROSS * (back - 1) + distance(LAST_CORNER, goal),
        )
    return Ways(direct, round_the_world)


def _ends(sea: Sea, cell: Cell) -> Iterator[tuple[int, Cell]]:
    yield board_of(cell), at_home(cell)
    if is_strait(cell):
        yield (board_of(cell) - 1) % sea.boards, LAST_CORNER


@cache
def homeward_runs(sea: Sea, harbour: Cell) -> Mapping[Cell, Lengths]:
    """Return from every square how far a treasure ship may run along each course."""
    return {
        cell: tuple(
            frozenset(
                _with_the_wind(sea, cell, course, harbour)
                if way >= WIND_NORTH_EAST
                else _by_compass(sea, cell, course, harbour)
            )
            for way, course in enumerate(courses)
        )
        for cell, courses in sea.courses.items()
    }


def _by_compass(sea: Sea, cell: Cell, course: tuple[Cell, ...], harbour: Cell) -> Iterator[int]:
    """Yield lengths of which every step leads home, directly or by the way round if not longer."""
    before = ways_home(sea, cell, harbour)
    for length, square in enumerate(course, 1):
        after = ways_home(sea, square, harbour)
        round_counts = before.round_the_world <= before.direct
        if not (
            after.direct < before.direct
            or (round_counts and after.round_the_world < before.round_the_world)
        ):
            return
        yield length
        before = after


def _with_the_wind(sea: Sea, cell: Cell, course: tuple[Cell, ...], harbour: Cell) -> Iterator[int]:
    """Yield lengths of which no step leads away and which as a whole lead home."""
    start = before = ways_home(sea, cell, harbour).distance
    for length, square in enumerate(course, 1):
        after = ways_home(sea, square, harbour).distance
        if after > before:
            return
        if after < start:
            yield length
        before = after
