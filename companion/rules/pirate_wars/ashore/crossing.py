"""Figures and loot that cross over between pieces that lie side by side (PWR-114, PWR-115)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.rules.deeds import Deed
from companion.rules.game import PlayerId, Ruling
from companion.rules.outlines import gap, is_within
from companion.rules.phases import no
from companion.rules.pirate_wars.actions import Cross
from companion.rules.pirate_wars.ashore.going import (
    CAPACITY,
    LOWERING,
    chests_offered,
    chosen,
    crossed,
    groups_offered,
    left_with,
    movable,
    refuse_doomed,
    refuse_figures,
    too_soon,
)
from companion.rules.pirate_wars.ashore.rousing import is_native
from companion.rules.pirate_wars.ashore.seats import chests_that_fit, has_room
from companion.rules.pirate_wars.ashore.setting_down import BESIDE_DOTS, RULE
from companion.rules.pirate_wars.ashore.storming import stand_apart
from companion.rules.pirate_wars.crew import CLIMBING, DECK, changed, crew_size, merged, moved_to
from companion.rules.pirate_wars.pieces import AFLOAT, LOYAL, vanished
from companion.rules.pirate_wars.sailing.seamanship import dots, mm
from companion.rules.pirate_wars.state import State, design_of, hull_of, with_ship
from companion.rules.pirate_wars.words import ship_name
from companion.rules.words import capital


def crossing_offers(state: State, player: PlayerId, number: int, most: int) -> Iterator[Deed]:
    """Yield who of a piece can cross over, and whereto; `most`: so many go at once."""
    ship = state.ships[number]
    groups = groups_offered(ship, most)
    beside = [n for n in range(len(state.ships)) if _refuse_target(state, number, n) is None]
    for target in beside:
        for group in groups:
            for chests in chests_offered(ship, chests_that_fit(state, target, crew_size(group))):
                cross = Cross(player, number, target, group, chests)
                if refuse_cross(state, cross) is None:
                    yield cross


def refuse_cross(state: State, action: Deed) -> Ruling | None:
    """Refuse to cross to what is not one's own, not beside, full, or just landed."""
    assert isinstance(action, Cross)
    if not state.options.launches:
        return no(RULE, "Launches are not used at this table.")
    refusal = _refuse_target(state, action.ship, action.target)
    if refusal is None:
        refusal = refuse_doomed(state, action.ship)
    if refusal is None:
        refusal = refuse_figures(state, action)
    if refusal is not None:
        return refusal
    going = crew_size(action.figures)
    if not has_room(state, action.target, going, action.chests):
        seats = design_of(state, action.target).crew_size
        there = capital(ship_name(state, action.target))
        return no(CAPACITY, f"{there} has {seats} seats, and a chest takes two: there is no room.")
    return None


def _refuse_target(state: State, number: int, target: int) -> Ruling | None:
    """Refuse to cross to what is not one's own or not beside, and to leave a launch too early."""
    if not 0 <= target < len(state.ships) or target == number:
        return no(RULE, "Figures cross over to another piece of their side.")
    mine, other = state.ships[number], state.ships[target]
    name, there = capital(ship_name(state, number)), ship_name(state, target)
    kinds = [design_of(state, n).kind for n in (number, target)]
    if other.player != mine.player or other.fate != AFLOAT:
        return no(RULE, "Figures cross over to another piece of their side.")
    if not {"launch", "party"} & {*kinds}:
        return no(RULE, "Figures go from ship to ship in launches.")
    if other.mood != LOYAL:
        return no("PWR-93", f"The crew of {there} has mutinied: she takes nobody in.")
    if stand_apart(state, number, target) or CLIMBING in (mine.station, other.station):
        return no("PWR-122", f"Walls are between {ship_name(state, number)} and {there}.")
    if is_native(state, number) != is_native(state, target):
        return no("PWR-133", "Natives keep to themselves: nobody joins them, nor they others.")
    if mine.moved and kinds[0] == "launch":
        return too_soon(name)
    hulls = hull_of(state, number), hull_of(state, target)
    if not is_within(*hulls, mm(BESIDE_DOTS) + state.options.tolerance_mm):
        apart = dots(gap(*hulls))
        return no(RULE, f"{name} is {apart:.0f} dots from {there}; {BESIDE_DOTS} are near enough.")
    return None


def _station_there(state: State, action: Cross) -> str:
    """Return where those stand who have crossed: with the party; in a fortress where they were."""
    kind, other = design_of(state, action.target).kind, state.ships[action.target]
    if kind == "fort":
        return state.ships[action.ship].station
    return other.station if kind == "party" and other.crew else DECK


def cross(state: State, action: Deed) -> State:
    """Bring figures and chests over; an empty launch is hoisted, an empty party is no more.

    Chests that nobody takes along from a shore stay there and are lost; those who hang in snares
    stay, too, and friends may still free them (PWR-137).
    """
    assert isinstance(action, Cross)
    ship, other = state.ships[action.ship], state.ships[action.target]
    going = chosen(state, action.ship, movable(state, action), action.figures)
    there = _station_there(state, action)
    other = other._replace(
        crew=merged(other.crew, moved_to(changed(going, going, crossed), there)),
        chests=other.chests + action.chests,
    )
    ship = left_with(ship, going, action.chests)
    kind, there = design_of(state, action.ship).kind, design_of(state, action.target).kind
    if kind == "ship":
        ship = ship._replace(moved=True)  # a launch is used: she does not blow up (PWR-76)
    if not ship.crew and kind == "launch" and there in LOWERING:
        chests, stowed = other.chests + ship.chests, other.stowed + ship.stowed
        other = other._replace(boats=other.boats + 1, chests=chests, stowed=stowed)
        ship = vanished(ship)
    elif not ship.crew and not ship.snared and kind == "party":
        ship = vanished(ship)
    return with_ship(with_ship(state, action.ship, ship), action.target, other)
