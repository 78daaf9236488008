"""Whole games of any kind at a table without pictures: virtual captains, synthetic readings.

The captains are those of the demo; only what the camera would measure is made up, so a game takes
a second and not a minute.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from companion.boards.choice import board_for
from companion.demo.captains import Captains
from companion.demo.evening import NAMES
from companion.demo.phone import PhoneRefused
from companion.errors import CompanionError
from companion.ledger.memory_store import MemoryStore
from companion.rules.catalogue import find_game
from companion.rules.layout import Cell, Die, Layout
from companion.table.commands import PressTurn
from companion.table.referee import Referee
from tests.table.synthetic import COLOURS, Hands

COINS = ("suns", "crowns", "moons", "arms", "suns2", "crowns2", "moons2", "arms2")


class SyntheticTable:
    """Pieces, a phone and a button over one referee.

    Parameters
    ----------
    noise : float
        Share of each reading that may be lost to a wrong one.
    """

    def __init__(
        self, game: str, options: Mapping[str, object], players: int, seed: int, noise: float = 0.0
    ) -> None:
        self.rng = Random(seed)
        self.rules = find_game(game)
        profile = board_for(self.rules.info, options)
        self.referee = Referee.open(
            self.rules, NAMES[:players], options, profile, MemoryStore(), lambda: 1.0, "g"
        )
        colours = COINS if profile.pieces.set == "coins" else COLOURS
        layout = self.rules.layout(self.referee.state)
        self.hands = Hands(self.rng, layout, profile.cells, colours)
        self.noise = noise
        self.silent = 0
        self.captains = Captains(
            self.rules,
            self.referee.state,
            self,
            self,
            self.press,
            self.wait,
            self.rng,
        )

    # -- pieces ---------------------------------------------------------------------------------

    def lay(self, layout: Layout) -> None:
        self.hands.lay_pieces(layout)

    def accept(self, layout: Layout) -> None:
        """Nothing: on cells no place is measured."""

    def roll(self, dice: tuple[Die, ...]) -> None:
        self.hands.throw(dice)

    def take(self, dice: tuple[Die, ...]) -> None:
        """Take spent dice: of two alike the one that has lain there longer."""
        self.hands.tray.reverse()
        self.hands.take(dice)
        self.hands.tray.reverse()

    def sweep(self) -> None:
        self.hands.sweep()

    def reach(self, cells: tuple[Cell, ...], seat: int) -> None:
        """A hand: nothing is read until it is gone."""
        self.is_reaching = True

    def withdraw(self) -> None:
        self.is_reaching = False

    # -- phone and button -----------------------------------------------------------------------

    is_reaching = False

    def look(self) -> dict[str, Any]:
        return self.referee.snapshot().to_json()

    def send(self, command: Mapping[str, Any]) -> None:
        try:
            self.referee.command_json(command)
        except CompanionError as error:
            raise PhoneRefused(str(error)) from error

    def press(self) -> None:
        self.referee.command(PressTurn())

    def wait(self) -> None:
        if not self.is_reaching:
            self.referee.observe(self.hands.look(self.noise))

    # -- the game -------------------------------------------------------------------------------

    def play(self, most: int = 10_000) -> None:
        """Play to the end or for so many steps, counting what went wrong in silence."""
        for _ in range(most):
            if self.captains.is_over:
                break
            self.captains.step()
            self._compare(self.captains.state)

    def _compare(self, truth: Any) -> None:
        shown = self.referee.snapshot()
        told = self.referee.state
        if told != truth and shown.question is None and not self._is_behind(truth):
            self.silent += 1

    def _is_behind(self, truth: Any) -> bool:
        """Whether the record only lacks what leaves no trace: it will follow."""
        lay = self.rules.layout
        return bool(lay(self.referee.state) == lay(truth))
