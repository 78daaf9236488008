"""The state of a game: frozen, hashable and canonical.

Canonical means: two lines of play that leave the same table give equal states.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from companion.rules.ahoy_matey.actions import Use
from companion.rules.ahoy_matey.crew import Crew, crew_of
from companion.rules.ahoy_matey.fleets import Fleet
from companion.rules.ahoy_matey.options import Options
from companion.rules.ahoy_matey.position import Position
from companion.rules.ahoy_matey.uses import legal_uses, takers
from companion.rules.game import PlayerId
from companion.rules.layout import Cell


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


FIRST_SEAT = PlayerId(0)


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
    first: PlayerId = FIRST_SEAT
    """Who had the first turn, and so opens every round."""

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

    @cached_property
    def uses(self) -> tuple[Use, ...]:
        """The legal uses of the dice, sorted (AHM-16)."""
        return legal_uses(self.crew, self.position, self.dice)

    @cached_property
    def takers(self) -> tuple[Cell, ...]:
        """The squares of the ships that may take a treasure now, sorted (AHM-30)."""
        return takers(self.crew, self.position)

    def but(self, **changes: Any) -> State:
        """Return the state with some fields changed: `dataclasses.replace` in a fifth of the time.

        What has been worked out for this state goes along where it does not follow from a changed
        field.
        """
        new = object.__new__(State)
        known = vars(new)
        known.update(vars(self))
        for name, causes in _WORKED_OUT.items():
            if not causes.isdisjoint(changes):
                known.pop(name, None)
        known.update(changes)
        return new

    def fleets_under(self, player: PlayerId) -> tuple[Fleet, ...]:
        """Return the fleets a player commands."""
        return self.crew.commanded[player]


_CREW = frozenset({"options", "player", "ghost"})
_WORKED_OUT = {
    "crew": _CREW,
    "afloat": _CREW | {"position"},
    "takers": _CREW | {"position"},
    "uses": _CREW | {"position", "dice"},
}
"""Cached properties and the fields they follow from."""
