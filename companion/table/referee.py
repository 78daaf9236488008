"""The referee: the single writer of one game. Everything that changes it comes through here.

Pictures (`Referee.observe`) and commands (`Referee.command`) take the same way: what happened is
checked by the rules, appended to the ledger, and only then shown.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from threading import RLock
from typing import Any

from companion.boards.profile import BoardProfile
from companion.errors import (
    CompanionError,
    CorruptLedger,
    GameIsOver,
    IllegalAction,
    MalformedAction,
    NotYourTurn,
    SequenceConflict,
    StaleVersion,
)
from companion.ledger.events import (
    ActionApplied,
    CorrectionMade,
    Event,
    GameOpened,
    QuestionAnswered,
    QuestionAsked,
    QuestionWithdrawn,
    Retracted,
    SeatTaken,
)
from companion.ledger.store import Store, verify_chain
from companion.rules.game import CHANCE, AnyGame, ChanceRoll, Decision, GameOver
from companion.table.commands import (
    Act,
    Allow,
    AnswerQuestion,
    Command,
    Correct,
    PressTurn,
    TakeSeat,
    Undo,
)
from companion.table.findings import Explanation
from companion.table.history import History, OpenQuestion, Played, read_opening, replay
from companion.table.observation import Observation, Unreadable
from companion.table.ports import Listener, Offer, Receipt
from companion.table.scoreboard import follow, player_of, take_snapshot
from companion.table.sentences import acting_seat
from companion.table.snapshot import Notice, Snapshot
from companion.table.watcher import Apply, Ask, Nothing, Verdict, Wait, Watcher
from companion.table.wire import read_command

MOST_OFFERS = 400
MOST_CHOICES = 6
"""Readings offered in one question; more would not fit a phone."""

Picture = Callable[[], bytes]
"""Gives the JPEG of the picture just observed; called only when it is to be kept."""


class Referee:
    """One game in play, implementing `companion.table.ports.Table`.

    Made by `Referee.open` or `Referee.resume`.
    """

    def __init__(
        self, history: History, profile: BoardProfile, store: Store, clock: Callable[[], float]
    ) -> None:
        self._lock = RLock()
        self._history = history
        self._profile = profile
        self._store = store
        self._clock = clock
        self._watcher = Watcher(history.game, history.state)
        self._asked: dict[str, Explanation] = {}
        self._asked_key: tuple[object, ...] | None = None
        self._pictures: dict[str, bytes] = {}
        self._notice: Notice | None = None
        self._health: dict[str, str] = {}
        self._listeners: list[Listener] = []
        self._snapshot = self._take_snapshot()

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
        software: str = "",
    ) -> Referee:
        """Open a new game and write its first event.

        Parameters
        ----------
        game : AnyGame
            The rules.
        players : sequence of str
            Names by seat.
        options : mapping
            Options of the game; those which the board fixes win over them.
        profile : BoardProfile
            The board it is played on.
        store : Store
            The ledger.
        clock : callable
            Wall clock, seconds since 1970.
        game_id : str
            The ledger's id for this game, not used before.
        software : str
            Version of Quarterdeck, for the record.

        Raises
        ------
        BadOptions
            When the game cannot be set up so.
        SequenceConflict
            When the ledger has a game with this id.
        """
        chosen = {**options, **profile.options}
        state = game.setup(players, chosen)
        opened = GameOpened(game.info.id, tuple(players), chosen, profile.id, software)
        store.append(game_id, 0, [opened], clock())
        return cls(History(game, game_id, opened, state), profile, store, clock)

    @classmethod
    def resume(
        cls,
        game: AnyGame,
        profile: BoardProfile,
        store: Store,
        clock: Callable[[], float],
        game_id: str,
    ) -> Referee:
        """Go on with a game exactly where it stood: state, log, seats and open question.

        `opening` tells which game and profile it is played with.

        Raises
        ------
        CorruptLedger
            Naming the first event that is broken or cannot be replayed.
        """
        events = store.read(game_id)
        verify_chain(game_id, events)
        return cls(replay(game, events), profile, store, clock)

    # -- the table port -------------------------------------------------------------------------

    @property
    def id(self) -> str:
        """The ledger's id of this game."""
        return self._history.id

    @property
    def game(self) -> AnyGame:
        """The rules it is played by."""
        return self._history.game

    @property
    def state(self) -> Any:
        """The state of the game as recorded."""
        with self._lock:
            return self._history.state

    @property
    def profile(self) -> BoardProfile:
        """The board it is played on."""
        return self._profile

    def snapshot(self) -> Snapshot:
        """Return the table as it stands."""
        with self._lock:
            return self._snapshot

    def offers(self, seat: int | None) -> tuple[Offer, ...]:
        """Return what a seat may tell the table now."""
        with self._lock:
            game, state = self.game, self._history.state
            pending = game.pending(state)
            if isinstance(pending, GameOver) or not self._may_speak_for(seat, int(pending.player)):
                return ()
            player = CHANCE if isinstance(pending, ChanceRoll) else pending.player
            actions = game.legal_actions(state, player)
            if len(actions) > MOST_OFFERS:
                return ()
            return tuple(Offer(game.describe(state, a), game.action_to_json(a)) for a in actions)

    @property
    def is_unsure(self) -> bool:
        """Whether the last picture left something open: look again while the rest lasts."""
        with self._lock:
            return self._watcher.is_unsure

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Be told of every new snapshot; returns how to end it."""
        with self._lock:
            self._listeners.append(listener)

        def end() -> None:
            with self._lock:
                if listener in self._listeners:
                    self._listeners.remove(listener)

        return end

    def evidence(self, name: str) -> bytes | None:
        """Return an evidence picture (JPEG), or ``None``."""
        with self._lock:
            pending = self._pictures.get(name)
        return pending if pending is not None else self._store.picture(self.id, name)

    def report_health(self, part: str, text: str | None) -> None:
        """Show that a part of the set-up is ill and what to do, or with ``None`` well again."""
        with self._lock:
            if self._health.get(part) == text:
                return
            if text is None:
                del self._health[part]
            else:
                self._health[part] = text
            self._publish()

    def command_json(self, data: Mapping[str, Any]) -> Receipt:
        """Read a command from JSON (`companion.table.wire`) and carry it out."""
        return self.command(read_command(self.game, data))

    def command(self, command: Command) -> Receipt:
        """Carry out a command. Raises a `CompanionError`; then nothing has changed."""
        with self._lock:
            try:
                self._carry_out(command)
            except IllegalAction as refusal:
                seat = getattr(command, "seat", None)
                self._notice = Notice("refusal", refusal.reason, refusal.rule, seat)
                self._publish()
                raise
            self._publish()
            return Receipt(self._history.version)

    def observe(self, seen: Observation | Unreadable, picture: Picture | None = None) -> None:
        """Take in one picture at rest.

        Call it again while the rest lasts: a question is asked only after a while, and what rests
        on the absence of a die wants a second look.

        Parameters
        ----------
        seen : Observation or Unreadable
            What was measured.
        picture : callable, optional
            Gives the JPEG, kept as evidence if anything rests on it.
        """
        with self._lock:
            if isinstance(seen, Unreadable):
                self.report_health("camera", seen.reason)
                return
            self.report_health("camera", None)
            if isinstance(self.game.pending(self._history.state), GameOver):
                return
            verdict = self._watcher.observe(seen)
            self._keep_picture(seen.frame_id, verdict, picture)
            self._heed(verdict, seen.frame_id)
            self._publish()

    # -- pictures -------------------------------------------------------------------------------

    def _keep_picture(self, frame: str, verdict: Verdict, picture: Picture | None) -> None:
        wanted = set(self._watcher.evidence)
        if isinstance(verdict, Apply):
            wanted |= {s.evidence for s in verdict.explanation.steps if s.evidence}
        if isinstance(verdict, Ask):
            wanted.add(frame)
        if frame in wanted and frame not in self._pictures and picture is not None:
            self._pictures[frame] = picture()
        self._pictures = {name: jpeg for name, jpeg in self._pictures.items() if name in wanted}

    def _heed(self, verdict: Verdict, frame: str) -> None:
        """Carry out what the watcher made of a picture."""
        key = verdict.key if isinstance(verdict, Wait | Ask) else None
        question = self._history.question
        is_reading = question is not None and question.event.topic == "reading"
        if is_reading and key != self._asked_key:
            self._withdraw("the table told it by itself")
        if isinstance(verdict, Apply):
            self._apply_explanation(verdict.explanation, None)
        elif isinstance(verdict, Nothing):
            self._notice = verdict.notice
        elif isinstance(verdict, Wait):
            self._notice = verdict.notice
        elif self._history.question is None:
            self._ask_about_picture(verdict, frame)

    def _apply_explanation(self, explanation: Explanation, confirmed_by: int | None) -> None:
        events: list[Event] = []
        state = self._history.state
        for step in explanation.steps:
            event = self._applied(state, step.action, "camera", None)
            events.append(
                ActionApplied(
                    action=event.action,
                    text=event.text,
                    seat=event.seat,
                    source="camera",
                    is_chance=event.is_chance,
                    p=step.p,
                    evidence=self._kept(step.evidence),
                    confirmed_by=confirmed_by,
                    equivalent=step.equivalent,
                )
            )
            state = self.game.apply(state, step.action).state
        self._append(events)
        self._watcher.accept(explanation)
        self._notice = None

    def _kept(self, frame: str | None) -> str | None:
        return frame if frame in self._pictures else None

    def _ask_about_picture(self, ask: Ask, frame: str) -> None:
        pending = self.game.pending(self._history.state)
        seat = acting_seat(pending)
        self._asked = {}
        choices: list[Mapping[str, Any]] = []
        for explanation in ask.explanations[:MOST_CHOICES]:
            choice = f"line{len(choices) + 1}"
            self._asked[choice] = explanation
            line = [self.game.action_to_json(s.action) for s in explanation.steps]
            choices.append({"id": choice, "text": self._line_text(explanation), "line": line})
        if ask.explanations:
            choices.append({"id": "other", "text": "None of these", "line": None})
            text = "What happened?"
        else:
            choices.append({"id": "other", "text": "I put it back", "line": []})
            if next(self._history.standing, None) is not None:
                choices.append({"id": "undo", "text": "Take back the last move", "line": None})
            text = ask.notice.text
        self._asked_key = ask.key
        self._notice = ask.notice
        self._append(
            [
                QuestionAsked(
                    text=text,
                    rule=ask.notice.rule,
                    seats=() if seat is None else (seat,),
                    choices=tuple(choices),
                    topic="reading",
                    evidence=self._kept(frame),
                )
            ]
        )

    def _line_text(self, explanation: Explanation) -> str:
        state, parts = self._history.state, []
        for step in explanation.steps:
            parts.append(self.game.describe(state, step.action))
            state = self.game.apply(state, step.action).state
        return "; then ".join(parts) or "Nothing has happened yet"

    # -- commands -------------------------------------------------------------------------------

    def _carry_out(self, command: Command) -> None:
        if isinstance(command, Act):
            self._act(command)
        elif isinstance(command, AnswerQuestion):
            self._answer(command)
        elif isinstance(command, PressTurn):
            self._press_turn(command)
        elif isinstance(command, Undo):
            self._undo(command)
        elif isinstance(command, Correct):
            self._correct(command)
        elif isinstance(command, TakeSeat):
            self._take_seat(command)
        else:
            self._allow(command)

    def _act(self, command: Act) -> None:
        if command.version is not None and command.version < self._history.changed:
            raise StaleVersion(
                f"the table has moved on (event {self._history.changed}, you saw "
                f"{command.version}); look again"
            )
        state = self._history.state
        self._check_seat(command.seat, int(player_of(self.game, state, command.action)))
        after = self.game.apply(state, command.action).state
        self._tell([self._applied(state, command.action, "phone", command.seat)])
        self._watcher.settle(after, told=self.game.rolled(command.action))

    def _tell(self, events: list[Event]) -> None:
        """Append what people said; it makes any question about the picture moot."""
        if self._history.question is not None:
            question = self._history.question.id
            events = [QuestionWithdrawn(question, "it was told in another way"), *events]
        self._append(events)
        self._notice = None

    def _applied(self, state: Any, action: Any, source: str, by: int | None) -> ActionApplied:
        game = self.game
        return ActionApplied(
            action=game.action_to_json(action),
            text=game.describe(state, action),
            seat=int(player_of(game, state, action)),
            source=source,
            is_chance=action.player == CHANCE,
            confirmed_by=by,
        )

    def _answer(self, command: AnswerQuestion) -> None:
        question = self._history.question
        if question is None or question.id != command.question:
            raise StaleVersion("this question has been settled already")
        known = [c["id"] for c in question.event.choices]
        if command.choice not in known:
            raise MalformedAction(f"the choices are {', '.join(known)}, not {command.choice!r}")
        asked = question.event.seats  # nobody in particular: everybody
        if (
            command.seat is not None
            and asked
            and not any(self._may_speak_for(command.seat, s) for s in asked)
        ):
            raise NotYourTurn("table", "Somebody else is asked this question.")
        if question.event.topic == "reading":
            self._answer_reading(question, command)
        else:
            self._answer_proposal(question, command)

    def _answer_reading(self, question: OpenQuestion, command: AnswerQuestion) -> None:
        self._append([QuestionAnswered(question.id, command.choice, command.seat)])
        explanation = self._asked.get(command.choice)
        choice = next(c for c in question.event.choices if c["id"] == command.choice)
        if explanation is not None and explanation.steps:
            self._apply_explanation(explanation, command.seat)
        elif choice.get("line"):
            self._apply_told_line(choice["line"], command.seat, question.event.evidence)
        elif command.choice == "undo":
            self._undo(Undo(command.seat, "taken back when the table asked"))
        else:
            self._watcher.decline()

    def _apply_told_line(
        self, line: Sequence[Mapping[str, Any]], seat: int | None, evidence: str | None
    ) -> None:
        """Carry out an answer to a question that was asked before a restart."""
        events: list[Event] = []
        state = self._history.state
        for data in line:
            action = self.game.action_from_json(data)
            events.append(self._applied(state, action, "camera", seat))
            state = self.game.apply(state, action).state
        self._append(events)
        self._watcher.settle(state)
        self._notice = None

    def _answer_proposal(self, question: OpenQuestion, command: AnswerQuestion) -> None:
        self._append([QuestionAnswered(question.id, command.choice, command.seat)])
        if command.choice == "yes" and self._history.question is None:
            data = question.event.data
            if question.event.topic == "undo":
                self._retract(data["of"], data["reason"], data["by"])
            else:
                action = self.game.action_from_json(data["action"])
                self._make_correction(data["of"], action, data["reason"], data["by"])

    def _press_turn(self, command: PressTurn) -> None:
        pending = self.game.pending(self._history.state)
        if isinstance(pending, GameOver):
            raise GameIsOver("table", pending.text)
        self._check_seat(command.seat, int(pending.player))
        verdict = self._watcher.press()
        if isinstance(verdict, Apply):
            self._heed(verdict, "")
            return
        if isinstance(verdict, Ask):
            if self._history.question is None:
                self._ask_about_picture(verdict, "")
            return
        silent = self._silent_choice(pending)
        if silent is not None:
            state = self._history.state
            self._tell([self._applied(state, silent, "button", command.seat)])
            self._watcher.settle(self._history.state)
            return
        ruling = self.game.objection(
            self._history.state, self._watcher.outlook.layout(self._history.state)
        )
        raise IllegalAction(ruling.rule or "table", ruling.reason or f"{pending.text}.")

    def _silent_choice(self, pending: Decision | ChanceRoll) -> Any | None:
        """Return the one legal choice that leaves no trace on the table: to pass."""
        if not isinstance(pending, Decision):
            return None
        outlook, state = self._watcher.outlook, self._history.state
        layout = outlook.layout(state)
        silent = [c.action for c in outlook.choices(state, pending.player) if c.layout == layout]
        return silent[0] if len(silent) == 1 else None

    def _take_seat(self, command: TakeSeat) -> None:
        seats = len(self._history.opened.players)
        if command.seat is not None and not 0 <= command.seat < seats:
            raise MalformedAction(f"the seats are 0 to {seats - 1}, not {command.seat}")
        phone = hashlib.sha256(command.phone.encode()).hexdigest()
        holder = None if command.seat is None else self._history.phones.get(command.seat)
        if holder is not None and holder != phone:
            name = self._history.opened.players[command.seat or 0]
            raise NotYourTurn("table", f"Another phone sits on the seat of {name}.")
        seated = next((s for s, p in self._history.phones.items() if p == phone), None)
        if seated != command.seat:  # a phone that sits down again after a restart is no news
            self._append([SeatTaken(command.seat, phone)])

    def _allow(self, command: Allow) -> None:
        raise IllegalAction(
            "table",
            "This cannot be let stand, for the rules have no name for it: put it back or undo.",
        )

    # -- undo and correction --------------------------------------------------------------------

    def _undo(self, command: Undo) -> None:
        last = next(self._history.standing, None)
        if last is None:
            raise IllegalAction("table", "There is nothing to take back yet.")
        self._propose("undo", [last], command.seat, command.reason, None)

    def _correct(self, command: Correct) -> None:
        entry = self._history.find(command.seq)
        if entry is None:
            raise MalformedAction(f"there is no standing action with number {command.seq}")
        self.game.apply(entry.before, command.action)  # raises when it is illegal there
        undone = self._history.since(command.seq)
        self._propose("correction", undone, command.seat, command.reason, command.action)

    def _propose(
        self, topic: str, undone: list[Played], seat: int | None, reason: str, action: Any
    ) -> None:
        """Do it at once where that is one captain's own affair, else ask the others."""
        of = undone[0].seq
        others = self._must_agree(undone, seat)
        if not others:
            if topic == "undo":
                self._retract(of, reason, seat)
            else:
                self._make_correction(of, action, reason, seat)
            return
        if self._history.question is not None:
            raise IllegalAction("table", "One question at a time: answer the open one first.")
        name = "The host" if seat is None else self._history.opened.players[seat]
        before = undone[0].event.text
        text = f"{name} wants to take back: {before}."
        data: dict[str, Any] = {"of": of, "reason": reason, "by": seat}
        if action is not None:
            now = self.game.describe(undone[0].before, action)
            text = f"{name} says it was not: {before}, but: {now}."
            data["action"] = self.game.action_to_json(action)
        choices = (
            {"id": "yes", "text": "Agreed", "line": None},
            {"id": "no", "text": "No", "line": None},
        )
        evidence = undone[0].event.evidence
        self._append([QuestionAsked(text, "", others, choices, topic, evidence, data)])

    def _must_agree(self, undone: list[Played], seat: int | None) -> tuple[int, ...]:
        """Return the seated captains who must agree before these actions are taken back."""
        owners = {entry.event.seat for entry in undone}
        is_own = seat is None or owners == {seat}
        if is_own and not any(entry.event.is_chance for entry in undone):
            return ()
        return tuple(sorted(s for s in self._history.phones if s != seat))

    def _retract(self, of: int, reason: str, by: int | None) -> None:
        undone = [entry.after for entry in self._history.since(of)]
        self._tell([Retracted(of, reason, by)])
        self._watcher.settle(self._history.state, undone=undone)

    def _make_correction(self, of: int, action: Any, reason: str, by: int | None) -> None:
        """Put `action` in the place of `of` and play what followed again, as far as it is legal."""
        first, *later = self._history.since(of)
        events: list[Event] = [CorrectionMade(of, reason, by)]
        events.append(self._applied(first.before, action, "table", by))
        state = self.game.apply(first.before, action).state
        dropped = 0
        for n, entry in enumerate(later):
            if not self.game.check(state, entry.action):
                dropped = len(later) - n
                break
            events.append(self._applied(state, entry.action, "table", by))
            state = self.game.apply(state, entry.action).state
        self._tell(events)
        self._watcher.settle(state)
        if dropped:
            text = f"{dropped} later moves do not fit any more and were taken back."
            self._notice = Notice("hint", text)

    # -- who may speak for whom -----------------------------------------------------------------

    def _may_speak_for(self, seat: int | None, player: int) -> bool:
        """Say who may act: the host for all, a phone for its seat and for those nobody took."""
        return seat is None or seat == player or player not in self._history.phones

    def _check_seat(self, seat: int | None, player: int) -> None:
        if not self._may_speak_for(seat, player):
            name = self._history.opened.players[player]
            raise NotYourTurn("table", f"It is on {name} now.")

    # -- writing and showing --------------------------------------------------------------------

    def _append(self, events: Sequence[Event]) -> None:
        named = {getattr(e, "evidence", None) for e in events}
        pictures = {n: jpeg for n, jpeg in self._pictures.items() if n in named}
        try:
            stored = self._store.append(
                self.id, self._history.version, events, self._clock(), pictures
            )
        except SequenceConflict as error:
            raise StaleVersion(f"the game was changed from elsewhere: {error}") from error
        for event in stored:
            self._history.take(event)

    def _withdraw(self, reason: str) -> None:
        if self._history.question is not None:
            self._append([QuestionWithdrawn(self._history.question.id, reason)])
        self._asked_key = None

    def _take_snapshot(self) -> Snapshot:
        return take_snapshot(self._history, self._watcher.outlook, self._notice, self._health)

    def _publish(self) -> None:
        """Show the new snapshot if anything has changed; what fails to show it is only noted."""
        new = self._take_snapshot()
        if new == self._snapshot:
            return
        self._snapshot = new
        for listener in tuple(self._listeners):
            try:
                listener(new)
            except CompanionError as error:
                self._health["display"] = f"A display failed: {error}"
                self._snapshot = self._take_snapshot()


def opening(store: Store, game_id: str) -> GameOpened:
    """Return which game, players and board a kept game has. Raises `CorruptLedger`."""
    events = store.read(game_id)
    if not events:
        raise CorruptLedger(f"the ledger has no game {game_id!r}")
    return read_opening(events[0])


__all__ = ["Referee", "follow", "opening"]
