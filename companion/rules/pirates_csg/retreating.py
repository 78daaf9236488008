"""A ship that a settlement has beaten moves away (CSG-67)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.rules.game import Decision, Ruling, Step
from companion.rules.layout import Pose
from companion.rules.phases import TurnChoice, no, stage_of
from companion.rules.pirates_csg.actions import Move
from companion.rules.pirates_csg.arrivals import arrive
from companion.rules.pirates_csg.deck import SHORT
from companion.rules.pirates_csg.manoeuvres import standard_moves
from companion.rules.pirates_csg.measuring import found_moves
from companion.rules.pirates_csg.sailing import path_of, put, refuse_way
from companion.rules.pirates_csg.sea import hull_at, shore, touches
from companion.rules.pirates_csg.stages import OnTurn, Retreating
from companion.rules.pirates_csg.state import (
    DOCKED,
    Ship,
    State,
    card_of,
    find_ship,
    island_of,
    ship_of,
    with_ship,
)
from companion.rules.pirates_csg.words import name_of, ship_name, who
from companion.rules.tuples import less


def ways_off(state: State, ship: Ship) -> list[Move]:
    """Return standard moves of S away from where a ship is docked."""
    moves = standard_moves(state, ship, (SHORT,))
    return [m for m in moves if _refuse_retreat(state, ship, m) is None]


def _refuse_retreat(state: State, ship: Ship, action: Move) -> Ruling | None:
    refusal = refuse_way(state, ship, action, (SHORT,), 180)
    if refusal is not None:
        return refusal
    land = shore(state, island_of(state, ship.docked))
    if touches(state, hull_at(card_of(state, ship), action.pose), land):
        return no("CSG-67", f"{ship_name(state, ship)} must leave the settlement: S away from it.")
    return None


class Retreat(TurnChoice[State, Move]):
    """A ship that a settlement has beaten moves away S, as her captain likes (CSG-67)."""

    name, rule, takes = "retreat", "CSG-67", (Move,)

    def pending(self, state: State) -> Decision:
        """Ask the captain on turn."""
        name = name_of(state, stage_of(state, Retreating).ship)
        text = f"{who(state, state.turn)}: move {name} away from the settlement, up to S"
        return Decision(state.player, self.name, text, measured=True)

    def actions(self, state: State) -> tuple[Move, ...]:
        """Return standard moves."""
        return tuple(sorted(ways_off(state, self._ship(state))))

    def refuse(self, state: State, action: Move) -> Ruling | None:
        """Refuse other ships and what is no way off."""
        ship = self._ship(state)
        if action.ship != ship.tag:
            return no(self.rule, f"{ship_name(state, ship)} must move away first.")
        return _refuse_retreat(state, ship, action)

    def measured(self, state: State, seen: Mapping[int, Pose]) -> tuple[Move, ...]:
        """Return the way off that ends where she is seen."""
        ship = self._ship(state)
        return found_moves(state, ship, seen, (SHORT,), self.refuse)

    def play(self, state: State, action: Move) -> Step[State]:
        """Move her."""
        path = path_of(state, action)
        before = self._ship(state)
        moved = put(state, before, action.pose)._replace(stage=OnTurn())
        if action.tow is not None:
            moved = put(moved, ship_of(moved, before.towing), action.tow)
        step = arrive(moved, action.ship, path, before)
        # She has docked by no action with which an explorer could explore (CSG-5).
        ship = find_ship(step.state, action.ship)
        if ship is None or DOCKED not in ship.done:
            return step
        undone = replace(ship, done=less(ship.done, DOCKED))
        return Step(with_ship(step.state, undone), step.happenings)

    def _ship(self, state: State) -> Ship:
        return ship_of(state, stage_of(state, Retreating).ship)
