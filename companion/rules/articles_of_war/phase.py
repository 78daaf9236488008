"""What every named part of the battle answers; one object per stage, listed in `rules`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from typing import ClassVar, Generic, TypeVar

from companion.rules.articles_of_war.actions import Deed
from companion.rules.articles_of_war.state import Stage, State
from companion.rules.game import ChanceRoll, Decision, Ruling, Step

D = TypeVar("D", bound=Deed)
G = TypeVar("G", bound=Stage)


class Phase(ABC, Generic[D]):
    """A part of the set-up or turn. Asked only while the state is in its stage."""

    name: ClassVar[str]
    rule: ClassVar[str]
    """Rule that says what must happen now; cited when somebody does something else."""
    takes: ClassVar[tuple[type[Deed], ...]]

    @abstractmethod
    def pending(self, state: State) -> Decision | ChanceRoll:
        """Say who must do what."""

    @abstractmethod
    def refuse(self, state: State, action: D) -> Ruling | None:
        """Return why an action of the right kind by the right player is illegal, if it is."""

    @abstractmethod
    def play(self, state: State, action: D) -> Step[State]:
        """Carry out a legal action."""


class Choice(Phase[D]):
    """A part in which a captain chooses."""

    @abstractmethod
    def actions(self, state: State) -> tuple[D, ...]:
        """Return the legal choices, sorted."""


class Chance(Phase[D]):
    """A part in which dice or a draw decide."""

    @abstractmethod
    def odds(self, state: State) -> tuple[tuple[D, Fraction], ...]:
        """Return what can come, sorted, with its exact probability."""


def no(rule: str, reason: str) -> Ruling:
    """Refuse, with the number of the rule and one sentence."""
    return Ruling(False, rule, reason)


def stage_of(state: State, kind: type[G]) -> G:
    """Return the stage of a state that is known to be of a kind."""
    assert isinstance(state.stage, kind)
    return state.stage
