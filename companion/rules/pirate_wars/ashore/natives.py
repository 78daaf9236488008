"""Islanders and skeletons on the table: where they live, when they stir (PWR-131 to PWR-138).

The natives of an island are one piece. They stand with the captain they are friends of, who
commands them once strangers have roused them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from companion.errors import BadOptions
from companion.rules.game import Option, PlayerId
from companion.rules.options import check_limits
from companion.rules.pirate_wars.ashore.islanders import BOATS, inhabitants, tribe
from companion.rules.pirate_wars.built.ships import Cannon
from companion.rules.pirate_wars.built.vessels import Party
from companion.rules.pirate_wars.crew import DECK, Crew, Hand, crew_size, make_crew
from companion.rules.words import listed

NATIVES = "natives"
ISLANDERS, SKELETONS = "islanders", "skeletons"
MOST_NATIVES = 4
_LIMITS = {
    "island": range(1, 13),
    "plates": range(1, 5),
    "small_plates": range(9),
    "archers": range(33),
    "treasure": range(21),
    "cannons": range(5),
    "boats": range(7),
    "captain": range(1, 5),
}
NATIVE_FIELDS = (
    Option("kind", ISLANDERS, (ISLANDERS, SKELETONS), "Who lives there.", "Who"),
    Option("island", 1, (), "Number of the island among those on the cloth.", "Island"),
    Option("plates", 1, (), "Plates of 32 by 32 dots: eight natives each.", "Plates"),
    Option("small_plates", 0, (), "Smaller plates: two natives each.", "Small plates"),
    Option("archers", 2, (), "Warriors with bows in place of spears.", "Archers"),
    Option("treasure", 4, (), "Chests at the foot of their idol.", "Treasure"),
    Option("cannons", 0, (), "Cannons that skeletons fire from the wreckage.", "Cannons"),
    Option("boat", "canoe", tuple(BOATS), "What islanders paddle.", "Boats"),
    Option("boats", 0, (), "How many boats lie at their shore.", "How many boats"),
    Option("captain", 1, (), "Number of the captain they are friends of.", "Friends of"),
)


@dataclass(frozen=True, slots=True)
class NativePlace:
    """Natives of an island."""

    kind: str
    island: int
    """Number among the islands, from 1."""
    plates: int
    small_plates: int
    archers: int
    treasure: int
    cannons: int
    boat: str
    """One of `companion.rules.pirate_wars.ashore.islanders.BOATS`."""
    boats: int
    captain: int
    """Number of the captain they stand with, from 1."""

    @property
    def player(self) -> PlayerId:
        """Return the seat they stand with."""
        return PlayerId(self.captain - 1)

    @property
    def count(self) -> int:
        """Return how many they are (PWR-134, PWR-138)."""
        return inhabitants(self.plates, self.small_plates)


@dataclass(frozen=True)
class Tribe(Party):
    """The natives of an island, around one tag."""

    kind: ClassVar[str] = "tribe"
    island: int = 0
    """Index among the islands of the table."""
    boat: str = "canoe"
    is_dead: bool = False
    """Skeletons (PWR-138)."""
    full: Crew = ()
    """All of them."""

    @property
    def crew_size(self) -> int:
        """Return how many they are at full strength."""
        return crew_size(self.full)


def read_natives(value: object, islands: int) -> tuple[NativePlace, ...]:
    """Return the natives of a table. Raises `BadOptions` with what cannot be."""
    if not isinstance(value, tuple) or len(value) > MOST_NATIVES:
        raise BadOptions(f"Give a list of the natives of up to {MOST_NATIVES} islands.", NATIVES)
    places = tuple(_read_place(item, number, islands) for number, item in enumerate(value, 1))
    if len({place.island for place in places}) < len(places):
        raise BadOptions("One people lives on each island.", NATIVES)
    return places


def _read_place(item: object, number: int, islands: int) -> NativePlace:
    what = f"Natives {number}"
    if not isinstance(item, Mapping) or set(item) != {"kind", "boat", *_LIMITS}:
        raise BadOptions(f"{what} need the fields kind, boat, {', '.join(_LIMITS)}.", NATIVES)
    if item["kind"] not in (ISLANDERS, SKELETONS):
        raise BadOptions(f"{what} are islanders or skeletons, not {item['kind']!r}.", NATIVES)
    if item["boat"] not in BOATS:
        raise BadOptions(f"{what} paddle a {listed(BOATS, 'or')}, not {item['boat']!r}.", NATIVES)
    check_limits(NATIVES, what, item, _LIMITS, NATIVE_FIELDS)
    place = NativePlace(**item)
    if place.island > islands:
        raise BadOptions(f"{what}: there is no island {place.island} on the cloth.", NATIVES)
    warriors = tribe(place.count)["warrior"]
    if place.kind == ISLANDERS and place.archers > warriors:
        raise BadOptions(
            f"{what}: of {warriors} warriors {place.archers} cannot be archers.", NATIVES
        )
    if place.kind == SKELETONS and place.boats:
        raise BadOptions(f"{what}: skeletons have no boats.", NATIVES)
    if place.kind == ISLANDERS and place.cannons:
        raise BadOptions(f"{what}: islanders have no cannons; skeletons may.", NATIVES)
    return place


def tribe_of(place: NativePlace, number: int) -> Tribe:
    """Return the natives as they stand on the table."""
    title = "islanders" if place.kind == ISLANDERS else "skeletons"
    return Tribe(
        f"natives-{number}",
        f"{title} of island {place.island}",
        "pirate",
        4,
        4,
        (),
        (Cannon("turntable", "bow", 0.0),) * place.cannons,
        tag_height_mm=10.0,
        island=place.island - 1,
        boat=place.boat,
        is_dead=place.kind == SKELETONS,
        full=make_crew(Counter({Hand(k, DECK, True): n for k, n in _figures(place)})),
    )


def _figures(place: NativePlace) -> Iterator[tuple[str, int]]:
    if place.kind == SKELETONS:
        yield "skeleton", place.count
        return
    people = tribe(place.count)
    yield "kahuna", people["kahuna"]
    yield "shaman", people["shaman"]
    yield "warrior", people["warrior"] - place.archers
    yield "warrior-bow", place.archers
