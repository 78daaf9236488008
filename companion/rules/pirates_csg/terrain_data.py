"""The terrain that may lie between the islands, with tables of our own (CSG-27).

The die tables of the base game were not found; what stands here is a house ruling.
"""

from __future__ import annotations

from companion.rules.plane import Outline

REEF, FOG, SARGASSO, ICEBERG, WHIRLPOOL = "reef", "fog", "sargasso", "iceberg", "whirlpool"
CHAIN = (REEF, REEF, REEF, FOG, SARGASSO, ICEBERG, WHIRLPOOL, FOG, WHIRLPOOL, ICEBERG)
"""What is laid out: a chain of reefs, then the others (CSG-41)."""
REEF_LOSSES = {1: 2, 2: 2, 3: 1, 4: 1, 5: 0, 6: 0}
"""Masts lost on a reef by what the die shows."""
TERRAIN_OUTLINE_MM: Outline = (
    (-26.0, -14.0),
    (-14.0, -22.0),
    (14.0, -22.0),
    (26.0, -14.0),
    (26.0, 14.0),
    (14.0, 22.0),
    (-14.0, 22.0),
    (-26.0, 14.0),
)
"""Shore of a piece, tag in the middle."""
