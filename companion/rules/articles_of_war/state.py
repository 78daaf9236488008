"""The state of a battle: frozen, hashable and canonical.

Canonical means: two lines of play that leave the same table give equal states. So ships have no
identity beyond what can matter (where, whose, what they may still do this turn), and nothing is
kept of how things came about.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from companion.rules.articles_of_war.options import MERCHANT, Options
from companion.rules.game import PlayerId
from companion.rules.hexes import hexagon, ray
from companion.rules.layout import Cell

VOLCANO, DESERT, REEF = TILES = ("volcano", "desert", "reef")

# What a ship of the fleet on turn has done, as far as it matters for the rest of the turn.
# 0 to 5: it has sailed once, in this direction. All ships of other fleets are FRESH.
FRESH = -1
FIRED = 6
"""Has fired and must still sail."""
DONE = 7
"""Has had its two dice."""
TAKEN = 8
"""Was pressed into service this turn and gets no dice before the next (AOW-31)."""


class Ship(NamedTuple):
    """A ship in the ocean."""

    cell: Cell
    colour: str
    duty: int = FRESH


@dataclass(frozen=True, slots=True)
class Fleet:
    """A colour that takes turns: its owner and the number on its commodore card."""

    player: PlayerId
    colour: str
    number: int


class Course(NamedTuple):
    """What sea and land make of a straight line, ships left aside."""

    open: tuple[Cell, ...]
    """Cells a ship can enter, in order."""
    end: str | None
    """What ends it early: ``"edge"``, ``"volcano"``, ``"desert"``; ``None`` if nothing does."""
    reefs: bool
    """A reef lies on one of the open cells."""


@dataclass(frozen=True)
class Ocean:
    """The sea and its terrain tiles, sorted by cell. Looks courses up once and keeps them."""

    radius: int
    tiles: tuple[tuple[Cell, str], ...] = ()

    @cached_property
    def cells(self) -> frozenset[Cell]:
        """Every hex of the ocean."""
        return hexagon(self.radius)

    @cached_property
    def terrain(self) -> Mapping[Cell, str]:
        """Tile by hex."""
        return dict(self.tiles)

    @cached_property
    def _courses(self) -> dict[tuple[Cell, int, int], Course]:
        return {}

    @cached_property
    def _targets(self) -> dict[tuple[Cell, int, int], Cell | None]:
        return {}

    def course(self, cell: Cell, direction: int, length: int) -> Course:
        """Return how far sea goes on from `cell` (excluded) in a direction."""
        key = cell, direction, length
        found = self._courses.get(key)
        if found is None:
            found = self._courses[key] = self._survey(cell, direction, length)
        return found

    def _survey(self, cell: Cell, direction: int, length: int) -> Course:
        passed: list[Cell] = []
        end = None
        for entered in ray(cell, direction, length):
            tile = self.terrain.get(entered)
            if entered not in self.cells:
                end = "edge"
            elif tile in (VOLCANO, DESERT):
                end = tile
            if end:
                break
            passed.append(entered)
        return Course(tuple(passed), end, any(self.terrain.get(c) == REEF for c in passed))

    def target(self, cell: Cell, direction: int, distance: int) -> Cell | None:
        """Return the hex a shot comes down on; ``None`` off the map or behind a volcano."""
        key = cell, direction, distance
        if key not in self._targets:
            line = tuple(ray(cell, direction, distance))
            blocked = any(self.terrain.get(c) == VOLCANO for c in line[:-1])
            off = line[-1] not in self.cells
            self._targets[key] = None if blocked or off else line[-1]
        return self._targets[key]

    def with_tile(self, cell: Cell, tile: str) -> Ocean:
        """Return the ocean with one more tile."""
        return Ocean(self.radius, tuple(sorted((*self.tiles, (cell, tile)))))


@dataclass(frozen=True, slots=True)
class Stage:
    """The named part of set-up or turn the battle is in, with what only matters there."""


@dataclass(frozen=True, slots=True)
class DrawingCommodores(Stage):
    """Each seat in turn draws a commodore card; `State.fleets` grows in seat order."""


@dataclass(frozen=True, slots=True)
class PlacingFleets(Stage):
    """The fleet on turn places its first two ships."""


@dataclass(frozen=True, slots=True)
class BuyingThird(Stage):
    """The fleet on turn may buy its third ship."""


@dataclass(frozen=True, slots=True)
class ChoosingDensity(Stage):
    """The last fleet chooses how many tiles of each kind go into the barrel."""


@dataclass(frozen=True, slots=True)
class DrawingTile(Stage):
    """The fleet on turn draws a tile."""

    barrel: tuple[int, ...]
    """Tiles left of each kind, in order of `TILES`."""


@dataclass(frozen=True, slots=True)
class PlacingTile(Stage):
    """The fleet on turn places the tile it drew."""

    barrel: tuple[int, ...]
    tile: str


@dataclass(frozen=True, slots=True)
class ChoosingDice(Stage):
    """The fleet on turn chooses its dice."""


@dataclass(frozen=True, slots=True)
class Rolling(Stage):
    """The chosen dice are rolled."""

    sails: int
    cannons: int


@dataclass(frozen=True, slots=True)
class Spending(Stage):
    """The fleet on turn spends the dice left in `State.sails` and `State.cannons`."""


@dataclass(frozen=True, slots=True)
class OnReef(Stage):
    """A ship has entered a reef and waits there for its roll."""

    mover: Ship
    """Not among `State.ships` while under way."""
    direction: int
    left: int
    """Hexes still to sail after this one."""


@dataclass(frozen=True, slots=True)
class Boarding(Stage):
    """A boarder lies in an enemy's hex; both sides roll, the attacker first."""

    mover: Ship
    """The boarder; not among `State.ships` until it is decided."""
    enemy: str
    """Colour of the ship it boards."""
    attack: int | None = None
    """What the attacker rolled; ``None`` before that."""


@dataclass(frozen=True, slots=True)
class TakingPrize(Stage):
    """The winner of a boarding scuttles the loser or presses it into service."""

    mover: Ship
    enemy: str
    boarder_won: bool

    @property
    def winner(self) -> str:
        """Colour that won."""
        return self.mover.colour if self.boarder_won else self.enemy

    @property
    def loser(self) -> str:
        """Colour that lost."""
        return self.enemy if self.boarder_won else self.mover.colour


@dataclass(frozen=True, slots=True)
class Finished(Stage):
    """The battle is over."""


@dataclass(frozen=True, slots=True)
class State:
    """Everything the rules need to go on."""

    names: tuple[str, ...]
    """Players by seat."""
    options: Options
    stage: Stage
    fleets: tuple[Fleet, ...]
    """In turn order; in seat order while commodores are drawn."""
    gold: tuple[int, ...]
    """Doubloons by seat."""
    lost: tuple[int, ...]
    """Ships lost by seat."""
    ocean: Ocean
    ships: tuple[Ship, ...] = ()
    """Sorted; without the mover of the stage."""
    turn: int = 0
    """Index in `fleets`."""
    round: int = 0
    """One go of every captain; 0 during the set-up."""
    sails: tuple[int, ...] = ()
    """Rolled sail dice waiting to be spent, sorted."""
    cannons: tuple[int, ...] = ()

    @property
    def fleet(self) -> Fleet:
        """The fleet on turn."""
        return self.fleets[self.turn]

    @property
    def mover(self) -> Ship | None:
        """The ship under way or boarding, which is not among `ships`."""
        stage = self.stage
        return stage.mover if isinstance(stage, OnReef | Boarding | TakingPrize) else None

    @property
    def afloat(self) -> tuple[Ship, ...]:
        """Every ship in the ocean."""
        mover = self.mover
        return (*self.ships, mover) if mover else self.ships

    def count(self, colour: str) -> int:
        """Return how many ships of a colour are in the ocean."""
        return sum(ship.colour == colour for ship in self.afloat)

    def owner(self, colour: str) -> PlayerId | None:
        """Return whose fleet a colour is; ``None`` for the merchant."""
        for fleet in self.fleets:
            if fleet.colour == colour:
                return fleet.player
        return None

    def colour_of(self, player: PlayerId) -> str:
        """Return the colour of a player's fleet, or ``""`` before it is drawn."""
        for fleet in self.fleets:
            if fleet.player == player:
                return fleet.colour
        return ""

    def occupied(self) -> dict[Cell, str]:
        """Return the colour of the ship on each hex that has one at rest."""
        return {ship.cell: ship.colour for ship in self.ships}

    def are_enemies(self, colour: str, other: str) -> bool:
        """Say whether ships of these colours fight; the merchant is everyone's prey."""
        return colour != other


def without(ships: tuple[Ship, ...], cell: Cell, colour: str) -> tuple[Ship, ...]:
    """Return the ships less the one of a colour on a cell."""
    return tuple(s for s in ships if s.cell != cell or s.colour != colour)


def with_ship(ships: tuple[Ship, ...], ship: Ship) -> tuple[Ship, ...]:
    """Return the ships and one more, sorted."""
    return tuple(sorted((*ships, ship)))


def pay(state: State, player: PlayerId, doubloons: int) -> State:
    """Return the state with doubloons given to a player (or, negative, taken)."""
    gold = list(state.gold)
    gold[player] += doubloons
    return replace(state, gold=tuple(gold))


def lose(state: State, colour: str) -> State:
    """Return the state with one more loss written down for the owner of a colour."""
    player = state.owner(colour)
    if player is None or colour == MERCHANT:
        return state
    lost = list(state.lost)
    lost[player] += 1
    return replace(state, lost=tuple(lost))
