"""What captains and chance can do: frozen values, in a fixed order."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from companion.rules.deeds import Deed, Roll
from companion.rules.layout import Cell, Die


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
    """Let it be: no third ship, no grudge ship, no gambit now (AOW-17, AOW-64, AOW-83)."""

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

    @property
    def length(self) -> int:
        """Hexes it sails."""
        return self.die


@dataclass(frozen=True, slots=True)
class Fire(Deed):
    """Spend a cannonball die on the ship on a cell (AOW-45)."""

    rank, name = 11, "fire"
    ship: Cell
    die: int
    direction: int

    @property
    def length(self) -> int:
        """Hexes it flies."""
        return self.die


@dataclass(frozen=True, slots=True)
class Scuttle(Deed):
    """Sink the captured ship (AOW-53 a)."""

    rank, name = 12, "scuttle"


@dataclass(frozen=True, slots=True)
class Press(Deed):
    """Press the captured ship into service, on this hex (AOW-53 b)."""

    rank, name = 13, "press"
    cell: Cell


@dataclass(frozen=True, slots=True)
class SailByGambit(Sail):
    """Spend a sail die as if it showed more or less (AOW-64)."""

    rank, name = 14, "sail_by_gambit"
    by: int

    @property
    def length(self) -> int:
        """Hexes it sails."""
        return self.die + self.by


@dataclass(frozen=True, slots=True)
class FireByGambit(Fire):
    """Spend a cannonball die as if it showed more or less (AOW-64)."""

    rank, name = 15, "fire_by_gambit"
    by: int

    @property
    def length(self) -> int:
        """Hexes it flies."""
        return self.die + self.by


@dataclass(frozen=True, slots=True)
class RollAgain(Deed):
    """Take a rolled die up to roll it again (AOW-64)."""

    rank, name = 16, "roll_again"
    rolled: Die


@dataclass(frozen=True, slots=True)
class PlayGambit(Deed):
    """Play the gambit of a fleet (AOW-64)."""

    rank, name = 17, "play_gambit"
    colour: str


@dataclass(frozen=True, slots=True)
class Relaunch(Deed):
    """Play the gambit that puts a new ship on a hex at the edge for a lost one (AOW-64)."""

    rank, name = 18, "relaunch"
    cell: Cell


@dataclass(frozen=True, slots=True)
class TurnCard(Deed):
    """The table has carried a gambit out itself: turn its card over (AOW-64)."""

    rank, name = 19, "turn_card"
    colour: str


@dataclass(frozen=True, slots=True)
class AddThird(Deed):
    """Give one of two fleets its third ship (AOW-71)."""

    rank, name = 20, "add_third"
    colour: str
    cell: Cell


@dataclass(frozen=True, slots=True)
class PlaceGrudge(Deed):
    """Come back with a grudge ship on a hex at the edge (AOW-83)."""

    rank, name = 21, "place_grudge"
    cell: Cell


@dataclass(frozen=True, slots=True)
class Drift(Deed):
    """Move all ships downwind (AOW-81)."""

    rank, name = 22, "drift"


@dataclass(frozen=True, slots=True)
class YieldToStorm(Deed):
    """Take the ships that the storm has caught out of the ocean (AOW-85)."""

    rank, name = 23, "yield_to_storm"


@dataclass(frozen=True, slots=True)
class ClearOcean(Deed):
    """Clear the ocean and anchor the merchant for the next battle (AOW-76)."""

    rank, name = 24, "clear_ocean"


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
    SailByGambit,
    FireByGambit,
    RollAgain,
    PlayGambit,
    Relaunch,
    TurnCard,
    AddThird,
    PlaceGrudge,
    Drift,
    YieldToStorm,
    ClearOcean,
)

# Frozen values are built some hundred times a turn; these keep the few thousand there are.
place_tile = cache(PlaceTile)
choose_dice = cache(ChooseDice)
sail = cache(Sail)
fire = cache(Fire)
