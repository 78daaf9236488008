"""The way out of the fog: a roll for the exit in place of a move (CSG-27)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.rules.deeds import Roll
from companion.rules.game import ChanceRoll, Happening, Ruling, Step
from companion.rules.phases import no, stage_of
from companion.rules.pirates_csg.actions import LeaveFog
from companion.rules.pirates_csg.dice import RollOneDie, ask_die, face_of
from companion.rules.pirates_csg.doing import Doing, own_ship, own_ships
from companion.rules.pirates_csg.raiding import refuse_action
from companion.rules.pirates_csg.stages import (
    OnTurn,
    RollingExit,
    Setting,
)
from companion.rules.pirates_csg.state import (
    MOVE,
    State,
    find_terrain,
    ship_of,
    with_ship,
)
from companion.rules.pirates_csg.terrain import EXITS, RULE, WAYS, came_out
from companion.rules.pirates_csg.words import ship_name, who


class ComeOut(Doing[LeaveFog]):
    """Roll for the exit, before a move (CSG-27)."""

    takes = LeaveFog

    def candidates(self, state: State) -> Iterator[LeaveFog]:
        """Every ship that is lost."""
        return (LeaveFog(state.player, s.tag) for s in own_ships(state) if s.lost_in)

    def refuse(self, state: State, action: LeaveFog) -> Ruling | None:
        """Refuse ships in clear weather, and ships that have no move."""
        ship = own_ship(state, action.ship, "CSG-27")
        if isinstance(ship, Ruling):
            return ship
        if not ship.lost_in:
            return no("CSG-27", f"{ship_name(state, ship)} is not lost in fog.")
        return refuse_action(state, ship, MOVE)

    def play(self, state: State, action: LeaveFog) -> Step[State]:
        """Roll."""
        return Step(state._replace(stage=RollingExit(action.ship)))


class RollExit(RollOneDie):
    """A ship finds her way out of the fog (CSG-27)."""

    name, rule = "roll_exit", RULE

    def pending(self, state: State) -> ChanceRoll:
        """Ask the captain on turn."""
        ship = ship_of(state, stage_of(state, RollingExit).ship)
        text = (
            f"{who(state, ship.owner)}: roll where {ship_name(state, ship)} leaves the fog: {WAYS}"
        )
        return ask_die(ship.owner, self.name, text)

    def play(self, state: State, action: Roll) -> Step[State]:
        """Have her put at the exit; she may move from there."""
        ship = ship_of(state, stage_of(state, RollingExit).ship)
        fog = find_terrain(state, ship.lost_in)
        assert fog is not None
        face, name = face_of(action), ship_name(state, ship)
        out = came_out(state, ship, fog, face)
        if out == ship:
            text = f"No exit is free: {name} leaves the fog where she sailed into it"
            state = with_ship(state, replace(ship, lost_in=0))._replace(stage=OnTurn())
            return Step(state, (Happening(text, self.rule),))
        by = round(out.pose.heading_deg * EXITS / 360) % EXITS + 1
        text = f"{name} leaves the fog by exit {by}" + (f", {face} is not free" * (by != face))
        state = state._replace(stage=Setting(ship.tag, out.pose))
        return Step(state, (Happening(text, self.rule),))
