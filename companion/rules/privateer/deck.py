"""A deck: everything that is printed, as frozen values. Cards, ship board and sea.

Nothing here is the publisher's; `docs/cards.md` describes the file a deck is read from.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from companion.rules.layout import Cell
from companion.rules.privateer.effects import Effect
from companion.rules.squares import step

COLOURS = ("red", "blue", "yellow", "green", "gray", "black")
"""Ship colours; each is a port's too (PRV-2, PRV-4)."""

GOAL = 20
"""Infamy that wins (PRV-65)."""
MOST_SQUARES = 40
"""Longest side of a sea."""


@dataclass(frozen=True, slots=True)
class Track:
    """One track of the ship board (PRV-8)."""

    prices: tuple[int, ...]
    """Silver for each step, first to last (PRV-54)."""
    values: tuple[int, ...]
    """What the rank is worth before the first step and after each: moves, spaces, points."""


@dataclass(frozen=True, slots=True)
class Port:
    """A port of the map."""

    id: str
    title: str
    colour: str
    good: str
    """Cargo of its colour."""
    face: int
    """Face of the colour die that shows its colour, 0 to 5."""
    cell: Cell


@dataclass(frozen=True, slots=True)
class CaptainCard:
    """A captain: steps the ship starts with (PRV-19)."""

    id: str
    title: str
    text: str
    steps: tuple[int, ...]
    """By track."""


@dataclass(frozen=True, slots=True)
class PortCard:
    """What a port sells and buys, and at which price (PRV-51)."""

    id: str
    title: str
    sells: tuple[int | None, ...]
    """Silver a captain pays, by good; ``None``: not for sale."""
    buys: tuple[int | None, ...]
    """Silver a captain gets, by good; ``None``: not wanted."""


@dataclass(frozen=True, slots=True)
class BountyCard:
    """A relic or a fortune (PRV-21)."""

    id: str
    title: str
    text: str
    is_relic: bool
    infamy: int = 0
    """While it is controlled."""
    bonus: tuple[int, ...] = (0, 0, 0, 0)
    """Added to the ranks while it is controlled, by track."""
    turn: tuple[Effect, ...] = ()
    """At the beginning of the owner's turn (PRV-22)."""
    draw: tuple[Effect, ...] = ()
    """Once, when it is drawn."""


@dataclass(frozen=True)
class Sea:
    """The squares of the board; looks sailing distances up once and keeps them."""

    width: int
    height: int
    land: frozenset[Cell]
    merchants: tuple[Cell, ...]
    """Sorted."""

    def __hash__(self) -> int:
        return hash((self.width, self.height))

    @cached_property
    def cells(self) -> frozenset[Cell]:
        """Every square a ship can be on."""
        squares = ((c, r) for c in range(self.width) for r in range(self.height))
        return frozenset(squares) - self.land

    @cached_property
    def merchant_cells(self) -> frozenset[Cell]:
        """The merchant squares."""
        return frozenset(self.merchants)

    @cached_property
    def around(self) -> Mapping[Cell, tuple[Cell | None, ...]]:
        """For each square the squares N, E, S and W of it; ``None`` where no ship can go."""
        return {
            cell: tuple(c if (c := step(cell, way)) in self.cells else None for way in range(4))
            for cell in self.cells
        }

    @cached_property
    def known_costs(self) -> dict[tuple[Cell, str], Mapping[Cell, int]]:
        """What `companion.rules.privateer.sailing.costs_from` has worked out."""
        return {}

    @cached_property
    def known_reaches(self) -> dict[tuple[Cell, str, int], tuple[Cell, ...]]:
        """What `companion.rules.privateer.sailing.reach` has worked out."""
        return {}


@dataclass(frozen=True)
class Deck:
    """All that is printed."""

    id: str
    title: str
    notice: str
    """Whose it is, shown before a game."""
    start_silver: int
    stock: tuple[int, ...]
    """Cargo in the bank at first, by good."""
    tracks: tuple[Track, ...]
    sea: Sea
    ports: tuple[Port, ...]
    """Six, in the order of their slots."""
    captains: tuple[CaptainCard, ...]
    port_cards: tuple[PortCard, ...]
    bounty: tuple[BountyCard, ...]
    source: object = field(default=None, compare=False, repr=False)
    """What it was read from: the name of a deck that comes with Quarterdeck, or JSON values."""

    def __hash__(self) -> int:
        return hash(self.id)

    @cached_property
    def captain(self) -> Mapping[str, CaptainCard]:
        """Captains by id."""
        return {card.id: card for card in self.captains}

    @cached_property
    def port_card(self) -> Mapping[str, PortCard]:
        """Port cards by id."""
        return {card.id: card for card in self.port_cards}

    @cached_property
    def bounty_card(self) -> Mapping[str, BountyCard]:
        """Relics and fortunes by id."""
        return {card.id: card for card in self.bounty}

    @cached_property
    def port_card_ids(self) -> tuple[str, ...]:
        """Every port card, sorted."""
        return tuple(sorted(self.port_card))

    @cached_property
    def bounty_ids(self) -> tuple[str, ...]:
        """Every bounty card, sorted."""
        return tuple(sorted(self.bounty_card))

    @cached_property
    def port_at(self) -> Mapping[Cell, int]:
        """Number of the port on a square."""
        return {port.cell: number for number, port in enumerate(self.ports)}

    @cached_property
    def port_of_colour(self) -> Mapping[str, int]:
        """Number of the port of a ship's colour."""
        return {port.colour: number for number, port in enumerate(self.ports)}

    @cached_property
    def port_of_face(self) -> Mapping[int, int]:
        """Number of the port a face of the colour die stands for."""
        return {port.face: number for number, port in enumerate(self.ports)}

    @cached_property
    def port_of_id(self) -> Mapping[str, int]:
        """Number of a port by its id."""
        return {port.id: number for number, port in enumerate(self.ports)}

    @cached_property
    def lengths(self) -> tuple[int, ...]:
        """Steps of each track."""
        return tuple(len(track.prices) for track in self.tracks)
