"""Undo and correction: what happened is taken back, never out of the book.

Where it is one captain's own affair it is done at once; else the other captains are asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from companion.errors import IllegalAction, MalformedAction, StaleVersion
from companion.ledger.events import (
    ActionApplied,
    CorrectionMade,
    Event,
    QuestionAnswered,
    QuestionAsked,
    Retracted,
)
from companion.table.book import Book
from companion.table.commands import Correct, Undo
from companion.table.history import OpenQuestion, Played
from companion.table.sentences import done_text
from companion.table.snapshot import Notice
from companion.table.watcher import Watcher

MOST_NAMED = 5
"""Lines of the log that a question names one by one; more would not be read."""

YES_OR_NO = (
    {"id": "yes", "text": "Agreed", "line": None},
    {"id": "no", "text": "No", "line": None},
)


class Amends:
    """Takes back and puts right. Each method returns what the table should be told, if anything.

    `answer` is the answer that it follows from, if any; it is written in the same batch.
    """

    def __init__(self, book: Book, watcher: Watcher) -> None:
        self._book = book
        self._watcher = watcher

    def undo(self, command: Undo, answer: QuestionAnswered | None = None) -> Notice | None:
        """Take back the last thing that happened, or propose it."""
        history = self._book.history
        last = next(history.standing, None)
        is_another = command.seq is not None and (last is None or last.seq != command.seq)
        if is_another or (command.version is not None and command.version < history.changed):
            raise StaleVersion("Something else has happened meanwhile; nothing was taken back.")
        if last is None:
            raise IllegalAction("table", "There is nothing to take back yet.")
        data = {"of": last.seq, "reason": command.reason, "by": command.seat}
        others = self._must_agree([last], command.seat)
        if not others:
            return self._retract(data, answer)
        text = f"{self._name(command.seat)} wants to take back: {last.event.text}."
        self._ask("undo", text, others, last, {**data, "named": [last.seq]}, answer)
        return None

    def standing(self, seq: int) -> Played:
        """Return the action with this number, which must stand.

        Raises `StaleVersion` when it was taken back or put right, `MalformedAction` if there never
        was one.
        """
        entry = self._book.history.find(seq)
        if entry is not None:
            return entry
        if any(played.seq == seq for played in self._book.history.played):
            raise StaleVersion("This line has been taken back or put right already.")
        raise MalformedAction(f"there is no standing action with number {seq}")

    def correct(self, command: Correct) -> Notice | None:
        """Put another action in the place of one that was misread, or propose it."""
        entry, game = self.standing(command.seq), self._book.game
        self._book.check_private(entry.before, command.action, command.seat)
        game.apply(entry.before, command.action)  # raises when it is illegal there
        data = {
            "of": entry.seq,
            "reason": command.reason,
            "by": command.seat,
            "action": game.action_to_json(command.action),
        }
        others = self._must_agree(self._book.history.since(entry.seq), command.seat)
        if not others:
            return self._put_right(data, None)
        dropped = self._dropped(entry, command.action)
        named = [entry.seq, *(gone.seq for gone in dropped)]
        text = self._correction_text(entry, command.action, command.seat, dropped)
        self._ask("correction", text, others, entry, {**data, "named": named}, None)
        return None

    def go_on(self, entry: Played, action: Any, frame: str) -> None:
        """Put the whole way of a piece in the place of the part of it that was taken down."""
        book = self._book
        whole = book.applied(entry.before, action, "camera", None)
        whole = replace(whole, p=entry.event.p, evidence=book.kept(frame))
        book.tell([CorrectionMade(entry.seq, "moved on", None), whole])
        self._watcher.settle(book.state)

    def carry_out(self, question: OpenQuestion, answer: QuestionAnswered) -> Notice | None:
        """Do what was proposed in a question that all have agreed to.

        If more would go than they were told, because the game went on, they are asked about that.
        """
        data, topic = question.event.data, question.event.topic
        entry = self.standing(data["of"])
        if topic == "undo":
            gone = self._book.history.since(entry.seq)
        else:
            action = self._book.game.action_from_json(data["action"])
            gone = [entry, *self._dropped(entry, action)]
        # Questions of before this was noted named the one line only.
        unnamed = {e.seq for e in gone}.difference(data.get("named", [entry.seq]))
        if unnamed:
            self._ask_again(topic, entry, gone, data, answer)
            return None
        return self._retract(data, answer) if topic == "undo" else self._put_right(data, answer)

    def declined(self, question: OpenQuestion, by: int | None) -> Notice:
        """Return what is told to whoever proposed what another does not agree to."""
        data = question.event.data
        text = self.standing(data["of"]).event.text
        return Notice("hint", f"{self._name(by)} says no. It stands: {text}.", seat=data["by"])

    # -- asking ---------------------------------------------------------------------------------

    def _must_agree(self, undone: list[Played], seat: int | None) -> tuple[int, ...]:
        """Return the seated captains who must agree before these actions are taken back."""
        owners = {entry.event.seat for entry in undone}
        is_own = seat is None or owners == {seat}
        if is_own and not any(entry.event.is_chance for entry in undone):
            return ()
        return tuple(sorted(s for s in self._book.history.phones if s != seat))

    def _ask(
        self,
        topic: str,
        text: str,
        seats: tuple[int, ...],
        about: Played,
        data: dict[str, Any],
        answer: QuestionAnswered | None,
    ) -> None:
        if answer is None and self._book.history.question is not None:
            raise IllegalAction("table", "One question at a time: answer the open one first.")
        asked = QuestionAsked(text, "", seats, YES_OR_NO, topic, about.event.evidence, data)
        self._book.append([asked] if answer is None else [answer, asked])

    def _ask_again(
        self,
        topic: str,
        entry: Played,
        gone: Sequence[Played],
        data: Any,
        answer: QuestionAnswered,
    ) -> None:
        """Ask everybody, the proposer too, about all that would go now."""
        if topic == "undo":
            text = f"More has happened meanwhile. Take all of it back: {_listed(gone)}?"
        else:
            action = self._book.game.action_from_json(data["action"])
            text = self._correction_text(entry, action, data["by"], gone[1:])
            text = f"More has happened meanwhile. {text}"
        named = [e.seq for e in gone]
        seats = tuple(sorted(self._book.history.phones))
        self._ask(topic, text, seats, entry, {**data, "named": named}, answer)

    def _correction_text(
        self, entry: Played, action: Any, by: int | None, dropped: Sequence[Played]
    ) -> str:
        now = done_text(self._book.game, entry.before, action)
        text = f"{self._name(by)} says it was not: {entry.event.text}, but: {now}."
        if not dropped:
            return text
        which = "1 later move does" if len(dropped) == 1 else f"{len(dropped)} later moves do"
        return f"{text} {which} not fit that and would be taken back: {_listed(dropped)}."

    def _name(self, seat: int | None) -> str:
        return "The host" if seat is None else self._book.history.opened.players[seat]

    # -- doing ----------------------------------------------------------------------------------

    def _retract(self, data: Any, answer: QuestionAnswered | None) -> Notice | None:
        undone = [(entry.action, entry.after) for entry in self._book.history.since(data["of"])]
        self._book.tell([Retracted(data["of"], data["reason"], data["by"])], answer)
        self._watcher.settle(self._book.state, undone=undone)
        return None

    def _put_right(self, data: Any, answer: QuestionAnswered | None) -> Notice | None:
        """Put an action in the place of another and play what followed, as far as it is legal."""
        book = self._book
        action = book.game.action_from_json(data["action"])
        first, *later = book.history.since(data["of"])
        again = self._again(first, action)
        right = _corrected(book.applied(first.before, action, "table", data["by"]), first)
        ruling = action in book.game.asides(first.before)
        events: list[Event] = [
            CorrectionMade(data["of"], data["reason"], data["by"]),
            replace(right, by_host=data["by"] is None, house_ruling=ruling),
            *again,
        ]
        book.tell(events, answer)
        self._watcher.settle(book.state)
        dropped = len(later) - len(again)
        if not dropped:
            return None
        which = "1 later move does not fit any more and was taken back."
        if dropped > 1:
            which = f"{dropped} later moves do not fit any more and were taken back."
        return Notice("hint", which)

    def _again(self, first: Played, action: Any) -> list[ActionApplied]:
        """Return what follows once `action` stands in the place of `first`, while it is legal."""
        game = self._book.game
        state = game.apply(first.before, action).state
        events = []
        for entry in self._book.history.since(first.seq)[1:]:
            if not game.check(state, entry.action):
                break
            events.append(_played_again(self._book.applied(state, entry.action, "", None), entry))
            state = game.apply(state, entry.action).state
        return events

    def _dropped(self, first: Played, action: Any) -> list[Played]:
        """Return the later actions that do not fit once `action` stands in the place of `first`."""
        later = self._book.history.since(first.seq)[1:]
        return later[len(self._again(first, action)) :]


def _corrected(event: ActionApplied, entry: Played) -> ActionApplied:
    """Return what takes the place of an entry, with the picture and the reading it was made of.

    It happened when the entry did: a roll put right on the next day is no roll of that day.
    """
    was = entry.event
    return replace(event, evidence=was.evidence, dice=was.dice, happened_s=entry.time_s)


def _played_again(event: ActionApplied, entry: Played) -> ActionApplied:
    """Return an entry as it stands after a correction: nothing is another but how it is said."""
    return replace(
        entry.event,
        text=event.text,
        seat=event.seat,
        phase=event.phase,
        happened_s=entry.time_s,
    )


def _listed(entries: Sequence[Played]) -> str:
    """Name lines of the log: ``"Red rolls 3; Red: sail 3 NE"``."""
    texts = [entry.event.text for entry in entries]
    if len(texts) > MOST_NAMED:
        texts[MOST_NAMED - 1 :] = [f"and {len(texts) - MOST_NAMED + 1} more"]
    return "; ".join(texts)
