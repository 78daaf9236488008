"""Orders to the figures of a ship: small arms, stations, sails, the powder (PWR-75 to PWR-83).

Whoever has a task is busy for the phase; weapons are empty from the moment they are declared.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.rules.deeds import Deed
from companion.rules.game import PlayerId, Ruling
from companion.rules.phases import no
from companion.rules.pirate_wars.actions import (
    LoadArms,
    Post,
    ResetSails,
    Scuttle,
    SetSails,
    Shoot,
)
from companion.rules.pirate_wars.built.figures import KINDS
from companion.rules.pirate_wars.built.vessels import PARTY
from companion.rules.pirate_wars.crew import (
    CASTLE,
    DECK,
    GUNS,
    NEST,
    STATIONS,
    Crew,
    Hand,
    changed,
    count_of,
    crew_size,
    fall_rank,
    of,
    picked,
)
from companion.rules.pirate_wars.fighting.gun_orders import (
    VISIBLE,
    busied,
    enemies,
    gun_offers,
    manned,
    refuse_target,
)
from companion.rules.pirate_wars.fighting.gunnery import (
    sees,
)
from companion.rules.pirate_wars.fighting.losses import chart_of
from companion.rules.pirate_wars.pieces import Ship
from companion.rules.pirate_wars.sailing.seamanship import sailing_hands
from companion.rules.pirate_wars.stages import Attack
from companion.rules.pirate_wars.state import State, design_of, with_ship
from companion.rules.pirate_wars.words import capital, ship_name, station_named
from companion.rules.words import counted

HANDS_A_SAIL = 2
"""Figures that open a lost sail factor again (PWR-82)."""
SMALL_ARMS = ("musket", "pistol", "bow", "spear")


def offers(state: State, player: PlayerId, number: int) -> Iterator[Deed]:
    """Yield what a ship can be ordered; of figures one, or all that can."""
    ship = state.ships[number]
    yield from gun_offers(state, player, number)
    yield from _shot_offers(state, player, number)
    yield from _crew_offers(state, player, number)
    if design_of(state, number).kind != "ship":
        return
    for sails in range(ship.sf + 1):
        if sails != ship.wanted:
            yield SetSails(player, number, sails)
    for sails in range(1, _resettable(state, number) + 1):
        yield ResetSails(player, number, sails)
    scuttle = Scuttle(player, number)
    if refuse_scuttle(state, scuttle) is None:
        yield scuttle


def _shot_offers(state: State, player: PlayerId, number: int) -> Iterator[Deed]:
    ship = state.ships[number]
    armed = sorted({hand.kind for hand, _ in ship.crew if hand.figure.weapons})
    if ship.prize or not armed:
        return
    for target in enemies(state, number):
        if not sees(state, number, target):
            continue
        for figure in armed:
            for weapon in SMALL_ARMS:
                free = crew_size(_shooters(ship, figure, weapon))
                for count in sorted({1, free} if free else ()):
                    for station in manned(state, target):
                        yield Shoot(player, number, figure, weapon, count, target, station)


def _crew_offers(state: State, player: PlayerId, number: int) -> Iterator[Deed]:
    ship = state.ships[number]
    for figure in sorted({hand.kind for hand, _ in ship.crew}):
        empty = crew_size(_unloaded(ship, figure))
        for count in sorted({1, empty} if empty else ()):
            yield LoadArms(player, number, figure, count)
        for start in STATIONS:
            free = crew_size(_posted(ship, figure, start))
            for count in sorted({1, free} if free else ()):
                for station in _stations(state, number):
                    if station != start:
                        yield Post(player, number, figure, start, station, count)


def _stations(state: State, number: int) -> list[str]:
    """Return the stations a ship has."""
    design = design_of(state, number)
    if design.kind != "ship":
        return [DECK]
    lacking = {
        CASTLE: not design.castles,
        NEST: not design.crows_nest,
        GUNS: not design.has_gun_deck,
    }
    return [station for station in STATIONS if not lacking.get(station)]


def _shooters(ship: Ship, figure: str, weapon: str) -> Crew:
    return of(
        ship.crew,
        lambda h: h.kind == figure and h.loaded and not h.busy and weapon in h.figure.weapons,
    )


def _unloaded(ship: Ship, figure: str) -> Crew:
    if ship.design == PARTY.id and ship.moved:
        return ()  # who walks does not load (PWR-123)
    return of(
        ship.crew,
        lambda h: h.kind == figure and h.figure.is_armed and not h.loaded and not h.busy,
    )


def _posted(ship: Ship, figure: str, start: str) -> Crew:
    """Return who can leave a station: the idle, and officers whether or not they are (PWR-56)."""
    return of(
        ship.crew,
        lambda h: h.kind == figure and h.station == start and (not h.busy or h.figure.moves_freely),
    )


def refuse_shot(state: State, action: Deed) -> Ruling | None:
    """Refuse figures without a loaded weapon, and targets that cannot be seen (PWR-75)."""
    assert isinstance(action, Shoot)
    refusal = refuse_target(state, action.ship, action.target)
    if refusal is not None:
        return refusal
    if action.figure not in KINDS or action.weapon not in SMALL_ARMS:
        return no("PWR-12", "Muskets and pistols are fired by figures that carry them.")
    free = crew_size(_shooters(state.ships[action.ship], action.figure, action.weapon))
    if not 1 <= action.count <= free:
        arms = f"{action.weapon}s"
        return no("PWR-18", f"{free} of them are free and have loaded {arms}.")
    if action.station not in VISIBLE:
        return no("PWR-75", "On the gun deck nobody can be hit from another ship.")
    if not sees(state, action.ship, action.target):
        return no("PWR-75", f"{capital(ship_name(state, action.target))} cannot be seen from here.")
    return None


def shoot(state: State, action: Deed) -> State:
    """Declare shots: weapons are empty but those of females, figures busy (PWR-18)."""
    assert isinstance(action, Shoot)
    ship = state.ships[action.ship]
    who = picked(_shooters(ship, action.figure, action.weapon), action.count, fall_rank)
    crew = changed(ship.crew, who, fired)
    attack = Attack(
        action.ship,
        action.weapon,
        -1,
        action.figure,
        action.count,
        action.target,
        action.station,
    )
    state = with_ship(state, action.ship, ship._replace(crew=crew))
    return state._replace(attacks=(*state.attacks, attack))


def fired(hand: Hand) -> Hand:
    """Return a figure after it has fired."""
    return hand._replace(loaded=hand.figure.always_loaded, busy=True)


def refuse_arms(state: State, action: Deed) -> Ruling | None:
    """Refuse to load what is loaded, or by figures that are not free (PWR-80)."""
    assert isinstance(action, LoadArms)
    free = crew_size(_unloaded(state.ships[action.ship], action.figure))
    if not 1 <= action.count <= free:
        return no("PWR-80", f"{free} of them are free and have a weapon to load.")
    return None


def load_arms(state: State, action: Deed) -> State:
    """Load muskets and pistols."""
    assert isinstance(action, LoadArms)
    ship = state.ships[action.ship]
    who = picked(_unloaded(ship, action.figure), action.count, fall_rank)
    crew = changed(ship.crew, who, lambda hand: hand._replace(loaded=True, busy=True))
    return with_ship(state, action.ship, ship._replace(crew=crew))


def refuse_post(state: State, action: Deed) -> Ruling | None:
    """Refuse stations the ship does not have and figures that are not there or not free."""
    assert isinstance(action, Post)
    if action.station not in _stations(state, action.ship):
        name = capital(ship_name(state, action.ship))
        return no("PWR-78", f"{name} has no such station as {action.station!r}.")
    if action.station == action.start:
        return no("PWR-78", "They stand there already.")
    free = crew_size(_posted(state.ships[action.ship], action.figure, action.start))
    if not 1 <= action.count <= free:
        where = station_named(action.start)
        return no("PWR-56", f"{free} of them are free to go {where}.")
    return None


def post(state: State, action: Deed) -> State:
    """Move figures; for officers it is no task (PWR-56)."""
    assert isinstance(action, Post)
    ship = state.ships[action.ship]
    who = picked(_posted(ship, action.figure, action.start), action.count, fall_rank)

    def moved(hand: Hand) -> Hand:
        busy = hand.busy or not hand.figure.moves_freely
        return hand._replace(station=action.station, busy=busy)

    return with_ship(state, action.ship, ship._replace(crew=changed(ship.crew, who, moved)))


def refuse_sails(state: State, action: Deed) -> Ruling | None:
    """Refuse more sails than are open (PWR-31)."""
    assert isinstance(action, SetSails)
    ship = state.ships[action.ship]
    if not 0 <= action.sails <= design_of(state, action.ship).sail_factor:
        return no("PWR-31", f"{ship.sf} sail factors are open.")
    if action.sails == ship.wanted:
        return no("PWR-31", "That is what is carried already.")
    return None


def set_sails(state: State, action: Deed) -> State:
    """Note what the captain wants to carry."""
    assert isinstance(action, SetSails)
    ship = state.ships[action.ship]
    return with_ship(state, action.ship, ship._replace(wanted=action.sails))


def _resettable(state: State, number: int) -> int:
    """Return how many sail factors can be tasked to be reset: two idle figures each (PWR-82)."""
    ship, chart = state.ships[number], chart_of(state, number)
    lost = chart.most_sf - chart.sf - ship.resetting
    return max(min(lost, sailing_hands(ship) // HANDS_A_SAIL), 0)


def refuse_reset(state: State, action: Deed) -> Ruling | None:
    """Refuse sails that are not lost or cannot be reset, and too few hands (PWR-82, PWR-83)."""
    assert isinstance(action, ResetSails)
    most = _resettable(state, action.ship)
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
    idle = of(ship.crew, lambda hand: not hand.busy and hand.figure.can_sail)
    crew = changed(ship.crew, picked(idle, HANDS_A_SAIL * action.sails, fall_rank), busied)
    ship = ship._replace(crew=crew, resetting=ship.resetting + action.sails)
    return with_ship(state, action.ship, ship)


def refuse_scuttle(state: State, action: Deed) -> Ruling | None:
    """Refuse without a Captain whose pistol is loaded (PWR-76)."""
    assert isinstance(action, Scuttle)
    if action.ship in state.scuttles:
        return no("PWR-76", "The Captain is on the way to the powder already.")
    ready = count_of(
        state.ships[action.ship].crew,
        lambda hand: hand.figure.role == "captain" and hand.loaded and not hand.busy,
    )
    if not ready:
        return no("PWR-76", "Only the Captain with a loaded pistol can scuttle the ship.")
    return None


def scuttle(state: State, action: Deed) -> State:
    """Send the Captain below."""
    assert isinstance(action, Scuttle)
    ship = state.ships[action.ship]
    captain = of(ship.crew, lambda hand: hand.figure.role == "captain" and not hand.busy)
    crew = changed(ship.crew, captain, fired)
    state = with_ship(state, action.ship, ship._replace(crew=crew))
    return state._replace(scuttles=tuple(sorted((*state.scuttles, action.ship))))
