"""The state of a game: frozen, hashable and canonical.

Canonical means: two lines of play that leave the same table give equal states. So ships have no
identity beyond where they are and whose; a treasure lies on a square, and what stands there tells
whether an island, a ship or a harbour has it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from companion.rules.ahoy_matey.crew import Crew, crew_of
from companion.rules.ahoy_matey.fleets import Fleet
from companion.rules.ahoy_matey.options import Options
from companion.rules.ahoy_matey.sea import is_harbour, is_island
from companion.rules.game import PlayerId
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


@dataclass(frozen=True, slots=True)
class Stage:
    """The named part of set-up or turn the game is in, with what only matters there."""


@dataclass(frozen=True, slots=True)
class RollingForFirst(Stage):
    """One player after the other rolls a die for the first turn (AHM-14)."""

    contenders: tuple[PlayerId, ...]
    """Everybody, later those who tied."""
    faces: tuple[int, ...] = ()
    """What the first of them have rolled."""


@dataclass(frozen=True, slots=True)
class Bargaining(Stage):
    """The high roller picks variants, one offer after the other (AHM-V19)."""

    offer: str


@dataclass(frozen=True, slots=True)
class Tossing(Stage):
    """A coin is tossed for the island that has the treasure (AHM-V15)."""


@dataclass(frozen=True, slots=True)
class Rolling(Stage):
    """The player on turn rolls the dice."""


@dataclass(frozen=True, slots=True)
class SettingPair(Stage):
    """The player on turn may turn two nulls to any faces (AHM-V10)."""


@dataclass(frozen=True, slots=True)
class Sailing(Stage):
    """The player on turn uses the dice in `State.dice` and may take the treasure."""


@dataclass(frozen=True, slots=True)
class Digging(Stage):
    """A die decides whether the ship on a square finds the treasure (AHM-V2)."""

    ship: Cell


@dataclass(frozen=True, slots=True)
class Cursing(Stage):
    """A die decides whether the ship that has taken the treasure is cursed (AHM-V3)."""

    ship: Cell
    worse: bool
    """An ace curses as well as a null: the treasure came from another ship."""


@dataclass(frozen=True, slots=True)
class Charting(Stage):
    """A die decides which island has the treasure (AHM-V17)."""

    board: int
    """The board (0-based) whose anchor was reached first."""


@dataclass(frozen=True, slots=True)
class GivingUp(Stage):
    """The player on turn chooses which of the furthest ships the hurricane sinks (AHM-V8)."""


@dataclass(frozen=True, slots=True)
class Finished(Stage):
    """The game is over."""

    how: str
    """``"delivery"``, ``"last_afloat"``, ``"hurricane"`` or ``"turn_cap"``."""
    winners: tuple[PlayerId, ...]
    """Sorted; nobody in a draw."""


@dataclass(frozen=True)
class State:
    """Everything the rules need to go on."""

    names: tuple[str, ...]
    """Players by seat."""
    options: Options
    stage: Stage
    position: Position
    captured: tuple[int, ...]
    """Ships captured from others, by seat."""
    penalties: tuple[int, ...]
    """Turns still to be forfeited, by seat (AHM-46)."""
    player: PlayerId
    """On turn."""
    dice: tuple[int, ...] = ()
    """Rolled dice waiting to be used, sorted."""
    rolls_again: bool = False
    """The turn goes on with another roll once these dice are used (AHM-V10)."""
    ghost: PlayerId | None = None
    """Who commands the Ghost Fleet (AHM-V13)."""
    extra_turns: int = 0
    """Turns the Ghost Fleet still has before the others go on."""
    resume_after: PlayerId | None = None
    """Whose turn the Ghost Fleet's turns follow."""
    turns: int = 0
    """Turns begun, forfeited ones included; 0 during the set-up."""
    round: int = 0
    """One go of every captain; 0 during the set-up."""

    @cached_property
    def crew(self) -> Crew:
        """What the player on turn commands."""
        return crew_of(self.options, len(self.names), self.ghost, self.player)

    @property
    def fleets(self) -> tuple[Fleet, ...]:
        """Every fleet, clockwise; its index is that of its reserve."""
        return self.crew.fleets

    @cached_property
    def afloat(self) -> tuple[int, ...]:
        """Ships a player has on the board and in reserve, by seat."""
        counts = [0] * len(self.names)
        owners = self.crew.owners
        for fleet, reserve in zip(self.fleets, self.position.reserve, strict=True):
            counts[fleet.player] += reserve
        for stack in self.position.ships:
            counts[owners[stack.fleet]] += stack.size
        return tuple(counts)

    def fleets_under(self, player: PlayerId) -> tuple[Fleet, ...]:
        """Return the fleets a player commands."""
        return self.crew.commanded[player]


def less(dice: tuple[int, ...], die: int) -> tuple[int, ...]:
    """Return the dice without one that shows this face."""
    at = dice.index(die)
    return dice[:at] + dice[at + 1 :]
