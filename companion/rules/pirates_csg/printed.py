"""What is printed on cards that are bought, and how they are listed (CSG-1, CSG-4)."""

from __future__ import annotations

from typing import Any

from companion.rules.deeds import Deed
from companion.rules.pirates_csg.abilities import serving, with_crew
from companion.rules.pirates_csg.actions import DoneBuying, EndTurn, PickFleet
from companion.rules.pirates_csg.deck import ReadyFleet
from companion.rules.pirates_csg.harbour_actions import BuyShip, BuyUpgrade, Hire
from companion.rules.pirates_csg.state import (
    FORT_PREFIX,
    MILITARY,
    SETTLEMENT,
    TRADING,
    State,
    find_island,
    ship_of,
)
from companion.rules.words import counted, listed

_BOUGHT: tuple[type[Deed], ...] = (BuyShip, Hire, DoneBuying, EndTurn)
"""Kinds of actions that come after all others, in this order."""
_BUILDINGS = {
    SETTLEMENT: "Makes an island yours: nobody else loads there.",
    TRADING: "For a settlement: two tokens are traded for one of any kind.",
    MILITARY: "For a settlement: repairs ships, sells ships and crew, has four cannons 3S.",
}
"""What an upgrade is good for that has no card (CSG-63, CSG-68, CSG-71)."""


def printed(state: State, action: Deed) -> str:
    """Return what the card says that an action takes, or ``""``."""
    match action:
        case BuyShip(card=card):
            return _ship(state, card)
        case Hire(ship=ship, card=card):
            return _crewman(state, ship, card)
        case PickFleet(fleet=fleet):
            return _fleet(state, state.deck.fleet[fleet])
        case BuyUpgrade(upgrade=upgrade):
            return _BUILDINGS.get(upgrade) or _fort(state, upgrade)
    return ""


def order(state: State, action: Deed) -> tuple[Any, ...]:
    """Return a key that sorts kind by kind: what ships do, what is bought, and that all is done.

    Ships are bought by their names, crew ship by ship: who serves on her comes first, the rest
    nation by nation.
    """
    rank = (_BOUGHT.index(type(action)) if type(action) in _BOUGHT else -1, action.rank)
    match action:
        case BuyShip(card=card):
            return (*rank, state.deck.ship[card].title)
        case Hire(ship=ship, card=card):
            crewman = state.deck.crewman[card]
            nation = state.deck.nation[crewman.nation].title
            return (*rank, ship, not _serves(state, ship, card), nation, crewman.title)
    return rank


def _ship(state: State, card: str) -> str:
    ship, nations = state.deck.ship[card], state.deck.nation
    masts = counted(ship.masts, "mast", "masts")
    cargo = counted(ship.cargo, "cargo space", "cargo spaces")
    guns = listed(map(str, ship.cannons))
    moves = "+".join(ship.move)
    facts = f"{nations[ship.nation].title}, {masts}, {cargo}, moves {moves}, cannons {guns}."
    return f"{facts} {ship.text}".strip()


def _crewman(state: State, tag: int, card: str) -> str:
    crewman = state.deck.crewman[card]
    text = f"{state.deck.nation[crewman.nation].title}. {crewman.text}".strip()
    if _serves(state, tag, card):
        return text
    return f"{text} Of no use on this ship: she is of another nation (CSG-4)."


def _serves(state: State, tag: int, card: str) -> bool:
    """Say whether somebody would be of use on a ship (CSG-4)."""
    ship = ship_of(state, tag)
    port = find_island(state, ship.docked)
    hired = port is not None and port.building == TRADING
    return card in serving(state, with_crew(ship, card, hired=hired))


def _fort(state: State, upgrade: str) -> str:
    card = state.deck.fort[upgrade.removeprefix(FORT_PREFIX)]
    guns = listed(map(str, card.cannons))
    return f"{state.deck.nation[card.nation].title} fort, cannons {guns}. {card.text}".strip()


def _fleet(state: State, fleet: ReadyFleet) -> str:
    """Return her ships, each with her masts and crew."""
    deck = state.deck
    ships = []
    for name, crew in fleet.ships:
        card = deck.ship[name]
        aboard = [counted(card.masts, "mast", "masts"), *(deck.crewman[c].title for c in crew)]
        ships.append(f"{card.title} ({', '.join(aboard)})")
    return f"{listed(ships)}."
