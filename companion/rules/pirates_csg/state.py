"""The state of a game: frozen, hashable and canonical."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from companion.rules.game import PlayerId
from companion.rules.layout import Pose
from companion.rules.pirates_csg.deck import COLOURS, RESOURCES, Deck, ShipCard
from companion.rules.pirates_csg.options import Options

NOBODY = -1
PLAYERS = tuple(PlayerId(seat) for seat in range(len(COLOURS)))
NO_TOKENS = (0,) * len(RESOURCES)
MOST_OF_A_KIND = 4
"""Tokens of one type that a ship carries, and that an explorer loads (CSG-35, CSG-51)."""

FORT, SETTLEMENT, TRADING, MILITARY = "fort", "settlement", "trading", "military"
COLONIES = (TRADING, MILITARY)
UPGRADES = (SETTLEMENT, TRADING, MILITARY)
"""Upgrades with a fixed price; forts are cards."""
UPGRADE_GOLD = 10
"""Price of a settlement, and of a colony on top of it (CSG-63, CSG-64)."""
FORT_PREFIX = "fort:"
"""Begins the token of a fort: ``"fort:castillo"``."""

MOVE, SHOOT, EXPLORE, REPAIR = "move", "shoot", "explore", "repair"
ACTIONS = (MOVE, SHOOT, EXPLORE, REPAIR)
"""What uses up a ship's action (CSG-9)."""


@dataclass(frozen=True, slots=True)
class Ship:
    """A ship in play."""

    tag: int
    card: str
    owner: int
    pose: Pose
    masts: tuple[int, ...]
    """Numbers of the masts that stand, from 0 at the bow; none: a derelict (CSG-19)."""
    crew: tuple[str, ...] = ()
    """Ids of crew cards, sorted."""
    tokens: tuple[int, ...] = NO_TOKENS
    """By resource."""
    coins: tuple[int, ...] = ()
    """Values, sorted."""
    treasures: tuple[str, ...] = ()
    """Unique ones, sorted."""
    upgrades: tuple[str, ...] = ()
    """Tokens of island upgrades aboard, sorted (CSG-60)."""
    docked: int = 0
    """Tag of the island; 0: at sea."""
    done: tuple[str, ...] = ()
    """What she has done this turn, sorted: actions, and free ones that are allowed once."""
    extra: str = ""
    """A second action she may do this turn: one of `ACTIONS`, or ``"any"``."""
    barred: int = 0
    """Gets no action: 1: until her owner's next turn, 2: all through that turn, too."""
    pinned_by: int = 0
    """Tag of the ship that rammed her (CSG-22)."""
    towing: int = 0
    """Tag of the derelict she tows."""
    leave: int = 0
    """Raider at an enemy's home: 1: must leave on her next turn, 2: on this one (CSG-84)."""
    blockade: int = 0
    """Tag of the port she blockades (CSG-81)."""
    hired: int = 0
    """Privateer: 1: still where she was hired, 2: under way; 0: not hired (CSG-85)."""
    lost_in: int = 0
    """Tag of the fog she is lost in; 0: none."""
    is_mired: bool = False
    """In sargasso: base move S until she is out."""

    @property
    def is_derelict(self) -> bool:
        """She has no masts left (CSG-19)."""
        return not self.masts


@dataclass(frozen=True, slots=True)
class Island:
    """An island: somebody's home, or a wild one."""

    tag: int
    pose: Pose
    home: int = NOBODY
    """Whose home island it is."""
    resource: int = NOBODY
    """What it produces, as an index of `RESOURCES`; -1: not known yet."""
    camps: tuple[int, ...] = ()
    """Seats that have an encampment here, sorted: who has explored it (CSG-53)."""
    building: str = ""
    """``"fort"``, ``"settlement"``, ``"trading"``, ``"military"`` or nothing."""
    owner: int = NOBODY
    """Whose building it is."""
    fort: str = ""
    """Id of the fort card."""
    guns: tuple[int, ...] = ()
    """Numbers of the cannons or flags that are left of a fort or military port."""
    hits: int = 0
    """Hits on the settlement so far (CSG-65)."""
    arriving: tuple[tuple[str, int], ...] = ()
    """Upgrades unloaded here, and for whom; built at the beginning of their next turn (CSG-60)."""
    stock: tuple[int, ...] = NO_TOKENS
    """Tokens that lie here: stored at a home or a fort, paid as fees at a port."""
    coins: tuple[int, ...] = ()
    """Gold that lies here, by value, sorted."""
    hidden: int = 0
    """Unique treasures that lie here face down."""
    has_fired: bool = False
    """A fort or military port has shot this turn."""


@dataclass(frozen=True, slots=True)
class Terrain:
    """A piece of terrain (CSG-27)."""

    tag: int
    kind: str
    pose: Pose


@dataclass(frozen=True, slots=True)
class Seat:
    """One captain's purse and whether they still play."""

    gold: int = 0
    """At home; negative only where upkeep may be owed."""
    is_out: bool = False
    """Has surrendered or lost all ships."""


@dataclass(frozen=True, slots=True)
class Stage:
    """The named part of set-up or turn the game is in, with what only matters there."""


@dataclass(frozen=True, slots=True)
class PickingFleets(Stage):
    """Each seat in turn picks a ready fleet."""


@dataclass(frozen=True, slots=True)
class Building(Stage):
    """Each seat in turn buys ships and crew."""


@dataclass(frozen=True, slots=True)
class LayingOut(Stage):
    """Islands are laid out and ships docked at home."""


@dataclass(frozen=True, slots=True)
class RollingOrder(Stage):
    """Each seat that may still go first rolls a die (CSG-43)."""

    rolls: tuple[int, ...]
    """By seat; 0: still to roll; -1: out of it."""


@dataclass(frozen=True, slots=True)
class RollingMarket(Stage):
    """The dice of the market are rolled (CSG-44)."""


@dataclass(frozen=True, slots=True)
class OnTurn(Stage):
    """The captain on turn gives ships their actions."""


@dataclass(frozen=True, slots=True)
class Berthing(Stage):
    """A ship that was bought is put where she docks."""

    ship: int


@dataclass(frozen=True, slots=True)
class Firing(Stage):
    """A ship or fort is shooting and has cannons left."""

    ship: int
    """Tag of the ship, or of the fort's island."""
    left: tuple[int, ...]
    """Numbers of the cannons that may still fire, sorted; a gunboat's stand there twice."""


@dataclass(frozen=True, slots=True)
class RollingShot(Stage):
    """A cannon has been aimed."""

    ship: int
    cannon: int
    target: int
    left: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FiringAgain(Stage):
    """A shot has missed and a cannoneer may fire it again."""

    ship: int
    cannon: int
    target: int
    left: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LosingMast(Stage):
    """A ship's captain chooses which mast goes (CSG-16)."""

    ship: int
    then: Stage
    count: int = 1
    """Masts that are still to be lost."""


@dataclass(frozen=True, slots=True)
class RollingRam(Stage):
    """A ship has rammed another (CSG-21)."""

    ship: int
    target: int


@dataclass(frozen=True, slots=True)
class RollingBoard(Stage):
    """A boarding: first the attacker rolls, then the defender (CSG-23)."""

    ship: int
    target: int
    attack: int = 0
    """What the attacker has rolled; 0 before that."""


@dataclass(frozen=True, slots=True)
class Looting(Stage):
    """The winner of a boarding takes gold or crew, and tokens (CSG-80)."""

    winner: int
    loser: int
    prize: bool
    """A treasure or a crew may still be taken."""
    tokens: int
    """Tokens that may still be taken."""


@dataclass(frozen=True, slots=True)
class Retreating(Stage):
    """A ship that lost against a settlement moves away S (CSG-67)."""

    ship: int


@dataclass(frozen=True, slots=True)
class RollingResource(Stage):
    """An island is explored for the first time (CSG-51)."""

    ship: int
    is_second: bool = False
    """The first roll has been taken back."""


@dataclass(frozen=True, slots=True)
class KeepingResource(Stage):
    """An explorer may roll again (CSG-78)."""

    ship: int
    resource: int


@dataclass(frozen=True, slots=True)
class DrawingTreasure(Stage):
    """A treasure that lay face down is turned over."""

    ship: int


@dataclass(frozen=True, slots=True)
class Loading(Stage):
    """A ship that explored an island or a derelict loads what she likes."""

    ship: int
    source: int
    """Tag of the island or the derelict."""
    yield_left: int
    """Tokens that the island still yields."""


@dataclass(frozen=True, slots=True)
class RollingExtra(Stage):
    """A ship rolls for a second action."""

    ship: int


@dataclass(frozen=True, slots=True)
class Defaulting(Stage):
    """Upkeep cannot be paid: ships are named (CSG-50)."""

    missing: int
    """Gold that is still missing."""


@dataclass(frozen=True, slots=True)
class RollingTerrain(Stage):
    """A ship has met terrain that rolls a die."""

    ship: int
    terrain: int


@dataclass(frozen=True, slots=True)
class RollingExit(Stage):
    """A ship leaves the fog by one of six exits."""

    ship: int


@dataclass(frozen=True, slots=True)
class RollingDrift(Stage):
    """Icebergs drift at the end of a round, one after the other."""

    left: tuple[int, ...]
    """Tags of those that still drift."""


@dataclass(frozen=True, slots=True)
class Finished(Stage):
    """The game is over."""

    rule: str
    """The victory condition that ended it."""
    winner: int = NOBODY
    """Who won by it; -1: gold decides."""


class State(NamedTuple):
    """Everything the rules need to go on."""

    names: tuple[str, ...]
    options: Options
    stage: Stage
    seats: tuple[Seat, ...]
    ships: tuple[Ship, ...]
    """Sorted by tag."""
    islands: tuple[Island, ...]
    """Sorted by tag; the homes come first, in order of seats."""
    terrain: tuple[Terrain, ...] = ()
    gone: tuple[str, ...] = ()
    """Ids of unique cards that were in play and are not any more, sorted (CSG-32, CSG-33)."""
    first: int = 0
    """Seat that opens the round (CSG-43, CSG-47)."""
    turn: int = 0
    """Seat on turn."""
    round: int = 0
    """0 during the set-up."""
    row: int = 0
    """Row of the market's table, 1 to 6; 0: not rolled yet (CSG-45)."""
    until: int = 0
    """Last round for which the row holds (CSG-46)."""

    @property
    def deck(self) -> Deck:
        """What is printed."""
        return self.options.deck

    @property
    def player(self) -> PlayerId:
        """The captain on turn."""
        return PLAYERS[self.turn]


def find_ship(state: State, tag: int) -> Ship | None:
    """Return a ship in play by tag."""
    for ship in state.ships:
        if ship.tag == tag:
            return ship
    return None


def ship_of(state: State, tag: int) -> Ship:
    """Return a ship that is known to be in play."""
    ship = find_ship(state, tag)
    assert ship is not None
    return ship


def find_island(state: State, tag: int) -> Island | None:
    """Return an island by tag."""
    for island in state.islands:
        if island.tag == tag:
            return island
    return None


def island_of(state: State, tag: int) -> Island:
    """Return an island that is known to be there."""
    island = find_island(state, tag)
    assert island is not None
    return island


def home_of(state: State, seat: int) -> Island:
    """Return a captain's home island."""
    return state.islands[seat]


def fleet_of(state: State, seat: int) -> Iterator[Ship]:
    """Yield a captain's ships."""
    return (ship for ship in state.ships if ship.owner == seat)


def with_ship(state: State, ship: Ship) -> State:
    """Return the state with a ship changed or added."""
    others = [s for s in state.ships if s.tag != ship.tag]
    return state._replace(ships=tuple(sorted([*others, ship], key=lambda s: s.tag)))


def with_island(state: State, island: Island) -> State:
    """Return the state with an island changed."""
    changed = tuple(island if i.tag == island.tag else i for i in state.islands)
    return state._replace(islands=changed)


def with_seat(state: State, seat: int, value: Seat) -> State:
    """Return the state with a captain's purse changed."""
    return state._replace(seats=(*state.seats[:seat], value, *state.seats[seat + 1 :]))


def paid(state: State, seat: int, gold: int) -> State:
    """Return the state after a captain has got so much gold; negative: has paid it."""
    purse = state.seats[seat]
    return with_seat(state, seat, replace(purse, gold=purse.gold + gold))


def did(ship: Ship, what: str) -> Ship:
    """Return a ship that has done something this turn."""
    return replace(ship, done=tuple(sorted((*ship.done, what))))


def card_of(state: State, ship: Ship) -> ShipCard:
    """Return the card of a ship."""
    return state.deck.ship[ship.card]


def shifted(tokens: tuple[int, ...], resource: int, count: int) -> tuple[int, ...]:
    """Return tokens with some more (or fewer) of one resource."""
    return (*tokens[:resource], tokens[resource] + count, *tokens[resource + 1 :])


def added(first: tuple[int, ...], second: tuple[int, ...]) -> tuple[int, ...]:
    """Return the sums of tokens by resource."""
    return tuple(a + b for a, b in zip(first, second, strict=True))


def serves(state: State, ship: Ship, crew: str) -> bool:
    """Say whether a crew's abilities work aboard a ship (CSG-4)."""
    card = state.deck.crewman[crew]
    return card.nation == card_of(state, ship).nation or card.has("any_nation")


def has(state: State, ship: Ship, do: str) -> bool:
    """Say whether a ship or somebody who serves aboard has an ability."""
    if card_of(state, ship).has(do):
        return True
    crewmen = state.deck.crewman
    return any(crewmen[c].has(do) and serves(state, ship, c) for c in ship.crew)


def amount(state: State, ship: Ship, do: str) -> int:
    """Return the sum of what a ship's and her crew's abilities of a kind name."""
    crewmen = state.deck.crewman
    crew = sum(crewmen[c].amount(do) for c in ship.crew if serves(state, ship, c))
    return card_of(state, ship).amount(do) + crew


def space(state: State, ship: Ship) -> int:
    """Return the cargo spaces that are free (CSG-4, CSG-35, CSG-60)."""
    crewmen = state.deck.crewman
    crew = sum(not (crewmen[c].has("oarsman") and serves(state, ship, c)) for c in ship.crew)
    things = len(ship.coins) + len(ship.treasures) + len(ship.upgrades)
    return card_of(state, ship).cargo - crew - things - sum(ship.tokens)


def room_for(state: State, ship: Ship, resource: int) -> int:
    """Return how many more tokens of a resource she takes (CSG-35)."""
    return max(0, min(space(state, ship), MOST_OF_A_KIND - ship.tokens[resource]))


def slots_used(state: State, ship: Ship, *more: str) -> int:
    """Return how many actions she has used, or would have with more.

    Some abilities make two of one (CSG-5, CSG-9).
    """
    done = [*ship.done, *more]
    used = sum(what in ACTIONS for what in done)
    if MOVE in done:
        used -= SHOOT in done and has(state, ship, "captain")
        keeps = state.options.explorer_keeps_base
        used -= EXPLORE in done and keeps and has(state, ship, "explorer")
    return used


def may_act(state: State, ship: Ship, what: str) -> bool:
    """Say whether she may still be given an action this turn (CSG-9)."""
    if ship.barred or ship.owner != state.turn:
        return False
    allowed = 1 + (ship.extra in (what, "any"))
    return slots_used(state, ship, what) <= allowed


def price(row: int, resource: int) -> int:
    """Return what a token is worth under a row of the market (CSG-45).

    >>> [price(3, resource) for resource in range(6)]
    [5, 6, 1, 2, 3, 4]
    """
    return (resource + 1 - row) % 6 + 1


def living(state: State) -> list[int]:
    """Return the seats that still play."""
    return [p for p, seat in enumerate(state.seats) if not seat.is_out]
