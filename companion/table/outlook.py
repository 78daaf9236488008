"""What can follow from a state, worked out once and kept at hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from companion.rules.game import AnyGame, Decision
from companion.rules.layout import Die, Layout
from companion.table.findings import State
from companion.table.sight import Fleet

MOST_STATES = 40_000
"""States kept at hand."""


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
    _states: dict[State, State] = field(default_factory=dict)
    """Each state once: to hash one takes longer than to look at where it lies in memory."""
    _children: dict[int, tuple[Next, ...]] = field(default_factory=dict)
    _rolls: dict[tuple[int, tuple[Die, ...]], Any] = field(default_factory=dict)
    _layouts: dict[int, Layout] = field(default_factory=dict)

    def one(self, state: State) -> State:
        """Return the one object that stands for all states equal to this."""
        return self._states.setdefault(state, state)

    def layout(self, state: State) -> Layout:
        """Return the layout of a state, computed once."""
        state = self.one(state)
        found = self._layouts.get(id(state))
        if found is None:
            found = self._layouts[id(state)] = self.game.layout(state)
        return found

    def fleet(self, state: State) -> Fleet | None:
        """Return the ships that may lie on the board; ``None``: any.

        See `GameInfo.ships_stay` and `View.colours_stay`.
        """
        view = self.game.view(state, None)
        seats = view.seats
        stays = self.game.info.ships_stay and all(seat.ships for seat in seats)
        if not (stays or view.colours_stay):
            return None
        return Fleet(frozenset(colour for seat in seats for colour in seat.colours), stays)

    def choices(self, state: State, player: Any) -> tuple[Next, ...]:
        """Return what a player may do, with what it leads to (states as `one` gives them)."""
        state = self.one(state)
        found = self._children.get(id(state))
        if found is None:
            actions = self.game.legal_actions(state, player)
            found = self._children[id(state)] = tuple(self.after(state, a) for a in actions)
            self._learn(state, found)
        return found

    def silent(self, state: State) -> tuple[Next, ...]:
        """Return the choices that leave no trace on the table, as far as they are ever inferred.

        What is to be done on an open table can be done in more ways than anybody lists: there only
        passing is.
        """
        pending = self.game.pending(state)
        if not isinstance(pending, Decision):
            return ()
        if pending.measured:
            passing = pending.passing
            return () if passing is None else (self.after(self.one(state), passing),)
        layout = self.layout(state)
        return tuple(c for c in self.choices(state, pending.player) if c.layout == layout)

    def after(self, state: State, action: Any) -> Next:
        """Return what an action leads to."""
        after = self.one(self.game.apply(state, action).state)
        return Next(action, after, self.layout(after))

    def roll(self, state: State, dice: tuple[Die, ...]) -> Any | None:
        """Return the chance action that shows these dice (sorted), or ``None``."""
        key = (id(self.one(state)), dice)
        if key not in self._rolls:
            self._rolls[key] = self.game.roll_of(state, dice)
        return self._rolls[key]

    def forget_old(self) -> None:
        """Drop what was worked out long ago once there is much of it."""
        if len(self._states) > MOST_STATES:
            self._states.clear()
            self._children.clear()
            self._rolls.clear()
            self._layouts.clear()

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
