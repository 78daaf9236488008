"""Positions in mid-play in which much is going on, for random play to begin at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from companion.rules.pirates_csg.sea import pose_with_bow
from tests.unit.rules.pirates_csg.shipyard import TAG, Cruise, at_sea


def ports() -> Cruise:
    """Return settlements, ports of both kinds and a fort, with ships docked at each other's."""
    return at_sea(
        {
            "midnight": {"docked": 102, "tokens": {"fish": 2, "lumber": 1}, "coins": (3,)},
            "black-gull": {"docked": 103, "tokens": {"spices": 1}, "upgrades": ("settlement",)},
            "steadfast": {"owner": 1, "docked": 104, "tokens": {"metals": 3}, "masts": 2},
            "grey-heron": {"owner": 1, "docked": 102, "crew": ("english-explorer",)},
            "bargain": {"docked": 105},
        },
        {
            102: {"building": "trading", "owner": 1, "resource": 3, "stock": {"fish": 2}},
            103: {"building": "settlement", "owner": 1, "resource": 4, "camps": (0, 1)},
            104: {"building": "military", "owner": 0, "resource": 0, "camps": (0, 1)},
            105: {"building": "fort", "owner": 0, "fort": "smugglers", "coins": (2,)},
            106: {"resource": 1, "camps": (0,), "coins": (1, 4)},
        },
        gold=(25, 25),
    )


def battle() -> Cruise:
    """Return ships side by side, one of them a derelict, with gold aboard."""
    return at_sea(
        {
            "widowmaker": {
                "bow": (500, 300),
                "crew": ("pirate-cannoneer",),
                "coins": (5,),
                "towing": TAG["rat"],
            },
            "black-gull": {"bow": (500, 336), "crew": ("pirate-captain",), "coins": (2,)},
            "rat": {"bow": (423, 300), "masts": 0, "tokens": {"fish": 2}},
            "lady-of-kent": {"owner": 1, "bow": (565, 312), "heading": 180.0, "coins": (4,)},
            "tern": {
                "owner": 1,
                "bow": (470, 270),
                "masts": 0,
                "tokens": {"lumber": 1},
                "treasures": ("silver-mask",),
            },
            "steadfast": {
                "owner": 1,
                "bow": (560, 345),
                "heading": 190.0,
                "crew": ("harriet-stone",),
                "masts": (0, 2),
            },
        },
        gold=(3, 2),
    )


def raid() -> Cruise:
    """Return raiders at an enemy's full home island, and a blockade."""
    return at_sea(
        {
            "midnight": {"docked": 101, "leave": 1},
            "crescent": {"docked": 103, "hired": 1},
            "rat": {"docked": 103, "blockade": 0},
            "gaviota": {"owner": 1, "docked": 103, "blockade": 103, "crew": ("spanish-captain",)},
            "santa-clara": {"owner": 1, "crew": ("brother-luis",), "docked": 104},
        },
        {
            101: {"stock": {"fish": 3, "luxuries": 2}},
            103: {"building": "trading", "owner": 0, "resource": 2, "stock": {"metals": 3}},
            104: {"resource": 5, "camps": (0, 1)},
        },
        gold=(12, 9),
    )


def workshop() -> Cruise:
    """Return ships with abilities: second actions, first hits, explorers, wrights."""
    return at_sea(
        {
            "triomphe": {"docked": 104, "masts": 2},
            "fortune": {"docked": 103, "crew": ("mercenary-explorer",)},
            "lotus": {"bow": (600, 450)},
            "hercules": {"owner": 1, "bow": (700, 450), "heading": 180.0, "masts": 3},
            "corona": {"owner": 1, "tokens": {"fish": 1}, "treasures": ("ruby-eye",), "masts": 4},
        },
        {104: {"hidden": 1}, 105: {"hidden": 1}},
        gold=(14, 30),
        treasures=2,
    )


def storm() -> Cruise:
    """Return ships among the terrain."""
    cruise = at_sea(
        {
            "steadfast": {"bow": (400, 300)},
            "tern": {"bow": (500, 300)},
            "mouette": {"owner": 1, "bow": (600, 300)},
            "hirondelle": {"owner": 1, "bow": (500, 700)},
            "minnow": {"owner": 1, "bow": (600, 700)},
            "bargain": {"bow": (700, 700)},
        },
        gold=(10, 10),
        terrain=True,
    )
    state = cruise.state
    moved = []
    for ship, terrain in zip(state.ships, state.terrain[2:7], strict=False):
        moved.append(_beside(state, ship, terrain))
    fog = next(t for t in state.terrain if t.kind == "fog")
    lost = replace(state.ships[-1], lost_in=fog.tag)
    return Cruise(state._replace(ships=(*moved, lost)))


def _beside(state, ship, terrain):

    card = state.deck.ship[ship.card]
    pose = pose_with_bow(card, (terrain.pose.x_mm - 45, terrain.pose.y_mm), 0)
    return replace(ship, pose=pose)


def siege() -> Cruise:
    """Return ships docked at the settlements and colonies of others."""
    return at_sea(
        {
            "steadfast": {"docked": 102},
            "lady-of-kent": {"docked": 103},
            "triomphe": {"owner": 1, "docked": 104},
            "sea-wolf": {"owner": 1, "docked": 105},
        },
        {
            102: {"building": "settlement", "owner": 1, "resource": 1},
            103: {"building": "military", "owner": 1, "resource": 2},
            104: {"building": "settlement", "owner": 0, "resource": 3},
            105: {"building": "trading", "owner": 0, "resource": 4, "stock": {"fish": 1}},
        },
        gold=(6, 6),
    )


WARS: dict[str, Callable[[], Cruise]] = {
    "ports": ports,
    "battle": battle,
    "raid": raid,
    "workshop": workshop,
    "siege": siege,
    "storm": storm,
}
