"""Battles of PirateWars with the optional rules, and captains who make use of them."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot
from random import Random
from typing import Any

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


def landing(random: Random, state: State, actions: Sequence[Any]) -> Any:
    """Choose what the optional rules offer as often as all the rest; launches row to the isle."""
    new = [action for action in actions if isinstance(action, OPTIONAL)]
    if new and len(state.ships) < MOST_PIECES and random.random() < 0.5:
        kind = random.choice(sorted({type(action) for action in new}, key=lambda k: k.rank))
        return random.choice([action for action in new if type(action) is kind])
    rows = [a for a in actions if isinstance(a, Sail) and state.ships[a.ship].design == "launch"]
    if rows and random.random() < 0.7:
        x, y = ISLE["x_mm"], ISLE["y_mm"]
        return min(rows, key=lambda a: hypot(a.path[-1].x_mm - x, a.path[-1].y_mm - y))
    return lively(random, state, actions)
