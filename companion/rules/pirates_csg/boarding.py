"""Boarding ships and towns (CSG-23, CSG-67, CSG-82)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.rules.deeds import Roll
from companion.rules.game import ChanceRoll, Happening, Ruling, Step
from companion.rules.phases import no, stage_of
from companion.rules.pirates_csg.abilities import amount, room_for
from companion.rules.pirates_csg.actions import Board
from companion.rules.pirates_csg.dice import RollOneDie, ask_die, face_of
from companion.rules.pirates_csg.doing import Doing, own_ship, own_ships
from companion.rules.pirates_csg.fates import buried, captured, opened, sunk, unexplored
from companion.rules.pirates_csg.hits import hit
from companion.rules.pirates_csg.looting import spoils
from companion.rules.pirates_csg.retreating import ways_off
from companion.rules.pirates_csg.sea import hull, if_nearly, ships_touch
from companion.rules.pirates_csg.stages import Looting, OnTurn, Retreating, RollingBoard
from companion.rules.pirates_csg.state import (
    BOARD,
    COLONIES,
    MOST_OF_A_KIND,
    NEW,
    SETTLEMENT,
    Island,
    Ship,
    State,
    did,
    find_island,
    find_ship,
    island_of,
    ship_of,
    with_island,
    with_ship,
)
from companion.rules.pirates_csg.words import (
    UPGRADE_NAMES,
    Told,
    island_name,
    name_of,
    ship_name,
    tokens_listed,
    who,
)
from companion.rules.tuples import shifted

TOWNS = (SETTLEMENT, *COLONIES)
"""Buildings that can be boarded."""

TOWN_MASTS, COLONY_MASTS = 2, 4
"""What a settlement and a colony count as in a boarding (CSG-67, CSG-82)."""
MOST_TOKENS = 3
"""Tokens the winner may take (CSG-80)."""


def defender_of(state: State, target: int) -> int:
    """Return who defends a ship, settlement or colony."""
    ship = find_ship(state, target)
    return ship.owner if ship else island_of(state, target).owner


class BoardIt(Doing[Board]):
    """Board a ship or a town that the ship touches (CSG-23, CSG-67, CSG-82)."""

    takes = Board

    def candidates(self, state: State) -> Iterator[Board]:
        """Every enemy ship and town."""
        towns = [i.tag for i in state.islands if i.building in TOWNS]
        foes = [s.tag for s in state.ships if s.owner != state.turn]
        for ship in own_ships(state):
            if BOARD not in ship.done:
                yield from (Board(state.player, ship.tag, tag) for tag in (*foes, *towns))

    def refuse(self, state: State, action: Board) -> Ruling | None:
        """Refuse who has boarded already or does not touch."""
        ship = own_ship(state, action.ship, "CSG-23")
        if isinstance(ship, Ruling):
            return ship
        name, other = ship_name(state, ship), name_of(state, action.target)
        if BOARD in ship.done:
            return no("CSG-23", f"{name} has boarded this turn; once a turn is allowed.")
        if ship.barred == NEW:
            return no("CSG-58", f"{name} is new: she acts from your next turn on.")
        if ship.lost_in:
            return no("CSG-27", f"{name} is lost in the fog: she boards nobody.")
        if ship.is_derelict:
            return no("CSG-19", f"{name} cannot board: a derelict only explores or repairs.")
        foe, town = find_ship(state, action.target), find_island(state, action.target)
        if foe is not None and foe.owner != ship.owner:
            if ships_touch(state, ship, foe):
                return None
            close = if_nearly(state, hull(state, ship), hull(state, foe))
            return no(
                "CSG-23", f"{name} does not touch {other}{close or ': board whom you touch'}."
            )
        if town is None or town.owner in (ship.owner, -1) or town.building not in TOWNS:
            return no("CSG-23", f"{other} cannot be boarded: it is no enemy's ship or town.")
        if ship.docked != town.tag:
            rule = "CSG-67" if town.building == SETTLEMENT else "CSG-82"
            return no(rule, f"{name} must be docked at {other} to board it.")
        return None

    def play(self, state: State, action: Board) -> Step[State]:
        """Roll for both."""
        state = with_ship(state, did(ship_of(state, action.ship), BOARD))
        text = f"{name_of(state, action.ship)} boards {name_of(state, action.target)}"
        state = state._replace(stage=RollingBoard(action.ship, action.target))
        return Step(state, (Happening(text, "CSG-23"),))


class RollBoard(RollOneDie):
    """Both roll and add their masts; the higher wins (CSG-23)."""

    name, rule = "roll_board", "CSG-23"

    def pending(self, state: State) -> ChanceRoll:
        """Ask the attacker, then the defender."""
        stage = stage_of(state, RollingBoard)
        if not stage.attack:
            text = f"{who(state, state.turn)}: roll for {name_of(state, stage.ship)}, who boards"
            return ask_die(state.turn, self.name, text)
        seat = defender_of(state, stage.target)
        if state.seats[seat].is_out:  # The towns of who is out stand, but nobody rolls for them.
            seat = state.turn
        text = f"{who(state, seat)}: roll for {name_of(state, stage.target)}, who is boarded"
        return ask_die(seat, self.name, text)

    def play(self, state: State, action: Roll) -> Step[State]:
        """Keep the attacker's roll, or settle it."""
        stage, face = stage_of(state, RollingBoard), face_of(action)
        if not stage.attack:
            return Step(state._replace(stage=replace(stage, attack=face)))
        ship = ship_of(state, stage.ship)
        attack = stage.attack + strength(state, ship)
        foe = find_ship(state, stage.target)
        town = None if foe else island_of(state, stage.target)
        defence = face + (strength(state, foe) if foe else _town_strength(town))
        text = f"{ship_name(state, ship)} has {attack}, {name_of(state, stage.target)} {defence}"
        told: Told = (Happening(text, "CSG-23"),)
        state = state._replace(stage=OnTurn())
        if attack == defence and state.options.board_tie == "nothing":
            return Step(state, (*told, Happening("A tie: nothing happens", "CSG-23")))
        if town is not None:
            settle = _settlement if town.building == SETTLEMENT else _colony
            return settle(state, ship, town, attack > defence, told)
        assert foe is not None
        return _ships_settled(state, ship, foe, attack > defence, told)


def strength(state: State, ship: Ship) -> int:
    """Return what a ship adds to her roll (CSG-23, CSG-6)."""
    return len(ship.masts) + amount(state, ship, "boarding")


def _town_strength(town: Island | None) -> int:
    assert town is not None
    return TOWN_MASTS if town.building == SETTLEMENT else COLONY_MASTS


def _ships_settled(
    state: State, ship: Ship, foe: Ship, attacker_wins: bool, told: Told
) -> Step[State]:
    """Let the winner of two ships take something (CSG-23, CSG-80)."""
    winner, loser = (ship, foe) if attacker_wins else (foe, ship)
    told = (*told, Happening(f"{ship_name(state, winner)} wins", "CSG-23"))
    if loser.blockade:
        state = with_ship(state, replace(loser, blockade=0))
        told = (*told, *opened(state, loser.blockade))
    looting = Looting(winner.tag, loser.tag, True, MOST_TOKENS)
    return Step(state._replace(stage=looting if spoils(state, looting) else OnTurn()), told)


def _settlement(
    state: State, ship: Ship, town: Island, attacker_wins: bool, told: Told
) -> Step[State]:
    """Capture a settlement intact, or lose a mast and move away (CSG-67)."""
    name = island_name(state, town)
    if attacker_wins:
        camps = tuple(sorted({*town.camps, ship.owner}))
        text = f"The settlement on {name} is {who(state, ship.owner)}'s now"
        state = with_island(state, replace(town, owner=ship.owner, camps=camps))
        return Step(state, (*told, Happening(text, "CSG-67")))
    text = f"The settlement on {name} drives {ship_name(state, ship)} off"
    told = (*told, Happening(text, "CSG-67"))
    retreats = len(ship.masts) > 1 and bool(ways_off(state, ship))
    then = Retreating(ship.tag) if retreats else OnTurn()
    return hit(state, ship.tag, then, "CSG-67", told)


def _colony(state: State, ship: Ship, town: Island, attacker_wins: bool, told: Told) -> Step[State]:
    """Raze a colony, or lose the ship to it (CSG-82, CSG-83)."""
    name, kind = island_name(state, town), UPGRADE_NAMES[town.building]
    if not attacker_wins:
        text = f"The {kind} on {name} takes {ship_name(state, ship)}; her crew is eliminated"
        if state.seats[town.owner].is_out:
            # Nobody is left who could command her.
            text = f"The {kind} on {name} sinks {ship_name(state, ship)} with all aboard"
            state = sunk(state, ship)
            told = (*told, Happening(text, "CSG-82"))
            return Step(state, (*told, *opened(state, ship.blockade)))
        told = (*told, Happening(text, "CSG-82"))
        state = captured(state, ship, town.owner)
        taken = ship_of(state, ship.tag)
        state = buried(with_ship(state, replace(taken, crew=())), ship.crew)
        return Step(state, (*told, *opened(state, ship.blockade)))
    laden, stock = _all_loaded(state, ship, town)
    text = f"The {kind} on {name} is razed; {ship_name(state, ship)} loads "
    text += tokens_listed(b - a for a, b in zip(ship.tokens, laden.tokens, strict=True))
    told = (*told, Happening(text, "CSG-82"))
    told = (*told, Happening("The island is unexplored again", "CSG-83"))
    for other in state.ships:
        if other.blockade == town.tag:
            state = with_ship(state, replace(other, blockade=0))
    state = with_ship(state, replace(laden, blockade=0))
    return Step(with_island(state, replace(unexplored(town), stock=stock)), told)


def _all_loaded(state: State, ship: Ship, town: Island) -> tuple[Ship, tuple[int, ...]]:
    """Return a ship with all she can load of a port: a load it produces, then its stock."""
    stock = list(town.stock)
    if town.resource >= 0:
        count = min(MOST_OF_A_KIND, room_for(state, ship, town.resource))
        ship = replace(ship, tokens=shifted(ship.tokens, town.resource, count))
    for resource, lying in enumerate(town.stock):
        count = min(lying, room_for(state, ship, resource))
        ship = replace(ship, tokens=shifted(ship.tokens, resource, count))
        stock[resource] -= count
    return ship, tuple(stock)
