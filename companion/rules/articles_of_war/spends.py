"""Which dice may be spent on which ships (AOW-26 to 31), and where they would lead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import NamedTuple

from companion.rules.articles_of_war.actions import (
    Fire,
    FireByGambit,
    Sail,
    SailByGambit,
    fire,
    sail,
)
from companion.rules.articles_of_war.cards import ON_CANNON, ON_SAIL
from companion.rules.articles_of_war.gambits import ready
from companion.rules.articles_of_war.ocean import DESERT, REEF, VOLCANO
from companion.rules.articles_of_war.state import (
    DONE,
    FIRED,
    FRESH,
    TAKEN,
    Ship,
    State,
)
from companion.rules.articles_of_war.words import colour_name, dice_shown, hexes_listed, ship_of
from companion.rules.game import Ruling
from companion.rules.hexes import DIRECTION_NAMES, hex_name, opposite, step
from companion.rules.layout import Cell
from companion.rules.phases import no
from companion.rules.words import listed

SEA, BOARD, EDGE = "sea", "board", "edge"
"""Ends of a course besides the islands: on open sea or a reef, at an enemy, off the map."""
BY_GAMBIT = (SailByGambit, FireByGambit)


class Muster(NamedTuple):
    """Dice left and ships that still want some."""

    sails: int
    cannons: int
    fresh: int
    """Ships that want two dice, one of them a sail."""
    sailed: int
    """Ships that have had a sail and want any die."""
    fired: int
    """Ships that have fired and want a sail."""

    def suffices(self) -> bool:
        """Say whether the dice can still give every ship its two (AOW-27)."""
        must_sail = self.fresh + self.fired
        wanted = 2 * self.fresh + self.sailed + self.fired
        # With the sails that must be, every other place takes either kind.
        return self.sails >= must_sail and self.sails + self.cannons >= wanted

    def spares_a_sail(self) -> bool:
        """Say whether a sail is left for a ship that has had one already (AOW-28).

        Nothing else strands a die: any other spend takes away one die and one place for it.
        """
        return self.sails > self.fresh + self.fired


def muster(state: State) -> Muster:
    """Count the dice and the ships of the fleet on turn."""
    duties = [ship.duty for ship in state.ships if ship.colour == state.fleet.colour]
    fresh, fired = duties.count(FRESH), duties.count(FIRED)
    idle = duties.count(DONE) + duties.count(TAKEN)
    sailed = len(duties) - fresh - fired - idle
    return Muster(len(state.sails), len(state.cannons), fresh, sailed, fired)


def duty_after_sail(duty: int, direction: int) -> int:
    """Return what a ship is once it has spent a sail."""
    return direction if duty == FRESH else DONE


def duty_after_shot(duty: int) -> int:
    """Return what a ship is once it has spent a cannonball."""
    return FIRED if duty == FRESH else DONE


def landfall(
    state: State, occupied: Mapping[Cell, str], ship: Ship, length: int, direction: int
) -> tuple[Cell, str]:
    """Return the hex where a sail ends and how, if no reef sinks the ship on the way."""
    course = state.ocean.course(ship.cell, direction, length)
    for cell in course.open:
        other = occupied.get(cell)
        if other and state.are_enemies(ship.colour, other):
            return cell, BOARD
    if course.end:
        return step(ship.cell, direction, len(course.open) + 1), course.end
    return course.open[-1], SEA


def spends(state: State) -> Iterator[Sail | Fire]:
    """Yield every legal spend that needs no gambit, in order."""
    occupied = state.occupied()
    player = state.fleet.player
    left, own = muster(state), _own(state)
    for ship, die in _sails(state, left, own):
        for direction in _ways(state, occupied, ship, die):
            yield sail(player, ship.cell, die, direction)
    for ship, die in _shots(state, own):
        for direction in range(6):
            yield fire(player, ship.cell, die, direction)


def gambit_spends(state: State) -> tuple[Sail | Fire, ...]:
    """Return the spends that only the gambit of the fleet on turn allows, sorted (AOW-64)."""
    player, colour = state.fleet.player, state.fleet.colour
    left, own = muster(state), _own(state)
    found: list[Sail | Fire] = []
    if farther := ready(state, colour, ON_SAIL):
        occupied = state.occupied()
        for (ship, die), by in product(_sails(state, left, own), farther.sail_by):
            for way in _ways(state, occupied, ship, die + by):
                found.append(SailByGambit(player, ship.cell, die, way, by))
    if reach := ready(state, colour, ON_CANNON):
        for (ship, die), by in product(_shots(state, own), reach.shot_by):
            if die + by > 0:
                found += [FireByGambit(player, ship.cell, die, way, by) for way in range(6)]
    return tuple(sorted(found))


def _own(state: State) -> list[Ship]:
    colour = state.fleet.colour
    return [ship for ship in state.ships if ship.colour == colour and ship.duty < DONE]


def _sails(state: State, left: Muster, own: list[Ship]) -> Iterator[tuple[Ship, int]]:
    """Yield every ship that may spend a sail with every sail there is."""
    dice = sorted(set(state.sails))
    for ship in own:
        if ship.duty in (FRESH, FIRED) or left.spares_a_sail():
            for die in dice:
                yield ship, die


def _shots(state: State, own: list[Ship]) -> Iterator[tuple[Ship, int]]:
    """Yield every ship that may fire with every cannonball there is."""
    dice = sorted(set(state.cannons))
    for ship in own:
        if ship.duty != FIRED:
            for die in dice:
                yield ship, die


def _ways(state: State, occupied: Mapping[Cell, str], ship: Ship, length: int) -> list[int]:
    open_ways: list[int] = []
    wrecks: list[int] = []
    banned = opposite(ship.duty) if 0 <= ship.duty < 6 else None
    for direction in range(6):
        if direction == banned:
            continue
        cell, end = landfall(state, occupied, ship, length, direction)
        if end == SEA and cell in occupied:
            continue
        (wrecks if end in (VOLCANO, DESERT) else open_ways).append(direction)
    if state.options.destructive_moves == "allowed" or not open_ways:
        return sorted(open_ways + wrecks)
    return open_ways


def refuse_spend(state: State, action: Sail | Fire) -> Ruling | None:
    """Return why a spend is illegal, if it is."""
    ship = _own_ship(state, action.ship)
    if isinstance(ship, Ruling):
        return ship
    if action.direction not in range(6):
        ways = listed(DIRECTION_NAMES, "or")
        return no("AOW-11", f"Ships sail and fire in a straight line: {ways}.")
    barred = _refuse_gambit(state, action)
    if barred is not None:
        return barred
    if ship.duty == TAKEN:
        return no("AOW-31", "A ship that entered this turn gets no dice before the next.")
    if isinstance(action, Sail):
        return _refuse_sail(state, ship, action)
    return _refuse_fire(state, ship, action)


def _refuse_gambit(state: State, action: Sail | Fire) -> Ruling | None:
    """Refuse a die changed by a gambit that is not there to be played, or not so."""
    if not isinstance(action, BY_GAMBIT):
        return None
    colour = state.fleet.colour
    if isinstance(action, SailByGambit):
        effect = ready(state, colour, ON_SAIL)
        allowed = effect.sail_by if effect else ()
    else:
        effect = ready(state, colour, ON_CANNON)
        allowed = effect.shot_by if effect else ()
    if action.by in allowed and action.length > 0:
        return None
    if not allowed:
        return no("AOW-64", f"{colour_name(colour)} has no gambit left that changes this die.")
    if action.by in allowed:
        return no("AOW-64", "A gambit shortens no die below one hex.")
    return no("AOW-64", f"The gambit changes a die by {listed(sorted(allowed), 'or')}.")


def _own_ship(state: State, cell: Cell) -> Ship | Ruling:
    name = hex_name(cell)
    if cell not in state.ocean.cells:
        return no("AOW-8", f"{name} is not a hex of this ocean.")
    mine = [s for s in state.ships if s.colour == state.fleet.colour]
    for ship in mine:
        if ship.cell == cell:
            return ship
    other = state.occupied().get(cell)
    there = f"{name} is {ship_of(other)}" if other else f"none is on {name}"
    whose = f"{colour_name(state.fleet.colour)}'s" if state.options.duel else "yours"
    be = "is" if len(mine) == 1 else "are"
    where = f"{whose} {be} on {hexes_listed(s.cell for s in mine)}"
    return not_its_dice(state, other, f": {there}; {where}.")


def not_its_dice(state: State, colour: str | None, more: str) -> Ruling:
    """Refuse dice for a ship of another fleet, in The Duel the ally's too (AOW-26, AOW-73)."""
    fleet = state.fleet.colour
    if not state.options.duel:
        return no("AOW-26", f"Dice are spent on your own ships{more}")
    is_ally = colour is not None and not state.are_enemies(fleet, colour)
    rule = "AOW-73" if is_ally else "AOW-26"
    return no(rule, f"Dice are spent on {colour_name(fleet)}'s ships{more}")


def _refuse_sail(state: State, ship: Ship, action: Sail) -> Ruling | None:
    if not state.sails:
        return no("AOW-26", f"No sail die is left to spend: {_dice_left(state)}.")
    if action.die not in state.sails:
        shown = listed(sorted(set(state.sails)), "or")
        return no(
            "AOW-33",
            f"A sail must be used in full: the dice left show {shown} hexes, not {action.die}.",
        )
    if ship.duty == DONE:
        return no("AOW-27", "Each ship gets two dice; this one has had its two.")
    if ship.duty not in (FRESH, FIRED) and not muster(state).spares_a_sail():
        return no(
            "AOW-28",
            "Each ship needs a sail of its own: spend a cannonball on this ship and keep the sail.",
        )
    return _refuse_way(state, ship, action)


def _refuse_way(state: State, ship: Ship, action: Sail) -> Ruling | None:
    if 0 <= ship.duty < 6 and action.direction == opposite(ship.duty):
        first, back = DIRECTION_NAMES[ship.duty], DIRECTION_NAMES[action.direction]
        return no(
            "AOW-35",
            f"A ship may not turn straight back: it sailed {first} first, so any way but {back}.",
        )
    occupied = state.occupied()
    if action.direction in _ways(state, occupied, ship, action.length):
        return None
    cell, end = landfall(state, occupied, ship, action.length, action.direction)
    if end == SEA and occupied[cell] != ship.colour:
        return no(
            "AOW-73",
            f"Your two fleets are allies and cannot share a hex: {hex_name(cell)} holds"
            f" {ship_of(occupied[cell])}.",
        )
    if end == SEA:
        return no(
            "AOW-34",
            f"Two ships of one colour cannot share a hex: {hex_name(cell)} holds another of yours.",
        )
    return no(
        "AOW-44", f"The {end} island at {hex_name(cell)} is in the way and another way is open."
    )


def _refuse_fire(state: State, ship: Ship, action: Fire) -> Ruling | None:
    if not state.cannons:
        return no("AOW-26", f"No cannonball die is left to spend: {_dice_left(state)}.")
    if action.die not in state.cannons:
        shown = listed(sorted(set(state.cannons)), "or")
        hexes = "hex" if shown == "1" else "hexes"
        return no(
            "AOW-45",
            f"A shot flies exactly as far as its die shows: {shown} {hexes}, not {action.die}.",
        )
    if ship.duty == DONE:
        return no("AOW-27", "Each ship gets two dice; this one has had its two.")
    if ship.duty == FIRED:
        return no("AOW-27", "One of a ship's two dice must be a sail; this one has fired already.")
    return None


def _dice_left(state: State) -> str:
    return f"left are {dice_shown(state.sails, state.cannons)}"


def struck(state: State, action: Fire) -> str | None:
    """Return the colour of the ship a shot would sink, or ``None``."""
    target = state.ocean.target(action.ship, action.direction, action.length)
    hit = state.occupied().get(target) if target else None
    if hit and state.are_enemies(state.fleet.colour, hit):
        return hit
    return None


def loses_ship(state: State, action: Sail) -> bool:
    """Say whether a sail ends off the map or on an island (AOW-37, AOW-39, AOW-40)."""
    ship = Ship(action.ship, state.fleet.colour)
    _, end = landfall(state, state.occupied(), ship, action.length, action.direction)
    return end in (EDGE, VOLCANO, DESERT)


def spend_text(state: State, action: Sail | Fire) -> str:
    """Name a spend and where it leads: ``"sail 3 NE from G7 to D10"``."""
    start = hex_name(action.ship)
    way = DIRECTION_NAMES[action.direction] if action.direction in range(6) else "nowhere"
    die = str(action.die)
    if isinstance(action, BY_GAMBIT):
        die = f"{action.die}{action.by:+d} by gambit"
    plain = f"{'sail' if isinstance(action, Sail) else 'fire'} {die} {way} from {start}"
    if not state.fleets or refuse_spend(state, action) is not None:
        return plain
    if isinstance(action, Fire):
        hit = struck(state, action)
        return f"{plain}, hits {colour_name(hit)}" if hit else f"{plain}, hits nothing"
    ship = Ship(action.ship, state.fleet.colour)
    cell, end = landfall(state, state.occupied(), ship, action.length, action.direction)
    ends = {
        SEA: f" to {hex_name(cell)}",
        EDGE: ", off the map",
        VOLCANO: f", onto the volcano at {hex_name(cell)}",
        DESERT: f", onto the desert at {hex_name(cell)}",
    }
    if end == BOARD:
        ends[BOARD] = f", boards {colour_name(state.occupied()[cell])} at {hex_name(cell)}"
    return plain + ends[end] + _reef_text(state, action, cell)


def _reef_text(state: State, action: Sail, last: Cell) -> str:
    """Name the reefs that a ship meets up to the hex where its sail ends (AOW-41)."""
    entered = state.ocean.course(action.ship, action.direction, action.length).open
    if last in entered:
        entered = entered[: entered.index(last) + 1]
    reefs = [cell for cell in entered if state.ocean.terrain.get(cell) == REEF]
    if not reefs:
        return ""
    return f", over the {'reef' if len(reefs) == 1 else 'reefs'} at {hexes_listed(reefs)}"
