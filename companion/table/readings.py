"""What pictures tell, written down: sure readings at once, unsure ones as a question first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.ledger.events import Event, QuestionAnswered, QuestionAsked
from companion.table.book import Book
from companion.table.commands import PressTurn
from companion.table.findings import Explanation, ReadStep
from companion.table.history import OpenQuestion
from companion.table.sentences import (
    SETTLE_FIRST,
    acting_seat,
    line_text,
    line_texts,
    may_go_on_with,
)
from companion.table.snapshot import Notice
from companion.table.tray import ReadDie
from companion.table.verdicts import Apply, Ask, Verdict, Wait
from companion.table.watcher import Watcher

MOST_CHOICES = 6
"""Readings offered in one question; more would not fit a phone."""


class Readings:
    """Explanations of pictures on their way into the book."""

    def __init__(self, book: Book, watcher: Watcher) -> None:
        self._book = book
        self._watcher = watcher
        self._asked: dict[str, Explanation] = {}
        self._asked_key: tuple[object, ...] | None = None

    def withdraw_moot(self, verdict: Verdict) -> None:
        """Take back the question about an earlier picture if this one makes it moot."""
        key = verdict.key if isinstance(verdict, Wait | Ask) else None
        question = self._book.history.question
        is_reading = question is not None and question.event.topic == "reading"
        # Of one that was asked before a restart no key is known.
        if is_reading and (key is None or key != self._asked_key):
            self._book.withdraw("the table told it by itself")
            self._asked_key = None

    def apply(
        self,
        explanation: Explanation,
        answer: QuestionAnswered | None = None,
        pressed: PressTurn | None = None,
    ) -> None:
        """Write down what a picture told, with the answer or the press of a button that says so."""
        actions = [step.action for step in explanation.steps]
        reads = [self._read_json(step) for step in explanation.steps]
        by = None if pressed is None else pressed.seat
        self._book.append(self._events(actions, reads, answer, by))
        is_answered = answer is not None or pressed is not None
        self._watcher.accept(explanation, is_answered=is_answered)

    def _apply_told(
        self,
        line: Sequence[Mapping[str, Any]],
        reads: Sequence[Mapping[str, Any]],
        answer: QuestionAnswered,
    ) -> None:
        """Write down an answer to a question that was asked before a restart."""
        actions = [self._book.game.action_from_json(data) for data in line]
        self._book.append(self._events(actions, reads, answer))
        self._watcher.settle(self._book.state)

    def _events(
        self,
        actions: Sequence[Any],
        reads: Sequence[Mapping[str, Any]],
        answer: QuestionAnswered | None,
        by: int | None = None,
    ) -> list[Event]:
        """Return what is written of a line; `reads` tells what each action was read from.

        It is empty for a question asked before that was kept with it.
        """
        book, state = self._book, self._book.state
        by = by if answer is None else answer.by
        events: list[Event] = [] if answer is None else [answer]
        for n, action in enumerate(actions):
            read = reads[n] if n < len(reads) else {}
            applied = book.applied(state, action, "camera", by)
            applied = replace(applied, by_host=answer is not None and by is None)
            events.append(replace(applied, **{**read, "dice": tuple(read.get("dice", ()))}))
            state = book.game.apply(state, action).state
        return events

    def _read_json(self, step: ReadStep) -> Mapping[str, Any]:
        """Return what a step was read from, by the names of `ActionApplied`'s fields."""
        return {
            "p": step.p,
            "evidence": self._book.kept(step.evidence),
            "equivalent": step.equivalent,
            "dice": [_die_json(die) for die in step.dice],
        }

    def wonder(self, ask: Ask, frame: str, notice: Notice | None) -> Notice | None:
        """Ask what a picture means, `frame` names it; while a dispute is open, that comes first.

        Given the notice that stands, return the one that stands afterwards.
        """
        question = self._book.history.question
        if question is None:
            self._ask(ask, frame)
            return ask.notice
        return notice if question.event.topic == "reading" else SETTLE_FIRST

    def once_pressed(self, verdict: Verdict) -> Notice | None:
        """Return what is said of a picture that does nothing before somebody presses."""
        if not isinstance(verdict, Apply):
            return verdict.notice
        done = [step.action for step in verdict.explanation.steps]
        return may_go_on_with(line_text(self._book.game, self._book.state, done))

    def _ask(self, ask: Ask, frame: str) -> None:
        book = self._book
        seat = acting_seat(book.game.pending(book.state))
        self._asked = {f"line{n}": e for n, e in enumerate(ask.explanations[:MOST_CHOICES], 1)}
        self._asked_key = ask.key
        readings = {
            choice: [self._read_json(step) for step in explanation.steps]
            for choice, explanation in self._asked.items()
        }
        asked = QuestionAsked(
            text="What happened?" if self._asked else ask.notice.text,
            rule=ask.notice.rule,
            seats=() if seat is None else (seat,),
            choices=(*self._lines(), *self._others()),
            topic="reading",
            evidence=book.kept(frame),
            data={"readings": readings},
        )
        book.append([asked])

    def _lines(self) -> Iterator[Mapping[str, Any]]:
        """Yield a choice for each explanation that is asked about."""
        book = self._book
        lines = [[step.action for step in e.steps] for e in self._asked.values()]
        texts = line_texts(book.game, book.state, lines)
        for choice, text, line in zip(self._asked, texts, lines, strict=True):
            yield {"id": choice, "text": text, "line": list(map(book.game.action_to_json, line))}

    def _others(self) -> Iterator[Mapping[str, Any]]:
        """Yield the choices beside these."""
        if self._asked:
            yield {"id": "other", "text": "None of these", "line": None}
            return
        yield {"id": "other", "text": "I put it back", "line": []}
        if next(self._book.history.standing, None) is not None:
            yield {"id": "undo", "text": "Take back the last move", "line": None}

    def answered(
        self, question: OpenQuestion, choice: Mapping[str, Any], answer: QuestionAnswered
    ) -> bool:
        """Write down the reading that was chosen; ``False`` when the choice is none."""
        explanation = self._asked.get(choice["id"])
        if explanation is not None and explanation.steps:
            self.apply(explanation, answer)
        elif choice.get("line"):
            reads = question.event.data.get("readings", {}).get(choice["id"], ())
            self._apply_told(choice["line"], reads, answer)
        else:
            return False
        return True


def _die_json(read: ReadDie) -> Mapping[str, Any]:
    """Return a die of a roll as `ActionApplied.dice` keeps it."""
    told = {
        "kind": read.die.kind,
        "face": read.die.face,
        "p": round(read.p, 4),
        "box": list(read.box_px),
        "look": read.look,
    }
    return {**told, "seems": read.seems} if read.seems else told
