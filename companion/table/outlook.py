"""What can follow from a state, worked out once and kept at hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from companion.rules.game import CHANCE, AnyGame, Decision
from companion.rules.layout import Die, Layout
from companion.table.findings import State

MOST_CHOICES = 12_000
"""States whose choices are kept."""
MOST_LAYOUTS = 48_000
"""States whose layouts are kept."""


@dataclass(frozen=True, slots=True)
class Next:
    """An action and what it leads to."""

    action: Any
    state: State
    layout: Layout


@dataclass(slots=True)
class Outlook:
    """Layouts, choices and rolls of the states of one game."""

    game: AnyGame
    spending: set[str] = field(default_factory=set)
    """Phases in which every choice spends a die, as far as has been seen."""
    _other_phases: set[str] = field(default_factory=set)
    _children: dict[State, tuple[Next, ...]] = field(default_factory=dict)
    _rolls: dict[State, dict[tuple[Die, ...], Any]] = field(default_factory=dict)
    _layouts: dict[State, Layout] = field(default_factory=dict)

    def layout(self, state: State) -> Layout:
        """Return the layout of a state, computed once."""
        found = self._layouts.get(state)
        if found is None:
            found = self._layouts[state] = self.game.layout(state)
        return found

    def choices(self, state: State, player: Any) -> tuple[Next, ...]:
        """Return what a player may do, with what it leads to."""
        found = self._children.get(state)
        if found is None:
            children = []
            for action in self.game.legal_actions(state, player):
                after = self.game.apply(state, action).state
                children.append(Next(action, after, self.layout(after)))
            found = self._children[state] = tuple(children)
            self._learn(state, found)
        return found

    def _learn(self, state: State, children: tuple[Next, ...]) -> None:
        """Note whether all choices of this phase spend dice."""
        pending = self.game.pending(state)
        if isinstance(pending, Decision) and pending.phase not in self._other_phases:
            dice = self.layout(state).dice
            if all(child.layout.dice != dice for child in children):
                self.spending.add(pending.phase)
            else:
                self.spending.discard(pending.phase)
                self._other_phases.add(pending.phase)

    def roll(self, state: State, dice: tuple[Die, ...]) -> Any | None:
        """Return the chance action that shows these dice (sorted), or ``None``."""
        found = self._rolls.get(state)
        if found is None:
            actions = self.game.legal_actions(state, CHANCE)
            found = self._rolls[state] = {self.game.rolled(a): a for a in actions}
        return found.get(dice)

    def forget_old(self) -> None:
        """Drop what was worked out long ago once there is much of it."""
        if len(self._children) > MOST_CHOICES:
            self._children.clear()
            self._rolls.clear()
        if len(self._layouts) > MOST_LAYOUTS:
            self._layouts.clear()
