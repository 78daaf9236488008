"""What a launch carries (PWR-115, PWR-116)."""

from __future__ import annotations

from companion.rules.pirate_wars.built.vessels import Launch
from companion.rules.pirate_wars.crew import crew_size
from companion.rules.pirate_wars.pieces import Ship
from companion.rules.pirate_wars.state import State, design_of

A_CHEST_SEATS, A_CANNON_SEATS = 2, 4
"""Seats that a chest or barrel and a cannon take."""
MANY = 1000
"""More chests than there are."""


def seats_taken(figures: int, chests: int, cannons: int = 0) -> int:
    """Return the seats that figures and loot take (PWR-115).

    >>> seats_taken(3, 2), seats_taken(3, 0, 1)
    (7, 7)
    """
    return figures + A_CHEST_SEATS * chests + A_CANNON_SEATS * cannons


def has_room(
    state: State, number: int, figures: int = 0, chests: int = 0, cannons: int = 0
) -> bool:
    """Tell whether a piece can take more aboard; only launches are ever full."""
    design, ship = design_of(state, number), state.ships[number]
    if not isinstance(design, Launch):
        return True
    return loaded(ship) + seats_taken(figures, chests, cannons) <= design.seats


def chests_that_fit(state: State, number: int, figures: int) -> int:
    """Return how many chests a piece can take aboard beside so many figures more."""
    design, ship = design_of(state, number), state.ships[number]
    if not isinstance(design, Launch):
        return MANY
    return max(design.seats - loaded(ship) - figures, 0) // A_CHEST_SEATS


def loaded(ship: Ship) -> int:
    """Return the seats that are taken."""
    return seats_taken(crew_size(ship.crew), ship.chests, ship.stowed)
