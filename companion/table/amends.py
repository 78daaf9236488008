"""Undo and correction: what happened is taken back, never out of the book.

Where it is one captain's own affair it is done at once; else the other captains are asked.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.errors import IllegalAction, MalformedAction, StaleVersion
from companion.ledger.events import ActionApplied, CorrectionMade, Event, QuestionAsked, Retracted
from companion.table.book import Book
from companion.table.commands import Correct, Undo
from companion.table.history import OpenQuestion, Played
from companion.table.sentences import done_text
from companion.table.snapshot import Notice
from companion.table.watcher import Watcher


class Amends:
    """Takes back and puts right. Each method returns what the table should be told, if anything."""

    def __init__(self, book: Book, watcher: Watcher) -> None:
        self._book = book
        self._watcher = watcher

    def undo(self, command: Undo) -> Notice | None:
        """Take back the last thing that happened, or propose it."""
        last = next(self._book.history.standing, None)
        if command.seq is not None and (last is None or last.seq != command.seq):
            raise StaleVersion("Something else has happened meanwhile; nothing was taken back.")
        if last is None:
            raise IllegalAction("table", "There is nothing to take back yet.")
        return self._propose("undo", [last], command.seat, command.reason, None)

    def standing(self, seq: int) -> Played:
        """Return the action with this number. Raises `MalformedAction` if none stands."""
        entry = self._book.history.find(seq)
        if entry is None:
            raise MalformedAction(f"there is no standing action with number {seq}")
        return entry

    def correct(self, command: Correct) -> Notice | None:
        """Put another action in the place of one that was misread, or propose it."""
        entry = self.standing(command.seq)
        self._book.check_private(entry.before, command.action, command.seat)
        self._book.game.apply(entry.before, command.action)  # raises when it is illegal there
        undone = self._book.history.since(command.seq)
        return self._propose("correction", undone, command.seat, command.reason, command.action)

    def go_on(self, entry: Played, action: Any, frame: str) -> None:
        """Put the whole way of a piece in the place of the part of it that was taken down."""
        book = self._book
        whole = book.applied(entry.before, action, "camera", None)
        whole = replace(whole, p=entry.event.p, evidence=book.kept(frame))
        book.tell([CorrectionMade(entry.seq, "moved on", None), whole])
        self._watcher.settle(book.state)

    def carry_out(self, question: OpenQuestion) -> Notice | None:
        """Do what was proposed in a question that all have agreed to."""
        data = question.event.data
        if question.event.topic == "undo":
            return self._retract(data["of"], data["reason"], data["by"])
        action = self._book.game.action_from_json(data["action"])
        return self._put_right(data["of"], action, data["reason"], data["by"])

    def _propose(
        self, topic: str, undone: list[Played], seat: int | None, reason: str, action: Any
    ) -> Notice | None:
        of = undone[0].seq
        others = self._must_agree(undone, seat)
        if not others and topic == "undo":
            return self._retract(of, reason, seat)
        if not others:
            return self._put_right(of, action, reason, seat)
        history, game = self._book.history, self._book.game
        if history.question is not None:
            raise IllegalAction("table", "One question at a time: answer the open one first.")
        name = "The host" if seat is None else history.opened.players[seat]
        before = undone[0].event.text
        text = f"{name} wants to take back: {before}."
        data: dict[str, Any] = {"of": of, "reason": reason, "by": seat}
        if action is not None:
            now = done_text(game, undone[0].before, action)
            text = f"{name} says it was not: {before}, but: {now}."
            data["action"] = game.action_to_json(action)
        choices = (
            {"id": "yes", "text": "Agreed", "line": None},
            {"id": "no", "text": "No", "line": None},
        )
        evidence = undone[0].event.evidence
        self._book.append([QuestionAsked(text, "", others, choices, topic, evidence, data)])
        return None

    def _must_agree(self, undone: list[Played], seat: int | None) -> tuple[int, ...]:
        """Return the seated captains who must agree before these actions are taken back."""
        owners = {entry.event.seat for entry in undone}
        is_own = seat is None or owners == {seat}
        if is_own and not any(entry.event.is_chance for entry in undone):
            return ()
        return tuple(sorted(s for s in self._book.history.phones if s != seat))

    def _retract(self, of: int, reason: str, by: int | None) -> Notice | None:
        undone = [entry.after for entry in self._book.history.since(of)]
        self._book.tell([Retracted(of, reason, by)])
        self._watcher.settle(self._book.state, undone=undone)
        return None

    def _put_right(self, of: int, action: Any, reason: str, by: int | None) -> Notice | None:
        """Put `action` in the place of `of` and play what followed again, as far as it is legal."""
        book, game = self._book, self._book.game
        first, *later = book.history.since(of)
        events: list[Event] = [CorrectionMade(of, reason, by)]
        events.append(_with_evidence(book.applied(first.before, action, "table", by), first))
        state = game.apply(first.before, action).state
        dropped = 0
        for n, entry in enumerate(later):
            if not game.check(state, entry.action):
                dropped = len(later) - n
                break
            again = book.applied(state, entry.action, entry.event.source, entry.event.confirmed_by)
            events.append(_with_evidence(replace(again, p=entry.event.p), entry))
            state = game.apply(state, entry.action).state
        book.tell(events)
        self._watcher.settle(state)
        if not dropped:
            return None
        return Notice("hint", f"{dropped} later moves do not fit any more and were taken back.")


def _with_evidence(event: ActionApplied, entry: Played) -> ActionApplied:
    """Return what takes the place of an entry, with the picture and the reading it was made of."""
    return replace(event, evidence=entry.event.evidence, dice=entry.event.dice)
