"""What captains and chance can do: frozen values, in a fixed order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from companion.rules.deeds import Deed, Roll
from companion.rules.game import CHANCE, PlayerId
from companion.rules.layout import Cell
from companion.rules.privateer.deck import Deck, Sea

MERCHANT = PlayerId(-2)
"""The foe on a merchant square."""


@dataclass(frozen=True, slots=True)
class KeepCaptain(Deed):
    """Keep one of the two captain cards drawn, and show it (PRV-10)."""

    rank, name = 1, "keep_captain"
    captain: str


@dataclass(frozen=True, slots=True)
class DrawPortCard(Deed):
    """Chance: the card for the first port without one (PRV-11, PRV-57)."""

    rank, name, by_chance = 2, "draw_port_card", True
    card: str


@dataclass(frozen=True, slots=True)
class ChooseColour(Deed):
    """Sail under this colour, from its port (PRV-13)."""

    rank, name = 3, "choose_colour"
    colour: str


@dataclass(frozen=True, slots=True)
class DrawCard(Deed):
    """Chance: the bounty card of the turn (PRV-21)."""

    rank, name, by_chance = 4, "draw_bounty", True
    card: str


@dataclass(frozen=True, slots=True)
class Sail(Deed):
    """Move the ship to a square, by whichever way costs least (PRV-23)."""

    rank, name = 5, "sail"
    cell: Cell


@dataclass(frozen=True, slots=True)
class Attack(Deed):
    """Pick the foe where there are several (PRV-38)."""

    rank, name = 6, "attack"
    foe: PlayerId
    """Their seat, or `MERCHANT`."""


@dataclass(frozen=True, slots=True)
class Plunder(Deed):
    """Plunder the beaten merchant (PRV-41)."""

    rank, name = 7, "plunder"


@dataclass(frozen=True, slots=True)
class Take(Deed):
    """Take one of a captain's goods (PRV-45; cards)."""

    rank, name = 8, "take"
    foe: PlayerId
    good: str


@dataclass(frozen=True, slots=True)
class Buy(Deed):
    """Buy goods of one type (PRV-52)."""

    rank, name = 9, "buy"
    good: str
    count: int


@dataclass(frozen=True, slots=True)
class Sell(Deed):
    """Sell goods of one type (PRV-52)."""

    rank, name = 10, "sell"
    good: str
    count: int


@dataclass(frozen=True, slots=True)
class Upgrade(Deed):
    """Buy the next step on a track (PRV-54)."""

    rank, name = 11, "upgrade"
    track: str


@dataclass(frozen=True, slots=True)
class Leave(Deed):
    """End the visit to the port."""

    rank, name = 12, "leave"


@dataclass(frozen=True, slots=True)
class SetWind(Deed):
    """Turn the wind as a card allows (PRV-35)."""

    rank, name = 13, "set_wind"
    wind: str


@dataclass(frozen=True, slots=True)
class Gain(Deed):
    """Take one good of this type from the bank, as a card allows."""

    rank, name = 14, "gain"
    good: str


@dataclass(frozen=True, slots=True)
class Discard(Deed):
    """Give one good of this type back to the bank (PRV-56; cards)."""

    rank, name = 15, "discard"
    good: str


@dataclass(frozen=True, slots=True)
class TakeRelic(Deed):
    """Take a relic from a captain (PRV-62)."""

    rank, name = 16, "take_relic"
    foe: PlayerId
    relic: str


@dataclass(frozen=True, slots=True)
class Rob(Deed):
    """Take silver from a captain, as a card allows."""

    rank, name = 17, "rob"
    foe: PlayerId


@dataclass(frozen=True, slots=True)
class Offer(Deed):
    """Offer a good for a captain's good."""

    rank, name = 18, "offer"
    foe: PlayerId
    give: str
    get: str


@dataclass(frozen=True, slots=True)
class Accept(Deed):
    """Take the offer."""

    rank, name = 19, "accept"


@dataclass(frozen=True, slots=True)
class Anchor(Deed):
    """Move the ship to a port, as a card allows."""

    rank, name = 20, "anchor"
    port: str


@dataclass(frozen=True, slots=True)
class Decline(Deed):
    """Do not plunder; make no offer; refuse one."""

    rank, name = 21, "decline"


KINDS: tuple[type[Deed], ...] = (
    Roll,
    KeepCaptain,
    DrawPortCard,
    ChooseColour,
    DrawCard,
    Sail,
    Attack,
    Plunder,
    Take,
    Buy,
    Sell,
    Upgrade,
    Leave,
    SetWind,
    Gain,
    Discard,
    TakeRelic,
    Rob,
    Offer,
    Accept,
    Anchor,
    Decline,
)


# Frozen values are built many times a turn; these keep the few thousand there are.


@cache
def sails_of(player: PlayerId, sea: Sea) -> Mapping[Cell, Sail]:
    """Return a captain's way to each square of a sea."""
    return {cell: Sail(player, cell) for cell in sea.cells}


@cache
def draws_of(deck: Deck) -> Mapping[str, DrawCard]:
    """Return the draw of each bounty card of a deck."""
    return {card: DrawCard(CHANCE, card) for card in deck.bounty_ids}
