"""Which rule stands against a table in the stages of optional rules; see `objections`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from companion.rules.articles_of_war.actions import AddThird, PlaceGrudge, Relaunch
from companion.rules.articles_of_war.cards import EFFECTS
from companion.rules.articles_of_war.flow import caught
from companion.rules.articles_of_war.gambits import gambit_of
from companion.rules.articles_of_war.ocean import CENTRE
from companion.rules.articles_of_war.options import MERCHANT
from companion.rules.articles_of_war.state import (
    AddingThird,
    ClearingOcean,
    Drifted,
    Drifting,
    PlacingGrudge,
    RollingWind,
    Ship,
    Stage,
    State,
    Storming,
    Window,
)
from companion.rules.articles_of_war.wind import downwind
from companion.rules.articles_of_war.words import ship_first, ship_of
from companion.rules.changes import Change, Check, cells_of
from companion.rules.deeds import Roll
from companion.rules.game import CHANCE, Ruling
from companion.rules.hexes import DIRECTION_NAMES, hex_name, step
from companion.rules.layout import Cell
from companion.rules.phases import no, stage_of
from companion.rules.words import counted


def _third(state: State, seen: Change, check: Check) -> Iterator[Ruling]:
    player = state.fleet.player
    for colour, cell in seen.gone:
        yield no("AOW-71", f"{ship_first(colour)} stays on {hex_name(cell)} during the set-up.")
    if len(seen.came) > 1:
        yield no("AOW-71", "Each captain adds one ship, to one of two fleets.")
    for colour, cell in seen.came:
        yield check(state, AddThird(player, colour, cell))


def _grudge(state: State, seen: Change, check: Check) -> Iterator[Ruling]:
    for colour, cell in seen.came:
        if colour != state.fleet.colour:
            yield no("AOW-83", f"{ship_first(colour)} on {hex_name(cell)} has no turn now.")
        yield check(state, PlaceGrudge(state.fleet.player, cell))


def _wind_roll(state: State, seen: Change, check: Check) -> Iterator[Ruling]:
    if seen.rolled:
        yield check(state, Roll(CHANCE, seen.rolled))
    if seen.gone or seen.came:
        yield no("AOW-80", "The wind is rolled before any ship is moved.")


def _drift(state: State, seen: Change, check: Check) -> Iterator[Ruling]:
    """Say of one ship where it belongs; the others may still be on their way."""
    length, way = stage_of(state, Drifting).length, downwind(state)
    ends = {ship: _drifts_to(state, ship) for ship in state.ships}
    lying = Counter((ship.colour, ship.cell) for ship in state.ships)
    lying = lying - Counter(seen.gone) + Counter(seen.came)
    # Where one ship has left, another of its colour may lie by now, and all may be right with both.
    astray = [ship for ship, end in ends.items() if end and not lying[ship.colour, end]]
    for ship in astray:
        if (ship.colour, ship.cell) in seen.gone:
            name, end = f"{ship_of(ship.colour)} from {hex_name(ship.cell)}", ends[ship]
            assert end is not None
            far = f"{counted(length, 'hex', 'hexes')} {DIRECTION_NAMES[way]}"
            yield no("AOW-80", f"The wind carries {name} {far}, to {hex_name(end)}.")
    too_many = lying - Counter((ship.colour, end) for ship, end in ends.items() if end)
    for ship, end in ends.items():
        if end is None and any(colour == ship.colour for colour, _ in too_many):
            name = f"{ship_of(ship.colour)} from {hex_name(ship.cell)}"
            yield no("AOW-81", f"The wind takes {name} out of the ocean: put it away.")
    for ship in astray:
        name = f"{ship_of(ship.colour)} on {hex_name(ship.cell)}"
        yield no("AOW-80", f"The wind carries every ship {length} hexes: {name} too.")


def _drifts_to(state: State, ship: Ship) -> Cell | None:
    """Return where the wind carries a ship; ``None`` if it is lost."""
    length, way = stage_of(state, Drifting).length, downwind(state)
    lost = state.ocean.course(ship.cell, way, length).end
    return None if lost else step(ship.cell, way, length)


def _storm(state: State, seen: Change, check: Check) -> Iterator[Ruling]:
    doomed = {(ship.colour, ship.cell) for ship in caught(state)}
    for colour, cell in seen.gone:
        if (colour, cell) not in doomed:
            ring = state.edge
            name = f"{ship_of(colour)} on {hex_name(cell)}"
            yield no("AOW-85", f"{name} is safe: the storm takes ships beyond ring {ring} only.")
    for colour, cell in sorted(doomed.difference(seen.gone)):
        yield no("AOW-85", f"The storm has {ship_of(colour)} on {hex_name(cell)}: take it out.")


def _window(state: State, seen: Change, check: Check) -> Iterator[Ruling]:
    colour = stage_of(state, Window).colours[0]
    card, player = gambit_of(state, colour), state.owner(colour)
    if card is None or player is None or not EFFECTS[card.effect].new_ship:
        return
    for cell in cells_of(colour, seen.came):
        yield check(state, Relaunch(player, cell))


def _clearing(state: State, seen: Change, check: Check) -> Iterator[Ruling]:
    if (MERCHANT, CENTRE) not in seen.came and state.occupied().get(CENTRE) != MERCHANT:
        yield no("AOW-76", "The merchant anchors on the centre hex for the next battle.")
    yield no("AOW-76", "Take every other ship and every tile off the ocean first.")


def _reef(state: State, seen: Change, check: Check) -> Iterator[Ruling]:
    yield no("AOW-81", "The ships that drifted over reefs roll first; no other ship is moved.")


GUESSES: Mapping[type[Stage], Callable[[State, Change, Check], Iterator[Ruling]]] = {
    AddingThird: _third,
    PlacingGrudge: _grudge,
    RollingWind: _wind_roll,
    Drifting: _drift,
    Drifted: _reef,
    Storming: _storm,
    Window: _window,
    ClearingOcean: _clearing,
}
