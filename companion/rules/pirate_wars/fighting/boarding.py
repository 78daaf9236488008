"""Boarding: which ships may be boarded, and how a round begins (PWR-52, PWR-58, PWR-59)."""

from __future__ import annotations

from companion.rules.game import Happening, Ruling, Step
from companion.rules.phases import no
from companion.rules.pirate_wars.ashore.rousing import is_native, refuse_native
from companion.rules.pirate_wars.ashore.storming import stand_apart
from companion.rules.pirate_wars.crew import ALOFT, CLIMBING, GUNS, Crew, of, standing_at
from companion.rules.pirate_wars.fighting.prizes import captured
from companion.rules.pirate_wars.pieces import AFLOAT
from companion.rules.pirate_wars.sailing.courses import is_touching
from companion.rules.pirate_wars.stages import Committing, Fight
from companion.rules.pirate_wars.state import State, design_of, is_engaged
from companion.rules.pirate_wars.words import Told, boarding_verb, ship_name, station_named, verb_of
from companion.rules.words import capital


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
    if not 0 <= target < len(state.ships) or not _is_strange(state, number, target):
        return no("PWR-52", "Board a ship of another side, or one with nobody aboard.")
    theirs, other = state.ships[target], ship_name(state, target)
    if theirs.fate != AFLOAT:
        return no("PWR-52", f"{capital(other)} is out of the battle.")
    if mine.prize:
        return no("PWR-97", "A captured ship takes no part in the battle.")
    if theirs.stunned:
        return no("PWR-52", "After a ramming, boarding begins in the next round.")
    refusal = _refuse_engaged(state, number, target)
    if refusal is None:
        refusal = refuse_native(state, target)
    if refusal is None:
        refusal = _refuse_walls(state, number, target)
    if refusal is not None:
        return refusal
    if not is_touching(state, number, target):
        return no("PWR-52", f"{name} and {other} do not touch.")
    if not eligible(at_place(state, number, target), attacking=True):
        return no("PWR-59", f"Nobody aboard {ship_name(state, number)} is free to board.")
    return None


def _refuse_engaged(state: State, number: int, target: int) -> Ruling | None:
    """Refuse a second boarding; a garrison has other tasks, but fights one melee (PWR-58)."""
    for one in (target, number):
        if is_engaged(state, one):
            name = capital(ship_name(state, one))
            return no("PWR-58", f"{name} is engaged in a boarding already.")
    return None


def _is_strange(state: State, number: int, target: int) -> bool:
    """Tell whether a piece is not of one's own side.

    A ship left empty is nobody's, and her old captain may take her back (PWR-96); natives do not,
    who would burn her (PWR-135).
    """
    mine, theirs = state.ships[number], state.ships[target]
    if mine.player != theirs.player:
        return True
    empty = design_of(state, target).kind == "ship" and not theirs.crew
    return empty and not is_native(state, number)


def _refuse_walls(state: State, number: int, target: int) -> Ruling | None:
    """Refuse to fight through walls and floors: a fortress is entered first (PWR-120, PWR-122)."""
    if state.ships[target].station == CLIMBING:
        there = capital(ship_name(state, target))
        return no("PWR-120", f"{there} climbs the wall: nobody can get at it but with weapons.")
    fort = design_of(state, target).kind == "fort"
    if design_of(state, number).kind == "fort" or not fort:
        if not stand_apart(state, number, target):
            return None
        there = capital(ship_name(state, target))
        return no("PWR-120", f"Walls are between them: {there} cannot be reached.")
    if state.ships[number].fort != target or not state.ships[number].is_inside:
        return no("PWR-120", "Climb its walls or break its doors with a landing party first.")
    if state.ships[target].crew and not at_place(state, target, number):
        where = station_named(state.ships[number].station)
        return no("PWR-122", f"No defender is {where}: go where they are.")
    return None


def at_place(state: State, number: int, other: int) -> Crew:
    """Return who of a piece can fight another: in a fortress, those in the place of the party."""
    crew = state.ships[number].crew
    party = number if state.ships[number].is_inside else other
    if not state.ships[party].is_inside:
        return crew
    station = state.ships[party].station
    return standing_at(crew, station)


def may_board(state: State, number: int, target: int) -> bool:
    """Tell whether a ship can declare a boarding of another."""
    return number != target and refuse_board(state, number, target) is None


def board(state: State, number: int, target: int) -> Step[State]:
    """Lash the ships together and begin; an empty ship is simply taken."""
    pair = (number, target)
    name, other = ship_name(state, number), ship_name(state, target)
    boards = verb_of(state, number, f"{boarding_verb(state, target)}s")
    text = f"{capital(name)} {boards} {other}"
    told: Told = (Happening(text, "PWR-52"),)
    state = state._replace(fought=tuple(sorted((*state.fought, *pair))))
    if not state.ships[target].crew:
        return captured(state, number, target, told)
    state = state._replace(engaged=(*state.engaged, pair))
    return begin_round(state, Fight(pair, first=True), told)


def begin_round(state: State, fight: Fight, told: Told = ()) -> Step[State]:
    """Ask both sides who joins; until then everybody who may does."""
    one, other = fight.ships
    crews = (
        eligible(at_place(state, one, other), attacking=fight.first),
        eligible(at_place(state, other, one), attacking=False),
    )
    fight = fight._replace(crews=crews)
    return Step(state._replace(stage=Committing(fight, 0)), told)


def unresolved(state: State) -> Fight | None:
    """Return the next fight the side on turn has to resolve in this round (PWR-37).

    Where a ship was in a ramming the fight rests: it has no tasks in this round (PWR-50).
    """
    for pair in state.engaged:
        own = any(state.ships[n].player == state.player for n in pair)
        rests = any(state.ships[n].stunned for n in pair)
        if own and not rests and not set(pair) & set(state.fought):
            return Fight(pair, first=False)
    return None


def resumed(state: State, fight: Fight) -> Step[State]:
    """Go on with a boarding of an earlier round."""
    fought = tuple(sorted({*state.fought, *fight.ships}))
    return begin_round(state._replace(fought=fought), fight)
