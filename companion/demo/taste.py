"""What virtual captains like: enough to play a lively game, not a good one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import hypot
from random import Random
from typing import Any

from companion.demo.senses import SENSES
from companion.rules.game import (
    AnyGame,
    Decision,
    PlayerId,
)
from companion.rules.layout import CellContent, Layout, Pose
from companion.rules.views import SeatView

FAR_OFF = 0.004
"""What a millimetre nearer to a stranger's ship is worth on an open table: they want to meet."""
VICTORY = 5.0
"""What winning is worth to a captain, in doubloons or so."""
READY = 0.4
"""What it is worth to be done, if nothing else is better than to stay as one is."""
BOREDOM = 0.1
"""How much more passing appeals each time the same is asked again."""


@dataclass
class Taste:
    """Chooses what looks best at once, with some whim."""

    game: AnyGame
    rng: Random
    refused: set[Any] = field(default_factory=set)
    """What the table has refused since the same was first asked."""
    _asked: tuple[PlayerId, str] | None = None
    _times: int = 0
    """How often in a row the same was asked: nobody dwells on one thing for ever."""

    def choose(self, state: Any, player: PlayerId) -> Any:
        """Return one of a player's choices."""
        pending = self.game.pending(state)
        assert isinstance(pending, Decision)
        asked = (player, pending.phase)
        self._times = self._times + 1 if asked == self._asked else 0
        if not self._times:
            self.refused.clear()
        self._asked = asked

        def appeal(action: Any) -> float:
            if action == pending.passing:
                # What comes after is somebody else's doing: judge whether there is more to do here.
                worth = worth_of(self.game, state, state, player) + READY
                return worth + BOREDOM * self._times + self.rng.random()
            after = self.game.apply(state, action).state
            return worth_of(self.game, state, after, player) + self.rng.random()

        actions = self.game.legal_actions(state, player)
        return max([a for a in actions if a not in self.refused] or actions, key=appeal)


def worth_of(game: AnyGame, before: Any, after: Any, player: PlayerId) -> float:
    """Return what a captain thinks of getting from one state to the next, in doubloons or so."""
    sense = SENSES.get(game.info.id)
    if sense is not None:
        return sense(after, player)
    view, layout = game.view(after, None), game.layout(after)
    worth = 0.8 if layout.changed(game.layout(before)) else 0.0  # others can wait
    worth -= FAR_OFF * _mean_gap(layout, view.seats, player)
    outcome = game.outcome(after)
    if outcome is not None and outcome.placing:
        worth += VICTORY if player in outcome.placing[0] else -VICTORY
    for seat in view.seats:
        cells = layout.cells.values()
        laden = sum(c.cargo is not None and _sails(seat.colours, c) for c in cells)
        value = 2.0 * sum(seat.scores.values()) + 1.5 * seat.ships + 4.0 * laden
        worth += value if seat.player == player else -value / 2
    return worth


def _sails(colours: tuple[str, ...], content: CellContent) -> bool:
    """Whether a ship of one of these colours lies here."""
    return not set(colours).isdisjoint(content.ships)


def _mean_gap(layout: Layout, seats: Sequence[SeatView], player: PlayerId) -> float:
    """Return how far a captain's ships on an open table are from the nearest strangers, in mm."""
    mine = {c for seat in seats if seat.player == player for c in seat.colours}
    ships = [piece for piece in layout.pieces.values() if piece.kind == "ship"]
    own, others = [p for p in ships if p.colour in mine], [p for p in ships if p.colour not in mine]
    if not own or not others:
        return 0.0
    return sum(min(_gap(p.pose, q.pose) for q in others) for p in own) / len(own)


def _gap(one: Pose, other: Pose) -> float:
    return hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm)
