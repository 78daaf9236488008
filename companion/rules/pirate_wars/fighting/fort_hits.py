"""Firing at a fortress and getting into it (PWR-119 to PWR-122)."""

from __future__ import annotations

from typing import NamedTuple

ABSORBED = 1
"""Successes of every cannon that the stone swallows (PWR-119)."""
WRECKING = 3
"""Successes of one cannon with ball that wreck a cannon (PWR-119)."""
STONE = -2
"""Added to the target number of muskets fired at a fortress (PWR-119)."""
CLIMBERS = 1
"""Added to the target number against whoever climbs the wall, from above (PWR-120)."""
DOOR_HITS = 2
"""Ball successes that break the doors (PWR-121)."""


class FortHit(NamedTuple):
    """What one cannon does to a fortress."""

    figures: int
    cannons: int
    """Cannons lost together with their crews."""


def fort_hit(count: int, *, ball: bool) -> FortHit:
    """Return what so many successes of one cannon do to a fortress (PWR-119).

    >>> fort_hit(3, ball=True), fort_hit(3, ball=False), fort_hit(1, ball=True)
    (FortHit(figures=2, cannons=1), FortHit(figures=2, cannons=0), FortHit(figures=0, cannons=0))
    """
    return FortHit(max(0, count - ABSORBED), int(ball and count >= WRECKING))


def inside_losses(losses: int) -> tuple[int, int]:
    """Return what defenders and attackers lose when a cannon fires at them inside (PWR-122).

    They take turns, the defenders first.

    >>> inside_losses(3)
    (2, 1)
    """
    return losses - losses // 2, losses // 2
