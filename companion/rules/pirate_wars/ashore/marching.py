"""What figures ashore do in the Movement phase beside walking in the open (PWR-123, PWR-133)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from companion.rules.deeds import Deed
from companion.rules.game import PlayerId, Ruling
from companion.rules.phases import no
from companion.rules.pirate_wars.actions import Climb, Enter, Lower, Post, TakeCover
from companion.rules.pirate_wars.ashore.launching import lowered, lowering_offers, refuse_lower
from companion.rules.pirate_wars.ashore.storming import (
    WAYS,
    climb,
    enter,
    fort_built,
    forts,
    held,
    refuse_climb,
    refuse_entry,
    refuse_party,
)
from companion.rules.pirate_wars.built.figures import KINDS
from companion.rules.pirate_wars.built.fort_inside import NO_WAY
from companion.rules.pirate_wars.built.vessels import PARTY, NativeBoat
from companion.rules.pirate_wars.crew import (
    COVER,
    DECK,
    WALKED,
    Crew,
    changed,
    crew_size,
    fall_rank,
    moved_to,
    of,
    picked,
    rested,
)
from companion.rules.pirate_wars.sailing.seamanship import own_dots
from companion.rules.pirate_wars.state import State, design_of, mate_of, with_ship
from companion.rules.pirate_wars.words import ship_name
from companion.rules.words import capital, only


def offers(state: State, player: PlayerId, number: int) -> Iterator[Deed]:
    """Yield where a garrison, a landing party or natives can go, walks in the open apart."""
    if fort_built(state, number):
        yield from _garrison_offers(state, player, number)
    if design_of(state, number).kind == "tribe":
        yield from lowering_offers(_unwearied(state, number), player, number)
    if state.ships[number].design != PARTY.id:
        return
    cover = TakeCover(player, number)
    if refuse_cover(state, cover) is None:
        yield cover
    for target in forts(state):
        climbing = Climb(player, number, target)
        if refuse_climb(state, climbing) is None:
            yield climbing
        built = fort_built(state, target)
        for place in built.inside.places if built else ():
            entry = Enter(player, number, target, place.station)
            if refuse_entry(state, entry) is None:
                yield entry


def _garrison_offers(state: State, player: PlayerId, number: int) -> Iterator[Deed]:
    built = fort_built(state, number)
    places = [place.station for place in built.inside.places] if built else []
    for figure in sorted({hand.kind for hand, _ in state.ships[number].crew}):
        for start in places:
            free = crew_size(_free(state, number, figure, start))
            for station in places if free else ():
                for count in sorted({1, free}):
                    walk = Post(player, number, figure, start, station, count)
                    if refuse_walk(state, walk) is None:
                        yield walk


# Cover


def refuse_cover(state: State, action: Deed) -> Ruling | None:
    """Refuse to hide where nothing lies to hide behind (PWR-126)."""
    assert isinstance(action, TakeCover)
    ship = state.ships[action.ship]
    refusal = refuse_party(state, action.ship)
    if refusal is not None:
        return refusal
    name = capital(ship_name(state, action.ship))
    if ship.fort >= 0 or ship.station != DECK:
        return no("PWR-126", f"{name} does not stand in the open.")
    if not ship.chests:
        return no("PWR-126", f"{name} has no chests or barrels to hide behind.")
    return None


def take_cover(state: State, action: Deed) -> State:
    """Go behind barrels and cargo, until they walk on."""
    assert isinstance(action, TakeCover)
    ship = state.ships[action.ship]
    hidden = ship._replace(crew=moved_to(ship.crew, COVER), left=0)
    return with_ship(state, action.ship, hidden)


# The garrison: figure by figure


def _free(state: State, number: int, figure: str, start: str) -> Crew:
    """Return who of a garrison can leave a place: nobody walks twice, or out of a melee."""
    mate = mate_of(state, number)
    if mate is not None and state.ships[mate].station == start:
        return ()
    return of(
        state.ships[number].crew,
        lambda h: h.kind == figure and h.station == start and not h.hampered,
    )


def refuse_walk(state: State, action: Deed) -> Ruling | None:
    """Refuse ways that are too long for figures of a garrison, and those not free (PWR-124)."""
    assert isinstance(action, Post)
    built = fort_built(state, action.ship)
    if built is None:
        return no("PWR-78", "Aboard ships figures go to other stations in the Tasks phase.")
    stations, name = built.inside.by_station, ship_name(state, action.ship)
    if not {action.start, action.station} <= {*stations} or action.figure not in KINDS:
        return no(WAYS, f"{capital(name)} has no such place.")
    free = crew_size(_free(state, action.ship, action.figure, action.start))
    if not 1 <= action.count <= free:
        return no(
            WAYS, f"{only(free, 'them')} free to leave: nobody walks twice, or out of a melee."
        )
    if action.start == action.station:
        return no(WAYS, "They stand there already.")
    foes = held(state, action.ship, action.player)
    cost = built.inside.cost(action.start, action.station, foes)
    most = KINDS[action.figure].shore_dots
    if cost == NO_WAY:
        return no(WAYS, "Enemies stand in the way.")
    if cost > most:
        return no(WAYS, f"The way there takes {cost:g} dots; they have {most}.")
    return None


def walk_about(state: State, action: Deed) -> State:
    """Send figures of a garrison to another place; they may fight there, but load nothing."""
    assert isinstance(action, Post)
    ship = state.ships[action.ship]
    going = picked(_free(state, action.ship, action.figure, action.start), action.count, fall_rank)
    crew = changed(
        ship.crew, going, lambda hand: hand._replace(station=action.station, hampered=WALKED)
    )
    return with_ship(state, action.ship, ship._replace(crew=crew))


# Boats of islanders


def _unwearied(state: State, number: int) -> State:
    """Return the state with the tasks of the last turn behind the figures of a piece."""
    ship = state.ships[number]
    return with_ship(state, number, ship._replace(crew=rested(ship.crew)))


def refuse_boat(state: State, action: Deed) -> Ruling | None:
    """Refuse boats that islanders cannot get into, and launches of ships (PWR-133)."""
    assert isinstance(action, Lower)
    if design_of(state, action.ship).kind == "ship":
        return no("PWR-114", "Ships lower launches in the Tasks phase.")
    return refuse_lower(_unwearied(state, action.ship), action)


def get_into_boat(state: State, action: Deed) -> State:
    """Let islanders get into a boat, which goes less far in this turn; the others walk on."""
    assert isinstance(action, Lower)
    state = lowered(_unwearied(state, action.ship), action)
    home, number = state.ships[action.ship], len(state.ships) - 1
    design = design_of(state, number)
    assert isinstance(design, NativeBoat)
    left = min(own_dots(state, number), design.boat.first_dots)
    state = with_ship(state, number, state.ships[number]._replace(left=left))
    return state if home.crew else with_ship(state, action.ship, home._replace(left=0))


Refuse = Callable[[State, Deed], Ruling | None]
Play = Callable[[State, Deed], State]
MARCHES: Mapping[type[Deed], tuple[Refuse, Play]] = {
    Climb: (refuse_climb, climb),
    Enter: (refuse_entry, enter),
    TakeCover: (refuse_cover, take_cover),
    Post: (refuse_walk, walk_about),
    Lower: (refuse_boat, get_into_boat),
}
"""How what figures ashore do in the Movement phase is refused and carried out."""
