"""The set-up: ships are chosen, the wind is rolled, ships are placed (PWR-2, PWR-21, PWR-38)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from companion.errors import BadOptions
from companion.rules.deeds import Roll
from companion.rules.dice import D8
from companion.rules.game import ChanceRoll, Decision, Happening, PlayerId, Ruling, Step
from companion.rules.layout import Pose
from companion.rules.outlines import centre, depth, overlap
from companion.rules.phases import Choice, no
from companion.rules.pirate_wars.actions import ChooseShip, PlaceShip
from companion.rules.pirate_wars.ashore.forts import FORTS, fort_of, garrison
from companion.rules.pirate_wars.ashore.islanders import CALM, FIGHTING
from companion.rules.pirate_wars.ashore.natives import NativePlace, tribe_of
from companion.rules.pirate_wars.built.ships import ShipDesign
from companion.rules.pirate_wars.crew import muster
from companion.rules.pirate_wars.dice import RollOneDie, faces_of
from companion.rules.pirate_wars.fighting.fort_hits import DOOR_HITS
from companion.rules.pirate_wars.options import WINDS
from companion.rules.pirate_wars.pieces import NOWHERE, Gun, Ship, tag_of
from companion.rules.pirate_wars.sailing.aground import shortage
from companion.rules.pirate_wars.sailing.seamanship import mm, wind_from
from companion.rules.pirate_wars.sailing.waters import around, is_off_table
from companion.rules.pirate_wars.stages import Between
from companion.rules.pirate_wars.state import PLAYERS, State, design_of, hull_of, with_ship
from companion.rules.pirate_wars.words import WIND_NAMES, ship_name, who, with_tag
from companion.rules.words import capital, counted

EDGES = ("left", "right", "top", "bottom")
"""Each seat's edge of the board."""
INWARD = (0.0, 180.0, 90.0, 270.0)
"""Heading from each seat's edge into the sea."""
SIDES_DEG = tuple((inward + 270) % 360 for inward in INWARD)
"""Where the captains sit, at their edges, clockwise from the top of the board."""
SPOTS = 6
"""Standard places along an edge."""
PLACE_RULE = "PWR-2"


def launched(design: ShipDesign, player: PlayerId) -> Ship:
    """Return a new ship with its whole crew, cannons loaded."""
    guns = [Gun(cannon.side) for cannon in design.cannons]
    guns += [Gun("bow")] * design.deck_guns
    return Ship(
        design.id,
        player,
        design.hull_factor,
        design.sail_factor,
        muster(design),
        tuple(guns),
        wanted=design.sail_factor,
        chests=design.cargo,
        boats=design.launches,
    )


def garrisoned(state: State) -> State:
    """Return the state with fortresses manned and islands peopled (PWR-134, PWR-139)."""
    built = [fort_of(place, n) for n, place in enumerate(state.options.forts, 1)]
    manned = tuple(
        Ship(
            it.id,
            place.player,
            it.hull_factor,
            0,
            garrison(it),
            tuple(Gun(cannon.side) for cannon in it.cannons),
            place.pose,
            boats=DOOR_HITS if place.door_dots else 0,
        )
        for place, it in zip(state.options.forts, built, strict=True)
    )
    people = tuple(_natives(state, place, n) for n, place in enumerate(state.options.natives, 1))
    return state._replace(ships=(*state.ships, *manned, *people))


def _natives(state: State, place: NativePlace, number: int) -> Ship:
    """Return the natives of an island, in its middle; islanders keep still (PWR-135)."""
    it = tribe_of(place, number)
    x, y = centre(state.options.islands[it.island])
    home = Pose(x, y, 0.0).rounded()
    guns = tuple(Gun(cannon.side) for cannon in it.cannons)
    natives = Ship(it.id, place.player, 1, 0, it.full, guns, home, chests=place.treasure)
    return natives._replace(temper=FIGHTING if it.is_dead else CALM, boats=place.boats)


def check_room(state: State) -> None:
    """Demand a place at every captain's edge for the largest ships. Raises `BadOptions`."""
    options, seats = state.options, len(state.names)
    if not options.terrain and not options.forts:
        return
    largest = max(options.designs.values(), key=lambda it: (it.draft, it.length))
    fleet = tuple(launched(largest, PLAYERS[n % seats]) for n in range(seats * options.ships_each))
    state = garrisoned(state._replace(ships=fleet))
    while (number := next_to_place(state)) is not None:
        pose = next(_free_places(state, number), None)
        if pose is None:
            edge = EDGES[state.ships[number].player]
            ships = counted(options.ships_each, "ship", "ships")
            message = (
                f"Islands, reefs and fortresses leave no place at the {edge} edge for {ships} as"
                f" large as the {largest.title}: make them fewer or smaller, or move them."
            )
            raise BadOptions(message, "terrain" if options.terrain else FORTS)
        state = with_ship(state, number, state.ships[number]._replace(pose=pose))


def refuse_side(state: State, player: int, side: str) -> Ruling | None:
    """Refuse ships of another side than the captain's, or than the fortress that is held."""
    if player < len(state.sides) and side != state.sides[player]:
        return no(ChooseShips.rule, "All ships of a captain fight for one side.")
    holds = any(place.player == player for place in state.options.forts)
    if holds and side != "imperial":
        return no("PWR-139", "Who holds a fortress commands Imperial ships.")
    return None


class ChooseShips(Choice[State, ChooseShip]):
    """Seat by seat, one ship at a time."""

    name, rule, takes = "choose_ship", "PWR-21", (ChooseShip,)

    def asked(self, state: State) -> PlayerId:
        """Return the seat that chooses."""
        return PLAYERS[len(state.ships) % len(state.names)]

    def pending(self, state: State) -> Decision:
        """Ask the next seat."""
        player = self.asked(state)
        text = f"{who(state, player)}: choose a ship to command"
        return Decision(player, self.name, text, told=True)

    def actions(self, state: State) -> tuple[ChooseShip, ...]:
        """Return the ships of the seat's side; of both before it has one."""
        player = self.asked(state)
        return tuple(
            sorted(
                ChooseShip(player, design.id)
                for design in state.options.designs.values()
                if refuse_side(state, player, design.side) is None
            )
        )

    def refuse(self, state: State, action: ChooseShip) -> Ruling | None:
        """Refuse ships that do not exist or belong to the other side."""
        design = state.options.designs.get(action.design)
        if design is None:
            return no(self.rule, f"There is no ship called {action.design!r}.")
        return refuse_side(state, action.player, design.side)

    def play(self, state: State, action: ChooseShip) -> Step[State]:
        """Give the ship its crew."""
        design = state.options.designs[action.design]
        sides = state.sides
        if action.player == len(sides):
            sides = (*sides, design.side)
        ships = (*state.ships, launched(design, action.player))
        return Step(state._replace(sides=sides, ships=ships))


class RollWind(RollOneDie[State]):
    """A die says where the wind comes from for the whole battle (PWR-38)."""

    name, rule, kind = "roll_wind", "PWR-38", D8

    def pending(self, state: State) -> ChanceRoll:
        """Ask the first captain to roll."""
        text = f"{state.names[0]}: roll a d8 for the wind; 1 is north, then clockwise"
        return ChanceRoll(PLAYERS[0], self.name, text, (D8.id,))

    def play(self, state: State, action: Roll) -> Step[State]:
        """Set the wind."""
        name = WINDS[faces_of(action)[0] - 1]
        told = (Happening(f"The wind comes from the {WIND_NAMES[name]}", "PWR-38"),)
        return Step(state._replace(wind=wind_from(name), stage=Between("place")), told)


def next_to_place(state: State) -> int | None:
    """Return the ship to be placed, ``None`` when all stand."""
    waiting = [n for n, ship in enumerate(state.ships) if ship.pose == NOWHERE]
    return waiting[0] if waiting else None


class PlaceShips(Choice[State, PlaceShip]):
    """Ships are placed one after the other, each nearer to its captain's edge than to others."""

    name, rule, takes = "place_ship", PLACE_RULE, (PlaceShip,)

    def asked(self, state: State) -> PlayerId:
        """Return whose ship comes next."""
        number = next_to_place(state)
        assert number is not None
        return state.ships[number].player

    def pending(self, state: State) -> Decision:
        """Ask for the next ship."""
        number = next_to_place(state)
        assert number is not None
        player = state.ships[number].player
        edge = f"your edge, the {EDGES[player]} one"
        text = f"{who(state, player)}: place {with_tag(state, number)} at {edge}"
        return Decision(player, self.name, text, measured=True)

    def actions(self, state: State) -> tuple[PlaceShip, ...]:
        """Return places along the edge; anywhere in reach of it where those are taken."""
        number = next_to_place(state)
        assert number is not None
        player = state.ships[number].player
        poses = islice(_free_places(state, number), _MOST_PLACES)
        return tuple(sorted(PlaceShip(player, number, pose) for pose in poses))

    def measured(self, state: State, seen: Mapping[int, Pose]) -> tuple[PlaceShip, ...]:
        """Return the placing of the ship that is asked for, where its tag is seen."""
        number = next_to_place(state)
        assert number is not None
        pose = seen.get(tag_of(number))
        if pose is None or _fits(state, number, pose) is not None:
            return ()
        return (PlaceShip(state.ships[number].player, number, pose.rounded()),)

    def refuse(self, state: State, action: PlaceShip) -> Ruling | None:
        """Refuse the wrong ship and places that are not its captain's, taken, or too shallow."""
        number = next_to_place(state)
        if action.ship != number:
            assert number is not None
            return no(self.rule, f"{capital(ship_name(state, number))} is to be placed now.")
        return _fits(state, action.ship, action.pose)

    def play(self, state: State, action: PlaceShip) -> Step[State]:
        """Put it there."""
        ship = state.ships[action.ship]._replace(pose=action.pose.rounded())
        state = with_ship(state, action.ship, ship)
        return Step(state._replace(stage=Between("place")))


_MOST_PLACES = 24
"""Places that are offered; there are fewer along an edge."""
_GRIDS = ((50, 45), (20, 20))
"""Millimetres and degrees from one to the next; the finer where nothing else fits."""


def _along_edge(state: State, number: int) -> Iterator[Pose]:
    """Yield the standard places of a ship at its captain's edge, whole on the cloth."""
    width, height = state.options.sea_mm
    player = state.ships[number].player
    inward, design = INWARD[player], design_of(state, number)
    reach = design.length_mm / 2 + mm(abs(design.tag_x_dots) + design.hull / 2)
    for spot in range(SPOTS):
        part = (spot + 0.5) / SPOTS
        for turn in (0.0, 45.0, -45.0):
            heading = (inward + turn) % 360
            x = {0: reach, 1: width - reach}.get(player, part * width)
            y = {2: reach, 3: height - reach}.get(player, part * height)
            pose = Pose(x, y, heading).rounded()
            if _is_whole_at_sea(state, number, pose):
                yield pose


def _free_places(state: State, number: int) -> Iterator[Pose]:
    """Yield places along the captain's edge, or anywhere at sea if there is none: nearest first."""
    for poses in _places(state, number):
        is_found = False
        for pose in poses:
            if _fits(state, number, pose) is None:
                is_found = True
                yield pose
        if is_found:
            return


def _places(state: State, number: int) -> Iterator[Iterable[Pose]]:
    """Yield places to try, the better ones first: only at last those not whole on the cloth."""
    yield _along_edge(state, number)
    for grid in _GRIDS:
        places = _near_edge(state, number, *grid)
        yield (pose for pose in places if _is_whole_at_sea(state, number, pose))
        yield places


def _near_edge(state: State, number: int, step: int, turn: int) -> list[Pose]:
    """Return places all over the sea, those nearest to the captain's edge first."""
    player, places = state.ships[number].player, _anywhere(state, step, turn)
    return sorted(places, key=lambda pose: (_edge_mm(state, player, pose), pose))


def _is_whole_at_sea(state: State, number: int, pose: Pose) -> bool:
    """Tell whether no part of a ship sticks out over the edge of the cloth."""
    width, height = state.options.sea_mm
    return all(0 <= x <= width and 0 <= y <= height for x, y in hull_of(state, number, pose))


def _anywhere(state: State, step: int, turn: int) -> Iterator[Pose]:
    """Yield places all over the sea, islands left out."""
    width, height = state.options.sea_mm
    for x in range(step, width, step):
        for y in range(step, height, step):
            if any(depth((x, y), shore) > 0 for shore in state.options.islands):
                continue
            for heading in range(0, 360, turn):
                yield Pose(float(x), float(y), float(heading))


def _fits(state: State, number: int, pose: Pose) -> Ruling | None:
    """Refuse a place for a ship that does not stand yet."""
    name, slack = capital(ship_name(state, number)), state.options.tolerance_mm
    if is_off_table(state, pose):
        return no(PLACE_RULE, f"{name} must be placed on the sea.")
    mine = _edge_mm(state, state.ships[number].player, pose)
    others = [_edge_mm(state, p, pose) for p in range(len(state.names))]
    if mine > min(others) + slack:
        edge = f"your own edge, the {EDGES[state.ships[number].player]} one,"
        return no(PLACE_RULE, f"{name} is placed nearer to {edge} than to another's.")
    hull = hull_of(state, number, pose)
    for other, outline in around(state, pose, design_of(state, number).reach_mm, number):
        if other >= 0 and state.ships[other].pose != NOWHERE and overlap(hull, outline) > slack:
            return no(PLACE_RULE, f"{name} lies on {ship_name(state, other)} there.")
    if state.options.terrain and shortage(state, number, hull) > 0:
        return no("PWR-55", f"{name} would lie aground there.")
    return None


def _edge_mm(state: State, player: int, pose: Pose) -> float:
    width, height = state.options.sea_mm
    return (pose.x_mm, width - pose.x_mm, pose.y_mm, height - pose.y_mm)[player]
