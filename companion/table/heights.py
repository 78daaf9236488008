"""How high the tags of pieces are: what stands on an open table, and what may be put there next."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any

from companion.rules.game import AnyGame, Decision


class Heights:
    """Heights of tags above the table in millimetres, for the eyes that measure them.

    A piece that is about to be put down must be known as well: where it is first seen is where the
    record says it stands.

    Parameters
    ----------
    game : Game
    state : callable
        Returns the state of the game as recorded.
    """

    def __init__(self, game: AnyGame, state: Callable[[], Any]) -> None:
        self._game, self._state = game, state
        self._last: Any = None
        self._known: Mapping[int, float] = {}

    def __call__(self) -> Mapping[int, float]:
        """Return the height of every tag that is known, by number."""
        state = self._state()
        if state is not self._last:
            self._known, self._last = self._look_up(state), state
        return self._known

    def _look_up(self, state: Any) -> Mapping[int, float]:
        known = self._heights(state)
        pending = self._game.pending(state)
        if isinstance(pending, Decision) and pending.measured:
            for action in self._but_for_places(self._game.legal_actions(state, pending.player)):
                # What stands there keeps its height, so only what is new is taken over.
                known = {**self._heights(self._game.apply(state, action).state), **known}
        return known

    def _but_for_places(self, actions: Iterable[Any]) -> Iterable[Any]:
        """Return one of the actions that differ only in where pieces go: that decides no height."""
        kinds = {_without_places(self._game.action_to_json(action)): action for action in actions}
        return kinds.values()

    def _heights(self, state: Any) -> dict[int, float]:
        pieces = self._game.layout(state).pieces
        return {tag: piece.height_mm for tag, piece in pieces.items()}


def _without_places(value: Any) -> Hashable:
    """Return a JSON value without what is measured: millimetres and degrees."""
    if isinstance(value, Mapping):
        return tuple([(key, _without_places(item)) for key, item in value.items()])
    if isinstance(value, list):
        return tuple([_without_places(item) for item in value if not isinstance(item, float)])
    return None if isinstance(value, float) else value
