"""What every test needs that plays a game by itself."""

from __future__ import annotations

from typing import Any

from companion.rules.game import CHANCE, AnyGame, ChanceRoll, GameOver, PlayerId


def asked_player(game: AnyGame, state: Any) -> PlayerId | None:
    """Return who chooses or rolls now, `CHANCE` for rolls; ``None`` when the game is over."""
    pending = game.pending(state)
    if isinstance(pending, GameOver):
        return None
    return CHANCE if isinstance(pending, ChanceRoll) else pending.player
