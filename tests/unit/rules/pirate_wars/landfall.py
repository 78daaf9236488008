"""Battles of PirateWars with the optional rules, and captains who make use of them."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot
from random import Random
from typing import Any

from companion.rules.layout import Pose
from companion.rules.pirate_wars.actions import (
    Cross,
    Disembark,
    Haul,
    Lower,
    PlaceShip,
    Raid,
    Sail,
    StrikeSail,
)
from companion.rules.pirate_wars.built.ships import DOT_MM
from companion.rules.pirate_wars.state import State
from tests.unit.rules.pirate_wars.squadron import lively

ISLE = {"kind": "island", "x_mm": 700, "y_mm": 500, "across_dots": 40, "depth_dots": 0}
ISLES = [
    ISLE,
    {"kind": "reef", "x_mm": 300, "y_mm": 900, "across_dots": 30, "depth_dots": 8},
    {"kind": "reef", "x_mm": 1200, "y_mm": 250, "across_dots": 30, "depth_dots": 4},
]
FORT = {
    "x_mm": 700,
    "y_mm": 500,
    "width_dots": 12,
    "depth_dots": 12,
    "cannons": 2,
    "door_dots": 0,
    "captain": 1,
}
PEOPLE = {
    "kind": "islanders",
    "island": 1,
    "plates": 1,
    "small_plates": 0,
    "archers": 0,
    "treasure": 4,
    "cannons": 0,
    "boat": "canoe",
    "boats": 0,
    "captain": 1,
}
OPTIONAL = (Lower, Disembark, Cross, Haul, StrikeSail, Raid, PlaceShip)
MOST_PIECES = 8
AT_THE_SHORE_MM = 20 * DOT_MM + 48
"""From the middle of the isle: who is so near stays, to go ashore in the next turn."""


def landing(random: Random, state: State, actions: Sequence[Any]) -> Any:
    """Choose what the optional rules offer as often as all the rest; launches row to the isle."""
    new = [action for action in actions if isinstance(action, OPTIONAL)]
    if new and len(state.ships) < MOST_PIECES and random.random() < 0.5:
        kind = random.choice(sorted({type(action) for action in new}, key=lambda k: k.rank))
        return random.choice([action for action in new if type(action) is kind])
    launches = [
        a for a in actions if isinstance(a, Sail) and state.ships[a.ship].design == "launch"
    ]
    rows = [a for a in launches if not _is_at_the_shore(state, a.ship)]
    if rows and random.random() < 0.7:
        return min(rows, key=lambda row: _from_isle(row.path[-1]))
    waiting = [a for a in launches if a not in rows]
    return lively(random, state, [a for a in actions if a not in waiting])


def _is_at_the_shore(state: State, number: int) -> bool:
    return _from_isle(state.ships[number].pose) <= AT_THE_SHORE_MM


def _from_isle(pose: Pose) -> float:
    return hypot(pose.x_mm - ISLE["x_mm"], pose.y_mm - ISLE["y_mm"])
