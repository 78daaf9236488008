"""The sea: one board, or two that meet in the straits (AHM-5 to 11, AHM-V15).

Boards lie side by side in the coordinates, twelve columns apart, though on the table they overlap
at a corner. What touches what is settled here once and for all: from any square a ship sees six
courses, four by the compass and two along the trade wind if it stands in one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property

from companion.rules.layout import Cell
from companion.rules.squares import DIRECTION_NAMES, opposite, square_name, step

SIDE = 10
"""Squares along a full edge of a board."""
APART = 12
"""Columns from a square of one board to the same square of the next."""
MOST_BOARDS = 2
LONGEST = 5
"""Squares of the longest run: the highest face of a die."""
FARTHEST = 2 * SIDE
"""No straight line over the sea is longer, not even through a strait."""

NORTH, EAST, SOUTH, WEST = COMPASS = range(4)
WIND_NORTH_EAST, WIND_SOUTH_WEST = 4, 5
COURSE_NAMES = (*DIRECTION_NAMES, "north-east with the wind", "south-west with the wind")
"""By number of the course. On a loop of winds (AHM-V6) the way a ship first points counts."""

GAPS: tuple[tuple[int, int, int, int], ...] = ((9, 1, 10, 2), (1, 9, 2, 10))
"""Missing tiles: first column, first row, last column, last row (AHM-5)."""
ISLAND: tuple[Cell, ...] = ((5, 5), (5, 6), (6, 5), (6, 6))
TREASURE_SPOT: Cell = (5, 5)
"""Where on the island the treasure waits."""
ANCHORS: tuple[tuple[Cell, Cell], ...] = (
    ((5, 4), (6, 4)),
    ((7, 5), (7, 6)),
    ((5, 7), (6, 7)),
    ((4, 5), (4, 6)),
)
"""By side of the island: the two that are nearest to the harbour of that side (AHM-10)."""
HARBOURS: tuple[Cell, ...] = ((8, 0), (11, 3), (3, 11), (0, 8))
"""By side of the board, one beside each end of a wind (AHM-10)."""
WINDS: tuple[tuple[Cell, ...], ...] = (
    tuple((column, 9 - column) for column in range(1, 9)),
    tuple((column, 13 - column) for column in range(3, 11)),
)
"""Squares of the Roaring 40s from their south-western ends on (AHM-8)."""
FIRST_CORNER, LAST_CORNER = (1, 1), (SIDE, SIDE)
"""The corners that are left: ends of the straits (AHM-9)."""

Courses = tuple[tuple[Cell, ...], ...]
"""By number of the course: the squares a run passes, nearest first, at most `LONGEST`."""
Leg = tuple[int, Cell, tuple[Cell, ...]]
"""A run of some length: number of the course, the square it ends on, those it passes."""


def on_board(cell: Cell, board: int) -> Cell:
    """Return a square of the first board on another one (0-based)."""
    return cell[0] + APART * board, cell[1]


def board_of(cell: Cell) -> int:
    """Return the board (0-based) a square belongs to; straits to that of their first corner."""
    return cell[0] // APART


def at_home(cell: Cell) -> Cell:
    """Return the square of the first board that lies as this one does on its own."""
    return cell[0] % APART, cell[1]


_HARBOURS = frozenset(on_board(cell, board) for cell in HARBOURS for board in range(MOST_BOARDS))
_ISLANDS = frozenset(on_board(cell, board) for cell in ISLAND for board in range(MOST_BOARDS))


def is_harbour(cell: Cell) -> bool:
    """Say whether a square of any board is a harbour."""
    return cell in _HARBOURS


def is_strait(cell: Cell) -> bool:
    """Say whether a square is a strait, by the name that counts."""
    return at_home(cell) == FIRST_CORNER


def is_island(cell: Cell) -> bool:
    """Say whether a square lies on a Skull Island."""
    return cell in _ISLANDS


def _is_water(cell: Cell) -> bool:
    column, row = cell
    inside = 1 <= column <= SIDE and 1 <= row <= SIDE
    gap = any(c1 <= column <= c2 and r1 <= row <= r2 for c1, r1, c2, r2 in GAPS)
    return inside and not gap and cell not in ISLAND


@dataclass(frozen=True)
class Sea:
    """Where ships can be and how they run. Build it with `sea_of`.

    A strait is one square with two ends; it goes by its first corner, which on the last board of a
    row of boards is that of the first board again.
    """

    boards: int
    surge: bool
    """The ends of the winds are linked across the gaps (AHM-V6)."""

    @cached_property
    def squares(self) -> frozenset[Cell]:
        """Every square a ship can be on, harbours included."""
        return frozenset(self.courses)

    @cached_property
    def anchors(self) -> Mapping[Cell, int]:
        """The board of each anchor."""
        return {
            on_board(cell, board): board
            for board in range(self.boards)
            for side in ANCHORS
            for cell in side
        }

    @cached_property
    def winds(self) -> frozenset[Cell]:
        """Every square in a trade wind."""
        return frozenset(
            on_board(cell, board) for board in range(self.boards) for wind in WINDS for cell in wind
        )

    @cached_property
    def courses(self) -> Mapping[Cell, Courses]:
        """The six courses from every square."""
        cells = {cell for cell, _ in self._links}
        ways = range(len(COURSE_NAMES))
        return {cell: tuple(self._line(cell, way, LONGEST) for way in ways) for cell in cells}

    @cached_property
    def legs(self) -> Mapping[tuple[Cell, int], tuple[Leg, ...]]:
        """The runs of every length from every square."""
        return {
            (cell, length): tuple(
                (way, course[length - 1], course[: length - 1])
                for way, course in enumerate(courses)
                if len(course) >= length
            )
            for cell, courses in self.courses.items()
            for length in range(1, LONGEST + 1)
        }

    def lines(self, start: Cell, end: Cell) -> tuple[tuple[int, tuple[Cell, ...]], ...]:
        """Return the courses to a square, however far, with the squares passed; shortest first."""
        whole = ((way, self._line(start, way, FARTHEST)) for way in range(len(COURSE_NAMES)))
        found = [(way, line[: line.index(end) + 1]) for way, line in whole if end in line]
        return tuple(sorted(found, key=lambda course: len(course[1])))

    def _line(self, cell: Cell, way: int, most: int) -> tuple[Cell, ...]:
        if way in COMPASS:
            return tuple(self._run(cell, way, most))
        return tuple(self._blown(cell, 1 if way == WIND_NORTH_EAST else -1, most))

    def _run(self, cell: Cell, way: int, most: int) -> Iterator[Cell]:
        for _ in range(most):
            following = self._links.get((cell, way))
            if following is None:
                return
            yield following
            cell = following

    @cached_property
    def _links(self) -> Mapping[tuple[Cell, int], Cell]:
        """The neighbour of a square in each direction, straits and harbours included."""
        links: dict[tuple[Cell, int], Cell] = {}
        for board in range(self.boards):
            for column in range(1, SIDE + 1):
                for row in range(1, SIDE + 1):
                    self._link(links, (column, row), board)
        for board in range(self.boards):
            for way, harbour in enumerate(HARBOURS):
                moored, end = (
                    on_board(harbour, board),
                    on_board(step(harbour, opposite(way)), board),
                )
                links[end, way], links[moored, opposite(way)] = moored, end
        return links

    def _link(self, links: dict[tuple[Cell, int], Cell], cell: Cell, board: int) -> None:
        if not _is_water(cell):
            return
        for way in COMPASS:
            beside = step(cell, way)
            if _is_water(beside):
                links[self._named(cell, board), way] = self._named(beside, board)

    def _named(self, cell: Cell, board: int) -> Cell:
        """Return a square by the name that counts: a last corner by that of the next board."""
        if cell == LAST_CORNER:
            return on_board(FIRST_CORNER, (board + 1) % self.boards)
        return on_board(cell, board)

    def _blown(self, cell: Cell, towards: int, most: int) -> Iterator[Cell]:
        """Yield the squares along the wind, to the north-east (1) or the south-west (-1)."""
        board, home = board_of(cell), at_home(cell)
        for wind in WINDS:
            if home in wind:
                there = wind.index(home)
                ahead = wind[there + 1 :] if towards > 0 else wind[:there][::-1]
                if self.surge:
                    other = WINDS[1 - WINDS.index(wind)]
                    # Across the gap the other wind is met at the same end and runs back.
                    ahead += other[::-1] if towards > 0 else other
                yield from (on_board(square, board) for square in ahead[:most])

    def name(self, cell: Cell) -> str:
        """Name a square as people point at it."""
        if is_strait(cell) and cell in self.squares:
            if self.boards == 1:
                return "the straits"
            return "the outside straits" if cell == FIRST_CORNER else "the inside straits"
        if is_harbour(cell):
            side = DIRECTION_NAMES[HARBOURS.index(at_home(cell))]
            which = f" of board {board_of(cell) + 1}" if self.boards > 1 else ""
            return f"the {side} harbour{which}"
        return square_name(cell)


@cache
def sea_of(boards: int, surge: bool) -> Sea:
    """Return the sea of so many boards; each is built once."""
    return Sea(boards, surge)
