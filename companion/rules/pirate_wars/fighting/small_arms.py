"""Muskets, pistols, bows and spears: fired and loaded (PWR-18, PWR-75, PWR-80)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from companion.rules.deeds import Deed
from companion.rules.game import PlayerId, Ruling
from companion.rules.phases import no
from companion.rules.pirate_wars.actions import LoadArms, Shoot
from companion.rules.pirate_wars.ashore.storming import fort_around
from companion.rules.pirate_wars.built.figures import KINDS
from companion.rules.pirate_wars.built.vessels import PARTY
from companion.rules.pirate_wars.crew import (
    THROWN,
    WALKED,
    Crew,
    Hand,
    changed,
    crew_size,
    fall_rank,
    of,
    picked,
)
from companion.rules.pirate_wars.fighting.gun_orders import (
    VISIBLE,
    enemies,
    manned,
    no_target,
    refuse_target,
)
from companion.rules.pirate_wars.fighting.gunnery import sees
from companion.rules.pirate_wars.pieces import Ship
from companion.rules.pirate_wars.stages import Attack
from companion.rules.pirate_wars.state import State, with_ship
from companion.rules.pirate_wars.words import ship_name
from companion.rules.words import capital, only

SMALL_ARMS = ("musket", "pistol", "bow", "spear")


def arms_offers(state: State, player: PlayerId, number: int) -> Iterator[Deed]:
    """Yield what small arms can be ordered: be fired, be loaded; by one figure, or all that can."""
    yield from _shot_offers(state, player, number)
    ship = state.ships[number]
    for figure in sorted({hand.kind for hand, _ in ship.crew}):
        empty = crew_size(unloaded(ship, figure))
        for count in sorted({1, empty} if empty else ()):
            yield LoadArms(player, number, figure, count)


def _shot_offers(state: State, player: PlayerId, number: int) -> Iterator[Deed]:
    ship = state.ships[number]
    armed = sorted({hand.kind for hand, _ in ship.crew if hand.figure.weapons})
    if ship.prize or not armed:
        return
    for target in enemies(state, number):
        if not sees(state, number, target):
            continue
        stations = manned(state, target)
        for figure, weapon, start in product(armed, SMALL_ARMS, _starts(state, number)):
            free = crew_size(_shooters(ship, figure, weapon, start))
            for count in sorted({1, free} if free else ()):
                for station in stations:
                    yield Shoot(player, number, figure, weapon, count, target, station, start)


def _starts(state: State, number: int) -> list[str]:
    """Return where those stand who can be told to fire; anywhere but in a fortress."""
    if fort_around(state, number) < 0:
        return [""]
    return sorted({hand.station for hand, _ in state.ships[number].crew})


def _shooters(ship: Ship, figure: str, weapon: str, start: str) -> Crew:
    return of(
        ship.crew,
        lambda h: (
            h.kind == figure and h.is_ready(weapon) and not h.busy and start in ("", h.station)
        ),
    )


def unloaded(ship: Ship, figure: str) -> Crew:
    """Return the figures of a kind that can load their weapons now (PWR-80, PWR-123)."""
    if ship.design == PARTY.id and ship.moved:
        return ()  # who walks does not load (PWR-123)
    return of(
        ship.crew,
        lambda h: (
            h.kind == figure
            and h.figure.is_armed
            and not h.loaded
            and not h.busy
            and h.hampered != WALKED
        ),
    )


def refuse_shot(state: State, action: Deed) -> Ruling | None:
    """Refuse figures without a loaded weapon, and targets that cannot be seen (PWR-75)."""
    assert isinstance(action, Shoot)
    refusal = refuse_target(state, action.ship, action.target)
    if refusal is not None:
        return refusal
    if action.figure not in KINDS or action.weapon not in SMALL_ARMS:
        return no("PWR-12", "Muskets and pistols are fired by figures that carry them.")
    within = fort_around(state, action.ship) >= 0
    if within != bool(action.start):
        if within:
            return no("PWR-126", "Say where in the fortress they stand.")
        return no("PWR-126", "Do not say where they stand: outside a fortress anybody may fire.")
    shooters = _shooters(state.ships[action.ship], action.figure, action.weapon, action.start)
    free = crew_size(shooters)
    if not 1 <= action.count <= free:
        loaded = "loaded " if action.weapon in ("musket", "pistol") else ""
        return no("PWR-18", f"{only(free, 'them')} free, with a {loaded}{action.weapon}.")
    if action.station not in VISIBLE:
        return no("PWR-75", "On the gun deck nobody can be hit from another ship.")
    if action.station not in manned(state, action.target):
        return no_target(state, action.target, action.station)
    if not sees(state, action.ship, action.target):
        return no("PWR-75", f"{capital(ship_name(state, action.target))} cannot be seen from here.")
    return None


def shoot(state: State, action: Deed) -> State:
    """Declare shots: weapons are empty but those of females, figures busy (PWR-18)."""
    assert isinstance(action, Shoot)
    ship = state.ships[action.ship]
    shooters = _shooters(ship, action.figure, action.weapon, action.start)
    who = picked(shooters, action.count, fall_rank)
    thrown = THROWN if action.weapon == "spear" else ""

    def fired(hand: Hand) -> Hand:
        return hand.emptied(action.weapon)._replace(busy=True, hampered=thrown or hand.hampered)

    crew = changed(ship.crew, who, fired)
    attack = Attack(
        action.ship,
        action.weapon,
        -1,
        action.figure,
        action.count,
        action.target,
        action.station,
        action.start,
    )
    state = with_ship(state, action.ship, ship._replace(crew=crew))
    return state._replace(attacks=(*state.attacks, attack))


def refuse_arms(state: State, action: Deed) -> Ruling | None:
    """Refuse to load what is loaded, or by figures that are not free (PWR-80)."""
    assert isinstance(action, LoadArms)
    free = crew_size(unloaded(state.ships[action.ship], action.figure))
    if not 1 <= action.count <= free:
        return no("PWR-80", f"{only(free, 'them')} free, with a weapon to load.")
    return None


def load_arms(state: State, action: Deed) -> State:
    """Load muskets and pistols."""
    assert isinstance(action, LoadArms)
    ship = state.ships[action.ship]
    who = picked(unloaded(ship, action.figure), action.count, fall_rank)
    crew = changed(ship.crew, who, lambda hand: hand._replace(loaded=True, busy=True))
    return with_ship(state, action.ship, ship._replace(crew=crew))
