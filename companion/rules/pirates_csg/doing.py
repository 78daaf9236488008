"""What a captain can do in a turn: each kind of action answers for itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import ClassVar, Generic, TypeVar

from companion.rules.deeds import Deed
from companion.rules.game import Ruling, Step
from companion.rules.phases import no
from companion.rules.pirates_csg.abilities import may_act
from companion.rules.pirates_csg.fates import is_blockaded
from companion.rules.pirates_csg.gunnery import may_still
from companion.rules.pirates_csg.state import (
    NEW,
    Island,
    Ship,
    State,
    find_ship,
    fleet_of,
    island_of,
    ship_of,
)
from companion.rules.pirates_csg.words import island_name, refuse_tag, ship_name, who
from companion.rules.words import listed

D = TypeVar("D", bound=Deed)


class Doing(ABC, Generic[D]):
    """One kind of action in the turn of a captain."""

    takes: ClassVar[type[Deed]]

    @abstractmethod
    def candidates(self, state: State) -> Iterable[D]:
        """Yield what may be worth asking `refuse` about; everything that is legal."""

    @abstractmethod
    def refuse(self, state: State, action: D) -> Ruling | None:
        """Return why an action of this kind is illegal, if it is."""

    @abstractmethod
    def play(self, state: State, action: D) -> Step[State]:
        """Carry out a legal action; a stage that is not changed goes on being the turn."""

    def actions(self, state: State) -> list[D]:
        """Return the legal ones."""
        return [a for a in self.candidates(state) if self.refuse(state, a) is None]


def own_ships(state: State) -> list[Ship]:
    """Return the ships of the captain on turn."""
    return list(fleet_of(state, state.turn))


def own_ship(state: State, tag: int, rule: str) -> Ship | Ruling:
    """Return a ship of the captain on turn, or the refusal of any other."""
    ship = find_ship(state, tag)
    if ship is None:
        return refuse_tag(state, tag, "ship", rule)
    if ship.owner != state.turn:
        owner = who(state, ship.owner)
        return no(rule, f"{ship_name(state, ship)} is {owner}'s; give orders to your own ships.")
    return ship


def docked_at(state: State, tag: int, rule: str) -> tuple[Ship, Island] | Ruling:
    """Return a ship of the captain on turn and the island she is docked at, or the refusal."""
    ship = own_ship(state, tag, rule)
    if isinstance(ship, Ruling):
        return ship
    if not ship.docked:
        return no(rule, f"{ship_name(state, ship)} is at sea; she must be docked for that.")
    return ship, island_of(state, ship.docked)


def berth_of(state: State, tag: int) -> tuple[Ship, Island]:
    """Return a ship that is known to be docked, and the island she is docked at."""
    ship = ship_of(state, tag)
    return ship, island_of(state, ship.docked)


def refuse_action(state: State, ship: Ship, what: str) -> Ruling | None:
    """Refuse an action to a ship that has none left (CSG-9)."""
    refusal = refuse_barred(state, ship)
    if refusal is not None or may_act(state, ship, what):
        return refusal
    left = may_still(state, ship)
    more = f"; she may still {listed(left, 'or')}" if left else ""
    return no("CSG-9", f"{ship_name(state, ship)} has had her action this turn{more}.")


def refuse_barred(state: State, ship: Ship) -> Ruling | None:
    """Refuse a ship that gets no action this turn, new or idle (CSG-50, CSG-58)."""
    name = ship_name(state, ship)
    if ship.barred == NEW:
        return no("CSG-58", f"{name} is new: she acts from your next turn on.")
    if ship.barred:
        return no("CSG-50", f"{name} gets no action this turn: her upkeep was not paid.")
    return None


def refuse_blockaded(state: State, island: Island) -> Ruling | None:
    """Refuse the owner the use of a port that is closed (CSG-81)."""
    if not is_blockaded(state, island):
        return None
    return no("CSG-81", f"{island_name(state, island)} is blockaded: its owner has no use of it.")
