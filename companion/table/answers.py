"""Answers to what the table asks, and what follows from them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.errors import MalformedAction, NotYourTurn, StaleVersion
from companion.ledger.events import QuestionAnswered
from companion.table.amends import Amends
from companion.table.book import Book
from companion.table.commands import AnswerQuestion, Undo
from companion.table.history import OpenQuestion
from companion.table.readings import Readings
from companion.table.snapshot import Notice
from companion.table.watcher import Watcher


class Answers:
    """Takes answers. An answer and what it does are one batch of events, all or nothing.

    Each method is given the notice that stands, and returns the one that stands afterwards.
    """

    def __init__(self, book: Book, watcher: Watcher, readings: Readings, amends: Amends) -> None:
        self._book = book
        self._watcher = watcher
        self._readings = readings
        self._amends = amends

    def take(self, command: AnswerQuestion, notice: Notice | None) -> Notice | None:
        """Carry out an answer. Raises `StaleVersion`, `MalformedAction` or `NotYourTurn`."""
        question = self._book.history.question
        if question is None or question.id != command.question:
            raise StaleVersion("this question has been settled already")
        choices = {c["id"]: c for c in question.event.choices}
        if command.choice not in choices:
            raise MalformedAction(f"the choices are {', '.join(choices)}, not {command.choice!r}")
        self._check_asked(question, command.seat)
        if question.event.topic == "reading":
            answer = QuestionAnswered(question.id, command.choice, command.seat, settles=True)
            return self._take_reading(question, choices[command.choice], answer, notice)
        return self._take_vote(question, command.choice, command.seat, notice)

    def seats_changed(self, notice: Notice | None) -> Notice | None:
        """Do what was proposed if all who still sit have agreed; a phone has just stood up."""
        question = self._book.history.question
        if question is None or not question.agreed:
            return notice
        if not self._book.history.sitting(question) <= question.agreed:
            return notice
        answer = QuestionAnswered(question.id, "yes", min(question.agreed), settles=True)
        return self._amends.carry_out(question, answer)

    def _check_asked(self, question: OpenQuestion, seat: int | None) -> None:
        """Refuse who is not asked; where no phone sits on the seats asked, anybody may answer."""
        sitting = self._book.history.sitting(question)
        if seat is not None and sitting and seat not in sitting:
            raise NotYourTurn("table", "Somebody else is asked this question.")

    def _take_reading(
        self,
        question: OpenQuestion,
        choice: Mapping[str, Any],
        answer: QuestionAnswered,
        notice: Notice | None,
    ) -> Notice | None:
        """Carry out the answer to a question about a picture."""
        if self._readings.answered(question, choice, answer):
            return None
        if choice["id"] == "undo":
            undo = Undo(answer.by, "taken back when the table asked")
            return self._amends.undo(undo, answer)
        self._book.append([answer])
        self._watcher.decline()
        return notice

    def _take_vote(
        self, question: OpenQuestion, choice: str, seat: int | None, notice: Notice | None
    ) -> Notice | None:
        """Take what one says to a proposal that all who are asked must agree to."""
        history = self._book.history
        agreed = question.agreed if seat is None else question.agreed | {seat}
        is_last = seat is None or choice != "yes" or history.sitting(question) <= agreed
        answer = QuestionAnswered(question.id, choice, seat, settles=is_last)
        if choice == "yes" and is_last:
            return self._amends.carry_out(question, answer)
        if choice == "yes" and seat in question.agreed:
            return notice  # a second tap is no news
        self._book.append([answer])
        return notice if choice == "yes" else self._amends.declined(question, seat)
