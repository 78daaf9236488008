"""Launches, landing parties, and figures and loot crossing over (PWR-113 to PWR-115)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from companion.rules.deeds import Deed
from companion.rules.game import PlayerId, Ruling
from companion.rules.outlines import gap, is_within
from companion.rules.phases import no
from companion.rules.pirate_wars.actions import Cross, Disembark, Lower
from companion.rules.pirate_wars.ashore.natives import Tribe
from companion.rules.pirate_wars.ashore.rousing import is_native
from companion.rules.pirate_wars.ashore.seats import (
    A_CHEST_SEATS,
    chests_that_fit,
    has_room,
    seats_taken,
)
from companion.rules.pirate_wars.ashore.setting_down import (
    BESIDE_DOTS,
    RULE,
    places_afloat,
    places_ashore,
)
from companion.rules.pirate_wars.ashore.storming import stand_apart
from companion.rules.pirate_wars.built.vessels import (
    LAUNCH,
    NATIVE_BOATS,
    PARTY,
    SAILING_LAUNCH,
    Launch,
)
from companion.rules.pirate_wars.crew import (
    CLIMBING,
    DECK,
    Crew,
    Hand,
    by_kind,
    changed,
    crew_size,
    fall_rank,
    make_crew,
    merged,
    moved_to,
    of,
    picked,
    without,
)
from companion.rules.pirate_wars.fighting.leaving import (
    Rank,
    is_doomed,
    leaving,
    refuse_leaving,
)
from companion.rules.pirate_wars.fighting.losses import blows_up
from companion.rules.pirate_wars.pieces import AFLOAT, LOYAL, Ship, vanished
from companion.rules.pirate_wars.sailing.seamanship import dots, mm
from companion.rules.pirate_wars.stages import SettingDown
from companion.rules.pirate_wars.state import State, design_of, hull_of, with_ship
from companion.rules.pirate_wars.words import ship_name, verb_of
from companion.rules.words import capital

CAPACITY = "PWR-115"
LOWERING = ("ship", "tribe")
"""Kinds that put boats to sea."""
MOST_TAGS = 100

Refuse = Callable[..., Ruling | None]
"""How an order to set something down is refused; `seek`: look for a place, too."""

# Who goes


def chosen(state: State, number: int, crew: Crew, figures: tuple[tuple[str, int], ...]) -> Crew:
    """Return idle figures of these kinds, those with least to lose first; fewer if there are."""

    def pick(rank: Rank) -> Crew:
        parts: Counter[Hand] = Counter()
        for name, count in figures:
            idle = of(crew, lambda hand, name=name: hand.kind == name and not hand.busy)  # type: ignore[misc]
            parts.update(dict(picked(idle, count, rank)))
        return make_crew(parts)

    return leaving(state, number, pick)


def _refuse_figures(state: State, number: int, action: Lower | Disembark | Cross) -> Ruling | None:
    ship = state.ships[number]
    asked = sum(count for _, count in action.figures)
    if asked < 1 or any(count < 1 for _, count in action.figures):
        return no(RULE, "Say which figures go, one at least.")
    if list(action.figures) != sorted(dict(action.figures).items()):
        return no(RULE, "Each kind of figure is named once, in order.")
    going = chosen(state, action.ship, _movable(state, action), action.figures)
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


def _offered(ship: Ship, most: int) -> list[tuple[tuple[str, int], ...]]:
    """Return figures that are offered to go: one, as many as can, and an officer with them."""
    idle = of(ship.crew, lambda hand: not hand.busy)
    plain = of(idle, lambda hand: not hand.figure.always_boards)
    groups = {
        by_kind(picked(part, count, fall_rank)) for part in (plain, idle) for count in (1, most)
    }
    led = picked(of(idle, lambda hand: hand.figure.always_boards), 1, fall_rank)
    groups.add(by_kind(merged(led, picked(plain, most - 1, fall_rank))))
    return sorted(group for group in groups if group)


def _across(hand: Hand) -> Hand:
    return hand._replace(station=DECK, busy=True)


def _movable(state: State, action: Lower | Disembark | Cross) -> Crew:
    """Return who can go: of a garrison, those in the place of the party they go to."""
    crew = state.ships[action.ship].crew
    if design_of(state, action.ship).kind != "fort" or not isinstance(action, Cross):
        return crew
    station = state.ships[action.target].station
    return of(crew, lambda hand: hand.station == station)


def _station_there(state: State, action: Cross) -> str:
    """Return where those stand who have crossed: with the party; in a fortress where they were."""
    kind, other = design_of(state, action.target).kind, state.ships[action.target]
    if kind == "fort":
        return state.ships[action.ship].station
    return other.station if kind == "party" and other.crew else DECK


def _left_with(ship: Ship, going: Crew, chests: int) -> Ship:
    return ship._replace(crew=without(ship.crew, going), chests=ship.chests - chests)


# Lowering and disembarking


def offers(state: State, player: PlayerId, number: int) -> Iterator[Deed]:
    """Yield what figures of one piece can do with launches."""
    if not state.options.launches:
        return
    ship, kind = state.ships[number], design_of(state, number).kind
    groups = _offered(ship, launch_of(state, number).seats)
    if kind == "ship":
        yield from lowering_offers(state, player, number)
    if kind == "launch":
        landing = [
            Disembark(player, number, group, chests)
            for group in groups
            for chests in _chests(ship, ship.chests)
        ]
        yield from _with_room(state, landing, refuse_disembark)
    beside = [n for n in range(len(state.ships)) if _refuse_target(state, number, n) is None]
    for target in beside:
        for group in groups:
            for chests in _chests(ship, chests_that_fit(state, target, _count(group))):
                cross = Cross(player, number, target, group, chests)
                if refuse_cross(state, cross) is None:
                    yield cross


def lowering_offers(state: State, player: PlayerId, number: int) -> Iterator[Deed]:
    """Yield whom a ship or natives can send off in a boat."""
    ship, is_ship = state.ships[number], design_of(state, number).kind == "ship"
    seats = launch_of(state, number).seats
    lowering = [
        Lower(player, number, group, chests)
        for group in _offered(ship, seats)
        for chests in _chests(ship, (seats - _count(group)) // A_CHEST_SEATS * is_ship)
    ]
    yield from _with_room(state, lowering, refuse_lower)


def _count(group: tuple[tuple[str, int], ...]) -> int:
    return sum(count for _, count in group)


def _chests(ship: Ship, most: int) -> list[int]:
    """Return how many chests are offered to go along: none, or as many as can."""
    return sorted({0, min(ship.chests, max(most, 0))})


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
    refusal = _refuse_doomed(state, action.ship)
    if refusal is not None:
        return refusal
    if len(state.ships) >= MOST_TAGS:
        return no(RULE, "There are no more tags for launches.")
    refusal = _refuse_figures(state, action.ship, action)
    if refusal is not None:
        return refusal
    going = sum(count for _, count in action.figures)
    boat = launch_of(state, action.ship)
    if seats_taken(going, action.chests) > boat.seats:
        return no(
            CAPACITY, f"The {boat.title} holds {boat.seats} figures; a chest takes two seats."
        )
    if seek and not any(True for _ in places_afloat(_set_down(state, action.ship, boat.id))):
        beside = ship_name(state, action.ship)
        return no(RULE, f"There is no room for the {boat.title} beside {beside}.")
    return None


def _refuse_doomed(state: State, number: int) -> Ruling | None:
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
        return _too_soon(name)
    refusal = _refuse_doomed(state, action.ship)
    if refusal is None:
        refusal = _refuse_figures(state, action.ship, action)
    if refusal is not None:
        return refusal
    if seek and not any(True for _ in places_ashore(_set_down(state, action.ship, PARTY.id))):
        return no(RULE, f"{name} does not lie at a shore with room to land.")
    return None


def _too_soon(name: str) -> Ruling:
    """Refuse to leave a launch that has rowed, drifted or put off in this turn (PWR-114)."""
    return no(RULE, f"{name} came here in this turn; figures leave her in the next.")


def ashore(state: State, action: Deed) -> State:
    """Set figures ashore; where they stand is seen next."""
    assert isinstance(action, Disembark)
    return _set_off(state, action.ship, PARTY.id, action.figures, action.chests)


def _set_off(
    state: State, number: int, design: str, figures: tuple[tuple[str, int], ...], chests: int
) -> State:
    ship = state.ships[number]
    going = chosen(state, number, ship.crew, figures)
    state = with_ship(state, number, _left_with(ship, going, chests))
    built = state.options.built[design]
    new = Ship(
        design,
        ship.player,
        built.hull_factor,
        built.sail_factor,
        changed(going, going, _across),
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


# Crossing over


def refuse_cross(state: State, action: Deed) -> Ruling | None:
    """Refuse to cross to what is not one's own, not beside, full, or just landed."""
    assert isinstance(action, Cross)
    if not state.options.launches:
        return no(RULE, "Launches are not used at this table.")
    refusal = _refuse_target(state, action.ship, action.target)
    if refusal is None:
        refusal = _refuse_doomed(state, action.ship)
    if refusal is None:
        refusal = _refuse_figures(state, action.ship, action)
    if refusal is not None:
        return refusal
    going = sum(count for _, count in action.figures)
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
        return _too_soon(name)
    hulls = hull_of(state, number), hull_of(state, target)
    if not is_within(*hulls, mm(BESIDE_DOTS) + state.options.tolerance_mm):
        apart = dots(gap(*hulls))
        return no(RULE, f"{name} is {apart:.0f} dots from {there}; {BESIDE_DOTS} are near enough.")
    return None


def cross(state: State, action: Deed) -> State:
    """Bring figures and chests over; an empty launch is hoisted, an empty party is no more.

    Chests that nobody takes along from a shore stay there and are lost; those who hang in snares
    stay, too, and friends may still free them (PWR-137).
    """
    assert isinstance(action, Cross)
    ship, other = state.ships[action.ship], state.ships[action.target]
    going = chosen(state, action.ship, _movable(state, action), action.figures)
    there = _station_there(state, action)
    other = other._replace(
        crew=merged(other.crew, moved_to(changed(going, going, _across), there)),
        chests=other.chests + action.chests,
    )
    ship = _left_with(ship, going, action.chests)
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
