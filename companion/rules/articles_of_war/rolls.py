"""What dice can show, and what is no roll of them (AOW-3, AOW-4, AOW-25)."""

from __future__ import annotations

from functools import cache

from companion.rules.articles_of_war.state import State
from companion.rules.deeds import Odds, Roll, roll, rolls_of
from companion.rules.dice import DieKind, die_words, pool_distribution
from companion.rules.game import Ruling
from companion.rules.layout import Die
from companion.rules.phases import Chance, no


def kind_of(state: State, name: str) -> DieKind:
    """Return a kind of die of this table."""
    return state.options.sail if name == "sail" else state.options.cannon


@cache
def pool_rolls(sail: DieKind, sails: int, cannon: DieKind, cannons: int) -> Odds:
    """Return every joint result of a cup of dice with its probability, sorted."""
    odds = {}
    for sail_faces, sail_p in pool_distribution(sail, sails):
        for cannon_faces, cannon_p in pool_distribution(cannon, cannons):
            dice = [Die("sail", f) for f in sail_faces] + [Die("cannon", f) for f in cannon_faces]
            odds[roll(*dice)] = sail_p * cannon_p
    return tuple((result, odds[result]) for result in sorted(odds))


def refuse_faces(state: State, action: Roll) -> Ruling | None:
    """Refuse dice that are not sorted or show a face they do not have."""
    if action.dice != tuple(sorted(action.dice)):
        return no("AOW-25", "The dice of a roll are told in order: kind by kind, lowest first.")
    for die in action.dice:
        kind = kind_of(state, die.kind)
        if die.face not in kind.faces:
            rule = "AOW-3" if die.kind == "sail" else "AOW-4"
            low, high = kind.values[0], kind.values[-1]
            return no(rule, f"A {die_words(die.kind)} shows {low} to {high}, not {die.face}.")
    return None


class DieRoll(Chance[State, Roll]):
    """A part in which one die is rolled; a cannonball die in most."""

    takes = (Roll,)

    def kind(self, state: State) -> str:
        """Return the kind of the die."""
        return "cannon"

    def odds(self, state: State) -> Odds:
        """Return what the die can show."""
        return rolls_of(kind_of(state, self.kind(state)), 1)

    def refuse(self, state: State, action: Roll) -> Ruling | None:
        """Refuse anything but one die of the kind."""
        kind = self.kind(state)
        if [die.kind for die in action.dice] != [kind]:
            return no(self.rule, f"Roll one {die_words(kind)}.")
        return refuse_faces(state, action)
