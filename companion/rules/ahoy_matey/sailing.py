"""Using dice: deploying, running, capturing and taking the treasure (AHM-15 to 38)."""

from __future__ import annotations

from companion.rules.ahoy_matey.actions import Deploy, Done, LieTo, Run, Take, Use
from companion.rules.ahoy_matey.position import Stack
from companion.rules.ahoy_matey.refusals import refuse_done, refuse_take, refuse_use
from companion.rules.ahoy_matey.sea import is_harbour
from companion.rules.ahoy_matey.state import Charting, Finished, State
from companion.rules.ahoy_matey.treasure import changed_hands, take
from companion.rules.ahoy_matey.turns import Happenings, end_turn, go_on, reckon
from companion.rules.ahoy_matey.uses import after, all_home, die_of, end_of
from companion.rules.ahoy_matey.words import (
    at,
    faces,
    fleet_name,
    going_on,
    place,
    places,
    ships_of,
    who,
)
from companion.rules.game import Decision, Happening, Ruling, Step
from companion.rules.layout import Cell
from companion.rules.phases import TurnChoice
from companion.rules.tuples import less


class UseDice(TurnChoice[State, Deploy | LieTo | Run | Take | Done]):
    """Dice are used one at a time in either order; the treasure may be taken in between."""

    name, rule, takes = "sail", "AHM-15", (Deploy, LieTo, Run, Take, Done)

    def pending(self, state: State) -> Decision:
        """Ask the player on turn; once no die can be used, playing on takes no treasure."""
        name = who(state, state.player)
        if state.uses:
            return Decision(state.player, self.name, f"{name}: use {faces(state.dice)}")
        ships = places(state, state.takers, "or")
        text = f"{name}: take the treasure on {ships} or {going_on(state)}"
        return Decision(state.player, self.name, text, Done(state.player))

    def actions(self, state: State) -> tuple[Deploy | LieTo | Run | Take | Done, ...]:
        """Every use, every ship that may take the treasure, and the end of the turn."""
        found = state.uses
        takes = tuple(Take(state.player, ship) for ship in state.takers)
        return (*found, *takes) if found else (*takes, Done(state.player))

    def refuse(self, state: State, action: Deploy | LieTo | Run | Take | Done) -> Ruling | None:
        """See `companion.rules.ahoy_matey.refusals`."""
        if isinstance(action, Take):
            return refuse_take(state, action)
        if isinstance(action, Done):
            return refuse_done(state)
        return refuse_use(state, action)

    def play(self, state: State, action: Deploy | LieTo | Run | Take | Done) -> Step[State]:
        """Use the die, take the treasure or end the turn."""
        if isinstance(action, Take):
            return take(state, action.ship)
        if isinstance(action, Done):
            return end_turn(state)
        return _use(state, action)


def _use(state: State, use: Use) -> Step[State]:
    crew, before = state.crew, state.position
    later = after(crew, before, use)
    state = state.but(position=later, dice=less(state.dice, die_of(use)))
    end = end_of(crew, use)
    if end is None:
        return go_on(state)
    there = before.occupied().get(end)
    took = before.has_treasure(end)
    captured = state.captured
    happenings: Happenings = ()
    if there is not None and there.fleet not in crew.own:
        state, happenings = _captured(state, use, there, took)
    elif took := before.has_cursed(end):
        # Own ships that only join a treasure ship take nothing from it.
        text = f"A ship of {fleet_name(_fleet_on(state, end))} relieves the one"
        happenings = (Happening(f"{text} {at(state, end)}", "AHM-V3"),)
    if isinstance(use, Run) and use.treasure and is_harbour(end):
        text = f"{fleet_name(_fleet_on(state, end))} brings the treasure to {place(state, end)}"
        happenings = (*happenings, Happening(text, "AHM-38"))
    if all_home(crew, later):
        return go_on(state, happenings)
    if state.captured != captured:
        state, happenings = reckon(state, happenings)
        if isinstance(state.stage, Finished):
            return Step(state, happenings)
    return _arrived(state, end, took, happenings)


def _captured(state: State, use: Use, prey: Stack, took: bool) -> tuple[State, Happenings]:
    """Count the ships captured and tell it."""
    captured = list(state.captured)
    captured[state.player] += prey.size
    captor = fleet_name(_fleet_on(state, prey.cell))
    rule = "AHM-20" if isinstance(use, Deploy) else "AHM-23"
    if prey.size > 1:
        rule = "AHM-V5" if state.options.stacks else "AHM-42"
    text = f"{captor} captures {ships_of(prey)} {at(state, prey.cell)}"
    happenings = [Happening(text, rule)]
    if prey.cell in state.position.wrecks:
        happenings.append(Happening(f"A wreck lies on {place(state, prey.cell)}", "AHM-V9"))
    if took:
        happenings.append(Happening(f"{captor} takes the treasure over", "AHM-32"))
    return state.but(captured=tuple(captured)), tuple(happenings)


def _fleet_on(state: State, cell: Cell) -> str:
    return state.position.occupied()[cell].fleet


def _arrived(state: State, end: Cell, took: bool, happenings: Happenings) -> Step[State]:
    """Go on once a ship has landed, after what its square has in store."""
    if took:
        return changed_hands(state, end, True, happenings)
    board = state.options.sea.anchors.get(end)
    if board is not None and not state.position.treasures:
        text = f"{fleet_name(_fleet_on(state, end))} is the first at an island"
        happenings = (*happenings, Happening(text, "AHM-V17"))
        return Step(state.but(stage=Charting(board)), happenings)
    return go_on(state, happenings)
