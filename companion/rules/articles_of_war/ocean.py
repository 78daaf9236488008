"""The ocean: terrain tiles on a hexagon of hexes, and what they make of a straight line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from companion.rules.hexes import hexagon, ray
from companion.rules.layout import Cell, CellContent

CENTRE: Cell = (0, 0)
VOLCANO, DESERT, REEF = TILES = ("volcano", "desert", "reef")


class Course(NamedTuple):
    """What sea and land make of a straight line, ships left aside."""

    open: tuple[Cell, ...]
    """Cells a ship can enter, in order."""
    end: str | None
    """What ends it early: ``"edge"``, ``"volcano"``, ``"desert"``; ``None`` if nothing does."""
    reefs: bool
    """A reef lies on one of the open cells."""


@dataclass(frozen=True)
class Ocean:
    """The sea and its terrain tiles, sorted by cell. Looks courses up once and keeps them."""

    radius: int
    tiles: tuple[tuple[Cell, str], ...] = ()

    @cached_property
    def cells(self) -> frozenset[Cell]:
        """Every hex of the ocean."""
        return hexagon(self.radius)

    @cached_property
    def terrain(self) -> Mapping[Cell, str]:
        """Tile by hex."""
        return dict(self.tiles)

    @cached_property
    def bare_tiles(self) -> Mapping[Cell, CellContent]:
        """What lies on the hexes of the tiles where no ship does."""
        return {cell: CellContent(terrain=tile) for cell, tile in self.tiles}

    @cached_property
    def _courses(self) -> dict[tuple[Cell, int, int], Course]:
        return {}

    @cached_property
    def _targets(self) -> dict[tuple[Cell, int, int], Cell | None]:
        return {}

    def course(self, cell: Cell, direction: int, length: int) -> Course:
        """Return how far sea goes on from `cell` (excluded) in a direction."""
        key = cell, direction, length
        found = self._courses.get(key)
        if found is None:
            found = self._courses[key] = self._survey(cell, direction, length)
        return found

    def _survey(self, cell: Cell, direction: int, length: int) -> Course:
        passed: list[Cell] = []
        end = None
        for entered in ray(cell, direction, length):
            tile = self.terrain.get(entered)
            if entered not in self.cells:
                end = "edge"
            elif tile in (VOLCANO, DESERT):
                end = tile
            if end:
                break
            passed.append(entered)
        return Course(tuple(passed), end, any(self.terrain.get(c) == REEF for c in passed))

    def target(self, cell: Cell, direction: int, distance: int) -> Cell | None:
        """Return the hex a shot comes down on; ``None`` off the map or behind a volcano."""
        key = cell, direction, distance
        if key not in self._targets:
            line = tuple(ray(cell, direction, distance))
            blocked = any(self.terrain.get(c) == VOLCANO for c in line[:-1])
            off = line[-1] not in self.cells
            self._targets[key] = None if blocked or off else line[-1]
        return self._targets[key]

    def with_tile(self, cell: Cell, tile: str) -> Ocean:
        """Return the ocean with one more tile."""
        return Ocean(self.radius, tuple(sorted((*self.tiles, (cell, tile)))))

    def cleared(self) -> Ocean:
        """Return the ocean without tiles."""
        return Ocean(self.radius)
