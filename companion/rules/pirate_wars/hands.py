"""Picking idle hands for a task that anybody who sails can do."""

from __future__ import annotations

from companion.rules.pirate_wars.crew import Crew, changed, fall_rank, of, picked
from companion.rules.pirate_wars.pieces import Ship


def idle_hands(ship: Ship, count: int) -> Crew:
    """Return so many figures without a task who sail; plain hands first, fewer if there are."""
    free = of(ship.crew, lambda hand: not hand.busy and hand.figure.can_sail)
    return picked(free, count, fall_rank)


def tasked(ship: Ship, count: int) -> Ship:
    """Return the ship with so many of them at a task."""
    busy = changed(ship.crew, idle_hands(ship, count), lambda hand: hand._replace(busy=True))
    return ship._replace(crew=busy)
