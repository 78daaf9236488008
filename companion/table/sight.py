"""How well a layout agrees with the cells of one observation, as a cost in nats.

The cost of a cell is ``log(p_best / p_expected)``: 0 when the camera's best guess is what the rules
expect there, about 7 when it saw something else without doubt. Hidden cells cost nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import log
from typing import TypeVar

from companion.rules.layout import EMPTY, Cell, CellContent, Layout
from companion.table.observation import CellReading, Observation

FLOOR = 1e-3
"""Probability left to what the camera calls impossible: cameras err."""
CONTRADICTION = 1.6
"""A cell contradicts a layout when what it should hold is five times less likely than the best."""
OVERLOOKED = 0.25
"""Chance left to a second ship newly on a cell where one is seen: two hulls that touch look like
one, and a ship that boards must not pass for one that left the map."""

_K = TypeVar("_K")


class Sight:
    """The cells of an observation, with costs looked up once.

    Parameters
    ----------
    observation : Observation
        One picture at rest. Its `occluded` cells are taken as unseen even if they were read.
    paired : frozenset of Cell
        Cells known to have held two ships before; there a single one is taken at its word.
    """

    def __init__(self, observation: Observation, paired: frozenset[Cell] = frozenset()) -> None:
        self._paired = paired
        hidden = observation.occluded
        self._readings = {c: r for c, r in observation.cells.items() if c not in hidden}
        self._costs: dict[tuple[Cell, CellContent], float] = {}
        empty = {cell: self.cost(cell, EMPTY) for cell in self._readings}
        self._empty_total = sum(empty.values())
        self._not_empty = frozenset(c for c, cost in empty.items() if cost > CONTRADICTION)

    def cost(self, cell: Cell, content: CellContent) -> float:
        """Return what it costs to believe that `cell` holds `content`."""
        key = (cell, content)
        found = self._costs.get(key)
        if found is None:
            reading = self._readings.get(cell)
            found = 0.0
            if reading is not None:
                found = _cell_cost(reading, content, cell not in self._paired)
            self._costs[key] = found
        return found

    def is_contradicted(self, cell: Cell, content: CellContent) -> bool:
        """Say whether the picture speaks against `content` on `cell`."""
        return self.cost(cell, content) > CONTRADICTION

    def compare(self, layout: Layout) -> tuple[float, frozenset[Cell]]:
        """Return the cost of a layout and the cells that contradict it."""
        total = self._empty_total
        wrong = []
        for cell, content in layout.cells.items():
            cost = self.cost(cell, content)
            total += cost - self.cost(cell, EMPTY)
            if cost > CONTRADICTION:
                wrong.append(cell)
        return total, self._not_empty.difference(layout.cells).union(wrong)

    def compare_change(
        self, total: float, wrong: frozenset[Cell], before: Layout, after: Layout
    ) -> tuple[float, frozenset[Cell]]:
        """Return what `compare` says of `after`, given what it said of `before`."""
        old, new = before.cells, after.cells
        changed = [(cell, content) for cell, content in new.items() if old.get(cell) != content]
        changed += [(cell, EMPTY) for cell in old if cell not in new]
        for cell, content in changed:
            cost = self.cost(cell, content)
            total += cost - self.cost(cell, old.get(cell, EMPTY))
            if (cost > CONTRADICTION) != (cell in wrong):
                wrong ^= {cell}
        return total, wrong

    def probability(self, cell: Cell, content: CellContent) -> float:
        """Return how likely the camera holds `content` on `cell`; 1 for a hidden cell."""
        reading = self._readings.get(cell)
        if reading is None:
            return 1.0
        return min(
            reading.ships.get(_seen(content.ships), 0.0),
            reading.terrain.get(_ground(content), 0.0),
            reading.cargo.get(content.cargo, 0.0) if reading.cargo else 1.0,
        )

    def best_layout_of(self, cells: frozenset[Cell]) -> dict[Cell, CellContent]:
        """Return what some cells seem to hold."""
        return {c: _best(self._readings[c]) for c in cells if c in self._readings}

    def agrees_there(self, cells: frozenset[Cell], layout: Layout) -> bool:
        """Say whether none of some cells contradicts `layout`."""
        return not any(self.is_contradicted(cell, layout.at(cell)) for cell in cells)


def _cell_cost(reading: CellReading, content: CellContent, may_be_overlooked: bool) -> float:
    wanted = _seen(content.ships)
    ships = _cost(reading.ships, wanted)
    if may_be_overlooked and len(wanted) == 2:
        alone = min(_cost(reading.ships, (ship,)) for ship in wanted)
        ships = min(ships, alone - log(OVERLOOKED))
    return ships + _cost(reading.terrain, _ground(content)) + _cost(reading.cargo, content.cargo)


def _ground(content: CellContent) -> str | None:
    """Return what a camera above tells of the ground: a ship that lies on a wreck hides it."""
    return None if content.ships and content.terrain == "wreck" else content.terrain


def _seen(ships: tuple[str, ...]) -> tuple[str, ...]:
    """Return the colours of some ships as a camera above tells them: a stack as one ship."""
    return ships if len(ships) < 2 else tuple(sorted(set(ships)))


def _cost(chances: Mapping[_K, float], wanted: _K) -> float:
    if not chances:
        return 0.0
    best = max(max(chances.values()), FLOOR)
    return log(best / max(chances.get(wanted, 0.0), FLOOR))


def _best(reading: CellReading) -> CellContent:
    ships = max(reading.ships, key=lambda s: reading.ships[s], default=())
    terrain = max(reading.terrain, key=lambda t: reading.terrain[t], default=None)
    cargo = max(reading.cargo, key=lambda c: reading.cargo[c], default=None)
    return CellContent(ships, terrain, cargo)
