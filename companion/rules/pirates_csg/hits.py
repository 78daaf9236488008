"""Masts that are lost: who chooses, and what follows (CSG-16, CSG-19, CSG-20)."""

from __future__ import annotations

from dataclasses import replace

from companion.rules.game import Decision, Happening, PlayerId, Ruling, Step
from companion.rules.phases import Choice, no, stage_of
from companion.rules.pirates_csg.actions import LoseMast
from companion.rules.pirates_csg.fates import opened, sunk
from companion.rules.pirates_csg.stages import LosingMast, Stage
from companion.rules.pirates_csg.state import PLAYERS, Ship, State, card_of, ship_of, with_ship
from companion.rules.pirates_csg.words import Told, masts_text, name_of, ship_name, who
from companion.rules.words import listed


def hit(
    state: State, tag: int, then: Stage, rule: str, told: Told = (), count: int = 1
) -> Step[State]:
    """Return the state after a ship was hit so often, in the stage that follows.

    Her captain chooses the mast where their cannons differ; a derelict sinks.
    """
    ship = ship_of(state, tag)
    if ship.is_derelict:
        text = f"{ship_name(state, ship)} sinks with all aboard"
        return Step(sunk(state, ship)._replace(stage=then), (*told, Happening(text, "CSG-20")))
    if len(kinds_of_masts(state, ship)) > 1:
        return Step(state._replace(stage=LosingMast(tag, then, count)), told)
    step = mast_lost(state._replace(stage=then), ship, ship.masts[-1], rule, told)
    if count == 1:
        return step
    return hit(step.state, tag, then, rule, step.happenings, count - 1)


def kinds_of_masts(state: State, ship: Ship) -> list[int]:
    """Return a mast for each kind of cannon that is left, sorted."""
    cannons = card_of(state, ship).cannons
    kinds = {cannons[mast]: mast for mast in reversed(ship.masts)}
    return sorted(kinds.values())


def mast_lost(state: State, ship: Ship, mast: int, rule: str, told: Told = ()) -> Step[State]:
    """Return the state without one mast of a ship (CSG-18, CSG-19)."""
    left = tuple(m for m in ship.masts if m != mast)
    text = f"{ship_name(state, ship)} loses a mast, {masts_text(len(left))} left"
    told = (*told, Happening(text, rule))
    ship = replace(ship, masts=left)
    if not left:
        told = (*told, Happening(f"{ship_name(state, ship)} is a derelict", "CSG-19"))
        if ship.towing:
            text = f"{name_of(state, ship.towing)} is in tow no more"
            told = (*told, Happening(text, "CSG-25"))
        state = with_ship(state, replace(ship, towing=0, blockade=0))
        return Step(state, (*told, *opened(state, ship.blockade)))
    return Step(with_ship(state, ship), told)


class ChooseMast(Choice[State, LoseMast]):
    """The captain of a ship that was hit chooses which mast goes (CSG-16)."""

    name, rule, takes = "lose_mast", "CSG-16", (LoseMast,)

    def pending(self, state: State) -> Decision:
        """Ask the owner."""
        ship = self._ship(state)
        cannons = card_of(state, ship).cannons
        masts = listed([f"{m + 1} ({cannons[m]})" for m in kinds_of_masts(state, ship)], "or")
        name = ship_name(state, ship)
        text = f"{who(state, ship.owner)}: choose the mast that {name} loses: {masts}"
        return Decision(PLAYERS[ship.owner], self.name, text, told=True)

    def asked(self, state: State) -> PlayerId:
        """Return the owner."""
        return PLAYERS[self._ship(state).owner]

    def actions(self, state: State) -> tuple[LoseMast, ...]:
        """One mast for each kind of cannon."""
        ship = self._ship(state)
        owner = PLAYERS[ship.owner]
        return tuple(LoseMast(owner, ship.tag, m) for m in kinds_of_masts(state, ship))

    def refuse(self, state: State, action: LoseMast) -> Ruling | None:
        """Refuse other ships and masts that are gone; of like ones the first is named."""
        ship = self._ship(state)
        if action.ship == ship.tag and action.mast in kinds_of_masts(state, ship):
            return None
        masts = listed([m + 1 for m in kinds_of_masts(state, ship)], "or")
        return no(self.rule, f"Choose mast {masts} of {ship_name(state, ship)}.")

    def play(self, state: State, action: LoseMast) -> Step[State]:
        """Take the mast away and go on."""
        stage = stage_of(state, LosingMast)
        ship = ship_of(state, action.ship)
        step = mast_lost(state._replace(stage=stage.then), ship, action.mast, self.rule)
        if stage.count == 1:
            return step
        return hit(step.state, ship.tag, stage.then, self.rule, step.happenings, stage.count - 1)

    def _ship(self, state: State) -> Ship:
        return ship_of(state, stage_of(state, LosingMast).ship)
