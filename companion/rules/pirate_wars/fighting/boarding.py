"""Boarding: which ships may be boarded, and how a round begins (PWR-52, PWR-58, PWR-59)."""

from __future__ import annotations

from companion.rules.game import Happening, Ruling, Step
from companion.rules.phases import no
from companion.rules.pirate_wars.ashore.rousing import refuse_native
from companion.rules.pirate_wars.built.vessels import Fort
from companion.rules.pirate_wars.crew import ALOFT, GUNS, Crew, of
from companion.rules.pirate_wars.fighting.prizes import captured
from companion.rules.pirate_wars.pieces import AFLOAT
from companion.rules.pirate_wars.sailing.courses import is_touching
from companion.rules.pirate_wars.stages import Committing, Fight
from companion.rules.pirate_wars.state import State, design_of, hull_of, mate_of
from companion.rules.pirate_wars.words import Told, capital, ship_name
from companion.rules.plane import gap, outline_at


def eligible(crew: Crew, *, attacking: bool) -> Crew:
    """Return who may join a boarding (PWR-59).

    Nobody from the gun deck or aloft but officers. Who has had a task in this phase cannot attack
    any more, but everybody defends the own deck.
    """
    return of(
        crew,
        lambda hand: (
            (hand.station not in (GUNS, *ALOFT) or hand.figure.always_boards)
            and not (attacking and hand.busy)
        ),
    )


def refuse_board(state: State, number: int, target: int) -> Ruling | None:
    """Refuse ships that do not touch, were rammed just now, or have fought already (PWR-52)."""
    mine, name = state.ships[number], capital(ship_name(state, number))
    if not 0 <= target < len(state.ships) or state.ships[target].player == mine.player:
        return no("PWR-52", "Board a ship of another side.")
    theirs, other = state.ships[target], ship_name(state, target)
    if theirs.fate != AFLOAT:
        return no("PWR-52", f"{capital(other)} is out of the battle.")
    if mine.prize:
        return no("PWR-97", "A captured ship takes no part in the battle.")
    if theirs.stunned:
        return no("PWR-52", "After a ramming, boarding begins in the next round.")
    if target in state.fought or mate_of(state, target) is not None:
        return no("PWR-58", f"{capital(other)} is engaged in a boarding already.")
    refusal = refuse_native(state, target)
    if refusal is None:
        refusal = refuse_entry(state, number, target)
    if refusal is not None:
        return refusal
    if not is_touching(state, number, target):
        return no("PWR-52", f"{name} and {other} do not touch.")
    if not eligible(mine.crew, attacking=True):
        return no("PWR-59", f"Nobody aboard {ship_name(state, number)} is free to board.")
    return None


def is_open(state: State, number: int, target: int) -> bool:
    """Tell whether a party stands before the broken doors of a fortress (PWR-121)."""
    design, fort = design_of(state, target), state.ships[target]
    if not isinstance(design, Fort) or not design.door or fort.boats:
        return False
    doors = outline_at(fort.pose, design.doors_mm)
    return gap(hull_of(state, number), doors) <= state.options.tolerance_mm


def refuse_entry(state: State, number: int, target: int) -> Ruling | None:
    """Refuse to enter a fortress but over its wall: a turn at its foot first (PWR-120)."""
    if design_of(state, target).kind != "fort":
        return None
    if design_of(state, number).kind != "party":
        return no("PWR-120", "A fortress is entered over its walls: set figures ashore first.")
    if is_open(state, number, target):
        return None
    if state.ships[number].moved:
        return no("PWR-120", "Who has just come to the wall stands on it at the end of next turn.")
    return None


def may_board(state: State, number: int, target: int) -> bool:
    """Tell whether a ship can declare a boarding of another."""
    return number != target and refuse_board(state, number, target) is None


def board(state: State, number: int, target: int) -> Step[State]:
    """Lash the ships together and begin; an empty ship is simply taken."""
    pair = (number, target)
    name, other = ship_name(state, number), ship_name(state, target)
    told: Told = (Happening(f"{capital(name)} boards {other}", "PWR-52"),)
    state = state._replace(fought=tuple(sorted((*state.fought, *pair))))
    if not state.ships[target].crew:
        return captured(state, number, target, told)
    state = state._replace(engaged=(*state.engaged, pair))
    return begin_round(state, Fight(pair, first=True), told)


def begin_round(state: State, fight: Fight, told: Told = ()) -> Step[State]:
    """Ask both sides who joins; until then everybody who may does."""
    crews = (
        eligible(state.ships[fight.ships[0]].crew, attacking=fight.first),
        eligible(state.ships[fight.ships[1]].crew, attacking=False),
    )
    fight = fight._replace(crews=crews)
    return Step(state._replace(stage=Committing(fight, 0)), told)


def unresolved(state: State) -> Fight | None:
    """Return the next fight the side on turn has to resolve in this round (PWR-37)."""
    for pair in state.engaged:
        own = any(state.ships[n].player == state.player for n in pair)
        if own and not set(pair) & set(state.fought):
            return Fight(pair, first=False)
    return None


def resumed(state: State, fight: Fight) -> Step[State]:
    """Go on with a boarding of an earlier round."""
    fought = tuple(sorted({*state.fought, *fight.ships}))
    return begin_round(state._replace(fought=fought), fight)
