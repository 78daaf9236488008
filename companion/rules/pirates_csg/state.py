"""The state of a game: frozen, hashable and canonical."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from companion.rules.game import PlayerId
from companion.rules.layout import Pose
from companion.rules.pirates_csg.deck import COLOURS, NOBODY, RESOURCES, Deck, ShipCard
from companion.rules.pirates_csg.options import Options
from companion.rules.pirates_csg.stages import Stage

PLAYERS = tuple(PlayerId(seat) for seat in range(len(COLOURS)))
NO_TOKENS = (0,) * len(RESOURCES)
MOST_OF_A_KIND = 4
"""Tokens of one type that a ship carries, and that an explorer loads (CSG-35, CSG-51)."""

IDLE, IDLE_NEXT, NEW = 1, 2, 3
"""Why a ship gets no action: for want of upkeep on this turn of her owner's, or on the next
(CSG-50); she was bought or taken and acts from the next turn on (CSG-58)."""
RAIDING, LEAVING = 1, 2
"""A raider at an enemy's home: till her owner's next turn, and on it, when she must go (CSG-84)."""

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
RAM, BOARD = "ram", "board"
"""What she may do once a turn beside it (CSG-21, CSG-23)."""
DOCKED = "docked"
"""She has docked at a wild island: an explorer explores it with the same action (CSG-5)."""


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
    """Why she gets no action: `IDLE`, `IDLE_NEXT` or `NEW`; 0: she does."""
    pinned_by: tuple[int, ...] = ()
    """Tags of the ships that rammed her and whose bows have touched her since, sorted (CSG-22)."""
    towing: int = 0
    """Tag of the derelict she tows."""
    leave: int = 0
    """Of a raider at an enemy's home: `RAIDING` or `LEAVING`; 0: she is none."""
    blockade: int = 0
    """Tag of the port she blockades (CSG-81)."""
    hired: int = 0
    """Privateer: 1: still where she was hired, 2: under way; 0: not hired (CSG-85)."""
    lost_in: int = 0
    """Tag of the fog she is lost in; 0: none."""
    is_mired: bool = False
    """In sargasso: base move S until she is out."""
    privateers: tuple[str, ...] = ()
    """Those of her crew who were hired in a trading port, sorted (CSG-85)."""
    is_prize: bool = False
    """Taken from another captain: she does not make her fleet's nation (CSG-38)."""
    brought: tuple[int, ...] = NO_TOKENS
    """At her home: tokens she came in with that are not unloaded yet, by resource (CSG-36)."""

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


def find_terrain(state: State, tag: int) -> Terrain | None:
    """Return a piece of terrain by tag."""
    return next((t for t in state.terrain if t.tag == tag), None)


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


def added(first: tuple[int, ...], second: tuple[int, ...]) -> tuple[int, ...]:
    """Return the sums of tokens by resource."""
    return tuple(a + b for a, b in zip(first, second, strict=True))


def forts_among(upgrades: Iterable[str]) -> list[str]:
    """Return the ids of the fort cards among tokens of upgrades (CSG-7)."""
    return [u.removeprefix(FORT_PREFIX) for u in upgrades if u.startswith(FORT_PREFIX)]


def price(row: int, resource: int) -> int:
    """Return what a token is worth under a row of the market (CSG-45).

    >>> [price(3, resource) for resource in range(6)]
    [5, 6, 1, 2, 3, 4]
    """
    return (resource + 1 - row) % 6 + 1


def living(state: State) -> list[int]:
    """Return the seats that still play."""
    return [p for p, seat in enumerate(state.seats) if not seat.is_out]
