"""The referee: the single writer of one game. Everything that changes it comes through here.

Pictures (`Referee.observe`) and commands (`Referee.command`) take the same way: what happened is
checked by the rules, appended to the ledger, and only then shown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from threading import RLock
from typing import Any

from companion.boards.profile import BoardProfile
from companion.errors import GameIsOver, IllegalAction, StaleVersion
from companion.ledger.store import Store
from companion.rules.game import AnyGame, ChanceRoll, Decision, GameOver
from companion.rules.layout import Layout
from companion.table.amends import Amends
from companion.table.answers import Answers
from companion.table.book import Book, Picture, open_book, resume_book
from companion.table.commands import (
    Act,
    AnswerQuestion,
    Command,
    Correct,
    FreeSeat,
    PressTurn,
    TakeSeat,
    Undo,
)
from companion.table.display import Display
from companion.table.going_on import whole_way
from companion.table.history import Played
from companion.table.observation import Observation, Unreadable
from companion.table.offering import listed, shown
from companion.table.ports import Alternatives, Listener, Receipt
from companion.table.readings import Readings
from companion.table.scoreboard import log_lines
from companion.table.seating import Seating
from companion.table.sentences import HELD_TOO_LONG
from companion.table.snapshot import LogEntry, Notice, Offer, Snapshot
from companion.table.telling import Telling
from companion.table.tray import ReadDie
from companion.table.turn_button import TurnButton
from companion.table.verdicts import Apply, Ask, Nothing, Verdict, Wait
from companion.table.watcher import Watcher
from companion.table.wire import read_command


class Referee:
    """One game in play, implementing `companion.table.ports.Table`.

    Made by `Referee.open` or `Referee.resume`.
    """

    def __init__(self, book: Book, profile: BoardProfile) -> None:
        self._lock = RLock()
        self._book = book
        self.profile = profile
        """The board it is played on."""
        self._watcher = Watcher(book.game, book.state, profile.name_of)
        self._readings = Readings(book, self._watcher)
        self._amends = Amends(book, self._watcher)
        self._answers = Answers(book, self._watcher, self._readings, self._amends)
        self._seating = Seating(book)
        self._telling = Telling(book, self._watcher, self._seating)
        self._button = TurnButton(book, self._watcher, self._readings, self._telling, self._seating)
        self._display = Display(book, self._watcher)

    @classmethod
    def open(
        cls,
        game: AnyGame,
        players: Sequence[str],
        options: Mapping[str, object],
        profile: BoardProfile,
        store: Store,
        clock: Callable[[], float],
        game_id: str,
    ) -> Referee:
        """Open a new game and write its first event; see `open_book`."""
        return cls(open_book(game, players, options, profile, store, clock, game_id), profile)

    @classmethod
    def resume(
        cls,
        game: AnyGame,
        profile: BoardProfile,
        store: Store,
        clock: Callable[[], float],
        game_id: str,
    ) -> Referee:
        """Go on with a game where it stood, or before what the rules refuse now; `resume_book`."""
        return cls(resume_book(game, store, clock, game_id), profile)

    # -- the table port -------------------------------------------------------------------------

    @property
    def id(self) -> str:
        """The ledger's id of this game."""
        return self._book.history.id

    @property
    def game(self) -> AnyGame:
        """The rules it is played by."""
        return self._book.game

    @property
    def state(self) -> Any:
        """The state of the game as recorded."""
        with self._lock:
            return self._book.state

    def snapshot(self) -> Snapshot:
        """Return the table as it stands."""
        with self._lock:
            return self._display.snapshot

    @property
    def version(self) -> int:
        """The version that is shown; it is told at once, whatever is being taken in."""
        return self._display.snapshot.version

    def seat_of(self, phone: str) -> int | None:
        """Return the seat on which the phone with this token sits."""
        with self._lock:
            return self._seating.seat_of(phone)

    def offers(self, seat: int | None) -> tuple[Offer, ...]:
        """Return what a seat may tell the table now."""
        with self._lock:
            state, history = self._book.state, self._book.history
            pending = self.game.pending(state)
            if isinstance(pending, GameOver):
                return ()
            if not history.may_speak_for(seat, int(pending.player)):
                return ()
            return self._listed(state, pending, seat)

    def _listed(
        self, state: Any, pending: Decision | ChanceRoll, seat: int | None
    ) -> tuple[Offer, ...]:
        player = int(pending.player)
        is_seated = player in self._book.history.phones
        return listed(self.game, state, pending, seat == player, is_seated)

    def shown(
        self, seat: int | None, seen: Layout, instead_of: int | None = None
    ) -> tuple[Offer, ...]:
        """Return what may have been done for the table to lie as a seat's phone shows it."""
        with self._lock:
            if instead_of is not None:
                entry = self._amends.standing(instead_of)
                return _others(shown(self.game, entry.before, seen), entry)
            state = self._book.state
            pending = self.game.pending(state)
            if isinstance(pending, GameOver):
                raise GameIsOver("table", pending.text)
            self._seating.check(seat, int(pending.player))
            return shown(self.game, state, seen)

    def alternatives(self, seq: int, seat: int | None) -> Alternatives:
        """Return what a seat may say happened instead of a line of the log."""
        with self._lock:
            entry = self._amends.standing(seq)
            state = entry.before
            pending = self.game.pending(state)
            assert not isinstance(pending, GameOver), "an action was done in this state"
            offers = _others(self._listed(state, pending, seat), entry)
            return Alternatives(self.game.layout(state), offers, self.game.rolled(entry.action))

    @property
    def is_unsure(self) -> bool:
        """Whether the last picture left something open: look again while the rest lasts."""
        with self._lock:
            return self._watcher.is_unsure

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Be told of every new snapshot; returns how to end it."""
        with self._lock:
            self._display.listeners.append(listener)

        def end() -> None:
            with self._lock:
                if listener in self._display.listeners:
                    self._display.listeners.remove(listener)

        return end

    def log(self, before: int | None = None) -> tuple[LogEntry, ...]:
        """Return the log's lines before number `before`, as many as a snapshot has."""
        with self._lock:
            return log_lines(self._book.history, before)

    def evidence(self, name: str) -> bytes | None:
        """Return an evidence picture (JPEG), or ``None``."""
        with self._lock:
            return self._book.picture(name)

    def take_lessons(self) -> tuple[ReadDie, ...]:
        """Take out what people have said of dice since the last time; they may still lie there."""
        with self._lock:
            lessons, self._watcher.tray.lessons = tuple(self._watcher.tray.lessons), []
        return lessons

    def forget_tray(self, *, is_unrolled: bool = False) -> None:
        """Take in that there is no tray in the pictures any more: rolls are told by phone.

        With `is_unrolled`, what lies in it once it is there again was not rolled for this game.
        """
        with self._lock:
            self._watcher.forget_tray(is_unrolled=is_unrolled)
            self._telling.untold_roll = None
            self.report_health("dice", None)

    def report_health(self, part: str, text: str | None) -> None:
        """Show that a part of the set-up is ill and what to do, or with ``None`` well again."""
        with self._lock:
            self._display.report_health(part, text)

    def command_json(self, data: Mapping[str, Any]) -> Receipt:
        """Read a command from JSON (`companion.table.wire`) and carry it out."""
        return self.command(read_command(self.game, data))

    def command(self, command: Command) -> Receipt:
        """Carry out a command. Raises a `CompanionError`; then nothing has changed.

        A button is pressed on what is shown at this moment, whatever is read meanwhile.
        """
        if isinstance(command, PressTurn | Undo) and command.version is None:
            command = replace(command, version=self.version)
        with self._lock:
            try:
                self._carry_out(command)
            except IllegalAction as refusal:
                if not self._is_private(command):
                    seat = getattr(command, "seat", None)
                    self._display.notice = Notice("refusal", refusal.reason, refusal.rule, seat)
                    self._display.publish()
                raise
            except StaleVersion:
                if isinstance(command, PressTurn):
                    self._display.notice = self._button.counted(command, self._display.notice)
                elif isinstance(command, Undo) and command.seq is None:
                    self._display.notice = HELD_TOO_LONG
                self._display.publish()
                raise
            self._display.publish()
            return Receipt(self._book.history.version)

    def note_exposure(self, time_s: float) -> None:
        """Take in that there is a picture of this moment: what is told from now on is later."""
        with self._lock:
            self._watcher.tray.note_exposure(time_s)

    def expect_picture(self, is_due: bool) -> None:
        """Take in whether something has moved of which a picture will be read.

        While it is due a press of the big button waits for it. If none can be had after all, it is
        to be pressed again.
        """
        with self._lock:
            notice = self._button.expect_picture(is_due, self._display.notice)
            if notice != self._display.notice:
                self._display.notice = notice
                self._display.publish()

    def observe(
        self,
        seen: Observation | Unreadable,
        picture: Picture | None = None,
        tray: Picture | None = None,
    ) -> None:
        """Take in one picture at rest.

        Call it again while the rest lasts: a question is asked only after a while, and what rests
        on the absence of a die wants a second look.

        Parameters
        ----------
        seen : Observation or Unreadable
            What was measured.
        picture : callable, optional
            Gives the JPEG, kept as evidence if anything rests on it.
        tray : callable, optional
            Gives the JPEG of the tray alone, as large as it was read; kept with rolls.
        """
        with self._lock:
            if isinstance(seen, Unreadable):
                self.report_health("camera", seen.reason)
                self.expect_picture(False)
                return
            self.report_health("camera", None)
            changed = self._book.history.changed
            self._take_in(seen, picture, tray)
            if seen.occluded and self._book.history.changed == changed:
                self.expect_picture(False)  # what was done may lie behind the arm
            self._button.has_looked(self.command)

    # -- pictures -------------------------------------------------------------------------------

    def _take_in(self, seen: Observation, picture: Picture | None, tray: Picture | None) -> None:
        if isinstance(self.game.pending(self._book.state), GameOver):
            self._watcher.look_on(seen)
            return
        verdict = self._watcher.observe(seen)
        self._telling.untold_roll = self._watcher.tray.untold_roll(self._book.state)
        if isinstance(verdict, Wait | Ask) and self._went_on(seen, picture):
            return
        wanted = self._wanted(verdict, seen.frame_id)
        self._book.keep(wanted, seen.frame_id, picture, tray)
        self._heed(verdict, seen.frame_id)
        self._display.publish()

    def _went_on(self, seen: Observation, picture: Picture | None) -> bool:
        """Take down the whole way of a piece that was moved on, if that is what is seen."""
        if self._book.history.refused is not None:
            return False
        last = next(self._book.history.standing, None)
        action = whole_way(self._watcher.outlook, last, seen)
        if last is None or action is None:
            return False
        self._book.keep({seen.frame_id}, seen.frame_id, picture)
        self._amends.go_on(last, action, seen.frame_id)
        self._readings.withdraw_moot(Nothing())
        self._display.notice = None
        self._display.publish()
        return True

    def _wanted(self, verdict: Verdict, frame: str) -> set[str]:
        """Return the pictures that something rests on."""
        wanted = {*self._watcher.evidence, *filter(None, [self._telling.untold_roll])}
        if isinstance(verdict, Apply):
            wanted |= {s.evidence for s in verdict.explanation.steps if s.evidence}
        if isinstance(verdict, Ask):
            wanted.add(frame)
        return wanted

    def _heed(self, verdict: Verdict, frame: str) -> None:
        """Carry out what the watcher made of a picture.

        Nothing is done or asked before somebody goes on from before what the rules refuse now.
        """
        self._readings.withdraw_moot(verdict)
        if self._book.history.refused is not None:
            self._display.notice = self._readings.once_pressed(verdict)
        elif isinstance(verdict, Apply):
            self._readings.apply(verdict.explanation)
            self._display.notice = None
        elif isinstance(verdict, Ask):
            self._display.notice = self._readings.wonder(verdict, frame, self._display.notice)
        else:
            self._display.notice = verdict.notice

    # -- commands -------------------------------------------------------------------------------

    def _carry_out(self, command: Command) -> None:
        if isinstance(command, Act):
            self._telling.act(command)
            self._display.notice = None
        elif isinstance(command, AnswerQuestion):
            self._display.notice = self._answers.take(command, self._display.notice)
        elif isinstance(command, PressTurn):
            self._display.notice = self._button.press(command, self._display.notice)
        elif isinstance(command, Undo):
            self._display.notice = self._amends.undo(command)
        elif isinstance(command, Correct):
            self._display.notice = self._amends.correct(command)
        elif isinstance(command, FreeSeat):
            self._display.notice = self._answers.seats_changed(self._seating.free(command))
        else:
            self._seating.take(command)
            self._display.notice = self._answers.seats_changed(self._display.notice)

    def _is_private(self, command: Command) -> bool:
        """Say whether a refusal may tell what only one captain knows: then nobody else is told."""
        if isinstance(command, TakeSeat):
            return True  # who tapped it is told
        if isinstance(command, Correct):
            return self.game.info.has_secrets
        pending = self.game.pending(self._book.state)
        return isinstance(command, Act) and isinstance(pending, Decision) and pending.private


def _others(offers: tuple[Offer, ...], entry: Played) -> tuple[Offer, ...]:
    """Return what may have been done instead of what stands."""
    return tuple(offer for offer in offers if offer.action != entry.event.action)
