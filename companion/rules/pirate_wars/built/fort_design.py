"""Fortresses as they were built, and what of them may not be (PWR-127 to PWR-129, PWR-139)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import hypot

from companion.rules.pirate_wars.built.violations import Violation

WALL_A_CANNON = 24
"""Dots of outer wall for each cannon (PWR-127)."""
CANNONS_APART = 4
"""Dots between two cannons on one floor (PWR-129)."""
FORT_MOUNTS = ("wheels", "slide", "turntable")
WHEELED_DOTS = 12
"""How far two figures move a cannon on wheels in a turn (PWR-129)."""
MARINES_A_CANNON = 4
"""Marines of the garrison for each cannon (PWR-139)."""
LEAST_WALLS = 2
"""Walls of a building that counts as enclosed (PWR-128)."""


@dataclass(frozen=True, slots=True)
class FortCannon:
    """A cannon of a fortress."""

    mount: str
    """One of `FORT_MOUNTS`; only on wheels it can be turned and moved about."""
    x_dots: float
    y_dots: float
    """Its place in the fortress' own frame, dots from its tag."""
    floor: int
    """Storeys above the ground."""


@dataclass(frozen=True, slots=True)
class Building:
    """A building of a fortress."""

    title: str
    walls: int
    """Sides with a wall or structure."""
    has_roof: bool
    floors: int
    has_stairs: bool
    """A ladder or stairs lead to every floor."""

    @property
    def is_enclosed(self) -> bool:
        """Whoever fires into it from outside has -2 (PWR-128)."""
        return self.has_roof and self.walls >= LEAST_WALLS


@dataclass(frozen=True, slots=True)
class FortDesign:
    """A fortress: an outer wall, cannons, buildings and its garrison."""

    id: str
    title: str
    width: int
    depth: int
    """Sides of its base in dots; the outer wall runs around it."""
    door: int
    """Width of the main doors, dots; 0: none."""
    cannons: tuple[FortCannon, ...]
    buildings: tuple[Building, ...] = ()
    wall: int = 0
    """Length of the outer wall where it is not the base's: built out, docks enclosed; 0: it is."""

    @property
    def outer_wall(self) -> int:
        """Return the length of the outer wall, the doors taken off, dots (PWR-127)."""
        return (self.wall or 2 * (self.width + self.depth)) - self.door


def cannons_allowed(outer_wall: int) -> int:
    """Return the cannons that a length of outer wall allows (PWR-127).

    >>> cannons_allowed(88)
    3
    """
    return outer_wall // WALL_A_CANNON


def fort_violations(fort: FortDesign) -> tuple[Violation, ...]:
    """Return everything that is wrong with a fortress; empty: it may be built."""
    return (*_cannon_count(fort), *_cannon_places(fort), *_buildings(fort))


def _cannon_count(fort: FortDesign) -> Iterator[Violation]:
    allowed = cannons_allowed(fort.outer_wall)
    if len(fort.cannons) > allowed:
        reason = (
            f"An outer wall of {fort.outer_wall} dots, doors left out, allows {allowed} cannons"
            f" (one for every {WALL_A_CANNON}), not {len(fort.cannons)}."
        )
        yield Violation("PWR-127", reason)


def _cannon_places(fort: FortDesign) -> Iterator[Violation]:
    for number, cannon in enumerate(fort.cannons, 1):
        if cannon.mount not in FORT_MOUNTS:
            reason = (
                f"Cannon {number} of a fortress stands on wheels, a slide or a turntable, not"
                f" {cannon.mount!r}."
            )
            yield Violation("PWR-129", reason)
    for (m, one), (n, other) in combinations(enumerate(fort.cannons, 1), 2):
        apart = hypot(one.x_dots - other.x_dots, one.y_dots - other.y_dots)
        if one.floor == other.floor and apart < CANNONS_APART:
            reason = (
                f"Cannons {m} and {n} stand {apart:g} dots apart; {CANNONS_APART} dots or a floor"
                " lie between two cannons."
            )
            yield Violation("PWR-129", reason)


def _buildings(fort: FortDesign) -> Iterator[Violation]:
    for building in fort.buildings:
        if building.floors > 1 and not building.has_stairs:
            reason = (
                f"{building.title} has {building.floors} floors: a ladder or stairs must lead to"
                " each of them."
            )
            yield Violation("PWR-128", reason)
