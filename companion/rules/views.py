"""What people may see of a game: seats, notes, weather; for pages, ring and screen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.rules.game import PlayerId
from companion.rules.sheets import Sheet


@dataclass(frozen=True, slots=True)
class SeatView:
    """One player as a viewer may see them."""

    player: PlayerId
    name: str
    colours: tuple[str, ...]
    """Ship colours of their fleets; empty before they are known."""
    scores: Mapping[str, int]
    """E.g. ``{"doubloons": 3}``."""
    ships: int
    """Ships in the ocean."""


@dataclass(frozen=True, slots=True)
class Weather:
    """Wind and storm, for the ring and the pages."""

    wind_from_deg: float | None = None
    """Where the wind blows from, clockwise from the top of the board; ``None``: no wind."""
    storm_ring: int | None = None
    """The storm rages on every cell farther from the centre than this; ``None``: no storm."""
    sea_rings: int = 0
    """Rings of the whole sea around its centre, to show how far the storm has closed in."""
    text: str = ""
    """The same in plain words; empty when there is no weather."""


CALM = Weather()


@dataclass(frozen=True, slots=True)
class View:
    """What one player, or a spectator, may know. Only listed fields; nothing else gets out."""

    phase: str
    round: int
    seats: tuple[SeatView, ...]
    notes: tuple[str, ...] = ()
    """Further public facts worth a line, in plain words."""
    weather: Weather = CALM
    details: Mapping[str, Any] = field(default_factory=dict)
    """Open facts as JSON values, for pages that know this game: cards, tracks, prices."""
    own: Mapping[str, Any] = field(default_factory=dict)
    """What only this viewer may know, as JSON values; empty for a spectator."""
    sheets: tuple[Sheet, ...] = ()
    """What is kept of each ship on an open table, for every phone to show."""
    colours_stay: bool = False
    """Whatever ships come and go from here on, all are of a colour that some seat has now."""
