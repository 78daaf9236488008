"""What captains and chance can do: frozen values, in a fixed order."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from companion.rules.deeds import Deed, Roll
from companion.rules.layout import Cell


@dataclass(frozen=True, slots=True)
class PickVariant(Deed):
    """Play with this variant too (AHM-V19)."""

    rank, name = 1, "pick_variant"
    variant: str


@dataclass(frozen=True, slots=True)
class LeaveVariant(Deed):
    """Play without this variant (AHM-V19)."""

    rank, name = 2, "leave_variant"
    variant: str


@dataclass(frozen=True, slots=True)
class TossCoin(Deed):
    """Chance: the board, 1 or 2, whose island the coin gives the treasure (AHM-V15)."""

    rank, name, by_chance = 3, "toss_coin", True
    board: int


@dataclass(frozen=True, slots=True)
class SetPair(Deed):
    """Turn the two nulls of a freak squall to these faces, the lower first (AHM-V10)."""

    rank, name = 4, "set_pair"
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Deploy(Deed):
    """Spend a null on a ship in reserve: it goes on the ace of its fleet (AHM-17)."""

    rank, name = 5, "deploy"
    fleet: str


@dataclass(frozen=True, slots=True)
class LieTo(Deed):
    """Spend a null on moving a ship no square at all (AHM-18)."""

    rank, name = 6, "lie_to"


@dataclass(frozen=True, slots=True)
class Run(Deed):
    """Spend a die on a straight run of ships from a square (AHM-21)."""

    rank, name = 7, "run"
    start: Cell
    die: int
    course: int
    """Index in `companion.rules.ahoy_matey.sea.COURSE_NAMES`."""
    ships: int = 1
    """How many of a stack."""
    treasure: bool = False
    """Whether the treasure goes with them."""


@dataclass(frozen=True, slots=True)
class Take(Deed):
    """Take the treasure onto the ship at an anchor, or dig for it (AHM-30)."""

    rank, name = 8, "take"
    ship: Cell


@dataclass(frozen=True, slots=True)
class Done(Deed):
    """End the turn without taking the treasure (AHM-30), or roll again (AHM-V10)."""

    rank, name = 9, "done"


@dataclass(frozen=True, slots=True)
class GiveUp(Deed):
    """Lose this one of the ships that are equally far from home (AHM-V8)."""

    rank, name = 10, "give_up"
    ship: Cell


@dataclass(frozen=True, slots=True)
class WalkThePlank(Deed):
    """The table makes a player forfeit a turn (AHM-46)."""

    rank, name = 11, "walk_the_plank"


KINDS: tuple[type[Deed], ...] = (
    PickVariant,
    LeaveVariant,
    TossCoin,
    Roll,
    SetPair,
    Deploy,
    LieTo,
    Run,
    Take,
    Done,
    GiveUp,
    WalkThePlank,
)

Use = Deploy | LieTo | Run
"""What a die is spent on."""

# Frozen values are built some hundred times a turn; this keeps the few thousand there are.
run = cache(Run)
