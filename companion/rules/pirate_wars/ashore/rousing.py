"""When natives fight, hide and come back (PWR-135, PWR-136, PWR-138)."""

from __future__ import annotations

from collections import Counter

from companion.rules.deeds import Deed
from companion.rules.game import Happening, Ruling
from companion.rules.outlines import depth, gap
from companion.rules.phases import no
from companion.rules.pirate_wars.actions import Raid
from companion.rules.pirate_wars.ashore.islanders import CALM, FIGHTING, HIDING, Temper
from companion.rules.pirate_wars.ashore.natives import Tribe
from companion.rules.pirate_wars.built.vessels import NativeBoat
from companion.rules.pirate_wars.crew import (
    DECK,
    Crew,
    Hand,
    changed,
    crew_size,
    fall_rank,
    make_crew,
    of,
    picked,
    rested,
    without,
)
from companion.rules.pirate_wars.fighting.native_melee import falls_in_order
from companion.rules.pirate_wars.pieces import AFLOAT, ON_THE_TABLE, Ship
from companion.rules.pirate_wars.sailing.seamanship import dots
from companion.rules.pirate_wars.state import State, design_of, hull_of, unlashed, with_ship
from companion.rules.pirate_wars.words import Told, ship_name
from companion.rules.plane import place
from companion.rules.words import capital

ANCHORED_DOTS = 4
"""A ship so near to the shore has a landing party on the island (PWR-136)."""
RAID_DOTS = 4
"""The idol stands where the natives' tag is; who is so near can rob it."""
BEARERS = 2
"""Figures it takes to carry a chest (PWR-130)."""


def tribes(state: State) -> list[int]:
    """Return the natives on the table, by number."""
    return [n for n in range(len(state.ships)) if design_of(state, n).kind == "tribe"]


def temper_of(state: State, number: int) -> Temper:
    """Return how natives stand to strangers; who is out in a boat is not lost."""
    ship = state.ships[number]
    left = crew_size(ship.crew) + crew_size(_abroad(state, number))
    return Temper(left, ship.temper, ship.flees_at)


def _with_temper(state: State, number: int, temper: Temper) -> State:
    ship = state.ships[number]._replace(temper=temper.mood, flees_at=temper.flee_at)
    return with_ship(state, number, ship)


def strangers(state: State, number: int, *, afloat: bool) -> bool:
    """Tell whether others than friends are on an island; `afloat`: or lie at its shore."""
    built = design_of(state, number)
    assert isinstance(built, Tribe)
    shore, friend = state.options.islands[built.island], state.ships[number].player
    slack = state.options.tolerance_mm  # so far out figures still stand on the beach
    for other, ship in enumerate(state.ships):
        if ship.player == friend or ship.fate not in ON_THE_TABLE or not ship.crew:
            continue
        kind = design_of(state, other).kind
        here = place(ship.pose)
        if kind == "party" and depth(here, shore) > -slack:
            return True
        near = afloat and kind in ("ship", "launch")
        if near and dots(gap(hull_of(state, other), shore)) <= ANCHORED_DOTS:
            return True
    return False


def roused(state: State) -> tuple[State, Told]:
    """Let natives attack on whose island strangers have landed (PWR-135)."""
    told: Told = ()
    for number in tribes(state):
        temper = temper_of(state, number)
        if temper.mood != CALM or not strangers(state, number, afloat=False):
            continue
        state = _with_temper(state, number, temper.landed())
        text = f"{capital(ship_name(state, number))} attack"
        told = (*told, Happening(text, "PWR-135"))
    return state, told


def hidden(state: State) -> tuple[State, Told]:
    """Let islanders hide who have lost half of their number (PWR-136)."""
    told: Told = ()
    for number in tribes(state):
        built = design_of(state, number)
        before = temper_of(state, number)
        after = before.lost(0)
        if after.mood == before.mood or (isinstance(built, Tribe) and built.is_dead):
            continue
        state = unlashed(_with_temper(state, number, after), number)
        how = "vanish into the jungle" if after.left else "are all dead"
        text = f"{capital(ship_name(state, number))} {how}"
        told = (*told, Happening(text, "PWR-136"))
    return state, told


def regrouped(state: State) -> tuple[State, Told]:
    """Bring natives back to full strength where no stranger is left (PWR-136, PWR-138)."""
    told: Told = ()
    for number in tribes(state):
        built, ship = design_of(state, number), state.ships[number]
        assert isinstance(built, Tribe)
        if ship.fate != AFLOAT:  # In games of an earlier version natives could be blown up.
            continue
        mood = FIGHTING if built.is_dead else CALM
        whole = without(built.full, _abroad(state, number))
        rested = crew_size(ship.crew) == crew_size(whole) and ship.temper == mood
        if rested or strangers(state, number, afloat=not built.is_dead):
            continue
        fresh = ship._replace(crew=whole, temper=mood, flees_at=-1)
        state = with_ship(state, number, fresh)
        rule = "PWR-138" if built.is_dead else "PWR-136"
        told = (*told, Happening(f"{capital(ship_name(state, number))} are all back", rule))
    return state, told


def paddled(state: State, number: int) -> Crew:
    """Return a crew at the beginning of the tasks: whoever paddled has no hand free (PWR-133)."""
    ship, design = state.ships[number], design_of(state, number)
    crew = rested(ship.crew)
    if not isinstance(design, NativeBoat) or not ship.moved:
        return crew
    paddlers = picked(crew, design.boat.paddlers, fall_rank)
    return changed(crew, paddlers, lambda hand: hand._replace(busy=True))


def _abroad(state: State, number: int) -> Crew:
    """Return the natives who put off in boats, as they would stand at home."""
    out: Counter[Hand] = Counter()
    for ship in state.ships:
        for hand, count in ship.crew if ship.home == number and ship.fate == AFLOAT else ():
            out[Hand(hand.kind, DECK, True)] += count
    return make_crew(out)


def refuse_native(state: State, number: int) -> Ruling | None:
    """Refuse to fire at, or to fight, natives who keep still or hide."""
    ship, name = state.ships[number], capital(ship_name(state, number))
    if ship.temper == CALM:
        return no("PWR-135", f"{name} are no target before they attack.")
    if ship.temper == HIDING:
        return no("PWR-136", f"{name} hide in the jungle; nobody can hit or follow them there.")
    return None


def is_native(state: State, number: int) -> bool:
    """Tell whether a piece is of natives, who keep to themselves (PWR-133)."""
    native = isinstance(design_of(state, number), Tribe | NativeBoat)
    return native or falls_in_order(state.ships[number].crew)


def is_fighting(ship: Ship) -> bool:
    """Tell whether natives may act."""
    return ship.temper == FIGHTING


def refuse_raid(state: State, action: Deed) -> Ruling | None:
    """Refuse to rob an idol that is guarded, bare or too far away (PWR-136)."""
    assert isinstance(action, Raid)
    number, target = action.ship, action.target
    if not 0 <= target < len(state.ships) or design_of(state, target).kind != "tribe":
        return no("PWR-136", "Only the idols of natives are robbed.")
    natives, name = state.ships[target], capital(ship_name(state, target))
    party = state.ships[number]
    lands = design_of(state, number).kind == "party" and party.fort < 0
    if party.player == natives.player or not lands:
        return no("PWR-136", "Strangers who have landed rob an idol.")
    if natives.crew and natives.temper != HIDING:
        return no("PWR-136", f"{name} guard their idol.")
    if not natives.chests:
        return no("PWR-136", "There is nothing at the idol to take.")
    if not _carried_off(state, action):
        return no("PWR-130", "It takes two figures without another task to carry a chest.")
    apart = dots(gap(hull_of(state, number), hull_of(state, target)))
    if apart > RAID_DOTS + dots(state.options.tolerance_mm):
        return no("PWR-136", f"The idol is {apart:.0f} dots away; {RAID_DOTS} are near enough.")
    return None


def _free(party: Ship) -> Crew:
    return of(party.crew, lambda hand: not hand.busy)


def _carried_off(state: State, action: Raid) -> int:
    """Return how many chests of an idol figures without a task can carry, two to each."""
    free = crew_size(_free(state.ships[action.ship]))
    return min(state.ships[action.target].chests, free // BEARERS)


def raid(state: State, action: Deed) -> State:
    """Take what the free can carry; islanders in hiding come back for it (PWR-130, PWR-136)."""
    assert isinstance(action, Raid)
    party, natives = state.ships[action.ship], state.ships[action.target]
    count = _carried_off(state, action)
    carriers = picked(_free(party), BEARERS * count, fall_rank)
    crew = changed(party.crew, carriers, lambda hand: hand._replace(busy=True))
    party = party._replace(crew=crew, chests=party.chests + count)
    state = with_ship(state, action.ship, party)
    state = with_ship(state, action.target, natives._replace(chests=natives.chests - count))
    return _with_temper(state, action.target, temper_of(state, action.target).raided())
