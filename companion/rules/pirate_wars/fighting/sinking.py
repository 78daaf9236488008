"""Ships that sink, by shot or by their own powder (PWR-76, PWR-90)."""

from __future__ import annotations

from math import ceil

from companion.rules.game import Happening, Step
from companion.rules.pirate_wars.crew import by_kind, crew_size, of
from companion.rules.pirate_wars.fighting.losses import owing, remove, settle, strike
from companion.rules.pirate_wars.pieces import AFLOAT, FLOATS, NOWHERE, SINKING, SUNK
from companion.rules.pirate_wars.sailing.swimming import overboard
from companion.rules.pirate_wars.stages import Between
from companion.rules.pirate_wars.state import (
    Due,
    State,
    design_of,
    mate_of,
    side_of,
    unlashed,
    with_ship,
)
from companion.rules.pirate_wars.words import Told, figures_named, ship_name
from companion.rules.words import capital


def next_to_sink(state: State) -> Step[State] | None:
    """Return what becomes of the next ship that sinks; ``None`` if none does."""
    for number, ship in enumerate(state.ships):
        if ship.fate == AFLOAT and not ship.hf:
            return _sinking(state, number)
        if ship.fate == SINKING:
            return _sunk(state, number)
    return None


def _sinking(state: State, number: int) -> Step[State]:
    """Half of those left die, an Imperial Captain among them, a Pirate Captain not (PWR-90)."""
    ship = state.ships[number]._replace(fate=SINKING)
    lost = ceil(crew_size(ship.crew) / 2)
    told: Told = (Happening(f"{capital(ship_name(state, number))} sinks", "PWR-90"),)
    state = unlashed(with_ship(state, number, ship), number)
    captains = of(ship.crew, lambda hand: hand.figure.role == "captain")
    if side_of(state, number) == "imperial" and captains:
        state = remove(state, number, captains)
        lost_with_her = capital(figures_named(by_kind(captains)))
        told = (*told, Happening(f"{lost_with_her} goes down with her", "PWR-90"))
        lost -= crew_size(captains)
    # A Pirate Captain swims, even if nobody else is left to die.
    lost = min(max(lost, 0), crew_size(ship.crew) - crew_size(captains))
    state = owing(state, Due(number, lost, (), "PWR-90"))
    return settle(state, state.stage, told)


def _sunk(state: State, number: int) -> Step[State]:
    ship = state.ships[number]
    state = overboard(state, number, ship.crew)
    ship = ship._replace(fate=SUNK, crew=(), pose=NOWHERE, sf=0, left=0)
    told: Told = ()
    if state.ships[number].crew:
        swimmers = figures_named(by_kind(state.ships[number].crew))
        told = (Happening(f"{capital(swimmers)} in the water", "PWR-90"),)
    return Step(with_ship(state, number, ship), told)


def blow_up(state: State) -> Step[State]:
    """Blow up the ships whose captains fire into the powder (PWR-76)."""
    told: Told = ()
    for number in state.scuttles:
        ship = state.ships[number]
        if ship.fate != AFLOAT or not ship.hf:
            continue
        text = f"{capital(ship_name(state, number))} blows up"
        told = (*told, Happening(text, "PWR-76"))
        whole, other = ship.hf, mate_of(state, number)
        boarders = [pair[0] for pair in state.engaged if pair[1] == number]
        state = with_ship(state, number, ship._replace(hf=0, sf=0))
        # As many of the crew as the ship had hull factors, and as many boarders.
        for crew in (number, *boarders):
            state = owing(state, Due(crew, whole, (), "PWR-76"))
        # "Any ship engaged in Boarding it": people of an island have no hull to be struck.
        if other is not None and design_of(state, other).kind in FLOATS:
            state, more = strike(state, other, "ball", ceil(whole / 2), "PWR-76")
            told = (*told, *more)
    return settle(state._replace(scuttles=()), Between("sink_shot"), told)
