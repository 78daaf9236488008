"""Figures ashore: what ways cost, what hides them, who survives a fall (PWR-123 to PWR-126)."""

from __future__ import annotations

from typing import NamedTuple

STAIR_COST = 2
"""Dots of movement for each dot on stairs (PWR-124)."""
LADDER_COST = 12
"""Dots of movement for each level of a ladder (PWR-124)."""
RAMP_COST = 18
"""The ramp of a mountain base; it is walked as a whole or not at all (PWR-124)."""
INTO_BUILDING = -2
"""Added to the target number of whoever fires into a building from outside (PWR-126)."""
PARTLY_HIDDEN = -1
"""Added against figures behind parapets, barrels and the like (PWR-126)."""
OPEN_GROUND_SHOT = 2
"""Figures killed by each success of a cannon with shot on open ground or in launches (PWR-126)."""


class Walk(NamedTuple):
    """A way on land, dots and levels."""

    flat: float = 0
    stairs: float = 0
    levels: int = 0
    ramps: int = 0

    @property
    def cost(self) -> float:
        """Return the movement it takes (PWR-124).

        >>> Walk(flat=4, stairs=4, levels=1).cost
        24
        """
        return (
            self.flat
            + STAIR_COST * self.stairs
            + LADDER_COST * self.levels
            + RAMP_COST * self.ramps
        )


def open_ground_losses(count: int) -> int:
    """Return the figures that so many successes with shot kill in the open (PWR-126)."""
    return OPEN_GROUND_SHOT * count
