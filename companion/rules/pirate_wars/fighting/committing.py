"""Who joins a boarding, and how it begins (PWR-59, PWR-60)."""

from __future__ import annotations

from companion.rules.deeds import Deed
from companion.rules.game import Decision, Happening, PlayerId, Ruling, Step
from companion.rules.phases import Choice, no, stage_of
from companion.rules.pirate_wars.actions import Commit, HoldBack
from companion.rules.pirate_wars.crew import Hand, changed, crew_size, group_of, without
from companion.rules.pirate_wars.fighting.close_quarters import (
    deck_guns_fired,
    fires,
    gun_throws,
    melee,
)
from companion.rules.pirate_wars.fighting.losses import groups, those
from companion.rules.pirate_wars.stages import Committing, Fight, Throwing
from companion.rules.pirate_wars.state import State, with_ship
from companion.rules.pirate_wars.words import who
from companion.rules.words import counted, only


class CommitFigures(Choice[State, Deed]):
    """Each side says whom it keeps out of the boarding (PWR-59)."""

    name, rule, takes = "commit", "PWR-59", (HoldBack, Commit)

    def asked(self, state: State) -> PlayerId:
        """Return whose side commits."""
        stage = stage_of(state, Committing)
        return state.ships[stage.fight.ships[stage.side]].player

    def pending(self, state: State) -> Decision:
        """Ask; playing on commits everybody who is not held back."""
        stage, player = stage_of(state, Committing), self.asked(state)
        size = crew_size(stage.fight.crews[stage.side])
        count = counted(size, "figure fights", "figures fight")
        text = f"{who(state, player)}: {count}; hold some back or begin"
        return Decision(player, self.name, text, passing=Commit(player))

    def actions(self, state: State) -> tuple[Deed, ...]:
        """Return going on, and holding back one or all of a group."""
        stage, player = stage_of(state, Committing), self.asked(state)
        ship = stage.fight.ships[stage.side]
        found: list[Deed] = [Commit(player)]
        for figure, station, there in groups(stage.fight.crews[stage.side]):
            for count in sorted({1, there}):
                found.append(HoldBack(player, ship, figure, station, count))
        return tuple(sorted(found))

    def refuse(self, state: State, action: Deed) -> Ruling | None:
        """Refuse figures that are not committed."""
        if isinstance(action, Commit):
            return None
        assert isinstance(action, HoldBack)
        stage = stage_of(state, Committing)
        if action.ship != stage.fight.ships[stage.side]:
            return no(self.rule, "Hold back figures of the ship that commits now.")
        crew = stage.fight.crews[stage.side]
        there = crew_size(group_of(crew, action.figure, action.station))
        if not 1 <= action.count <= there:
            return no(self.rule, f"{only(there, 'them')} committed from there.")
        return None

    def play(self, state: State, action: Deed) -> Step[State]:
        """Hold back, or ask the other side, or begin."""
        stage = stage_of(state, Committing)
        if isinstance(action, HoldBack):
            crew = stage.fight.crews[stage.side]
            kept = those(crew, action.figure, action.station, action.count)
            fight = stage.fight.with_crew(stage.side, without(crew, kept))
            return Step(state._replace(stage=Committing(fight, stage.side)))
        if stage.side == 0:
            return Step(state._replace(stage=Committing(stage.fight, 1)))
        return _begin(state, stage.fight)


def _begin(state: State, fight: Fight) -> Step[State]:
    """Take the committed figures off their stations; muskets and deck guns fire first."""
    for number, crew in zip(fight.ships, fight.crews, strict=True):
        ship = state.ships[number]
        state = with_ship(state, number, ship._replace(crew=without(ship.crew, crew)))
    sizes = [crew_size(crew) for crew in fight.crews]
    told = (Happening(f"{sizes[0]} against {sizes[1]} in the boarding", "PWR-59"),)
    throws = gun_throws(state, fight) if fight.first else ()
    if throws:
        state, fight = _emptied(state, fight)
        return Step(state._replace(stage=Throwing(fight, True, throws)), told)
    return melee(state, fight, told)


def _emptied(state: State, fight: Fight) -> tuple[State, Fight]:
    """Empty the muskets of the committed, and the deck guns that somebody fires."""

    def shot(hand: Hand) -> Hand:
        return hand.emptied("musket") if hand.is_ready("musket") else hand

    before = fight
    for side, number in enumerate(before.ships):
        crew = before.crews[side]
        if fires(before, side):
            fight = fight.with_crew(side, changed(crew, crew, shot))
        ship, fired = state.ships[number], deck_guns_fired(state, before, side)
        guns = (it._replace(load=0) if gun in fired else it for gun, it in enumerate(ship.guns))
        state = with_ship(state, number, ship._replace(guns=tuple(guns)))
    return state, fight
