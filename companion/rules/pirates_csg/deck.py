"""What is printed: ships, crew, forts, treasures, islands and nations, as frozen values.

Nothing in the deck that comes with Quarterdeck is the publisher's; `docs/cards.md` describes the
file a deck is read from. Texts are for people: the program follows the abilities.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import hypot

from companion.rules.plane import Outline

RESOURCES = ("lumber", "textiles", "metals", "fish", "spices", "luxuries")
"""By the number on the die, from 1 (CSG-45, CSG-51)."""
COLOURS = ("red", "blue", "yellow", "green", "gray", "black")
"""Flags of the captains, by seat."""
NOBODY = -1
"""In place of a seat."""
SHORT, LONG = "S", "L"
"""The sides of a game card, which measure everything (CSG-2)."""

FIRST_SHIP_TAG, FIRST_ISLAND_TAG, FIRST_TERRAIN_TAG = 10, 100, 200
MOST_SHIPS = FIRST_ISLAND_TAG - FIRST_SHIP_TAG

ABILITIES: Mapping[str, str] = {
    "captain": "moves and shoots with one action",
    "helmsman": "+S to the base move",
    "explorer": "docks and explores with one action; the first roll for a resource may be repeated",
    "hoist": "the first roll for a resource may be repeated",
    "cannoneer": "once a turn one shot that missed is fired again",
    "shipwright": "repairs at sea and at any island",
    "oarsman": "a derelict may move S; takes no cargo space",
    "musketeer": "one more cannon 3S, which fires even when all masts are lost",
    "boarding": "adds its amount to rolls for boarding",
    "gunnery": "adds its amount to rolls of cannons, against its nation or all",
    "worth": "one treasure, or one kind of resource, is worth so much more at home",
    "extra_action": "a roll of 5 or 6 gives a second action this turn",
    "same_again": "a roll of 5 or 6 lets the ship do the same action again this turn",
    "first_hit": "the first hit is ignored while all masts stand",
    "no_long": "cannons of long range cannot hit her",
    "raider": "may dock at an enemy's home, load what is stored there and take so much gold",
    "unexplore": "takes others' marks from an island within S, which they must explore again",
    "over_ships": "other ships do not block her line of fire",
    "any_nation": "serves under any flag",
    "parley": "pays no fee in a foreign trading port",
    "returns": "may be bought again after it was lost",
    "clipper": "+S to the base move while she carries treasure",
    "gunboat": "printed ranges doubled, two dice for each mast, never faster than printed",
    "steamship": "moves S without masts, +S to the base move with all",
    "table": "its text is carried out by the people at the table",
}
"""Words an ability may begin with, and what each does (CSG-5, CSG-6, CSG-73 to CSG-78)."""
WITH_AMOUNT = ("boarding", "gunnery", "worth", "raider")
"""Abilities that name a number."""


@dataclass(frozen=True, slots=True)
class Ability:
    """One thing a card can do."""

    do: str
    """One of `ABILITIES`."""
    amount: int = 0
    nation: str = ""
    """For ``"gunnery"``: against whom; empty: against all."""


@dataclass(frozen=True, slots=True)
class Cannon:
    """The gun of one mast: it hits with more than its rank, within its range (CSG-16)."""

    rank: int
    reach: str
    """`SHORT` or `LONG`."""

    def __str__(self) -> str:
        """Write it as it is printed: ``"3S"``."""
        return f"{self.rank}{self.reach}"


@dataclass(frozen=True, slots=True)
class Nation:
    """Whose flag a card flies."""

    id: str
    title: str
    is_minor: bool = False
    """May serve others as a mercenary (CSG-38) or privateer (CSG-85)."""


@dataclass(frozen=True, slots=True)
class Card:
    """What every card has."""

    id: str
    title: str
    nation: str
    cost: int
    text: str
    abilities: tuple[Ability, ...]

    def amount(self, do: str) -> int:
        """Return the sum of what abilities of a kind name."""
        return sum(a.amount for a in self.abilities if a.do == do)

    def has(self, do: str) -> bool:
        """Say whether the card has an ability."""
        return any(a.do == do for a in self.abilities)


@dataclass(frozen=True, slots=True)
class ShipCard(Card):
    """A ship (CSG-1)."""

    cargo: int
    move: tuple[str, ...]
    """Segments of the base move, each `SHORT` or `LONG`."""
    cannons: tuple[Cannon, ...]
    """One for each mast, bow first."""
    outline_mm: Outline
    height_mm: float
    radius_mm: float
    """Nothing of the hull lies farther from the tag."""
    tag: int

    @property
    def masts(self) -> int:
        """How many masts she has when she is whole."""
        return len(self.cannons)

    @property
    def bow_mm(self) -> tuple[float, float]:
        """The foremost point of the hull."""
        return max(self.outline_mm)


@dataclass(frozen=True, slots=True)
class CrewCard(Card):
    """A member of a crew (CSG-4)."""

    is_generic: bool
    """Any number may be hired (CSG-33)."""


@dataclass(frozen=True, slots=True)
class FortCard(Card):
    """A fort (CSG-7)."""

    cannons: tuple[Cannon, ...]


@dataclass(frozen=True, slots=True)
class TreasureCard:
    """A unique treasure (CSG-8, CSG-34)."""

    id: str
    title: str
    text: str
    gold: int
    """What it is worth at home."""


@dataclass(frozen=True, slots=True)
class ReadyFleet:
    """Ships and their crews, bought in advance."""

    id: str
    title: str
    ships: tuple[tuple[str, tuple[str, ...]], ...]
    """Id of each ship and of who sails on her."""


@dataclass(frozen=True)
class Deck:
    """A whole deck."""

    id: str
    title: str
    notice: str
    nations: tuple[Nation, ...]
    island_mm: Outline
    """Shore of every island card."""
    ships: tuple[ShipCard, ...]
    crew: tuple[CrewCard, ...]
    forts: tuple[FortCard, ...]
    treasures: tuple[TreasureCard, ...]
    fleets: tuple[ReadyFleet, ...]
    source: object = field(compare=False, repr=False)
    """What the deck was read from, as options carry it."""

    def __hash__(self) -> int:
        return hash((self.id, self.title))

    @cached_property
    def island_radius_mm(self) -> float:
        """Nothing of an island lies farther from its tag."""
        return max(hypot(x, y) for x, y in self.island_mm)

    @cached_property
    def nation(self) -> Mapping[str, Nation]:
        """Nations by id."""
        return {n.id: n for n in self.nations}

    @cached_property
    def ship(self) -> Mapping[str, ShipCard]:
        """Ship cards by id."""
        return {c.id: c for c in self.ships}

    @cached_property
    def ship_of_tag(self) -> Mapping[int, ShipCard]:
        """Ship cards by the number of the tag on the ship."""
        return {c.tag: c for c in self.ships}

    @cached_property
    def crewman(self) -> Mapping[str, CrewCard]:
        """Crew cards by id."""
        return {c.id: c for c in self.crew}

    @cached_property
    def fort(self) -> Mapping[str, FortCard]:
        """Fort cards by id."""
        return {c.id: c for c in self.forts}

    @cached_property
    def treasure(self) -> Mapping[str, TreasureCard]:
        """Unique treasures by id."""
        return {c.id: c for c in self.treasures}

    @cached_property
    def fleet(self) -> Mapping[str, ReadyFleet]:
        """Ready-made fleets by id."""
        return {f.id: f for f in self.fleets}

    def fleet_cost(self, fleet: ReadyFleet) -> int:
        """Return what a ready-made fleet costs (CSG-37)."""
        crews = sum(self.crewman[c].cost for _, crew in fleet.ships for c in crew)
        return crews + sum(self.ship[s].cost for s, _ in fleet.ships)
