"""What the explanation search starts from and what it finds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from companion.rules.layout import Layout, Spot
from companion.table.remembered_dice import Memory
from companion.table.tray import ReadDie

SURE = 0.9
"""Least probability of an explanation that is applied without asking."""
SURE_DIE = 0.93
"""Least probability of each die of a roll that is believed without asking. Nothing that follows
contradicts a misread roll as soon as it does a misread move."""

State = Any
"""A game's state: frozen, hashable, canonical."""


@dataclass(frozen=True, slots=True)
class ReadStep:
    """One action of an explanation."""

    action: Any
    p: float
    """How sure the camera was of it."""
    evidence: str | None
    """The picture (`Observation.frame_id`) it was read from."""
    equivalent: int
    """How many different lines lead to the very same state."""
    dice: tuple[ReadDie, ...] = ()
    """The dice it was read from, if it is a roll."""


def told_by_people(dice: Sequence[ReadDie]) -> tuple[ReadDie, ...]:
    """Return the die of a roll that had to be told, if there was only one.

    `dice` show what people have said or confirmed. Of more nobody knows which of them shows what.
    """
    doubtful = tuple(die for die in dice if die.p < SURE_DIE)
    return doubtful if len(doubtful) == 1 else ()


@dataclass(frozen=True, slots=True)
class Start:
    """A state to explain from: the last certain one, or one that the pictures since leave open."""

    state: State
    memory: Memory = ()
    steps: tuple[ReadStep, ...] = ()
    """How it was reached from the last certain state."""
    cost: float = 0.0
    may_go_on: bool = False
    """See `Explanation.may_go_on`."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """A line whose layout agrees with the picture."""

    start: Start
    state: State
    layout: Layout
    steps: tuple[ReadStep, ...]
    """From the last certain state on; empty when nothing happened."""
    memory: Memory
    """The tray, once this is believed."""
    p: float
    """Probability among all explanations found."""
    cost: float
    rests_on_absence: bool
    """Nothing tells it but dice that are not seen any more."""
    may_go_on: bool
    """What was done may be the beginning of something else: the enemy not lifted off yet."""
    prior: float
    """Cost of the line itself, without what the picture has to say."""

    @property
    def is_null(self) -> bool:
        """Nothing happened since the last certain state."""
        return not self.steps

    @property
    def dice(self) -> tuple[ReadDie, ...]:
        """The dice it rests on."""
        return tuple(die for step in self.steps for die in step.dice)

    @property
    def has_doubtful_dice(self) -> bool:
        """It rests on a die that may show something else."""
        return any(die.p < SURE_DIE for die in self.dice)

    @property
    def is_sure(self) -> bool:
        """It may be applied without asking."""
        return self.p >= SURE and not self.has_doubtful_dice

    def as_start(self) -> Start:
        """Return it as a beginning for the next picture."""
        return Start(self.state, self.memory, self.steps, self.prior, self.may_go_on)


@dataclass(frozen=True, slots=True)
class Findings:
    """What the search found, likeliest first."""

    explanations: tuple[Explanation, ...]
    """One per resulting state; empty if no legal line explains the picture."""
    is_complete: bool
    """All lines worth it were tried."""
    underway: tuple[Any, ...] = ()
    """Actions that somebody may be in the middle of: all that is wrong is still to be done."""
    contradicted: frozenset[Spot] = frozenset()
    """Cells and pieces that contradict the first of the starts."""
    is_clean: bool = False
    """Something agrees with the picture in every respect."""

    @property
    def best(self) -> Explanation | None:
        """The likeliest explanation."""
        return self.explanations[0] if self.explanations else None
