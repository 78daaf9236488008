"""Orders to one ship: fire, load, move, set sails, scuttle; refused or carried out (PWR-67 to 83).

Whoever has a task is busy for the phase; weapons are empty from the moment they are declared.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.rules.deeds import Deed
from companion.rules.game import PlayerId, Ruling
from companion.rules.phases import no
from companion.rules.pirate_wars.actions import (
    FireGun,
    LoadArms,
    LoadGun,
    Post,
    ResetSails,
    Scuttle,
    SetSails,
    ShiftGun,
    Shoot,
)
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
    wearied,
)
from companion.rules.pirate_wars.figures import KINDS
from companion.rules.pirate_wars.gunnery import (
    AMMO,
    CREW_OF_CANNON,
    DECK_GUN,
    DOORS,
    bears,
    doors_of,
    gunners,
    is_cannon,
    sees,
)
from companion.rules.pirate_wars.islanders import CALM, HIDING
from companion.rules.pirate_wars.losses import chart_of
from companion.rules.pirate_wars.rousing import refuse_native
from companion.rules.pirate_wars.seamanship import sailing_hands
from companion.rules.pirate_wars.state import (
    AFLOAT,
    LOADED,
    WRECKED,
    Attack,
    Gun,
    Ship,
    State,
    design_of,
    with_ship,
)
from companion.rules.pirate_wars.vessels import PARTY
from companion.rules.pirate_wars.words import capital, ship_name, station_named
from companion.rules.words import counted

HANDS_A_SAIL = 2
SMALL_ARMS = ("musket", "pistol", "bow", "spear")
VISIBLE = tuple(station for station in STATIONS if station != GUNS)


def offers(state: State, player: PlayerId, number: int) -> Iterator[Deed]:
    """Yield what a ship can be ordered; of figures one, or all that can."""
    ship = state.ships[number]
    yield from _gun_offers(state, player, number)
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


def _enemies(state: State, number: int) -> list[int]:
    player = state.ships[number].player
    return [
        n
        for n, s in enumerate(state.ships)
        if s.player != player and s.fate == AFLOAT and s.temper not in (CALM, HIDING)
    ]


def _gun_offers(state: State, player: PlayerId, number: int) -> Iterator[Deed]:
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
            for hands in range(1, min(free, most, LOADED - it.load) + 1):
                yield LoadGun(player, number, gun, hands)
        if free == CREW_OF_CANNON and _other_side(state, number, gun):
            yield ShiftGun(player, number, gun)


def _fire_offers(state: State, player: PlayerId, number: int, gun: int) -> Iterator[Deed]:
    if state.ships[number].prize:
        return
    for target in _enemies(state, number):
        if not bears(state, number, gun, target):
            continue
        if is_cannon(state, number, gun):
            dead = design_of(state, number).kind == "tribe"
            for ammo in ("shot",) if dead else AMMO:
                yield FireGun(player, number, gun, ammo, target, "")
            doors = FireGun(player, number, gun, "ball", target, DOORS)
            if doors_of(state, target) is not None and refuse_doors(state, doors) is None:
                yield doors
        else:
            for station in _manned(state, target):
                yield FireGun(player, number, gun, "gun", target, station)


def _manned(state: State, number: int) -> list[str]:
    """Return where figures of a ship can be seen from another (PWR-75)."""
    there = {hand.station for hand, _ in state.ships[number].crew}
    return [station for station in VISIBLE if station in there]


def _shot_offers(state: State, player: PlayerId, number: int) -> Iterator[Deed]:
    ship = state.ships[number]
    armed = sorted({hand.kind for hand, _ in ship.crew if hand.figure.weapons})
    if ship.prize or not armed:
        return
    for target in _enemies(state, number):
        if not sees(state, number, target):
            continue
        for figure in armed:
            for weapon in SMALL_ARMS:
                free = crew_size(_shooters(ship, figure, weapon))
                for count in sorted({1, free} if free else ()):
                    for station in _manned(state, target):
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


def _busy(hand: Hand) -> Hand:
    return hand._replace(busy=True)


def _with_gun(ship: Ship, number: int, gun: Gun) -> Ship:
    return ship._replace(guns=(*ship.guns[:number], gun, *ship.guns[number + 1 :]))


def wearied_ship(ship: Ship) -> Ship:
    """Return a ship on which every task is spent."""
    return ship._replace(
        crew=wearied(ship.crew), guns=tuple([gun._replace(busy=True) for gun in ship.guns])
    )


# Guns


def _refuse_gun(state: State, number: int, gun: int) -> Ruling | None:
    guns = state.ships[number].guns
    if not 0 <= gun < len(guns):
        return no("PWR-67", f"{capital(ship_name(state, number))} has no gun {gun + 1}.")
    if guns[gun].load == WRECKED:
        return no("PWR-73", f"Gun {gun + 1} is wrecked.")
    if guns[gun].busy:
        return no("PWR-79", f"Gun {gun + 1} has been fired, loaded or moved in this phase.")
    if not gunners(state, number, gun, 1):
        return no("PWR-56", f"Nobody at gun {gun + 1} is free to serve it.")
    return None


def _refuse_target(state: State, number: int, target: int) -> Ruling | None:
    if state.ships[number].prize:
        return no("PWR-97", "A captured ship takes no part in the battle.")
    if 0 <= target < len(state.ships) and state.ships[target].temper in (CALM, HIDING):
        return refuse_native(state, target)
    if target not in _enemies(state, number):
        return no("PWR-67", "Fire at a ship of another side that is still afloat.")
    return None


def refuse_fire(state: State, action: Deed) -> Ruling | None:
    """Refuse guns that cannot fire, and targets they do not bear on (PWR-68)."""
    assert isinstance(action, FireGun)
    number, gun = action.ship, action.gun
    refusal = _refuse_gun(state, number, gun)
    # A refusal is falsy, so `or` would not do here.
    if refusal is None:
        refusal = _refuse_target(state, number, action.target)
    if refusal is not None:
        return refusal
    if state.ships[number].guns[gun].load < LOADED:
        return no("PWR-80", f"Gun {gun + 1} is not loaded.")
    cannon = is_cannon(state, number, gun)
    if cannon and action.ammo not in AMMO:
        return no("PWR-67", "A cannon fires ball or shot.")
    if cannon and action.ammo == "ball" and design_of(state, number).kind == "tribe":
        return no("PWR-138", "Skeletons fire shot only.")
    if cannon and action.station:
        return refuse_doors(state, action)
    if not cannon and (action.ammo != "gun" or action.station not in VISIBLE):
        return no("PWR-75", "A deck gun fires at figures that can be seen.")
    if not bears(state, number, gun, action.target):
        name = ship_name(state, action.target)
        return no("PWR-68", f"No straight line down the bore of gun {gun + 1} meets {name}.")
    return None


def refuse_doors(state: State, action: FireGun) -> Ruling | None:
    """Refuse to fire at doors that are not there, broken, or not pointed at (PWR-121)."""
    doors = doors_of(state, action.target)
    if action.station != DOORS or doors is None:
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
    ship = _with_gun(ship, action.gun, gun)._replace(crew=changed(ship.crew, crew, _busy))
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
    free = crew_size(gunners(state, action.ship, action.gun, action.hands))
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
    crew = gunners(state, action.ship, action.gun, action.hands)
    ship = _with_gun(ship, action.gun, gun)
    return with_ship(state, action.ship, ship._replace(crew=changed(ship.crew, crew, _busy)))


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
    """Move a cannon across the ship."""
    assert isinstance(action, ShiftGun)
    ship = state.ships[action.ship]
    side = _other_side(state, action.ship, action.gun)
    gun = ship.guns[action.gun]._replace(side=side, busy=True)
    crew = gunners(state, action.ship, action.gun, CREW_OF_CANNON)
    ship = _with_gun(ship, action.gun, gun)
    return with_ship(state, action.ship, ship._replace(crew=changed(ship.crew, crew, _busy)))


# Small arms


def refuse_shot(state: State, action: Deed) -> Ruling | None:
    """Refuse figures without a loaded weapon, and targets that cannot be seen (PWR-75)."""
    assert isinstance(action, Shoot)
    refusal = _refuse_target(state, action.ship, action.target)
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


# Figures and sails


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
    crew = changed(ship.crew, picked(idle, HANDS_A_SAIL * action.sails, fall_rank), _busy)
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
