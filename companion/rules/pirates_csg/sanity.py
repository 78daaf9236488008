"""What holds in every state that play can reach; states from outside are held against it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from companion.rules.layout import Pose
from companion.rules.pirates_csg.abilities import space
from companion.rules.pirates_csg.deck import FIRST_ISLAND_TAG, FIRST_TERRAIN_TAG, NOBODY, RESOURCES
from companion.rules.pirates_csg.gunnery import FLAGS
from companion.rules.pirates_csg.sanity_stages import SETUP, stage_complaints
from companion.rules.pirates_csg.stages import Finished, RollingMarket
from companion.rules.pirates_csg.state import (
    ACTIONS,
    COLONIES,
    FORT,
    IDLE,
    IDLE_NEXT,
    LEAVING,
    MILITARY,
    MOST_OF_A_KIND,
    NEW,
    RAIDING,
    SETTLEMENT,
    TRADING,
    Island,
    Ship,
    State,
    card_of,
    find_island,
    find_ship,
    forts_among,
)
from companion.rules.pirates_csg.terrain_data import FOG, ICEBERG, REEF, SARGASSO, WHIRLPOOL
from companion.rules.pirates_csg.upgrades import all_upgrades
from companion.rules.writing import Findings, people

DONE = (*ACTIONS, "again", "board", "docked", "extra", "raid", "ram", "spared", "unmark", "worth")
MOST_GOLD = 100_000
OFF_MM = 100.0
"""How far outside the sea a piece may lie."""


def _table(state: State) -> Findings:
    players = len(state.names)
    yield from people(state.names, 2, 6)
    yield len(state.seats) == players, "there is a seat for each player"
    yield 0 <= state.turn < players and 0 <= state.first < players, "turn and first are seats"
    debt = state.options.upkeep_default == "debt"
    least = -MOST_GOLD if debt else 0
    yield all(least <= s.gold <= MOST_GOLD for s in state.seats), "a purse is not negative"
    yield 0 <= state.round <= state.options.rounds, "the round is one that is played"
    yield 0 <= state.row <= len(RESOURCES), "the market has six rows"
    yield 0 <= state.until <= state.round + 20, "a row holds for 20 rounds at most"
    setup = isinstance(state.stage, SETUP)
    yield setup == (state.round == 0), "round 0 is the set-up"
    early = setup or isinstance(state.stage, RollingMarket | Finished)
    yield early or state.row > 0, "the market is rolled before the first turn"
    yield (
        isinstance(state.stage, Finished) or not state.seats[state.turn].is_out,
        "it is nobody's turn",
    )
    yield isinstance(state.stage, Finished) or not state.seats[state.first].is_out, "first is out"


def _lies(state: State, pose: Pose) -> bool:
    width, height = state.options.sea_mm
    inside = -OFF_MM <= pose.x_mm <= width + OFF_MM and -OFF_MM <= pose.y_mm <= height + OFF_MM
    return inside and pose == pose.rounded()


def _islands(state: State) -> Findings:
    players = len(state.names)
    count = players * (1 + state.options.islands)
    tags = [island.tag for island in state.islands]
    yield tags == [*range(FIRST_ISLAND_TAG, FIRST_ISLAND_TAG + count)], "islands bear tags from 100"
    for number, island in enumerate(state.islands):
        home = number if number < players else NOBODY
        yield island.home == home, "the first islands are homes, in order of seats"
        yield _lies(state, island.pose), "an island lies far outside the sea"
        yield len(island.stock) == len(RESOURCES), "there are six resources"
        yield all(0 <= n <= MOST_GOLD for n in island.stock), "a stock is not negative"
        yield _sorted_within(island.coins, range(1, MOST_GOLD)), "coins are sorted values"
        if home != NOBODY:
            plain = Island(island.tag, island.pose, home, stock=island.stock, coins=island.coins)
            yield island == plain, "a home is no wild island"
        yield from _wild(state, island)


def _sorted_within(values: Iterable[int], allowed: range) -> bool:
    listed = list(values)
    return listed == sorted(listed) and all(v in allowed for v in listed)


def _wild(state: State, island: Island) -> Findings:
    seats = range(len(state.names))
    yield -1 <= island.resource < len(RESOURCES), "a resource is one of six"
    different = len(set(island.camps)) == len(island.camps)
    yield different and _sorted_within(island.camps, seats), "encampments are of seats, sorted"
    yield island.building in ("", FORT, SETTLEMENT, *COLONIES), "a building is of a known kind"
    yield bool(island.building) == (island.owner != NOBODY), "a building has an owner"
    yield island.owner in (NOBODY, *seats), "an owner is a seat"
    forts = state.deck.fort
    yield (island.building == FORT) == (island.fort in forts), "a fort has a card"
    yield island.fort == "" or island.fort in forts, "a fort's card is in the deck"
    printed: tuple[int, ...] = ()
    if island.building == FORT:
        printed = tuple(range(len(forts[island.fort].cannons)))
    if island.building == MILITARY:
        printed = FLAGS
    yield {*island.guns} <= {*printed} and _is_set(island.guns), "guns are those of the building"
    yield bool(island.guns) == bool(printed), "a fort or military port has guns"
    yield not island.has_fired or bool(island.guns), "what has fired has guns"
    yield (
        0 <= island.hits < (3 if island.building == SETTLEMENT else 1),
        "settlements stand two hits",
    )
    yield island.hidden in (0, 1), "one treasure lies face down at most"
    owners = [seat for _, seat in island.arriving]
    yield _is_set(island.arriving), "upgrades are sorted"
    yield len(set(owners)) == len(owners), "each captain brings one upgrade"
    known = all_upgrades(state)
    yield all(u in known and s in seats for u, s in island.arriving), "an upgrade is known"


def _is_set(values: tuple[object, ...]) -> bool:
    return list(values) == sorted(set(values))  # type: ignore[type-var]


def _terrain(state: State) -> Findings:
    tags = tuple(t.tag for t in state.terrain)
    yield _is_set(tags), "terrain is sorted by tag"
    yield all(FIRST_TERRAIN_TAG <= tag < 300 for tag in tags), "terrain bears tags from 200"
    yield not tags or state.options.terrain, "this game is without terrain"
    kinds = (REEF, FOG, SARGASSO, ICEBERG, WHIRLPOOL)
    for terrain in state.terrain:
        yield terrain.kind in kinds, "terrain is of a known kind"
        yield _lies(state, terrain.pose), "terrain lies far outside the sea"


def _ships(state: State) -> Findings:
    tags = [ship.tag for ship in state.ships]
    yield tags == sorted(set(tags)), "ships are sorted by tag"
    for ship in state.ships:
        printed = state.deck.ship_of_tag.get(ship.tag)
        yield printed is not None and printed.id == ship.card, "a ship bears the tag of her card"
        yield 0 <= ship.owner < len(state.names), "a ship has an owner"
        yield not state.seats[ship.owner].is_out, "who is out has no ships"
        yield _lies(state, ship.pose), "a ship lies far outside the sea"
        yield from _hold(state, ship)
        yield from _duties(state, ship)


def _hold(state: State, ship: Ship) -> Findings:
    deck, card = state.deck, card_of(state, ship)
    known = set(range(card.masts))
    yield {*ship.masts} <= known and _is_set(ship.masts), "masts are numbers of the card's, sorted"
    yield list(ship.crew) == sorted(ship.crew), "crew is sorted"
    yield all(c in deck.crewman for c in ship.crew), "crew is in the deck"
    yield sum(deck.crewman[c].cost for c in ship.crew) <= card.cost, "a crew costs too much"
    yield list(ship.privateers) == sorted(ship.privateers), "privateers are sorted"
    yield Counter(ship.privateers) <= Counter(ship.crew), "privateers are of the crew"
    yield len(ship.tokens) == len(RESOURCES), "there are six resources"
    yield all(0 <= n <= MOST_OF_A_KIND for n in ship.tokens), "a ship takes 4 tokens of a kind"
    yield _sorted_within(ship.coins, range(1, MOST_GOLD)), "coins are sorted values"
    yield _is_set(ship.treasures), "treasures are sorted"
    yield all(t in deck.treasure for t in ship.treasures), "a treasure is in the deck"
    yield list(ship.upgrades) == sorted(ship.upgrades), "upgrades are sorted"
    yield {*ship.upgrades} <= {*all_upgrades(state)}, "an upgrade is known"
    yield space(state, ship) >= 0, "a ship carries more than she has space for"


def _duties(state: State, ship: Ship) -> Findings:
    yield list(ship.done) == sorted(ship.done), "what was done is sorted"
    yield {*ship.done} <= {*DONE} and len(ship.done) <= 12, "what was done is known"
    yield ship.extra in ("", "any", *ACTIONS), "a second action is a known one"
    yield ship.barred in (0, IDLE, IDLE_NEXT, NEW), "a ship is barred because she is idle or new"
    leaves = ship.leave in (0, RAIDING, LEAVING)
    yield leaves and ship.hired in (0, 1, 2), "leave and hired are 0, 1 or 2"
    island = find_island(state, ship.docked)
    yield ship.docked == 0 or island is not None, "a ship is docked at an island"
    brought = ship.brought
    counted = len(brought) == len(RESOURCES) and all(0 <= n <= MOST_OF_A_KIND for n in brought)
    yield counted, "a ship brings in 4 tokens of a kind at most"
    at_home = island is not None and island.home == ship.owner
    yield at_home or not any(brought), "only a ship at home has brought tokens in"
    foreign = island is not None and island.home not in (NOBODY, ship.owner)
    yield not ship.leave or foreign, "only raiders at an enemy's home must leave"
    blocks = island is not None and island.building == TRADING and island.owner != ship.owner
    yield ship.blockade in ((0, ship.docked) if blocks else (0,)), "a blockader is in the port"
    yield not (ship.blockade and ship.is_derelict), "a derelict blockades nothing"
    fogs = [t.tag for t in state.terrain if t.kind == FOG]
    yield ship.lost_in == 0 or ship.lost_in in fogs, "ships are lost in fog"
    yield not (ship.lost_in and (ship.docked or ship.towing)), "a lost ship is nowhere else"


def _relations(state: State) -> Findings:
    """Hold tows and pins against the ships they speak of."""
    tows = [ship.towing for ship in state.ships if ship.towing]
    yield len(set(tows)) == len(tows), "a derelict has one tow"
    for ship in state.ships:
        towed = find_ship(state, ship.towing)
        yield ship.towing == 0 or towed is not None, "a tow is a ship in play"
        if towed is not None:
            yield towed.is_derelict and not ship.is_derelict, "derelicts are towed, and tow nobody"
        yield _is_set(ship.pinned_by), "pins are sorted"
        yield all(find_ship(state, tag) for tag in ship.pinned_by), "a pin is a ship"


def _unique(state: State) -> Findings:
    """Hold every unique card to be in one place (CSG-32, CSG-33, CSG-7)."""
    deck = state.deck
    places: Counter[str] = Counter(state.gone)
    for ship in state.ships:
        places[ship.card] += 1
        places.update(c for c in ship.crew if not deck.crewman[c].is_generic)
        places.update(ship.treasures)
        places.update(forts_among(ship.upgrades))
    for island in state.islands:
        places.update([island.fort] if island.fort else [])
        places.update(forts_among(kind for kind, _ in island.arriving))
    known = {*deck.ship, *deck.crewman, *deck.fort, *deck.treasure}
    yield list(state.gone) == sorted(state.gone), "cards out of the game are sorted"
    yield {*state.gone} <= known, "a card that is gone is in the deck"
    yield not any(n > 1 for n in places.values()), "a unique card is in two places"
    hidden = sum(island.hidden for island in state.islands)
    unseen = [t for t in deck.treasure if t not in places]
    yield hidden <= len(unseen), "more treasures lie face down than there are"


CHECKS = (_table, _islands, _terrain, _ships, _relations, _unique, stage_complaints)
"""What must hold of a state; later checks rely on the earlier ones."""
