"""A captain gives up, at whatever time (CSG-89)."""

from __future__ import annotations

from dataclasses import replace

from companion.rules.game import Happening, PlayerId, Ruling, Step
from companion.rules.phases import Aside, no
from companion.rules.pirates_csg.actions import Surrender
from companion.rules.pirates_csg.fates import opened, sunk
from companion.rules.pirates_csg.stages import (
    Finished,
    Firing,
    FiringAgain,
    LosingMast,
    OnTurn,
    RollingDrift,
    RollingShot,
    Setting,
    Stage,
)
from companion.rules.pirates_csg.state import (
    State,
    find_island,
    find_ship,
    find_terrain,
    fleet_of,
    living,
    with_seat,
)
from companion.rules.pirates_csg.turns import next_seat, pass_on
from companion.rules.pirates_csg.upgrades import forfeited
from companion.rules.pirates_csg.words import Told, who


class GiveUp(Aside[State, Surrender]):
    """A captain surrenders; the ships leave the game (CSG-89)."""

    takes = Surrender

    def actions(self, state: State) -> tuple[Surrender, ...]:
        """Return one for each who still plays, in the rounds."""
        if not state.round:
            return ()
        return tuple(Surrender(PlayerId(seat)) for seat in living(state))

    def refuse(self, state: State, action: Surrender) -> Ruling | None:
        """Refuse who does not play any more."""
        if action in self.actions(state):
            return None
        return no("CSG-89", "Only somebody who still plays can surrender, once the rounds began.")

    def play(self, state: State, action: Surrender) -> Step[State]:
        """Remove their ships; the last one left wins."""
        told: Told = (Happening(f"{who(state, action.player)} surrenders", "CSG-89"),)
        for ship in list(fleet_of(state, action.player)):
            state = sunk(state, ship)
            told = (*told, *opened(state, ship.blockade))
        seat = replace(state.seats[action.player], is_out=True)
        state = with_seat(state, action.player, seat)
        state, lost = forfeited(state, action.player)
        told = (*told, *lost)
        left = living(state)
        if len(left) == 1:
            return Step(state._replace(stage=Finished("CSG-89", left[0])), told)
        state = state._replace(stage=_standing(state, state.stage))
        if state.turn == action.player:
            return _given_up(state, told)
        if state.seats[state.first].is_out:
            state = state._replace(first=next_seat(state, state.first))
        return Step(state, told)


def _given_up(state: State, told: Told) -> Step[State]:
    """Hand on the turn of who has surrendered; a mast that a hit has cost is lost all the same."""
    owed = state.stage if isinstance(state.stage, LosingMast) else None
    if isinstance(owed.then if owed else state.stage, RollingDrift | Setting):
        # No turn has begun yet: the next in order rolls for the rest of the icebergs.
        turn = next_seat(state, state.turn)
        return Step(state._replace(first=turn, turn=turn), told)
    step = pass_on(state, told)
    if owed is None or isinstance(step.state.stage, Finished):
        return step
    stage = replace(owed, then=step.state.stage)
    return Step(step.state._replace(stage=stage), step.happenings)


def _standing(state: State, stage: Stage) -> Stage:
    """Return the stage that is left of one when ships have gone out of play."""
    names = ("ship", "target", "winner", "loser", "source", "piece")
    tags = [getattr(stage, name, 0) for name in names]
    finders = (find_ship, find_island, find_terrain)
    if all(any(find(state, tag) for find in finders) for tag in tags if tag):
        return stage
    if isinstance(stage, LosingMast):
        return _standing(state, stage.then)
    if isinstance(stage, RollingShot | FiringAgain) and stage.left:
        return Firing(stage.ship, stage.left)
    return OnTurn()
