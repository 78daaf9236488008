"""A game in play when the rules are mended goes on from before what they refuse now."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.boards.profile import load_profile
from companion.errors import BadOptions, IllegalAction
from companion.ledger.events import QuestionAsked, QuestionWithdrawn, Retracted, unseal
from companion.ledger.memory_store import MemoryStore
from companion.rules.game import CHANCE, LEGAL, PlayerId, Ruling
from companion.rules.layout import Die
from companion.rules.options import playable
from companion.table.commands import Act, AnswerQuestion, Correct, PressTurn, TakeSeat, Undo
from companion.table.referee import Referee
from tests.table.synthetic import Hands
from tests.table.toy import Move, Race, ToyRace

ANN, BOB = PlayerId(0), PlayerId(1)


class MendedRace(ToyRace):
    """Nobody may run more than one step any more."""

    def legal_actions(self, state: Race, player: PlayerId) -> tuple[Move, ...]:
        return tuple(
            Move(a.player, a.kind, 1) if a.kind == "run" else a
            for a in super().legal_actions(state, player)
        )

    def check(self, state: Race, action: Move) -> Ruling:
        if action in self.legal_actions(state, action.player):
            return LEGAL
        return Ruling(False, "TOY-5", "One step at a time.")


@pytest.fixture
def store() -> MemoryStore:
    """Return a ledger in which Bob has run two steps, and Ann one before and one after him."""
    store = MemoryStore()
    referee = Referee.open(
        ToyRace(), ["Ann", "Bob"], {}, load_profile("hex-ocean"), store, lambda: 1.0, "race"
    )
    for player, steps in ((ANN, 1), (BOB, 2), (ANN, 1)):
        referee.command(Act(Move(CHANCE, "throw", steps)))
        referee.command(Act(Move(player, "run", steps)))
    return store


def resume(store: MemoryStore, game: ToyRace) -> Referee:
    return Referee.resume(game, load_profile("hex-ocean"), store, lambda: 2.0, "race")


def sit_down(referee: Referee) -> None:
    referee.command(TakeSeat("ann", 0))
    referee.command(TakeSeat("bob", 1))


def lines(referee: Referee) -> list[tuple[str, bool]]:
    return [(entry.text, entry.retracted) for entry in referee.snapshot().log]


def test_it_goes_on_from_before_what_is_refused_now(store: MemoryStore) -> None:
    events = store.read("race")
    referee = resume(store, MendedRace())
    assert (referee.state.places, referee.state.turn, referee.state.coin) == ((-2, -3), 1, 2)
    struck = [text for text, is_struck in lines(referee) if is_struck]
    assert struck == ["Bob: run 2", "Ann: throw 1", "Ann: run 1"]
    told = referee.snapshot().health["rules"]
    assert "refuse “Bob: run 2”: One step at a time. (TOY-5)" in told
    assert store.read("race") == events, "nothing is written before somebody goes on"


def test_the_next_action_says_in_the_ledger_what_no_longer_counts(store: MemoryStore) -> None:
    referee = resume(store, MendedRace())
    referee.command(Act(Move(BOB, "run", 1), seat=1))
    assert referee.snapshot().health == {}
    struck = unseal(store.read("race")[-2])
    assert isinstance(struck, Retracted)
    assert (struck.of, struck.reason, struck.by) == (5, "One step at a time. (TOY-5)", None)
    again = resume(store, MendedRace())
    assert again.state == referee.state
    assert lines(again) == lines(referee)
    assert again.snapshot().health == {}


def test_who_undoes_takes_back_what_stands(store: MemoryStore) -> None:
    referee = resume(store, MendedRace())
    referee.command(Undo())
    assert referee.state.coin is None
    assert resume(store, MendedRace()).state == referee.state


@pytest.mark.parametrize(
    "amend",
    [Undo(seq=5), Correct(2, Move(CHANCE, "throw", 2))],
    ids=["itself", "before"],
)
def test_what_was_taken_back_long_ago_may_be_refused_now(store: MemoryStore, amend: Any) -> None:
    played = resume(store, ToyRace())
    for _ in range(2):
        played.command(Undo())
    played.command(amend)
    told = resume(store, MendedRace())
    assert told.snapshot().health == {}
    assert told.state == played.state


def test_seats_are_kept_and_questions_about_what_is_struck_through_are_not(
    store: MemoryStore,
) -> None:
    played = resume(store, ToyRace())
    sit_down(played)
    played.command(Undo(seat=1))
    assert played.snapshot().question is not None
    referee = resume(store, MendedRace())
    assert referee.snapshot().question is None
    assert [seat.taken for seat in referee.snapshot().seats] == [True, True]
    referee.command(Act(Move(BOB, "run", 1), seat=1))
    names = [type(unseal(event)) for event in store.read("race")[-3:-1]]
    assert names == [QuestionWithdrawn, Retracted]
    assert resume(store, MendedRace()).snapshot().question is None


def test_a_question_outlives_what_is_refused_if_it_was_about_what_came_before() -> None:
    """Bob takes his own move back while Ann's throw is still in dispute; then he agrees."""
    store = MemoryStore()
    played = Referee.open(
        ToyRace(), ["Ann", "Bob"], {}, load_profile("hex-ocean"), store, lambda: 1.0, "race"
    )
    played.command(Act(Move(CHANCE, "throw", 1)))
    played.command(Act(Move(ANN, "run", 1)))
    played.command(Act(Move(CHANCE, "throw", 2)))
    sit_down(played)
    played.command(Correct(2, Move(CHANCE, "throw", 2), seat=0))
    question = played.snapshot().question
    assert question is not None
    played.command(Act(Move(BOB, "run", 2), seat=1))
    played.command(Undo(seat=1))
    between = resume(store, MendedRace())
    assert between.snapshot().question == question
    played.command(AnswerQuestion(question.id, "no", 1))
    told = resume(store, MendedRace())
    assert told.snapshot().question is None
    assert told.state == played.state


def test_what_is_refused_now_is_no_answer_to_an_open_question(store: MemoryStore) -> None:
    """With such a question open the game could not be gone on with, nor another be begun."""
    played = resume(store, ToyRace())
    for _ in range(3):
        played.command(Undo())
    line = [ToyRace().action_to_json(Move(BOB, "run", 2))]
    choices = ({"id": "line1", "text": "run", "line": line}, {"id": "other", "text": "None"})
    asked = QuestionAsked("What happened?", "", (), choices, "reading", None, {})
    store.append("race", len(store.read("race")), [asked], 1.0)
    referee = resume(store, MendedRace())
    question = referee.snapshot().question
    assert question is not None
    assert [choice.id for choice in question.choices] == ["other"]
    with pytest.raises(IllegalAction):
        referee.command(AnswerQuestion(question.id, "line1"))
    referee.command(AnswerQuestion(question.id, "other"))
    assert referee.snapshot().question is None


def test_neither_a_picture_nor_a_seat_takes_back_what_is_refused(store: MemoryStore) -> None:
    hands = Hands(Random(5), ToyRace().layout(resume(store, ToyRace()).state))
    referee = resume(store, MendedRace())
    referee.command(TakeSeat("ann", 0))
    events = store.read("race")
    for _ in range(30):
        referee.observe(hands.look())
    assert store.read("race") == events
    assert "rules" in referee.snapshot().health
    assert referee.snapshot().question is None
    assert referee.snapshot().notice is not None
    referee.command(PressTurn())
    assert referee.snapshot().health == {}
    assert referee.snapshot().question is not None


def test_a_picture_that_fits_what_is_refused_counts_once_the_button_is_pressed(
    store: MemoryStore,
) -> None:
    """It counted at once, and what had been struck through was told to nobody."""
    referee, events = resume(store, MendedRace()), store.read("race")
    hands = Hands(Random(5), ToyRace().layout(referee.state))
    hands.throw([Die("coin", 2)])
    referee.observe(hands.look())
    hands.lay(ToyRace().layout(Race(("Ann", "Bob"), (-2, -2), 0)))
    for _ in range(3):
        referee.observe(hands.look())
    assert store.read("race") == events
    notice = referee.snapshot().notice
    assert notice is not None
    assert notice.text == "Press the button if this is what was done from there: Bob: run 1."
    referee.command(PressTurn(1))
    assert referee.state.places == (-2, -2)
    assert referee.snapshot().health == {}
    assert resume(store, MendedRace()).state == referee.state


class PickyRace(ToyRace):
    """Of new races more is demanded than of those that are kept."""

    def check_new(self, state: Race) -> None:
        raise BadOptions("no room for two")


def test_what_is_demanded_of_new_games_does_not_hinder_one_that_is_kept(
    store: MemoryStore,
) -> None:
    assert resume(store, PickyRace()).state == resume(store, ToyRace()).state
    with pytest.raises(BadOptions, match="no room"):
        Referee.open(
            PickyRace(), ["A", "B"], {}, load_profile("hex-ocean"), store, lambda: 1.0, "new"
        )
    with pytest.raises(BadOptions, match="no room"):
        playable(PickyRace(), {})
    assert store.games() == ("race",)
