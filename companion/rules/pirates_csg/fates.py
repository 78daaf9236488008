"""How ships come into play and leave it, and change hands."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from companion.rules.game import Happening
from companion.rules.pirates_csg.abilities import only_hired, without_crew
from companion.rules.pirates_csg.deck import NOBODY
from companion.rules.pirates_csg.state import (
    NEW,
    NO_TOKENS,
    Island,
    Ship,
    State,
    find_island,
    forts_among,
    home_of,
    with_ship,
)
from companion.rules.pirates_csg.words import Told, island_name
from companion.rules.tuples import less


def buried(state: State, cards: Iterable[str]) -> State:
    """Return the state after unique cards have left the game (CSG-32, CSG-33)."""
    deck = state.deck
    lost = set()
    for card in cards:
        known = deck.ship.get(card) or deck.fort.get(card) or deck.crewman.get(card)
        is_generic = card in deck.crewman and deck.crewman[card].is_generic
        returns = known is not None and known.has("returns")
        if not is_generic and not returns:
            lost.add(card)
    return state._replace(gone=tuple(sorted({*state.gone, *lost})))


def removed(state: State, tag: int) -> State:
    """Return the state without a ship; whoever held on to her lets go."""
    rest = []
    for ship in state.ships:
        if ship.tag == tag:
            continue
        if ship.towing == tag:
            ship = replace(ship, towing=0)
        if tag in ship.pinned_by:
            ship = replace(ship, pinned_by=less(ship.pinned_by, tag))
        rest.append(ship)
    return state._replace(ships=tuple(rest))


def sunk(state: State, ship: Ship) -> State:
    """Return the state after a ship has gone down with crew and cargo (CSG-20, CSG-60)."""
    lost = [ship.card, *ship.crew, *ship.treasures, *forts_among(ship.upgrades)]
    return buried(removed(state, ship.tag), lost)


def captured(state: State, ship: Ship, seat: int) -> State:
    """Return the state after a ship has got a new owner; whoever towed her lets go.

    Who only served aboard because of a hire leaves with it (CSG-85).
    """
    for crew in only_hired(state, ship):
        ship = without_crew(ship, crew)
    ship = replace(ship, owner=seat, hired=0, privateers=(), barred=NEW, is_prize=True)
    ship = replace(ship, towing=0, blockade=0, leave=0, pinned_by=(), brought=NO_TOKENS)
    return with_ship(removed(state, ship.tag), ship)


def is_blockaded(state: State, island: Island) -> bool:
    """Say whether a ship blockades a port (CSG-81)."""
    return any(ship.blockade == island.tag for ship in state.ships)


def opened(state: State, tag: int, why: str = "") -> Told:
    """Say so if nobody blockades a port any more, which somebody has blockaded (CSG-81)."""
    port = find_island(state, tag)
    if port is None or is_blockaded(state, port):
        return ()
    return (Happening(f"{why}{island_name(state, port)} is open again", "CSG-81"),)


def unexplored(island: Island) -> Island:
    """Return an island that nobody has explored; what lies there stays (CSG-66, CSG-82).

    So do upgrades that wait there, but they find no encampment when they are to be built (CSG-60).
    """
    return replace(
        island,
        resource=NOBODY,
        camps=(),
        building="",
        owner=NOBODY,
        fort="",
        guns=(),
        hits=0,
        has_fired=False,
    )


def is_at_home(state: State, ship: Ship) -> bool:
    """Say whether a ship is docked at her own home island."""
    return ship.docked == home_of(state, ship.owner).tag
