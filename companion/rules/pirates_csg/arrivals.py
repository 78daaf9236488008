"""Where a ship has come to: terrain, docks, the end of a hire, a derelict brought in or lost."""

from __future__ import annotations

from dataclasses import replace

from companion.rules.game import Happening, PlayerId, Step
from companion.rules.pirates_csg.abilities import has
from companion.rules.pirates_csg.deck import NOBODY
from companion.rules.pirates_csg.fates import buried, captured, is_at_home, opened, removed
from companion.rules.pirates_csg.sea import bow_touches, hull, islands_touched, ships_touch
from companion.rules.pirates_csg.stages import LosingMast, OnTurn, Setting
from companion.rules.pirates_csg.state import (
    COLONIES,
    DOCKED,
    FORT,
    MILITARY,
    NO_TOKENS,
    RAIDING,
    Island,
    Ship,
    State,
    added,
    did,
    find_island,
    find_ship,
    paid,
    ship_of,
    with_island,
    with_ship,
)
from companion.rules.pirates_csg.terrain import met, out_of_weed
from companion.rules.pirates_csg.words import Told, island_name, ship_name, tokens_listed, who
from companion.rules.plane import XY, distance, place
from companion.rules.tuples import less
from companion.rules.words import listed


def arrive(state: State, tag: int, path: list[XY], before: Ship) -> Step[State]:
    """Return what follows from where a ship ends her move; `before` is how she lay."""
    step = met(state, tag, path, hull(state, before), ())
    state, told = step.state, step.happenings
    ship, stage = find_ship(state, tag), step.state.stage
    is_thrown = isinstance(stage.then if isinstance(stage, LosingMast) else stage, Setting)
    if ship is not None and not ship.lost_in and not is_thrown:
        state, more = come_to(state, ship, before)
        told = (*told, *more)
    state, parted = let_go(out_of_weed(state))
    lifted = opened(state, before.blockade, f"{ship_name(state, before)} leaves: ")
    return Step(state, (*lifted, *told, *parted))


def come_to(state: State, ship: Ship, before: Ship) -> tuple[State, Told]:
    """Return what follows from where a ship has come to lie; `before` is how she lay."""
    tag = ship.tag
    state, told = dock(state, ship, before)
    state, brought = bring_in(state, tag, before)
    told = (*told, *brought)
    if ship_of(state, tag).docked != before.docked:
        state, over = end_service(state, tag)
        told = (*told, *over)
    if find_ship(state, tag) is None:  # Whatever she has met does not matter any more.
        state = state._replace(stage=OnTurn())
    return state, told


def may_dock(state: State, ship: Ship, island: Island) -> bool:
    """Say whether a ship may dock where she touches land (CSG-14, CSG-28, CSG-84)."""
    if island.home >= 0:
        return island.home == ship.owner or has(state, ship, "raider")
    return island.building != FORT or island.owner == ship.owner


def dock(state: State, ship: Ship, before: Ship) -> tuple[State, Told]:
    """Dock a ship at the island she touches (CSG-14); where she was docked she has not left."""
    touched = [i for i in islands_touched(state, ship) if may_dock(state, ship, i)]
    if not touched:
        hired = 2 if ship.hired else 0
        return with_ship(state, replace(ship, hired=hired)), ()
    island = _berth_of(state, ship, before, touched)
    leave, hired, brought = before.leave, ship.hired, before.brought
    blockade = 0 if ship.is_derelict else before.blockade
    if island.tag != before.docked:
        blockade = 0
        brought = ship.tokens if island.home == ship.owner else NO_TOKENS
        leave = RAIDING if island.home not in (NOBODY, ship.owner) else 0
        hired = 2 if hired else 0
        if island.home == NOBODY and DOCKED not in ship.done:
            ship = did(ship, DOCKED)
    ship = replace(ship, docked=island.tag, leave=leave, hired=hired, blockade=blockade)
    text = f"{ship_name(state, ship)} docks at {island_name(state, island)}"
    return with_ship(state, replace(ship, brought=brought)), (Happening(text, "CSG-14"),)


def _berth_of(state: State, ship: Ship, before: Ship, touched: list[Island]) -> Island:
    """Return where she is docked: the nearest, but who turns about has not left (CSG-81)."""
    if distance(place(ship.pose), place(before.pose)) <= state.options.tolerance_mm:
        return next((i for i in touched if i.tag == before.docked), touched[0])
    return touched[0]


def end_service(state: State, tag: int) -> tuple[State, Told]:
    """Let privateers go who have come home or to a port, whosever it is (CSG-85)."""
    ship = ship_of(state, tag)
    island = find_island(state, ship.docked)
    if island is None or not (island.home == ship.owner or island.building in COLONIES):
        return state, ()
    if ship.hired:
        return _dismissed(state, ship, island)
    if not ship.privateers:
        return state, ()
    names = listed(state.deck.crewman[c].title for c in ship.privateers)
    left = ship.crew
    for crew in ship.privateers:
        left = less(left, crew)
    text = f"{names} of {ship_name(state, ship)} did their service and leave"
    state = with_ship(state, replace(ship, crew=left, privateers=()))
    return state, (Happening(text, "CSG-85"),)


def _dismissed(state: State, ship: Ship, island: Island) -> tuple[State, Told]:
    """Let a privateer go with all aboard, to be hired again; her other cargo stays (CSG-85)."""
    treasures = [state.deck.treasure[t].gold for t in ship.treasures]
    coins = (*ship.coins, *(gold for gold in treasures if gold))
    gold = sum(coins)
    cargo = [tokens_listed(ship.tokens)] if any(ship.tokens) else []
    cargo += [f"{gold} gold"] if coins else []
    state = buried(removed(state, ship.tag), ship.treasures)
    banked: tuple[tuple[PlayerId, int], ...] = ()
    if island.home == ship.owner:
        state, coins = paid(state, ship.owner, gold), ()
        banked = ((PlayerId(ship.owner), gold),) if gold else ()
    stock = added(island.stock, ship.tokens)
    coins = tuple(sorted((*island.coins, *coins)))
    state = with_island(state, replace(island, stock=stock, coins=coins))
    text = f"{ship_name(state, ship)} has done her service and leaves with all aboard"
    if cargo:
        text += f"; what stays at {island_name(state, island)}: {listed(cargo)}"
    return state, (Happening(text, "CSG-85", banked),)


def bring_in(state: State, tag: int, before: Ship) -> tuple[State, Told]:
    """Give a derelict that is towed home to the tower; her own is home again (CSG-25).

    Her own may be towed to an own military port, too, to be repaired there (CSG-71). At home the
    tokens of a tow come from elsewhere if the tower does, who lay as `before` (CSG-36).
    """
    ship = ship_of(state, tag)
    prize = find_ship(state, ship.towing)
    if prize is None or not ships_touch(state, ship, prize):
        return state, ()
    is_own, is_home = prize.owner == ship.owner, is_at_home(state, ship)
    if not is_home and not (is_own and _is_own_yard(state, ship)):
        return state, ()
    state = with_ship(state, replace(ship, towing=0))
    if not is_own:
        state = captured(state, prize, ship.owner)
    came = is_home and before.docked != ship.docked
    brought = prize.tokens if came else NO_TOKENS
    prize = replace(ship_of(state, prize.tag), docked=ship.docked, brought=brought)
    state = with_ship(state, prize)
    if is_own:
        return end_service(state, prize.tag)
    text = f"{ship_name(state, prize)} is brought in: she is {who(state, ship.owner)}'s"
    return state, (Happening(text, "CSG-25"),)


def _is_own_yard(state: State, ship: Ship) -> bool:
    """Say whether a ship is docked at a military port of her captain's (CSG-71)."""
    island = find_island(state, ship.docked)
    return island is not None and island.building == MILITARY and island.owner == ship.owner


def let_go(state: State) -> tuple[State, Told]:
    """Cast off tows that are not touched any more, free ships no bow holds (CSG-22, CSG-25)."""
    told: Told = ()
    for ship in state.ships:
        towed = find_ship(state, ship.towing)
        if towed is not None and not ships_touch(state, ship, towed):
            state = with_ship(state, replace(ship_of(state, ship.tag), towing=0))
            text = f"{ship_name(state, towed)} is in tow no more: they do not touch"
            told = (*told, Happening(text, "CSG-25"))
        pins = tuple(t for t in ship.pinned_by if bow_touches(state, ship_of(state, t), ship))
        state = with_ship(state, replace(ship_of(state, ship.tag), pinned_by=pins))
    return state, told
