"""Fortresses on the table: options of the game, and their garrisons (PWR-127 to PWR-139)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.errors import BadOptions
from companion.rules.game import Option, PlayerId
from companion.rules.layout import Pose
from companion.rules.options import check_limits
from companion.rules.outlines import outline_at, overlap
from companion.rules.pirate_wars.built.fort_design import (
    CANNONS_APART,
    FORT_MOUNTS,
    MARINES_A_CANNON,
    Building,
    FortCannon,
    FortDesign,
    fort_violations,
)
from companion.rules.pirate_wars.built.fort_inside import (
    ASCENTS,
    FLOORS,
    LADDER,
    STAIRS,
    WALL,
    inside,
)
from companion.rules.pirate_wars.built.ships import DOT_MM
from companion.rules.pirate_wars.built.vessels import WALLS, Fort, FortCannonAt
from companion.rules.pirate_wars.crew import Crew, Hand, make_crew

FORTS = "forts"
MOST_FORTS = 4
NO_WAY = "none"
_TOWER_WAYS = (*ASCENTS, NO_WAY)
_WAY_WORDS = ("Stairs", "A ladder", "Nothing")
_LIMITS = {
    "x_mm": range(5001),
    "y_mm": range(5001),
    "width_dots": range(8, 81),
    "depth_dots": range(8, 81),
    "cannons": range(1, 13),
    "door_dots": range(17),
    "captain": range(1, 5),
    "wall_dots": range(401),
    "stairs_dots": range(1, 13),
    "tower_floors": range(len(FLOORS) + 1),
    "tower_walls": range(5),
    "tower_cannons": range(len(FLOORS) + 1),
}
_WORDS: Mapping[str, tuple[object, ...]] = {
    "mount": FORT_MOUNTS,
    "mountain": (False, True),
    "wall_way": ASCENTS,
    "tower_way": _TOWER_WAYS,
    "tower_roof": (True, False),
    "barrels": (False, True),
}
_SITE = (
    Option("x_mm", 650, (), "Middle, millimetres to the right of marker 0.", "Right"),
    Option("y_mm", 450, (), "Middle, millimetres below marker 0.", "Down"),
    Option("width_dots", 22, (), "Width in dots, 8 to 80.", "Width"),
    Option("depth_dots", 22, (), "Depth in dots, 8 to 80.", "Depth"),
    Option("cannons", 3, (), "One for every 24 dots of outer wall.", "Cannons"),
    Option("door_dots", 0, (), "Width of the doors to the right; 0: none.", "Doors"),
    Option("captain", 1, (), "Number of the Imperial captain who holds it.", "Captain"),
)
_BUILT = (
    Option(
        "wall_dots",
        0,
        (),
        "Length of the outer wall if it is built out over the edge or takes in buildings on a dock;"
        " 0: once around.",
        "Outer wall",
    ),
    Option(
        "mount",
        "wheels",
        FORT_MOUNTS,
        "What its cannons stand on.",
        "Cannons on",
        labels=("Wheels", "Slides", "Turntables"),
    ),
    Option(
        "mountain",
        False,
        (False, True),
        "A mountain base: a ramp of 18 dots leads to the doors.",
        "Mountain base",
    ),
    Option(
        "wall_way",
        STAIRS,
        ASCENTS,
        "How one gets from the yard to the top of the walls.",
        "Up the walls",
        labels=_WAY_WORDS[:2],
    ),
    Option("stairs_dots", 6, (), "Length of a flight of stairs in dots, 1 to 12.", "Stairs"),
    Option("tower_floors", 2, (), "Floors of its tower, 0 to 4; 0: none.", "Tower"),
    Option(
        "tower_way",
        LADDER,
        _TOWER_WAYS,
        "How one gets from floor to floor.",
        "Up the tower",
        labels=_WAY_WORDS,
    ),
    Option("tower_walls", 4, (), "Sides of the tower that have a wall, 0 to 4.", "Tower's walls"),
    Option(
        "tower_roof",
        True,
        (True, False),
        "The tower has a roof: with two walls it hides whoever is inside.",
        "Tower's roof",
    ),
    Option(
        "tower_cannons",
        0,
        (),
        "How many of the cannons stand in the tower, one on a floor from the top.",
        "Cannons in the tower",
    ),
    Option("barrels", False, (False, True), "Barrels to hide behind in the yard.", "Barrels"),
)
FORT_FIELDS = (*_SITE, *_BUILT)
_AS_USUAL = {field.id: field.default for field in _BUILT}
"""How a fortress is built need not be said."""


@dataclass(frozen=True, slots=True)
class FortPlace:
    """A fortress, how it is built and whose it is."""

    x_mm: int
    y_mm: int
    width_dots: int
    depth_dots: int
    cannons: int
    door_dots: int
    captain: int
    """Number of the captain at the table, from 1."""
    wall_dots: int
    mount: str
    mountain: bool
    wall_way: str
    stairs_dots: int
    tower_floors: int
    tower_way: str
    tower_walls: int
    tower_roof: bool
    tower_cannons: int
    barrels: bool

    @property
    def pose(self) -> Pose:
        """Return where its tag lies."""
        return Pose(float(self.x_mm), float(self.y_mm), 0.0)

    @property
    def player(self) -> PlayerId:
        """Return the seat that holds it."""
        return PlayerId(self.captain - 1)

    @property
    def tower(self) -> Building:
        """Return its tower; without floors there is none."""
        up = self.tower_way != NO_WAY
        return Building("The tower", self.tower_walls, self.tower_roof, self.tower_floors, up)


def read_forts(value: object) -> tuple[FortPlace, ...]:
    """Return the fortresses of a table. Raises `BadOptions` with what may not be built so."""
    if not isinstance(value, tuple) or len(value) > MOST_FORTS:
        raise BadOptions(f"Give a list of up to {MOST_FORTS} fortresses.", FORTS)
    return tuple(_read_fort(item, number) for number, item in enumerate(value, 1))


def check_sites(places: tuple[FortPlace, ...], sea: tuple[int, int]) -> None:
    """Demand that fortresses stand on the cloth, each in its own place. Raises `BadOptions`."""
    walls = [
        outline_at(place.pose, fort_of(place, number).outline_mm)
        for number, place in enumerate(places, 1)
    ]
    for number, place in enumerate(places, 1):
        if place.x_mm > sea[0] or place.y_mm > sea[1]:
            raise BadOptions(f"Fortress {number} stands off the sea.", FORTS)
        if any(overlap(walls[number - 1], other) > 0 for other in walls[: number - 1]):
            raise BadOptions(f"Fortress {number} stands on another.", FORTS)


def _read_fort(item: object, number: int) -> FortPlace:
    what = f"Fortress {number}"
    fields = [field.id for field in FORT_FIELDS]
    given: Mapping[str, Any] = _AS_USUAL | dict(item) if isinstance(item, Mapping) else {}
    if set(given) != set(fields):
        raise BadOptions(f"{what} needs the fields {', '.join(fields)}.", FORTS)
    check_limits(FORTS, what, given, _LIMITS, FORT_FIELDS)
    for name, words in _WORDS.items():
        if type(given[name]) is not type(words[0]) or given[name] not in words:
            shown = ", ".join(str(word).lower() for word in words)
            raise BadOptions(f"{what}: {name} must be one of {shown}.", FORTS)
    place = FortPlace(**given)
    if place.tower_cannons > min(place.cannons, place.tower_floors):
        most = min(place.cannons, place.tower_floors)
        reason = f"{what}: its tower holds {most} of its cannons, one on a floor."
        raise BadOptions(f"{reason} (PWR-129)", FORTS)
    faults = fort_violations(fort_design(place, number))
    if faults:
        raise BadOptions(f"{what}: {faults[0].reason} ({faults[0].rule})", FORTS)
    return place


def fort_of(place: FortPlace, number: int) -> Fort:
    """Return the fortress as it stands on the table."""
    return Fort(
        f"fort-{number}",
        f"fortress {number}",
        "imperial",
        place.width_dots,
        place.depth_dots,
        (),
        _cannons(place),
        tag_height_mm=80.0,
        door=place.door_dots,
        inside=inside(
            doors=place.door_dots > 0,
            ramp=place.mountain,
            wall_way=place.wall_way,
            tower_way=place.tower_way,
            stairs_dots=place.stairs_dots,
            floors=place.tower_floors,
            enclosed=place.tower.is_enclosed,
            barrels=place.barrels,
        ),
    )


def _cannons(place: FortPlace) -> tuple[FortCannonAt, ...]:
    """Return the cannons: in the tower from its top floor down, the others along the walls."""
    top = FLOORS[: place.tower_floors][::-1]
    stations = (*top[: place.tower_cannons], *(WALL,) * (place.cannons - place.tower_cannons))
    found = []
    for n, station in enumerate(stations):
        if place.mount == "turntable":
            side, x = "bow", float(CANNONS_APART * (n - place.cannons // 2))
        else:
            side, x = WALLS[n % len(WALLS)], float(CANNONS_APART * (n // len(WALLS)))
        found.append(FortCannonAt(place.mount, side, x, station))
    return tuple(found)


def fort_design(place: FortPlace, number: int) -> FortDesign:
    """Return the fortress as the rules of building see it: its cannons at its walls."""
    built = fort_of(place, number)
    cannons = []
    for n, cannon in enumerate(built.cannons):
        assert isinstance(cannon, FortCannonAt)
        x, y = built.muzzle_mm(n, cannon.side)
        level = built.inside.by_station[cannon.station].level
        cannons.append(FortCannon(cannon.mount, x / DOT_MM, y / DOT_MM, level))
    buildings = (place.tower,) * (place.tower_floors > 0)
    return FortDesign(
        built.id,
        built.title,
        place.width_dots,
        place.depth_dots,
        place.door_dots,
        tuple(cannons),
        buildings,
        place.wall_dots,
    )


def garrison(built: Fort) -> Crew:
    """Return four marines at each cannon and a Lieutenant on the wall, arms loaded (PWR-139)."""
    posts = Counter({Hand("lieutenant", WALL, True): 1})
    for cannon in built.cannons:
        assert isinstance(cannon, FortCannonAt)
        posts[Hand("marine", cannon.station, True)] += MARINES_A_CANNON
    return make_crew(posts)
