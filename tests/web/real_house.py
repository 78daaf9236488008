"""A house with the real rules, referee and an in-memory ledger; no camera, no buttons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count

from companion.boards.choice import board_for
from companion.ledger.memory_store import MemoryStore
from companion.rules.catalogue import GAMES, find_game
from companion.rules.game import GameInfo
from companion.rules.options import playable
from companion.table.referee import Referee
from tests.web.fake_set_up import FakeSetUp


class RealHouse:
    """Opens real games; the clock counts events."""

    def __init__(self) -> None:
        self.records = MemoryStore()
        self.reader_checks: dict[str, dict[tuple[int, int], int]] = {}
        self.ill: dict[str, str] = {}
        self.set_up = FakeSetUp()
        self.referee: Referee | None = None
        self._numbers = count(1)

    @property
    def games(self) -> Sequence[GameInfo]:
        return tuple(game.info for game in GAMES)

    def table(self) -> Referee | None:
        return self.referee

    def check(self, game: str, options: Mapping[str, object]) -> Sequence[int]:
        return playable(find_game(game), options)

    def open(self, game: str, players: Sequence[str], options: Mapping[str, object]) -> Referee:
        rules = find_game(game)
        number = next(self._numbers)
        self.referee = Referee.open(
            rules,
            players,
            options,
            board_for(rules.info, options),
            self.records,
            lambda: 1_700_000_000.0,
            f"game-{number}",
        )
        return self.referee
