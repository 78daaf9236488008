"""The read model of one game: everything the events say, rebuilt by replaying them.

It can be thrown away at any time; `replay` gives an equal one back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from companion.errors import CorruptLedger, IllegalAction, RuleError
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
    StoredEvent,
    unseal,
)
from companion.rules.game import AnyGame, Happening, Step

State = Any


@dataclass(slots=True)
class Played:
    """An action in the log, with the states around it."""

    seq: int
    event: ActionApplied
    action: Any
    before: State
    after: State
    happenings: tuple[Happening, ...]
    time_s: float
    """Wall clock when it happened, seconds since 1970; a correction keeps that of what it corrects.
    """
    is_retracted: bool = False


@dataclass(frozen=True, slots=True)
class Refused:
    """An action in the ledger that the rules do not allow: those of an earlier version did."""

    seq: int
    text: str
    why: str


@dataclass(slots=True)
class OpenQuestion:
    """The question that waits for its answer."""

    id: int
    event: QuestionAsked
    agreed: frozenset[int] = frozenset()
    """Seats that said yes, where all must agree."""


@dataclass(slots=True)
class History:
    """What happened at one table so far."""

    game: AnyGame
    id: str
    """The ledger's id of the game."""
    opened: GameOpened
    state: State
    version: int = 1
    """Number of the last event."""
    changed: int = 1
    """Number of the last event that changed the state of the game."""
    played: list[Played] = field(default_factory=list)
    """All actions, retracted ones included."""
    phones: dict[int, str] = field(default_factory=dict)
    """Hash of the token of the phone on each seat that is taken."""
    asked: OpenQuestion | None = None
    """The question that the ledger leaves open."""
    refused: Refused | None = None
    """What the rules refuse; it and what followed are struck through until the ledger says so."""

    @property
    def question(self) -> OpenQuestion | None:
        """The question that waits for its answer; nobody is asked about what is struck through."""
        return self.asked if self.refused is None else None

    @property
    def standing(self) -> Iterator[Played]:
        """The actions that were not taken back, latest first."""
        return (p for p in reversed(self.played) if not p.is_retracted)

    def since(self, seq: int) -> list[Played]:
        """Return the standing actions from number `seq` on, in order."""
        return [p for p in self.played if p.seq >= seq and not p.is_retracted]

    def find(self, seq: int) -> Played | None:
        """Return the standing action with this number."""
        return next((p for p in self.standing if p.seq == seq), None)

    def seat_of(self, phone: str) -> int | None:
        """Return the seat of the phone with this hash."""
        return next((seat for seat, held in self.phones.items() if held == phone), None)

    def may_speak_for(self, seat: int | None, player: int) -> bool:
        """Say who may act: the host for all, a phone for its seat and for those nobody took."""
        return seat is None or seat == player or player not in self.phones

    def sitting(self, question: OpenQuestion) -> frozenset[int]:
        """Return the seats asked on which a phone sits: those can answer, and all must agree."""
        return frozenset(question.event.seats) & self.phones.keys()

    def take(self, stored: StoredEvent) -> None:
        """Add one event.

        Raises
        ------
        CorruptLedger
            When it is of another game, out of sequence, or speaks of what there is not.
        """
        where = f"game {self.id!r}, event {stored.seq}"
        if stored.game != self.id:
            raise CorruptLedger(f"{where}: it belongs to game {stored.game!r}")
        if stored.seq != self.version + 1:
            raise CorruptLedger(f"{where}: event {self.version + 1} was expected here")
        self._take(stored.seq, unseal(stored), stored.time_s)
        self.version = stored.seq

    def _take(self, seq: int, event: Event, time_s: float) -> None:
        if isinstance(event, ActionApplied):
            self._play(seq, event, time_s)
        elif isinstance(event, Retracted | CorrectionMade):
            self._retract(seq, event.of)
        elif isinstance(event, SeatTaken):
            self._seat(event)
        elif isinstance(event, QuestionAsked):
            self.asked = OpenQuestion(seq, event)
        elif isinstance(event, QuestionAnswered):
            self._answer(seq, event)
        elif isinstance(event, QuestionWithdrawn):
            self.asked = None
        else:
            raise CorruptLedger(f"game {self.id!r}, event {seq}: the game is open already")

    def _play(self, seq: int, event: ActionApplied, time_s: float) -> None:
        action, step = None, Step(self.state)
        if self.refused is None:
            try:
                action = self.game.action_from_json(event.action)
                step = self.game.apply(self.state, action)
            except RuleError as error:
                is_known = isinstance(error, IllegalAction)
                why = str(error) if is_known else "This version knows no such action."
                self.refused = Refused(seq, event.text, why)
        when = time_s if event.happened_s is None else event.happened_s
        played = Played(seq, event, action, self.state, step.state, step.happenings, when)
        played.is_retracted = self.refused is not None
        self.played.append(played)
        self.state = step.state
        self.changed = seq

    def _retract(self, seq: int, of: int) -> None:
        refused = self.refused
        if refused is not None and of >= refused.seq:
            if of == refused.seq:
                self.refused = None
            return  # struck through as it is
        self.refused = None
        undone = self.since(of)
        if not undone or undone[0].seq != of:
            raise CorruptLedger(f"game {self.id!r}, event {seq}: there is no action {of} to undo")
        for entry in undone:
            entry.is_retracted = True
        self.state = undone[0].before
        self.changed = seq

    def _seat(self, event: SeatTaken) -> None:
        self.phones = {s: phone for s, phone in self.phones.items() if phone != event.phone}
        if event.seat is not None:
            self.phones[event.seat] = event.phone

    def _answer(self, seq: int, event: QuestionAnswered) -> None:
        if self.asked is None or self.asked.id != event.question:
            raise CorruptLedger(
                f"game {self.id!r}, event {seq}: question {event.question} is not open"
            )
        agreed = self.asked.agreed | ({event.by} if event.by is not None else set())
        settles = event.settles
        if settles is None:
            settles = self._settled_of_old(self.asked, event, agreed)
        if settles:
            self.asked = None
        else:
            self.asked.agreed = agreed

    def _settled_of_old(
        self, question: OpenQuestion, event: QuestionAnswered, agreed: frozenset[int]
    ) -> bool:
        """Say whether an answer closed its question by the rule of when nothing was noted of it."""
        is_shared = question.event.topic != "reading" and event.by is not None
        return not is_shared or event.choice != "yes" or agreed.issuperset(question.event.seats)


def begin(game: AnyGame, first: StoredEvent) -> History:
    """Return the history that starts with the event `game_opened`.

    Raises
    ------
    CorruptLedger
        When the event is something else, or the game cannot be set up from it.
    """
    opened = read_opening(first)
    try:
        state = game.setup(opened.players, opened.options)
    except RuleError as error:
        raise CorruptLedger(f"game {first.game!r} cannot be set up again: {error}") from error
    return History(game, first.game, opened, state)


def read_opening(first: StoredEvent) -> GameOpened:
    """Return what was opened; raises `CorruptLedger` when the event says something else."""
    opened = unseal(first)
    if first.seq != 1 or not isinstance(opened, GameOpened):
        raise CorruptLedger(f"game {first.game!r} does not begin with its opening")
    return opened


def replay(game: AnyGame, events: Iterable[StoredEvent]) -> History:
    """Return the history which all events of a game tell."""
    remaining = iter(events)
    first = next(remaining, None)
    if first is None:
        raise CorruptLedger("a game without events")
    history = begin(game, first)
    for stored in remaining:
        history.take(stored)
    return history
