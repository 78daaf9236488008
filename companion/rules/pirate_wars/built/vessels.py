"""What stands on the table beside ships: launches, landing parties, fortresses (PWR-113 to 139).

Each is a `ShipDesign` of another kind, so that crews, weapons, boarding and poses are the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import ClassVar

from companion.rules.pirate_wars.ashore.islanders import BOATS, Boat
from companion.rules.pirate_wars.built.fort_design import MARINES_A_CANNON
from companion.rules.pirate_wars.built.fort_inside import WALL, Inside
from companion.rules.pirate_wars.built.ships import (
    DOT_MM,
    SIDE_BEARINGS,
    Cannon,
    Mast,
    Point,
    ShipDesign,
)

ROWED_DOTS, SAILED_DOTS = 24, 36
"""Speeds of a launch under oars and under sail (PWR-113, PWR-116)."""
WALKED_DOTS = 24
"""How far a landing party goes in a turn; slower with a peg leg (PWR-123)."""
SEATS, SEATS_UNDER_SAIL = 7, 4
"""Figures a launch carries (PWR-115, PWR-116)."""
WALLS = tuple(SIDE_BEARINGS)
"""The four walls of a fortress, by where a cannon there points."""


@dataclass(frozen=True)
class Launch(ShipDesign):
    """A small boat, rowed or with a gaff sail (PWR-113 to PWR-116)."""

    kind: ClassVar[str] = "launch"

    @property
    def sail_loss(self) -> int:
        """Return what its only sail factor is worth."""
        return SAILED_DOTS

    @property
    def is_rowed(self) -> bool:
        """It has no sail: the wind does not matter to it."""
        return not self.masts

    def speed_at(self, sails: int) -> int:
        """Return its speed: under oars always the same."""
        return ROWED_DOTS if self.is_rowed else super().speed_at(sails)

    @property
    def seats(self) -> int:
        """Return how many figures it carries."""
        return SEATS if self.is_rowed else SEATS_UNDER_SAIL

    @property
    def crew_size(self) -> int:
        """Return the most aboard."""
        return self.seats


@dataclass(frozen=True)
class NativeBoat(Launch):
    """A canoe, outrigger or catamaran (PWR-133)."""

    boat: Boat = BOATS["canoe"]

    def speed_at(self, sails: int) -> int:
        """Return its speed under paddles."""
        return self.boat.dots

    @property
    def seats(self) -> int:
        """Return how many figures it carries."""
        return self.boat.holds


@dataclass(frozen=True)
class OnFoot(ShipDesign):
    """What has figures but no ship: they walk (PWR-123)."""

    @property
    def hull_factor(self) -> int:
        """Return one: there is no hull that could be hit, and stone is not shot to pieces."""
        return 1

    @property
    def sail_loss(self) -> int:
        """Return nothing: there are no sails."""
        return 0

    def speed_at(self, sails: int) -> int:
        """Return how far they walk, a peg leg aside."""
        return WALKED_DOTS


@dataclass(frozen=True)
class Party(OnFoot):
    """Figures ashore that keep together around one tag (PWR-123)."""

    kind: ClassVar[str] = "party"

    @property
    def outline_mm(self) -> tuple[Point, ...]:
        """Return the ground they stand on: a square."""
        return _rectangle(self.length, self.hull)


@dataclass(frozen=True)
class FortCannonAt(Cannon):
    """A cannon of a fortress; on wheels it can be turned to any wall (PWR-129)."""

    station: str = WALL
    """The place it stands in, and its crew."""

    @property
    def sides(self) -> tuple[str, ...]:
        """Return the walls it can point at; a turntable points anywhere by itself."""
        return WALLS if self.mount == "wheels" else (self.side,)


@dataclass(frozen=True)
class Fort(OnFoot):
    """A fortress of stone: it neither moves nor sinks; its garrison walks in it (PWR-119)."""

    kind: ClassVar[str] = "fort"
    door: int = 0
    """Width of the doors in the wall that faces its heading, dots; 0: none."""
    inside: Inside = field(default_factory=Inside)

    @property
    def doors_mm(self) -> tuple[Point, ...]:
        """Return where the doors are, in its own frame."""
        x, y = self.length * DOT_MM / 2, self.door * DOT_MM / 2
        return ((x, -y), (x + 1, -y), (x + 1, y), (x, y))

    @property
    def crew_size(self) -> int:
        """Return its garrison: four marines a cannon and a Lieutenant (PWR-139)."""
        return MARINES_A_CANNON * len(self.cannons) + 1

    @property
    def has_gun_deck(self) -> bool:
        """Return no: its cannons stand behind parapets, their crews with them."""
        return False

    @property
    def outline_mm(self) -> tuple[Point, ...]:
        """Return its walls."""
        return _rectangle(self.length, self.hull)

    def muzzle_mm(self, number: int, side: str) -> Point:
        """Return where a cannon at a wall fires from; several share the wall evenly."""
        along = self.cannons[number].x_dots * DOT_MM
        if self.cannons[number].mount == "turntable":
            return along, 0.0
        half = {"bow": self.length, "stern": self.length}.get(side, self.hull) * DOT_MM / 2
        return {
            "bow": (half, along),
            "stern": (-half, along),
            "starboard": (along, half),
        }.get(side, (along, -half))

    def roll_dots(self, number: int, start: str, end: str) -> int:
        """Return how far a cannon rolls along the walls from one to another (PWR-129).

        In the tower it is turned where it stands.
        """
        cannon = self.cannons[number]
        if not isinstance(cannon, FortCannonAt) or cannon.station != WALL:
            return 0
        (x0, y0), (x1, y1) = (self.muzzle_mm(number, side) for side in (start, end))
        return round((abs(x1 - x0) + abs(y1 - y0)) / DOT_MM)


def _rectangle(length: int, width: int) -> tuple[Point, ...]:
    x, y = length * DOT_MM / 2, width * DOT_MM / 2
    return ((x, -y), (x, y), (-x, y), (-x, -y))


LAUNCH = Launch("launch", "launch", "pirate", 4, 8, (), tag_height_mm=30.0)
SAILING_LAUNCH = Launch(
    "sailing-launch",
    "sailing launch",
    "pirate",
    4,
    8,
    (Mast("launch", ("launch-gaff",)),),
    tag_height_mm=30.0,
)
NATIVE_BOATS = tuple(
    NativeBoat(boat.id, boat.id, "pirate", 4, 8, (), tag_height_mm=20.0, boat=boat)
    for boat in BOATS.values()
)
PARTY = Party("party", "landing party", "pirate", 3, 3, (), tag_height_mm=10.0)
SMALL: Mapping[str, ShipDesign] = MappingProxyType(
    {design.id: design for design in (LAUNCH, SAILING_LAUNCH, PARTY, *NATIVE_BOATS)}
)
"""What leaves ships during a battle, by id."""
