"""The big button: what a captain did is done. Phones have it, too."""

from __future__ import annotations

from collections.abc import Callable

from companion.errors import GameIsOver, IllegalAction, LedgerError, RuleError
from companion.rules.game import GameOver
from companion.table.book import Book
from companion.table.commands import PressTurn
from companion.table.readings import Readings
from companion.table.scoreboard import player_of
from companion.table.seating import Seating
from companion.table.sentences import LOOKING_FIRST, NOT_LOOKED, PRESS_ONCE_MORE
from companion.table.snapshot import Notice
from companion.table.telling import Telling
from companion.table.verdicts import Apply, Ask
from companion.table.watcher import Watcher


class TurnButton:
    """Carries out presses; an early one is kept until the picture is read that shows what was done.

    Else "I have finished" would count before the move, and the move as one too many.
    """

    def __init__(
        self, book: Book, watcher: Watcher, readings: Readings, telling: Telling, seating: Seating
    ) -> None:
        self._book, self._watcher = book, watcher
        self._readings, self._telling, self._seating = readings, telling, seating
        self._is_picture_due = False
        """Whether something has moved of which no picture has been read yet."""
        self._early: PressTurn | None = None
        self._covered: Notice | None = None
        """The notice in whose place it is said that a press waits."""

    def press(self, command: PressTurn, notice: Notice | None) -> Notice | None:
        """Carry out a press, or keep it; given the notice that stands, return the one afterwards.

        Raises `StaleVersion`, `GameIsOver`, `NotYourTurn`, and `IllegalAction` when something is
        to be done before.
        """
        self._telling.check_version(command.version)
        pending = self._book.game.pending(self._book.state)
        if isinstance(pending, GameOver):
            raise GameIsOver("table", pending.text)
        self._seating.check(command.seat, int(pending.player))
        notice = self._covered if notice == LOOKING_FIRST else notice
        if self._keep(command):
            self._covered = notice
            return LOOKING_FIRST
        verdict = self._watcher.press()
        if isinstance(verdict, Apply):
            self._readings.withdraw_moot(verdict)
            self._readings.apply(verdict.explanation, pressed=command)
            return None
        if isinstance(verdict, Ask):
            return self._readings.wonder(verdict, "", notice)
        silent = self._watcher.silent_choice()
        if silent is None:
            raise self._what_is_to_do(pending.text)
        self._telling.do(silent, "button", command.seat)
        return None

    def expect_picture(self, is_due: bool, notice: Notice | None) -> Notice | None:
        """Take in whether a picture is due; if none can be had, a press that was kept is dropped.

        Nobody can tell what was done before it. Given the notice that stands, return the one
        afterwards.
        """
        self._is_picture_due = is_due
        early = self._early
        if is_due or early is None:
            return notice
        self._early = None
        return NOT_LOOKED if self._is_of_now(early) else notice

    def has_looked(self, carry_out: Callable[[PressTurn], object]) -> None:
        """Take in that the picture was read; have the press that was kept carried out.

        Raises `LedgerError` where nothing can be written; then the press is still kept.
        """
        self._is_picture_due = False
        early, self._early = self._early, None
        if early is None:
            return
        try:
            carry_out(early)
        except RuleError:
            pass  # the phones say what is against it
        except LedgerError:
            self._early = early
            raise

    def counted(self, press: PressTurn, notice: Notice | None) -> Notice | None:
        """Say that what was done before a press has been counted, if the same captain goes on.

        What comes next is another choice, of which the press said nothing.
        """
        book, last = self._book, next(self._book.history.standing, None)
        pending = book.game.pending(book.state)
        if last is None or last.seq <= (press.version or 0) or isinstance(pending, GameOver):
            return notice
        player = int(pending.player)
        goes_on = player_of(book.game, last.before, last.action) == player
        is_meant = goes_on and book.history.may_speak_for(press.seat, player)
        return PRESS_ONCE_MORE if is_meant else notice

    def _keep(self, command: PressTurn) -> bool:
        """Keep an early press; a second one insists, and neither is kept then.

        One that was kept before something else happened is of no account.
        """
        insists = self._early is not None and self._is_of_now(self._early)
        self._early = command if self._is_picture_due and not insists else None
        return self._early is not None

    def _is_of_now(self, press: PressTurn) -> bool:
        return (press.version or 0) >= self._book.history.changed

    def _what_is_to_do(self, asked: str) -> IllegalAction:
        state = self._book.state
        ruling = self._book.game.objection(state, self._watcher.outlook.layout(state))
        reason = ruling.reason or f"{asked}."
        if reason == f"{asked}.":
            reason = f"This is to be done before the turn can end. {asked}."
        return IllegalAction(ruling.rule or "table", reason)
