"""Names and lists in plain words, as people at the table say them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from companion.rules.articles_of_war.options import MERCHANT
from companion.rules.articles_of_war.state import State
from companion.rules.game import PlayerId
from companion.rules.hexes import hex_name
from companion.rules.layout import Cell
from companion.rules.words import capital, counted, listed


def colour_name(colour: str) -> str:
    """Name a fleet: ``"Red"``; the merchant is ``"the merchant"``."""
    return "the merchant" if colour == MERCHANT else colour.capitalize()


def ship_of(colour: str) -> str:
    """Name a ship by its fleet: ``"Red's ship"``, ``"the merchant"``."""
    return "the merchant" if colour == MERCHANT else f"{colour.capitalize()}'s ship"


def ship_first(colour: str) -> str:
    """Name a ship where a sentence begins with it: ``"Red's ship"``, ``"The merchant"``."""
    name = ship_of(colour)
    return capital(name)


def who(state: State, player: PlayerId) -> str:
    """Name a player by colour, or by name before it is drawn and with two colours (AOW-70)."""
    colours = state.colours_of(player)
    if len(colours) == 1:
        return colour_name(colours[0])
    return state.names[player] if 0 <= player < len(state.names) else f"Player {player}"


def hexes_listed(cells: Iterable[Cell], last: str = "and") -> str:
    """List hexes by name, row by row."""
    by_row = sorted(cells, key=lambda cell: (cell[1], cell[0]))
    return listed((hex_name(cell) for cell in by_row), last)


def ships_on(cells: Sequence[Cell]) -> str:
    """Name ships by their hexes: ``"the ship on G7"``, ``"the ships on G7 and G9"``."""
    return f"the {'ship' if len(cells) == 1 else 'ships'} on {hexes_listed(cells)}"


def dice_set(sails: int, cannons: int) -> str:
    """Name a set of dice by its numbers."""
    parts = []
    if sails:
        parts.append(counted(sails, "sail die", "sail dice"))
    if cannons:
        parts.append(counted(cannons, "cannonball die", "cannonball dice"))
    return listed(parts)


@cache
def dice_shown(sails: tuple[int, ...], cannons: tuple[int, ...]) -> str:
    """Name rolled dice by their values: ``"sail 2, 3 and cannon 5"``."""
    parts = []
    if sails:
        parts.append("sail " + ", ".join(map(str, sails)))
    if cannons:
        parts.append("cannon " + ", ".join(map(str, cannons)))
    return " and ".join(parts) or "no dice"
