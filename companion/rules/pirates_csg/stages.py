"""The stages of a game: the named part of set-up or turn it is in, with what only matters there."""

from __future__ import annotations

from dataclasses import dataclass

from companion.rules.layout import Pose
from companion.rules.pirates_csg.deck import NOBODY


@dataclass(frozen=True, slots=True)
class Stage:
    """The named part of set-up or turn the game is in, with what only matters there."""


@dataclass(frozen=True, slots=True)
class PickingFleets(Stage):
    """Each seat in turn picks a ready fleet."""


@dataclass(frozen=True, slots=True)
class Building(Stage):
    """Each seat in turn buys ships and crew."""


@dataclass(frozen=True, slots=True)
class LayingOut(Stage):
    """Islands are laid out and ships docked at home."""


@dataclass(frozen=True, slots=True)
class RollingOrder(Stage):
    """Each seat that may still go first rolls a die (CSG-43)."""

    rolls: tuple[int, ...]
    """By seat; 0: still to roll; -1: out of it."""


@dataclass(frozen=True, slots=True)
class RollingMarket(Stage):
    """The dice of the market are rolled (CSG-44)."""


@dataclass(frozen=True, slots=True)
class OnTurn(Stage):
    """The captain on turn gives ships their actions."""


@dataclass(frozen=True, slots=True)
class Berthing(Stage):
    """A ship that was bought is put where she docks."""

    ship: int


@dataclass(frozen=True, slots=True)
class Firing(Stage):
    """A ship or fort is shooting and has cannons left."""

    ship: int
    """Tag of the ship, or of the fort's island."""
    left: tuple[int, ...]
    """Numbers of the cannons that may still fire, sorted; a gunboat's stand there twice."""


@dataclass(frozen=True, slots=True)
class RollingShot(Stage):
    """A cannon has been aimed."""

    ship: int
    cannon: int
    target: int
    left: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FiringAgain(Stage):
    """A shot has missed and a cannoneer may fire it again."""

    ship: int
    cannon: int
    target: int
    left: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LosingMast(Stage):
    """A ship's captain chooses which mast goes (CSG-16)."""

    ship: int
    then: Stage
    count: int = 1
    """Masts that are still to be lost."""


@dataclass(frozen=True, slots=True)
class RollingRam(Stage):
    """A ship has rammed another (CSG-21)."""

    ship: int
    target: int


@dataclass(frozen=True, slots=True)
class RollingBoard(Stage):
    """A boarding: first the attacker rolls, then the defender (CSG-23)."""

    ship: int
    target: int
    attack: int = 0
    """What the attacker has rolled; 0 before that."""


@dataclass(frozen=True, slots=True)
class Looting(Stage):
    """The winner of a boarding takes gold or crew, and tokens (CSG-80)."""

    winner: int
    loser: int
    prize: bool
    """A treasure or a crew may still be taken."""
    tokens: int
    """Tokens that may still be taken."""


@dataclass(frozen=True, slots=True)
class Retreating(Stage):
    """A ship that lost against a settlement moves away S (CSG-67)."""

    ship: int


@dataclass(frozen=True, slots=True)
class RollingResource(Stage):
    """An island is explored for the first time (CSG-51)."""

    ship: int
    is_second: bool = False
    """The first roll has been taken back."""


@dataclass(frozen=True, slots=True)
class KeepingResource(Stage):
    """An explorer may roll again (CSG-78)."""

    ship: int
    resource: int


@dataclass(frozen=True, slots=True)
class DrawingTreasure(Stage):
    """A treasure that lay face down is turned over."""

    ship: int


@dataclass(frozen=True, slots=True)
class Loading(Stage):
    """A ship that explored an island or a derelict loads what she likes."""

    ship: int
    source: int
    """Tag of the island or the derelict."""
    yield_left: int
    """Tokens that the island still yields."""


@dataclass(frozen=True, slots=True)
class RollingExtra(Stage):
    """A ship rolls for a second action."""

    ship: int


@dataclass(frozen=True, slots=True)
class Defaulting(Stage):
    """Upkeep cannot be paid: ships are named (CSG-50)."""

    missing: int
    """Gold that is still missing."""


@dataclass(frozen=True, slots=True)
class RollingTerrain(Stage):
    """A ship has met terrain that rolls a die."""

    ship: int
    terrain: int


@dataclass(frozen=True, slots=True)
class RollingExit(Stage):
    """A ship leaves the fog by one of six exits."""

    ship: int


@dataclass(frozen=True, slots=True)
class RollingDrift(Stage):
    """Icebergs drift at the end of a round, one after the other."""

    left: tuple[int, ...]
    """Tags of those that still drift."""


@dataclass(frozen=True, slots=True)
class Setting(Stage):
    """A drifting iceberg, or a ship that a whirlpool throws out, is put where it comes to lie."""

    piece: int
    """Its tag."""
    pose: Pose
    """Where it is to be put."""
    left: tuple[int, ...] = ()
    """Tags of the icebergs that drift after it."""


@dataclass(frozen=True, slots=True)
class Finished(Stage):
    """The game is over."""

    rule: str
    """The victory condition that ended it."""
    winner: int = NOBODY
    """Who won by it; -1: gold decides."""
