"""A fortress inside: its places, the ways between them and what they hide (PWR-124, PWR-128).

A place is what people at a table tell apart at a glance: the yard, the top of the walls, a floor of
the tower. Where exactly in it a figure stands does not matter.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

from companion.rules.pirate_wars.ashore.shore import Walk

YARD, WALL = "yard", "wall"
FLOORS = ("floor-1", "floor-2", "floor-3", "floor-4")
"""The floors of a tower from the ground up."""
PLACES = (YARD, WALL, *FLOORS)
OUTSIDE = "outside"
"""Before the doors; no place of the fortress."""
NO_WAY = 10_000.0
"""Movement that nobody has."""
OPEN, PARTLY, BUILDING = "open", "partly", "building"
"""What a place hides: nothing, part of a figure (parapets, barrels), or it is a building."""
THROUGH_DOORS = Walk(flat=4)
"""From before the doors into the yard, and from the yard into the tower."""
UP_THE_RAMP = Walk(ramps=1)
"""The way to the doors of a fortress on a mountain base (PWR-124)."""
DOWN_THE_WALL = Walk(levels=1)
"""From the top of the wall down its outside, as on a ladder."""
LADDER, STAIRS = "ladder", "stairs"
ASCENTS = (STAIRS, LADDER)


class Place(NamedTuple):
    """A place in a fortress."""

    station: str
    """One of `PLACES`."""
    level: int
    """Storeys above the ground: whoever falls from above it dies (PWR-125)."""
    cover: str
    """One of `OPEN`, `PARTLY`, `BUILDING`."""


class Way(NamedTuple):
    """A way between two places, the same in both directions."""

    ends: frozenset[str]
    walk: Walk


@dataclass(frozen=True)
class Inside:
    """The places of a fortress and the ways between them."""

    places: tuple[Place, ...] = (Place(YARD, 0, OPEN), Place(WALL, 1, PARTLY))
    ways: tuple[Way, ...] = ()

    @cached_property
    def by_station(self) -> Mapping[str, Place]:
        """The places by name."""
        return MappingProxyType({place.station: place for place in self.places})

    def cost(self, start: str, end: str, held: frozenset[str] = frozenset()) -> float:
        """Return the movement that the shortest way takes; `NO_WAY`: there is none (PWR-124).

        Parameters
        ----------
        start, end : str
            Places, or `OUTSIDE` for before the doors.
        held : frozenset of str
            Places where enemies stand: nobody walks on past them.
        """
        found, edge = {start: 0.0}, [start]
        while edge:
            here = edge.pop(0)
            if here in held and here != start:
                continue
            for way in self.ways:
                for there in way.ends - {here} if here in way.ends else ():
                    cost = found[here] + way.walk.cost
                    if cost < found.get(there, NO_WAY):
                        found[there] = cost
                        edge.append(there)
        return found.get(end, NO_WAY)


def inside(
    *,
    doors: bool,
    ramp: bool,
    wall_way: str,
    tower_way: str,
    stairs_dots: int,
    floors: int,
    enclosed: bool,
    barrels: bool,
) -> Inside:
    """Return the inside of a fortress: a yard, walls around it, a tower that opens on the yard.

    Parameters
    ----------
    doors : bool
        Doors lead from the yard to the outside.
    ramp : bool
        It stands on a mountain base: a ramp leads up to the doors (PWR-124).
    wall_way, tower_way : str
        How one gets up, one of `ASCENTS`; anything else: nothing leads up the tower.
    stairs_dots : int
        Length of a flight of stairs.
    floors : int
        Of the tower; 0: there is none.
    enclosed : bool
        The tower has a roof and two walls (PWR-128).
    barrels : bool
        There is something to hide behind in the yard.
    """
    up = {STAIRS: Walk(stairs=stairs_dots), LADDER: Walk(levels=1)}
    tower = FLOORS[:floors]
    hides = BUILDING if enclosed else PARTLY
    places = (
        Place(YARD, 0, PARTLY if barrels else OPEN),
        Place(WALL, 1, PARTLY),
        *(Place(floor, level, hides) for level, floor in enumerate(tower)),
    )
    ways = [Way(frozenset((YARD, WALL)), up[wall_way])]
    ways += [Way(frozenset((OUTSIDE, YARD)), UP_THE_RAMP if ramp else THROUGH_DOORS)] * doors
    ways += [Way(frozenset((YARD, floor)), THROUGH_DOORS) for floor in tower[:1]]
    if tower_way in up:
        ways += [Way(frozenset(pair), up[tower_way]) for pair in pairwise(tower)]
    return Inside(places, tuple(ways))
