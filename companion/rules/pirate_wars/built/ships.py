"""A ship as it was built: hull, masts, cannons, crew; and what follows from them (PWR-19 to 33).

Measures of the rules are dots (studs), those of the table millimetres; a dot is 8 mm. A ship's own
frame has x toward the bow, y to starboard and its origin under the middle of its tag.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import hypot
from types import MappingProxyType
from typing import ClassVar

from companion.rules.pirate_wars.built.figures import (
    FigureKind,
    Groups,
    captain_of,
    grouped,
    hand_of,
    kind,
)

DOT_MM = 8.0
"""A dot of the table (PWR-2)."""
HULLS = (8, 12)
"""Widths of hulls in dots: narrow, wide (PWR-98)."""
SAIL_LOSS: Mapping[int, int] = MappingProxyType(
    {3: 16, 4: 12, 5: 10, 6: 8, 7: 8, 8: 6, 9: 6, 10: 6}
)
"""Dots of speed lost with a sail factor, by hull factor (PWR-99)."""
SQUARE_SAILS = ("main", "topsail", "high-topsail")
SAIL_FACTORS: Mapping[str, int] = MappingProxyType(
    {"gaff": 2, "lateen": 1, "jib": 1, "launch-gaff": 1}
)
"""Sail factor of every sail that is not square (PWR-101); the small gaff sail of a launch counts
one (PWR-23, PWR-116)."""
SIDE_BEARINGS: Mapping[str, float] = MappingProxyType(
    {"bow": 0.0, "starboard": 90.0, "stern": 180.0, "port": -90.0}
)
"""Where a cannon on a side points, clockwise from the bow, degrees."""
MOUNTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "fixed": ("port", "starboard"),
        "slide": ("port", "starboard"),
        "wheels": ("port", "starboard"),
        "turntable": ("bow",),
        "chaser": ("stern",),
    }
)
"""Sides a cannon can stand on, by its mount. On slides and wheels it can change sides (PWR-79); on
a turntable it points wherever the own hull is not in the way (PWR-68)."""
CASTLE_FIGURES = 2
"""Figures a top castle holds: the worked examples put two on one and four on two."""
SLOWEST = 8
"""Dots that an overloaded ship still makes (PWR-112)."""
FIGURES_A_LAUNCH = 8
"""A ship carries a launch for so many figures (PWR-113)."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Mast:
    """A mast and the sails it carries (PWR-102)."""

    kind: str
    """``"single"``, ``"topped"``, ``"full"`` or ``"launch"`` (that of a launch)."""
    sails: tuple[str, ...]
    """In the order ``"main"``, ``"topsail"``, ``"high-topsail"``, ``"gaff"``, ``"lateen"``,
    ``"launch-gaff"``, ``"jib"``."""
    is_mizzen: bool = False
    """It stands on the rear deck."""

    @property
    def sail_factor(self) -> int:
        """Return what its sails count: the first square one 2, the second 1 (PWR-101).

        >>> Mast("full", ("main", "topsail", "jib")).sail_factor
        4
        """
        square = sum(sail in SQUARE_SAILS for sail in self.sails)
        others = sum(SAIL_FACTORS[sail] for sail in self.sails if sail not in SQUARE_SAILS)
        return others + square + (square > 0)

    @property
    def is_square_rigged(self) -> bool:
        """It carries a square sail (PWR-117)."""
        return any(sail in SQUARE_SAILS for sail in self.sails)

    @property
    def has_castle(self) -> bool:
        """Topped and full masts bear a top castle."""
        return self.kind in ("topped", "full")


@dataclass(frozen=True, slots=True)
class Cannon:
    """A cannon and where it stands at the start."""

    mount: str
    """One of `MOUNTS`."""
    side: str
    """Where it points at first: ``"port"``, ``"starboard"``, ``"stern"``; turntable: ``"bow"``."""
    x_dots: float
    """Along the keel from the middle of the hull, toward the bow."""

    @property
    def sides(self) -> tuple[str, ...]:
        """Return the sides it can stand on; a fixed one stays where it is."""
        return (self.side,) if self.mount == "fixed" else MOUNTS[self.mount]


@dataclass(frozen=True)
class ShipDesign:
    """A ship as it was built. Whether it may be built so: module `design`."""

    kind: ClassVar[str] = "ship"
    """What it is: others than ships are in `companion.rules.pirate_wars.built.vessels`."""
    id: str
    title: str
    side: str
    """``"pirate"`` or ``"imperial"``."""
    hull: int
    """Width in dots: 8 narrow, 12 wide; its draft, too (PWR-33)."""
    length: int
    """Of the waterline, dots (PWR-19)."""
    masts: tuple[Mast, ...]
    """From the bow aft."""
    cannons: tuple[Cannon, ...] = ()
    extras: Groups = ()
    """Figures beyond the sailing and cannon crews, sorted by kind."""
    crows_nest: bool = False
    deck_guns: int = 0
    cargo: int = 0
    """Chests and barrels there is room kept for."""
    withheld: int = 0
    """Sail factors given up for cargo (PWR-112)."""
    captain: str = ""
    """Kind of its Captain; empty: the usual one of its side."""
    mate: str = "first-mate"
    """Kind of its First Mate."""
    tag_x_dots: float = 0.0
    """Where the tag is, along the keel from the middle of the hull, toward the bow."""
    tag_height_mm: float = 60.0
    """Of the tag above the table."""

    @property
    def hull_factor(self) -> int:
        """Return HF: the length over eight (PWR-19)."""
        return self.length // 8

    @property
    def sail_loss(self) -> int:
        """Return SL: dots of speed lost with each sail factor (PWR-99)."""
        return SAIL_LOSS[self.hull_factor]

    @cached_property
    def sail_factor(self) -> int:
        """Return SF: the sum of the sails (PWR-101)."""
        return sum(mast.sail_factor for mast in self.masts)

    @property
    def draft(self) -> int:
        """Return the depth it needs, dots (PWR-33)."""
        return self.hull

    @property
    def is_square_rigged(self) -> bool:
        """It carries square sails (PWR-117)."""
        return any(mast.is_square_rigged for mast in self.masts)

    @property
    def castles(self) -> int:
        """Return the number of top castles."""
        return sum(mast.has_castle for mast in self.masts)

    @property
    def has_gun_deck(self) -> bool:
        """Two cannons and more stand below, unless on turntables."""
        return sum(cannon.mount != "turntable" for cannon in self.cannons) > 1

    @cached_property
    def column(self) -> str:
        """Return the damage chart from the top: S a sail factor, H a hull factor (PWR-84).

        >>> from companion.rules.pirate_wars.built.ship_reading import stock_ship
        >>> stock_ship("imperial-flagship").column
        'SSHSHSHSH'
        """
        between = min(self.sail_factor, self.hull_factor - 1)
        bare = self.hull_factor - between
        # Where there are fewer sails than gaps between hulls, the topmost gaps stay empty.
        return "S" * (self.sail_factor - between) + "H" * bare + "SH" * between

    @cached_property
    def speed_labels(self) -> tuple[int, ...]:
        """Return the speed beside every SF of the chart, from the top (PWR-85, PWR-112).

        >>> from companion.rules.pirate_wars.built.ship_reading import stock_ship
        >>> stock_ship("imperial-flagship").speed_labels
        (60, 48, 36, 24, 12)
        """
        top = self.sail_factor - self.withheld
        labels = (self.sail_loss * (top - row) for row in range(self.sail_factor))
        return tuple(max(SLOWEST, label) if self.withheld else label for label in labels)

    @property
    def speed(self) -> int:
        """Return the full speed, dots (PWR-20)."""
        return self.speed_at(self.sail_factor)

    def speed_at(self, sails: int) -> int:
        """Return the speed with so many sail factors open (PWR-20, PWR-85)."""
        return self.speed_labels[self.sail_factor - sails] if sails else 0

    @cached_property
    def officers(self) -> tuple[FigureKind, FigureKind]:
        """Return the Captain and the First Mate."""
        return kind(self.captain) if self.captain else captain_of(self.side), kind(self.mate)

    @property
    def sailors(self) -> int:
        """Return the sailing crew without officers: one a sail factor (PWR-21)."""
        return self.sail_factor

    @property
    def gunners(self) -> int:
        """Return the cannon crews: two a cannon (PWR-21)."""
        return 2 * len(self.cannons)

    @property
    def extra_figures(self) -> int:
        """Return the number of extras (PWR-19)."""
        return sum(count for _, count in self.extras)

    @property
    def crew_size(self) -> int:
        """Return everyone aboard at the start (PWR-21)."""
        return 2 + self.sailors + self.gunners + self.crows_nest + self.extra_figures

    @cached_property
    def crew(self) -> Groups:
        """Return everyone aboard at the start, by kind, sorted."""
        hands = self.sailors + self.gunners + self.crows_nest
        muster = Counter({hand_of(self.side).id: hands})
        muster.update(officer.id for officer in self.officers)
        muster.update(dict(self.extras))
        return grouped(muster)

    @property
    def launches(self) -> int:
        """Return the number of launches it carries (PWR-113)."""
        return self.crew_size // FIGURES_A_LAUNCH

    @cached_property
    def outline_mm(self) -> tuple[Point, ...]:
        """Return the hull at the waterline in the ship's own frame, millimetres."""
        half, taper = self.hull / 2, self.hull
        bow, stern = self.length / 2, -self.length / 2
        starboard = (
            (bow, 0.0),
            (bow - taper * 0.3, half * 0.55),
            (bow - taper, half),
            (stern + 2, half),
            (stern, half * 0.75),
        )
        port = tuple((x, -y) for x, y in reversed(starboard[1:]))
        return tuple(self._own_mm(point) for point in (*starboard, *port))

    @cached_property
    def reach_mm(self) -> float:
        """Return how far any part of it can be from its tag, millimetres."""
        return max(hypot(x, y) for x, y in self.outline_mm)

    @cached_property
    def bow_mm(self) -> Point:
        """Return where the bow touches the water, in the ship's own frame."""
        return self._own_mm((self.length / 2, 0.0))

    @cached_property
    def rudder_mm(self) -> Point:
        """Return the point a turning ship pivots on, in its own frame (PWR-44)."""
        return self._own_mm((-self.length / 2, 0.0))

    @property
    def length_mm(self) -> float:
        """Return the length of the waterline, millimetres."""
        return self.length * DOT_MM

    def muzzle_mm(self, number: int, side: str) -> Point:
        """Return where a cannon's bore leaves the hull when it stands on a side."""
        x = self.cannons[number].x_dots
        if side == "stern":
            return self._own_mm((-self.length / 2, 0.0))
        across = {"port": -self.hull / 2, "starboard": self.hull / 2}.get(side, 0.0)
        return self._own_mm((x, across))

    def _own_mm(self, dots: Point) -> Point:
        return (dots[0] - self.tag_x_dots) * DOT_MM, dots[1] * DOT_MM
