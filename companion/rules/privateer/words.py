"""Names in plain words, as people at the table say them, and questions put once."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from companion.rules.game import Action, ChanceRoll, Decision, PlayerId
from companion.rules.layout import Cell
from companion.rules.privateer.actions import MERCHANT
from companion.rules.privateer.deck import CaptainCard
from companion.rules.privateer.effects import GOODS, TRACKS
from companion.rules.privateer.state import State
from companion.rules.squares import square_name
from companion.rules.words import listed

WIND_NAMES = {
    "none": "no wind",
    "N": "wind to the north",
    "E": "wind to the east",
    "S": "wind to the south",
    "W": "wind to the west",
}
TRACK_NAMES = {"sails": "Sails", "crew": "Crew", "cannons": "Cannons", "hold": "Hold"}


def begins_with(card: CaptainCard) -> str:
    """Say which steps a captain's ship starts with (PRV-19)."""
    steps = zip(TRACKS, card.steps, strict=True)
    given = listed(f"{TRACK_NAMES[track]} {step}" for track, step in steps if step)
    return f"Begins with {given or 'no steps'}."


def who(state: State, player: int) -> str:
    """Name a player by colour, or by name before the colour is chosen."""
    if 0 <= player < len(state.seats):
        return state.seats[player].colour.capitalize() or state.names[player]
    return "the merchant" if player == MERCHANT else f"Player {player}"


def place(cell: Cell) -> str:
    """Name a square as the printed board does, by letter and number.

    >>> place((7, 1))
    'H2'
    """
    return square_name(cell, first=(0, 0))


def goods_listed(cargo: Iterable[int]) -> str:
    """List goods: ``"2 rum and 1 fruit"``; ``"nothing"``."""
    named = [f"{n} {good}" for n, good in zip(cargo, GOODS, strict=True) if n]
    return listed(named) or "nothing"


def moves_text(cost: int) -> str:
    """Write a cost in half-points as moves.

    >>> moves_text(7), moves_text(1), moves_text(2)
    ('3½ moves', 'half a move', '1 move')
    """
    whole, half = divmod(cost, 2)
    if cost < 3:
        return ("0 moves", "half a move", "1 move")[cost]
    return f"{whole}½ moves" if half else f"{whole} moves"


@lru_cache(maxsize=4096)
def ask(player: PlayerId, phase: str, who_: str, what: str, told: bool = True) -> Decision:
    """Put a question; the same one is the same value, so that it costs nothing to ask again.

    Cards, goods and relics leave no trace on the board, so what is chosen is told by phone, but
    where a piece or a roll shows it.
    """
    return Decision(player, phase, f"{who_}: {what}", told=told)


@lru_cache(maxsize=4096)
def ask_deal(player: PlayerId, phase: str, who_: str, what: str, leave: Action) -> Decision:
    """Ask for deals in a port until the captain leaves; what can be paid is a secret (PRV-7)."""
    return Decision(player, phase, f"{who_}: {what}", leave, told=True, private=True)


@lru_cache(maxsize=4096)
def ask_roll(
    player: PlayerId, phase: str, who_: str, what: str, dice: tuple[str, ...] = ()
) -> ChanceRoll:
    """Ask for a roll, or for a card, which is told by phone."""
    return ChanceRoll(player, phase, f"{who_}: {what}", dice, told=not dice)
