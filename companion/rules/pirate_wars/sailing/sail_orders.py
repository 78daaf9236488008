"""Orders to the sails: how many are carried, and resetting lost ones (PWR-31, PWR-82)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.rules.deeds import Deed
from companion.rules.game import PlayerId, Ruling
from companion.rules.phases import no
from companion.rules.pirate_wars.actions import ResetSails, SetSails
from companion.rules.pirate_wars.crew import changed, fall_rank, picked
from companion.rules.pirate_wars.fighting.gun_orders import busied
from companion.rules.pirate_wars.fighting.losses import chart_of
from companion.rules.pirate_wars.sailing.seamanship import sailing_crew, sailing_hands
from companion.rules.pirate_wars.state import State, design_of, with_ship
from companion.rules.pirate_wars.words import ship_name
from companion.rules.words import capital, counted

HANDS_A_SAIL = 2
"""Figures that open a lost sail factor again (PWR-82)."""


def sail_offers(state: State, player: PlayerId, number: int) -> Iterator[Deed]:
    """Yield how many sails can be carried, and reset."""
    ship = state.ships[number]
    for sails in range(ship.sf + 1):
        if sails != ship.wanted:
            yield SetSails(player, number, sails)
    for sails in range(1, resettable(state, number) + 1):
        yield ResetSails(player, number, sails)


def refuse_sails(state: State, action: Deed) -> Ruling | None:
    """Refuse more sails than the ship has, and what is ordered already (PWR-31)."""
    assert isinstance(action, SetSails)
    most = design_of(state, action.ship).sail_factor
    if not 0 <= action.sails <= most:
        return no("PWR-31", f"{capital(ship_name(state, action.ship))} was built with {most} SF.")
    if action.sails == state.ships[action.ship].wanted:
        return no("PWR-31", "So many are ordered already.")
    return None


def set_sails(state: State, action: Deed) -> State:
    """Note what the captain wants to carry."""
    assert isinstance(action, SetSails)
    ship = state.ships[action.ship]
    return with_ship(state, action.ship, ship._replace(wanted=action.sails))


def resettable(state: State, number: int) -> int:
    """Return how many sail factors can be tasked to be reset: two idle figures each (PWR-82)."""
    ship, chart = state.ships[number], chart_of(state, number)
    lost = chart.most_sf - chart.sf - ship.resetting
    return max(min(lost, sailing_hands(ship) // HANDS_A_SAIL), 0)


def refuse_reset(state: State, action: Deed) -> Ruling | None:
    """Refuse sails that are not lost or cannot be reset, and too few hands (PWR-82, PWR-83)."""
    assert isinstance(action, ResetSails)
    most = resettable(state, action.ship)
    if 1 <= action.sails <= most:
        return None
    chart = chart_of(state, action.ship)
    lost = chart.most_sf - chart.sf - state.ships[action.ship].resetting
    if lost < 1:
        return no("PWR-83", "There is no sail to reset: never more than the hull allows.")
    if not most:
        return no("PWR-82", "It takes two figures without a task for each sail factor.")
    return no("PWR-82", f"Up to {counted(most, 'sail factor', 'sail factors')} can be reset.")


def reset_sails(state: State, action: Deed) -> State:
    """Task two figures for each sail factor; it opens at the end of the phase."""
    assert isinstance(action, ResetSails)
    ship = state.ships[action.ship]
    tasked = picked(sailing_crew(ship), HANDS_A_SAIL * action.sails, fall_rank)
    crew = changed(ship.crew, tasked, busied)
    ship = ship._replace(crew=crew, resetting=ship.resetting + action.sails)
    return with_ship(state, action.ship, ship)
