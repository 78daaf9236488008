"""Figures in the water: how they get there, where they swim (PWR-57, PWR-78, PWR-90)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.rules.game import Happening, PlayerId, Ruling, Step
from companion.rules.outlines import nearest_point
from companion.rules.phases import no
from companion.rules.pirate_wars.ashore.rousing import is_native
from companion.rules.pirate_wars.ashore.seats import has_room
from companion.rules.pirate_wars.crew import Crew, boarded, by_kind, merged
from companion.rules.pirate_wars.fighting.native_melee import falls_in_order
from companion.rules.pirate_wars.pieces import AFLOAT, FLOATS, LOYAL, Shoal
from companion.rules.pirate_wars.sailing.seamanship import dots, mm
from companion.rules.pirate_wars.state import State, design_of, hull_of, side_of, with_ship
from companion.rules.pirate_wars.words import figures_named, ship_name
from companion.rules.plane import XY, distance, toward
from companion.rules.plane import bearing_deg as bearing
from companion.rules.words import capital

SWIM_DOTS = 8
"""How far figures swim in a round, and from how near they climb aboard (PWR-78)."""


def overboard(state: State, number: int, figures: Crew) -> State:
    """Put figures into the water where their ship is; they stay where they fall."""
    if not figures:
        return state
    ship = state.ships[number]
    shoal = Shoal(
        ship.player,
        number,
        side_of(state, number),
        by_kind(figures),
        ship.pose.x_mm,
        ship.pose.y_mm,
    )
    return state._replace(shoals=(*state.shoals, shoal))


def swims(state: State, player: PlayerId) -> Iterator[tuple[int, int]]:
    """Yield which shoals of a side can swim to which of its ships; natives keep to themselves.

    Mutineers take in nobody: theirs is no friendly ship (PWR-78, PWR-93).
    """
    for number, shoal in enumerate(state.shoals):
        if shoal.player == player and not shoal.fresh:
            native = falls_in_order(boarded(shoal.figures))
            for target, ship in enumerate(state.ships):
                floats = design_of(state, target).kind in FLOATS
                own = ship.player == player and ship.fate == AFLOAT and ship.mood == LOYAL
                alike = is_native(state, target) == native
                if floats and own and alike and has_room(state, target, shoal.size):
                    yield number, target


def refuse_swim(state: State, number: int, target: int) -> Ruling | None:
    """Refuse figures of others, those that swam or fell in this round, and foreign ships."""
    if not 0 <= number < len(state.shoals) or state.shoals[number].player != state.player:
        return no("PWR-78", "None of your figures swim there.")
    if state.shoals[number].fresh:
        return no("PWR-78", "They fell into the water or swam in this round.")
    if (number, target) not in set(swims(state, state.player)):
        own = [n for n, ship in enumerate(state.ships) if ship.player == state.player]
        if target in own and state.ships[target].mood != LOYAL:
            name = ship_name(state, target)
            return no("PWR-78", f"The crew of {name} has mutinied: she takes nobody in.")
        if target in own and not has_room(state, target, state.shoals[number].size):
            name = capital(ship_name(state, target))
            return no("PWR-115", f"{name} has no room for all who swim there.")
        return no("PWR-78", "Figures swim to a ship of their own side.")
    return None


def away_dots(state: State, number: int, target: int) -> float:
    """Return how far figures are from a ship's hull, dots."""
    shoal = state.shoals[number]
    here = (shoal.x_mm, shoal.y_mm)
    return dots(distance(here, nearest_point(here, hull_of(state, target))))


def swim(state: State, number: int, target: int) -> Step[State]:
    """Climb aboard from within eight dots, else swim so far toward the ship."""
    shoal = state.shoals[number]
    rest = (*state.shoals[:number], *state.shoals[number + 1 :])
    who, name = figures_named(shoal.figures), ship_name(state, target)
    climb, go = ("climbs", "swims") if shoal.size == 1 else ("climb", "swim")
    if away_dots(state, number, target) <= SWIM_DOTS:
        ship = state.ships[target]
        ship = ship._replace(crew=merged(ship.crew, boarded(shoal.figures)))
        state = with_ship(state, target, ship)._replace(shoals=rest)
        return Step(state, (Happening(f"{capital(who)} {climb} aboard {name}", "PWR-78"),))
    x, y = _toward(state, shoal, target)
    swum = shoal._replace(x_mm=x, y_mm=y, fresh=True)
    shoals = (*state.shoals[:number], swum, *state.shoals[number + 1 :])
    text = f"{capital(who)} {go} toward {name}"
    return Step(state._replace(shoals=shoals), (Happening(text, "PWR-78"),))


def _toward(state: State, shoal: Shoal, target: int) -> XY:
    here = (shoal.x_mm, shoal.y_mm)
    goal = nearest_point(here, hull_of(state, target))
    x, y = toward(here, bearing(here, goal), mm(SWIM_DOTS))
    return round(x, 1), round(y, 1)
