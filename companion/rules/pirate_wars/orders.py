"""What a ship can be ordered; among it stations for its figures and the powder (PWR-76 to PWR-78).

Whoever has a task is busy for the phase; weapons are empty from the moment they are declared.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.rules.deeds import Deed
from companion.rules.game import PlayerId, Ruling
from companion.rules.phases import no
from companion.rules.pirate_wars.actions import Post, Scuttle
from companion.rules.pirate_wars.built.figures import KINDS
from companion.rules.pirate_wars.crew import (
    ABOARD,
    CASTLE,
    GUNS,
    NEST,
    Crew,
    Hand,
    changed,
    count_of,
    crew_size,
    fall_rank,
    of,
    picked,
)
from companion.rules.pirate_wars.fighting.gun_orders import gun_offers
from companion.rules.pirate_wars.fighting.leaving import refuse_moving
from companion.rules.pirate_wars.fighting.losses import bound, exposed
from companion.rules.pirate_wars.fighting.small_arms import arms_offers
from companion.rules.pirate_wars.pieces import Ship
from companion.rules.pirate_wars.sailing.sail_orders import sail_offers
from companion.rules.pirate_wars.state import State, design_of, with_ship
from companion.rules.pirate_wars.words import ship_name, station_named
from companion.rules.words import capital, only


def offers(state: State, player: PlayerId, number: int) -> Iterator[Deed]:
    """Yield what a ship can be ordered; of figures one, or all that can."""
    yield from gun_offers(state, player, number)
    yield from arms_offers(state, player, number)
    if design_of(state, number).kind != "ship":
        return
    yield from _post_offers(state, player, number)
    yield from sail_offers(state, player, number)


def _post_offers(state: State, player: PlayerId, number: int) -> Iterator[Deed]:
    stations, crew = _stations(state, number), state.ships[number].crew
    for figure, start in sorted({(hand.kind, hand.station) for hand, _ in crew}):
        free = _free_to_go(state, number, figure, start) if start in ABOARD else 0
        for count in sorted({1, free} if free else ()):
            for station in stations:
                if station != start:
                    yield Post(player, number, figure, start, station, count)


def _stations(state: State, number: int) -> list[str]:
    """Return the stations a ship has."""
    design = design_of(state, number)
    lacking = {
        CASTLE: not design.castles,
        NEST: not design.crows_nest,
        GUNS: not design.has_gun_deck,
    }
    return [station for station in ABOARD if not lacking.get(station)]


def _posted(ship: Ship, figure: str, start: str) -> Crew:
    """Return who can leave a station: the idle, and officers whether or not they are (PWR-56).

    Marines only fire, load and board.
    """

    def can(hand: Hand) -> bool:
        free = hand.figure.moves_freely or not (hand.busy or hand.figure.is_marine)
        return (hand.kind, hand.station) == (figure, start) and free

    return of(ship.crew, can)


def _free_to_go(state: State, number: int, figure: str, start: str) -> int:
    """Return how many can leave a station; as many as were hit there stay (PWR-36)."""
    ship = state.ships[number]
    there = crew_size(exposed(ship, (start,)))
    return min(crew_size(_posted(ship, figure, start)), there - bound(state, number, start))


def refuse_post(state: State, action: Deed) -> Ruling | None:
    """Refuse stations the ship does not have and figures that are not there or not free."""
    assert isinstance(action, Post)
    if action.station not in _stations(state, action.ship):
        name = capital(ship_name(state, action.ship))
        return no("PWR-78", f"{name} has no such station as {action.station!r}.")
    if action.station == action.start:
        return no("PWR-78", "They stand there already.")
    if action.figure in KINDS and KINDS[action.figure].is_marine:
        return no("PWR-56", "Marines fire, load and board; aboard a ship they are not moved about.")
    posted = _posted(state.ships[action.ship], action.figure, action.start)
    if not 1 <= action.count <= crew_size(posted):
        free, where = crew_size(posted), station_named(action.start)
        return no("PWR-56", f"{only(free, f'those {where}')} free to go.")
    return refuse_moving(state, action.ship, picked(posted, action.count, fall_rank))


def post(state: State, action: Deed) -> State:
    """Move figures; for officers it is no task (PWR-56)."""
    assert isinstance(action, Post)
    ship = state.ships[action.ship]
    who = picked(_posted(ship, action.figure, action.start), action.count, fall_rank)

    def moved(hand: Hand) -> Hand:
        busy = hand.busy or not hand.figure.moves_freely
        return hand._replace(station=action.station, busy=busy)

    return with_ship(state, action.ship, ship._replace(crew=changed(ship.crew, who, moved)))


def refuse_scuttle(state: State, action: Deed) -> Ruling | None:
    """Refuse without a Captain whose pistol is loaded, and after a launch was used (PWR-76)."""
    assert isinstance(action, Scuttle)
    if action.ship in state.scuttles:
        return no("PWR-76", "The Captain is on the way to the powder already.")
    if state.ships[action.ship].moved:
        return no("PWR-114", "She has used a launch: none is used in a turn in which she sinks.")
    ready = count_of(
        state.ships[action.ship].crew,
        lambda hand: hand.figure.role == "captain" and hand.is_ready("pistol") and not hand.busy,
    )
    if not ready:
        return no("PWR-76", "Only the Captain with a loaded pistol can scuttle the ship.")
    return None


def scuttle(state: State, action: Deed) -> State:
    """Send the Captain below."""
    assert isinstance(action, Scuttle)
    ship = state.ships[action.ship]
    captain = of(ship.crew, lambda hand: hand.figure.role == "captain" and not hand.busy)
    crew = changed(ship.crew, captain, lambda hand: hand.emptied("pistol")._replace(busy=True))
    state = with_ship(state, action.ship, ship._replace(crew=crew))
    return state._replace(scuttles=tuple(sorted((*state.scuttles, action.ship))))
