"""The lay-out of the sea: islands, terrain, and ships docked at home (CSG-39 to CSG-42)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from companion.errors import BadOptions
from companion.rules.game import Decision, Happening, PlayerId, Ruling, Step
from companion.rules.layout import Pose
from companion.rules.outlines import gap, is_near, overlap
from companion.rules.phases import Choice, no
from companion.rules.pirates_csg.actions import LayOut
from companion.rules.pirates_csg.deck import FIRST_ISLAND_TAG, FIRST_TERRAIN_TAG
from companion.rules.pirates_csg.options import Options
from companion.rules.pirates_csg.sailing import refuse_off_sea
from companion.rules.pirates_csg.sea import hull, patch, shore, touches
from companion.rules.pirates_csg.stages import RollingOrder
from companion.rules.pirates_csg.state import PLAYERS, Island, State, Terrain, home_of
from companion.rules.pirates_csg.terrain_data import CHAIN, REEF
from companion.rules.pirates_csg.words import island_name, ship_name
from companion.rules.plane import distance, place
from companion.rules.words import listed

EDGE_MM = 55
"""How far from the edge of the sea the middle of a home island lies."""
GRID_MM = 25
"""Places that are tried for islands lie so far apart."""
BESIDE_MM = 200
"""A home island lies no farther than this from the edge of the sea."""
UNEVEN = 0.5
"""Part of an even share of the edge that homes may be nearer together (CSG-39)."""
Places = tuple[tuple[int, int], ...]


def drawn_islands(players: int, options: Options) -> tuple[Island, ...]:
    """Return homes along the edge and wild islands between them. Raises `BadOptions`."""
    homes = home_places(players, options.sea_mm)
    count = players * options.islands
    shore_mm = max(x for x, _ in options.deck.island_mm) * 2
    wild = spread(homes, count, options.sea_mm, shore_mm + options.spacing_mm)
    tags = iter(range(FIRST_ISLAND_TAG, FIRST_TERRAIN_TAG))
    islands = [Island(next(tags), Pose(x, y, 0.0), home=s) for s, (x, y) in enumerate(homes)]
    coins = (options.island_gold,) if options.island_gold else ()
    for number, (x, y) in enumerate(wild):
        hidden = int(number < options.treasures)
        islands.append(Island(next(tags), Pose(x, y, 0.0), coins=coins, hidden=hidden))
    return tuple(islands)


def home_places(players: int, sea_mm: tuple[int, int]) -> Places:
    """Return places for homes: opposite ends for two, else evenly along the edge (CSG-39)."""
    width, height = sea_mm[0] - 2 * EDGE_MM, sea_mm[1] - 2 * EDGE_MM
    length = 2 * (width + height)
    found = []
    for seat in range(players):
        # The edge is walked clockwise from the middle of the left side.
        along = (height / 2 + length * seat / players) % length
        if along < height:
            place = (0.0, height - along)
        elif along < height + width:
            place = (along - height, 0.0)
        elif along < 2 * height + width:
            place = (width, along - height - width)
        else:
            place = (length - along, height)
        found.append((round(EDGE_MM + place[0]), round(EDGE_MM + place[1])))
    return tuple(found)


@lru_cache(maxsize=64)
def spread(homes: Places, count: int, sea_mm: tuple[int, int], apart_mm: float) -> Places:
    """Return places for wild islands, each as far from all others as can be.

    Raises `BadOptions` where there is no room for so many.
    """
    margin = 2 * EDGE_MM
    grid = [
        (x, y)
        for x in range(margin, sea_mm[0] - margin + 1, GRID_MM)
        for y in range(margin, sea_mm[1] - margin + 1, GRID_MM)
    ]
    nearest = {place: min(distance(place, home) for home in homes) for place in grid}
    found: list[tuple[int, int]] = []
    for _ in range(count):
        best = max(nearest, key=lambda place: (nearest[place], place), default=None)
        if best is None or nearest[best] < apart_mm:
            raise BadOptions(
                f"{count} wild islands do not fit into a sea of {sea_mm[0]} by {sea_mm[1]} mm"
                f" with {len(homes)} captains: choose fewer or a larger sea",
                "islands",
            )
        found.append(best)
        nearest = {p: min(d, distance(p, best)) for p, d in nearest.items()}
    return tuple(found)


def drawn_terrain(islands: tuple[Island, ...], options: Options) -> tuple[Terrain, ...]:
    """Lay terrain where there is most room: reefs in a chain, then one after the other (CSG-41)."""
    if not options.terrain:
        return ()
    width, height = options.sea_mm
    grid = [
        (float(x), float(y))
        for x in range(150, width - 149, GRID_MM)
        for y in range(150, height - 149, GRID_MM)
    ]
    shores = [place(island.pose) for island in islands]
    nearest = {at: min(distance(at, shore) for shore in shores) for at in grid}
    free = {at: mm for at, mm in nearest.items() if mm >= 100}
    found: list[Terrain] = []
    for number, kind in enumerate(CHAIN):
        fitting = free
        if kind == REEF and found:
            last = place(found[-1].pose)
            fitting = {at: mm for at, mm in free.items() if 60 <= distance(at, last) <= 80}
        if fitting:
            best = max(fitting, key=lambda at: (free[at], at))
            found.append(Terrain(FIRST_TERRAIN_TAG + number, kind, Pose(*best, 0.0)))
            nearest = {at: min(mm, distance(at, best)) for at, mm in free.items()}
            free = {at: mm for at, mm in nearest.items() if mm >= 60}
    return tuple(found)


def standard_layout(state: State) -> LayOut:
    """Return the lay-out in which everything is where it is drawn."""
    poses = [(i.tag, i.pose) for i in state.islands] + [(s.tag, s.pose) for s in state.ships]
    poses += [(t.tag, t.pose) for t in state.terrain]
    return LayOut(PLAYERS[0], tuple(sorted(poses)))


def with_poses(state: State, poses: Mapping[int, Pose]) -> State:
    """Return the state with pieces at other poses."""
    islands = tuple(replace(i, pose=poses[i.tag].rounded()) for i in state.islands)
    ships = tuple(replace(s, pose=poses[s.tag].rounded()) for s in state.ships)
    terrain = tuple(replace(t, pose=poses[t.tag].rounded()) for t in state.terrain)
    return state._replace(islands=islands, ships=ships, terrain=terrain)


class LayOutSea(Choice[State, LayOut]):
    """Islands are laid out and ships docked at home, all at once (CSG-39 to CSG-42)."""

    name, rule, takes = "lay_out", "CSG-39", (LayOut,)

    def pending(self, state: State) -> Decision:
        """Ask the first seat, on behalf of the table."""
        text = "Lay out the islands as shown or as you like, and dock every ship at home"
        # What lies as drawn has not been moved, so nothing shows that it is ready but the button.
        drawn = standard_layout(state)
        return Decision(PLAYERS[0], self.name, text, drawn, told=True, measured=True)

    def asked(self, state: State) -> PlayerId:
        """Return the first seat."""
        return PLAYERS[0]

    def actions(self, state: State) -> tuple[LayOut, ...]:
        """Return the lay-out as drawn."""
        return (standard_layout(state),)

    def measured(self, state: State, seen: Mapping[int, Pose]) -> tuple[LayOut, ...]:
        """Return the lay-out as it is seen, once every piece is."""
        tags = [tag for tag, _ in standard_layout(state).poses]
        if not seen.keys() >= {*tags}:
            return ()
        action = LayOut(PLAYERS[0], tuple((tag, seen[tag].rounded()) for tag in tags))
        return () if self.refuse(state, action) is not None else (action,)

    def refuse(self, state: State, action: LayOut) -> Ruling | None:
        """Refuse islands that lie too near, and ships that are not at home."""
        if [tag for tag, _ in action.poses] != [tag for tag, _ in standard_layout(state).poses]:
            return no(self.rule, "Say where every island, ship and terrain lies, by tag in order.")
        laid = with_poses(state, dict(action.poses))
        # A refusal is falsy, so `or` would not do here.
        refusals = (refuse(laid) for refuse in (_refuse_islands, _refuse_homes, _refuse_ships))
        return next((refusal for refusal in refusals if refusal is not None), None)

    def play(self, state: State, action: LayOut) -> Step[State]:
        """Take it as it lies, and roll for the first turn."""
        laid = with_poses(state, dict(action.poses))
        stage = RollingOrder((0,) * len(state.seats))
        text = f"The sea is laid out: {len(state.islands)} islands"
        if state.terrain:
            kinds = Counter(terrain.kind for terrain in state.terrain)
            text += f"; terrain: {listed(f'{kind} ({n})' for kind, n in kinds.items())}"
        return Step(laid._replace(stage=stage), (Happening(text, self.rule),))


def _refuse_islands(state: State) -> Ruling | None:
    width, height = state.options.sea_mm
    lying: tuple[Island | Terrain, ...] = (*state.islands, *state.terrain)
    for piece in lying:
        if not (0 <= piece.pose.x_mm <= width and 0 <= piece.pose.y_mm <= height):
            return no("CSG-39", f"Tag {piece.tag} lies outside the sea of {width} by {height} mm.")
    lands = [(island_name(state, i), shore(state, i)) for i in state.islands]
    lands += [(f"the {t.kind} {t.tag}", patch(t)) for t in state.terrain]
    tolerance = state.options.tolerance_mm
    least = state.options.spacing_mm - tolerance
    count = len(state.islands)
    for k, (name, land) in enumerate(lands):
        for m, (other_name, other) in enumerate(lands[:k]):
            wanted = least if k < count and m < count else -tolerance
            if is_near(land, other, wanted) and gap(land, other) < wanted:
                water = max(0.0, gap(land, other))
                leave = f"leave {state.options.spacing_mm} or more between islands"
                reason = f"There are {water:.0f} mm between {other_name} and {name}: {leave}."
                return no("CSG-39", reason)
    return None


def _refuse_homes(state: State) -> Ruling | None:
    """Refuse homes away from the edge, or unevenly spread along it (CSG-39)."""
    width, height = state.options.sea_mm
    length = 2.0 * (width + height)
    along = []
    for island in state.islands[: len(state.seats)]:
        x, y = island.pose.x_mm, island.pose.y_mm
        sides = {
            "left": (x, height - y),
            "top": (y, height + x),
            "right": (width - x, height + width + y),
            "bottom": (height - y, 2 * height + 2 * width - x),
        }
        away, place = min(sides.values())
        if away > BESIDE_MM:
            name = island_name(state, island)
            return no("CSG-39", f"{name} lies {away:.0f} mm from the edge; {BESIDE_MM} at most.")
        along.append(place)
    along.sort()
    share = length / len(along)
    gaps = [b - a for a, b in pairwise([*along, along[0] + length])]
    if min(gaps) < share * UNEVEN:
        return no("CSG-39", "Home islands lie at opposite ends, or evenly along the edge.")
    return None


def _refuse_ships(state: State) -> Ruling | None:
    """Refuse ships that are not docked at home, or lie in something (CSG-42)."""
    tolerance = state.options.tolerance_mm
    hulls = [(ship, hull(state, ship)) for ship in state.ships]
    for k, (ship, outline) in enumerate(hulls):
        home = home_of(state, ship.owner)
        name = ship_name(state, ship)
        if not touches(state, outline, shore(state, home)):
            reason = f"{name} (tag {ship.tag}) must touch {island_name(state, home)}"
            return no("CSG-42", f"{reason}: all ships begin docked at home.")
        for island in state.islands:
            if overlap(outline, shore(state, island)) > tolerance:
                where = island_name(state, island)
                return no("CSG-42", f"{name} lies on {where}; she may touch it.")
        refusal = refuse_off_sea(state, ship, ship.pose)
        if refusal is not None:
            return refusal
        for terrain in state.terrain:
            if overlap(outline, patch(terrain)) > tolerance:
                reason = f"{name} lies in the {terrain.kind} {terrain.tag}; she may touch it."
                return no("CSG-42", reason)
        for other, land in hulls[:k]:
            if is_near(outline, land, 0) and overlap(outline, land) > tolerance:
                return no("CSG-42", f"{name} lies in {ship_name(state, other)}; she may touch her.")
    return None
