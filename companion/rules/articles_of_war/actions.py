"""What captains and chance can do: frozen values, in a fixed order."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from companion.rules.deeds import Deed, Roll
from companion.rules.layout import Cell


@dataclass(frozen=True, slots=True)
class DrawCommodore(Deed):
    """Chance: the card the next seat draws (AOW-12)."""

    rank, name, by_chance = 1, "draw_commodore", True
    colour: str
    number: int


@dataclass(frozen=True, slots=True)
class PlaceFleet(Deed):
    """Put a ship on a starting hex and a second one beside it (AOW-16)."""

    rank, name = 2, "place_fleet"
    start: Cell
    second: Cell


@dataclass(frozen=True, slots=True)
class BuyThird(Deed):
    """Pay for a third ship beside the starting hex (AOW-17)."""

    rank, name = 3, "buy_third"
    cell: Cell


@dataclass(frozen=True, slots=True)
class Pass(Deed):
    """Buy no third ship (AOW-17)."""

    rank, name = 4, "pass"


@dataclass(frozen=True, slots=True)
class ChooseDensity(Deed):
    """Put this many tiles of each kind into the barrel (AOW-18)."""

    rank, name = 5, "choose_density"
    each: int


@dataclass(frozen=True, slots=True)
class DrawTile(Deed):
    """Chance: the tile drawn from the barrel (AOW-19)."""

    rank, name, by_chance = 6, "draw_tile", True
    tile: str


@dataclass(frozen=True, slots=True)
class PlaceTile(Deed):
    """Put the drawn tile on a hex (AOW-19)."""

    rank, name = 7, "place_tile"
    cell: Cell


@dataclass(frozen=True, slots=True)
class ChooseDice(Deed):
    """Take these dice for the turn (AOW-24)."""

    rank, name = 8, "choose_dice"
    sails: int
    cannons: int


@dataclass(frozen=True, slots=True)
class Sail(Deed):
    """Spend a sail die on the ship on a cell (AOW-33)."""

    rank, name = 10, "sail"
    ship: Cell
    die: int
    direction: int
    """Index in `companion.rules.hexes.DIRECTIONS`."""


@dataclass(frozen=True, slots=True)
class Fire(Deed):
    """Spend a cannonball die on the ship on a cell (AOW-45)."""

    rank, name = 11, "fire"
    ship: Cell
    die: int
    direction: int


@dataclass(frozen=True, slots=True)
class Scuttle(Deed):
    """Sink the captured ship (AOW-53 a)."""

    rank, name = 12, "scuttle"


@dataclass(frozen=True, slots=True)
class Press(Deed):
    """Press the captured ship into service, on this hex (AOW-53 b)."""

    rank, name = 13, "press"
    cell: Cell


KINDS: tuple[type[Deed], ...] = (
    DrawCommodore,
    PlaceFleet,
    BuyThird,
    Pass,
    ChooseDensity,
    DrawTile,
    PlaceTile,
    ChooseDice,
    Roll,
    Sail,
    Fire,
    Scuttle,
    Press,
)

# Frozen values are built some hundred times a turn; these keep the few thousand there are.
place_tile = cache(PlaceTile)
sail = cache(Sail)
fire = cache(Fire)
