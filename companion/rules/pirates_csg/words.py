"""Names in plain words, as people at the table say them."""

from __future__ import annotations

from collections.abc import Iterable

from companion.rules.game import Happening, Ruling
from companion.rules.phases import no
from companion.rules.pirates_csg.deck import COLOURS, RESOURCES
from companion.rules.pirates_csg.state import (
    FORT,
    FORT_PREFIX,
    MILITARY,
    SETTLEMENT,
    TRADING,
    Island,
    Ship,
    State,
    card_of,
    find_island,
    find_ship,
    find_terrain,
)
from companion.rules.words import capital, counted, listed

Told = tuple[Happening, ...]
UPGRADE_NAMES = {
    FORT: "fort",
    SETTLEMENT: "settlement",
    TRADING: "trading port",
    MILITARY: "military port",
}


def who(state: State, player: int) -> str:
    """Name a player by the colour of the flag."""
    return COLOURS[player].capitalize() if 0 <= player < len(state.seats) else f"Player {player}"


def ship_name(state: State, ship: Ship) -> str:
    """Name a ship."""
    return card_of(state, ship).title


def island_name(state: State, island: Island) -> str:
    """Name an island by its tag, a home by its owner."""
    if island.home >= 0:
        return f"{who(state, island.home)}'s home island"
    return f"Island {island.tag}"


def name_of(state: State, tag: int) -> str:
    """Name whatever bears a tag."""
    ship = find_ship(state, tag)
    if ship is not None:
        return ship_name(state, ship)
    island = find_island(state, tag)
    if island is not None:
        return island_name(state, island)
    terrain = find_terrain(state, tag)
    if terrain is not None:
        return f"the {terrain.kind} with tag {tag}"
    printed = state.deck.ship_of_tag.get(tag)
    return printed.title if printed else f"tag {tag}"


def gun_name(state: State, tag: int) -> str:
    """Name who shoots or is shot at: a ship, or what stands on an island."""
    island = find_island(state, tag)
    if island is None or not island.building:
        return name_of(state, tag)
    return f"the {UPGRADE_NAMES[island.building]} on {island_name(state, island)}"


def tokens_text(resource: int, count: int) -> str:
    """Say how many tokens: ``"2 fish"``."""
    name = RESOURCES[resource] if 0 <= resource < len(RESOURCES) else f"resource {resource}"
    return f"{count} {name}"


def tokens_listed(tokens: Iterable[int]) -> str:
    """List tokens: ``"2 fish and 1 lumber"``; ``"nothing"``."""
    named = [tokens_text(r, n) for r, n in enumerate(tokens) if n]
    return listed(named) or "nothing"


def upgrade_name(state: State, upgrade: str) -> str:
    """Name an upgrade by its token."""
    if upgrade.startswith(FORT_PREFIX):
        card = state.deck.fort.get(upgrade.removeprefix(FORT_PREFIX))
        return card.title if card else upgrade
    return UPGRADE_NAMES.get(upgrade, upgrade)


def token_of(state: State, upgrade: str) -> str:
    """Name the token of an upgrade: ``"a settlement token"``, ``"the token of Old Walls"``."""
    name = upgrade_name(state, upgrade)
    return f"the token of {name}" if upgrade.startswith(FORT_PREFIX) else f"a {name} token"


def masts_text(count: int) -> str:
    """Say how many masts."""
    return counted(count, "mast", "masts")


def refuse_tag(state: State, tag: int, what: str, rule: str) -> Ruling:
    """Refuse a tag that nothing in play bears."""
    return no(rule, f"{capital(name_of(state, tag))} is no {what} in play.")
