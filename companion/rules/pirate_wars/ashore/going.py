"""Who goes in a boat, comes ashore or crosses over, and what they take along (PWR-114, PWR-115)."""

from __future__ import annotations

from collections import Counter

from companion.rules.game import Ruling
from companion.rules.phases import no
from companion.rules.pirate_wars.actions import Cross, Disembark, Lower
from companion.rules.pirate_wars.ashore.setting_down import RULE
from companion.rules.pirate_wars.built.figures import Groups
from companion.rules.pirate_wars.crew import (
    DECK,
    Crew,
    Hand,
    by_kind,
    crew_size,
    fall_rank,
    make_crew,
    merged,
    of,
    picked,
    standing_at,
    without,
)
from companion.rules.pirate_wars.fighting.leaving import Rank, is_doomed, leaving, refuse_leaving
from companion.rules.pirate_wars.fighting.losses import blows_up
from companion.rules.pirate_wars.pieces import Ship
from companion.rules.pirate_wars.state import State, design_of
from companion.rules.pirate_wars.words import ship_name
from companion.rules.words import capital

CAPACITY = "PWR-115"
LOWERING = ("ship", "tribe")
"""Kinds that put boats to sea, and hoist them."""
Going = Lower | Disembark | Cross


def chosen(state: State, number: int, crew: Crew, figures: Groups) -> Crew:
    """Return idle figures of these kinds, those with least to lose first; fewer if there are."""

    def pick(rank: Rank) -> Crew:
        parts: Counter[Hand] = Counter()
        for name, count in figures:
            parts.update(dict(picked(_idle(crew, name), count, rank)))
        return make_crew(parts)

    return leaving(state, number, pick)


def _idle(crew: Crew, kind: str) -> Crew:
    return of(crew, lambda hand: hand.kind == kind and not hand.busy)


def refuse_figures(state: State, action: Going) -> Ruling | None:
    """Refuse figures that are not there or not free to go, and chests that are not there."""
    number = action.ship
    ship = state.ships[number]
    asked = crew_size(action.figures)
    if asked < 1 or any(count < 1 for _, count in action.figures):
        return no(RULE, "Say which figures go, one at least.")
    if list(action.figures) != sorted(dict(action.figures).items()):
        return no(RULE, "Each kind of figure is named once, in order.")
    going = chosen(state, number, movable(state, action), action.figures)
    if crew_size(going) < asked:
        name = capital(ship_name(state, number))
        return no(RULE, f"{name} does not have those figures without another task.")
    refusal = refuse_leaving(state, number, going)
    if refusal is not None:
        return refusal
    if not 0 <= action.chests <= ship.chests:
        name = capital(ship_name(state, number))
        return no(CAPACITY, f"{name} has {ship.chests} chests and barrels.")
    return None


def movable(state: State, action: Going) -> Crew:
    """Return who can go: of a garrison, those in the place of the party they go to."""
    crew = state.ships[action.ship].crew
    if design_of(state, action.ship).kind != "fort" or not isinstance(action, Cross):
        return crew
    station = state.ships[action.target].station
    return standing_at(crew, station)


def groups_offered(ship: Ship, most: int) -> list[Groups]:
    """Return figures that are offered to go: one, as many as can, and an officer with them."""
    idle = of(ship.crew, lambda hand: not hand.busy)
    plain = of(idle, lambda hand: not hand.figure.always_boards)
    groups = {
        by_kind(picked(part, count, fall_rank)) for part in (plain, idle) for count in (1, most)
    }
    led = picked(of(idle, lambda hand: hand.figure.always_boards), 1, fall_rank)
    groups.add(by_kind(merged(led, picked(plain, most - 1, fall_rank))))
    return sorted(group for group in groups if group)


def chests_offered(ship: Ship, most: int) -> list[int]:
    """Return how many chests are offered to go along: none, or as many as can."""
    return sorted({0, min(ship.chests, max(most, 0))})


def left_with(ship: Ship, going: Crew, chests: int) -> Ship:
    """Return a piece without those who go and what they take along."""
    return ship._replace(crew=without(ship.crew, going), chests=ship.chests - chests)


def crossed(hand: Hand) -> Hand:
    """Return a figure that has gone over: it does nothing more in this phase."""
    return hand._replace(station=DECK, busy=True)


def refuse_doomed(state: State, number: int) -> Ruling | None:
    """Refuse to leave a ship in the turn in which she sinks (PWR-114), and a launch (PWR-36).

    What was thrown takes effect at the end of the phase; who has yet to fire at her is not known.
    """
    if not is_doomed(state, number):
        return None
    name = capital(ship_name(state, number))
    if design_of(state, number).kind != "ship":
        return no("PWR-36", f"{name} sinks by the hits of this phase: nobody leaves her before.")
    how = "blows up" if blows_up(state, number) else "sinks by the hits of this phase"
    return no(RULE, f"{name} {how}: launches are not used in a turn in which she sinks.")


def too_soon(name: str) -> Ruling:
    """Refuse to leave a launch that has rowed, drifted or put off in this turn (PWR-114)."""
    return no(RULE, f"{name} came here in this turn; figures leave her in the next.")
