"""Launches that are lowered, and landing parties that leave them (PWR-113 to PWR-115)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from companion.rules.deeds import Deed
from companion.rules.game import PlayerId, Ruling
from companion.rules.phases import no
from companion.rules.pirate_wars.actions import Disembark, Lower
from companion.rules.pirate_wars.ashore.crossing import crossing_offers
from companion.rules.pirate_wars.ashore.going import (
    CAPACITY,
    LOWERING,
    chests_offered,
    chosen,
    crossed,
    groups_offered,
    left_with,
    refuse_doomed,
    refuse_figures,
    too_soon,
)
from companion.rules.pirate_wars.ashore.natives import Tribe
from companion.rules.pirate_wars.ashore.seats import A_CHEST_SEATS, seats_taken
from companion.rules.pirate_wars.ashore.setting_down import RULE, places_afloat, places_ashore
from companion.rules.pirate_wars.built.figures import Groups
from companion.rules.pirate_wars.built.vessels import (
    LAUNCH,
    NATIVE_BOATS,
    PARTY,
    SAILING_LAUNCH,
    Launch,
)
from companion.rules.pirate_wars.crew import changed, crew_size
from companion.rules.pirate_wars.pieces import Ship
from companion.rules.pirate_wars.stages import SettingDown
from companion.rules.pirate_wars.state import State, design_of, with_ship
from companion.rules.pirate_wars.words import ship_name, verb_of
from companion.rules.words import capital

MOST_TAGS = 100

Refuse = Callable[..., Ruling | None]
"""How an order to set something down is refused; `seek`: look for a place, too."""


def offers(state: State, player: PlayerId, number: int) -> Iterator[Deed]:
    """Yield what figures of one piece can do with launches."""
    if not state.options.launches:
        return
    ship, kind = state.ships[number], design_of(state, number).kind
    seats = launch_of(state, number).seats
    if kind == "ship":
        yield from lowering_offers(state, player, number)
    if kind == "launch":
        landing = [
            Disembark(player, number, group, chests)
            for group in groups_offered(ship, seats)
            for chests in chests_offered(ship, ship.chests)
        ]
        yield from _with_room(state, landing, refuse_disembark)
    yield from crossing_offers(state, player, number, seats)


def lowering_offers(state: State, player: PlayerId, number: int) -> Iterator[Deed]:
    """Yield whom a ship or natives can send off in a boat."""
    ship, is_ship = state.ships[number], design_of(state, number).kind == "ship"
    seats = launch_of(state, number).seats
    lowering = [
        Lower(player, number, group, chests)
        for group in groups_offered(ship, seats)
        for chests in chests_offered(ship, (seats - crew_size(group)) // A_CHEST_SEATS * is_ship)
    ]
    yield from _with_room(state, lowering, refuse_lower)


def _with_room(state: State, orders: Sequence[Deed], refuse: Refuse) -> Iterator[Deed]:
    """Yield the orders that are lawful; where there is no room for one there is none for others.

    Room is looked for once.
    """
    lawful = [order for order in orders if refuse(state, order, seek=False) is None]
    if lawful and refuse(state, lawful[0], seek=True) is None:
        yield from lawful


def launch_of(state: State, number: int) -> Launch:
    """Return the boats that a ship or natives have (PWR-113, PWR-116, PWR-133)."""
    design = design_of(state, number)
    if isinstance(design, Tribe):
        return next(boat for boat in NATIVE_BOATS if boat.id == design.boat)
    return SAILING_LAUNCH if state.options.launch_sails else LAUNCH


def refuse_lower(state: State, action: Deed, *, seek: bool = True) -> Ruling | None:
    """Refuse launches that are not there, too many figures, and no room beside the ship.

    `seek`: look for that room.
    """
    assert isinstance(action, Lower)
    if not state.options.launches:
        return no(RULE, "Launches are not used at this table.")
    if design_of(state, action.ship).kind not in LOWERING or not state.ships[action.ship].boats:
        name, has = capital(ship_name(state, action.ship)), verb_of(state, action.ship, "has")
        return no("PWR-113", f"{name} {has} no launch or boat left.")
    refusal = refuse_doomed(state, action.ship)
    if refusal is not None:
        return refusal
    if len(state.ships) >= MOST_TAGS:
        return no(RULE, "There are no more tags for launches.")
    refusal = refuse_figures(state, action)
    if refusal is not None:
        return refusal
    going = crew_size(action.figures)
    boat = launch_of(state, action.ship)
    if seats_taken(going, action.chests) > boat.seats:
        return no(
            CAPACITY, f"The {boat.title} holds {boat.seats} figures; a chest takes two seats."
        )
    if seek and not any(True for _ in places_afloat(_set_down(state, action.ship, boat.id))):
        beside = ship_name(state, action.ship)
        return no(RULE, f"There is no room for the {boat.title} beside {beside}.")
    return None


def lowered(state: State, action: Deed) -> State:
    """Put figures into a launch; where it lies is seen next (PWR-114)."""
    assert isinstance(action, Lower)
    ship = state.ships[action.ship]
    state = with_ship(state, action.ship, ship._replace(boats=ship.boats - 1, moved=True))
    return _set_off(
        state, action.ship, launch_of(state, action.ship).id, action.figures, action.chests
    )


def refuse_disembark(state: State, action: Deed, *, seek: bool = True) -> Ruling | None:
    """Refuse to leave a launch that has just come, or that lies at no shore (PWR-114).

    `seek`: look for a place there.
    """
    assert isinstance(action, Disembark)
    ship, name = state.ships[action.ship], capital(ship_name(state, action.ship))
    if design_of(state, action.ship).kind != "launch":
        return no(RULE, f"{name} lands nobody; launches do.")
    if len(state.ships) >= MOST_TAGS:
        return no(RULE, "There are no more tags for landing parties.")
    if ship.moved:
        return too_soon(name)
    refusal = refuse_doomed(state, action.ship)
    if refusal is None:
        refusal = refuse_figures(state, action)
    if refusal is not None:
        return refusal
    if seek and not any(True for _ in places_ashore(_set_down(state, action.ship, PARTY.id))):
        return no(RULE, f"{name} does not lie at a shore with room to land.")
    return None


def ashore(state: State, action: Deed) -> State:
    """Set figures ashore; where they stand is seen next."""
    assert isinstance(action, Disembark)
    return _set_off(state, action.ship, PARTY.id, action.figures, action.chests)


def _set_off(state: State, number: int, design: str, figures: Groups, chests: int) -> State:
    ship = state.ships[number]
    going = chosen(state, number, ship.crew, figures)
    state = with_ship(state, number, left_with(ship, going, chests))
    built = state.options.built[design]
    new = Ship(
        design,
        ship.player,
        built.hull_factor,
        built.sail_factor,
        changed(going, going, crossed),
        (),
        wanted=built.sail_factor,
        chests=chests,
        moved=True,
        home=number if ship.home < 0 else ship.home,
    )
    return _setting_down(state, number, new)


def _set_down(state: State, number: int, design: str) -> State:
    """Return the state to look for room in: for that it is no matter who goes."""
    return _setting_down(state, number, Ship(design, state.ships[number].player, 1, 0, (), ()))


def _setting_down(state: State, number: int, new: Ship) -> State:
    ships = (*state.ships, new)
    return state._replace(ships=ships, stage=SettingDown(len(ships) - 1, number))
