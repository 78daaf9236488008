"""Figures knocked over ashore, or off a ship: whoever sees it says so (PWR-57, PWR-125)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.rules.game import Happening, Ruling, Step
from companion.rules.outlines import depth
from companion.rules.phases import Aside, no
from companion.rules.pirate_wars.actions import Fall
from companion.rules.pirate_wars.ashore.hazards import WATER_EDGE
from companion.rules.pirate_wars.ashore.storming import fort_around, fort_built
from companion.rules.pirate_wars.crew import CLIMBING, FALLEN, Crew, changed, fall_rank, of, picked
from companion.rules.pirate_wars.fighting.losses import groups, remove
from companion.rules.pirate_wars.pieces import AFLOAT
from companion.rules.pirate_wars.sailing.seamanship import dots
from companion.rules.pirate_wars.sailing.swimming import overboard
from companion.rules.pirate_wars.stages import FallingOff, Moving, Tasking
from companion.rules.pirate_wars.state import State, design_of, hull_of, with_ship
from companion.rules.pirate_wars.words import figure_named, ship_name, station_named
from companion.rules.words import capital

RULE, OVERBOARD = "PWR-125", "PWR-57"
OVER, DOWN, SPLASH = "over", "down", "water"
FALLS = (OVER, DOWN, SPLASH)
"""It lies where it stood; it fell off a building; it fell off a building into the water."""
AT_SEA = ("ship", "launch")


class FallOver(Aside[State, Fall]):
    """A figure ashore has fallen over, or off a building; or one has gone overboard."""

    takes = Fall

    def actions(self, state: State) -> tuple[Fall, ...]:
        """Return one figure of every group, and how it can fall."""
        if not isinstance(state.stage, Moving | FallingOff | Tasking):
            return ()
        return tuple(sorted(self._falls(state)))

    def _falls(self, state: State) -> Iterator[Fall]:
        for number, ship in enumerate(state.ships):
            if ship.fate != AFLOAT:
                continue
            for figure, station, _ in groups(ship.crew):
                for how in FALLS:
                    fall = Fall(ship.player, number, figure, station, how)
                    if self.refuse(state, fall) is None:
                        yield fall

    def refuse(self, state: State, action: Fall) -> Ruling | None:
        """Refuse figures that are not there, and falls that cannot be from where they stand."""
        if not isinstance(state.stage, Moving | FallingOff | Tasking):
            return no(RULE, "Falls are told while figures move or have tasks.")
        if not 0 <= action.ship < len(state.ships) or action.how not in FALLS:
            return no(RULE, "Figures ashore fall over, down, or into the water.")
        ship, name = state.ships[action.ship], capital(ship_name(state, action.ship))
        if ship.player != action.player or ship.fate != AFLOAT:
            return no(RULE, f"{name} has no figures of that captain.")
        if not _standing(state, action):
            return no(RULE, f"{name} has no such figure that stands there.")
        if design_of(state, action.ship).kind in AT_SEA:
            wet = action.how == SPLASH
            return None if wet else no(OVERBOARD, f"Who falls off {name} falls into the water.")
        if action.how != OVER and not _is_high(state, action.ship, action.station):
            return no(RULE, f"{name} has nothing to fall off there: it is the ground.")
        if action.how == SPLASH and not _is_over_water(state, action.ship):
            return no(RULE, "There is no water at the foot of that wall.")
        return None

    def play(self, state: State, action: Fall) -> Step[State]:
        """Let it lie, die or swim."""
        ship, one = state.ships[action.ship], picked(_standing(state, action), 1, fall_rank)
        what = f"{figure_named(action.figure, 1)} of {ship_name(state, action.ship)}"
        if action.how == OVER:
            crew = changed(ship.crew, one, lambda h: h._replace(busy=True, hampered=FALLEN))
            # A party keeps together: it stays with whoever lies there.
            left = ship.left if fort_built(state, action.ship) else 0
            state = with_ship(state, action.ship, ship._replace(crew=crew, left=left))
            text = f"{capital(what)} has fallen over: the next Tasks phase goes by standing up"
            return Step(state, (Happening(text, RULE),))
        state = remove(state, action.ship, one)
        where = station_named(action.station)
        if action.how == SPLASH:
            state = overboard(state, action.ship, one)
            rule = OVERBOARD if design_of(state, action.ship).kind in AT_SEA else RULE
            return Step(state, (Happening(f"{capital(what)} falls into the water", rule),))
        return Step(state, (Happening(f"{capital(what)} falls to death from {where}", RULE),))


def _standing(state: State, action: Fall) -> Crew:
    """Return the figures of the group that have not fallen."""
    return of(
        state.ships[action.ship].crew,
        lambda hand: (
            (hand.kind, hand.station) == (action.figure, action.station) and hand.hampered != FALLEN
        ),
    )


def _is_high(state: State, number: int, station: str) -> bool:
    """Tell whether a place is above the ground: a wall, or an upper floor."""
    if station == CLIMBING:
        return True
    built = fort_built(state, fort_around(state, number))
    return built is not None and built.inside.by_station[station].level > 0


def _is_over_water(state: State, number: int) -> bool:
    """Tell whether the wall of a fortress stands at the water, as near as alligators come."""
    fort = max(fort_around(state, number), state.ships[number].fort)
    corners = hull_of(state, fort)
    return any(
        all(dots(depth(corner, shore)) <= WATER_EDGE for shore in state.options.islands)
        for corner in corners
    )
