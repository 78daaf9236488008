"""Ships and figures in the water, as they stand in a battle.

Every hull and sail factor a ship has lost lies above those that are left (PWR-86, PWR-89), so two
numbers say which rows of its damage chart are open.
"""

from __future__ import annotations

from typing import NamedTuple

from companion.rules.game import PlayerId
from companion.rules.layout import Pose
from companion.rules.pirate_wars.built.figures import Groups
from companion.rules.pirate_wars.crew import CLIMBING, Crew, crew_size

FLEET_COLOURS = ("red", "blue", "yellow", "green")
"""By seat."""
NOWHERE = Pose(0.0, 0.0, 0.0)
"""Where a ship is before it is placed, and once it is out of the battle."""

AFLOAT, SINKING, SUNK, GONE, AGROUND = "afloat", "sinking", "sunk", "gone", "aground"
FATES = (AFLOAT, SINKING, SUNK, GONE, AGROUND)
"""``"gone"``: it has left the battle, over the edge or out of range; ``"aground"``: it has broken
its hull on the ground and lies there for the rest of the battle (PWR-107)."""
ON_THE_TABLE = (AFLOAT, SINKING, AGROUND)
HOLDS_OUT = ("ship", "fort")
"""Kinds that keep a side in the battle (PWR-140)."""
FLOATS = ("ship", "launch")
"""Kinds that have a hull."""
FULL, TACK, ADRIFT = "full", "tack", "adrift"
WAYS = (FULL, TACK, ADRIFT)
"""The three speeds of a ship (PWR-40)."""
LOYAL, MUTINOUS, FLEEING = "loyal", "mutinous", "fleeing"
MOODS = (LOYAL, MUTINOUS, FLEEING)
"""Mutineers flee; once they fail a second test nothing brings them back (PWR-93)."""
LOADED, WRECKED = 2, -1
"""Loads of a cannon: 0 empty, 1 half loaded, `LOADED`, `WRECKED`; a deck gun goes from 0 to 2."""


class Gun(NamedTuple):
    """A cannon, or after the cannons a deck gun."""

    side: str
    """Where it stands and points: port, starboard, bow, stern; a turntable's is bow."""
    load: int = LOADED
    busy: bool = False
    """It was fired, loaded or moved in this phase."""
    rolling: int = 0
    """In a fortress: dots it has still to roll until it stands where it points (PWR-129)."""


class Ship(NamedTuple):
    """One ship and everyone aboard."""

    design: str
    """Id of what was built."""
    player: PlayerId
    """Who commands it."""
    hf: int
    """Hull factors left."""
    sf: int
    """Sail factors open."""
    crew: Crew
    guns: tuple[Gun, ...]
    pose: Pose = NOWHERE
    fate: str = AFLOAT
    wanted: int = 0
    """Sail factors the captain wants to carry (PWR-31)."""
    resetting: int = 0
    """Sail factors that are opened again at the end of the phase (PWR-82)."""
    used: int = 0
    """Sail factors carried in the last move; 0: adrift (PWR-32)."""
    way: str = FULL
    """Its speed class in this turn (PWR-41)."""
    left: int = 0
    """Dots still to be moved in this turn."""
    stunned: bool = False
    """It rammed or was rammed in this turn: adrift, and no tasks (PWR-50)."""
    steering: bool = True
    """Its rudder obeys in the next move (critical hit)."""
    raked: bool = False
    """It was raked in this turn."""
    mood: str = LOYAL
    prize: bool = False
    """It was captured by the Imperials and must leave (PWR-97)."""
    fell_off: bool = False
    """It has fallen off the wind in this turn."""
    tested: tuple[str, ...] = ()
    """Conditions that have brought a morale test about and still hold, sorted."""
    struck: bool = False
    """Its square sail is struck, so that it can tack (PWR-117)."""
    chests: int = 0
    """Chests and barrels aboard (PWR-130)."""
    stowed: int = 0
    """Cannons carried as cargo (PWR-130)."""
    boats: int = 0
    """Launches aboard (PWR-113); of a fortress: hits that its doors still stand (PWR-121)."""
    moved: bool = False
    """A launch or a landing party: it has moved in this turn (PWR-114, PWR-123). A ship: it has
    lowered a launch in this turn, or sent figures into one."""
    temper: str = ""
    """Of natives: calm, fighting or hiding (PWR-135, PWR-136); empty for all others."""
    snared: Crew = ()
    """Of a landing party: who hangs in snares (PWR-137)."""
    flees_at: int = -1
    """Natives hide once so few of them are left."""
    fort: int = -1
    """Of a landing party: the fortress whose wall it climbs, or which it is in (PWR-120)."""
    home: int = -1
    """Of a boat or a landing party: what its figures put off from at first."""
    complement: int = 0
    """Figures of a prize crew when it came aboard; 0: a crew as the ship was built for."""

    @property
    def alive(self) -> bool:
        """It floats and somebody is aboard."""
        return self.fate == AFLOAT and bool(self.crew)

    @property
    def station(self) -> str:
        """Where a landing party stands: it keeps together."""
        return self.crew[0][0].station if self.crew else ""

    @property
    def is_inside(self) -> bool:
        """It is a landing party within a fortress: its figures stand there, its tag does not."""
        return self.fort >= 0 and self.station != CLIMBING


def with_gun(ship: Ship, number: int, gun: Gun) -> Ship:
    """Return a piece with one gun changed."""
    return ship._replace(guns=(*ship.guns[:number], gun, *ship.guns[number + 1 :]))


def vanished(ship: Ship) -> Ship:
    """Return a piece that is taken off the table."""
    gone = ship._replace(crew=(), snared=(), fate=GONE, pose=NOWHERE, left=0, fort=-1)
    return gone._replace(chests=0, stowed=0)


class Shoal(NamedTuple):
    """Figures in the water, off one ship and at one place."""

    player: PlayerId
    ship: int
    """The ship they were on."""
    side: str
    """``"pirate"`` or ``"imperial"``."""
    figures: Groups
    """Kinds and how many, sorted."""
    x_mm: float
    y_mm: float
    fresh: bool = True
    """They fell in this round and cannot swim or board yet (PWR-78)."""

    @property
    def size(self) -> int:
        """How many they are."""
        return crew_size(self.figures)


def tag_of(number: int) -> int:
    """Return the tag of a ship."""
    return number + 1
