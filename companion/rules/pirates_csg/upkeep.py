"""The end of a turn: upkeep, and what comes of it where gold is missing (CSG-49, CSG-50)."""

from __future__ import annotations

from dataclasses import replace

from companion.rules.deeds import Deed
from companion.rules.game import Decision, Happening, Ruling, Step
from companion.rules.phases import TurnChoice, no, stage_of
from companion.rules.pirates_csg.actions import EndTurn, Idle, Scuttle
from companion.rules.pirates_csg.doing import Doing
from companion.rules.pirates_csg.fates import is_at_home, opened, sunk
from companion.rules.pirates_csg.raiding import must_leave
from companion.rules.pirates_csg.stages import Defaulting
from companion.rules.pirates_csg.state import (
    IDLE_NEXT,
    NEW,
    Ship,
    State,
    fleet_of,
    paid,
    ship_of,
    with_ship,
)
from companion.rules.pirates_csg.turns import pass_on
from companion.rules.pirates_csg.words import Told, name_of, ship_name, who
from companion.rules.words import listed


class FinishTurn(Doing[EndTurn]):
    """End the turn: upkeep, victory, the next captain (CSG-49, CSG-86, CSG-87)."""

    takes = EndTurn

    def candidates(self, state: State) -> tuple[EndTurn, ...]:
        """Return the one."""
        return (EndTurn(state.player),)

    def refuse(self, state: State, action: EndTurn) -> Ruling | None:
        """Refuse while a raider must leave."""
        ship = must_leave(state)
        if ship is None:
            return None
        where = name_of(state, ship.docked)
        return no("CSG-84", f"{ship_name(state, ship)} must leave {where} this turn.")

    def play(self, state: State, action: EndTurn) -> Step[State]:
        """Pay the upkeep, or name the ships it cannot be paid for."""
        away = [s for s in fleet_of(state, state.turn) if not is_at_home(state, s)]
        gold = state.seats[state.turn].gold
        due = len(away)
        debt = state.options.upkeep_default == "debt"
        pays = due if debt else min(due, max(gold, 0))
        told: Told = ()
        if pays:
            text = f"{who(state, state.turn)} pays {pays} gold for ships away from home"
            told = (Happening(text, "CSG-49", ((state.player, -pays),)),)
        state = paid(state, state.turn, -pays)
        return default(state, due - pays, told)


def unpaid_ships(state: State) -> list[Ship]:
    """Return the ships at sea that may be named for want of upkeep (CSG-50).

    A ship that has just lain idle is not named again, or the poor would never move any more.
    """
    away = [s for s in fleet_of(state, state.turn) if not is_at_home(state, s)]
    if state.options.upkeep_default == "debt":
        return []
    if state.options.upkeep_default == "idle":
        return [s for s in away if s.barred in (0, NEW)]
    return away


def default(state: State, missing: int, told: Told) -> Step[State]:
    """Ask which ships lack their upkeep, unless all do; then hand the turn on (CSG-50)."""
    ships = unpaid_ships(state)
    if 0 < missing < len(ships):
        return Step(state._replace(stage=Defaulting(missing)), told)
    for ship in ships if missing else ():
        state, more = _unpaid(state, ship)
        told = (*told, *more)
    return pass_on(state, told)


def _unpaid(state: State, ship: Ship) -> tuple[State, Told]:
    """Return the state after a ship has gone without her upkeep."""
    if state.options.upkeep_default == "idle":
        name, captain = ship_name(state, ship), who(state, state.turn)
        text = f"{name} stays idle on {captain}'s next turn for want of upkeep"
        return with_ship(state, replace(ship, barred=IDLE_NEXT)), (Happening(text, "CSG-50"),)
    text = f"{ship_name(state, ship)} is scuttled for want of upkeep"
    state = sunk(state, ship)
    return state, (Happening(text, "CSG-50"), *opened(state, ship.blockade))


class NameUnpaid(TurnChoice[State, Deed]):
    """For each gold short a ship at sea is named (CSG-50)."""

    name, rule, takes = "default", "CSG-50", (Idle, Scuttle)

    def pending(self, state: State) -> Decision:
        """Ask the captain on turn."""
        left = stage_of(state, Defaulting).missing
        fate = "stays idle next turn" if state.options.upkeep_default == "idle" else "is scuttled"
        text = (
            f"{who(state, state.turn)}: {left} gold of upkeep is missing; name a ship that {fate}"
        )
        return Decision(state.player, self.name, text, told=True)

    def actions(self, state: State) -> tuple[Deed, ...]:
        """Return every ship at sea that has not been named."""
        kind = Idle if state.options.upkeep_default == "idle" else Scuttle
        return tuple(kind(state.player, ship.tag) for ship in unpaid_ships(state))

    def refuse(self, state: State, action: Deed) -> Ruling | None:
        """Refuse other ships."""
        if action in self.actions(state):
            return None
        names = listed((ship_name(state, s) for s in unpaid_ships(state)), "or")
        return no(self.rule, f"Name one of your ships away from home: {names}.")

    def play(self, state: State, action: Deed) -> Step[State]:
        """Bar her, or scuttle her; go on while gold is missing."""
        assert isinstance(action, Idle | Scuttle)
        state, told = _unpaid(state, ship_of(state, action.ship))
        return default(state, stage_of(state, Defaulting).missing - 1, told)
