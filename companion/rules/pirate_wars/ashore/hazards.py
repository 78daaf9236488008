"""Alligators and snares, which lie in wait in the Morale phase (PWR-137)."""

from __future__ import annotations

from companion.rules.pirate_wars.built.figures import kind
from companion.rules.pirate_wars.crew import Crew, fall_rank, picked

WATER_EDGE = 4
"""Alligators reach figures within so many dots of the water."""
TAKEN = 6
"""The face that means eaten, or trapped."""


def alligator_can_reach(figure: str, dots_to_water: float) -> bool:
    """Tell whether alligators may come for a figure: no islander, near the water (PWR-137)."""
    return "islander" not in kind(figure).sides and dots_to_water <= WATER_EDGE


def taken(crew: Crew, count: int) -> Crew:
    """Return whom it befalls: plain hands first, the Pirate Captain last of all (PWR-95)."""
    return picked(crew, count, lambda hand: (hand.figure.lives_to_the_last, fall_rank(hand)))


def lost_in_snares(trapped: int, free: int) -> int:
    """Return the figures lost: all that hang in snares once nobody free is ashore (PWR-137)."""
    return 0 if free else trapped
