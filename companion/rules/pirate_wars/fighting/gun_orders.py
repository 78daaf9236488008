"""Orders to the guns: fire, load, move to the other side (PWR-67 to PWR-80)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.rules.deeds import Deed
from companion.rules.game import PlayerId, Ruling
from companion.rules.phases import no
from companion.rules.pirate_wars.actions import FireGun, LoadGun, ShiftGun
from companion.rules.pirate_wars.ashore.islanders import CALM, HIDING
from companion.rules.pirate_wars.ashore.rousing import refuse_native
from companion.rules.pirate_wars.ashore.storming import fort_built
from companion.rules.pirate_wars.built.fort_design import WHEELED_DOTS
from companion.rules.pirate_wars.crew import GUNS, STATIONS, Hand, changed, crew_size
from companion.rules.pirate_wars.fighting.gunnery import (
    AMMO,
    CREW_OF_CANNON,
    DECK_GUN,
    DOORS,
    bears,
    closed_doors,
    gunners,
    is_cannon,
)
from companion.rules.pirate_wars.pieces import AFLOAT, FLOATS, LOADED, WRECKED, with_gun
from companion.rules.pirate_wars.stages import Attack
from companion.rules.pirate_wars.state import State, design_of, with_ship
from companion.rules.pirate_wars.words import ship_name, standing
from companion.rules.words import capital, counted

VISIBLE = tuple(station for station in STATIONS if station != GUNS)
"""Stations whose figures can be seen from another ship (PWR-75)."""


def enemies(state: State, number: int) -> list[int]:
    """Return the ships that one may fire at, by number."""
    player = state.ships[number].player
    return [
        n
        for n, s in enumerate(state.ships)
        if s.player != player and s.fate == AFLOAT and s.temper not in (CALM, HIDING)
    ]


def gun_offers(state: State, player: PlayerId, number: int) -> Iterator[Deed]:
    """Yield what the guns of a ship can be ordered: fire, be loaded, be moved."""
    for gun, it in enumerate(state.ships[number].guns):
        if it.busy or it.load == WRECKED:
            continue
        free = crew_size(gunners(state, number, gun, CREW_OF_CANNON))
        if not free:
            continue
        if it.load == LOADED:
            yield from _fire_offers(state, player, number, gun)
        else:
            most = CREW_OF_CANNON if is_cannon(state, number, gun) else 1
            free = crew_size(gunners(state, number, gun, CREW_OF_CANNON, load=True))
            for hands in range(1, min(free, most, LOADED - it.load) + 1):
                yield LoadGun(player, number, gun, hands)
        moving = crew_size(gunners(state, number, gun, CREW_OF_CANNON))
        if moving == CREW_OF_CANNON and _other_side(state, number, gun):
            yield ShiftGun(player, number, gun)


def _fire_offers(state: State, player: PlayerId, number: int, gun: int) -> Iterator[Deed]:
    if state.ships[number].prize:
        return
    if state.ships[number].guns[gun].rolling:
        return
    dead = design_of(state, number).kind == "tribe"
    for target in enemies(state, number):
        if not bears(state, number, gun, target) or (dead and not _floats(state, target)):
            continue
        if is_cannon(state, number, gun):
            if state.ships[target].is_inside:
                continue
            for ammo in ("shot",) if dead else AMMO:
                yield FireGun(player, number, gun, ammo, target, "")
            doors = FireGun(player, number, gun, "ball", target, DOORS)
            if not dead and closed_doors(state, target) and refuse_doors(state, doors) is None:
                yield doors
        else:
            for station in manned(state, target):
                yield FireGun(player, number, gun, "gun", target, station)


def _floats(state: State, number: int) -> bool:
    """Tell whether skeletons fire their cannons at a piece: at ships, and launches (PWR-138)."""
    return design_of(state, number).kind in FLOATS


def manned(state: State, number: int) -> list[str]:
    """Return where figures of a ship can be seen from another (PWR-75)."""
    there = {hand.station for hand, _ in state.ships[number].crew}
    return [station for station in VISIBLE if station in there]


def no_target(state: State, number: int, station: str) -> Ruling:
    """Refuse to fire at a place where nobody can be seen (PWR-75)."""
    where = standing(state, number, station)
    return no("PWR-75", f"Nobody of {ship_name(state, number)} can be seen {where}.")


def busied(hand: Hand) -> Hand:
    """Return a figure that has had its task."""
    return hand._replace(busy=True)


def _refuse_gun(state: State, number: int, gun: int) -> Ruling | None:
    guns = state.ships[number].guns
    if not 0 <= gun < len(guns):
        return no("PWR-67", f"{capital(ship_name(state, number))} has no gun {gun + 1}.")
    if guns[gun].load == WRECKED:
        return no("PWR-73", f"Gun {gun + 1} is lost.")
    if guns[gun].busy:
        return no("PWR-79", f"Gun {gun + 1} has been fired, loaded or moved in this phase.")
    if not gunners(state, number, gun, 1):
        return no("PWR-56", f"Nobody at gun {gun + 1} is free to serve it.")
    return None


def refuse_target(state: State, number: int, target: int) -> Ruling | None:
    """Refuse targets that are no enemies, and to fire from a prize (PWR-67, PWR-97)."""
    if state.ships[number].prize:
        return no("PWR-97", "A captured ship takes no part in the battle.")
    if 0 <= target < len(state.ships) and state.ships[target].temper in (CALM, HIDING):
        return refuse_native(state, target)
    if target not in enemies(state, number):
        return no("PWR-67", "Fire at a ship of another side that is still afloat.")
    return None


def refuse_fire(state: State, action: Deed) -> Ruling | None:
    """Refuse guns that cannot fire, and targets they do not bear on (PWR-68)."""
    assert isinstance(action, FireGun)
    number, gun = action.ship, action.gun
    refusal = _refuse_gun(state, number, gun)
    # A refusal is falsy, so `or` would not do here.
    if refusal is None:
        refusal = refuse_target(state, number, action.target)
    if refusal is None:
        refusal = _refuse_ready(state, number, gun)
    if refusal is not None:
        return refusal
    if is_cannon(state, number, gun):
        refusal = _refuse_cannon(state, action)
    elif action.ammo != "gun" or action.station not in VISIBLE:
        refusal = no("PWR-75", "A deck gun fires at figures that can be seen.")
    elif action.station not in manned(state, action.target):
        refusal = no_target(state, action.target, action.station)
    if refusal is not None:
        return refusal
    if action.station == DOORS:
        return refuse_doors(state, action)
    if not bears(state, number, gun, action.target):
        name = ship_name(state, action.target)
        return no("PWR-68", f"No straight line down the bore of gun {gun + 1} meets {name}.")
    return None


def _refuse_ready(state: State, number: int, gun: int) -> Ruling | None:
    """Refuse guns that are empty, or on their way to another wall."""
    it = state.ships[number].guns[gun]
    if it.load < LOADED:
        return no("PWR-80", f"Gun {gun + 1} is not loaded.")
    if it.rolling:
        return no("PWR-129", f"Gun {gun + 1} is on its way to another wall.")
    return None


def _refuse_cannon(state: State, action: FireGun) -> Ruling | None:
    """Refuse what no cannon fires, and what none is fired at."""
    if action.ammo not in AMMO:
        return no("PWR-67", "A cannon fires ball or shot.")
    dead = design_of(state, action.ship).kind == "tribe"
    if dead and action.ammo == "ball":
        return no("PWR-138", "Skeletons fire shot only.")
    if dead and not _floats(state, action.target):
        return no("PWR-138", "Skeletons fire their cannons at ships and launches only.")
    if action.station not in ("", DOORS):
        return no("PWR-121", "Only the doors of a fortress are aimed at, while they hold.")
    if state.ships[action.target].is_inside:
        return no("PWR-122", "Fire at the fortress: whoever is in it bears the losses in turn.")
    return None


def refuse_doors(state: State, action: FireGun) -> Ruling | None:
    """Refuse to fire at doors that are not there, broken, or not pointed at (PWR-121)."""
    doors = closed_doors(state, action.target)
    if doors is None:
        return no("PWR-121", "Only the doors of a fortress are aimed at, while they hold.")
    if action.ammo != "ball":
        return no("PWR-121", "Doors are broken with ball.")
    if not bears(state, action.ship, action.gun, action.target, doors):
        return no("PWR-121", f"Gun {action.gun + 1} does not point at the doors.")
    return None


def fire(state: State, action: Deed) -> State:
    """Declare a gun's shot: it is empty and its crew busy."""
    assert isinstance(action, FireGun)
    ship = state.ships[action.ship]
    crew = gunners(state, action.ship, action.gun, _serving(state, action.ship, action.gun))
    gun = ship.guns[action.gun]._replace(load=0, busy=True)
    ship = with_gun(ship, action.gun, gun)._replace(crew=changed(ship.crew, crew, busied))
    is_deck_gun = action.ammo == "gun"
    attack = Attack(
        action.ship,
        DECK_GUN if is_deck_gun else AMMO[action.ammo],
        action.gun,
        crew[0][0].kind if is_deck_gun else "",
        1,
        action.target,
        action.station,
    )
    state = with_ship(state, action.ship, ship)
    return state._replace(attacks=(*state.attacks, attack))


def _serving(state: State, number: int, gun: int) -> int:
    return CREW_OF_CANNON if is_cannon(state, number, gun) else 1


def refuse_load(state: State, action: Deed) -> Ruling | None:
    """Refuse guns that are loaded, and more hands than it takes or there are (PWR-80)."""
    assert isinstance(action, LoadGun)
    refusal = _refuse_gun(state, action.ship, action.gun)
    if refusal is not None:
        return refusal
    load = state.ships[action.ship].guns[action.gun].load
    if load == LOADED:
        return no("PWR-80", f"Gun {action.gun + 1} is loaded.")
    most = min(_serving(state, action.ship, action.gun), LOADED - load)
    if not 1 <= action.hands <= most:
        return no("PWR-80", f"It takes {counted(most, 'figure', 'figures')} at most.")
    free = crew_size(gunners(state, action.ship, action.gun, action.hands, load=True))
    if free < action.hands:
        return no("PWR-80", f"Only {free} at gun {action.gun + 1} can load it.")
    return None


def load(state: State, action: Deed) -> State:
    """Load a cannon, by half with one figure; a deck gun needs one (PWR-80)."""
    assert isinstance(action, LoadGun)
    ship = state.ships[action.ship]
    cannon = is_cannon(state, action.ship, action.gun)
    gun = ship.guns[action.gun]
    gun = gun._replace(load=gun.load + action.hands if cannon else LOADED, busy=True)
    crew = gunners(state, action.ship, action.gun, action.hands, load=True)
    ship = with_gun(ship, action.gun, gun)
    return with_ship(state, action.ship, ship._replace(crew=changed(ship.crew, crew, busied)))


def _other_side(state: State, number: int, gun: int) -> str:
    """Return the side a cannon can be moved to: the next there is; empty if it stays."""
    design = design_of(state, number)
    if gun >= len(design.cannons):
        return ""
    sides = design.cannons[gun].sides
    at = sides.index(state.ships[number].guns[gun].side)
    return sides[(at + 1) % len(sides)] if len(sides) > 1 else ""


def refuse_shift(state: State, action: Deed) -> Ruling | None:
    """Refuse cannons that stay on their side, and too few hands (PWR-79)."""
    assert isinstance(action, ShiftGun)
    refusal = _refuse_gun(state, action.ship, action.gun)
    if refusal is not None:
        return refusal
    if not _other_side(state, action.ship, action.gun):
        return no("PWR-79", f"Gun {action.gun + 1} cannot be moved to the other side.")
    if crew_size(gunners(state, action.ship, action.gun, CREW_OF_CANNON)) < CREW_OF_CANNON:
        return no("PWR-79", "It takes two figures at the cannon to move it.")
    return None


def shift(state: State, action: Deed) -> State:
    """Move a cannon across the ship; in a fortress no farther than it rolls in a turn (PWR-129)."""
    assert isinstance(action, ShiftGun)
    ship, built = state.ships[action.ship], fort_built(state, action.ship)
    gun = ship.guns[action.gun]
    if gun.rolling:
        gun = gun._replace(rolling=max(gun.rolling - WHEELED_DOTS, 0), busy=True)
    else:
        side = _other_side(state, action.ship, action.gun)
        far = built.roll_dots(action.gun, gun.side, side) if built else 0
        gun = gun._replace(side=side, rolling=max(far - WHEELED_DOTS, 0), busy=True)
    crew = gunners(state, action.ship, action.gun, CREW_OF_CANNON)
    ship = with_gun(ship, action.gun, gun)
    return with_ship(state, action.ship, ship._replace(crew=changed(ship.crew, crew, busied)))
