"""Fortresses on the table: options of the game, and their garrisons (PWR-127 to PWR-139)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from companion.errors import BadOptions
from companion.rules.game import Option, PlayerId
from companion.rules.layout import Pose
from companion.rules.pirate_wars.built.fort_design import FortCannon, FortDesign, fort_violations
from companion.rules.pirate_wars.built.vessels import Fort, fort
from companion.rules.pirate_wars.crew import DECK, Crew, Hand, make_crew

FORTS = "forts"
MOST_FORTS = 4
_LIMITS = {
    "x_mm": range(5001),
    "y_mm": range(5001),
    "width_dots": range(8, 81),
    "depth_dots": range(8, 81),
    "cannons": range(1, 13),
    "door_dots": range(17),
    "captain": range(1, 5),
}
FORT_FIELDS = (
    Option("x_mm", 650, (), "Middle, millimetres to the right of marker 0.", "Right"),
    Option("y_mm", 450, (), "Middle, millimetres below marker 0.", "Down"),
    Option("width_dots", 22, (), "Width in dots, 8 to 80.", "Width"),
    Option("depth_dots", 22, (), "Depth in dots, 8 to 80.", "Depth"),
    Option("cannons", 3, (), "One for every 24 dots of outer wall.", "Cannons"),
    Option("door_dots", 0, (), "Width of the doors to the right; 0: none.", "Doors"),
    Option("captain", 1, (), "Number of the Imperial captain who holds it.", "Captain"),
)


@dataclass(frozen=True, slots=True)
class FortPlace:
    """A fortress and whose it is."""

    x_mm: int
    y_mm: int
    width_dots: int
    depth_dots: int
    cannons: int
    door_dots: int
    captain: int
    """Number of the captain at the table, from 1."""

    @property
    def pose(self) -> Pose:
        """Return where its tag lies."""
        return Pose(float(self.x_mm), float(self.y_mm), 0.0)

    @property
    def player(self) -> PlayerId:
        """Return the seat that holds it."""
        return PlayerId(self.captain - 1)


def read_forts(value: object) -> tuple[FortPlace, ...]:
    """Return the fortresses of a table. Raises `BadOptions` with what may not be built so."""
    if not isinstance(value, tuple) or len(value) > MOST_FORTS:
        raise BadOptions(f"Give a list of up to {MOST_FORTS} fortresses.", FORTS)
    return tuple(_read_fort(item, number) for number, item in enumerate(value, 1))


def _read_fort(item: object, number: int) -> FortPlace:
    what = f"Fortress {number}"
    if not isinstance(item, Mapping) or set(item) != set(_LIMITS):
        raise BadOptions(f"{what} needs the fields {', '.join(_LIMITS)}.", FORTS)
    for name, allowed in _LIMITS.items():
        if type(item[name]) is not int or item[name] not in allowed:
            low, high = allowed[0], allowed[-1]
            raise BadOptions(f"{what}: {name} must be {low} to {high}.", FORTS)
    place = FortPlace(**item)
    faults = fort_violations(fort_design(place, number))
    if faults:
        raise BadOptions(f"{what}: {faults[0].reason} ({faults[0].rule})", FORTS)
    return place


def fort_of(place: FortPlace, number: int) -> Fort:
    """Return the fortress as it stands on the table."""
    return fort(number, place.width_dots, place.depth_dots, place.cannons, place.door_dots)


def fort_design(place: FortPlace, number: int) -> FortDesign:
    """Return the fortress as the rules of building see it: its cannons at its walls."""
    built = fort_of(place, number)
    spots = [built.muzzle_mm(n, cannon.side) for n, cannon in enumerate(built.cannons)]
    cannons = tuple(FortCannon("wheels", x / 8, y / 8, 0, 0.0) for x, y in spots)
    return FortDesign(
        built.id, built.title, place.width_dots, place.depth_dots, place.door_dots, cannons
    )


def garrison(built: Fort) -> Crew:
    """Return a Lieutenant and four marines a cannon, muskets and pistol loaded (PWR-139)."""
    marines = built.crew_size - 1
    return make_crew(
        Counter({Hand("marine", DECK, True): marines, Hand("lieutenant", DECK, True): 1})
    )
