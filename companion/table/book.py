"""The book of one game: the only hand that writes in the ledger, and the pictures kept with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion import __version__
from companion.boards.profile import BoardProfile
from companion.errors import CorruptLedger, NotYourTurn, SequenceConflict, StaleVersion
from companion.ledger.events import (
    TRAY_PICTURE,
    ActionApplied,
    CorrectionMade,
    Event,
    GameOpened,
    QuestionAnswered,
    QuestionAsked,
    QuestionWithdrawn,
    Retracted,
    SeatTaken,
    picture_name,
)
from companion.ledger.store import Records, Store, verify_chain
from companion.rules.game import CHANCE, AnyGame, Decision, GameOver, Pending
from companion.rules.options import check_alike, new_game
from companion.table.history import History, read_opening, replay
from companion.table.scoreboard import player_of
from companion.table.sentences import done_text

Picture = Callable[[], bytes]
"""Gives the JPEG of the picture just observed; called only when it is to be kept."""


@dataclass(frozen=True, slots=True)
class _Held:
    """Pictures that may become evidence."""

    name: str
    jpeg: bytes
    tray: bytes | None
    """The tray alone, at full size; written with rolls only."""

    def written_with(self, events: Iterable[Event]) -> Mapping[str, bytes]:
        """Return what is to be kept of it for these events."""
        naming = [is_roll for e in events for name, is_roll in _named(e) if name == self.name]
        pictures = {self.name: self.jpeg} if naming else {}
        if self.tray is not None and any(naming):
            pictures[self.name + TRAY_PICTURE] = self.tray
        return pictures


def _named(event: Event) -> Iterator[tuple[str | None, bool]]:
    """Yield the pictures that an event names, and whether each is of a roll."""
    if isinstance(event, ActionApplied):
        yield event.evidence, event.is_chance
    elif isinstance(event, QuestionAsked):
        yield event.evidence, False
        for line in event.data.get("readings", {}).values():
            yield from ((read["evidence"], bool(read["dice"])) for read in line)


class Book:
    """Writes what happens: durable in the ledger first, then in `history`.

    Made by `open_book` or `resume_book`.
    """

    def __init__(self, history: History, store: Store, clock: Callable[[], float]) -> None:
        self.history = history
        self._store = store
        self._clock = clock
        self._held: dict[str, _Held] = {}

    @property
    def game(self) -> AnyGame:
        """The rules."""
        return self.history.game

    @property
    def state(self) -> Any:
        """The state of the game as recorded."""
        return self.history.state

    def applied(self, state: Any, action: Any, source: str, by: int | None) -> ActionApplied:
        """Return the event that an action was done in a state."""
        return ActionApplied(
            action=self.game.action_to_json(action),
            text=done_text(self.game, state, action),
            seat=int(player_of(self.game, state, action)),
            source=source,
            is_chance=action.player == CHANCE,
            confirmed_by=by,
            phase=phase_of(self.game.pending(state)),
        )

    def check_private(self, state: Any, action: Any, by: int | None) -> None:
        """Refuse a deal that hangs on a secret if another phone than its captain's tells it.

        Whether it can be done at all would tell the secret. What everybody does by playing on may
        be told by anybody, and so may the deals of a captain without a phone.
        """
        pending = self.game.pending(state)
        if not isinstance(pending, Decision) or not pending.private:
            return
        mine, player = action.player == pending.player, int(pending.player)
        if mine and action != pending.passing and player in self.history.phones and by != player:
            name = self.history.opened.players[player]
            raise NotYourTurn("table", f"Only the phone of {name} tells this; it is their secret.")

    def append(self, events: Sequence[Event]) -> None:
        """Write events, all or none, with the pictures they name.

        What today's rules refuse is taken back before, unless only phones sit down or stand up.
        Raises `StaleVersion` when somebody else has written in this game.
        """
        if not all(isinstance(event, SeatTaken) for event in events):
            events = [*self._refusal(), *events]
        pictures: dict[str, bytes] = {}
        for held in self._held.values():
            pictures.update(held.written_with(events))
        history = self.history
        try:
            stored = self._store.append(
                history.id, history.version, events, self._clock(), pictures
            )
        except SequenceConflict as error:
            raise StaleVersion(f"the game was changed from elsewhere: {error}") from error
        for event in stored:
            history.take(event)

    def tell(self, events: Sequence[Event], answer: QuestionAnswered | None = None) -> None:
        """Write what people said; it makes an open question about a picture moot.

        One about taking back or putting right waits for its answer, unless what it is about is
        taken back now. What follows from an answer is written together with it, all or nothing: a
        question must not be gone while its answer has done nothing.
        """
        if answer is not None:
            self.append([answer, *events])
        elif self._is_moot(events):
            self.append([*self._withdrawal("it was told in another way"), *events])
        else:
            self.append(events)

    def _is_moot(self, events: Sequence[Event]) -> bool:
        """Say whether the open question has no meaning after these events."""
        question = self.history.question
        if question is None or question.event.topic == "reading":
            return True
        of = question.event.data["of"]
        return any(isinstance(e, Retracted | CorrectionMade) and e.of <= of for e in events)

    def withdraw(self, reason: str) -> None:
        """Take the open question back, if there is one."""
        if self.history.question is not None:
            self.append(self._withdrawal(reason))

    def _withdrawal(self, reason: str) -> list[Event]:
        question = self.history.question
        return [] if question is None else [QuestionWithdrawn(question.id, reason)]

    def _refusal(self) -> list[Event]:
        """Return what takes back what the rules refuse, and the question that was left open."""
        refused, asked = self.history.refused, self.history.asked
        if refused is None:
            return []
        moot: list[Event] = [] if asked is None else [QuestionWithdrawn(asked.id, refused.why)]
        return [*moot, Retracted(refused.seq, refused.why, None)]

    # -- pictures -------------------------------------------------------------------------------

    def keep(
        self,
        wanted: Iterable[str],
        frame: str,
        picture: Picture | None,
        tray: Picture | None = None,
    ) -> None:
        """Hold the pictures just taken if they are wanted, and let go of those that are not."""
        frames = set(wanted)
        if frame in frames and frame not in self._held and picture is not None:
            jpeg, dice = picture(), None if tray is None else tray()
            self._held[frame] = _Held(picture_name(frame, jpeg, dice), jpeg, dice)
        self._held = {name: held for name, held in self._held.items() if name in frames}

    def kept(self, frame: str | None) -> str | None:
        """Return the name under which a picture can be written with an event, if it is held."""
        held = None if frame is None else self._held.get(frame)
        return None if held is None else held.name

    def picture(self, name: str) -> bytes | None:
        """Return a picture that is held or was written (JPEG), or ``None``."""
        for held in self._held.values():
            if held.name == name:
                return held.jpeg
        return self._store.picture(self.history.id, name)


def phase_of(pending: Pending) -> str:
    """Return the named part of the game that something is done in."""
    return "" if isinstance(pending, GameOver) else pending.phase


def open_book(
    game: AnyGame,
    players: Sequence[str],
    options: Mapping[str, object],
    profile: BoardProfile,
    store: Store,
    clock: Callable[[], float],
    game_id: str,
) -> Book:
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

    Raises
    ------
    BadOptions
        When the game cannot be set up so, or two names sound alike.
    SequenceConflict
        When the ledger has a game with this id.
    """
    chosen = {**options, **profile.options}
    state = new_game(game, players, chosen)
    check_alike(players)
    opened = GameOpened(game.info.id, tuple(players), chosen, profile.id, __version__)
    store.append(game_id, 0, [opened], clock())
    return Book(History(game, game_id, opened, state), store, clock)


def resume_book(game: AnyGame, store: Store, clock: Callable[[], float], game_id: str) -> Book:
    """Go on with a game exactly where it stood: state, log, seats and open question.

    Where it holds what the rules refuse, they having been mended since, it goes on from before that
    (`History.refused`). `opening` tells which game and profile it is played with.

    Raises
    ------
    CorruptLedger
        Naming the first event that is broken.
    """
    events = store.read(game_id)
    verify_chain(game_id, events)
    return Book(replay(game, events), store, clock)


def opening(store: Records, game_id: str) -> GameOpened:
    """Return which game, players and board a kept game has. Raises `CorruptLedger`."""
    events = store.read(game_id)
    if not events:
        raise CorruptLedger(f"the ledger has no game {game_id!r}")
    return read_opening(events[0])
