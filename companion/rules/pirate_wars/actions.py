"""What captains and chance can do: frozen values, in a fixed order."""

from __future__ import annotations

from dataclasses import dataclass

from companion.rules.deeds import Deed, Roll
from companion.rules.layout import Pose
from companion.rules.pirate_wars.built.figures import Groups


@dataclass(frozen=True, slots=True)
class ChooseShip(Deed):
    """Command a ship of this design."""

    rank, name = 1, "choose_ship"
    design: str


@dataclass(frozen=True, slots=True)
class ShipDeed(Deed):
    """Base of what is done with a ship, told by its number."""

    ship: int


@dataclass(frozen=True, slots=True)
class PlaceShip(ShipDeed):
    """Put a ship on the table before the battle."""

    rank, name = 2, "place_ship"
    pose: Pose


@dataclass(frozen=True, slots=True)
class Sail(ShipDeed):
    """Move a ship: poses where it turned or stopped, each after one or more leaps (PWR-43).

    A path that does not use up the speed leaves the ship under way; another goes on from there.
    """

    rank, name = 3, "sail"
    path: tuple[Pose, ...]


@dataclass(frozen=True, slots=True)
class Drift(ShipDeed):
    """Let a ship drift with the wind; a ship lashed to it goes along (PWR-42, PWR-53)."""

    rank, name = 4, "drift"
    pose: Pose


@dataclass(frozen=True, slots=True)
class FallOff(ShipDeed):
    """Turn a ship with the wind after all have moved (PWR-46)."""

    rank, name = 5, "fall_off"
    pose: Pose


@dataclass(frozen=True, slots=True)
class Board(ShipDeed):
    """Declare a boarding (PWR-52)."""

    rank, name = 6, "board"
    target: int


@dataclass(frozen=True, slots=True)
class FireGun(ShipDeed):
    """Declare that a cannon or a deck gun fires (PWR-67)."""

    rank, name = 7, "fire_gun"
    gun: int
    ammo: str
    """``"ball"`` or ``"shot"``; ``"gun"`` for a deck gun."""
    target: int
    station: str
    """Where the figures stand that a deck gun is fired at; empty for cannons."""


@dataclass(frozen=True, slots=True)
class Shoot(ShipDeed):
    """Declare that figures fire muskets or pistols at figures (PWR-75)."""

    rank, name = 8, "shoot"
    figure: str
    weapon: str
    count: int
    target: int
    station: str
    start: str = ""
    """Where they stand themselves; told in a fortress, elsewhere empty: anybody aboard."""


@dataclass(frozen=True, slots=True)
class LoadGun(ShipDeed):
    """Load a cannon with two figures or one, a deck gun with one (PWR-80)."""

    rank, name = 9, "load_gun"
    gun: int
    hands: int


@dataclass(frozen=True, slots=True)
class LoadArms(ShipDeed):
    """Load muskets or pistols (PWR-80)."""

    rank, name = 10, "load_arms"
    figure: str
    count: int


@dataclass(frozen=True, slots=True)
class ShiftGun(ShipDeed):
    """Move a cannon to the other side; two figures (PWR-79)."""

    rank, name = 11, "shift_gun"
    gun: int


@dataclass(frozen=True, slots=True)
class Post(ShipDeed):
    """Send figures to another station (PWR-78), or place of a fortress (PWR-123)."""

    rank, name = 12, "post"
    figure: str
    start: str
    station: str
    count: int


@dataclass(frozen=True, slots=True)
class SetSails(ShipDeed):
    """Say how many sail factors to carry (PWR-31)."""

    rank, name = 13, "set_sails"
    sails: int


@dataclass(frozen=True, slots=True)
class ResetSails(ShipDeed):
    """Task two figures for each lost sail factor that is to be opened again (PWR-82)."""

    rank, name = 25, "reset_sails"
    sails: int


@dataclass(frozen=True, slots=True)
class Swim(Deed):
    """Let figures in the water swim to a ship, or climb aboard (PWR-78)."""

    rank, name = 14, "swim"
    shoal: int
    ship: int


@dataclass(frozen=True, slots=True)
class Scuttle(ShipDeed):
    """The Captain fires into the powder at the end of the phase (PWR-76)."""

    rank, name = 15, "scuttle"


@dataclass(frozen=True, slots=True)
class Done(Deed):
    """Nothing more in this phase."""

    rank, name = 16, "done"


@dataclass(frozen=True, slots=True)
class Lose(ShipDeed):
    """Say which figures fall."""

    rank, name = 17, "lose"
    figure: str
    station: str
    count: int


@dataclass(frozen=True, slots=True)
class HoldBack(ShipDeed):
    """Keep figures out of a boarding (PWR-59)."""

    rank, name = 18, "hold_back"
    figure: str
    station: str
    count: int


@dataclass(frozen=True, slots=True)
class Commit(Deed):
    """Everyone who is not held back joins the boarding."""

    rank, name = 19, "commit"


@dataclass(frozen=True, slots=True)
class Press(Deed):
    """Go on with the boarding."""

    rank, name = 20, "press"


@dataclass(frozen=True, slots=True)
class CastOff(Deed):
    """Break the boarding off: the ships are free of each other."""

    rank, name = 21, "cast_off"


@dataclass(frozen=True, slots=True)
class Surrender(Deed):
    """Give up the ship."""

    rank, name = 22, "surrender"


@dataclass(frozen=True, slots=True)
class ManPrize(Deed):
    """Send a prize crew with so many hands beyond the least (PWR-96, PWR-97)."""

    rank, name = 23, "man_prize"
    more: int


@dataclass(frozen=True, slots=True)
class LeavePrize(Deed):
    """Leave the captured ship without a crew."""

    rank, name = 24, "leave_prize"


@dataclass(frozen=True, slots=True)
class StrikeSail(ShipDeed):
    """Strike the square sail to tack, or set it again; two sailors (PWR-117)."""

    rank, name = 26, "strike_sail"


@dataclass(frozen=True, slots=True)
class Haul(ShipDeed):
    """Carry loot to a ship alongside: chests, or a cannon (PWR-130)."""

    rank, name = 27, "haul"
    target: int
    gun: int
    """Number of the cannon; -1: chests and barrels, -2: a cannon that is stowed."""
    count: int
    """Chests and barrels; 1 for a cannon."""


@dataclass(frozen=True, slots=True)
class Lower(ShipDeed):
    """Lower a launch with some figures and chests, or get into a boat (PWR-114, PWR-133)."""

    rank, name = 28, "lower"
    figures: Groups
    """Kinds and how many, sorted."""
    chests: int


@dataclass(frozen=True, slots=True)
class Disembark(ShipDeed):
    """Set figures and chests ashore from a launch (PWR-114)."""

    rank, name = 29, "disembark"
    figures: Groups
    chests: int


@dataclass(frozen=True, slots=True)
class Cross(ShipDeed):
    """Let figures cross over with chests: into a launch, back to the ship, ashore (PWR-114)."""

    rank, name = 30, "cross"
    target: int
    figures: Groups
    chests: int


@dataclass(frozen=True, slots=True)
class Climb(ShipDeed):
    """Let a landing party climb the wall of a fortress (PWR-120)."""

    rank, name = 32, "climb"
    target: int


@dataclass(frozen=True, slots=True)
class Enter(ShipDeed):
    """Let a landing party go into a fortress, or on to another place of it (PWR-121, PWR-124)."""

    rank, name = 33, "enter"
    target: int
    station: str


@dataclass(frozen=True, slots=True)
class TakeCover(ShipDeed):
    """Let a landing party hide behind its chests and barrels (PWR-126)."""

    rank, name = 34, "take_cover"


@dataclass(frozen=True, slots=True)
class Fall(ShipDeed):
    """A figure was knocked over ashore, off a building, or off a ship (PWR-57, PWR-125)."""

    rank, name = 35, "fall"
    figure: str
    station: str
    how: str
    """``"over"``, ``"down"`` or ``"water"``."""


@dataclass(frozen=True, slots=True)
class Raid(ShipDeed):
    """Rob the idol of natives who hide (PWR-136)."""

    rank, name = 31, "raid"
    target: int


KINDS: tuple[type[Deed], ...] = (
    Roll,
    ChooseShip,
    PlaceShip,
    Sail,
    Drift,
    FallOff,
    Board,
    FireGun,
    Shoot,
    LoadGun,
    LoadArms,
    ShiftGun,
    Post,
    SetSails,
    ResetSails,
    Swim,
    Scuttle,
    Done,
    Lose,
    HoldBack,
    Commit,
    Press,
    CastOff,
    Surrender,
    ManPrize,
    LeavePrize,
    StrikeSail,
    Haul,
    Lower,
    Disembark,
    Cross,
    Raid,
    Climb,
    Enter,
    TakeCover,
    Fall,
)
