"""The state of a battle: frozen, hashable and canonical."""

from __future__ import annotations

from typing import NamedTuple

from companion.rules.game import PlayerId
from companion.rules.layout import Pose
from companion.rules.outlines import outline_at
from companion.rules.pirate_wars.built.ships import ShipDesign
from companion.rules.pirate_wars.options import Options
from companion.rules.pirate_wars.pieces import (
    AFLOAT,
    HOLDS_OUT,
    ON_THE_TABLE,
    Ship,
    Shoal,
    vanished,
)
from companion.rules.pirate_wars.stages import Attack, Stage
from companion.rules.plane import Outline

PLAYERS = tuple(PlayerId(seat) for seat in range(4))


class Hit(NamedTuple):
    """What takes effect at the end of the phase (PWR-36)."""

    ship: int
    what: str
    """``"ball"``, ``"shot"``, ``"hull"`` or ``"sails"`` cross off rows; ``"figures"``,
    ``"officer"`` kill; ``"cannon"`` wrecks; ``"burst"`` wrecks the gun numbered `amount`,
    ``"near"`` too, because its target was too near (PWR-74); ``"rudder"``."""
    amount: int
    station: str = ""
    borne: bool = False
    """Whom it cost has been taken with the ship since: it costs nobody any more."""


class Due(NamedTuple):
    """Figures a ship still has to lose."""

    ship: int
    figures: int
    stations: tuple[str, ...] = ()
    """Where they stand; empty: anywhere."""
    rule: str = "PWR-88"


class State(NamedTuple):
    """Everything the rules need to go on."""

    names: tuple[str, ...]
    """Players by seat."""
    options: Options
    stage: Stage
    sides: tuple[str, ...] = ()
    """Whom each seat fights for, ``"pirate"`` or ``"imperial"``; grows while ships are chosen."""
    ships: tuple[Ship, ...] = ()
    """In the order they were chosen; a ship's tag is its place, from 1."""
    shoals: tuple[Shoal, ...] = ()
    wind: float | None = None
    """Direction the wind comes from in the board frame, degrees; ``None``: not known yet."""
    round: int = 0
    """Turn of the battle; 0 during the set-up."""
    order: tuple[int, ...] = ()
    """Seats by initiative, highest first."""
    slot: int = 0
    """Place in the order of who is on turn."""
    attacks: tuple[Attack, ...] = ()
    """Declared by the side on turn, in order."""
    hits: tuple[Hit, ...] = ()
    """Take effect at the end of the phase."""
    due: tuple[Due, ...] = ()
    """Losses to be settled, in order."""
    engaged: tuple[tuple[int, int], ...] = ()
    """Pairs of ships lashed together: attacker, defender."""
    rammed: tuple[tuple[int, int], ...] = ()
    """Pairs of ships that hang together after a ramming, to the end of the next movement (PWR-50):
    the lower number first in the turn of the ramming, last in the next one."""
    fought: tuple[int, ...] = ()
    """Ships that have been in a boarding this round, sorted."""
    scuttles: tuple[int, ...] = ()
    """Ships whose captains fire into the powder at the end of the phase, sorted."""

    @property
    def player(self) -> PlayerId:
        """The side on turn."""
        return PLAYERS[self.order[self.slot]]


def design_of(state: State, ship: int) -> ShipDesign:
    """Return what a ship was built as."""
    return state.options.built[state.ships[ship].design]


def with_ship(state: State, number: int, ship: Ship) -> State:
    """Return the state with one ship changed."""
    return state._replace(ships=(*state.ships[:number], ship, *state.ships[number + 1 :]))


def fleet(state: State, player: int) -> list[int]:
    """Return the ships and fortresses of a side that somebody is aboard of, by number."""
    return [
        n
        for n, ship in enumerate(state.ships)
        if ship.player == player and ship.alive and design_of(state, n).kind in HOLDS_OUT
    ]


def afloat(state: State) -> list[int]:
    """Return every ship that is on the table, aground ones too, by number."""
    return [
        n
        for n, ship in enumerate(state.ships)
        if ship.fate in ON_THE_TABLE and (ship.fort < 0 or not ship.is_inside)
    ]


def hull_of(state: State, number: int, pose: Pose | None = None) -> Outline:
    """Return a ship's waterline on the table, where it is or in another pose.

    Whoever is in a fortress is where it stands.
    """
    ship = state.ships[number]
    if pose is None and ship.fort >= 0 and ship.is_inside:
        number, ship = ship.fort, state.ships[ship.fort]
    return outline_at(pose or ship.pose, design_of(state, number).outline_mm)


def mate_of(state: State, number: int) -> int | None:
    """Return the ship that one is lashed to, ``None`` if none."""
    for pair in state.engaged:
        if number in pair:
            return pair[pair[0] == number]
    return None


def is_engaged(state: State, number: int) -> bool:
    """Tell whether a piece is in a boarding, or was in one this round (PWR-58)."""
    return number in state.fought or mate_of(state, number) is not None


def unlashed(state: State, number: int) -> State:
    """Return the state in which a piece is in no boarding any more: whoever fought it is free."""
    return state._replace(engaged=tuple(pair for pair in state.engaged if number not in pair))


def off_the_table(state: State, number: int) -> State:
    """Return the state without a party of which nothing is left (PWR-66)."""
    return unlashed(with_ship(state, number, vanished(state.ships[number])), number)


def tied_to(state: State, number: int) -> int | None:
    """Return the ship that one drifts with, lashed to it or caught in it by a ramming."""
    mate = mate_of(state, number)
    if mate is not None:
        return mate
    for pair in state.rammed:
        if number in pair and all(state.ships[n].fate == AFLOAT for n in pair):
            return pair[pair[0] == number]
    return None


def sides_left(state: State) -> list[int]:
    """Return the seats that still command a ship (PWR-140)."""
    return [seat for seat in range(len(state.names)) if fleet(state, seat)]


def side_of(state: State, number: int) -> str:
    """Return whom a ship fights for now."""
    return state.sides[state.ships[number].player]
