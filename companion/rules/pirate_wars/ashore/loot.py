"""Hauling loot: chests, barrels and cannons from ship to ship (PWR-130)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.rules.deeds import Deed
from companion.rules.game import PlayerId, Ruling
from companion.rules.phases import no
from companion.rules.pirate_wars.actions import Haul
from companion.rules.pirate_wars.ashore.seats import has_room
from companion.rules.pirate_wars.ashore.storming import stand_apart
from companion.rules.pirate_wars.crew import crew_size
from companion.rules.pirate_wars.fighting.gunnery import is_cannon
from companion.rules.pirate_wars.hands import idle_hands, tasked
from companion.rules.pirate_wars.pieces import AFLOAT, LOYAL, WRECKED, Ship, with_gun
from companion.rules.pirate_wars.sailing.courses import is_touching
from companion.rules.pirate_wars.state import State, design_of, is_engaged, with_ship
from companion.rules.pirate_wars.words import ship_name
from companion.rules.words import capital

RULE = "PWR-130"
CHESTS, STOWED = -1, -2
"""In the place of a gun's number: chests and barrels; a cannon carried as cargo."""
A_CHEST, A_CANNON, A_CANNON_LOADED = 2, 4, 2
"""Figures it takes to carry one; to let a cannon down into a launch."""


def offers(state: State, player: PlayerId, number: int) -> Iterator[Deed]:
    """Yield what can be hauled to ships alongside: one chest or all, cannons."""
    if not state.options.hauling:
        return
    for target in range(len(state.ships)):
        takes = _takes(state, number, target) is None
        for gun, count in _loads(state, number, target) if takes else ():
            order = Haul(player, number, target, gun, count)
            if refuse_haul(state, order) is None:
                yield order


def _loads(state: State, number: int, target: int) -> list[tuple[int, int]]:
    """Return what may be hauled: one chest, as many as there are hands for, each cannon."""
    ship = state.ships[number]
    many = min(ship.chests, _free(state, number, target, A_CHEST * ship.chests) // A_CHEST)
    loads = [(CHESTS, count) for count in sorted({1, many} if many else ())]
    return loads + [(gun, 1) for gun in range(STOWED, len(ship.guns)) if gun != CHESTS]


def _free(state: State, number: int, target: int, most: int) -> int:
    """Return how many hands are free to carry, of so many on each side at most."""
    carriers = _carriers(state, number, target)
    return sum(crew_size(idle_hands(state.ships[n], most)) for n in carriers)


def refuse_haul(state: State, action: Deed) -> Ruling | None:
    """Refuse loot that is not there, ships that do not touch, and too few hands."""
    assert isinstance(action, Haul)
    if not state.options.hauling:
        return no(RULE, "Loot is not hauled at this table.")
    refusal = _takes(state, action.ship, action.target)
    if refusal is not None:
        return refusal
    name = capital(ship_name(state, action.ship))
    if not _has(state, action):
        return no(RULE, f"{name} does not have that to haul.")
    needed = hands_needed(state, action)
    chests, cannons = (action.count, 0) if action.gun == CHESTS else (0, 1)
    if not has_room(state, action.target, chests=chests, cannons=cannons):
        there = capital(ship_name(state, action.target))
        return no("PWR-115", f"{there} is full: a chest takes two seats of a launch, a cannon 4.")
    free = _free(state, action.ship, action.target, needed)
    if free < needed:
        return no(RULE, f"It takes {needed} figures without another task, not {free}.")
    return None


def hands_needed(state: State, action: Haul) -> int:
    """Return the figures it takes: two a chest, four a cannon, two to load one into a launch."""
    if action.gun == CHESTS:
        return A_CHEST * action.count
    into_launch = design_of(state, action.target).kind == "launch"
    return A_CANNON_LOADED if into_launch else A_CANNON


def _carriers(state: State, number: int, target: int) -> tuple[int, ...]:
    """Return the pieces whose figures carry: out of a launch those who take it in help.

    A cannon takes four of her seats, so four more cannot sit in her. Who is in a boarding, was in
    a ramming or has mutinied lends no hand (PWR-50, PWR-58, PWR-93).
    """
    out_of_launch, other = design_of(state, number).kind == "launch", state.ships[target]
    is_kept = is_engaged(state, target) or other.stunned or other.mood != LOYAL
    return (number, target) if out_of_launch and not is_kept else (number,)


def _takes(state: State, number: int, target: int) -> Ruling | None:
    """Refuse to haul to anything but a ship of the same side, or one without a crew, alongside."""
    if not 0 <= target < len(state.ships) or target == number:
        return no(RULE, "Loot is hauled to another ship.")
    mine, other = state.ships[number], state.ships[target]
    if other.fate != AFLOAT or (other.crew and other.player != mine.player):
        return no(RULE, "Loot is hauled to a ship of your own, or to one that nobody holds.")
    if stand_apart(state, number, target) or not is_touching(state, number, target):
        name = capital(ship_name(state, number))
        return no(RULE, f"{name} and {ship_name(state, target)} must lie hull to hull.")
    return None


def _has(state: State, action: Haul) -> bool:
    ship = state.ships[action.ship]
    if action.gun == CHESTS:
        return 1 <= action.count <= ship.chests
    if action.count != 1:
        return False
    if action.gun == STOWED:
        return ship.stowed > 0
    return (
        0 <= action.gun < len(ship.guns)
        and is_cannon(state, action.ship, action.gun)
        and ship.guns[action.gun].load != WRECKED
        and not ship.guns[action.gun].busy
    )


def haul(state: State, action: Deed) -> State:
    """Carry it across; a cannon is cargo there, and its place at the port stays empty."""
    assert isinstance(action, Haul)
    needed = hands_needed(state, action)
    for number in _carriers(state, action.ship, action.target):
        crew = state.ships[number]
        free = crew_size(idle_hands(crew, needed))
        state, needed = with_ship(state, number, tasked(crew, free)), needed - free
    ship, other = state.ships[action.ship], state.ships[action.target]
    if action.gun == CHESTS:
        ship = ship._replace(chests=ship.chests - action.count)
        other = other._replace(chests=other.chests + action.count)
    else:
        ship = _unmounted(ship, action.gun)
        other = other._replace(stowed=other.stowed + 1)
    return with_ship(with_ship(state, action.ship, ship), action.target, other)


def _unmounted(ship: Ship, gun: int) -> Ship:
    if gun == STOWED:
        return ship._replace(stowed=ship.stowed - 1)
    return with_gun(ship, gun, ship.guns[gun]._replace(load=WRECKED))
