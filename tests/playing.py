"""What every test needs that plays a game by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Any, ClassVar, Self

from companion.rules.deeds import Deed
from companion.rules.game import CHANCE, AnyGame, ChanceRoll, GameOver, Happening, PlayerId
from companion.rules.record import action_line, header_line

Choose = Callable[[Random, Any, Sequence[Any]], Any]
"""Chooses among the actions that a state offers."""


def asked_player(game: AnyGame, state: Any) -> PlayerId | None:
    """Return who chooses or rolls now, `CHANCE` for rolls; ``None`` when the game is over."""
    pending = game.pending(state)
    if isinstance(pending, GameOver):
        return None
    return CHANCE if isinstance(pending, ChanceRoll) else pending.player


def any_action(random: Random, state: Any, actions: Sequence[Any]) -> Any:
    """Choose one action as soon as any other."""
    return random.choice(actions)


def write_record(
    game: AnyGame, names: Sequence[str], options: Mapping[str, object], played: Iterable[Any]
) -> list[str]:
    """Write a game that was played from its beginning."""
    lines, state = [header_line(game.info.id, names, options)], game.setup(names, options)
    for action in played:
        lines.append(action_line(game, state, action))
        state = game.apply(state, action).state
    return lines


class Line:
    """A state and the moves made from it; each game adds its own."""

    game: ClassVar[AnyGame]
    marks: ClassVar[tuple[str, ...]] = (".", "?")
    """What the sentence of a refusal may end with."""

    def __init__(self, state: Any) -> None:
        self.state = state
        self.happenings: list[Happening] = []

    @property
    def player(self) -> PlayerId:
        """Who is asked, or whose hand rolls."""
        pending = self.game.pending(self.state)
        assert not isinstance(pending, GameOver)
        return pending.player

    def asked(self) -> str:
        """Return the named part of the game that something must be done in."""
        pending = self.game.pending(self.state)
        return "over" if isinstance(pending, GameOver) else pending.phase

    def do(self, action: Deed) -> Self:
        step = self.game.apply(self.state, action)
        self.state = step.state
        self.happenings = list(step.happenings)
        return self

    def legal(self) -> tuple[Deed, ...]:
        return self.game.legal_actions(self.state, self.player)

    def refusal(self, action: Deed) -> str:
        """Return the rule that forbids an action; it must be a full sentence."""
        ruling = self.game.check(self.state, action)
        assert not ruling.legal, f"{action} is legal"
        assert ruling.reason.endswith(self.marks), ruling.reason
        assert not ruling.reason[0].islower(), ruling.reason
        return ruling.rule

    def rules(self) -> list[str]:
        """Return the rules of what happened last."""
        return [happening.rule for happening in self.happenings]

    def told(self) -> str:
        """Return what happened last, in words."""
        return " | ".join(happening.text for happening in self.happenings)
