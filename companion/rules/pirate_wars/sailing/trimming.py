"""The sails at the end of the task phase (PWR-81 to PWR-83, PWR-93)."""

from __future__ import annotations

from companion.rules.game import Happening
from companion.rules.pirate_wars.built.damage import Chart, reset
from companion.rules.pirate_wars.crew import DECK, HELM, changed, count_of, fall_rank, picked
from companion.rules.pirate_wars.fighting.losses import chart_of, with_chart
from companion.rules.pirate_wars.pieces import AFLOAT, LOYAL
from companion.rules.pirate_wars.sailing.sail_orders import HANDS_A_SAIL
from companion.rules.pirate_wars.sailing.seamanship import (
    sailing_crew,
    sailing_hands,
    shorteners,
    spread,
)
from companion.rules.pirate_wars.state import State, design_of, is_engaged, with_ship
from companion.rules.pirate_wars.words import Told, ship_name
from companion.rules.words import capital, counted


def trimmed(state: State, number: int) -> tuple[State, Told]:
    """Set a ship's sails by the hands that sail.

    One for each sail and one more to shorten each; what was tasked to be reset opens again.
    Mutineers task whoever is left to get away (PWR-93). Hands that fight work no sails, but what
    they were tasked with before is done, whatever has become of them (PWR-82).
    """
    ship = state.ships[number]
    resetting, ship = ship.resetting, ship._replace(resetting=0)
    state = with_ship(state, number, ship)
    if design_of(state, number).kind != "ship" or ship.fate != AFLOAT:
        return state, ()
    if is_engaged(state, number) or ship.prize or not ship.crew:
        return _opened(state, number, chart_of(state, number), resetting)
    if ship.stunned:
        return state, ()
    hands, chart = sailing_hands(ship), chart_of(state, number)
    told: Told = ()
    name = capital(ship_name(state, number))
    if hands < ship.sf:
        dropped = ship.sf - hands
        text = f"{name} has {hands or 'nobody'} to sail: {dropped} SF drop{'s' * (dropped == 1)}"
        told = (Happening(text, "PWR-81"),)
        chart = chart._replace(sf=hands)
    spare_hands = hands - chart.sf
    cut = ship._replace(sf=chart.sf)
    wish = shorteners(cut)
    short = min(wish, spare_hands)
    if short < wish:
        kept = spread(cut) - short
        few = f"{name} has {counted(short, 'hand', 'hands')} to shorten sail"
        told = (*told, Happening(f"{few}: {kept} SF stay set, not {ship.wanted}", "PWR-31"))
        state = with_ship(state, number, ship._replace(wanted=kept))
    if ship.mood != LOYAL:
        resetting = (spare_hands - short) // HANDS_A_SAIL
    state, more = _opened(state, number, chart, resetting)
    return _steered(state, number), (*told, *more)


def _opened(state: State, number: int, chart: Chart, sails: int) -> tuple[State, Told]:
    """Open so many lost sails of a chart again, as far as the hull allows (PWR-83)."""
    opened = reset(chart, sails)
    state = with_chart(state, number, opened)
    if opened == chart:
        return state, ()
    text = f"{capital(ship_name(state, number))} resets {opened.sf - chart.sf} SF"
    return state, (Happening(text, "PWR-83"),)


def _steered(state: State, number: int) -> State:
    """Place one of those who sail at the helm if nobody stands there (PWR-81)."""
    ship = state.ships[number]
    if count_of(ship.crew, lambda hand: hand.station == HELM):
        return state
    steers = picked(sailing_crew(ship), 1, lambda hand: (hand.station != DECK, fall_rank(hand)))
    crew = changed(ship.crew, steers, lambda hand: hand._replace(station=HELM))
    return with_ship(state, number, ship._replace(crew=crew))
