"""Alligators and snares, which lie in wait in the Morale phase (PWR-137)."""

from __future__ import annotations

from companion.rules.pirate_wars.built.figures import kind

WATER_EDGE = 4
"""Alligators reach figures within so many dots of the water."""
TAKEN = 6
"""The face that means eaten, or trapped."""


def alligator_can_reach(figure: str, dots_to_water: float) -> bool:
    """Tell whether alligators may come for a figure: no islander, near the water (PWR-137)."""
    return "islander" not in kind(figure).sides and dots_to_water <= WATER_EDGE


def eaten_order(figures: tuple[tuple[str, int], ...], count: int) -> tuple[tuple[str, int], ...]:
    """Return who is eaten: the Pirate Captain last of all, as by sharks (PWR-95, PWR-137).

    >>> eaten_order((("pirate", 1), ("pirate-captain", 1)), 1)
    (('pirate', 1),)
    """

    def last(group: tuple[str, int]) -> tuple[bool, str]:
        return kind(group[0]).lives_to_the_last, group[0]

    gone = []
    for name, there in sorted(figures, key=last):
        falling = min(there, count)
        if falling:
            gone.append((name, falling))
        count -= falling
    return tuple(sorted(gone))


def lost_in_snares(trapped: int, free: int) -> int:
    """Return the figures lost: all that hang in snares once nobody free is ashore (PWR-137)."""
    return 0 if free else trapped
