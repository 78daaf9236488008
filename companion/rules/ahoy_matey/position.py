"""What lies where on the board, as a value that can be tried out.

Ships have no identity beyond where they are and whose; a treasure lies on a square, and what stands
there tells whether an island, a ship or a harbour has it.
"""

from __future__ import annotations

from typing import NamedTuple

from companion.rules.ahoy_matey.sea import is_harbour, is_island
from companion.rules.layout import Cell


class Stack(NamedTuple):
    """The ships on a square; they are always of one fleet."""

    cell: Cell
    fleet: str
    size: int = 1


class Treasure(NamedTuple):
    """A treasure: on an island, on the ship that shares its square, or home in a harbour."""

    place: Cell
    cursed: bool = False
    """The ship that carries it cannot move (AHM-V3)."""

    @property
    def waits(self) -> bool:
        """It lies on its island."""
        return is_island(self.place)

    @property
    def is_home(self) -> bool:
        """It has been delivered. Ships bring treasures into no other harbour than their goal."""
        return is_harbour(self.place)


class Position(NamedTuple):
    """What lies where: all that a die can change."""

    ships: tuple[Stack, ...]
    """Sorted."""
    reserve: tuple[int, ...]
    """Ships not deployed yet, by fleet."""
    treasures: tuple[Treasure, ...] = ()
    """Sorted; none before it is known where they lie."""
    wrecks: tuple[Cell, ...] = ()
    """Sorted (AHM-V9)."""
    barred: tuple[Cell, ...] = ()
    """Anchors whose ship must land anew before it may take the treasure, sorted (AHM-V1, V2)."""

    def occupied(self) -> dict[Cell, Stack]:
        """Return the stack on each square that has one."""
        return {stack.cell: stack for stack in self.ships}

    def has_treasure(self, cell: Cell) -> bool:
        """Say whether a ship on this square carries a treasure."""
        return any(t.place == cell and not t.is_home for t in self.treasures)

    def has_cursed(self, cell: Cell) -> bool:
        """Say whether the curse holds a ship on this square (AHM-V3)."""
        return any(t.place == cell and t.cursed for t in self.treasures)
