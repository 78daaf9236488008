"""How well a layout agrees with the board of one observation, as a cost in nats.

The cost of a cell is ``log(p_best / p_expected)``: 0 when the camera's best guess is what the rules
expect there, about 7 when it saw something else without doubt. Hidden cells cost nothing.
The cost of a piece on an open table grows with its distance from where it should stand; a piece
whose tag is not seen costs nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from math import log, prod
from typing import TypeVar

from companion.rules.layout import (
    EMPTY,
    Cell,
    CellContent,
    Die,
    Layout,
    Placed,
    Pose,
    Spot,
    make_layout,
)
from companion.rules.plane import distance, place, turn_deg
from companion.table.observation import CellReading, Observation, Ships

FLOOR = 1e-3
"""Probability left to what the camera calls impossible: cameras err."""
CONTRADICTION = 1.6
"""A cell contradicts a layout when what it should hold is five times less likely than the best."""
OVERLOOKED = 0.25
"""Chance left to a second ship newly on a cell where one is seen: two hulls that touch look like
one, and a ship that boards must not pass for one that left the map. Where no ship ever leaves the
board (ports full of ships) it is left to any group that is partly seen."""
TWICE = 0.05
"""Least chance left to a ship of which there is one, where it is seen in two places. What is seen
beyond doubt in both contradicts whatever the table should be."""

NUDGE_MM = 6.0
"""A piece farther from where it should stand was moved; less may be a sleeve, or measured badly."""
NUDGE_DEG = 8.0
"""The same for its heading."""

_K = TypeVar("_K")


@dataclass(frozen=True, slots=True)
class Fleet:
    """The ships of a game."""

    colours: frozenset[str]
    stays: bool
    """There is one of each, on the board for good: what looks like another, or like one that lies
    elsewhere, is none, and of several on one cell those not seen are hidden by the others. Else
    what looks like another is one of these, its sign hidden by what it carries."""


class Sight:
    """The cells and tags of an observation, with costs looked up once.

    Parameters
    ----------
    observation : Observation
        One picture at rest. Its `occluded` cells are taken as unseen even if they were read.
    paired : frozenset of Cell
        Cells known to have held two ships before; there a single one is taken at its word.
    placeable : frozenset of int
        Tags that stand where a piece could have been put on the table since.
    fleet : Fleet, optional
        The ships that may lie there (`Outlook.fleet`).
    """

    def __init__(
        self,
        observation: Observation,
        paired: frozenset[Cell] = frozenset(),
        placeable: frozenset[int] = frozenset(),
        fleet: Fleet | None = None,
    ) -> None:
        self._stays = fleet is not None and fleet.stays
        self._paired = paired
        self._placeable = placeable
        hidden = observation.occluded
        seen = {c: r for c, r in observation.cells.items() if c not in hidden}
        if fleet is not None:
            seen = {c: _of(fleet, r) for c, r in seen.items()}
        self._readings = _each_once(seen) if self._stays else seen
        self._costs: dict[tuple[Cell, CellContent], float] = {}
        self.poses = {tag: reading.pose for tag, reading in observation.tags.items()}
        """Where the tags seen stand."""
        empty = {cell: self.cost(cell, EMPTY) for cell in self._readings}
        self._empty_total = sum(empty.values())
        self._doubtful = frozenset(c for c, cost in empty.items() if cost > CONTRADICTION)

    def cost(self, cell: Cell, content: CellContent) -> float:
        """Return what it costs to believe that `cell` holds `content`."""
        key = (cell, content)
        found = self._costs.get(key)
        if found is None:
            reading = self._readings.get(cell)
            found = 0.0
            if reading is not None:
                most = 1 if cell not in self._paired else 0
                most = len(content.ships) if self._stays else most
                found = _cell_cost(reading, content, most)
            self._costs[key] = found
        return found

    def piece_cost(self, tag: int, piece: Placed | None) -> float:
        """Return what it costs to believe that a piece stands there (or, ``None``, nowhere).

        Other tags than those of pieces in the game may lie about; they mean nothing.
        """
        seen = self.poses.get(tag)
        if piece is None:
            return -log(FLOOR) if tag in self._placeable else 0.0
        if seen is None:
            return 0.0
        moved_mm, turned_deg = _apart(seen, piece.pose)
        return min(
            CONTRADICTION * max(moved_mm / NUDGE_MM, turned_deg / NUDGE_DEG) ** 2, -log(FLOOR)
        )

    def compare(self, layout: Layout) -> tuple[float, frozenset[Spot]]:
        """Return the cost of a layout and the cells and pieces that contradict it."""
        total = self._empty_total
        wrong: set[Spot] = set(self._doubtful.difference(layout.cells))
        for cell, content in layout.cells.items():
            cost = self.cost(cell, content)
            total += cost - self.cost(cell, EMPTY)
            if cost > CONTRADICTION:
                wrong.add(cell)
        for tag in layout.pieces.keys() | self._placeable:
            cost = self.piece_cost(tag, layout.pieces.get(tag))
            total += cost
            if cost > CONTRADICTION:
                wrong.add(tag)
        return total, frozenset(wrong)

    def compare_change(
        self, total: float, wrong: frozenset[Spot], before: Layout, after: Layout
    ) -> tuple[float, frozenset[Spot]]:
        """Return what `compare` says of `after`, given what it said of `before`."""
        for spot in before.changed(after):
            old, cost = self._cost_in(before, spot), self._cost_in(after, spot)
            total += cost - old
            if (cost > CONTRADICTION) != (spot in wrong):
                wrong ^= {spot}
        return total, wrong

    def _cost_in(self, layout: Layout, spot: Spot) -> float:
        if isinstance(spot, int):
            return self.piece_cost(spot, layout.pieces.get(spot))
        return self.cost(spot, layout.at(spot))

    def seen(self, expected: Layout, wrong: frozenset[Spot], dice: tuple[Die, ...]) -> Layout:
        """Return the table as it is seen: as expected but for what contradicts, and these dice."""
        cells = {c: self._readings[c].best for c in wrong if c in self._readings}
        pieces = {
            tag: replace(piece, pose=self.poses.get(tag, piece.pose)) if tag in wrong else piece
            for tag, piece in expected.pieces.items()
        }
        return make_layout({**expected.cells, **cells}, dice, pieces)

    def agrees_there(self, spots: frozenset[Spot], layout: Layout) -> bool:
        """Say whether none of some cells and pieces contradicts `layout`."""
        return all(self._cost_in(layout, spot) <= CONTRADICTION for spot in spots)


def same_table(one: Layout, other: Layout) -> bool:
    """Say whether two tables are the same to a camera: pieces may be nudged, nothing else."""
    if (one.cells, one.dice, one.pieces.keys()) != (other.cells, other.dice, other.pieces.keys()):
        return False
    for tag, piece in one.pieces.items():
        if not is_nudge(piece.pose, other.pieces[tag].pose):
            return False
        if replace(piece, pose=other.pieces[tag].pose) != other.pieces[tag]:
            return False
    return True


def is_nudge(one: Pose, other: Pose) -> bool:
    """Say whether a piece in one pose stands where it should by the other."""
    moved_mm, turned_deg = _apart(one, other)
    return moved_mm <= NUDGE_MM and turned_deg <= NUDGE_DEG


def _apart(one: Pose, other: Pose) -> tuple[float, float]:
    """Return how far apart two poses are, in millimetres and degrees."""
    return distance(place(one), place(other)), abs(turn_deg(one.heading_deg, other.heading_deg))


def _cell_cost(reading: CellReading, content: CellContent, most_overlooked: int) -> float:
    wanted = _seen(content.ships)
    ships = _cost(reading.ships, wanted)
    for left in range(max(len(wanted) - most_overlooked, 1), len(wanted)):
        some = min(_cost(reading.ships, group) for group in combinations(wanted, left))
        ships = min(ships, some - log(OVERLOOKED))
    return ships + _cost(reading.terrain, _ground(content)) + _cost(reading.cargo, content.cargo)


def _of(fleet: Fleet, reading: CellReading) -> CellReading:
    """Return a reading without the ships that are not in the game."""
    if all(fleet.colours.issuperset(group) for group in reading.ships):
        return reading
    if not fleet.stays:
        return _one_of(fleet.colours, reading)
    chances: dict[Ships, float] = {}
    for group, p in reading.ships.items():
        known = tuple(ship for ship in group if ship in fleet.colours)
        chances[known] = chances.get(known, 0.0) + p
    return replace(reading, ships=chances)


def _each_once(readings: Mapping[Cell, CellReading]) -> dict[Cell, CellReading]:
    """Return readings in which a ship that lies on one cell does not lie on another."""
    places: dict[str, dict[Cell, float]] = {}
    for cell, reading in readings.items():
        for group, p in reading.ships.items():
            for ship in group if p > FLOOR else ():
                there = places.setdefault(ship, {})
                there[cell] = min(there.get(cell, 0.0) + p, 1.0)
    known = dict(readings)
    for cell in {cell for there in places.values() if len(there) > 1 for cell in there}:
        ships = {
            group: p * prod(_not_elsewhere(places.get(ship, {}), cell) for ship in group)
            for group, p in readings[cell].ships.items()
        }
        known[cell] = replace(readings[cell], ships=ships)
    return known


def _not_elsewhere(places: Mapping[Cell, float], cell: Cell) -> float:
    """Return how likely a ship is on none of its likely places but `cell`."""
    return max(prod(1.0 - p for other, p in places.items() if other != cell), TWICE)


def _one_of(colours: frozenset[str], reading: CellReading) -> CellReading:
    """Return a reading in which every ship has one of these colours."""
    known = {group: p for group, p in reading.ships.items() if colours.issuperset(group)}
    none = known.get((), 0.0)
    ships = sum(known.values()) - none
    more = (sum(reading.ships.values()) - none) / ships if ships else 0.0
    return replace(reading, ships={g: p * more if g else p for g, p in known.items()})


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
