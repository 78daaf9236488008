"""Where a ship has come to: terrain, docks, the end of a hire, a derelict brought in."""

from __future__ import annotations

from dataclasses import replace

from companion.rules.game import Happening, PlayerId, Step
from companion.rules.pirates_csg.fates import buried, captured, is_at_home, removed
from companion.rules.pirates_csg.sea import islands_touched
from companion.rules.pirates_csg.state import (
    COLONIES,
    FORT,
    Island,
    Ship,
    State,
    added,
    find_ship,
    has,
    paid,
    ship_of,
    with_island,
    with_ship,
)
from companion.rules.pirates_csg.terrain import met
from companion.rules.pirates_csg.words import Told, island_name, ship_name, tokens_listed, who
from companion.rules.plane import XY, Outline


def arrive(state: State, tag: int, path: list[XY], before: Outline, told: Told = ()) -> Step[State]:
    """Return what follows from where a ship ends her move; `before` is where her hull lay."""
    step = met(state, tag, path, before, told)
    ship = find_ship(step.state, tag)
    if ship is None or ship.lost_in:
        return step
    docked, told = dock(step.state, ship)
    state, more = bring_in(docked, tag)
    return Step(state, (*step.happenings, *told, *more))


def may_dock(state: State, ship: Ship, island: Island) -> bool:
    """Say whether a ship may dock where she touches land (CSG-14, CSG-28, CSG-84)."""
    if island.home >= 0:
        return island.home == ship.owner or has(state, ship, "raider")
    return island.building != FORT or island.owner == ship.owner


def dock(state: State, ship: Ship) -> tuple[State, Told]:
    """Dock a ship at the island she touches (CSG-14); hired ships' service may end (CSG-85)."""
    touched = [i for i in islands_touched(state, ship) if may_dock(state, ship, i)]
    if not touched:
        hired = 2 if ship.hired else 0
        return with_ship(state, replace(ship, hired=hired)), ()
    island = touched[0]
    leave = int(island.home >= 0 and island.home != ship.owner)
    docked = replace(ship, docked=island.tag, leave=leave)
    text = f"{ship_name(state, ship)} docks at {island_name(state, island)}"
    told: Told = (Happening(text, "CSG-14"),)
    state = with_ship(state, docked)
    own_port = island.building in COLONIES and island.owner == ship.owner
    if ship.hired and (island.home == ship.owner or own_port):
        state, more = _dismissed(state, docked, island)
        return state, (*told, *more)
    return state, told


def _dismissed(state: State, ship: Ship, island: Island) -> tuple[State, Told]:
    """Let a privateer go with all aboard; her other cargo stays there (CSG-85)."""
    treasures = [state.deck.treasure[t].gold for t in ship.treasures]
    coins = (*ship.coins, *(gold for gold in treasures if gold))
    state = buried(removed(state, ship.tag), [*ship.crew, *ship.treasures])
    if island.home == ship.owner:
        state, coins = paid(state, ship.owner, sum(coins)), ()
    stock = added(island.stock, ship.tokens)
    coins = tuple(sorted((*island.coins, *coins)))
    state = with_island(state, replace(island, stock=stock, coins=coins))
    text = f"{ship_name(state, ship)} has done her service and leaves with all aboard"
    if any(ship.tokens):
        text += f"; {tokens_listed(ship.tokens)} stay at {island_name(state, island)}"
    return state, (Happening(text, "CSG-85", _gold(ship, island, state, treasures)),)


def _gold(
    ship: Ship, island: Island, state: State, treasures: list[int]
) -> tuple[tuple[PlayerId, int], ...]:
    gold = sum(ship.coins) + sum(treasures)
    return ((PlayerId(ship.owner), gold),) if gold and island.home == ship.owner else ()


def bring_in(state: State, tag: int) -> tuple[State, Told]:
    """Give a derelict that is towed home to the tower (CSG-25)."""
    ship = find_ship(state, tag)
    if ship is None or not ship.towing or not is_at_home(state, ship):
        return state, ()
    prize = ship_of(state, ship.towing)
    text = f"{ship_name(state, prize)} is brought in: she is {who(state, ship.owner)}'s"
    told: Told = () if prize.owner == ship.owner else (Happening(text, "CSG-25"),)
    state = captured(state, prize, ship.owner)
    brought = ship_of(state, prize.tag)
    return with_ship(state, replace(brought, docked=ship.docked)), told
