"""What people tell by phone or button: checked by the rules, and written down."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.errors import NotYourTurn, StaleVersion
from companion.ledger.events import Event
from companion.rules.game import Decision
from companion.table.book import Book
from companion.table.commands import Act
from companion.table.scoreboard import player_of
from companion.table.seating import Seating
from companion.table.watcher import Watcher


class Telling:
    """Actions that somebody says were done, on their way into the book."""

    def __init__(self, book: Book, watcher: Watcher, seating: Seating) -> None:
        self._book = book
        self._watcher = watcher
        self._seating = seating
        self.untold_roll: str | None = None
        """The picture of dice that somebody may have to tell (`KnownTray.untold_roll`)."""

    def act(self, command: Act) -> None:
        """Do what a captain tells. Raises `IllegalAction`, `NotYourTurn`, `StaleVersion`."""
        book = self._book
        self.check_version(command.version)
        is_aside = command.action in book.game.asides(book.state)
        if is_aside and command.seat is not None:
            raise NotYourTurn("table", "The phone that speaks for the whole table tells this.")
        if not is_aside:
            self._seating.check(command.seat, int(player_of(book.game, book.state, command.action)))
            book.check_private(book.state, command.action, command.seat)
        self.do(command.action, "phone", command.seat, is_aside)

    def check_version(self, version: int | None) -> None:
        """Refuse what was told of a table that has moved on. Raises `StaleVersion`."""
        changed = self._book.history.changed
        if version is not None and version < changed:
            raise StaleVersion("Something else has happened meanwhile; this was not done.")

    def do(self, action: Any, source: str, by: int | None, house_ruling: bool = False) -> None:
        """Do what somebody said. Raises `IllegalAction`; then nothing has changed.

        A roll that is told because the camera could not read it keeps the picture of its dice: it
        is the one that will be disputed.
        """
        book, game = self._book, self._book.game
        told = game.rolled(action)
        passed, state = self._passed_up_to(action, source, by)
        after = game.apply(state, action).state
        evidence = book.kept(self.untold_roll) if told else None
        event = book.applied(state, action, source, by)
        book.tell([*passed, replace(event, house_ruling=house_ruling, evidence=evidence)])
        self.untold_roll = None if told else self.untold_roll
        self._watcher.settle(after, told=told)

    def _passed_up_to(self, action: Any, source: str, by: int | None) -> tuple[list[Event], Any]:
        """Return the choices that playing on implies, and the state in which `action` is done.

        None are implied if `action` is not what comes after them.
        """
        game, state = self._book.game, self._book.state
        passed: list[Event] = []
        while not game.check(state, action):
            pending = game.pending(state)
            if not isinstance(pending, Decision) or pending.passing is None:
                return [], self._book.state
            passed.append(self._book.applied(state, pending.passing, source, by))
            state = game.apply(state, pending.passing).state
        return passed, state
