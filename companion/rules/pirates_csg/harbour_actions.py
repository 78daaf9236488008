"""What captains can do in harbour: buy and hire, load and trade, build, blockade and raid."""

from __future__ import annotations

from dataclasses import dataclass

from companion.rules.deeds import Deed


@dataclass(frozen=True, slots=True)
class BuyShip(Deed):
    """Buy a ship at home, in a military port, or hire a privateer in a trading port (CSG-58)."""

    rank, name = 2, "buy_ship"
    card: str
    island: int


@dataclass(frozen=True, slots=True)
class Hire(Deed):
    """Hire a crew for a ship (CSG-4, CSG-58, CSG-59)."""

    rank, name = 3, "hire"
    ship: int
    card: str


@dataclass(frozen=True, slots=True)
class Load(Deed):
    """Load tokens that lie on the island she is docked at."""

    rank, name = 26, "load"
    ship: int
    resource: int
    count: int


@dataclass(frozen=True, slots=True)
class Unload(Deed):
    """Unload tokens at home or at an own fort (CSG-56, CSG-62)."""

    rank, name = 27, "unload"
    ship: int
    resource: int
    count: int


@dataclass(frozen=True, slots=True)
class UnloadGold(Deed):
    """Unload all coins and treasures at home, or coins at an own fort (CSG-56, CSG-28)."""

    rank, name = 28, "unload_gold"
    ship: int


@dataclass(frozen=True, slots=True)
class LoadGold(Deed):
    """Load a coin that lies at an own building (CSG-28)."""

    rank, name = 42, "load_gold"
    ship: int
    coin: int


@dataclass(frozen=True, slots=True)
class Convert(Deed):
    """Change stored tokens for gold at today's price (CSG-56, CSG-57)."""

    rank, name = 29, "convert"
    resource: int
    count: int


@dataclass(frozen=True, slots=True)
class BuyUpgrade(Deed):
    """Buy an island upgrade and load its token (CSG-60)."""

    rank, name = 30, "buy_upgrade"
    ship: int
    upgrade: str


@dataclass(frozen=True, slots=True)
class Deliver(Deed):
    """Unload an upgrade where it is to be built (CSG-60)."""

    rank, name = 31, "deliver"
    ship: int
    upgrade: str


@dataclass(frozen=True, slots=True)
class Trade(Deed):
    """Swap two tokens for another in a trading port, with a fee for its owner (CSG-68, CSG-69)."""

    rank, name = 32, "trade"
    ship: int
    give: tuple[int, ...]
    """The two tokens given and, in a foreign port, the fee as a third; the two sorted."""
    get: int


@dataclass(frozen=True, slots=True)
class DeclareBlockade(Deed):
    """Declare hostilities in an enemy's trading port (CSG-81)."""

    rank, name = 33, "declare_blockade"
    ship: int


@dataclass(frozen=True, slots=True)
class DiscardStock(Deed):
    """Throw what lies in a blockaded port out of the game, as an explore action (CSG-81)."""

    rank, name = 34, "discard_stock"
    ship: int


@dataclass(frozen=True, slots=True)
class RaidGold(Deed):
    """Take the gold a raider may take from an enemy's home (CSG-84)."""

    rank, name = 35, "raid_gold"
    ship: int
