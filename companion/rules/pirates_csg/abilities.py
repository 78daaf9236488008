"""What ships can do: who serves aboard, what fits into the hold, which actions are left."""

from __future__ import annotations

from dataclasses import replace

from companion.rules.pirates_csg.deck import NOBODY
from companion.rules.pirates_csg.state import (
    ACTIONS,
    DOCKED,
    EXPLORE,
    MOST_OF_A_KIND,
    MOVE,
    SHOOT,
    Ship,
    State,
    card_of,
    find_island,
)
from companion.rules.tuples import less


def _is_native(state: State, ship: Ship, crew: str) -> bool:
    card = state.deck.crewman[crew]
    return card.nation == card_of(state, ship).nation or card.has("any_nation")


def only_hired(state: State, ship: Ship) -> tuple[str, ...]:
    """Return those who serve aboard another nation's ship for as long as a hire lasts (CSG-85).

    Privateers count as members of the nation that hires them, and that is a major one: hired crew
    serves on its ships, its crew on ships that it has hired.
    """
    nations, crewmen = state.deck.nation, state.deck.crewman
    ours = ship.hired > 0 or not nations[card_of(state, ship).nation].is_minor
    found = ship.privateers if ours else ()
    if ship.hired:
        found += tuple(c for c in ship.crew if not nations[crewmen[c].nation].is_minor)
    return tuple(c for c in found if not _is_native(state, ship, c))


def serving(state: State, ship: Ship) -> tuple[str, ...]:
    """Return the crew whose abilities work aboard a ship (CSG-4, CSG-85)."""
    if not ship.crew:
        return ()
    natives = tuple(c for c in ship.crew if _is_native(state, ship, c))
    return natives + only_hired(state, ship)


def with_crew(ship: Ship, crew: str, *, hired: bool) -> Ship:
    """Return a ship with one more aboard; `hired`: in a trading port (CSG-85)."""
    privateers = tuple(sorted((*ship.privateers, crew))) if hired else ship.privateers
    return replace(ship, crew=tuple(sorted((*ship.crew, crew))), privateers=privateers)


def without_crew(ship: Ship, crew: str) -> Ship:
    """Return a ship with one less aboard: of two alike not the one that was hired."""
    left = less(ship.crew, crew)
    privateers = ship.privateers
    if privateers.count(crew) > left.count(crew):
        privateers = less(privateers, crew)
    return replace(ship, crew=left, privateers=privateers)


def has(state: State, ship: Ship, do: str) -> bool:
    """Say whether a ship or somebody who serves aboard has an ability."""
    if card_of(state, ship).has(do):
        return True
    crewmen = state.deck.crewman
    return any(crewmen[c].has(do) for c in serving(state, ship))


def amount(state: State, ship: Ship, do: str) -> int:
    """Return the sum of what a ship's and her crew's abilities of a kind name."""
    crewmen = state.deck.crewman
    crew = sum(crewmen[c].amount(do) for c in serving(state, ship))
    return card_of(state, ship).amount(do) + crew


def space(state: State, ship: Ship) -> int:
    """Return the cargo spaces that are free (CSG-4, CSG-35, CSG-60)."""
    crewmen = state.deck.crewman
    crew = len(ship.crew) - sum(crewmen[c].has("oarsman") for c in serving(state, ship))
    things = len(ship.coins) + len(ship.treasures) + len(ship.upgrades)
    return card_of(state, ship).cargo - crew - things - sum(ship.tokens)


def room_for(state: State, ship: Ship, resource: int) -> int:
    """Return how many more tokens of a resource she takes (CSG-35)."""
    return max(0, min(space(state, ship), MOST_OF_A_KIND - ship.tokens[resource]))


def slots_used(state: State, ship: Ship, *more: str) -> int:
    """Return how many actions she has used, or would have with more.

    A captain makes one of a move and a shooting (CSG-5, CSG-9).
    """
    done = [*ship.done, *more]
    used = sum(what in ACTIONS for what in done)
    return used - min(done.count(MOVE), done.count(SHOOT)) * has(state, ship, "captain")


def may_act(state: State, ship: Ship, what: str) -> bool:
    """Say whether she may still be given an action this turn (CSG-9)."""
    if ship.barred or ship.owner != state.turn:
        return False
    return slots_used(state, ship, what) <= 1 + _does_again(state, ship, what)


def _does_again(state: State, ship: Ship, what: str) -> bool:
    """Say whether an action would be her second one, as a die has given it (CSG-6).

    Who may do the same again does what she has done; a captain's move and shot are one (CSG-5).
    """
    done, same = (*ship.done, what), {ship.extra}
    if same < {MOVE, SHOOT} <= {*ship.done} and has(state, ship, "captain"):
        same = {MOVE, SHOOT}
    return ship.extra == "any" or any(done.count(kind) > 1 for kind in same)


def explores_freely(state: State, ship: Ship) -> bool:
    """Say whether an explorer may explore where she has docked with the same action (CSG-5)."""
    island = find_island(state, ship.docked)
    is_wild = island is not None and island.home == NOBODY
    landed = is_wild and {MOVE, DOCKED} <= {*ship.done} and not ship.barred
    return landed and state.options.explorer_keeps_base and has(state, ship, "explorer")


def actions_left(state: State, ship: Ship) -> list[str]:
    """Return the kinds of action that she may still be given this turn (CSG-5, CSG-9).

    Who is lost in fog can do nothing but come out of it for a move (CSG-27).
    """
    free = ship.owner == state.turn and explores_freely(state, ship)
    kinds = (MOVE,) if ship.lost_in else ACTIONS
    return [what for what in kinds if may_act(state, ship, what) or (free and what == EXPLORE)]
