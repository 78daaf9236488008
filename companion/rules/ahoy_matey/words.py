"""Names in plain words, as people at the table say them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from companion.rules.ahoy_matey.options import DIE
from companion.rules.ahoy_matey.position import Stack
from companion.rules.ahoy_matey.sea import board_of
from companion.rules.ahoy_matey.state import State
from companion.rules.dice import face_name
from companion.rules.game import PlayerId
from companion.rules.layout import Cell
from companion.rules.squares import square_name
from companion.rules.words import listed


@cache
def fleet_name(colour: str) -> str:
    """Name a fleet.

    >>> fleet_name("suns"), fleet_name("suns2")
    ('Suns', 'Suns II')
    """
    first = colour.removesuffix("2")
    return first.capitalize() if first == colour else f"{first.capitalize()} II"


def who(state: State, player: PlayerId) -> str:
    """Name a player by their only fleet, or by name where they command several."""
    if not 0 <= player < len(state.names):
        return f"Player {player}"
    fleets = state.fleets_under(player)
    if len(fleets) != 1:
        return state.names[player]
    return fleet_name(fleets[0].colour)


def ships_of(stack: Stack) -> str:
    """Name the ships on a square: ``"a ship of Suns"``, ``"2 ships of Suns"``."""
    count = "a ship" if stack.size == 1 else f"{stack.size} ships"
    return f"{count} of {fleet_name(stack.fleet)}"


def ships_are(stack: Stack) -> str:
    """Say that ships are somewhere: ``"a ship of Suns is"``, ``"2 ships of Suns are"``."""
    return f"{ships_of(stack)} {'is' if stack.size == 1 else 'are'}"


def place(state: State, cell: Cell) -> str:
    """Name a square as people point at it: ``"C6"``, ``"the north harbour"``."""
    return state.options.sea.name(cell)


def island(state: State, cell: Cell) -> str:
    """Name the island that a square is on: ``"Skull Island"``, ``"Skull Island of board 2"``."""
    which = f" of board {board_of(cell) + 1}" if state.options.boards > 1 else ""
    return f"Skull Island{which}"


def places(state: State, cells: Iterable[Cell], last: str = "and") -> str:
    """List squares by name, sorted."""
    return listed((place(state, cell) for cell in sorted(cells)), last)


def at(state: State, cell: Cell) -> str:
    """Say where a ship is: ``"on C6"``, ``"in the north harbour"``."""
    name = place(state, cell)
    return f"{'on' if name == square_name(cell) else 'in'} {name}"


def at_each(state: State, cells: Iterable[Cell], last: str = "and") -> str:
    """Say where several ships are, sorted: ``"on C6 and in the straits"``."""
    return listed((at(state, cell) for cell in sorted(cells)), last)


def faces(dice: Iterable[int], last: str = "and") -> str:
    """Name dice by what they show: ``"null, ace and 4"`` (AHM-1)."""
    return listed((face_name(DIE.id, face) for face in dice), last)


def going_on(state: State) -> str:
    """Say what follows once the dice are used and no treasure is taken (AHM-V10)."""
    return "roll again" if state.rolls_again else "end the turn"


def dice_shown(state: State) -> str:
    """Name the dice left to be used, or say that there are none."""
    return faces(state.dice) or "nothing more"
