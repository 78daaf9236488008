"""The state of a battle: frozen, hashable and canonical.

Canonical means: two lines of play that leave the same table give equal states. So ships have no
identity beyond what can matter (where, whose, what they may still do this turn), and nothing is
kept of how things came about.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from companion.rules.articles_of_war.ocean import CENTRE, Ocean
from companion.rules.articles_of_war.options import MERCHANT, Options
from companion.rules.game import PlayerId
from companion.rules.hexes import distance
from companion.rules.layout import Cell

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
class AddingThird(Stage):
    """The captain of the fleet on turn gives one of two fleets a third ship (AOW-71)."""


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
class PlacingGrudge(Stage):
    """The fleet on turn has no ship and may come back with a grudge ship (AOW-83)."""


@dataclass(frozen=True, slots=True)
class ChoosingDice(Stage):
    """The fleet on turn chooses its dice."""

    more: int = 0
    """Dice a gambit adds to those for the ships."""


@dataclass(frozen=True, slots=True)
class Rolling(Stage):
    """The chosen dice are rolled."""

    sails: int
    cannons: int


@dataclass(frozen=True, slots=True)
class Spending(Stage):
    """The fleet on turn spends the dice left in `State.sails` and `State.cannons`."""

    fresh: bool = False
    """No die is spent yet and one may be rolled again; told only where a gambit allows it."""


@dataclass(frozen=True, slots=True)
class Rerolling(Stage):
    """One die, taken out of the rolled ones, is rolled again."""

    kind: str


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
    attack_more: int = 0
    """Added to the attacker's rolls by a gambit."""
    defence_more: int = 0


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
class Window(Stage):
    """Fleets may play their gambit at a moment that is not of their choosing, one by one."""

    colours: tuple[str, ...]
    """Fleets still to be asked, the first one now."""
    then: Stage
    """What goes on afterwards."""


@dataclass(frozen=True, slots=True)
class RollingWind(Stage):
    """Before the round the fleet on turn rolls how far the wind carries (AOW-80)."""


@dataclass(frozen=True, slots=True)
class Drifting(Stage):
    """All ships are to be moved downwind."""

    length: int


@dataclass(frozen=True, slots=True)
class Drifted(Stage):
    """Ships that drifted over reefs roll for them, one after the other."""

    due: tuple[Cell, ...]
    """Where the ships lie now, in order of their rolls; a cell comes once for each reef."""


@dataclass(frozen=True, slots=True)
class Storming(Stage):
    """Ships outside the storm's ring are to be taken out of the ocean (AOW-85)."""


@dataclass(frozen=True, slots=True)
class ClearingOcean(Stage):
    """A battle of a campaign is over; the ocean is cleared for the next (AOW-76).

    `State.fleets` are already in the order of the next battle, whose first fleet is on turn.
    """


@dataclass(frozen=True, slots=True)
class Finished(Stage):
    """The last battle is over."""


_WITH_MOVER = (OnReef, Boarding, TakingPrize)


@dataclass(frozen=True, slots=True)
class Memory:
    """What only optional rules must remember."""

    battle: int = 1
    """Number of the battle in its campaign."""
    played: tuple[str, ...] = ()
    """Fleets whose gambit is used, sorted."""
    grudges: tuple[str, ...] = ()
    """Fleets that have come back as a grudge ship or let it be, sorted. A ship of theirs that is
    afloat is one."""
    storm: int | None = None
    """Ring the storm has closed in to; ``None`` before it gathers."""
    more: int = 0
    """Dice that the fleet on turn has taken beyond two a ship (AOW-64, AOW-67)."""
    desperate: bool = False
    """One of them is the third die of a last ship (AOW-67)."""


NOTHING_TO_REMEMBER = Memory()


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
    memory: Memory = NOTHING_TO_REMEMBER

    @property
    def fleet(self) -> Fleet:
        """The fleet on turn."""
        return self.fleets[self.turn]

    @property
    def mover(self) -> Ship | None:
        """The ship under way or boarding, which is not among `ships`."""
        stage = self.stage
        if isinstance(stage, Window):
            stage = stage.then
        return stage.mover if isinstance(stage, _WITH_MOVER) else None

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

    def colours_of(self, player: PlayerId) -> tuple[str, ...]:
        """Return the colours of a player's fleets in turn order; none before they are drawn."""
        return tuple(fleet.colour for fleet in self.fleets if fleet.player == player)

    def is_grudge(self, colour: str) -> bool:
        """Say whether the ships of a colour are grudge ships (AOW-83)."""
        return colour in self.memory.grudges

    def captains_afloat(self) -> set[PlayerId]:
        """Return who has ships; the merchant and grudge ships count for nobody."""
        colours = {ship.colour for ship in self.afloat}
        colours.discard(MERCHANT)
        colours.difference_update(self.memory.grudges)
        return {fleet.player for fleet in self.fleets if fleet.colour in colours}

    @property
    def edge(self) -> int:
        """The ring that is the edge of the ocean: what the storm has left of it."""
        return self.options.radius if self.memory.storm is None else self.memory.storm

    def edge_cells(self) -> tuple[Cell, ...]:
        """Return the empty hexes at the edge, sorted.

        In the wind it is the edge that the storm will have left: it closes in right afterwards
        (AOW-87), and would take what is set down outside.
        """
        taken = {ship.cell for ship in self.afloat}.union(self.ocean.terrain)
        stage = self.stage.then if isinstance(self.stage, Window) else self.stage
        is_closing = isinstance(stage, Drifting | Drifted) and self.memory.storm is not None
        ring = max(self.edge - 1, 0) if is_closing else self.edge
        return tuple(
            sorted(c for c in self.ocean.cells if distance(c, CENTRE) == ring and c not in taken)
        )

    def occupied(self) -> dict[Cell, str]:
        """Return the colour of the ship on each hex that has one at rest."""
        return {ship.cell: ship.colour for ship in self.ships}

    def are_enemies(self, colour: str, other: str) -> bool:
        """Say whether ships of these colours fight; the merchant is everyone's prey.

        In The Duel the two fleets of a captain are allies (AOW-73).
        """
        if colour == other:
            return False
        return not self.options.duel or self.owner(colour) != self.owner(other)


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


Coins = tuple[tuple[PlayerId, int], ...]
"""Doubloons by player, as a happening tells them; nothing for nought."""


def earn(state: State, colour: str, doubloons: int) -> tuple[State, Coins]:
    """Return the state with what the captain of a fleet really gets, and that.

    A grudge ship earns nothing (AOW-83) and a bank with a limit runs dry (AOW-63).
    """
    player = state.owner(colour)
    if player is None or state.is_grudge(colour):
        return state, ()
    if state.options.bank is not None:
        doubloons = min(doubloons, state.options.bank - sum(state.gold))
    return (pay(state, player, doubloons), ((player, doubloons),)) if doubloons else (state, ())


def lose(state: State, colour: str) -> State:
    """Return the state with one more loss written down for the owner of a colour."""
    player = state.owner(colour)
    if player is None or colour == MERCHANT:
        return state
    lost = list(state.lost)
    lost[player] += 1
    return replace(state, lost=tuple(lost))


def remember(state: State, **changes: Any) -> State:
    """Return the state with other fields of its memory."""
    return replace(state, memory=replace(state.memory, **changes))
