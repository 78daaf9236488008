"""What captains and chance can do: frozen values, in a fixed order.

A ship is named by the number of her tag, an island by its; tags of islands begin at 100. What is
done in harbour stands in `companion.rules.pirates_csg.harbour_actions`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.rules.deeds import Deed, Roll
from companion.rules.layout import Pose
from companion.rules.pirates_csg.harbour_actions import (
    BuyShip,
    BuyUpgrade,
    Convert,
    DeclareBlockade,
    Deliver,
    DiscardStock,
    Hire,
    Load,
    LoadGold,
    RaidGold,
    Trade,
    Unload,
    UnloadGold,
)
from companion.rules.plane import XY


@dataclass(frozen=True, slots=True)
class PickFleet(Deed):
    """Sail with a ready fleet."""

    rank, name = 1, "pick_fleet"
    fleet: str


@dataclass(frozen=True, slots=True)
class DoneBuying(Deed):
    """The fleet is complete; what is left is the treasury (CSG-37)."""

    rank, name = 4, "done_buying"


@dataclass(frozen=True, slots=True)
class LayOut(Deed):
    """Islands and ships are where they are to be (CSG-39, CSG-42)."""

    rank, name = 5, "lay_out"
    poses: tuple[tuple[int, Pose], ...]
    """Of every piece, by tag, sorted."""


@dataclass(frozen=True, slots=True)
class Place(Deed):
    """Put a piece where it comes to lie: a bought ship, a drifting iceberg (CSG-58, CSG-27)."""

    rank, name = 6, "place"
    ship: int
    pose: Pose


@dataclass(frozen=True, slots=True)
class Move(Deed):
    """Sail: the tag goes from corner to corner to where the ship lies then (CSG-11)."""

    rank, name = 7, "move"
    ship: int
    corners: tuple[XY, ...]
    """Where the tag was when she turned on the way."""
    pose: Pose
    tow: Pose | None = None
    """Where the derelict in tow lies then (CSG-25)."""

    def _key(self) -> tuple[Any, ...]:
        # None cannot be compared with a pose.
        return (self.rank, self.player, self.ship, self.corners, self.pose, self.tow or ())


@dataclass(frozen=True, slots=True)
class ComeAbout(Deed):
    """Turn on the spot in place of a move (CSG-13)."""

    rank, name = 8, "come_about"
    ship: int
    pose: Pose


@dataclass(frozen=True, slots=True)
class Explore(Deed):
    """Explore the island she is docked at, or a derelict she touches (CSG-15, CSG-51)."""

    rank, name = 9, "explore"
    ship: int
    target: int


@dataclass(frozen=True, slots=True)
class Shoot(Deed):
    """Aim a cannon of a ship or fort at a ship or a building (CSG-16)."""

    rank, name = 10, "shoot"
    ship: int
    cannon: int
    target: int


@dataclass(frozen=True, slots=True)
class CeaseFire(Deed):
    """Fire no more cannons with this action."""

    rank, name = 11, "cease_fire"


@dataclass(frozen=True, slots=True)
class Repair(Deed):
    """Set up a lost mast again (CSG-26, CSG-55)."""

    rank, name = 12, "repair"
    ship: int
    mast: int


@dataclass(frozen=True, slots=True)
class Ram(Deed):
    """Ram the ship that the bow touches (CSG-21)."""

    rank, name = 13, "ram"
    ship: int
    target: int


@dataclass(frozen=True, slots=True)
class Board(Deed):
    """Board a ship, settlement or colony (CSG-23, CSG-67, CSG-82)."""

    rank, name = 14, "board"
    ship: int
    target: int


@dataclass(frozen=True, slots=True)
class LoseMast(Deed):
    """Choose the mast that is lost (CSG-16)."""

    rank, name = 15, "lose_mast"
    ship: int
    mast: int


@dataclass(frozen=True, slots=True)
class TakeCoin(Deed):
    """Take a coin of this value."""

    rank, name = 16, "take_coin"
    coin: int


@dataclass(frozen=True, slots=True)
class TakeTreasure(Deed):
    """Take a unique treasure."""

    rank, name = 17, "take_treasure"
    card: str


@dataclass(frozen=True, slots=True)
class TakeToken(Deed):
    """Take tokens of one resource."""

    rank, name = 18, "take_tokens"
    resource: int
    count: int


@dataclass(frozen=True, slots=True)
class KillCrew(Deed):
    """Eliminate a member of the loser's crew."""

    rank, name = 19, "kill_crew"
    card: str


@dataclass(frozen=True, slots=True)
class TakeNoMore(Deed):
    """Leave the rest."""

    rank, name = 20, "take_no_more"


@dataclass(frozen=True, slots=True)
class RollAgain(Deed):
    """Roll the die once more: an explorer, a cannoneer."""

    rank, name = 21, "roll_again"


@dataclass(frozen=True, slots=True)
class Keep(Deed):
    """Leave the roll as it is."""

    rank, name = 22, "keep"


@dataclass(frozen=True, slots=True)
class Scuttle(Deed):
    """Remove an own derelict, or a ship for upkeep (CSG-24, CSG-50)."""

    rank, name = 23, "scuttle"
    ship: int


@dataclass(frozen=True, slots=True)
class Tow(Deed):
    """Take a derelict in tow (CSG-25)."""

    rank, name = 24, "tow"
    ship: int
    target: int


@dataclass(frozen=True, slots=True)
class CastOff(Deed):
    """Let the tow go."""

    rank, name = 25, "cast_off"
    ship: int


@dataclass(frozen=True, slots=True)
class LeaveFog(Deed):
    """Roll for where a ship comes out of the fog (CSG-27)."""

    rank, name = 43, "leave_fog"
    ship: int


@dataclass(frozen=True, slots=True)
class Unmark(Deed):
    """Take others' marks from an island, or its resource as well (CSG-54)."""

    rank, name = 36, "unmark"
    ship: int
    island: int
    clears: bool
    """The resource is forgotten, too."""


@dataclass(frozen=True, slots=True)
class TryExtra(Deed):
    """Roll for a second action (CSG-6)."""

    rank, name = 37, "try_extra"
    ship: int


@dataclass(frozen=True, slots=True)
class Idle(Deed):
    """Name the ship that gets no action for want of upkeep (CSG-50)."""

    rank, name = 38, "idle"
    ship: int


@dataclass(frozen=True, slots=True)
class DrawTreasure(Deed):
    """Chance: the treasure that lay face down (CSG-40)."""

    rank, name, by_chance = 39, "draw_treasure", True
    card: str


@dataclass(frozen=True, slots=True)
class Surrender(Deed):
    """Give up (CSG-89)."""

    rank, name = 40, "surrender"


@dataclass(frozen=True, slots=True)
class EndTurn(Deed):
    """All ships have done what they are to do."""

    rank, name = 50, "end_turn"


KINDS: tuple[type[Deed], ...] = (
    Roll,
    PickFleet,
    BuyShip,
    Hire,
    DoneBuying,
    LayOut,
    Place,
    Move,
    ComeAbout,
    Explore,
    Shoot,
    CeaseFire,
    Repair,
    Ram,
    Board,
    LoseMast,
    TakeCoin,
    TakeTreasure,
    TakeToken,
    KillCrew,
    TakeNoMore,
    RollAgain,
    Keep,
    Scuttle,
    Tow,
    CastOff,
    Load,
    Unload,
    UnloadGold,
    LoadGold,
    Convert,
    BuyUpgrade,
    Deliver,
    Trade,
    DeclareBlockade,
    DiscardStock,
    RaidGold,
    LeaveFog,
    Unmark,
    TryExtra,
    Idle,
    DrawTreasure,
    Surrender,
    EndTurn,
)
