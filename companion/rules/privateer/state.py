"""The state of a game: frozen, hashable and canonical.

Discard piles are not kept: what is neither in a pile nor in play is in them. Purses are totals in
silver; which coins they hold means nothing (PRV-6).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from companion.rules.game import PlayerId
from companion.rules.layout import Cell
from companion.rules.privateer.deck import COLOURS, GOAL, Deck
from companion.rules.privateer.effects import HOLD, Job, Jobs
from companion.rules.privateer.options import Options

NOWHERE: Cell = (-1, -1)
"""Where a ship is before its colour is chosen."""
NO_PORT = -1
PLAYERS = tuple(PlayerId(seat) for seat in range(len(COLOURS)))
EMPTY_HOLD = (0,) * 6
EMPTY_SLOTS = ("",) * 6


class Seat(NamedTuple):
    """One captain: card, ship board, purse, cargo, relics, ship."""

    captain: str = ""
    """Id of the captain card; empty before it is kept."""
    colour: str = ""
    ranks: tuple[int, ...] = (0, 0, 0, 0)
    """Steps on each track."""
    silver: int = 0
    """Secret: nobody but this captain is told (PRV-7)."""
    cargo: tuple[int, ...] = EMPTY_HOLD
    """Goods by type."""
    relics: tuple[str, ...] = ()
    """Ids, sorted."""
    cell: Cell = NOWHERE
    last: int = NO_PORT
    """Number of the last port visited (PRV-58)."""


@dataclass(frozen=True, slots=True)
class Stage:
    """The named part of set-up or turn the game is in, with what only matters there."""


@dataclass(frozen=True, slots=True)
class KeepingCaptains(Stage):
    """Each seat in turn keeps a captain."""


@dataclass(frozen=True, slots=True)
class DrawingPortCards(Stage):
    """The first port without a card gets one: all six at first, then after visits."""


@dataclass(frozen=True, slots=True)
class ChoosingColours(Stage):
    """Each seat in turn chooses a colour."""


@dataclass(frozen=True, slots=True)
class RollingFirst(Stage):
    """Each seat that may still go first rolls the white die."""

    rolls: tuple[int, ...]
    """By seat; 0: still to roll; -1: out of it."""


@dataclass(frozen=True, slots=True)
class Outfitting(Stage):
    """Infamy set-up: the captain on turn buys cargo and upgrades in the home port."""


@dataclass(frozen=True, slots=True)
class Sailing(Stage):
    """The captain on turn moves."""

    moves: int
    """As many as Sails, relics and cards allow (PRV-30)."""


@dataclass(frozen=True, slots=True)
class ChoosingFoe(Stage):
    """Several foes are on the square: the captain on turn picks one."""


@dataclass(frozen=True, slots=True)
class Fighting(Stage):
    """A battle: first the captain on turn rolls, then the foe."""

    foe: int
    """Seat or `MERCHANT`."""
    attack: int | None = None
    """What the captain on turn has rolled; ``None`` before that."""


@dataclass(frozen=True, slots=True)
class WonPrize(Stage):
    """The captain on turn has beaten a merchant and may plunder so many goods."""

    spoils: int


@dataclass(frozen=True, slots=True)
class RollingGoods(Stage):
    """The colour die says which goods are plundered."""

    spoils: int


@dataclass(frozen=True, slots=True)
class Plundering(Stage):
    """The winner takes goods from the loser, one after the other."""

    winner: int
    loser: int
    left: int
    """Goods the loser still loses."""
    begun: bool = False
    """One is taken already: the winner can no longer decline."""


@dataclass(frozen=True, slots=True)
class Fleeing(Stage):
    """The colour die says to which port the loser goes."""

    loser: int


@dataclass(frozen=True, slots=True)
class Trading(Stage):
    """The captain on turn is in a port and may buy, sell and upgrade."""

    renew: bool = False
    """The port card is to be replaced after the visit."""


@dataclass(frozen=True, slots=True)
class Asking(Stage):
    """Cards are being carried out, and the first job needs somebody's choice, roll or draw."""

    jobs: Jobs

    @property
    def job(self) -> Job:
        """The job that is asked about."""
        return self.jobs[0]


@dataclass(frozen=True, slots=True)
class DrawingBounty(Asking):
    """The captain on turn draws a bounty card."""


@dataclass(frozen=True, slots=True)
class SettingWind(Asking):
    """The captain chooses the wind."""


@dataclass(frozen=True, slots=True)
class Gaining(Asking):
    """The captain chooses a good from the bank."""


@dataclass(frozen=True, slots=True)
class Discarding(Asking):
    """The captain chooses a good to give back."""


@dataclass(frozen=True, slots=True)
class StealingRelic(Asking):
    """The captain chooses a relic."""


@dataclass(frozen=True, slots=True)
class StealingCargo(Asking):
    """The captain chooses a rival's good."""


@dataclass(frozen=True, slots=True)
class StealingSilver(Asking):
    """The captain chooses a rival's purse."""


@dataclass(frozen=True, slots=True)
class Offering(Asking):
    """The captain may offer a trade."""


@dataclass(frozen=True, slots=True)
class Answering(Asking):
    """A rival accepts or refuses the offer."""

    foe: int
    give: str
    get: str


@dataclass(frozen=True, slots=True)
class ChoosingPort(Asking):
    """The captain chooses the port the ship is moved to."""


@dataclass(frozen=True, slots=True)
class RollingPort(Asking):
    """The colour die says to which port the ship is moved."""


@dataclass(frozen=True, slots=True)
class TestingCrew(Asking):
    """The white die is rolled against the card."""


@dataclass(frozen=True, slots=True)
class Finished(Stage):
    """The game is over."""


class State(NamedTuple):
    """Everything the rules need to go on."""

    names: tuple[str, ...]
    """Players by seat."""
    options: Options
    stage: Stage
    seats: tuple[Seat, ...]
    slots: tuple[str, ...]
    """Port card lying at each port; empty where one is to be drawn."""
    port_pile: tuple[str, ...]
    """Port cards still to be drawn, sorted."""
    bounty_pile: tuple[str, ...]
    """Bounty cards still to be drawn, sorted."""
    bank: tuple[int, ...]
    """Cargo in the bank by type."""
    first: int = 0
    """Seat of the start player."""
    turn: int = 0
    """Seat on turn."""
    round: int = 0
    """One go of every captain; 0 during the set-up."""
    wind: str = "none"
    extra: int | None = 0
    """Moves added to this turn's sailing by cards; ``None``: the ship does not sail."""

    @property
    def deck(self) -> Deck:
        """What is printed."""
        return self.options.deck

    @property
    def player(self) -> PlayerId:
        """The captain on turn."""
        return PLAYERS[self.turn]

    @property
    def seat(self) -> Seat:
        """The seat of the captain on turn."""
        return self.seats[self.turn]

    @property
    def rivals(self) -> list[PlayerId]:
        """Everybody but the captain on turn, in turn order."""
        return rivals_of(self, self.turn)


SEATS = State._fields.index("seats")


def rivals_of(state: State, player: int) -> list[PlayerId]:
    """Return everybody else, in order of their turns after `player`."""
    return [*PLAYERS[player + 1 : len(state.seats)], *PLAYERS[:player]]


def with_seat(state: State, player: int, seat: Seat) -> State:
    """Return the state with one seat changed."""
    seats = state.seats
    changed = (*seats[:player], seat, *seats[player + 1 :])
    # Three times as fast as `_replace`, and done at every other step.
    return State._make((*state[:SEATS], changed, *state[SEATS + 1 :]))


def rank_value(deck: Deck, seat: Seat, track: int) -> int:
    """Return what a rank is worth, relics included (PRV-30, PRV-61); never below 0."""
    value = deck.tracks[track].values[seat.ranks[track]]
    for relic in seat.relics:
        value += deck.bounty_card[relic].bonus[track]
    return max(value, 0)


def hold_space(deck: Deck, seat: Seat) -> int:
    """Return how many more goods fit into the hold; negative if some must go."""
    return rank_value(deck, seat, HOLD) - sum(seat.cargo)


def track_infamy(deck: Deck, track: int, rank: int) -> int:
    """Return the Infamy of a track: 1 a step, 2 more for the last (PRV-55)."""
    return rank + 2 * (rank == deck.lengths[track])


def infamy(deck: Deck, seat: Seat) -> int:
    """Return a captain's Infamy: tracks and relics (PRV-67)."""
    points = sum(seat.ranks)
    for rank, length in zip(seat.ranks, deck.lengths, strict=True):
        if rank == length:
            points += 2
    for relic in seat.relics:
        points += deck.bounty_card[relic].infamy
    return points


def champion(state: State) -> PlayerId | None:
    """Return who has reached 20 Infamy: the captain on turn first, then in turn order (PRV-66)."""
    count = len(state.seats)
    for k in range(count):
        player = (state.turn + k) % count
        if infamy(state.deck, state.seats[player]) >= GOAL:
            return PlayerId(player)
    return None


def relics_held(state: State) -> set[str]:
    """Return the relics in play."""
    return {relic for seat in state.seats for relic in seat.relics}


def drawable_bounty(state: State) -> tuple[str, ...]:
    """Return the bounty cards that can come now; an empty pile is reshuffled (PRV-60)."""
    return state.bounty_pile or _without(state.deck.bounty_ids, relics_held(state))


def drawable_ports(state: State) -> tuple[str, ...]:
    """Return the port cards that can come now; an empty pile is reshuffled (PRV-60)."""
    return state.port_pile or _without(state.deck.port_card_ids, state.slots)


def _without(cards: Iterable[str], gone: Iterable[str]) -> tuple[str, ...]:
    taken = set(gone)
    return tuple(card for card in cards if card not in taken)
