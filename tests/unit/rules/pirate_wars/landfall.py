"""Battles of PirateWars with the optional rules, and captains who make use of them."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot
from random import Random
from typing import Any

from companion.rules.layout import Pose
from companion.rules.pirate_wars.actions import (
    Board,
    Climb,
    Cross,
    Disembark,
    Enter,
    FireGun,
    Haul,
    Lower,
    PlaceShip,
    Raid,
    Sail,
    ShipDeed,
    StrikeSail,
)
from companion.rules.pirate_wars.built.ships import DOT_MM
from companion.rules.pirate_wars.built.vessels import LAUNCH, PARTY
from companion.rules.pirate_wars.fighting.gunnery import DOORS
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
COAST = {"kind": "island", "x_mm": 900, "y_mm": 450, "across_dots": 40, "depth_dots": 0}
CASTLE = {
    "x_mm": 900,
    "y_mm": 450,
    "width_dots": 14,
    "depth_dots": 14,
    "cannons": 1,
    "door_dots": 12,
    "captain": 1,
    "wall_way": "stairs",
    "tower_way": "ladder",
    "tower_floors": 3,
    "tower_cannons": 1,
    "barrels": True,
}
SIEGE: dict[str, object] = {
    "rounds": 12,
    "ships_each": 2,
    "losses": "order",
    "terrain": [COAST],
    "launches": True,
    "forts": [CASTLE],
    "wind": "E",
}
"""A fortress on an island near the second captain's edge, with stairs, a tower and a ladder."""
STORM = (Board, Enter, Climb, Disembark, Lower)
"""What besiegers rather do than anything else, in this order."""
OPTIONAL = (Lower, Disembark, Cross, Haul, StrikeSail, Raid, PlaceShip)
MOST_PIECES = 8
AT_THE_SHORE_MM = 20 * DOT_MM + 48
"""From the middle of the isle: who is so near stays, to go ashore in the next turn."""
AT_THE_WALL_MM = 7 * DOT_MM + 16


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


def storming(random: Random, state: State, actions: Sequence[Any]) -> Any:
    """Choose as captains do of whom the second wants the first one's fortress."""
    own = [action for action in actions if isinstance(action, ShipDeed) and action.player == 1]
    rams = [action for action in own if isinstance(action, FireGun) and action.station == DOORS]
    if rams:
        return random.choice(rams)
    for kind in STORM if random.random() < 0.9 else ():
        found = [action for action in own if type(action) is kind and _is_worth_it(state, action)]
        if found:
            most = max(_figures(action) for action in found)
            return random.choice([action for action in found if _figures(action) == most])
    ways = [action for action in own if isinstance(action, Sail | PlaceShip)]
    going = [way for way in ways if not _waits(state, way)]
    if going:
        return min(going, key=lambda way: _to_fort(state, way))
    return landing(random, state, [action for action in actions if action not in ways])


def _waits(state: State, way: Sail | PlaceShip) -> bool:
    """Tell whether a piece stays: a launch at the shore, whoever is at the wall or within."""
    ship = state.ships[way.ship]
    at_shore = ship.design == LAUNCH.id and _from_fort(ship.pose) <= AT_THE_SHORE_MM
    at_wall = ship.design == PARTY.id and _from_fort(ship.pose) <= AT_THE_WALL_MM
    return isinstance(way, Sail) and (at_shore or at_wall or ship.fort >= 0)


def _figures(action: Any) -> int:
    return sum(count for _, count in getattr(action, "figures", ()))


def _is_worth_it(state: State, action: Any) -> bool:
    """Tell whether storming goes on: boats are lowered near the isle, nobody runs about within."""
    if isinstance(action, Lower):
        return _from_fort(state.ships[action.ship].pose) < 480
    if isinstance(action, Enter):
        return not state.ships[action.ship].moved
    return True


def _to_fort(state: State, way: Sail | PlaceShip) -> tuple[bool, float]:
    """Rank ways: nearer to the fortress, but ships keep off its shore."""
    end = way.path[-1] if isinstance(way, Sail) else way.pose
    keeps = 300 if state.ships[way.ship].design in state.options.designs else 0
    off = _from_fort(end)
    return off < keeps, off


def _from_fort(pose: Pose) -> float:
    return hypot(pose.x_mm - CASTLE["x_mm"], pose.y_mm - CASTLE["y_mm"])
