"""Fleets, the lay-out of the sea, and who begins (CSG-37 to CSG-43)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from companion.errors import BadOptions
from companion.rules.deeds import Deed, Roll
from companion.rules.game import ChanceRoll, Decision, Happening, PlayerId, Ruling, Step
from companion.rules.layout import Pose
from companion.rules.phases import Chance, Choice, no, stage_of
from companion.rules.pirates_csg.actions import BuyShip, DoneBuying, Hire, LayOut, PickFleet
from companion.rules.pirates_csg.buying import (
    has_berth,
    refuse_crew,
    refuse_ship_card,
    with_new_crew,
    with_new_ship,
)
from companion.rules.pirates_csg.deck import (
    FIRST_ISLAND_TAG,
    FIRST_TERRAIN_TAG,
    ReadyFleet,
)
from companion.rules.pirates_csg.dice import D6_ODDS, ask_die, face_of, refuse_die
from companion.rules.pirates_csg.options import Options
from companion.rules.pirates_csg.sea import hull, patch, shore, touches
from companion.rules.pirates_csg.state import (
    NOBODY,
    PLAYERS,
    Building,
    Island,
    LayingOut,
    PickingFleets,
    RollingOrder,
    Seat,
    State,
    Terrain,
    find_ship,
    fleet_of,
    home_of,
    paid,
    with_ship,
)
from companion.rules.pirates_csg.terrain_data import CHAIN, REEF
from companion.rules.pirates_csg.turns import begin_turn
from companion.rules.pirates_csg.words import Told, island_name, name_of, ship_name, who
from companion.rules.plane import distance, gap, is_near, overlap

EDGE_MM = 55
"""How far from the edge of the sea the middle of a home island lies."""
GRID_MM = 25
"""Places that are tried for islands lie so far apart."""
BESIDE_MM = 200
"""A home island lies no farther than this from the edge of the sea."""
UNEVEN = 0.5
"""Part of an even share of the edge that homes may be nearer together (CSG-39)."""

Places = tuple[tuple[int, int], ...]


def opening(names: Sequence[str], options: Options) -> State:
    """Return the state before the first captain does anything. Raises `BadOptions`."""
    dearest = max(options.deck.fleet_cost(fleet) for fleet in options.deck.fleets)
    if options.fleets != "build" and options.build_points < dearest:
        raise BadOptions(
            f"the ready fleets cost up to {dearest} gold: that many build points are needed",
            "build_points",
        )
    seats = tuple(Seat(options.build_points) for _ in names)
    stage = {"ready": LayingOut(), "choose": PickingFleets(), "build": Building()}
    islands = _islands(len(names), options)
    terrain = _terrain(islands, options)
    state = State(tuple(names), options, stage[options.fleets], seats, (), islands, terrain)
    if options.fleets == "ready":
        for seat, fleet in zip(range(len(names)), options.deck.fleets, strict=False):
            state = _with_fleet(state._replace(turn=seat), fleet)
    return state._replace(turn=0)


def _islands(players: int, options: Options) -> tuple[Island, ...]:
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


def _terrain(islands: tuple[Island, ...], options: Options) -> tuple[Terrain, ...]:
    """Lay terrain where there is most room: reefs in a chain, then one after the other (CSG-41)."""
    if not options.terrain:
        return ()
    width, height = options.sea_mm
    taken = [(i.pose.x_mm, i.pose.y_mm) for i in islands]
    found: list[Terrain] = []
    for number, kind in enumerate(CHAIN):
        grid = [
            (float(x), float(y))
            for x in range(150, width - 149, GRID_MM)
            for y in range(150, height - 149, GRID_MM)
        ]
        last = (found[-1].pose.x_mm, found[-1].pose.y_mm) if found else None
        if kind == REEF and last is not None:
            start = last
            grid = [p for p in grid if 60 <= distance(p, start) <= 80]
        free = [p for p in grid if all(distance(p, q) >= 60 for q in taken)]
        land = [p for p in free if all(distance(p, q) >= 100 for q in taken[: len(islands)])]
        if land:
            x, y = max(land, key=lambda p: (min(distance(p, q) for q in taken), p))
            taken.append((x, y))
            found.append(Terrain(FIRST_TERRAIN_TAG + number, kind, Pose(x, y, 0.0)))
    return tuple(found)


def _with_fleet(state: State, fleet: ReadyFleet) -> State:
    """Return the state after the captain on turn has bought a ready fleet (CSG-37, CSG-42)."""
    home = home_of(state, state.turn).tag
    for name, crew in fleet.ships:
        card = state.deck.ship[name]
        state = paid(with_new_ship(state, card, home), state.turn, -card.cost)
        for member in crew:
            state = with_new_crew(state, card.tag, member).state
    return state


def free_fleets(state: State) -> list[ReadyFleet]:
    """Return the ready fleets nobody has picked."""
    taken = {ship.card for ship in state.ships}
    gold = state.options.build_points
    fleets = [f for f in state.deck.fleets if not taken & {name for name, _ in f.ships}]
    return [f for f in fleets if state.deck.fleet_cost(f) <= gold]


class PickFleets(Choice[State, PickFleet]):
    """Captains pick a ready fleet, in order of their seats (CSG-37)."""

    name, rule, takes = "pick_fleet", "CSG-37", (PickFleet,)

    def pending(self, state: State) -> Decision:
        """Ask the next captain."""
        text = f"{who(state, state.turn)}: choose a ready fleet"
        return Decision(state.player, self.name, text, told=True)

    def asked(self, state: State) -> PlayerId:
        """Return the next captain."""
        return state.player

    def actions(self, state: State) -> tuple[PickFleet, ...]:
        """Return those that are left."""
        return tuple(sorted(PickFleet(state.player, f.id) for f in free_fleets(state)))

    def refuse(self, state: State, action: PickFleet) -> Ruling | None:
        """Refuse fleets that are taken."""
        if action.fleet in [f.id for f in free_fleets(state)]:
            return None
        return no(self.rule, f"There is no ready fleet {action.fleet!r} that is still free.")

    def play(self, state: State, action: PickFleet) -> Step[State]:
        """Buy it."""
        fleet = state.deck.fleet[action.fleet]
        state = _with_fleet(state, fleet)
        text = f"{who(state, state.turn)} sails with {fleet.title}"
        return Step(_next_fleet(state), (Happening(text, self.rule),))


def _next_fleet(state: State) -> State:
    """Let the next captain choose a fleet; after the last the sea is laid out."""
    if state.turn + 1 < len(state.seats):
        return state._replace(turn=state.turn + 1)
    return state._replace(turn=0, stage=LayingOut())


class BuyFleets(Choice[State, Deed]):
    """Captains buy ships and crew card by card, in order of their seats (CSG-37, CSG-38)."""

    name, rule, takes = "build", "CSG-37", (BuyShip, Hire, DoneBuying)

    def pending(self, state: State) -> Decision:
        """Ask the next captain."""
        gold = state.seats[state.turn].gold
        text = f"{who(state, state.turn)}: buy ships and crew with {gold} gold, or be done"
        return Decision(state.player, self.name, text, told=True)

    def asked(self, state: State) -> PlayerId:
        """Return the next captain."""
        return state.player

    def actions(self, state: State) -> tuple[Deed, ...]:
        """Return everything that can be paid."""
        home = home_of(state, state.turn).tag
        ships = [BuyShip(state.player, card.id, home) for card in state.deck.ships]
        crew = [
            Hire(state.player, ship.tag, card.id)
            for ship in fleet_of(state, state.turn)
            for card in state.deck.crew
        ]
        found = [*ships, *crew, DoneBuying(state.player)]
        return tuple(sorted(a for a in found if self.refuse(state, a) is None))

    def refuse(self, state: State, action: Deed) -> Ruling | None:
        """Refuse what cannot be bought, and captains without a ship."""
        match action:
            case BuyShip(card=card, island=island):
                return self._refuse_ship(state, card, island)
            case Hire(ship=tag, card=card):
                ship = find_ship(state, tag)
                if ship is None or ship.owner != state.turn:
                    return no("CSG-4", f"{name_of(state, tag)} is not in your fleet.")
                return refuse_crew(state, ship, card)
        home, cards = home_of(state, state.turn).tag, state.deck.ships
        can_buy = any(self._refuse_ship(state, card.id, home) is None for card in cards)
        if can_buy and not any(True for _ in fleet_of(state, state.turn)):
            return no(self.rule, "Buy a ship first: a fleet has at least one.")
        return None

    def _refuse_ship(self, state: State, card: str, island: int) -> Ruling | None:
        home = home_of(state, state.turn)
        if island != home.tag:
            return no("CSG-42", "All ships begin docked at home.")
        refusal = refuse_ship_card(state, state.turn, card)
        if refusal is None and not has_berth(state, state.deck.ship[card], island):
            return no(
                "CSG-42", f"There is no room to dock more ships at {island_name(state, home)}."
            )
        return refusal

    def play(self, state: State, action: Deed) -> Step[State]:
        """Buy it, or let the next captain buy."""
        match action:
            case BuyShip(card=card, island=island):
                printed = state.deck.ship[card]
                state = paid(with_new_ship(state, printed, island), state.turn, -printed.cost)
                text = f"{who(state, state.turn)} buys {printed.title} for {printed.cost} gold"
                coins = ((state.player, -printed.cost),)
                return Step(state, (Happening(text, self.rule, coins),))
            case Hire(ship=tag, card=card):
                return with_new_crew(state, tag, card)
        gold = state.seats[state.turn].gold
        text = f"{who(state, state.turn)}'s fleet is complete, {gold} gold are left"
        return Step(_next_fleet(state), (Happening(text, self.rule),))


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
        return Step(laid._replace(stage=stage), (Happening(text, self.rule),))


def _refuse_islands(state: State) -> Ruling | None:
    width, height = state.options.sea_mm
    lands = [(island_name(state, i), shore(state, i)) for i in state.islands]
    lands += [(f"the {t.kind} {t.tag}", patch(t)) for t in state.terrain]
    poses = [(i.tag, i.pose) for i in state.islands] + [(t.tag, t.pose) for t in state.terrain]
    for tag, pose in poses:
        if not (0 <= pose.x_mm <= width and 0 <= pose.y_mm <= height):
            return no("CSG-39", f"Tag {tag} lies outside the sea of {width} by {height} mm.")
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
        if overlap(outline, shore(state, home)) > tolerance:
            return no("CSG-42", f"{name} lies on {island_name(state, home)}; she may touch it.")
        for other, land in hulls[:k]:
            if is_near(outline, land, 0) and overlap(outline, land) > tolerance:
                return no("CSG-42", f"{name} lies in {ship_name(state, other)}; she may touch her.")
    return None


class RollForOrder(Chance[State, Roll]):
    """Everybody rolls; the highest begins, ties roll again (CSG-43)."""

    name, rule, takes = "roll_order", "CSG-43", (Roll,)

    def pending(self, state: State) -> ChanceRoll:
        """Ask the next who may still begin."""
        seat = self._roller(state)
        return ask_die(seat, self.name, f"{who(state, seat)}: roll for the first turn")

    def odds(self, state: State) -> tuple[tuple[Roll, Fraction], ...]:
        """One die."""
        return D6_ODDS

    def refuse(self, state: State, action: Roll) -> Ruling | None:
        """Refuse other dice."""
        return refuse_die(action, self.rule)

    def play(self, state: State, action: Roll) -> Step[State]:
        """Keep the roll; after the last see who begins."""
        seat = self._roller(state)
        before = stage_of(state, RollingOrder).rolls
        rolls = [*before[:seat], face_of(action), *before[seat + 1 :]]
        if 0 in rolls:
            return Step(state._replace(stage=RollingOrder(tuple(rolls))))
        best = [s for s, rolled in enumerate(rolls) if rolled == max(rolls)]
        if len(best) > 1:
            again = tuple(0 if s in best else NOBODY for s in range(len(rolls)))
            names = " and ".join(who(state, s) for s in best)
            told: Told = (Happening(f"{names} roll again", self.rule),)
            return Step(state._replace(stage=RollingOrder(again)), told)
        first = best[0]
        for ship in state.ships:
            state = with_ship(state, replace(ship, barred=0))
        state = state._replace(first=first, turn=first, round=1)
        return begin_turn(state, (Happening(f"{who(state, first)} begins", self.rule),))

    def _roller(self, state: State) -> int:
        return stage_of(state, RollingOrder).rolls.index(0)
