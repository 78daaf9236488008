"""Answers and what follows from them: one batch, named in full, and never without effect."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from companion.audit.from_ledger import Archive
from companion.errors import BadOptions, LedgerError, NotYourTurn, StaleVersion
from companion.ledger.events import (
    TRAY_PICTURE,
    GameOpened,
    QuestionAnswered,
)
from companion.ledger.memory_store import MemoryStore
from companion.ledger.store import verify_chain
from companion.rules.layout import Die
from companion.table.commands import Act, AnswerQuestion, Correct, FreeSeat, TakeSeat, Undo
from companion.table.history import replay
from companion.table.referee import Referee
from companion.table.snapshot import Notice, Question
from tests.table.battle import GAME, PROFILE, dice, find, open_referee, set_up, tell
from tests.table.full_card import FullCard
from tests.table.synthetic import Hands

ROLL = "Red rolls sail 2, 3, 3 and cannon 5"


def seated(store: MemoryStore | None = None, seats: int = 2) -> Referee:
    """Return a referee with a phone on every seat; Anne has just rolled `ROLL`."""
    referee = open_referee(store, players=seats)
    if seats == 2:
        set_up(referee)
        tell(referee, "take 3 sail dice and 1 cannonball", "rolls sail 2, 3, 3 and cannon 5")
    for seat in range(seats):
        referee.command(TakeSeat(f"phone {seat}", seat))
    return referee


def asked(referee: Referee) -> Question:
    question = referee.snapshot().question
    assert question is not None
    return question


def log(referee: Referee, lines: int) -> list[tuple[str, bool]]:
    return [(entry.text, entry.retracted) for entry in referee.snapshot().log[-lines:]]


def propose_correction(referee: Referee, seat: int) -> Question:
    """Have a seat say that the roll showed a 4 in the place of a 3."""
    roll = next(e for e in reversed(referee.snapshot().log) if " rolls " in e.text)
    entry = referee._book.history.find(roll.seq)
    assert entry is not None
    referee.command(Correct(roll.seq, find(entry.before, "rolls sail 2, 3, 4 and cannon 5"), seat))
    return asked(referee)


def unclear_roll(store: MemoryStore, seems: str = "unclear", p: float = 0.6) -> Referee:
    """Return a referee that has seen sail 2, 3, 4 and a cannon that is perhaps a 4, for long."""
    referee = open_referee(store)
    set_up(referee)
    hands = Hands(Random(3), GAME.layout(referee.state))
    hands.throw(GAME.layout(referee.state).dice)
    referee.observe(hands.look())
    tell(referee, "take 3 sail dice and 1 cannonball")
    hands.throw(dice("234", "4"))
    for _ in range(10):
        seen = hands.look()
        assert seen.dice is not None
        faces = {Die("cannon", 4): p, Die("cannon", 5): p - 0.2}
        told = tuple(
            replace(die, faces=faces, seems=seems)
            if die.best and die.best[0].kind == "cannon"
            else die
            for die in seen.dice
        )
        referee.observe(replace(seen, dice=told), lambda: b"the table", lambda: b"the tray")
    return referee


# -- one batch ----


@pytest.mark.parametrize("batches", [0, 1])
def test_a_proposal_is_answered_and_carried_out_or_still_open(batches: int) -> None:
    store = FullCard()
    referee = seated(store)
    question = propose_correction(referee, 0)
    store.left = batches
    try:
        referee.command(AnswerQuestion(question.id, "yes", 1))
    except LedgerError:
        assert not batches
    store.left = None
    again = Referee.resume(GAME, PROFILE, store, lambda: 2.0, "g")
    is_open = again.snapshot().question is not None
    is_done = log(again, 1) == [("Red rolls sail 2, 3, 4 and cannon 5", False)]
    assert (is_open, is_done) == (not batches, bool(batches))
    assert again.snapshot().question == referee.snapshot().question


@pytest.mark.parametrize("batches", [0, 1])
def test_a_reading_is_confirmed_and_written_down_or_still_open(batches: int) -> None:
    store = FullCard()
    referee = unclear_roll(store)
    question = asked(referee)
    store.left = batches
    try:
        referee.command(AnswerQuestion(question.id, "line1", 0))
    except LedgerError:
        assert not batches
    store.left = None
    again = Referee.resume(GAME, PROFILE, store, lambda: 2.0, "g")
    assert (again.snapshot().question is None) == bool(batches)
    assert (log(again, 1)[0][0] == "Red rolls sail 2, 3, 4 and cannon 4") == bool(batches)


# -- readings ----


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize(("seat", "name"), [(0, "Anne"), (None, "the host")])
def test_a_confirmed_reading_keeps_what_it_was_read_from(
    restarted: bool, seat: int | None, name: str
) -> None:
    store = MemoryStore()
    referee = unclear_roll(store)
    if restarted:
        referee = Referee.resume(GAME, PROFILE, store, lambda: 2.0, "g")
    referee.command(AnswerQuestion(asked(referee).id, "line1", seat))
    entry = referee.snapshot().log[-1]
    assert entry.asked
    assert entry.p is not None
    assert 0.5 < entry.p < 0.7
    rolls = Archive(store).rolls()
    cannon = next(die for die in rolls if die.kind.id == "cannon")
    assert (cannon.read, cannon.p, cannon.seems) == (4, 0.6, "unclear")
    assert {die.confirmed_by for die in rolls} == {name}
    assert not any(die.is_read_only for die in rolls)
    assert entry.evidence is not None
    assert store.picture("g", entry.evidence) == b"the table"
    assert store.picture("g", entry.evidence + TRAY_PICTURE) == b"the tray"


def test_a_question_that_outlived_a_restart_goes_when_the_table_has_told_it() -> None:
    """It stayed beside what was counted then, and the game could not be gone on with."""
    store = MemoryStore()
    unclear_roll(store)
    again = Referee.resume(GAME, PROFILE, store, lambda: 2.0, "g")
    hands = Hands(Random(3), GAME.layout(again.state))
    again.observe(hands.look())
    assert again.snapshot().question is None
    hands.throw(dice("233", "5"))
    again.observe(hands.look())
    assert log(again, 1) == [(ROLL, False)]
    assert Referee.resume(GAME, PROFILE, store, lambda: 3.0, "g").state == again.state


def test_a_game_of_before_names_had_to_sound_different_is_gone_on_with() -> None:
    store = MemoryStore()
    opened = GameOpened(GAME.info.id, ("Ann", "ann"), dict(PROFILE.options), PROFILE.id, "0")
    store.append("g", 0, [opened], 1.0)
    again = Referee.resume(GAME, PROFILE, store, lambda: 2.0, "g")
    assert [seat.name for seat in again.snapshot().seats] == ["Ann", "ann"]
    with pytest.raises(BadOptions, match="give them different names"):
        Referee.open(GAME, opened.players, {}, PROFILE, store, lambda: 2.0, "h")
    assert store.games() == ("g",)


def test_a_question_of_before_its_readings_were_kept_can_still_be_answered() -> None:
    store = MemoryStore()
    referee = unclear_roll(store)
    events = store.read("g")
    assert events[-1].name == "question_asked"
    old = MemoryStore()
    question = referee._book.history.question
    assert question is not None
    for stored in events[:-1]:
        old._games.setdefault("g", []).append(stored)
    old.append("g", len(events) - 1, [replace(question.event, data={})], 1.0)
    again = Referee.resume(GAME, PROFILE, old, lambda: 2.0, "g")
    again.command(AnswerQuestion(asked(again).id, "line1", 0))
    assert log(again, 1) == [("Red rolls sail 2, 3, 4 and cannon 4", False)]
    assert verify_chain("g", old.read("g"))


@pytest.mark.parametrize("seems", ["cocked", "unclear"])
def test_a_roll_told_for_the_camera_keeps_the_picture_of_its_dice(seems: str) -> None:
    store = MemoryStore()
    p = 0.3 if seems == "cocked" else 0.6  # too unlikely to be told, or asked about
    referee = unclear_roll(store, seems, p)
    tell(referee, "rolls sail 2, 3, 4 and cannon 4")
    entry = referee.snapshot().log[-1]
    assert (entry.source, entry.p) == ("phone", None)
    assert entry.evidence is not None
    assert store.picture("g", entry.evidence) == b"the table"
    assert store.picture("g", entry.evidence + TRAY_PICTURE) == b"the tray"
    assert [die.read for die in Archive(store).rolls()] == [None] * 4, "nobody read them"
    tell(referee, "sail 2")
    assert referee.snapshot().log[-1].evidence is None


@pytest.mark.parametrize(
    ("answer", "face"), [("line1", 4), ("line2", 5), ("rolls sail 2, 3, 4 and cannon 1", 1)]
)
def test_what_people_say_of_an_unclear_die_can_be_learnt_once(answer: str, face: int) -> None:
    referee = unclear_roll(MemoryStore())
    tray = asked(referee).tray
    assert tray is not None
    assert referee.evidence(tray) == b"the tray", "who is asked sees the dice"
    assert referee.take_lessons() == ()
    if answer.startswith("line"):
        referee.command(AnswerQuestion(asked(referee).id, answer, 0))
    else:
        tell(referee, answer)
    (lesson,) = referee.take_lessons()
    assert lesson.die == Die("cannon", face)
    assert referee.take_lessons() == ()


def test_a_roll_told_before_the_dice_are_seen_has_no_picture() -> None:
    referee = open_referee()
    set_up(referee)
    hands = Hands(Random(3), GAME.layout(referee.state))
    for _ in range(3):
        referee.observe(hands.look(), lambda: b"the table", lambda: b"the tray")
    tell(referee, "take 3 sail dice and 1 cannonball", "rolls sail 2, 3, 3 and cannon 5")
    assert referee.snapshot().log[-1].evidence is None


# -- proposals while the game goes on ----


def test_what_happened_since_is_named_before_it_is_taken_back() -> None:
    referee = seated()
    referee.command(Undo(0))
    first = asked(referee)
    referee.command(Act(find(referee.state, "sail 3 NW from G11"), 0))
    assert asked(referee) == first
    referee.command(AnswerQuestion(first.id, "yes", 1))
    sail = "Red: sail 3 NW from G11 to D11"
    assert log(referee, 2) == [(ROLL, False), (sail, False)]
    again = asked(referee)
    assert again.text == f"More has happened meanwhile. Take all of it back: {ROLL}; {sail}?"
    assert again.seats == (0, 1)
    referee.command(AnswerQuestion(again.id, "yes", 1))
    assert log(referee, 2) == [(ROLL, False), (sail, False)]
    referee.command(AnswerQuestion(again.id, "yes", 0))
    assert log(referee, 2) == [(ROLL, True), (sail, True)]


def test_a_correction_says_how_much_it_will_drop() -> None:
    referee = seated()
    tell(referee, "sail 3 NW from G11", "sail 3 NW from G12")
    question = propose_correction(referee, 1)
    assert "but: Red rolls sail 2, 3, 4 and cannon 5." in question.text
    dropped = "1 later move does not fit that and would be taken back: Red: sail 3 NW from G12"
    assert dropped in question.text


def test_what_a_correction_would_drop_by_now_is_asked_anew() -> None:
    referee = seated()
    first = propose_correction(referee, 1)
    assert "later" not in first.text
    tell(referee, "sail 3 NW from G11")
    referee.command(Act(find(referee.state, "sail 3 NW from G12"), 0))
    referee.command(AnswerQuestion(first.id, "yes", 0))
    again = asked(referee)
    assert again.id != first.id
    assert "1 later move does not fit" in again.text
    for seat in (0, 1):
        referee.command(AnswerQuestion(again.id, "yes", seat))
    assert [text for text, gone in log(referee, 6) if not gone][-2:] == [
        "Red rolls sail 2, 3, 4 and cannon 5",
        "Red: sail 3 NW from G11 to D11",
    ]


def test_many_lines_are_counted_in_a_question() -> None:
    referee = seated()
    tell(referee, "sail 3 NW from G11", "sail 3 NW from G12", "sail 2 NW")
    draw = next(e for e in referee.snapshot().log if "draws a volcano" in e.text)
    entry = referee._book.history.find(draw.seq)
    assert entry is not None
    referee.command(Correct(draw.seq, find(entry.before, "draws a reef"), 0))
    assert "; and " in asked(referee).text
    assert asked(referee).text.endswith(" more.")


def test_a_dispute_is_not_ended_by_playing_on() -> None:
    store = MemoryStore()
    referee = seated(store)
    question = propose_correction(referee, 1)
    referee.command(Act(find(referee.state, "sail 2"), 0))
    assert asked(referee) == question
    assert Referee.resume(GAME, PROFILE, store, lambda: 2.0, "g").snapshot().question == question


def test_a_dispute_ends_when_what_it_is_about_is_taken_back() -> None:
    store = MemoryStore()
    referee = seated(store)
    tell(referee, "sail 3 NW from G11")
    moved = referee.snapshot().log[-1].seq
    entry = referee._book.history.find(moved)
    assert entry is not None
    referee.command(Correct(moved, find(entry.before, "sail 3 W from G11"), 1))
    assert asked(referee).seats == (0,)
    referee.command(Undo(0))
    assert referee.snapshot().question is None
    assert [e.name for e in store.read("g")[-2:]] == ["question_withdrawn", "retracted"]


def test_who_proposed_is_told_of_a_no() -> None:
    referee = seated()
    question = propose_correction(referee, 1)
    referee.command(AnswerQuestion(question.id, "no", 0))
    shown = referee.snapshot()
    assert shown.question is None
    assert shown.notice == Notice("hint", f"Anne says no. It stands: {ROLL}.", seat=1)


# -- seats ----


def test_a_phone_that_stands_up_keeps_nobody_waiting() -> None:
    referee = seated()
    referee.command(Undo(0))
    question = asked(referee)
    with pytest.raises(NotYourTurn):
        referee.command(AnswerQuestion(question.id, "yes", 0))
    referee.command(TakeSeat("phone 1", None))
    assert asked(referee).seats == ()
    referee.command(AnswerQuestion(question.id, "yes", 0))
    assert referee.snapshot().question is None
    assert log(referee, 1) == [(ROLL, True)]


@pytest.mark.parametrize("freed", [False, True])
def test_the_last_who_has_not_agreed_stands_up(freed: bool) -> None:
    store = MemoryStore()
    referee = seated(store, seats=3)
    tell(referee, "Anne draws Red", "Mary draws Blue")
    referee.command(Undo(1))
    question = asked(referee)
    referee.command(AnswerQuestion(question.id, "yes", 0))
    referee.command(AnswerQuestion(question.id, "yes", 0))  # a second tap
    assert asked(referee).seats == (2,)
    referee.command(FreeSeat(2) if freed else TakeSeat("phone 2", None))
    assert referee.snapshot().question is None
    assert log(referee, 2)[-1][1]
    again = Referee.resume(GAME, PROFILE, store, lambda: 2.0, "g")
    assert again.state == referee.state


def test_an_answer_of_old_closed_its_question_by_the_rule_of_then() -> None:
    """A ledger in which one of those asked stood up and the host answered after another's yes."""
    store = MemoryStore()
    referee = seated(store, seats=3)
    tell(referee, "Anne draws Red", "Mary draws Blue")
    referee.command(Undo(1))
    question = asked(referee)
    referee.command(TakeSeat("phone 2", None))
    seq = referee.snapshot().version
    store.append("g", seq, [QuestionAnswered(question.id, "yes", 0)], 1.0)
    history = replay(GAME, store.read("g"))
    assert history.question is not None
    store.append("g", seq + 1, [QuestionAnswered(question.id, "yes", None)], 1.0)
    assert replay(GAME, store.read("g")).question is None


def test_a_settled_question_is_stale() -> None:
    referee = seated()
    question = propose_correction(referee, 0)
    referee.command(AnswerQuestion(question.id, "no", 1))
    with pytest.raises(StaleVersion):
        referee.command(AnswerQuestion(question.id, "yes", 1))


def test_a_question_about_a_picture_is_withdrawn_by_playing_on() -> None:
    store = MemoryStore()
    referee = unclear_roll(store)
    assert asked(referee)
    tell(referee, "rolls sail 2, 3, 4 and cannon 5")
    assert referee.snapshot().question is None
    assert "question_withdrawn" in [e.name for e in store.read("g")[-2:]]
