"""The referee: one writer, one door; durable before visible; undo, questions, seats, resume."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from companion.errors import (
    BadOptions,
    CorruptLedger,
    IllegalAction,
    LedgerError,
    MalformedAction,
    NotYourTurn,
    SequenceConflict,
    StaleVersion,
)
from companion.ledger.events import TRAY_PICTURE, Retracted
from companion.ledger.memory_store import MemoryStore
from companion.ledger.store import verify_chain
from companion.rules.layout import EMPTY, CellContent, Die, Layout, make_layout
from companion.table.book import opening
from companion.table.commands import (
    Act,
    AnswerQuestion,
    Correct,
    PressTurn,
    TakeSeat,
    Undo,
)
from companion.table.history import replay
from companion.table.observation import Unreadable
from companion.table.referee import Referee
from companion.table.sentences import SETTLE_FIRST
from companion.table.snapshot import Snapshot
from tests.table.battle import GAME, PROFILE, dice, find, open_referee, set_up, tell
from tests.table.full_card import FullCard
from tests.table.synthetic import Hands, doubtful_die, sure_die


def at_table(referee: Referee) -> Hands:
    """Return hands at a table that lies as the referee believes, seen once."""
    layout = GAME.layout(referee.state)
    hands = Hands(Random(3), layout)
    hands.throw(layout.dice)
    referee.observe(hands.look())
    return hands


def playing(store: MemoryStore | None = None) -> Referee:
    """Return a referee in Red's first turn, four dice rolled: sail 2, 3, 3 and cannon 5."""
    referee = open_referee(store)
    set_up(referee)
    tell(referee, "take 3 sail dice and 1 cannonball", "rolls sail 2, 3, 3 and cannon 5")
    return referee


def look(referee: Referee, hands: Hands, times: int = 2) -> Snapshot:
    for _ in range(times):
        referee.observe(hands.look(), lambda: b"a picture")
    return referee.snapshot()


def sail(referee: Referee, hands: Hands, text: str) -> None:
    after = GAME.apply(referee.state, find(referee.state, text)).state
    hands.lay(GAME.layout(after))
    look(referee, hands)
    assert referee.state == after


# -- playing ----


def test_a_whole_set_up_works_by_phone_alone() -> None:
    referee = open_referee()
    set_up(referee)
    shown = referee.snapshot()
    assert shown.phase == "choose_dice"
    assert [seat.colours for seat in shown.seats] == [("red",), ("blue",)]
    assert [seat.asked for seat in shown.seats] == [True, False]
    assert shown.pending.startswith("Red: choose 4 dice")


def test_a_move_is_read_kept_and_shown_with_its_evidence() -> None:
    store = MemoryStore()
    referee = playing(store)
    hands = at_table(referee)
    sail(referee, hands, "sail 3 NW from G11")
    entry = referee.snapshot().log[-1]
    assert entry.text == "Red: sail 3 NW from G11 to D11"
    assert (entry.source, entry.seat) == ("camera", 0)
    assert entry.p is not None
    assert entry.p > 0.9
    assert entry.evidence is not None
    assert referee.evidence(entry.evidence) == b"a picture"
    assert store.picture("g", entry.evidence) == b"a picture"
    assert referee.evidence("nothing") is None


def test_choice_and_roll_are_read_from_the_tray() -> None:
    referee = open_referee()
    set_up(referee)
    hands = at_table(referee)
    hands.throw(dice("234", "4"))
    shown = look(referee, hands)
    assert [e.text for e in shown.log[-2:]] == [
        "Red: take 3 sail dice and 1 cannonball die",
        "Red rolls sail 2, 3, 4 and cannon 4",
    ]
    assert shown.log[-1].seat == 0


def test_a_refusal_on_the_board_reaches_the_phone_with_rule_and_sentence() -> None:
    referee = playing()
    hands = at_table(referee)
    hands.take(dice("3"))
    moved = {**hands.layout.cells, (4, 0): EMPTY, (4, -1): CellContent(("red",))}
    hands.lay_pieces(make_layout(moved, hands.layout.dice))
    notice = look(referee, hands).notice
    assert notice is not None
    assert (notice.kind, notice.rule, notice.seat) == ("refusal", "AOW-33", 0)
    assert "in full" in notice.text
    question = look(referee, hands, 16).question
    assert question is not None
    assert [c.id for c in question.choices] == ["other", "undo"]
    assert question.rule == "AOW-33"
    assert question.evidence is not None
    assert referee.evidence(question.evidence) == b"a picture"
    referee.command(AnswerQuestion(question.id, "other", 0))
    assert look(referee, hands, 20).question is None, "asked once, not again and again"


def test_a_refused_command_changes_nothing_but_is_shown() -> None:
    store = MemoryStore()
    referee = playing(store)
    before, state = store.read("g"), referee.state
    wrong = type(find(state, "sail 3 NW"))(0, (4, 0), 4, 2)
    with pytest.raises(IllegalAction) as refusal:
        referee.command(Act(wrong, seat=0))
    assert store.read("g") == before
    assert referee.state == state
    notice = referee.snapshot().notice
    assert notice is not None
    assert (notice.rule, notice.text) == (refusal.value.rule, refusal.value.reason)
    assert notice.rule.startswith("AOW-")


def test_hands_in_view_and_blindness_are_shown_as_ill_and_get_well() -> None:
    referee = playing()
    referee.observe(Unreadable("I see three of four markers.", "f1"))
    assert referee.snapshot().health == {"camera": "I see three of four markers."}
    at_table(referee)
    assert referee.snapshot().health == {}


# -- questions ----


def ask_about_a_die(referee: Referee, hands: Hands) -> Snapshot:
    """Show a roll whose cannonball may be a 2 or a 5 until the table asks."""
    sails = tuple(sure_die("sail", f, 20.0 + 30 * i, 20) for i, f in enumerate((2, 3, 4)))
    faces = dict(zip(dice("", "25"), (0.7, 0.3), strict=True))
    for _ in range(6):
        seen = hands.look(dice=(*sails, doubtful_die(faces, 150, 100)))
        referee.observe(seen, lambda: b"a blurred die")
    return referee.snapshot()


def choosing(store: MemoryStore | None = None) -> tuple[Referee, Hands]:
    referee = open_referee(store)
    set_up(referee)
    return referee, at_table(referee)


def test_a_doubtful_die_is_asked_with_pictures_and_the_answer_counts() -> None:
    store = MemoryStore()
    referee, hands = choosing(store)
    question = ask_about_a_die(referee, hands).question
    assert question is not None
    assert question.seats == (0,)
    assert [c.layout.dice if c.layout else None for c in question.choices] == [
        dice("234", "2"),
        dice("234", "5"),
        None,
    ]
    assert question.evidence is not None
    assert referee.evidence(question.evidence) == b"a blurred die"
    referee.command(AnswerQuestion(question.id, "line2", 0))
    shown = referee.snapshot()
    assert shown.question is None
    assert shown.layout.dice == dice("234", "5")
    applied = [e for e in replay(GAME, store.read("g")).played if e.event.is_chance][-1]
    assert applied.event.confirmed_by == 0


@pytest.mark.parametrize(
    ("seems", "says"),
    [
        ("stacked", "A die lies or leans on something, or still rolls: lay it flat and apart."),
        ("", "I am not sure what I see yet; play on, or press the button."),
    ],
)
def test_what_a_doubtful_die_seems_is_said_beside_the_question(seems: str, says: str) -> None:
    referee, hands = choosing()
    sails = tuple(sure_die("sail", f, 20.0 + 30 * i, 20) for i, f in enumerate((2, 3, 4)))
    cannon = replace(doubtful_die({Die("cannon", 2): 0.8}, 150, 100), seems=seems)
    said = set()
    while referee.snapshot().question is None:
        assert hands.frames < 40
        referee.observe(hands.look(dice=(*sails, cannon)))
        notice = referee.snapshot().notice
        said |= {notice.text} if notice is not None else set()
    assert said == {says}


def roll_read(referee: Referee, hands: Hands, faces: dict[int, float]) -> Snapshot:
    """Show sail 2, 3, 4 and a cannonball that may show these."""
    sails = tuple(sure_die("sail", f, 20.0 + 30 * i, 20) for i, f in enumerate((2, 3, 4)))
    cannon = doubtful_die({Die("cannon", f): p for f, p in faces.items()}, 150, 100)
    referee.observe(hands.look(dice=(*sails, cannon)))
    return referee.snapshot()


@pytest.mark.parametrize("first", [{5: 0.8}, {5: 0.6, 2: 0.35}, {2: 0.7, 5: 0.25}])
def test_what_one_picture_leaves_open_is_told_by_a_better_one(first: dict[int, float]) -> None:
    """Of a rest that is looked at again the pictures are read together (`vision.pipeline`)."""
    referee, hands = choosing()
    assert roll_read(referee, hands, first).layout.dice == ()
    shown = roll_read(referee, hands, {5: 0.99})
    assert shown.question is None
    assert shown.layout.dice == dice("234", "5")
    assert shown.log[-1].p == 0.99


def test_a_die_that_no_picture_tells_is_asked_about() -> None:
    referee, hands = choosing()
    for p in (0.8, 0.9, 0.85, 0.9, 0.85, 0.9, 0.85, 0.9, 0.85, 0.9, 0.85, 0.9, 0.85, 0.9):
        shown = roll_read(referee, hands, {5: p})
        assert shown.layout.dice == ()
    assert shown.question is not None


def test_what_the_camera_would_ask_waits_for_a_dispute_and_that_is_said() -> None:
    referee, hands = choosing()
    for seat in range(2):
        referee.command(TakeSeat(f"phone {seat}", seat))
    tile = referee.snapshot().log[-1]
    other = find_before(referee, tile.seq, "place the reef on K5")
    referee.command(Correct(tile.seq, other, 0))
    dispute = referee.snapshot().question
    assert dispute is not None
    shown = ask_about_a_die(referee, hands)
    assert shown.question == dispute
    assert shown.notice == SETTLE_FIRST
    referee.command(AnswerQuestion(dispute.id, "no", 1))
    shown = ask_about_a_die(referee, hands)
    assert shown.question is not None
    assert [choice.id for choice in shown.question.choices] == ["line1", "line2", "other"]


def test_a_shot_into_nothing_is_said_to_be_one_of_many() -> None:
    """Which of two ships fired is asked, in which direction is not."""
    referee = playing()
    hands = at_table(referee)
    hands.take(dice("", "5"))
    question = look(referee, hands, 12).question
    assert question is not None
    assert [c.is_one_of_many for c in question.choices] == [True, True, False]
    referee.command(AnswerQuestion(question.id, "line1", 0))
    log = referee.snapshot().log
    assert "hits nothing" in log[-1].text
    assert [entry.is_one_of_many for entry in log[-2:]] == [False, True]


def test_a_question_survives_a_restart_and_can_be_answered_then() -> None:
    store = MemoryStore()
    referee, hands = choosing(store)
    before = ask_about_a_die(referee, hands)
    again = Referee.resume(GAME, PROFILE, store, lambda: 2.0, "g")
    assert again.snapshot().question == before.question
    assert before.question is not None
    again.command(AnswerQuestion(before.question.id, "line1", 0))
    assert again.snapshot().layout.dice == dice("234", "2")


def test_a_question_that_the_table_answers_itself_is_withdrawn() -> None:
    referee, hands = choosing()
    assert ask_about_a_die(referee, hands).question is not None
    hands.throw(dice("234", "5"))
    shown = look(referee, hands)
    assert shown.question is None
    assert shown.layout.dice == dice("234", "5")


def test_what_is_told_by_phone_settles_the_question() -> None:
    referee, hands = choosing()
    ask_about_a_die(referee, hands)
    tell(referee, "take 3 sail dice and 1 cannon", "rolls sail 2, 3, 4 and cannon 2")
    assert referee.snapshot().question is None


@pytest.mark.parametrize("choice", ["line9", ""])
def test_an_answer_must_be_one_of_the_choices(choice: str) -> None:
    referee, hands = choosing()
    question = ask_about_a_die(referee, hands).question
    assert question is not None
    with pytest.raises(MalformedAction, match="line1"):
        referee.command(AnswerQuestion(question.id, choice, 0))
    with pytest.raises(StaleVersion):
        referee.command(AnswerQuestion(question.id - 1, "line1", 0))


def test_only_those_who_are_asked_may_answer() -> None:
    referee, hands = choosing()
    referee.command(TakeSeat("anne", 0))
    question = ask_about_a_die(referee, hands).question
    assert question is not None
    with pytest.raises(NotYourTurn):
        referee.command(AnswerQuestion(question.id, "line1", 1))


# -- the big button ----


def test_the_button_passes_where_passing_is_a_choice() -> None:
    referee = open_referee()
    tell(referee, "Anne draws Red", "Mary draws Blue", "on G12 and G11", "on G2 and G3")
    referee.command(PressTurn())
    entry = referee.snapshot().log[-1]
    assert entry.text.endswith("no third ship")
    assert entry.source == "button"


def test_the_button_says_what_is_still_to_do() -> None:
    referee = playing()
    with pytest.raises(IllegalAction, match=r"first: sail 2, 3, 3 and cannon 5.*AOW-29"):
        referee.command(PressTurn())
    notice = referee.snapshot().notice
    assert notice is not None
    assert notice.rule == "AOW-29"


def test_the_button_says_that_something_is_to_be_done_before() -> None:
    referee = open_referee()
    tell(referee, "Anne draws Red", "Mary draws Blue")
    with pytest.raises(IllegalAction, match=r"This is to be done before the turn can end\. Red: "):
        referee.command(PressTurn())


def test_the_button_confirms_what_may_have_been_half_a_move() -> None:
    referee = playing()
    hands = at_table(referee)
    lost = GAME.apply(referee.state, find(referee.state, "sail 2 E from G11, off the map")).state
    hands.lay(GAME.layout(lost))
    assert look(referee, hands).notice is not None
    assert referee.state != lost
    referee.command(PressTurn())
    assert referee.state == lost
    assert referee.snapshot().notice is None


def test_a_second_tap_does_not_end_the_next_turn_too() -> None:
    referee = open_referee()
    tell(referee, "Anne draws Red", "Mary draws Blue", "on G12 and G11", "on G2 and G3")
    seen = referee.snapshot().version
    referee.command_json({"type": "turn", "version": seen})
    after = referee.state
    with pytest.raises(StaleVersion):
        referee.command_json({"type": "turn", "version": seen})
    assert referee.state == after
    referee.command(PressTurn())
    assert referee.state != after, "the button on the table knows no version"


def test_the_button_says_that_dice_were_rolled_which_nobody_saw_rolled() -> None:
    store = MemoryStore()
    referee = open_referee(store)
    set_up(referee)
    tell(referee, "take 3 sail dice and 1 cannonball")
    hands = Hands(Random(3), GAME.layout(referee.state))
    hands.throw(dice("234", "4"))  # before the camera looks for the first time
    for _ in range(2):
        referee.observe(hands.look(), lambda: b"a picture", lambda: b"the tray")
    notice = referee.snapshot().notice
    assert notice is not None
    assert "press the button if they were" in notice.text
    referee.command(PressTurn(seat=0))
    entry = referee.snapshot().log[-1]
    assert entry.text == "Red rolls sail 2, 3, 4 and cannon 4"
    assert entry.source == "camera"
    assert store.picture("g", f"{entry.evidence}{TRAY_PICTURE}") == b"the tray"
    assert replay(GAME, store.read("g")).played[-1].event.confirmed_by == 0


def test_the_button_asks_at_once_what_is_open() -> None:
    referee = playing()
    hands = at_table(referee)
    hands.take(dice("", "5"))
    assert look(referee, hands).question is None
    referee.command(PressTurn())
    question = referee.snapshot().question
    assert question is not None
    assert len(question.choices) == 3


# -- undo and correction ----


def test_a_captain_takes_back_a_move_at_once_and_nothing_disappears() -> None:
    store = MemoryStore()
    referee = playing(store)
    hands = at_table(referee)
    before = referee.state
    sail(referee, hands, "sail 3 NW from G11")
    referee.command(TakeSeat("anne", 0))
    referee.command(TakeSeat("mary", 1))
    referee.command(Undo(0, "slipped"))
    assert referee.state == before
    assert [e.retracted for e in referee.snapshot().log[-2:]] == [False, True]
    assert store.read("g")[-1].name == "retracted"
    notice = look(referee, hands, 3).notice
    assert referee.state == before, "the same picture must not bring it back"
    assert notice is not None
    assert notice.text.startswith("Put it back")


def test_a_roll_is_taken_back_only_if_the_others_agree() -> None:
    referee = playing()
    for phone, seat in (("anne", 0), ("mary", 1)):
        referee.command(TakeSeat(phone, seat))
    rolled = referee.state
    referee.command(Undo(0))
    question = referee.snapshot().question
    assert question is not None
    assert question.seats == (1,)
    assert "Anne wants to take back: Red rolls sail 2, 3, 3 and cannon 5." in question.text
    referee.command(AnswerQuestion(question.id, "no", 1))
    assert referee.state == rolled
    referee.command(Undo(0))
    question = referee.snapshot().question
    assert question is not None
    referee.command(AnswerQuestion(question.id, "yes", 1))
    assert GAME.pending(referee.state).text.startswith("Red: roll")


def test_all_others_must_agree() -> None:
    referee = open_referee(players=3)
    tell(referee, "Anne draws Red", "Mary draws Blue")
    for seat, phone in enumerate(("anne", "mary", "jack")):
        referee.command(TakeSeat(phone, seat))
    referee.command(Undo(1))
    question = referee.snapshot().question
    assert question is not None
    assert question.seats == (0, 2)
    referee.command(AnswerQuestion(question.id, "yes", 0))
    shown = referee.snapshot()
    assert shown.question is not None
    assert shown.question.seats == (2,)
    assert not any(e.retracted for e in shown.log)
    referee.command(AnswerQuestion(question.id, "yes", 2))
    assert [e.retracted for e in referee.snapshot().log] == [False, True]


def test_there_must_be_something_to_take_back() -> None:
    with pytest.raises(IllegalAction, match="nothing to take back"):
        open_referee().command(Undo())


def test_nothing_is_taken_back_but_what_was_shown() -> None:
    referee = playing()
    shown = referee.snapshot().log[-1].seq
    tell(referee, "sail 3 NW from G11")
    state = referee.state
    with pytest.raises(StaleVersion):
        referee.command_json({"type": "undo", "seq": shown})
    assert referee.state == state
    last = referee.snapshot().log[-1].seq
    referee.command_json({"type": "undo", "seq": last})
    with pytest.raises(StaleVersion):
        referee.command_json({"type": "undo", "seq": last})
    assert [e.retracted for e in referee.snapshot().log[-2:]] == [False, True]


def test_what_is_taken_back_when_nothing_stands_any_more_is_stale() -> None:
    referee = open_referee()
    with pytest.raises(StaleVersion):
        referee.command(Undo(seq=2))


def test_a_misread_roll_is_corrected_and_what_followed_is_played_again() -> None:
    store = MemoryStore()
    referee = playing(store)
    tell(referee, "sail 3 NW from G11")
    roll = next(e for e in referee.snapshot().log if "rolls" in e.text and not e.retracted)
    right = type(replay(GAME, store.read("g")).played[-2].action)(-1, dice("233", "4"))
    referee.command(Correct(roll.seq, right, None, "it was a 4"))
    shown = referee.snapshot()
    assert [(e.text, e.retracted) for e in shown.log[-4:]] == [
        ("Red rolls sail 2, 3, 3 and cannon 5", True),
        ("Red: sail 3 NW from G11 to D11", True),
        ("Red rolls sail 2, 3, 3 and cannon 4", False),
        ("Red: sail 3 NW from G11 to D11", False),
    ]
    assert shown.layout.dice == dice("23", "4")
    assert [e.name for e in store.read("g")[-3:]] == [
        "correction_made",
        "action_applied",
        "action_applied",
    ]


def test_what_does_not_fit_a_correction_is_taken_back_and_said() -> None:
    referee = playing()
    tell(referee, "sail 3 NW from G11", "sail 3 NW from G12")
    first = referee.snapshot().log[-2]
    referee.command(Correct(first.seq, find_before(referee, first.seq, "sail 3 NW from G12")))
    notice = referee.snapshot().notice
    assert notice is not None
    assert "1 later move does" in notice.text


def find_before(referee: Referee, seq: int, text: str) -> Any:
    entry = referee._book.history.find(seq)
    assert entry is not None
    return find(entry.before, text)


def test_an_illegal_correction_is_refused() -> None:
    referee = playing()
    seq = referee.snapshot().log[-1].seq
    with pytest.raises(IllegalAction):
        referee.command(Correct(seq, find(referee.state, "sail 3 NW from G11")))
    with pytest.raises(MalformedAction, match="no standing action"):
        referee.command(Correct(999, find(referee.state, "sail 3 NW from G11")))


# -- seats ----


def test_a_phone_acts_for_its_seat_and_for_those_nobody_took() -> None:
    referee = playing()
    action = find(referee.state, "sail 3 NW from G11")
    referee.command(Act(action, seat=1))  # nobody sits on Anne's seat
    referee.command(Undo())
    referee.command(TakeSeat("anne", 0))
    with pytest.raises(NotYourTurn, match="Anne"):
        referee.command(Act(action, seat=1))
    with pytest.raises(NotYourTurn):
        referee.command(PressTurn(seat=1))
    assert referee.offers(1) == ()
    assert referee.offers(0)
    referee.command(Act(action, seat=0))


def test_an_offer_says_to_which_cell_a_ship_goes_where_its_action_does_not() -> None:
    """Phones let people tap it; who leaves the map goes nowhere, a shot leads to what it sinks."""
    goals = {offer.text: offer.to for offer in playing().offers(0)}
    assert goals["Red: sail 3 NW from G11 to D11"] == "4,-3"
    assert goals["Red: sail 2 W from G12 to G10"] == "3,0"
    assert goals["Red: fire 5 W from G12, hits the merchant"] == "0,0"
    assert not any(to for text, to in goals.items() if "off the" in text or "nothing" in text)
    places = open_referee()
    tell(places, "draws Red", "draws Blue")
    assert {offer.to for offer in places.offers(None)} == {""}  # two ships are placed at once


def test_who_taps_a_taken_seat_is_told_and_nobody_else() -> None:
    referee = playing()
    referee.command(TakeSeat("anne", 0))
    with pytest.raises(NotYourTurn, match="the phone that speaks for the whole table can free it"):
        referee.command(TakeSeat("mary", 0))
    assert referee.snapshot().notice is None


def test_a_seat_holds_one_phone_and_the_token_is_not_written_down() -> None:
    store = MemoryStore()
    referee = open_referee(store)
    referee.command(TakeSeat("token-of-anne", 0))
    with pytest.raises(NotYourTurn, match="Another phone"):
        referee.command(TakeSeat("other", 0))
    with pytest.raises(MalformedAction):
        referee.command(TakeSeat("other", 7))
    assert [s.taken for s in referee.snapshot().seats] == [True, False]
    assert "token-of-anne" not in str(store.read("g"))
    referee.command(TakeSeat("token-of-anne", 1))
    assert [s.taken for s in referee.snapshot().seats] == [False, True]
    referee.command(TakeSeat("token-of-anne", None))
    assert [s.taken for s in referee.snapshot().seats] == [False, False]


def test_a_stale_phone_is_told_so() -> None:
    referee = playing()
    seen = referee.snapshot().version
    action = find(referee.state, "sail 3 NW from G11")
    referee.command(TakeSeat("mary", 1))
    referee.command(Act(action, version=seen))  # a seat taken changes no move
    with pytest.raises(StaleVersion):
        referee.command(Act(find(referee.state, "sail 3 NW from G12"), version=seen))


def test_older_lines_of_the_log_can_be_had() -> None:
    referee = open_referee()
    set_up(referee)
    for _ in range(50):
        tell(referee, "take 3 sail dice and 1 cannonball")
        referee.command(Undo())
    shown, first = referee.snapshot().log, referee.log()[0].seq
    assert referee.log() == shown
    older = referee.log(first)
    assert len(older) == len(replay_lines(referee)) - 50
    assert older[-1].seq < first
    assert referee.log(older[0].seq) == ()


def replay_lines(referee: Referee) -> list[int]:
    """Return the numbers of all lines of the log, page by page."""
    lines: list[int] = []
    page = referee.log()
    while page:
        lines[:0] = [entry.seq for entry in page]
        page = referee.log(page[0].seq)
    assert lines == sorted(set(lines))
    return lines


# -- JSON ----


def test_offers_can_be_sent_back_as_they_are() -> None:
    referee = playing()
    offer = next(o for o in referee.offers(0) if "sail 3 NW from G11" in o.text)
    receipt = referee.command_json({"type": "act", "action": offer.action, "seat": 0})
    assert receipt.version == referee.snapshot().version
    assert referee.snapshot().log[-1].text == offer.text


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        ({}, "type is one of"),
        ({"type": "sink"}, "type is one of"),
        ({"type": "act"}, "'action' must be an object"),
        ({"type": "answer", "question": "1", "choice": "a"}, "'question' must be a whole number"),
        ({"type": "answer", "question": True, "choice": "a"}, "'question' must be a whole number"),
        ({"type": "turn", "seat": "0"}, "'seat' must be a whole number"),
        ({"type": "take_seat", "seat": 0}, "'phone' must be a text"),
        ({"type": "undo", "reason": 5}, "'reason' must be a text"),
        ({"type": "undo", "reason": "\ud800"}, "half a character"),
    ],
)
def test_json_that_is_no_command_is_named(data: Mapping[str, Any], complaint: str) -> None:
    with pytest.raises(MalformedAction, match=complaint):
        open_referee().command_json(data)


def test_every_command_can_be_sent_as_json() -> None:
    referee = playing()
    referee.command_json({"type": "take_seat", "phone": "anne", "seat": 0})
    action = GAME.action_to_json(find(referee.state, "sail 3 NW from G11"))
    referee.command_json({"type": "act", "action": action, "seat": 0, "version": None})
    seq = referee.snapshot().log[-1].seq
    other = GAME.action_to_json(find_before(referee, seq, "sail 3 W from G11"))
    referee.command_json({"type": "correct", "seq": seq, "action": other, "seat": 0})
    referee.command_json({"type": "undo", "seat": 0, "reason": "no"})
    with pytest.raises(IllegalAction):
        referee.command_json({"type": "turn", "seat": 0})


# -- ledger ----


def test_resume_goes_on_exactly_where_it_stood() -> None:
    store = MemoryStore()
    referee = playing(store)
    hands = at_table(referee)
    sail(referee, hands, "sail 3 NW from G11")
    referee.command(TakeSeat("mary", 1))
    referee.command(Undo())
    sail_again = find(referee.state, "sail 2 W from G11")
    referee.command(Act(sail_again))
    again = Referee.resume(GAME, PROFILE, store, lambda: 2.0, "g")
    assert again.snapshot() == referee.snapshot()
    assert again.state == referee.state
    assert opening(store, "g").players == ("Anne", "Mary")


def test_the_read_model_can_be_thrown_away() -> None:
    store = MemoryStore()
    referee = playing(store)
    referee.command(Undo())
    rebuilt = replay(GAME, store.read("g"))
    assert rebuilt == referee._book.history


def test_nothing_is_shown_that_could_not_be_written() -> None:
    store = FullCard()
    referee = playing(store)
    heard: list[Snapshot] = []
    referee.subscribe(heard.append)
    before = referee.snapshot()
    store.left = 0
    with pytest.raises(LedgerError, match="full"):
        tell(referee, "sail 3 NW from G11")
    assert referee.snapshot() == before
    assert heard == []
    store.left = None
    tell(referee, "sail 3 NW from G11")
    assert len(heard) == 1


def test_a_second_writer_makes_the_first_one_stale() -> None:
    store = MemoryStore()
    referee = playing(store)
    store.append("g", len(store.read("g")), [Retracted(1, "", None)], 1.0)
    with pytest.raises(StaleVersion, match="elsewhere"):
        tell(referee, "sail 3 NW from G11")


def test_listeners_hear_after_it_is_durable_and_may_fail() -> None:
    store = MemoryStore()
    referee = playing(store)
    heard: list[tuple[int, str]] = []

    def hear(snapshot: Snapshot) -> None:
        heard.append((len(store.read("g")) - snapshot.version, snapshot.health.get("display", "")))

    is_off = [True]

    def ring(_snapshot: Snapshot) -> None:
        if is_off[0]:
            raise BrokenPipeError("the ring has fallen off")

    referee.subscribe(ring)
    end = referee.subscribe(hear)
    tell(referee, "sail 3 NW from G11")
    assert heard == [(0, ""), (0, "A display failed: the ring has fallen off")]
    is_off[0] = False
    tell(referee, "sail 3 NW from G12")
    assert heard[-1] == (0, "")
    assert referee.snapshot().health == {}
    end()
    end()
    del heard[:]
    referee.report_health("camera", "dark")
    assert heard == []


def test_opening_refuses_what_cannot_be_played_or_exists() -> None:
    store = MemoryStore()
    open_referee(store)
    with pytest.raises(SequenceConflict):
        open_referee(store)
    with pytest.raises(BadOptions):
        Referee.open(GAME, ["Anne"], {}, PROFILE, store, lambda: 1.0, "h")
    assert store.games() == ("g",)
    with pytest.raises(CorruptLedger, match="no game"):
        opening(store, "h")


def test_a_ledger_that_speaks_of_what_there_is_not_is_corrupt() -> None:
    store = MemoryStore()
    referee = open_referee(store)
    store.append("g", referee.snapshot().version, [Retracted(99, "", None)], 1.0)
    assert verify_chain("g", store.read("g")) == 2
    with pytest.raises(CorruptLedger, match="no action 99"):
        Referee.resume(GAME, PROFILE, store, lambda: 1.0, "g")


def test_the_snapshot_of_a_finished_game_names_the_winner() -> None:
    referee = playing()
    tell(referee, "sail 2 E from G11, off the map", "sail 3 E from G12, off the map")
    shown = referee.snapshot()
    assert shown.over
    assert shown.result.startswith("Mary wins")
    assert referee.offers(None) == ()
    referee.observe(Hands(Random(1), Layout()).look())
    with pytest.raises(IllegalAction):
        referee.command(PressTurn())


def test_a_phone_that_sits_down_again_is_no_news() -> None:
    referee = open_referee()
    referee.command(TakeSeat("anne", 0))
    version = referee.snapshot().version
    assert referee.command(TakeSeat("anne", 0)).version == version
    assert referee.command(TakeSeat("anne", 1)).version == version + 1
    assert [seat.taken for seat in referee.snapshot().seats[:2]] == [False, True]


def test_a_seat_that_is_not_there_is_named_with_those_that_are() -> None:
    with pytest.raises(MalformedAction, match="the seats are 0 to 1, not 2"):
        open_referee().command(TakeSeat("anne", 2))


def test_what_else_was_possible_is_offered_for_a_correction() -> None:
    referee = playing()
    seq = referee.snapshot().log[-1].seq
    before = referee._book.history.find(seq).before  # type: ignore[union-attr]
    tell(referee, "sail 3 NW from G12")
    found = referee.alternatives(seq, None)
    assert found.layout == GAME.layout(before)
    texts = [offer.text for offer in found.offers]
    assert len(texts) == len(set(texts)) > 1
    assert referee.snapshot().log[-2].text not in texts  # that is what stands
    assert found.dice == referee.alternatives(seq + 1, None).layout.dice
    assert referee.alternatives(seq + 1, None).dice == ()  # no roll
    with pytest.raises(MalformedAction, match="no standing action"):
        referee.alternatives(seq + 1000, None)
