"""Into a fortress, about in it and out again, in the Movement phase (PWR-120, PWR-121, PWR-124).

A landing party in a fortress has no tag on the table: its figures stand among the bricks, and where
they stand is told.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.rules.deeds import Deed
from companion.rules.game import Happening, Ruling
from companion.rules.layout import Pose
from companion.rules.outlines import gap, outline_at
from companion.rules.phases import no
from companion.rules.pirate_wars.actions import Climb, Enter
from companion.rules.pirate_wars.built.fort_inside import DOWN_THE_WALL, NO_WAY, OUTSIDE, WALL
from companion.rules.pirate_wars.built.vessels import PARTY, Fort
from companion.rules.pirate_wars.crew import CLIMBING, DECK, moved_to
from companion.rules.pirate_wars.pieces import AFLOAT, Ship
from companion.rules.pirate_wars.sailing.seamanship import dots, mm
from companion.rules.pirate_wars.state import State, design_of, hull_of, off_the_table, with_ship
from companion.rules.pirate_wars.words import Told, ship_name, station_named
from companion.rules.plane import Outline, on_board, pose_at
from companion.rules.words import capital

CLIMB, DOORS, WAYS = "PWR-120", "PWR-121", "PWR-124"


def fort_built(state: State, number: int) -> Fort | None:
    """Return a fortress as it was built; ``None``: the number is of something else."""
    if not 0 <= number < len(state.ships):
        return None
    design = design_of(state, number)
    return design if isinstance(design, Fort) else None


def forts(state: State) -> list[int]:
    """Return the fortresses on the table, by number."""
    count = len(state.ships) if state.options.forts else 0
    return [number for number in range(count) if fort_built(state, number)]


def parties_in(state: State, number: int) -> list[int]:
    """Return the landing parties within a fortress, by number."""
    return [n for n, ship in enumerate(state.ships) if ship.fort == number and ship.is_inside]


def held(state: State, number: int, player: int) -> frozenset[str]:
    """Return the places of a fortress where enemies of a side stand."""
    fort = state.ships[number]
    found = {hand.station for hand, _ in fort.crew if fort.player != player}
    parties = (state.ships[n] for n in parties_in(state, number))
    return frozenset(found | {party.station for party in parties if party.player != player})


def stand_apart(state: State, number: int, other: int) -> bool:
    """Tell whether walls or floors are between two pieces.

    One of them is in a fortress and the other is not, or they are in different places of it.
    """
    one, two = fort_around(state, number), fort_around(state, other)
    stations = {s.station for s in (state.ships[number], state.ships[other]) if s.is_inside}
    return one != two or len(stations) > 1


def fort_around(state: State, number: int) -> int:
    """Return the fortress that a piece is, or is within; -1: none."""
    ship = state.ships[number]
    return number if fort_built(state, number) else ship.fort if ship.is_inside else -1


def refuse_party(state: State, number: int) -> Ruling | None:
    """Refuse what is no landing party."""
    if state.ships[number].design != PARTY.id:
        return no("PWR-123", f"{capital(ship_name(state, number))} is no landing party.")
    return None


# Over the wall


def refuse_climb(state: State, action: Deed) -> Ruling | None:
    """Refuse to climb but from the foot of the wall, reached in an earlier turn (PWR-120)."""
    assert isinstance(action, Climb)
    ship = state.ships[action.ship]
    refusal = refuse_party(state, action.ship)
    if refusal is not None:
        return refusal
    if fort_built(state, action.target) is None or ship.fort >= 0:
        return no(CLIMB, "The wall of a fortress is climbed, from outside.")
    name, there = capital(ship_name(state, action.ship)), ship_name(state, action.target)
    near = gap(hull_of(state, action.ship), hull_of(state, action.target))
    if near > state.options.tolerance_mm:
        return no(CLIMB, f"{name} must stand at the foot of the wall of {there}.")
    if ship.moved:
        return no(CLIMB, f"{name} has just come to the wall; it is climbed in the next turn.")
    return None


def climb(state: State, action: Deed) -> State:
    """Go up the wall; at the end of the turn they stand on it."""
    assert isinstance(action, Climb)
    ship = state.ships[action.ship]
    climbers = moved_to(ship.crew, CLIMBING)
    ship = ship._replace(fort=action.target, crew=climbers, left=0, moved=True)
    return with_ship(state, action.ship, ship)


def scaled(state: State) -> tuple[State, Told]:
    """Put those who climbed on top of the wall; parties that died are no more (PWR-120).

    In the open, what a dead party carried lies where its tag is, for others to take.
    """
    told: Told = ()
    for number, ship in enumerate(state.ships):
        if ship.fort < 0 and not _is_forsaken(ship):
            continue
        if not ship.crew:
            if not ship.is_inside:
                name = ship_name(state, number)
                text = f"Nobody of {name} is left: take its tag off the table"
                told = (*told, Happening(text, "PWR-123"))
            state = off_the_table(state, number)
        elif ship.station == CLIMBING:
            there = state.ships[ship.fort].pose
            up = ship._replace(crew=moved_to(ship.crew, WALL), pose=there)
            name, fort = capital(ship_name(state, number)), ship_name(state, ship.fort)
            text = f"{name} stands on the wall of {fort}: take its tag off the table"
            told = (*told, Happening(text, CLIMB))
            state = with_ship(state, number, up)
    return state, told


def _is_forsaken(ship: Ship) -> bool:
    """Tell whether nothing is left of a landing party on the table: no figures and no loot."""
    left = ship.crew or ship.snared or ship.chests or ship.stowed
    return ship.design == PARTY.id and ship.fate == AFLOAT and not left


# Through the doors, and from place to place


def doors_of(state: State, number: int) -> Outline | None:
    """Return where the doors of a fortress are on the table; ``None``: it has none."""
    built = fort_built(state, number)
    if built is None or not built.door:
        return None
    return outline_at(state.ships[number].pose, built.doors_mm)


def may_pass(state: State, number: int, target: int) -> bool:
    """Tell whether a piece stands before doors that are broken, or its own (PWR-121)."""
    doors, fort = doors_of(state, target), state.ships[target]
    if doors is None or (fort.boats and fort.player != state.ships[number].player):
        return False
    return gap(hull_of(state, number), doors) <= state.options.tolerance_mm


def way_in(state: State, action: Enter) -> float:
    """Return the dots from where a party is to a place of a fortress (PWR-124)."""
    ship, built = state.ships[action.ship], fort_built(state, action.target)
    assert built is not None
    start = ship.station if ship.is_inside else OUTSIDE
    return built.inside.cost(start, action.station, held(state, action.target, ship.player))


def refuse_entry(state: State, action: Deed) -> Ruling | None:
    """Refuse closed doors, places that are not there, and ways that are too long (PWR-124)."""
    assert isinstance(action, Enter)
    ship, built = state.ships[action.ship], fort_built(state, action.target)
    refusal = refuse_party(state, action.ship)
    if refusal is not None:
        return refusal
    if built is None or action.station not in built.inside.by_station:
        return no(WAYS, "Go to a place of a fortress: the yard, the wall, a floor of its tower.")
    name, there = capital(ship_name(state, action.ship)), ship_name(state, action.target)
    within = ship.is_inside and ship.fort == action.target
    if not within and (ship.fort >= 0 or not may_pass(state, action.ship, action.target)):
        return no(DOORS, f"{name} must stand before broken doors of {there}, or doors of its own.")
    if within and ship.station == action.station:
        return no(WAYS, f"{name} is {station_named(action.station)} already.")
    cost = way_in(state, action)
    if cost == NO_WAY:
        return no(WAYS, f"Enemies stand in the way: {ship_name(state, action.ship)} cannot pass.")
    if cost > ship.left:
        reason = f"The way there takes {cost:g} dots; {ship_name(state, action.ship)} has"
        return no(WAYS, f"{reason} {ship.left} left.")
    return None


def enter(state: State, action: Deed) -> State:
    """Go there with everybody; what is left of the movement is kept."""
    assert isinstance(action, Enter)
    ship = state.ships[action.ship]
    ship = ship._replace(
        fort=action.target,
        pose=state.ships[action.target].pose,
        crew=moved_to(ship.crew, action.station),
        left=int(ship.left - way_in(state, action)),
        moved=True,
    )
    return with_ship(state, action.ship, ship)


# Out again


def way_out(state: State, number: int, pose: Pose) -> float:
    """Return the dots from within a fortress to a place outside: by its doors, or down its wall."""
    ship, built = state.ships[number], fort_built(state, state.ships[number].fort)
    assert built is not None
    here, foes = hull_of(state, number, pose), held(state, ship.fort, ship.player)
    walls, doors = hull_of(state, ship.fort), doors_of(state, ship.fort)
    down = built.inside.cost(ship.station, WALL, foes) + DOWN_THE_WALL.cost
    may_climb = ship.station == WALL or WALL not in foes
    ways = [down + dots(max(gap(here, walls), 0.0))] if may_climb else []
    if doors is not None:
        through = built.inside.cost(ship.station, OUTSIDE, foes)
        ways.append(through + dots(max(gap(here, doors), 0.0)))
    return min(ways, default=NO_WAY)


def places_around(state: State, number: int) -> Iterator[Pose]:
    """Yield places at the middle of each side of a fortress, as near as a party can stand."""
    built, pose = design_of(state, number), state.ships[number].pose
    beside = mm(PARTY.length / 2) + 1
    x, y = mm(built.length / 2) + beside, mm(built.hull / 2) + beside
    for point in ((x, 0.0), (0.0, y), (-x, 0.0), (0.0, -y)):
        yield pose_at(on_board(pose, point), pose.heading_deg).rounded()


def in_the_open(ship: Ship) -> Ship:
    """Return a landing party that has walked: out of whatever it was in or behind."""
    return ship._replace(fort=-1, crew=moved_to(ship.crew, DECK))
