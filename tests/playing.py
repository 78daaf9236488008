"""What every test needs that plays a game by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from companion.rules.game import CHANCE, AnyGame, ChanceRoll, GameOver, PlayerId

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
